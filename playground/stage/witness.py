"""What happened behind a scene since the last look, in order of time, from the emulators' logs and the audit log.

Of the agent itself it reads the audit log only.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from playground.clock import Clock
from playground.stage.fields import Fields, fields, text, walk
from playground.stage.google import QUIET_PATHS, WRITES
from playground.stage.stage import Stage

ARGUMENT_CHARACTERS = 160
EXPORT_SECONDS = 0.4
"""The longest delay of the audit log's export, which looks every 0.2 s."""

TOLD = ("tool", "verdict", "rule")
"""The keys of an audit entry's body that a transcript shows."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Line:
    """One line of a transcript: time, kind and text."""

    at: str
    label: str
    said: str


class Witness:
    """Reads the logs, and remembers how far."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._read = {"model": 0, "google": 0, "audit": 0}
        self._told: set[str] = set()
        self._begin = ""

    async def skip(self) -> None:
        """Skips what was before the scene, also entries that the audit log's export delivers later."""
        await self.lines()
        self._begin = Clock().now().isoformat()

    async def lines(self) -> list[Line]:
        """The new lines, oldest first; it waits for the delay of the audit log's export."""
        looked = Clock().now().isoformat()
        model = await self._stage.model.log(self._read["model"]) if self._stage.model else []
        google = await self._stage.google.emulator.log(self._read["google"])
        self._note("model", model)
        self._note("google", google)
        if model or google:
            await asyncio.sleep(EXPORT_SECONDS)
        calls = [line for entry in model for line in _calls(entry)]
        return sorted([*calls, *(line for entry in google for line in _effect(entry)), *self._audited(looked)])

    def _note(self, log: str, entries: list[Fields]) -> None:
        numbers = [number for entry in entries if isinstance(number := entry.get("n"), int)]
        self._read[log] = max([self._read[log], *numbers])

    def _audited(self, looked: str) -> Iterator[Line]:
        """The entries from before the look at the emulators; newer ones come with the next look."""
        for number, entry in self._stage.playing.audit.after(self._read["audit"]):
            if text(entry, "at") > looked:
                break
            self._read["audit"] = number
            key = str(entry.get("id", number))
            if key not in self._told and text(entry, "at") >= self._begin:
                self._told.add(key)
                yield _entry(entry)


def _calls(entry: Fields) -> Iterator[Line]:
    """The function calls in one answer of the model, whole or streamed."""
    for part in walk(_answered(entry.get("response"))):
        call = fields(part.get("functionCall"))
        if name := text(call, "name"):
            yield Line(at=text(entry, "at"), label="tool call", said=f"{name} {_short(call.get('args'))}")


def _answered(response: object) -> object:
    """An answer as JSON; a stream, which the log keeps as text, as its pieces."""
    said = response if isinstance(response, str) else text(fields(response), "text")
    return [_json(line[5:]) for line in said.splitlines() if line.startswith("data:")] or response


def _effect(entry: Fields) -> Iterator[Line]:
    """A write that Google accepted."""
    path, status = urlsplit(text(entry, "path")).path, entry.get("status")
    accepted = isinstance(status, int) and status < HTTPStatus.BAD_REQUEST
    if entry.get("direction") == "in" and entry.get("method") in WRITES and not path.startswith(QUIET_PATHS):
        outcome = str(status) if accepted else f"refused with {status}"
        yield Line(at=text(entry, "at"), label="google", said=f"{entry.get('method')} {path} → {outcome}")


def _entry(entry: Fields) -> Line:
    body = fields(entry.get("body"))
    about = [text(entry, "actor"), *(text(body, name) for name in TOLD)]
    return Line(at=text(entry, "at"), label="audit", said=" · ".join([text(entry, "code"), *filter(None, about)]))


def _json(said: str) -> object:
    """The JSON object, or None, as for a piece that was cut."""
    try:
        return json.loads(said)
    except ValueError:
        return None


def _short(value: object) -> str:
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= ARGUMENT_CHARACTERS else said[: ARGUMENT_CHARACTERS - 1] + "…"
