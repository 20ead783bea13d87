"""What keeps secrets of ours out of all that is sent to Slack, whoever wrote the text."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import cast

import structlog

from bot.secrets import Redactor, redacted

log = structlog.get_logger()

Withheld = Callable[[str, str], Awaitable[None]]
"""Is told by which method, and of which conversation or person, a secret was kept back."""

_PLACES = ("channel", "channel_id", "user_id")


async def _told_to_nobody(method: str, place: str) -> None:
    """Where there is no audit log."""


class SecretFilter:
    """Takes each secret out of what is sent. The first in each place is told as `withheld`, all are logged."""

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

    async def _tell(self, method: str, place: str) -> None:
        log.warning("slack.secret_withheld", method=method, place=place)
        if place not in self._told:
            await self._withheld(method, place)
            self._told.add(place)


def _texts(value: object) -> Iterator[str]:
    """Every text in a JSON value, and every name. Written as JSON they could hide what begins behind a line end."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in cast("Mapping[str, object]", value).items():
            yield name
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[object]", value):
            yield from _texts(one)
