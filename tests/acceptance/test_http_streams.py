"""Streams over HTTP: joined and left at every line, bounded, and left in good order when the process ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from sqlalchemy.sql.compiler import SQLCompiler

from bot.api.agent.access import PER_PERSON
from bot.api.connections import FEWEST_CONNECTIONS
from playground.people import COLLEAGUES, MARA, TEAM_ID
from tests.acceptance.http_side import (
    FIRST,
    RUN,
    STREAM,
    Client,
    Json,
    client,
    hold,
    over,
    read,
    start_api,
    start_hurried_api,
)
from tests.acceptance.slack_side import call
from tests.acceptance.world import HURRIED, Opening, World

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEARCH = call("gmail_search", query="in:inbox bench", limit=2)
STEPS = f"[[model: talk; thoughts=I wonder]] {SEARCH}"
"""Two steps: words, thoughts and a call, then the answer."""
SPOKEN = ("delta", "thought_delta")
IMPATIENT = replace(HURRIED, answer_seconds=0.3, heartbeat_seconds=0.05)


@pytest.fixture(scope="module")
def opening() -> Opening:
    """One bot for what does not end it."""
    return start_hurried_api


@pytest_asyncio.fixture(loop_scope="module")
async def own(fresh_idle: World) -> World:
    """A bot that a test may stop, not running yet."""
    return fresh_idle


def numbered(first: int, lines: Sequence[Json]) -> dict[int, Json]:
    return dict(enumerate(lines, first))


# Joining -----------------------------------------------------------------------------------------------------------


async def test_joined_after_every_line(dana: Client) -> None:
    """Behind whatever line somebody lost it, they get the others: none is missing, none comes twice."""
    async with dana.opened("POST", STREAM, json={"prompt": STEPS}) as answer:
        first = int(answer.headers[FIRST])
        lines = [line async for line in read(answer)]
    run_id, last = lines[-1]["result"]["runId"], first + len(lines) - 1
    assert {line["type"] for line in lines} == {"status", "delta", "thought_delta", "tool_call", "result"}
    for after in range(first - 1, last):
        assert await dana.joined(run_id, after) == (after + 1, lines[after + 1 - first :])
    assert await dana.joined(run_id) == (first, lines)
    for after in (last, last + 1, 10**17):  # nothing is left, or nothing has that number
        assert (await dana.joined(run_id, after))[1][-1] == lines[-1]


async def test_half_a_character_breaks_no_stream(dana: Client) -> None:
    """What the model says has half of a pair of surrogates: it is told as U+FFFD, and the last line is the result."""
    lines = await dana.lines("[[model: half_character]]")
    told = {kind: "".join(line["delta"] for line in lines if line["type"] == kind) for kind in SPOKEN}
    assert told == {"delta": "Before \ufffd after.", "thought_delta": "Half \ufffd."}
    assert lines[-1]["result"]["summary"] == told["delta"]
    assert (await dana.joined(lines[-1]["result"]["runId"]))[1] == lines


async def test_no_statement_about_a_run_is_compiled_each_time(dana: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes longer than the database does with it. Of what looks around by the clock nothing is said here."""
    before = (await dana.lines(STEPS))[-1]
    await dana.look(before["result"]["runId"])
    compiled = list[str]()

    def compiling(self: SQLCompiler, *given: Any, **more: Any) -> None:
        begin(self, *given, **more)
        compiled.append(self.string)

    begin = SQLCompiler.__init__
    monkeypatch.setattr(SQLCompiler, "__init__", compiling)
    last = (await dana.lines(STEPS))[-1]
    assert (await dana.look(last["result"]["runId"])).status == 200
    assert [sql for sql in compiled if "runs" in sql] == []


