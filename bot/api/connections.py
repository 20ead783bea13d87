"""The connections of the HTTP server: each has ten seconds to send its request, and there are never too many.

uvicorn bounds neither: its `timeout_keep_alive` ends with the first byte of a request, and its `limit_concurrency`
answers requests and leaves open what sends none. So its own protocol is bounded here.
"""

from __future__ import annotations

import asyncio
import resource
from typing import ClassVar

import h11
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

log = structlog.get_logger()

REQUEST_SECONDS = 10.0
"""From the opening of a connection to the last byte of its request, and between two requests at most."""

MOST_CONNECTIONS = 256
FEWEST_CONNECTIONS = 8
KEPT_BACK = 192
"""File descriptors that are left to the bot itself: Slack, Google, the model, the database and its files."""

BACKLOG = 32
"""Connections that wait in the kernel. asyncio accepts as many at once, before the first of them can be counted."""


def most_connections() -> int:
    """How many connections may be open, of the file descriptors that this process may have."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, descriptors - KEPT_BACK))


class Connection(H11Protocol):
    """One connection. While the client is to act, a deadline runs; what is broken off gets no answer.

    When there are too many, the one that has let us wait longest makes room. So silent connections cannot keep out
    those that ask something.
    """

    request_seconds: ClassVar[float] = REQUEST_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Count it, and make room."""
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read on; what comes after the connection was broken off is dropped."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._watch()

    def on_response_complete(self) -> None:
        """The next request has its own time."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # uvicorn leaves it set where the connection was broken off
        self._stop_deadline()

    @property
    def waits_until(self) -> float | None:
        """When the patience with this client ends, in the loop's time; None while it is our turn."""
        return self._deadline.when() if self._deadline else None

    def _watch(self) -> None:
        if not self._is_clients_turn():
            self._stop_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.request_seconds, self._break_off, "too slow")

    def _is_clients_turn(self) -> bool:
        asked = self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}
        return not asked or self.flow.write_paused or self.transport.is_closing()

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _make_room(self) -> None:
        """Break off the connection that waits longest; this one where it is the only one that waits."""
        waiting = {
            other: other.waits_until
            for other in self.connections
            if isinstance(other, Connection) and not other.transport.is_closing()
        }
        patience = {other: until for other, until in waiting.items() if until is not None}
        min(patience, key=patience.__getitem__, default=self)._break_off("too many")

    def _break_off(self, why: str) -> None:
        log.info("http.broken_off", why=why, connections=len(self.connections))
        self.transport.abort()
