"""Silent, dripping and too many connections, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import resource
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any, ClassVar

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from structlog.testing import capture_logs

from bot.api import connections
from bot.api.connections import (
    FEWEST_CONNECTIONS,
    HEAD_BYTES,
    KEPT_BACK,
    MOST_CONNECTIONS,
    READ_BYTES,
    Awaited,
    ClientConnection,
    most_connections,
)
from bot.api.server import RunningServer, serve
from tests.patience import PATIENCE_SECONDS

SECONDS = 0.5
ASKED = b"GET /in HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY_BEGUN = b"POST /in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nbegun"


class Hasty(ClientConnection):
    """The same with less patience."""

    seconds: ClassVar[Mapping[Awaited, float]] = dict.fromkeys(Awaited, SECONDS)


class Patient(ClientConnection):
    """With so much patience that no machine is too slow for it: what ends a wait is what the other side does."""

    seconds: ClassVar[Mapping[Awaited, float]] = dict.fromkeys(Awaited, 600)


async def _inside(request: Request) -> PlainTextResponse:
    try:
        await request.body()
    except ClientDisconnect:  # so do our own routes
        return PlainTextResponse("left")
    return PlainTextResponse("in" * int(request.query_params.get("times", "1")))


async def _refused(request: Request) -> PlainTextResponse:
    return PlainTextResponse("refused", 401, headers={"connection": "close"})


async def _slow(request: Request) -> PlainTextResponse:
    await asyncio.sleep(3 * SECONDS)
    return PlainTextResponse("at last")


ROUTES = (
    *(Route("/in", _inside, methods=["GET", "POST"]), Route("/slow", _slow)),
    Route("/refused", _refused, methods=["POST"]),
)


@pytest.fixture
async def served() -> AsyncIterator[RunningServer]:
    """A server that is left in good order."""
    async with serve(ROUTES, host="127.0.0.1", port=0, protocol=Patient) as serving:
        yield serving


@pytest.fixture
async def hasty() -> AsyncIterator[RunningServer]:
    """One with less patience."""
    async with serve(ROUTES, host="127.0.0.1", port=0, protocol=Hasty) as serving:
        yield serving


@contextlib.asynccontextmanager
async def _connected(served: RunningServer) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.url.rpartition(":")[2]))
    try:
        yield reader, writer
    finally:
        writer.close()


async def _dripped_until_closed(served: RunningServer, begin: bytes) -> None:
    """Send a byte twenty times a second until the server breaks off."""
    async with _connected(served) as (reader, writer), asyncio.timeout(PATIENCE_SECONDS):
        writer.write(begin)
        closed = asyncio.create_task(reader.read())
        while not closed.done():
            writer.write(b"x")
            await asyncio.wait([closed], timeout=SECONDS / 10)
        with contextlib.suppress(ConnectionError):
            await closed


@pytest.mark.parametrize(
    "begin", [b"", b"GET /in HTTP/1.1\r\nX-Long: ", BODY_BEGUN], ids=["nothing", "headers", "body"]
)
async def test_a_dripped_request_is_broken_off(hasty: RunningServer, begin: bytes) -> None:
    """An attacker who sends a byte now and then, of the headers or of the body, gets no more time with each of them."""
    await _dripped_until_closed(hasty, begin)


REFUSED = BODY_BEGUN.replace(b"/in", b"/refused")


@pytest.mark.parametrize("megabytes", [1, 20])
async def test_who_sends_all_before_they_read_hears_the_refusal(served: RunningServer, megabytes: int) -> None:
    """It came before their body did: a connection that closed at once would be reset, and the answer lost. The answer
    ends with the end of what the server sends, so nobody waits for a deadline.
    """
    async with _connected(served) as (reader, writer):
        size = megabytes * 1_000_000
        writer.write(REFUSED.replace(b"100", b"%d" % (size + 5)))
        writer.write(b"x" * size)
        await writer.drain()
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    assert (head.startswith(b"HTTP/1.1 401 "), body) == (True, b"refused")


async def test_who_was_refused_and_stays_is_broken_off(hasty: RunningServer) -> None:
    """What they go on sending is dropped, and keeps nothing open."""
    async with _connected(hasty) as (reader, writer), asyncio.timeout(PATIENCE_SECONDS):
        writer.write(REFUSED + ASKED)
        assert (await reader.read()).count(b"HTTP/1.1 ") == 1
        with contextlib.suppress(ConnectionError):
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(SECONDS / 10)


async def test_the_second_request_of_a_connection_has_a_deadline_too(hasty: RunningServer) -> None:
    """After an answered request the next one may not be dripped either, nor may the body of one answered early."""
    await _dripped_until_closed(hasty, ASKED + b"GET /in HTTP/1.1\r\nX-Long: ")
    await _dripped_until_closed(hasty, BODY_BEGUN.replace(b"/in", b"/nowhere"))


class Uneven(ClientConnection):
    """With patience for large bodies and slow readers alone."""

    seconds: ClassVar[Mapping[Awaited, float]] = {Awaited.HEAD: SECONDS, Awaited.BODY: 600, Awaited.READING: 600}


async def test_a_small_body_has_no_time_of_its_own() -> None:
    """What Slack sends comes within the ten seconds of its head, or not at all; so does a form of a page."""
    async with serve(
        [Route("/slack/events", _inside, methods=["POST"])], host="127.0.0.1", port=0, protocol=Uneven
    ) as served:
        await _dripped_until_closed(served, BODY_BEGUN.replace(b"/in", b"/slack/events"))


async def test_each_part_has_its_own_time() -> None:
    """Whoever takes longer for a large body, or to read, than a head may take is served."""
    routes = [Route("/api/in", _inside, methods=["POST"]), Route("/in", _inside)]
    async with serve(routes, host="127.0.0.1", port=0, protocol=Uneven) as served:
        async with _connected(served) as (reader, writer):
            writer.write(BODY_BEGUN.replace(b"/in", b"/api/in"))
            await asyncio.sleep(2 * SECONDS)
            writer.write(b"x" * 95 + ASKED.replace(b"/in", b"/in?times=20000000"))
            assert b"200 OK" in await reader.readline()
            await reader.readuntil(b"200 OK")
            await asyncio.sleep(2 * SECONDS)
            await reader.readexactly(40_000_000)
        await _dripped_until_closed(served, b"GET /in HTTP/1.1\r\nX-Long: ")


async def test_our_own_slowness_does_not_break_off(hasty: RunningServer) -> None:
    """A request that arrived is answered, however long that takes us."""
    async with _connected(hasty) as (reader, writer):
        writer.write(ASKED.replace(b"/in", b"/slow"))
        assert b"200 OK" in await reader.readline()


async def test_an_answer_that_nobody_reads_is_given_up(hasty: RunningServer) -> None:
    """A client that asks for much, twice, and reads nothing does not keep its connection."""
    async with _connected(hasty) as (reader, writer):
        with capture_logs() as logs:
            writer.write(2 * ASKED.replace(b"/in", b"/in?times=20000000"))  # the second answer waits for the first
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not any(entry["event"] == "http.broken_off" for entry in logs):
                    await asyncio.sleep(0.01)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(80_000_000)


async def test_silent_connections_do_not_keep_out_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attacker holds 300 silent connections: most are broken off at once, and who asks is answered."""

    def twenty() -> int:
        return 20

    monkeypatch.setattr(connections, "most_connections", twenty)
    async with serve([Route("/in", _inside)], host="127.0.0.1", port=0) as served, contextlib.AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(_connected(served)) for _ in range(300)]
        reader, writer = await stack.enter_async_context(_connected(served))
        writer.write(ASKED)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert b"200 OK" in await reader.readline()
        assert sum(reader.at_eof() or reader.exception() is not None for reader, _ in silent) >= 280