async def test_joined_after_every_line_while_it_runs(company: World, dana: Client) -> None:
    """The ones who have a part go on with those who have all of it."""
    await hold(company, "Live line", skip=1, seconds=20)
    async with dana.opened("POST", STREAM, json={"prompt": f"{STEPS} Live line"}) as answer:
        first, begun = int(answer.headers[FIRST]), list[Json]()
        lines = read(answer)
        while not begun or begun[-1]["type"] != "tool_call":
            begun.append(await anext(lines))
        run_id = begun[0]["runId"]
        afters = range(first - 1, first - 1 + PER_PERSON - 1)
        joined = [asyncio.create_task(dana.joined(run_id, after)) for after in afters]
        await company.until(lambda: waiting_for(company, "Live line"), when=lambda number: number >= 2)
        assert (await dana.look(run_id)).status == 202
        await company.mend()
        everything = [*begun, *[line async for line in lines]]
    for after, task in zip(afters, joined, strict=True):
        number, theirs = await task
        known = numbered(first, everything)
        assert [known[n] for n in range(number, first + len(everything))] == theirs
        assert number == after + 1


async def test_joined_at_a_fresh_process(own: World) -> None:
    """Whatever lines somebody has of the process before, they begin anew, and learn the same calls and the end."""
    await start_api(own, timings=HURRIED)
    lines = await (await client(own)).lines(STEPS)
    run_id = lines[-1]["result"]["runId"]
    await own.stop_bot()
    await start_api(own, timings=HURRIED)
    again = await client(own)
    for after in (None, *range(len(lines) + 2)):
        number, theirs = await again.joined(run_id, after)
        assert number > len(lines)
        assert theirs[0]["type"] == "status"
        assert [line for line in theirs if line["type"] == "tool_call"] == [
            line for line in lines if line["type"] == "tool_call"
        ]
        assert [line["type"] for line in theirs].count("result") == 1
        assert theirs[-1] == lines[-1]
        told = "".join(line["delta"] for line in theirs if line["type"] == "delta")
        assert told in {"", lines[-1]["result"]["summary"]}
        assert await again.joined(run_id, number) == (number + 1, theirs[1:])


async def test_numbers_stay_in_one_process(dana: Client) -> None:
    """Who joins twice is told the same numbers."""
    run_id = (await dana.run(STEPS)).body["runId"]
    assert await dana.joined(run_id) == await dana.joined(run_id)


# Leaving -----------------------------------------------------------------------------------------------------------


async def test_left_at_every_line(company: World, dana: Client) -> None:
    """The run goes on, and their place is free again, wherever they leave."""
    whole = len(await dana.lines(STEPS))
    left: list[str] = []
    for kept in range(1, whole + 1):
        async with dana.opened("POST", STREAM, json={"prompt": STEPS}) as answer:
            lines = [await anext(lines) for lines in [read(answer)] for _ in range(kept)]
            left.append(lines[0]["runId"])
            answer.close()
    for run_id in left:
        assert (await over(company, dana, run_id)).body["status"] == "completed"
    await room_for(dana, company, PER_PERSON)


async def test_a_waiting_post_is_left(company: World, dana: Client) -> None:
    """So does whoever waits for an answer."""
    await hold(company, "Left alone", times=-1)
    asking = [asyncio.create_task(dana.run(f"[[model: text=Done.]] Left alone {n}")) for n in range(PER_PERSON)]
    await company.until(lambda: waiting_for(company, "Left alone"), when=lambda number: number >= PER_PERSON)
    assert (await dana.run("[[model: text=One more.]]")).status == 429
    for one in asking:
        one.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    await room_for(dana, company, PER_PERSON)
    await company.mend()


async def waiting_for(here: World, words: str) -> int:
    """How many requests with these words reached the model."""
    return len(
        {json.dumps(entry["request"]) for entry in await here.gemini.log() if words in json.dumps(entry["request"])}
    )


async def room_for(who: Client, here: World, number: int) -> None:
    """Wait until so many may wait at once."""

    async def all_let_in() -> bool:
        told = await asyncio.gather(*(who.run("[[model: text=Room.]]") for _ in range(number)))
        return {answer.status for answer in told} == {200}

    await here.until(all_let_in, "room")


