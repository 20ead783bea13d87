"""The connections of the HTTP server: each has its time to send a request, what it sends costs little to read, and
there are never too many. What is no request is refused as the API refuses, since nobody can read what it was for.

uvicorn bounds none of these: its `timeout_keep_alive` ends with the first byte of a request, its `limit_concurrency`
answers requests and leaves open what sends none, and whatever came is read in one go, before anybody can ask who sent
it. So its own protocol is bounded here.
"""

from __future__ import annotations

import asyncio
import re
import resource
from collections.abc import Callable, Mapping
from enum import Enum
from http import HTTPStatus
from typing import Any, ClassVar, NoReturn, cast

import h11
import structlog
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.api.refusals import FOLDER, HttpRefusal

log = structlog.get_logger()


class Awaited(Enum):
    """What a client is to do, with the seconds that it has."""

    HEAD = 10.0
    """To send a head and a small body, from the opening of a connection, or from the answer before."""
    BODY = 30.0
    """To send a body that may be large, once its head came."""
    READING = 15.0
    """To read on, where an answer waits for that."""


HEAD_BYTES = 16 * 1024
"""Of the request line and the headers."""
MOST_LINES = 100
"""Of a head, or of what follows the last chunk."""
READ_BYTES = 4 * 1024
"""How much is read before everybody else has their turn."""
UNCOUNTED_CHUNKS = 1_000
FEWEST_BYTES = 64
"""In a chunk of a body, on the average, once it has more chunks than these. Each takes as long to read as a thousand
bytes do.
"""
_TOO_LONG = f"Its head has more than {HEAD_BYTES:,} bytes."
_TOO_MANY_LINES = f"Its head, or what follows its last chunk, has more than {MOST_LINES} lines."
_TINY_CHUNKS = (
    f"Its body has more than {UNCOUNTED_CHUNKS:,} chunks with fewer than {FEWEST_BYTES} bytes on the average."
)
_NO_HEADER = "A line of its head is no header: a name, a colon right behind it, and a value."
_NO_BEGINNING = "It does not begin as one does. If it is one of HTTPS, send it over HTTP."
_NO_CHUNK = "A chunk of its body does not begin or end as one does."
_NO_CODING = "Of Transfer-Encoding only chunked is taken."
_WORDS: Mapping[str, str] = {
    "Missing mandatory Host": "It has no Host.",
    "Found multiple Host": "It has more than one Host.",
    "conflicting Content-Length": "Its headers name two lengths of its body.",
    "bad Content-Length": "Its Content-Length is no number.",
    "illegal header line": _NO_HEADER,
    "Illegal header": _NO_HEADER,
    "illegal request line": _NO_BEGINNING,
    "no request line": _NO_BEGINNING,
    "multiple Transfer-Encoding": _NO_CODING,
    "Only Transfer-Encoding": _NO_CODING,
    "illegal chunk header": _NO_CHUNK,
    "malformed chunk footer": _NO_CHUNK,
}
"""Why it is no request, by how h11 begins to say so."""
_ABSOLUTE = re.compile(rb"https?://([^/?#]+)([^#]*)", re.IGNORECASE)
_HEAD_ENDS = re.compile(rb"\n\r?\n")

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


class _Requests(h11.Connection):
    """What a client sends, event by event. A body in tiny chunks is an invalid request."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEAD_BYTES)
        self._chunks = self._bytes = 0
        self.why = ""
        """Why what came is no request, in words."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next one; raises `RemoteProtocolError` for what is no request."""
        try:
            if self.their_state is h11.IDLE:
                self._check_head()
            return self._next_event()
        except h11.RemoteProtocolError as error:
            said = str(error)
            self.why = next((words for begins, words in _WORDS.items() if said.startswith(begins)), self.why)
            raise

    def _check_head(self) -> None:
        """Count what came of a head. h11 holds only one that is not complete against a bound."""
        came, _ = self.trailing_data
        end = _HEAD_ENDS.search(came)
        if (end.end() if end else len(came)) > HEAD_BYTES:
            self.refuse(_TOO_LONG)
        if came.count(b"\n", 0, end.start() if end else len(came)) > MOST_LINES:
            self.refuse(_TOO_MANY_LINES)

    def refuse(self, words: str) -> NoReturn:
        """Read no further."""
        self.why = words
        raise h11.RemoteProtocolError(words)

    def _next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = self._bytes = 0
            event = _with_its_path(event)
        elif isinstance(event, h11.Data):
            self._chunks += event.chunk_end
            self._bytes += len(event.data)
            if self._chunks > UNCOUNTED_CHUNKS and self._bytes < FEWEST_BYTES * self._chunks:
                self.refuse(_TINY_CHUNKS)
        return event


def _with_its_path(request: h11.Request) -> h11.Request:
    """A request may name a whole address, whose host counts then, and not the header's (RFC 9112 §3.2.2)."""
    named = _ABSOLUTE.fullmatch(request.target)
    if named is None:
        return request
    host, path = named.groups()
    return h11.Request(
        method=request.method,
        target=path if path.startswith(b"/") else b"/" + path,
        headers=[*(header for header in request.headers if header[0] != b"host"), (b"host", host)],
        http_version=request.http_version,
    )