async def test_begun_bodies_do_not_keep_out_a_real_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have more time than the head of a request that comes later, and have let us wait for longer."""

    def eight() -> int:
        return 8

    monkeypatch.setattr(connections, "most_connections", eight)
    routes = [Route("/in", _inside, methods=["GET", "POST"])]
    async with serve(routes, host="127.0.0.1", port=0) as served, contextlib.AsyncExitStack() as stack:
        begun = [await stack.enter_async_context(_connected(served)) for _ in range(8)]
        for _, writer in begun:
            writer.write(BODY_BEGUN)
        await asyncio.sleep(SECONDS / 5)
        reader, writer = await stack.enter_async_context(_connected(served))
        await asyncio.sleep(SECONDS / 5)
        writer.write(ASKED)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert b"200 OK" in await reader.readline()


@pytest.mark.parametrize(
    ("descriptors", "most"),
    [
        (resource.RLIM_INFINITY, MOST_CONNECTIONS),
        (1024, MOST_CONNECTIONS),
        (KEPT_BACK + 50, 50),
        (64, FEWEST_CONNECTIONS),
    ],
)
def test_descriptors_are_kept_back(monkeypatch: pytest.MonkeyPatch, descriptors: int, most: int) -> None:
    """Where a process may have few files, connections leave enough of them to Slack's socket and to the database."""

    def limits(_: int) -> tuple[int, int]:
        return descriptors, descriptors

    monkeypatch.setattr(resource, "getrlimit", limits)
    assert most_connections() == most


