"""The merged state that all windows of the page show, and the stream of its changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from playground.page.patch import difference
from playground.page.upstream import JsonObject

BACKLOG = 400
"""Changes that a window may be behind before it starts again from a snapshot."""


class Hub:
    """Holds the newest state of each source and sends every change to all open windows."""

    def __init__(self) -> None:
        self._state: JsonObject = {}
        self._windows: set[asyncio.Queue[JsonObject | None]] = set()

    @property
    def state(self) -> JsonObject:
        """The merged state, one key for each source."""
        return self._state

    def publish(self, source: str, state: JsonObject) -> None:
        """Replace a source's state; the windows receive only what differs."""
        change = difference({source: self._state.get(source, {})}, {source: state})
        self._state = {**self._state, source: state}
        if change:
            self._tell(change)

    def _tell(self, change: JsonObject) -> None:
        for window in list(self._windows):
            if window.qsize() >= BACKLOG:
                self._windows.discard(window)
                window.put_nowait(None)
            else:
                window.put_nowait(change)

    def close(self) -> None:
        """End every window's stream, so that the server can stop."""
        for window in self._windows:
            window.put_nowait(None)
        self._windows.clear()

    async def changes(self, *, beat: float) -> AsyncIterator[JsonObject | None]:
        """First `{"snapshot": state}`, then `{"set": …, "drop": …}`; None is a heartbeat after `beat` idle seconds."""
        window: asyncio.Queue[JsonObject | None] = asyncio.Queue()
        self._windows.add(window)
        try:
            yield {"snapshot": self._state}
            while True:
                try:
                    change = await asyncio.wait_for(window.get(), beat)
                except TimeoutError:
                    yield None
                    continue
                if change is None:
                    return
                yield change
        finally:
            self._windows.discard(window)