class _Flow(FlowControl):
    """Tells when reading may go on: what was received and not read yet comes first."""

    def __init__(self, transport: asyncio.Transport, go_on: Callable[[], None]) -> None:
        super().__init__(transport)
        self._go_on = go_on

    def resume_reading(self) -> None:
        """Go on with it."""
        if self.read_paused:
            self.read_paused = False
            self._go_on()


class _Closable:
    """A transport that is closed in another way."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self._transport = transport
        self.close = close

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class ClientConnection(H11Protocol):
    """One connection. While the client is to act, a deadline runs (`seconds`); who is too slow gets no answer.

    What came is read in slices, with a turn of the loop between them, so that nobody's request holds up the others.

    Where it ends with an answer before all of the body came, what still comes is dropped until the client has left, or
    for as long as the next request would be waited for: a close at once would take the answer from a client that sends
    first and reads then (RFC 9112 §9.6).

    When there are too many, the one that has let us wait longest makes room. So silent connections cannot keep out
    those that ask something.
    """

    seconds: ClassVar[Mapping[Awaited, float]] = {each: each.value for each in Awaited}
    waits_since: float | None = None
    """Since when we wait for this client, in the loop's time; None while it is our turn."""
    _opened: asyncio.Transport
    _drops_the_rest = False
    _awaited: Awaited | None = None
    _deadline: asyncio.TimerHandle | None = None
    _turn: asyncio.Handle | None = None

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn = _Requests()
        self._unread = bytearray()

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Count it, and make room."""
        super().connection_made(transport)
        self.transport = cast("asyncio.Transport", _Closable(transport, self._close))
        self._opened = transport
        self.flow = _Flow(transport, self._go_on)
        self._watch()
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read on; what comes after the last answer, or after the connection was broken off, is dropped."""
        if self.transport.is_closing() or self._drops_the_rest:
            return
        self._unread += data
        if self._turn is None and not self.flow.read_paused:
            self._read_slice()
        if self._unread:
            self.transport.pause_reading()

    def send_400_response(self, msg: str) -> None:
        """What came is no request. An answer that is under way, or was given before its body was read, is the last."""
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self._refuse()
        self.transport.close()

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
        self._unread.clear()
        self._unset_keepalive_if_required()  # uvicorn leaves it set where the connection was broken off
        self._stop_deadline()

    def _should_upgrade(self) -> bool:
        """Never, and without a warning for each request that wants it."""
        return False

    def _read_slice(self) -> None:
        self._turn = None
        if self.transport.is_closing() or self._drops_the_rest:
            return
        data = bytes(self._unread[:READ_BYTES])
        del self._unread[:READ_BYTES]
        if self._ends_in_too_many_lines():
            self.conn.why = _TOO_MANY_LINES
            self.send_400_response(_TOO_MANY_LINES)
            return
        super().data_received(data)
        self._watch()
        self._go_on()

    def _go_on(self) -> None:
        """Read on after the others had their turn."""
        if self.flow.read_paused or self._turn is not None:
            return
        if self._unread:
            self._turn = self.loop.call_soon(self._read_slice)
        else:
            self.transport.resume_reading()

    def _ends_in_too_many_lines(self) -> bool:
        """Behind the last chunk of a body, which is all of it that waits for its end."""
        if self.conn.their_state is h11.IDLE:
            return False
        waits, _ = self.conn.trailing_data
        return waits.count(b"\n") > MOST_LINES

    def _refuse(self) -> None:
        """As every refusal of the API. The answer to a HEAD has no body."""
        words = f"This cannot be read as a request of HTTP/1.1. {self.conn.why}".strip()
        refusal = HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", words, close=True)
        answer = refusal.response()
        head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers, reason=refusal.status.phrase)
        is_head = self.conn.our_state is h11.SEND_RESPONSE and self.scope["method"] == "HEAD"
        body = [] if is_head else [h11.Data(data=bytes(answer.body))]
        for event in (head, *body, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")

    def _close(self) -> None:
        if self._drops_the_rest or self._opened.is_closing() or self.conn.their_state is not h11.SEND_BODY:
            self._opened.close()
            return
        self._drops_the_rest = True
        self._unread.clear()
        self._opened.write_eof()
        self._opened.resume_reading()

    def _watch(self) -> None:
        awaited = self._awaits()
        if awaited is self._awaited:
            return
        self._stop_deadline()
        self._awaited = awaited
        if awaited is None:
            self.waits_since = None
        else:
            self.waits_since = self.waits_since or self.loop.time()
            self._deadline = self.loop.call_later(self.seconds[awaited], self._break_off, "too slow")

    def _awaits(self) -> Awaited | None:
        """What the client is to do now; None while it is our turn."""
        if self.flow.write_paused or self.transport.is_closing():
            return Awaited.READING
        if self.conn.their_state is h11.SEND_BODY:
            # what Slack and browsers send elsewhere is small
            return Awaited.BODY if self.scope["path"].startswith(FOLDER) else Awaited.HEAD
        return Awaited.HEAD if self.conn.their_state is h11.IDLE else None

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _make_room(self) -> None:
        """Break off the connection that we wait for longest; this one where it is the only one."""
        waiting = {
            other: other.waits_since
            for other in self.connections
            if isinstance(other, ClientConnection) and not other.transport.is_closing()
        }
        since = {other: moment for other, moment in waiting.items() if moment is not None}
        min(since, key=since.__getitem__, default=self)._break_off("too many")

    def _break_off(self, why: str) -> None:
        log.info("http.broken_off", why=why, connections=len(self.connections))
        self.transport.abort()