HEAD = b"GET /in HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (HEAD + b"a:\r\n" * 99 + b"\r\n", b"HTTP/1.1 200"),
        (HEAD + b"a:\r\n" * 100 + b"\r\n", b"HTTP/1.1 400"),
        (HEAD + b"a:\r\n" * 100, b"HTTP/1.1 400"),
        (HEAD + b"a: " + b"x" * 12_000 + b"\r\n\r\n", b"HTTP/1.1 200"),
        (HEAD + b"a: " + b"x" * 24_000 + b"\r\n\r\n", b"HTTP/1.1 400"),
        (HEAD + b"a: " + b"x" * 24_000, b"HTTP/1.1 400"),
        (CHUNKED % b"/in" + b"1\r\n\n\r\n" * 1_000 + b"0\r\n\r\n", b"HTTP/1.1 200"),
        (CHUNKED % b"/in" + b"1\r\n\n\r\n" * 1_001 + b"0\r\n\r\n", b"HTTP/1.1 400"),
        (CHUNKED % b"/in" + (b"40\r\n" + b"\n" * 64 + b"\r\n") * 1_500 + b"0\r\n\r\n", b"HTTP/1.1 200"),
        (CHUNKED % b"/in" + b"0\r\n" + b"a:\r\n" * 2_000 + b"\r\n", b"HTTP/1.1 400"),
    ],
    ids=[
        *("100 lines", "101 lines", "101 lines without an end", "12 kB", "24 kB", "24 kB without an end"),
        *("1,000 chunks", "1,001 chunks", "chunks of 64 bytes", "2,000 lines behind the last chunk"),
    ],
)
async def test_what_costs_much_to_read_is_refused(served: RunningServer, request_: bytes, answer: bytes) -> None:
    """Heads of very many lines or bytes, and bodies in tiny chunks, which take thousands of times as long as others."""
    async with _connected(served) as (reader, writer):
        writer.write(request_)
        assert (await reader.readline()).startswith(answer)


NO_REQUESTS = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00", "It does not begin as one does."),
    "a bad request line": (b"GET /api/agent/run\r\n\r\n", "It does not begin as one does."),
    "no host": (b"GET /api/agent/run HTTP/1.1\r\n\r\n", "It has no Host."),
    "a bad name": (HEAD + b"a b: c\r\n\r\n", "is no header"),
    "a control character": (HEAD + b"a: \0\r\n\r\n", "is no header"),
    "a bad length": (HEAD + b"Content-Length: +5\r\n\r\n", "Content-Length is no number"),
    "two lengths": (HEAD + b"Content-Length: 5, 6\r\n\r\n", "two lengths"),
    "chunks of another kind": (HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n", "only chunked is taken"),
    "too many lines": (HEAD + b"a:\r\n" * 100, "more than 100 lines"),
    "too many bytes": (HEAD + b"a: " + b"x" * 24_000, "more than 16,384 bytes"),
    "a bad chunk": (CHUNKED % b"/in" + b"zz\r\n", "A chunk of its body"),
    "after another request": (ASKED + b"nothing\r\n\r\n", "It does not begin as one does."),
    "a name before a blank": (HEAD + b"Origin : x\r\n\r\n", "is no header"),
    "tiny chunks": (CHUNKED % b"/in" + b"1\r\nx\r\n" * 1_100, "more than 1,000 chunks with fewer than 64 bytes"),
}


