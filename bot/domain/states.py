"""State machines: a StrEnum with a caption per member, and a table of all transitions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from bot.errors import BotError


class State(StrEnum):
    """A status with a caption that a person can read. Members are written `name = ("name", "caption")`."""

    caption: str

    def __new__(cls, value: str, caption: str = "") -> Self:
        """Keep the caption beside the value."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.caption = caption
        return member


class IllegalMove(BotError):
    """A transition that no table names: a defect, never a race."""

    def __init__(self, kind: str, from_: State, to: State) -> None:
        super().__init__(f"A {kind} never goes from {from_} to {to}.")


class LostRace(BotError):
    """Somebody else made the transition first: no row was in the state that it starts from."""

    def __init__(self, kind: str, id_: str, from_: str, to: str) -> None:
        super().__init__(f"{kind} {id_} was not in {from_} any more; it was not moved to {to}.")


def check_move(kind: str, table: Mapping[State, frozenset[State]], from_: State, to: State) -> None:
    """Raise `IllegalMove` unless the table has the move."""
    if to not in table.get(from_, frozenset()):
        raise IllegalMove(kind, from_, to)
