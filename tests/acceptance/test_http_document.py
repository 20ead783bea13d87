"""The API's own document, held against the routes: each status that it has for a route is reached here over a socket,
with its type, its headers and its schema. That no route answers otherwise is seen by every test (`http_side`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
import pytest_asyncio

from bot.api.agent.access import HttpAccess
from playground.google.firebase import LOOKUP
from playground.people import PRIYA, TEAM_ID, THEO
from tests.acceptance.http_side import (
    DOCUMENT,
    MODEL,
    Answer,
    Client,
    Json,
    client,
    hold,
    over,
    start_api,
)
from tests.acceptance.test_agents import CLERK, installed
from tests.acceptance.world import HURRIED, Opening, World
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")

LAME = CLERK.replace("name: clerk", "name: lame").replace("gmail_send", "mail_teleport")
LATER = "Much later"
"""What a prompt says of which the model is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A route as the document names it: its method, its template, and what is sent to it."""

    name: str
    method: str
    template: str
    statuses: frozenset[int]

    @property
    def body(self) -> Json | None:
        """One that it takes."""
        match self.name:
            case "run" | "stream":
                return {"prompt": "[[model: text=Done.]]"}
            case "trigger":
                return {"meeting": "delivery planning"}
            case _:
                return {} if self.method == "POST" else None

    def path(self, run_id: str, *, project: str = TEAM_ID, agent: str = "meeting_brief") -> str:
        """Where it is for this run, or this agent."""
        return self.template.format(runId=run_id, project=project, agent=agent)

    async def ask(self, who: Client, run_id: str = "run_0123", **more: Any) -> Answer:
        """Ask it for this run as this person, in the usual way but for `more`."""
        given: Json = {} if self.body is None else {"json": self.body}
        return await who.send(self.method, self.path(run_id), **(given | more))


OPERATIONS = [
    Operation(
        name=each["operationId"],
        method=method.upper(),
        template=template,
        statuses=frozenset(map(int, each["responses"])),
    )
    for template, methods in DOCUMENT["paths"].items()
    for method, each in methods.items()
]
BY_NAME = {each.name: each for each in OPERATIONS}


def operations_with(status: int) -> list[Operation]:
    """Those of which the document says that they answer with it."""
    return [each for each in OPERATIONS if status in each.statuses]


@pytest.fixture(scope="module")
def opening(tmp_path_factory: pytest.TempPathFactory) -> Opening:
    """With the HTTP API, and an agent that lacks a tool."""
    variables = installed(tmp_path_factory.mktemp("agents"), LAME)
    folders = {"agents_dir": variables["AGENTS_DIR"], "policies_dir": variables["POLICIES_DIR"]}

    async def start(here: World) -> None:
        await start_api(here, timings=HURRIED, agent_max_loop_steps=2, **folders)

    return start


@pytest_asyncio.fixture(loop_scope="module")
async def own(fresh_idle: World) -> World:
    """A bot of a test's own, not running yet."""
    return fresh_idle


def conforms(operation: Operation, answer: Answer) -> None:
    """Its type, its headers and its body are those that the document has for it."""
    told = DOCUMENT["paths"][operation.template][operation.method.lower()]["responses"][str(answer.status)]
    ((kind, content),) = told["content"].items()
    assert answer.headers["content-type"].partition(";")[0] == kind
    for name, header in told.get("headers", {}).items():
        value = answer.headers[name.lower()]
        jsonschema.validate(int(value) if header["schema"]["type"] == "integer" else value, header["schema"])
    if kind == "application/json":
        jsonschema.validate(answer.body, {**content["schema"], "components": DOCUMENT["components"]})
    else:
        lines = [json.loads(line) for line in answer.body["text"].splitlines() if line]
        assert lines[-1]["type"] in {"result", "error"}
        for line in lines:
            jsonschema.validate(line, {**content["x-itemSchema"], "components": DOCUMENT["components"]})


# What is asked for ---------------------------------------------------------------------------------------------------


async def _paused(who: Client) -> str:
    return (await who.run("[[model: never_stop]]")).body["runId"]


async def _failed(here: World, who: Client, prompt: str = "[[model: text=At last.]]") -> str:
    await here.gemini.fault("error", status=400, error="No.", path=MODEL)
    failed = (await who.run(prompt)).body
    assert failed["status"] == "failed"
    return failed["runId"]


async def _good(here: World, who: Client, asked: Operation) -> Answer:
    match asked.name:
        case "continue":
            return await asked.ask(who, await _paused(who))
        case "retry":
            return await asked.ask(who, await _failed(here, who))
        case _:
            return await asked.ask(who, (await who.run("[[model: text=Known.]]")).body["runId"])


async def _bad(here: World, who: Client, asked: Operation) -> Answer:
    if asked.name == "look":
        return await _raw(who, asked, "content-length: x")  # nothing else of it could be wrong
    if asked.name == "join":
        return await asked.ask(who, params={"after": "x"})
    return await asked.ask(who, json=["?"])