@pytest.mark.parametrize("piece", [1_000, 100_000])
@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
async def test_a_head_is_counted_to_the_byte(served: RunningServer, piece: int, more: int, is_read: bool) -> None:
    """In whatever pieces it comes, its last line included."""
    begun = ASKED[:-2] + b"a: "
    head = begun + b"x" * (HEAD_BYTES - len(begun) - 4 + more) + b"\r\n\r\n"
    assert len(head) == HEAD_BYTES + more
    async with _connected(served) as (reader, writer):
        for start in range(0, len(head), piece):
            writer.write(head[start : start + piece])
            await writer.drain()
            await asyncio.sleep(0.001)
        assert (b"200 OK" in await reader.readline()) is is_read


@pytest.mark.parametrize(("request_", "words"), NO_REQUESTS.values(), ids=NO_REQUESTS)
async def test_what_is_no_request_is_refused_as_the_api_refuses(
    served: RunningServer, request_: bytes, words: str
) -> None:
    """In its form, with what is wrong with it, whatever it was for, and the connection ends."""
    async with _connected(served) as (reader, writer):
        writer.write(request_)
        head, _, body = (await reader.read()).rpartition(b"\r\n\r\n")
    assert b"HTTP/1.1 400 " in head
    told = {line.lower() for line in head.split(b"\r\n")}
    assert told >= {b"content-type: application/json", b"connection: close", b"cache-control: no-store"}
    answer: dict[str, Any] = json.loads(body)
    assert answer.keys() == {"ok", "error"}
    assert (answer["ok"], answer["error"]["code"]) == (False, "bad_request")
    assert words in answer["error"]["message"]