async def test_a_sixth_stream_is_refused(company: World, dana: Client) -> None:
    """429 with when to come again, in every route that waits; nothing is taken, others are served."""
    await hold(company, "Five streams", times=-1)
    async with contextlib.AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(
                dana.opened("POST", STREAM, json={"prompt": f"[[model: text=A.]] Five streams {n}"})
            )
            for n in range(PER_PERSON)
        ]
        run_id = (await anext(read(opened[0])))["runId"]
        before = (await company.audit_codes()).count("run.queued")
        prompt = {"prompt": "[[model: text=Sixth.]]"}
        told = [await dana.post(path, prompt) for path in (STREAM, RUN)]
        told += [await dana.send("GET", f"{RUN}/{run_id}/stream")]
        told += [await dana.post(f"/api/projects/{TEAM_ID}/agents/week_review/trigger", {})]
        assert {(answer.status, answer.error["code"]) for answer in told} == {(429, "too_many_open")}
        assert all(int(answer.headers["retry-after"]) > 0 for answer in told)
        assert (await dana.look(run_id)).status == 202
        assert (await company.audit_codes()).count("run.queued") == before
        assert (await (await client(company, MARA)).run("[[model: text=Mara.]]")).status == 200
    await room_for(dana, company, 1)


async def test_a_head_holds_no_place(company: World, dana: Client) -> None:
    """Of a stream that lives it is answered at once, as often as one likes; who follows it is let in meanwhile."""
    await hold(company, "Only its head")
    async with contextlib.AsyncExitStack() as stack:
        prompt = {"prompt": "[[model: text=Told.]] Only its head"}
        first = await stack.enter_async_context(dana.opened("POST", STREAM, json=prompt))
        path = f"{RUN}/{(await anext(read(first)))['runId']}/stream"
        for _ in range(PER_PERSON):
            head = await _head(stack, dana, path)
            assert head.startswith("HTTP/1.1 200 ")
            assert f"content-type: {first.headers['content-type']}" in head
            assert "content-length" not in head
        others = [await stack.enter_async_context(dana.opened("GET", path)) for _ in range(PER_PERSON - 1)]
        assert {other.status for other in others} == {200}
        assert (await _head(stack, dana, f"{RUN}/run_x/stream")).startswith("HTTP/1.1 404 ")
        await company.mend()
        assert [line async for line in read(first)][-1]["type"] == "result"


