"""The Google client over real sockets, against a raw HTTP server that can misbehave."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from integrations.base import Requester
from integrations.errors import Ambiguous, BasisChanged, Busy, ModelRetry, NotConnected, ToolFailed
from integrations.google.account import GoogleAccount
from integrations.google.calls import ApiCall, ListPage, Resource
from integrations.google.client import GoogleClient
from integrations.grants import GoogleGrant

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Seen:
    method: str
    path: str
    headers: dict[str, str]
    body: str


Reply = bytes | None  # None: close the connection without an answer


def answer(
    data: object, *, status: int = 200, headers: str = "", kind: str = "application/json", raw: bytes | None = None
) -> bytes:
    body = json.dumps(data).encode() if raw is None else raw
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    return head.encode() + body


@dataclass(slots=True)
class RawServer:
    """Keeps what it saw and answers what `reply` says, after `delay` seconds."""

    reply: Callable[[Seen], Reply]
    delay: float = 0.0
    seen: list[Seen] = field(default_factory=list[Seen])
    connections: int = 0
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while line := await reader.readline():
                await self._one(line.decode(), reader, writer)
        except (ConnectionError, EOFError, asyncio.CancelledError):
            pass  # the peer left, or the test is over
        finally:
            writer.close()

    async def _one(self, line: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path, _ = line.split(" ", 2)
        headers: dict[str, str] = {}
        while (raw := (await reader.readline()).decode().strip()) != "":
            name, _, value = raw.partition(":")
            headers[name.lower()] = value.strip()
        body = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        seen = Seen(method, path, headers, body)
        self.seen.append(seen)
        await asyncio.sleep(self.delay)
        reply = self.reply(seen)
        if reply is None:
            raise EOFError
        writer.write(reply)
        await writer.drain()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[RawServer]:
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()


@dataclass(slots=True)
class FixedClock:
    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


@dataclass(slots=True)
class FixedGrants:
    """Hands out the tokens in turn, the last one for ever; the account is the requester's name."""

    tokens: list[str] = field(default_factory=lambda: ["token-1"])
    told: list[str] = field(default_factory=list[str])

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        token = self.tokens.pop(0) if len(self.tokens) > 1 else self.tokens[0]
        return GoogleGrant(
            account=requester.user, email=f"{requester.user}@x.example", access_token=token, scopes=scopes
        )

    async def refused(self, requester: Requester, account: str) -> None:
        self.told.append(account)


@dataclass(slots=True)
class Lab:
    """A server, a client for it with a person's account, and the pauses that the client took (none really waited)."""

    server: RawServer
    client: GoogleClient
    account: GoogleAccount
    grants: FixedGrants
    clock: FixedClock
    pauses: list[float]

    @property
    def deadline(self) -> datetime:
        return self.clock.now() + timedelta(seconds=30)


@asynccontextmanager
async def lab(
    reply: Callable[[Seen], Reply], *, tokens: list[str] | None = None, delay: float = 0.0, timeout: float = 5.0
) -> AsyncGenerator[Lab]:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    grants, clock = FixedGrants(tokens or ["token-1"]), FixedClock()
    async with RawServer(reply, delay).running() as server:
        client = GoogleClient(
            grants=grants,
            clock=clock,
            connect_help="Ask Mara to connect you.",
            api_root_url=server.url,
            timeout_seconds=timeout,
            sleep=sleep,
            jitter=lambda: 0.5,
        )
        async with client:
            account = await client.account(PERSON, frozenset())
            yield Lab(server, client, account, grants, clock, pauses)


class Thing(Resource):
    id: str


PERSON = Requester(team="T1", user="U1")
SEND = ApiCall(api="gmail", resource="users.drafts", method="send", params={"userId": "me", "body": {"id": "d1"}})
READ = ApiCall(
    api="gmail", resource="users.threads", method="get", params={"userId": "me", "id": "t1"}, noun="thread", hint="look"
)


def refusal(status: int, *reasons: str, headers: str = "") -> bytes:
    body = {"error": {"code": status, "message": "no", "errors": [{"reason": reason} for reason in reasons]}}
    return answer(body, status=status, headers=headers)


