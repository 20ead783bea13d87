"""Faults to come: which request they are for, what goes wrong, and how often."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import Any

HTTP_KINDS = frozenset({"delay", "hold", "status", "status_after", "drop_before", "drop_after", "cut", "pause"})
"""The kinds that work on any request; an emulator adds its own."""

MATCH_KEYS = frozenset({"path", "method", "contains"})


class InvalidFault(Exception):
    """The fault cannot be understood."""


@dataclass(slots=True, kw_only=True)
class Fault:
    """A fault that happens `times` times; -1 is for ever."""

    id: int
    kind: str
    match: dict[str, str] = field(default_factory=dict[str, str])
    times: int = 1
    seconds: float = 0.0
    status: int = 503
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    error: str = ""
    reason: str = ""
    after: int = 1
    """For `cut` and `pause`: pieces of the answer that arrive before."""
    skip: int = 0
    """How many fitting requests go well first."""

    def fits(self, path: str, method: str, body: str) -> bool:
        """Whether the path contains the pattern or matches it as a glob, and method and body fit too."""
        pattern = self.match.get("path", "")
        wanted = self.match.get("method", "")
        return (
            (pattern in path or fnmatchcase(path, pattern))
            and (not wanted or wanted.upper() == method.upper())
            and self.match.get("contains", "") in body
        )


class Faults:
    """The faults that are still to happen, oldest first; `changed` is called when there are others."""

    def __init__(self, kinds: frozenset[str], at_once: Callable[[Fault], bool], changed: Callable[[], None]) -> None:
        self.kinds = HTTP_KINDS | kinds
        self._at_once = at_once
        self._changed = changed
        self._waiting: list[Fault] = []
        self._held: set[asyncio.Event] = set()
        self._last_id = 0

    def add(self, asked: Mapping[str, Any]) -> Fault:
        """Adds a fault as posted to the admin route; raises `InvalidFault`."""
        kind = str(asked.get("kind", ""))
        if kind not in self.kinds:
            raise InvalidFault(f"unknown kind {kind!r}; known: {', '.join(sorted(self.kinds))}")
        match: dict[str, str] = {str(key): str(value) for key, value in dict(asked.get("match") or {}).items()}
        if unknown := match.keys() - MATCH_KEYS:
            raise InvalidFault(f"unknown match keys: {', '.join(sorted(unknown))}")
        self._last_id += 1
        try:
            fault = Fault(
                id=self._last_id, match=match, **{key: value for key, value in asked.items() if key != "match"}
            )
        except TypeError as error:
            raise InvalidFault(str(error)) from error
        if not self._at_once(fault):
            self._waiting.append(fault)
            self._changed()
        return fault

    def take(self, path: str, *, kinds: frozenset[str], method: str = "", body: str = "") -> Fault | None:
        """The first fault of these kinds that fits, counted as happened."""
        for fault in self._waiting:
            if fault.kind in kinds and fault.fits(path, method, body):
                if fault.skip:
                    fault.skip -= 1
                    continue
                self._count_down(fault)
                return fault
        return None

    def all(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self._waiting]

    def clear(self) -> None:
        """Removes all faults, and sends held answers now."""
        self._waiting.clear()
        for released in self._held:
            released.set()
        self._changed()

    def remove(self, fault_id: int) -> None:
        """Removes one fault, if it did not happen yet."""
        self._waiting = [fault for fault in self._waiting if fault.id != fault_id]
        self._changed()

    async def hold(self, seconds: float) -> None:
        """Waits for so long, or until the faults are cleared."""
        released = asyncio.Event()
        self._held.add(released)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(released.wait(), seconds)
        finally:
            self._held.discard(released)

    def _count_down(self, fault: Fault) -> None:
        if fault.times < 0:
            return
        fault.times -= 1
        if fault.times == 0:
            self._waiting.remove(fault)
        self._changed()
