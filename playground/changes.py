"""What changed in an emulator, as server-sent events for the page and for tests that wait."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BACKLOG = 2_000
"""Changes that a reader may be behind before it is dropped; it reads the state again when it reconnects."""

HEARTBEAT_SECONDS = 15.0


class Changes:
    """Publishes changes to any number of readers, and drops one that does not keep up."""

    def __init__(self) -> None:
        self._readers: set[asyncio.Queue[str | None]] = set()

    def publish(self, kind: str, **fields: Any) -> None:
        line = json.dumps({"kind": kind, **fields})
        for reader in tuple(self._readers):
            if reader.qsize() < BACKLOG:
                reader.put_nowait(line)
            else:
                self._drop(reader)

    def close(self) -> None:
        """Ends every reader's stream, so that a server can stop without waiting for them."""
        for reader in tuple(self._readers):
            self._drop(reader)

    def response(self) -> StreamingResponse:
        return StreamingResponse(self._lines(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    def _drop(self, reader: asyncio.Queue[str | None]) -> None:
        self._readers.discard(reader)
        reader.put_nowait(None)

    async def _lines(self) -> AsyncIterator[str]:
        reader: asyncio.Queue[str | None] = asyncio.Queue()
        self._readers.add(reader)
        try:
            yield ": open\n\n"
            while True:
                try:
                    line = await asyncio.wait_for(reader.get(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if line is None:
                    return
                yield f"data: {line}\n\n"
        finally:
            self._readers.discard(reader)