def in_turn(*replies: Reply) -> Callable[[Seen], Reply]:
    """The replies one after the other, the last one for ever."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


async def test_a_dropped_connection_after_a_post_leaves_one_request_and_is_ambiguous() -> None:
    """A one-shot write whose connection drops without an answer is on the wire exactly once, and is Ambiguous."""
    async with lab(in_turn(None)) as it:
        with pytest.raises(Ambiguous, match="sending"):
            await it.account.once(SEND, Thing, what="sending the mail", deadline=it.deadline)
        assert [(seen.method, seen.path.partition("?")[0]) for seen in it.server.seen] == [
            ("POST", "/gmail/v1/users/me/drafts/send")
        ]


@pytest.mark.parametrize(
    ("reply", "delay", "timeout"),
    [
        (answer({"id": "m1"})[:-5], 0.0, 0.2),
        (answer({"id": "m1"}), 0.5, 0.1),
        (refusal(500), 0.0, 5.0),
        (refusal(503, "backendError"), 0.0, 5.0),
        (answer(None, raw=b"<html>"), 0.0, 5.0),
    ],
    ids=["cut in the middle", "not in time", "500", "503", "garbled"],
)
async def test_an_answer_that_leaves_it_open_is_ambiguous(reply: bytes, delay: float, timeout: float) -> None:
    """A one-shot write without a whole answer in time, or with a server error, is Ambiguous after one request."""
    async with lab(in_turn(reply), delay=delay, timeout=timeout) as it:
        with pytest.raises(Ambiguous):
            await it.account.once(SEND, Thing, what="sending", deadline=it.deadline)
        assert len(it.server.seen) == 1


@pytest.mark.parametrize("reply", [answer(None, raw=b"<html>", kind="text/html"), answer([]), answer(None, raw=b"")])
async def test_a_batch_that_is_answered_by_something_else_fails_in_words(reply: bytes) -> None:
    """A proxy's page in the place of the answers to many reads is a Google that cannot be reached."""
    async with lab(in_turn(reply)) as it:
        with pytest.raises(ToolFailed) as caught:
            await it.account.read_each([READ, READ], Thing)
        assert caught.value.code == "google_unreachable"


async def test_a_refusal_in_no_form_of_googles_fails_in_words() -> None:
    """An error whose sentence is none leaves a one-shot write in doubt, and a read undone."""
    odd = answer({"error": {"code": 403, "message": ["no"]}}, status=403)
    async with lab(in_turn(odd)) as it:
        with pytest.raises(Ambiguous):
            await it.account.once(SEND, Thing, what="sending", deadline=it.deadline)
        with pytest.raises(ToolFailed):
            await it.account.read(READ, Thing)


async def test_a_redirect_of_a_write_is_not_followed() -> None:
    """A one-shot write is sent once: a redirect refuses it."""
    async with lab(in_turn(answer({}, status=308, headers="Location: /elsewhere\r\n"))) as it:
        with pytest.raises(ModelRetry):
            await it.account.once(SEND, Thing, what="sending", deadline=it.deadline)
        assert len(it.server.seen) == 1


async def test_nothing_is_sent_when_nobody_listens_and_that_is_certain() -> None:
    """A refused connection is a plain failure, not a doubt: nothing left."""
    async with GoogleClient(grants=FixedGrants(), clock=FixedClock(), api_root_url="http://127.0.0.1:9") as gone:
        account = await gone.account(PERSON, frozenset())
        with pytest.raises(ToolFailed) as caught:
            await account.once(SEND, Thing, what="sending", deadline=NOW + timedelta(seconds=30))
    assert caught.value.code == "google_unreachable"


async def test_nothing_is_sent_after_the_deadline() -> None:
    """A call whose deadline has passed sends nothing."""
    async with lab(in_turn(answer({"id": "m1"}))) as it:
        with pytest.raises(ToolFailed) as caught:
            await it.account.once(SEND, Thing, what="sending", deadline=it.clock.now())
        assert (caught.value.code, it.server.seen) == ("too_late", [])


