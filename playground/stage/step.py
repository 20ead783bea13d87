"""The base of all steps of a scene."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from playground.people import Person
from playground.stage.slack import person_called, room_called
from playground.stage.stage import Say, Stage


class Step(BaseModel, ABC):
    """One step. `play` prints by `say(label, text)`, and raises `Unmet` when an expectation is not met."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    is_act: ClassVar[bool] = False
    """Whether it does something, instead of waiting."""

    @abstractmethod
    async def play(self, stage: Stage, say: Say) -> None:
        """Does the step, or waits until its expectation is met."""


def _person(given: object) -> object:
    try:
        return given if isinstance(given, Person) else person_called(str(given))
    except LookupError as error:
        raise ValueError(str(error)) from error


def _place(given: str) -> str:
    try:
        return given if given == "dm" else room_called(given) and given
    except LookupError as error:
        raise ValueError(str(error)) from error


def _parts(given: object) -> object:
    return (given,) if isinstance(given, str) else given


Somebody = Annotated[Person, BeforeValidator(_person)]
"""A person of the company, written by the first name."""

Place = Annotated[str, AfterValidator(_place)]
"""`dm`, a person's direct messages with the agent, or `#channel`."""

Parts = Annotated[tuple[str, ...], BeforeValidator(_parts)]
"""Texts that must all occur; one may be written without a list."""
