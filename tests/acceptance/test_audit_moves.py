"""The log names every state that a run passed through, and who moved it."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest

from bot.domain.runs import RUN_MOVES, RunState
from bot.runtime.audit.verify import verified
from playground.people import DANA, JONAS, LUIS, MARA, PRIYA, Person
from tests.acceptance.request import Request, ask
from tests.acceptance.slack_side import act, call
from tests.acceptance.world import APPROVE, REJECT, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
Json = dict[str, Any]
MAIL = call("gmail_send", to=["helen.marsh@marshgardens.example"], subject="Hi", body="Hello")
SEARCH = call("gmail_search", query="in:inbox", limit=3)


async def log_of(request: Request) -> list[Json]:
    """The entries of this run, as their bytes tell."""
    run = await request.run()
    assert run is not None
    page = await request.here.read(lambda work: work.audit.page(after=0, limit=10_000))
    return [json.loads(entry.body) for entry in page if entry.scope == run.id]


async def path_of(request: Request) -> list[str]:
    """The states of the run, as the log tells them: each stretch begins where the one before ended."""
    path: list[str] = ["queued"]
    for states in [entry["details"]["run"] for entry in await log_of(request) if "run" in entry["details"]]:
        assert states[0] == path[-1]
        path += states[1:]
    for before, after in pairwise(path):
        assert RunState(after) in RUN_MOVES[RunState(before)]
    return path


def said_by(entries: list[Json], code: str) -> list[str]:
    return [entry["actor"] for entry in entries if entry["code"] == code]


async def card_of(here: World, person: Person, text: str) -> tuple[Request, Json]:
    request = await ask(here, person, text)
    return request, await request.card(APPROVE)


async def test_a_run_with_a_read_and_a_card(shared: World) -> None:
    """Planning, executing, waiting and the end all stand in the entries of the commits that did it; no entry of its
    own is needed for them.
    """
    request, card = await card_of(shared, DANA, f"{SEARCH} {MAIL}")
    await shared.click(DANA, card, APPROVE)
    await request.ended()
    path = await path_of(request)
    assert (path[:3], path[-2:]) == (["queued", "planning", "executing"], ["planning", "completed"])
    assert "awaiting_confirmation" in path
    assert "run.moved" not in await request.codes()
    (approved,) = [entry for entry in await log_of(request) if entry["code"] == "action.approved"]
    assert (approved["actor"], approved["details"]["run"]) == (DANA.user_id, ["awaiting_confirmation", "executing"])


async def test_a_stop_is_its_persons(shared: World) -> None:
    """Stopped while a card is open: asked and cancelled by the person; a rejection goes on by the agent."""
    request, _ = await card_of(shared, MARA, MAIL)
    await shared.say(MARA, "stop", channel=request.channel, thread_ts=request.root)
    await request.ended()
    entries = await log_of(request)
    for code in ("run.stop_asked", "action.cancelled", "run.cancelled"):
        assert said_by(entries, code) == [MARA.user_id]
    assert (await path_of(request))[-2:] == ["awaiting_confirmation", "cancelled"]
    request, card = await card_of(shared, MARA, MAIL)
    await shared.click(MARA, card, REJECT)
    await request.ended()
    assert said_by(await log_of(request), "run.completed") == ["agent"]


async def test_a_stop_is_its_persons_also_when_something_ends_first(shared: World) -> None:
    """Stopped while a read is under way: the run follows the read, and its end is the person's too."""
    await shared.google.fault("hold", path="/threads", seconds=30)
    request = await ask(shared, LUIS, SEARCH)
    await shared.until(shared.google.no_fault, "the read")
    await shared.say(LUIS, "stop", channel=request.channel, thread_ts=request.root)
    await shared.until(request.codes, "the stop", when=lambda codes: "run.stop_asked" in codes)
    await shared.google.mend()
    assert (await request.ended()).state is RunState.CANCELLED
    assert said_by(await log_of(request), "run.cancelled") == [LUIS.user_id]


async def test_a_deletion_is_nobodys_in_particular(shared: World) -> None:
    """An administrator may delete a colleague's message, and Slack does not say who it was: the log claims nothing."""
    request, _ = await card_of(shared, JONAS, MAIL)
    await act(shared, "delete", user=JONAS.user_id, channel=request.channel, ts=request.ts)
    await request.ended()
    entries = await log_of(request)
    assert said_by(entries, "run.request_deleted") == said_by(entries, "run.cancelled") == ["slack"]
    assert said_by(entries, "run.stop_asked") == []


async def test_an_unusable_turn_has_its_entry(shared: World) -> None:
    """A turn that is asked again moves nothing but the run: that has an entry of its own."""
    request = await ask(shared, PRIYA, "[[model: nothing_once]] hello")
    await request.ended()
    moved = [entry["details"]["run"] for entry in await log_of(request) if entry["code"] == "run.moved"]
    assert ["planning", "planning"] in moved
    await path_of(request)


async def test_the_log_of_all_this_verifies(shared: World) -> None:
    """After all that happened here nothing is found in the log, also while it is being sealed."""
    for _ in range(3):
        report = await verified(shared.base.store, shared.base.keyring)
        assert (report.problems, report.entries > 40) == ([], True)
        await asyncio.sleep(0.05)