async def _head(stack: contextlib.AsyncExitStack, who: Client, path: str) -> str:
    """What a HEAD is answered, on a connection that stays until the block ends."""
    address = urlsplit(who.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    stack.callback(writer.close)
    lines = [f"HEAD {path} HTTP/1.1", f"Host: {address.netloc}", f"Cookie: {who.headers['cookie']}", "", ""]
    writer.write("\r\n".join(lines).encode("ascii"))
    return (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().replace("http/1.1", "HTTP/1.1", 1)


# Bounds and ends ---------------------------------------------------------------------------------------------------


def few_files(_: int) -> tuple[int, int]:
    """How many descriptors a process may have that has so few."""
    return 64, 64


async def test_all_places_taken(own: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with when to come again, and nothing is taken: a quarter of the connections are for others."""
    with monkeypatch.context() as few:
        few.setattr(resource, "getrlimit", few_files)
        await start_api(own, timings=HURRIED)
    await hold(own, "All places", times=-1)
    people = [await client(own, person) for person in COLLEAGUES[:2]]
    each = FEWEST_CONNECTIONS * 3 // 4 // len(people)
    async with contextlib.AsyncExitStack() as stack:
        for who in people:
            for n in range(each):
                stream = who.opened("POST", STREAM, json={"prompt": f"[[model: text=A.]] All places {n}"})
                await anext(read(await stack.enter_async_context(stream)))
        before = (await own.audit_codes()).count("run.queued")
        told = [await people[0].post(path, {"prompt": "[[model: text=More.]]"}) for path in (STREAM, RUN)]
        assert {(answer.status, answer.error["code"]) for answer in told} == {(503, "unavailable")}
        assert all(int(answer.headers["retry-after"]) > 0 for answer in told)
        assert (await own.audit_codes()).count("run.queued") == before
    await own.mend()


async def test_whoever_is_signed_out_reads_no_further(own: World) -> None:
    """A stream that is open is broken off at the next sign of life; the run goes on."""
    await start_api(own, timings=IMPATIENT)
    mara = await client(own, MARA)
    await hold(own, "Goes on", times=-1)
    async with mara.opened("POST", STREAM, json={"prompt": "[[model: text=A.]] Goes on"}) as stream:
        lines = read(stream)
        begins = await anext(lines)
        await own.slack.post("/__act/user", {"user": MARA.user_id, "is_restricted": True})
        last = [line async for line in lines][-1]
    assert (last["type"], last.get("code"), last.get("runId")) == ("error", "not_allowed", begins["runId"]), last
    await own.slack.post("/__act/user", {"user": MARA.user_id, "is_restricted": False})
    await own.mend()


async def test_waiting_has_an_end_and_a_sign_of_life(own: World) -> None:
    """After its time the answer is a 504 with the run, which goes on; empty lines keep a stream alive."""
    await start_api(own, timings=IMPATIENT)
    dana = await client(own)
    await hold(own, "Takes long", times=-1)
    async with dana.opened("POST", STREAM, json={"prompt": "[[model: text=A.]] Takes long"}) as stream:
        run_id = json.loads(await stream.content.readline())["runId"]
        assert [await stream.content.readline() for _ in range(3)] == [b"\n"] * 3
        late = await dana.run("[[model: text=B.]] Takes long", key="late")
        assert (late.status, late.error["code"]) == (504, "still_working")
        still = await dana.run("[[model: text=B.]] Takes long", key="late")
        assert (still.status, still.error["runId"]) == (504, late.error["runId"])
        working = await dana.look(late.error["runId"])
        assert (working.status, "status" in working.body) == (202, False)
        record = await dana.post(f"/api/projects/{TEAM_ID}/agents/meeting_brief/trigger", {"meeting": "Takes long"})
        assert (record.status, record.body["status"]) == (202, "running")
        await own.mend()
        lines = [line async for line in read(stream)]
        assert lines[-1]["result"]["runId"] == run_id
    done = await own.until(
        lambda: dana.run("[[model: text=B.]] Takes long", key="late"), "the end", when=lambda told: told.status != 504
    )
    assert (done.status, done.body["runId"], done.body["summary"]) == (200, late.error["runId"], "B.")


async def test_the_process_leaves(own: World) -> None:
    """A 503 and an error line, each with the run that goes on, and says so; the next process ends it."""
    await start_api(own, timings=HURRIED)
    dana = await client(own)
    await hold(own, "As it leaves", times=-1)
    async with dana.opened("POST", STREAM, json={"prompt": "[[model: text=A.]] As it leaves"}) as stream:
        lines = read(stream)
        run_id = (await anext(lines))["runId"]
        posted = asyncio.create_task(dana.run("[[model: text=B.]] As it leaves"))
        await own.until(lambda: waiting_for(own, "As it leaves"), when=lambda number: number >= 2)
        await own.stop_bot()
        rest = [line async for line in lines]
    answer = await posted
    assert (answer.status, answer.error["code"]) == (503, "leaving")
    assert int(answer.headers["retry-after"]) > 0
    assert [(line["type"], line["runId"]) for line in rest] == [("error", run_id)]
    assert rest[0]["error"]
    await own.mend()
    await start_api(own, timings=HURRIED)
    again = await client(own)
    for left, text in ((run_id, "A."), (answer.error["runId"], "B.")):
        assert (await again.joined(left))[1][-1]["result"]["summary"] == text


async def test_a_person_may_ask_from_everywhere_and_an_address_not_too_fast(own: World) -> None:
    """An address has its rate, which counts also what nobody signed in for."""
    await start_api(own, timings=HURRIED, http_requests_per_minute=5)
    dana = await client(own)
    stranger = Client(dana.url, dana.http, "nobody")
    told = [await stranger.look("run_1") for _ in range(5)]
    told += [await dana.look("run_1")]
    assert [answer.status for answer in told] == [401] * 5 + [429]
    assert int(told[-1].headers["retry-after"]) > 0
