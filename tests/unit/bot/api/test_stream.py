"""What a request holds up while it is answered: what others say, until a stream began; and who is told the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.types import Message

from bot.agents import reader
from bot.api.agent.access import AddressRate, HttpAccess, Slots
from bot.api.agent.lines import written
from bot.api.agent.runs import AgentRoutes, key_of
from bot.api.agent.triggers import TriggerRoute
from bot.api.refusals import HttpRefusal
from bot.domain.threads import User
from bot.runtime.core.ports import NotAllowed, NotSignedIn
from bot.runtime.core.priority import Priorities, Priority
from bot.runtime.over_http.admission import Taken
from bot.runtime.over_http.transcripts import Begins, TextSaid, Thought, ToolCalled
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.over_http.desk import Desk, desk
from tests.unit.bot.runtime.over_http.test_going_on import SCOUT, triggers
from tests.unit.bot.runtime.runtime_harness import until

OURS = "https://countersign.example"
Looked = Callable[[], Awaitable[None]]


class Watched:
    """Knows everybody, unless they are refused; looks around each time."""

    def __init__(self, look: Looked, error: Exception | None) -> None:
        self.look = look
        self.error = error

    async def person(self, cookies: Mapping[str, str]) -> User:
        await self.look()
        if self.error is not None:
            raise self.error
        return User(team=TEAM, user=DANA)


def routes(at: Desk, priorities: Priorities, look: Looked, error: Exception | None = None) -> AgentRoutes:
    async def no_link(channel: str, ts: str) -> str:
        return ""

    callers = Watched(look, error)
    return AgentRoutes(
        access=HttpAccess(
            callers=callers, own=OURS, origins=frozenset({OURS}), cookies={}, rate=AddressRate(per_minute=0)
        ),
        slots=Slots(most=9),
        store=at.here.base.store,
        prompts=at.prompts,
        going_on=at.going_on,
        following=at.following,
        link=no_link,
        redact=str,
        priorities=priorities,
        now=lambda: at.now.timestamp(),
    )


def request(body: object, *keys: bytes, **path: str) -> Request:
    headers = [(b"origin", OURS.encode()), (b"content-type", b"application/json")]
    headers += [(b"idempotency-key", key) for key in keys]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "path_params": path,
        "query_string": b"",
        "headers": headers,
        "client": None,
    }
    sent = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]

    async def receive() -> Message:
        if not sent:
            await asyncio.Event().wait()  # whoever asked stays
        return sent.pop()

    return Request(scope, receive)


async def test_a_stream_comes_first_until_something_of_it_was_sent(tmp_path: Path) -> None:
    """From the moment at which it is asked for; its headers alone tell nobody anything."""
    priorities, seen = Priorities(longest=30.0, linger=0), list[tuple[str, bool]]()
    async with desk(tmp_path) as at, asyncio.TaskGroup() as group:
        others: list[asyncio.Task[None]] = []
        sent = asyncio.Event()

        async def look() -> None:
            others.append(group.create_task(priorities.turn(Priority.WORDS)))
            await asyncio.sleep(0)

        async def send(message: Message) -> None:
            for _ in range(5):
                await asyncio.sleep(0)  # who may begin begins
            seen.append((message["type"], others[0].done()))
            if message["type"] == "http.response.body":
                sent.set()

        asked = request({"prompt": "please"})
        answer = await routes(at, priorities, look).stream(asked)
        sending = group.create_task(answer(asked.scope, asked.receive, send))
        await sent.wait()
        await others[0]
        sending.cancel()
    assert seen[:2] == [("http.response.start", False), ("http.response.body", False)]


async def test_one_that_is_refused_holds_up_nobody(tmp_path: Path) -> None:
    """The block ends with the refusal."""
    priorities = Priorities(longest=30.0, linger=0)

    async def look() -> None:
        await asyncio.sleep(0)

    async with desk(tmp_path) as at:
        with pytest.raises(HttpRefusal):
            await routes(at, priorities, look, NotAllowed("No.")).stream(request({"prompt": "please"}))
    async with asyncio.timeout(PATIENCE_SECONDS):
        await priorities.turn(Priority.WORDS)


@pytest.mark.parametrize("by_trigger", [False, True])
async def test_whoever_signed_out_meanwhile_is_told_nothing(tmp_path: Path, by_trigger: bool) -> None:
    """They may have done so because somebody else has their cookie. The run goes on, and is named."""
    looks: list[int] = []

    async def signed_in_once() -> None:
        looks.append(1)
        if len(looks) > 1:
            raise NotSignedIn

    definition = reader.read(SCOUT, "an agent", suffix=".yaml").definition
    async with desk(tmp_path, agents=[definition]) as at:
        await at.here.seen(make.person())
        done = [("complete_task", {"report": "The secret is oak."})]
        at.here.model.says = [done if by_trigger else "The secret is oak."]
        there = routes(at, Priorities(longest=30.0, linger=0), signed_in_once)
        if by_trigger:
            begins = triggers(at)
            route = TriggerRoute(agents=there, catalog=begins.requests.catalog, triggers=begins)
            asked = request({"topic": "benches"}, project=TEAM, agent=definition.name)
            answering = asyncio.create_task(route.trigger(asked))
        else:
            answering = asyncio.create_task(there.run(request({"prompt": "please"})))
        await until(lambda: at.count("runs"))
        (row,) = at.here.base.rows("SELECT id, thread_id FROM runs")
        await at.serve(Taken(run_id=row["id"], thread_id=row["thread_id"]))
        with pytest.raises(HttpRefusal) as refused:
            await answering
    assert (refused.value.code, refused.value.run_id) == ("not_signed_in", row["id"])


async def test_the_texts_of_a_record_hold_no_link(tmp_path: Path) -> None:
    """As in an answer: an agent's report has words of whomever it read. Its result is told as it is."""
    definition = reader.read(SCOUT, "an agent", suffix=".yaml").definition
    async with desk(tmp_path, agents=[definition]) as at:
        await at.here.seen(make.person())
        picture = "![a](https://evil.example/p.png)"
        at.here.model.says = [[("complete_task", {"report": picture})]]
        begins = triggers(at)
        there = routes(at, Priorities(longest=30.0, linger=0), nothing)
        route = TriggerRoute(agents=there, catalog=begins.requests.catalog, triggers=begins)
        answering = asyncio.create_task(
            route.trigger(request({"topic": "benches"}, project=TEAM, agent=definition.name))
        )
        await until(lambda: at.count("runs"))
        (row,) = at.here.base.rows("SELECT id, thread_id FROM runs")
        await at.serve(Taken(run_id=row["id"], thread_id=row["thread_id"]))
        record = json.loads(bytes((await answering).body))
    assert (record["output"], record["summary"]) == (picture, "![a] (`https://evil.example/p.png`)")