async def test_a_rate_limited_write_was_certainly_not_done() -> None:
    """A mail that Google refuses for its rate is sent again, as Google asks and within the time of the attempt."""
    replies = in_turn(
        refusal(429, headers="Retry-After: 12\r\n"), refusal(403, "rateLimitExceeded"), answer({"id": "m1"})
    )
    async with lab(replies) as it:
        assert (await it.account.once(SEND, Thing, what="sending", deadline=it.deadline)).id == "m1"
        assert it.pauses == [12.0, 2.0]


async def test_a_write_is_not_waited_for_beyond_its_attempt() -> None:
    """What Google refuses for too long certainly was not done, and the error says after how many seconds to try."""
    async with lab(in_turn(refusal(429, headers="Retry-After: 20\r\n"))) as it:
        with pytest.raises(Busy) as caught:
            await it.account.once(SEND, Thing, what="sending", deadline=it.deadline)
        assert (caught.value.code, caught.value.seconds, len(it.server.seen)) == ("rate_limited", 20.0, 2)


async def test_a_limit_that_lasts_is_not_waited_for() -> None:
    """A limit of a day is told at once: no pause lifts it."""
    async with lab(in_turn(refusal(403, "dailyLimitExceeded"))) as it:
        with pytest.raises(ToolFailed) as caught:
            await it.account.once(SEND, Thing, what="sending", deadline=it.deadline)
        assert (isinstance(caught.value, Busy), len(it.server.seen)) == (False, 1)


async def test_reads_wait_as_google_asks_and_go_on() -> None:
    """A read waits what Retry-After says after 429, then by its own measure after 503, and succeeds."""
    replies = in_turn(refusal(429, headers="Retry-After: 3\r\n"), refusal(503), None, answer({"id": "t1"}))
    async with lab(replies) as it:
        assert await it.account.read(READ, Thing) == Thing(id="t1")
        assert it.pauses[:2] == [3.0, 2.0]


async def test_a_read_gives_up_after_ten_seconds_of_waiting() -> None:
    """A read that is asked to wait too long fails and never waits more than ten seconds in all."""
    async with lab(in_turn(refusal(403, "userRateLimitExceeded"))) as it:
        with pytest.raises(ToolFailed) as caught:
            await it.account.read(READ, Thing)
        assert caught.value.code == "rate_limited"
        assert it.pauses == [1.0, 2.0, 4.0]


async def test_a_write_that_may_be_repeated_is_ambiguous_only_when_never_answered() -> None:
    """An idempotent write is sent again after a dropped connection; unanswered to the end it is Ambiguous."""
    async with lab(in_turn(None, None, answer({"id": "d1"}))) as it:
        assert (await it.account.repeat(SEND, Thing, what="saving")).id == "d1"
    async with lab(in_turn(None)) as it:
        with pytest.raises(Ambiguous):
            await it.account.repeat(SEND, Thing, what="saving")


async def test_a_token_that_ran_out_is_replaced_once() -> None:
    """After a 401 another token is asked for and the call is made again with it."""

    def reply(seen: Seen) -> Reply:
        return answer({"id": "t1"}) if seen.headers["authorization"] == "Bearer new" else refusal(401, "authError")

    async with lab(reply, tokens=["old", "new"]) as it:
        assert (await it.account.read(READ, Thing)).id == "t1"
        assert it.grants.told == []


@pytest.mark.parametrize("way", ["read", "once", "batch"])
async def test_refused_credentials_mark_the_connection_and_say_how_to_connect(way: str) -> None:
    """A 401 that stays is NotConnected with the installation's own words, and the connection is told once."""
    async with lab(in_turn(refusal(401, "authError"))) as it:
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "read": lambda: it.account.read(READ, Thing),
            "once": lambda: it.account.once(SEND, Thing, what="sending", deadline=it.deadline),
            "batch": lambda: it.account.read_each([READ], Thing),
        }
        try:
            [caught] = cast("list[object]", await ways[way]())
        except NotConnected as error:
            caught = error
        assert isinstance(caught, NotConnected)
        assert caught.message == "Ask Mara to connect you."
        assert it.grants.told == ["U1"]


async def test_another_account_than_the_approved_one_changes_the_basis() -> None:
    """An action approved for one Google account is not done with another."""
    async with lab(in_turn(answer({}))) as it:
        with pytest.raises(BasisChanged):
            await it.client.account(PERSON, frozenset(), approved="somebody else")


