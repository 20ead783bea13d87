"""What keeps secrets of ours out of all that is sent to Slack, whoever wrote the text."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, cast

import structlog

from bot.redaction import Redactor, redacted

log = structlog.get_logger()
T = TypeVar("T")

Withheld = Callable[[str, str], Awaitable[None]]
"""Is told by which method or in what view, and of which conversation or person, a secret was kept back."""

_PLACES = ("channel", "channel_id", "user_id")


async def _told_to_nobody(method: str, place: str) -> None:
    """Where there is no audit log."""


class SecretFilter:
    """Takes each secret out of what is sent: of a view before its texts are cut, of a call whatever came into it since.
    The first in each place is told as `withheld`, all are logged.
    """

    def __init__(self, redact: Redactor | None = None, withheld: Withheld = _told_to_nobody) -> None:
        self.redact = redact or Redactor()
        self._withheld = withheld
        self._told = set[str]()

    async def clear(self, method: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """The body of a call, which JSON can hold, without secrets."""
        texts = "\0".join(_texts(body))
        if self.redact(texts) == texts:
            return body
        before = json.loads(json.dumps(body))
        cleared = cast("dict[str, object]", redacted(before, self.redact))
        if cleared != before:
            await self._tell(method, next((str(body[name]) for name in _PLACES if name in body), ""))
        return cleared

    async def view(self, view: T, /) -> T:
        """The view without secrets."""
        told = "\0".join(_texts(view))
        if self.redact(told) == told:
            return view
        await self._tell(type(view).__name__, _place_of(view))
        return cast("T", _cleared(view, self.redact))

    async def _tell(self, method: str, place: str) -> None:
        log.warning("slack.secret_withheld", method=method, place=place)
        if place not in self._told:
            await self._withheld(method, place)
            self._told.add(place)


def _place_of(view: Any) -> str:
    """The conversation that a view is for, or the person."""
    place = getattr(view, "place", view)
    return str(getattr(place, "channel", "") or getattr(place, "user", ""))


def _texts(value: object) -> Iterator[str]:
    """Every text in a value, and every name. Written as JSON they could hide what begins behind a line end."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in cast("Mapping[object, object]", value).items():
            yield from _texts(name)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[object]", value):
            yield from _texts(one)
    elif is_dataclass(value):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))


def _cleared(value: Any, redact: Callable[[str], str]) -> Any:
    """The same value of dataclasses and collections, with every text in it redacted."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {name: _cleared(one, redact) for name, one in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        made = [_cleared(one, redact) for one in cast("Sequence[object]", value)]
        return tuple(made) if isinstance(value, tuple) else made
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{one.name: _cleared(getattr(value, one.name), redact) for one in fields(value)})
    return value