async def nothing() -> None:
    """Looks around for nothing."""


def test_a_key_stands_once() -> None:
    """Which of two would count is not known: a proxy may have added one."""
    assert key_of(request({}, b"k-1"), User(team=TEAM, user=DANA), b"{}") is not None
    with pytest.raises(HttpRefusal) as refused:
        key_of(request({}, b"k-1", b"k-2"), User(team=TEAM, user=DANA), b"{}")
    assert (refused.value.status, refused.value.field) == (400, "Idempotency-Key")
    assert refused.value.response().headers["x-content-type-options"] == "nosniff"


def test_a_line_is_one_line() -> None:
    """For whoever takes more than a line feed for the end of one, too, as Python does."""
    sent = written(ToolCalled("gmail_send", "Send “a\u2028b\u2029c\x85d”"), str, run_id="run_1", thread_id="thr_1")
    assert len(sent.splitlines()) == 1
    assert json.loads(sent)["preview"] == "Send “a\u2028b\u2029c\x85d”"


@pytest.mark.parametrize("line", [TextSaid("a\ud800"), Thought("\udfff"), ToolCalled("\ud800", "\udfff"), Begins()])
def test_every_line_can_be_sent(line: TextSaid | Thought | ToolCalled | Begins) -> None:
    """Half of a character is U+FFFD, wherever it stands; what is whole stays."""
    sent = written(line, str, run_id="run_1", thread_id="thr_🪑").encode()
    assert json.loads(sent)["type"] in {"status", "delta", "thought_delta", "tool_call"}
    assert (b"\xef\xbf\xbd" in sent) == (not isinstance(line, Begins))