async def _raw(who: Client, asked: Operation, *more: str) -> Answer:
    """What is answered to a head as no client would send it."""
    address = urlsplit(who.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    headers = [f"{name}: {value}" for name, value in {"host": address.netloc, **who.headers}.items()]
    writer.write("\r\n".join([f"{asked.method} {asked.path('run_x')} HTTP/1.1", *headers, *more, "", ""]).encode())
    async with asyncio.timeout(PATIENCE_SECONDS):
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    first, *rest = head.split("\r\n")
    told = dict(line.split(": ", 1) for line in rest)
    return Answer.read(int(first.split()[1]), body, {name.lower(): value for name, value in told.items()})


async def _nobody(here: World, who: Client, asked: Operation) -> Answer:
    return await asked.ask(Client(who.url, who.http, ""))


async def _a_guest(here: World, who: Client, asked: Operation) -> Answer:
    return await asked.ask(await client(here, THEO))


async def _nothing(here: World, who: Client, asked: Operation) -> Answer:
    if asked.name in {"run", "stream"}:
        return await asked.ask(who, json={"prompt": "Hello", "threadId": "thr_0123"})
    if asked.name == "trigger":
        return await who.post(asked.path("", agent="no_such_agent"), {})
    return await asked.ask(who)


async def _another_method(here: World, who: Client, asked: Operation) -> Answer:
    return await replace(asked, method="PUT").ask(who)


async def _lacking(here: World, who: Client, asked: Operation) -> Answer:
    return await who.post(asked.path("", agent="lame"), {"order": "x"})


async def _too_long(here: World, who: Client, asked: Operation) -> Answer:
    return await _raw(who, asked, "content-type: application/json", "content-length: 1000001")


async def _no_json(here: World, who: Client, asked: Operation) -> Answer:
    return await asked.ask(who, json=None, headers={"content-type": "text/plain"}, data=b"{}")


async def _another_host(here: World, who: Client, asked: Operation) -> Answer:
    return await asked.ask(who, headers={"host": "evil.example"})


async def _used_key(here: World, who: Client, asked: Operation) -> Answer:
    assert (await who.run("[[model: text=Used.]]", key="used")).status == 200
    return await asked.ask(who, headers={"idempotency-key": "used"})


async def _broken(here: World, who: Client, asked: Operation) -> Answer:
    async def breaks(self: HttpAccess, request: object) -> object:
        raise RuntimeError("CANARY")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(HttpAccess, "person", breaks)
        return await asked.ask(who)


async def _unavailable(here: World, who: Client, asked: Operation) -> Answer:
    """Nobody can be asked whether the session still stands of somebody who was never seen here."""
    await here.google.fault("status", path=LOOKUP, status=503, times=-1)
    try:
        return await asked.ask(await client(here, PRIYA))
    finally:
        await here.google.mend()


WAYS: Mapping[int, Callable[[World, Client, Operation], Awaitable[Answer]]] = {
    200: _good,
    400: _bad,
    401: _nobody,
    403: _a_guest,
    404: _nothing,
    405: _another_method,
    409: _lacking,
    413: _too_long,
    415: _no_json,
    421: _another_host,
    422: _used_key,
    500: _broken,
    503: _unavailable,
}
OWN = {202, 429, 504}
"""For these a bot is in a hurry, or counts."""


async def test_each_status_of_the_document_is_reached_here() -> None:
    """What a route cannot answer does not stand there."""
    assert {status for each in OPERATIONS for status in each.statuses} == {*WAYS, *OWN}
    assert {each.name for each in operations_with(202)} == {"look", "trigger"}
    assert {each.name for each in operations_with(504)} == {"run", "continue", "retry"}
    assert {each.name for each in operations_with(409)} == {"trigger"}


@pytest.mark.parametrize(
    ("name", "status"), sorted((each.name, status) for each in OPERATIONS for status in each.statuses - OWN)
)
async def test_a_status_of_the_document(company: World, dana: Client, name: str, status: int) -> None:
    """The route answers so, in the form that the document has for it."""
    asked = BY_NAME[name]
    answer = await WAYS[status](company, dana, asked)
    assert answer.status == status, answer.body
    conforms(asked, answer)
    assert "CANARY" not in str(answer.body)


async def test_what_takes_long(own: World) -> None:
    """504 with the run where an answer is waited for, 202 where a record is, or where somebody only looks."""
    await start_api(own, timings=replace(HURRIED, answer_seconds=0.3), agent_max_loop_steps=2)
    dana = await client(own)
    paused = (await dana.run("[[model: never_stop]] Goes on")).body
    run_id = paused.get("runId") or paused["error"]["runId"]
    await own.until(lambda: dana.look(run_id), when=lambda now: now.body.get("output", {}).get("next") == "continue")
    await own.gemini.fault("error", status=400, error="No.", path=MODEL, contains="Fails first")
    failed = (await dana.run("[[model: text=At last.]] Fails first")).body
    failed_id = failed.get("runId") or failed["error"]["runId"]
    assert (await over(own, dana, failed_id)).body["output"]["next"] == "retry"
    for words in ("Goes on", "Fails first", LATER):
        await hold(own, words, times=-1)
    late = {
        "run": await dana.run(LATER),
        "continue": await BY_NAME["continue"].ask(dana, run_id),
        "retry": await BY_NAME["retry"].ask(dana, failed_id),
    }
    assert late.keys() == {each.name for each in operations_with(504)}
    for name, answer in late.items():
        assert (answer.status, answer.error["code"]) == (504, "still_working")
        conforms(BY_NAME[name], answer)
    still = {
        "look": await dana.look(late["run"].error["runId"]),
        "trigger": await BY_NAME["trigger"].ask(dana, json={"meeting": LATER}),
    }
    assert still.keys() == {each.name for each in operations_with(202)}
    for name, answer in still.items():
        assert answer.status == 202
        conforms(BY_NAME[name], answer)
    assert (still["look"].body.get("status"), still["trigger"].body["status"]) == (None, "running")
    await own.mend()


async def test_who_asks_too_often(own: World) -> None:
    """429 at each route, with when to come again."""
    await start_api(own, timings=HURRIED, http_requests_per_minute=1)
    dana = await client(own)
    assert (await dana.look("run_0123")).status == 404
    assert len(OPERATIONS) == len(operations_with(429))
    for each in OPERATIONS:
        answer = await each.ask(dana)
        assert (answer.status, answer.error["code"]) == (429, "too_fast")
        conforms(each, answer)
