"""The HTTP API where the process dies or leaves, and with three replicas: each request is done once, and told."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import aiohttp
import pytest

from playground.google.oauth.service_account import PROJECT
from playground.people import DANA
from tests.acceptance.http_side import MODEL, STREAM, Answer, Client, Json, cookie_of, read
from tests.acceptance.mortal import QUICK, BotProcesses, Mortal
from tests.acceptance.slack_side import HELEN, send_mail
from tests.acceptance.world import APPROVE, World, text_of
from tests.postgres import PostgresServer
from tests.replicas import HASTY, Replicas, replicas

pytestmark = pytest.mark.chaos
"""They kill bots, and take a while: `make chaos` plays them."""

DM = "D0DANA"

PATIENT = {"tool_seconds": 15.0}
"""What else runs on the machine may slow the bots down; what a tool may not take makes no difference here."""


async def variables(here: World, folder: Path) -> dict[str, str]:
    """What a bot of another process needs for the HTTP API."""
    key_file = folder / "firebase.json"
    key_file.touch(mode=0o600)
    key_file.write_text(json.dumps(await here.google.get("/__admin/service_account")), encoding="utf-8")
    return {
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_SERVICE_ACCOUNT_FILE": str(key_file),
        "FIREBASE_CERTS_URL": f"{here.google.url}/identitytoolkit/v3/relyingparty/publicKeys",
        "FIREBASE_API_URL": here.google.url,
    }


@pytest.fixture
async def mortal(idle_world: World, tmp_path: Path, bot_processes: BotProcesses) -> AsyncGenerator[Mortal]:
    given = await variables(idle_world, tmp_path)
    made = Mortal(
        idle_world, tmp_path, bot_processes, variables=given, timings={**QUICK, "lease_seconds": 3.0, **PATIENT}
    )
    try:
        yield made
    finally:
        await made.stop()


async def dana_at(mortal: Mortal) -> Client:
    """Dana at the bot that was born last."""
    lines = (mortal.folder / f"bot-{mortal.births}.log").read_text(encoding="utf-8").splitlines()
    url = next(json.loads(line)["url"] for line in lines if line.startswith('{"ready"'))
    return Client(url, mortal.here.slack.http, await cookie_of(mortal.here))


async def asked_of(who: Client, prompt: str, key: str) -> Answer:
    """Sent again for as long as the bot says that it can do nothing just now, as it tells people to."""
    while (answer := await who.run(prompt, key=key)).status == 503:
        await asyncio.sleep(0.2)
    return answer


async def over(here: World, who: Client, run_id: str, status: str = "completed") -> Answer:
    return await here.until(lambda: who.look(run_id), status, when=lambda now: now.body.get("status") == status)


async def test_killed_in_the_middle_of_a_stream(mortal: Mortal) -> None:
    """Who joins the next process learns the whole of it: begun anew, and one result."""
    await mortal.start()
    dana = await dana_at(mortal)
    await mortal.here.gemini.fault("hang_midstream", after=20, seconds=20)
    lines: list[Json] = []
    async with dana.opened("POST", STREAM, json={"prompt": "[[model: long=2000]]"}) as answer:
        coming = read(answer)
        while not any(line["type"] == "delta" for line in lines):
            lines.append(await anext(coming))
        await mortal.kill()
        with contextlib.suppress(aiohttp.ClientError):
            lines += [line async for line in coming]
    assert not [line for line in lines if line["type"] in {"result", "error"}]
    await mortal.start()
    again = await dana_at(mortal)
    run_id = lines[0]["runId"]
    _, rest = await again.joined(run_id, len(lines))
    assert [line["type"] for line in rest].count("result") == 1
    assert (rest[0]["type"], rest[-1]["result"]["status"]) == ("status", "completed")
    begun = len(rest) - 1 - [line["type"] for line in rest][::-1].index("status")
    said = "".join(line["delta"] for line in rest[begun:] if line["type"] == "delta")
    assert said.strip() in {"", rest[-1]["result"]["summary"].strip()}
    assert (await again.look(run_id)).body == rest[-1]["result"]


async def test_killed_between_the_prompt_and_the_click(mortal: Mortal) -> None:
    """The card outlives the process, the key as well: one run, one mail, and `GET` tells."""
    await mortal.start()
    prompt = send_mail(HELEN, "Outlives")
    asked = (await asked_of(await dana_at(mortal), prompt, "outlives")).body
    assert asked["status"] == "awaiting_confirmation"
    (card,) = await mortal.here.card_in(DM)
    await mortal.restart()
    dana = await dana_at(mortal)
    waiting = (await asked_of(dana, prompt, "outlives")).body
    assert (waiting["runId"], waiting["approval"]["id"]) == (asked["runId"], asked["approval"]["id"])
    await mortal.here.click(DANA, card, APPROVE)
    await mortal.restart()
    dana = await dana_at(mortal)
    done = (await over(mortal.here, dana, asked["runId"])).body
    assert done["mode"] == "tool_executed"
    assert done["summary"]
    assert (await asked_of(dana, prompt, "outlives")).body == done
    assert len(await mortal.here.sent(DANA)) == 1
    await mortal.at_rest()
    assert not (await mortal.verified()).problems


async def test_three_replicas(tmp_path: Path, postgres: PostgresServer, bot_processes: BotProcesses) -> None:
    """Asked at one, clicked at whichever, looked at and followed at the others: one mail, one run for a key."""
    async with replicas(tmp_path, postgres, bot_processes, count=0, timings={**HASTY, **PATIENT}) as made:
        made.more = await variables(made.here, tmp_path)
        await made.start_all(3)
        cookie = await cookie_of(made.here)
        people = [Client(made.url_of(n), made.here.slack.http, cookie) for n in range(3)]
        await _done_once(made, people)
        await _followed_elsewhere(made, people)
        await made.at_rest()
        assert not (await made.verified()).problems


async def _done_once(made: Replicas, people: list[Client]) -> None:
    prompt = send_mail(HELEN, "Everywhere")
    told = await asyncio.gather(*(asked_of(who, prompt, "everywhere") for who in people))
    assert {answer.status for answer in told} == {200}, [answer.body for answer in told]
    (run_id,) = {answer.body["runId"] for answer in told}
    assert {answer.body["status"] for answer in told} == {"awaiting_confirmation"}
    card = await made.here.message(DM, lambda m: "Everywhere" in text_of(m), "the card")
    following = asyncio.create_task(people[1].joined(run_id))
    assert (await following)[1][-1]["result"]["approval"]["id"]
    await made.here.click(DANA, card, APPROVE)
    for who in people:
        done = (await over(made.here, who, run_id)).body
        assert (done["mode"], done["tool"]) == ("tool_executed", "gmail_send")
    assert [mail["subject"] for mail in await made.here.sent(DANA)] == ["Everywhere"]


async def _followed_elsewhere(made: Replicas, people: list[Client]) -> None:
    """A stream at a replica that does not serve the run has its calls and its result."""
    await made.here.gemini.fault("hold", path=MODEL, contains="Elsewhere", seconds=20)
    prompt = '[[call: gmail_search {"query": "in:inbox"}]] Elsewhere'
    async with people[0].opened("POST", STREAM, json={"prompt": prompt}) as answer:
        coming = read(answer)
        run_id = (await anext(coming))["runId"]
        joined = [asyncio.create_task(who.joined(run_id)) for who in people[1:]]
        await made.here.until(made.here.gemini.no_fault, "the model to be asked")
        await made.here.mend()
        lines = [line async for line in coming]
    for _, theirs in await asyncio.gather(*joined):
        assert theirs[-1] == lines[-1]
        assert [line for line in theirs if line["type"] == "tool_call"] == [
            line for line in lines if line["type"] == "tool_call"
        ]