async def test_parallel_people_never_see_each_others_answers() -> None:
    """200 parallel reads of ten people each get the answer that was made for their own token's owner and path."""

    def reply(seen: Seen) -> Reply:
        return answer({"id": seen.path.partition("?")[0].rpartition("/")[2]})

    async with lab(reply) as it:

        async def one(n: int) -> bool:
            requester = Requester(team="T1", user=f"U{n % 10}")
            account = await it.client.account(requester, frozenset())
            call = ApiCall(
                api="gmail", resource="users.threads", method="get", params={"userId": "me", "id": f"t{n}-{n % 10}"}
            )
            return (await account.read(call, Thing)).id == f"t{n}-{n % 10}"

        assert all(await asyncio.gather(*(one(n) for n in range(200))))
        assert len(it.server.seen) == 200
        assert it.server.connections <= 16


def batch_reply(seen: Seen) -> Reply:
    ids = re.findall(r"Content-ID: <(.+?)>", seen.body, re.IGNORECASE)
    paths = re.findall(r"^GET (\S+?)\?\S* HTTP", seen.body, re.MULTILINE)
    parts = [
        f"--b\r\nContent-Type: application/http\r\nContent-ID: <response-{cid}>\r\n\r\n"
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
        f"{json.dumps({'id': path.rpartition('/')[2]})}\r\n"
        for cid, path in zip(ids, paths, strict=True)
    ]
    return answer(None, kind="multipart/mixed; boundary=b", raw=("".join(parts) + "--b--\r\n").encode())


async def test_fifty_headers_are_three_requests_side_by_side() -> None:
    """50 reads are three POSTs of at most 20 to the root that was given, and come back in order."""
    async with lab(batch_reply) as it:
        calls = [
            ApiCall(api="gmail", resource="users.threads", method="get", params={"userId": "me", "id": f"t{n}"})
            for n in range(50)
        ]
        things = await it.account.read_each(calls, Thing)
        assert things == [Thing(id=f"t{n}") for n in range(50)]
        assert [(seen.method, seen.path) for seen in it.server.seen] == [("POST", "/batch")] * 3


async def test_calendar_follows_the_given_root_too() -> None:
    """Calendar calls and their headers go to the root that was given."""
    call = ApiCall(
        api="calendar",
        resource="events",
        method="patch",
        params={"calendarId": "primary", "eventId": "e1", "body": {}},
        headers={"If-Match": '"7"'},
    )
    async with lab(in_turn(answer({"id": "e1"}))) as it:
        await it.account.repeat(call, Thing, what="changing")
        assert it.server.seen[0].path.startswith("/calendar/v3/calendars/primary/events/e1")
        assert it.server.seen[0].headers["if-match"] == '"7"'


async def test_a_client_is_inert_until_it_is_entered() -> None:
    """A client that was not entered refuses to work and has started nothing."""
    client = GoogleClient(grants=FixedGrants(), clock=FixedClock())
    account = await client.account(PERSON, frozenset())
    with pytest.raises(KeyError):
        await account.read(READ, Thing)


class Names(ListPage):
    items: list[str]


LIST = ApiCall(api="gmail", resource="users.drafts", method="list", params={"userId": "me"})


@pytest.mark.parametrize(("most", "read"), [(None, ["a", "b", "c"]), (2, ["a", "b"]), (1, ["a"])])
async def test_a_list_is_read_page_by_page(most: int | None, read: list[str]) -> None:
    """Each page brings the token of the next one, with the same parameters, until the last one or the most."""
    tokens: list[dict[str, str]] = [{"nextPageToken": "t2"}, {"nextPageToken": "t3"}, {}]
    replies = [answer({"items": [name], **token}) for name, token in zip("abc", tokens, strict=True)]
    async with lab(in_turn(*replies)) as it:
        found = [name async for page in it.account.pages(LIST, Names, most=most) for name in page.items]
        asked = [re.findall(r"pageToken=(\w+)", seen.path) for seen in it.server.seen]
    assert found == read
    assert asked == [[], ["t2"], ["t3"]][: len(read)]