async def test_a_broken_head_request_is_refused_without_a_body(
    served: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    """As no answer to a HEAD has one; nothing of ours breaks at it."""
    async with _connected(served) as (reader, writer):
        writer.write((CHUNKED % b"/in").replace(b"POST", b"HEAD") + b"zz\r\n")
        told = await reader.read()
    assert told.startswith(b"HTTP/1.1 400 ")
    assert told.endswith(b"\r\n\r\n")
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_others_have_their_turn_while_a_request_is_read(served: RunningServer) -> None:
    """A body of a megabyte, which came at once, is read in slices; two requests behind it are answered in order."""
    lengths: list[int] = []

    class Watched(Patient):
        def handle_events(self) -> None:
            lengths.append(len(self.conn.trailing_data[0]))
            super().handle_events()

    routes = [Route("/in", _inside, methods=["GET", "POST"])]
    async with (
        serve(routes, host="127.0.0.1", port=0, protocol=Watched) as server,
        _connected(server) as (reader, writer),
    ):
        body = b"POST /in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000
        writer.write(body + ASKED.replace(b"/in", b"/in?times=2") + ASKED.replace(b"/in", b"/in?times=3"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            for times in (1, 2, 3):
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
                assert await reader.readexactly(2 * times) == b"in" * times
    assert max(lengths) <= READ_BYTES
    assert len(lengths) > 200


@pytest.mark.parametrize("host", [b"localhost", b"evil.example"])
@pytest.mark.parametrize("path", [b"/in", b"/nowhere"])
async def test_a_broken_chunk_is_no_fault_of_ours(
    served: RunningServer, path: bytes, host: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether it is read, was answered before or is not read at all: the connection ends without a traceback."""
    async with _connected(served) as (reader, writer):
        writer.write((CHUNKED % path).replace(b"localhost", host) + b"zz\r\n")
        told = await reader.read()
        assert told.count(b"HTTP/1.1 ") == 1
    async with _connected(served) as (reader, writer):
        writer.write(CHUNKED % path + b"1\r\nx\r\n")
        if path == b"/nowhere":
            assert (await reader.readline()).startswith(b"HTTP/1.1 404")
        writer.write(b"zz\r\n")
        await reader.read()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (b"http://agent.example.com/in?times=1", 200),
        (b"HTTP://127.0.0.1:80/in", 200),
        (b"https://agent.example.com/nowhere", 404),
        (b"http://agent.example.com", 404),
        (b"http://evil.example/in", 421),
        (b"http://evil.example?/in", 421),
        (b"http:///in", 404),
    ],
)
async def test_a_whole_address_may_be_asked_for(target: bytes, status: int) -> None:
    """Its host is the one that counts, also where the header names ours."""
    names = frozenset({"agent.example.com"})
    async with (
        serve([Route("/in", _inside)], host="127.0.0.1", port=0, hosts=names) as served,
        _connected(served) as (reader, writer),
    ):
        writer.write(ASKED.replace(b"/in", target))
        assert (await reader.readline()).startswith(f"HTTP/1.1 {status}".encode())


async def test_who_wants_another_protocol_writes_no_line(
    served: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    """They are answered in this one, as if they had not asked."""
    for wanted in (b"websocket", b"h2c"):
        async with _connected(served) as (reader, writer):
            writer.write(HEAD + b"Connection: upgrade\r\nUpgrade: " + wanted + b"\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warned if record.name.startswith("uvicorn")] == []


def _post(extra: bytes) -> bytes:
    return b"POST /in HTTP/1.1\r\nHost: localhost\r\n" + extra


@pytest.mark.parametrize(
    "raw",
    [
        _post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        _post(b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
        _post(b"Content-Length: 5, 6\r\n\r\nhello"),
        _post(b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0"),
        _post(b"Host: other\r\nContent-Length: 0\r\n\r\n"),
        _post(b"Origin: https://ours.example\r\nContent-Length: 0\r\nOrigin: https://theirs.example\r\n\r\n"),
        _post(b"Content-Type: application/json\r\nContent-Length: 0\r\nContent-Type: text/plain\r\n\r\n"),
        _post(b"Sec-Fetch-Site: same-origin\r\nContent-Length: 0\r\nSec-Fetch-Site: cross-site\r\n\r\n"),
    ],
    ids=[
        *("length and chunks", "two lengths", "two in one", "chunks in HTTP/1.0", "two hosts"),
        *("two origins", "two types", "two sites"),
    ],
)
async def test_contradicting_headers_are_refused(served: RunningServer, raw: bytes) -> None:
    """Somebody behind a proxy sends what it and we could cut into different requests: 400, and the connection ends."""
    async with _connected(served) as (reader, writer):
        writer.write(raw + ASKED)
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("127.0.0.1.evil.example:8080", 421),
        ("localhost.evil.example", 421),
        ("[::1", 421),
        ("agent.example.com", 200),
        ("AGENT.example.com.:443", 200),
        ("localhost:8080", 200),
        ("10.1.2.3:8080", 200),
        ("[::1]:8080", 200),
        ("countersign", 200),
    ],
)
async def test_a_foreign_host_is_refused(host: str, status: int) -> None:
    """A page in somebody's browser that had its own name lead to us reads nothing; probes and people get in."""
    routes = [Route("/in", _inside), Route("/signed", _inside)]
    names, signed = frozenset({"agent.example.com"}), frozenset({"/signed"})
    async with (
        serve(routes, host="127.0.0.1", port=0, hosts=names, signed=signed) as served,
        _connected(served) as (reader, writer),
    ):
        wanted = f"Host: {host}".encode()
        writer.write(ASKED.replace(b"Host: localhost", wanted))
        assert (await reader.readline()).startswith(f"HTTP/1.1 {status}".encode())
    async with (
        serve(routes, host="127.0.0.1", port=0, hosts=names, signed=signed) as served,
        _connected(served) as (reader, writer),
    ):
        writer.write(ASKED.replace(b"Host: localhost", wanted).replace(b"/in", b"/signed"))
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
