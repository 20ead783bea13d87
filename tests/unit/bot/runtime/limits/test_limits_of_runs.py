"""Limits of one run: the soft stop, its three endings, and the hard stop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.limits import GRACE, Guard, Limit, Limits
from bot.domain.runs import Run, RunState
from bot.llm import model
from bot.llm.model import CallingMode, ModelUnavailable, TextDelta
from bot.runtime.limits.cost import CostTracker
from bot.runtime.limits.loop_guard import circles
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import about_limits, to_people
from integrations.errors import ToolFailed
from policies.types import TrustLevel
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import FOUND, MODEL, Said

LOOK, SEND = ("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})
_MICROS_PER_TOKEN = 10


def pricing(name: str, usage: model.TurnUsage, now: datetime) -> int:
    """Ten millionths of a dollar for each token of the model that the runs ask; others are not asked."""
    assert name == MODEL
    del now
    return (usage.prompt_tokens + usage.output_tokens) * _MICROS_PER_TOKEN


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, costs=CostTracker(pricing=pricing)) as made:
        made.model.usage = model.TurnUsage(prompt_tokens=90, output_tokens=10)
        yield made


def only(**values: int) -> dict[str, Any]:
    """A run with these limits alone."""
    return {"limits": Limits(**values), "ceiling": Limits(**values)}


async def ended(here: Harness, run: Run, *says: Said) -> Run:
    here.model.says = list(says)
    await here.serve()
    return await here.run(run.id)


def paused(here: Harness) -> dict[str, Any]:
    """What the log says of the pause."""
    (row,) = here.base.rows("SELECT body FROM audit WHERE code = 'run.paused' ORDER BY id DESC LIMIT 1")
    return json.loads(row["body"])["details"]


MEASURED = [(Limit.STEPS, 1), (Limit.TOKENS, 100), (Limit.COST, 1_000)]


@pytest.mark.parametrize(("limit", "most"), MEASURED)
async def test_an_obeyed_stop_is_a_paused_run_with_the_models_summary(here: Harness, limit: Limit, most: int) -> None:
    """At a limit the model is asked once more, without tools and told which limit it was; its text is the summary."""
    run = await here.asked([LOOK], "I only looked.", **only(**{limit.value: most}))
    why = about_limits.reached(limit, run)
    assert (run.state, run.summary) == (RunState.PAUSED, f"{why}\n\nI only looked.")
    assert [request.calling_mode for request in here.model.requests] == [CallingMode.AUTO, CallingMode.NONE]
    assert why in here.model.requests[-1].contents[-1]
    assert (run.steps_taken, paused(here)["stop"]) == (1, "obeyed")
    assert "run.limit" in here.codes()


@pytest.mark.parametrize(("limit", "most"), MEASURED)
async def test_an_ignored_stop_executes_nothing(here: Harness, limit: Limit, most: int) -> None:
    """Calls after the soft stop are refused and written down; the summary is made from the rows."""
    run = await here.asked([LOOK], [SEND], **only(**{limit.value: most}))
    assert run.state is RunState.PAUSED
    assert run.summary.splitlines() == [about_limits.reached(limit, run), "• Do it: done"]
    assert here.effect.calls == []
    assert (paused(here)["stop"], here.codes().count("action.after_stop")) == ("ignored", 1)


async def test_a_missed_stop_needs_no_model(here: Harness) -> None:
    """When the model fails at its last word the run is paused all the same, with what was done."""
    run = await here.asked([SEND], ModelUnavailable("network"), **only(steps=1))
    assert (run.state, run.summary.splitlines()[1]) == (RunState.PAUSED, "• Did it")
    assert paused(here)["stop"] == "missed"


async def test_the_stop_outlives_a_crash(here: Harness) -> None:
    """The soft stop is a column: the next worker of the thread calls without tools again, and tells the model once."""
    run = await here.request(**only(steps=1))
    here.model.says = [[LOOK]]
    here.model.hold = asyncio.Event()
    here.model.hold.set()
    serving = asyncio.create_task(here.serve())
    while not here.model.requests:
        await asyncio.sleep(0)
    here.model.hold = asyncio.Event()
    while len(here.model.requests) < 2:
        await asyncio.sleep(0.005)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    here.model.hold = None
    after = await ended(here, run, "That was all.")
    assert after.state is RunState.PAUSED
    last = here.model.requests[-1]
    assert last.calling_mode is CallingMode.NONE
    assert sum("Tools are off" in content for content in last.contents) == 1


# Time -----------------------------------------------------------------------------------------------------------


async def answered_late(here: Harness, *says: Said) -> Run:
    """A run whose time limit is reached while its first call is under way, and what the model says then."""
    run = await here.request(**only(active_ms=10_000))
    here.model.hold = asyncio.Event()
    serving = asyncio.create_task(here.serve())
    await until_asked(here, 1)
    here.base.clock.advance(12)
    await until(here, run, "stopping")
    here.model.says = list(says)
    here.model.hold.set()
    await serving
    return await here.run(run.id)


async def until_asked(here: Harness, count: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(here.model.requests) < count:
            await asyncio.sleep(0.005)


async def until(here: Harness, run: Run, column: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while getattr(await here.run(run.id), column) is None:
            await asyncio.sleep(0.005)


async def test_at_the_time_limit_a_call_under_way_may_finish(here: Harness) -> None:
    """The tools go off at the limit; what the model answers within the grace is the summary of a paused run."""
    after = await answered_late(here, "As far as I came.")
    why = "I worked on this for 10 seconds, which is the limit for one request, and stopped here."
    assert after.summary == f"{why}\n\nAs far as I came."
    assert (after.state, paused(here)["stop"]) == (RunState.PAUSED, "obeyed")


async def test_calls_of_a_call_under_way_are_refused_and_the_last_word_is_asked(here: Harness) -> None:
    """Calls that come after the time limit are not executed; the model then learns of the stop and may say a word."""
    after = await answered_late(here, [SEND], "Nothing was sent.")
    assert (after.state, after.summary.splitlines()[-1]) == (RunState.PAUSED, "Nothing was sent.")
    assert here.effect.calls == []
    assert [request.calling_mode for request in here.model.requests] == [CallingMode.AUTO, CallingMode.NONE]
    assert "action.after_stop" in here.codes()


async def test_what_runs_when_the_grace_is_over_is_cut(here: Harness) -> None:
    """Thirty seconds after the limit the model is not waited for any more: a hard stop, and the draft is kept."""
    run = await here.request(**only(active_ms=10_000))
    here.model.before = [TextDelta("I was about to")]
    here.model.hold_after = asyncio.Event()
    serving = asyncio.create_task(here.serve())
    await until_asked(here, 1)
    here.base.clock.advance(12)
    await until(here, run, "stopping")
    here.base.clock.advance(GRACE.total_seconds())
    await serving
    after = await here.run(run.id)
    assert (after.state, after.partial) == (RunState.PAUSED, "I was about to")
    assert after.hard_stop == after.stopping
    assert paused(here)["stop"] == "missed"
    assert after.active_ms >= 40_000


async def test_an_effect_under_way_is_not_cut_by_the_limit(here: Harness) -> None:
    """A hard stop lets what executes end, begins nothing more, and pauses behind it."""
    action = await here.standing(here.effect, ActionState.APPROVED)
    async with here.base.store.write() as work:
        await work.users.set_level(action.team, action.user, "autonomous")
        await work.runs.change(action.run_id, **only(active_ms=10_000))
    here.effect.busy = asyncio.Event()
    serving = asyncio.create_task(here.serve())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not here.effect.calls:
            await asyncio.sleep(0.005)
    run = await here.run(action.run_id)
    here.base.clock.advance(12)
    await until(here, run, "stopping")
    here.base.clock.advance(30)
    await until(here, run, "hard_stop")
    assert (await here.run(run.id)).state is RunState.EXECUTING
    here.effect.busy.set()
    await serving
    assert (await here.run(run.id)).state is RunState.PAUSED
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert here.model.requests == []


async def test_waiting_for_people_is_no_working_time(here: Harness) -> None:
    """A card that waits for hours costs nothing of the time limit, though the run lasts that long."""
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED, **only(active_ms=10_000))
    assert (run.state, run.active_since) == (RunState.AWAITING, None)
    here.base.clock.advance(7_200)
    async with here.transactions.write() as tx:
        await cancel(tx, run, by=run.user)
    after = await here.run(run.id)
    assert after.duration_ms is not None
    assert (after.active_ms, after.duration_ms >= 7_200_000) == (run.active_ms, True)
    assert after.completed_at == here.base.clock.now()


async def test_time_in_which_nobody_works_does_not_count(here: Harness) -> None:
    """While no process serves the thread its runs do not grow older: the clock begins with the lease."""
    since = here.base.clock.now()
    run = await here.request(state=RunState.PLANNING, active_ms=3_000, active_since=since, **only(active_ms=10_000))
    here.base.clock.advance(3_600)
    after = await ended(here, run, "Done.")
    assert after.state is RunState.COMPLETED
    assert 3_000 <= after.active_ms <= 6_000


# Loops ----------------------------------------------------------------------------------------------------------


async def test_the_third_identical_call_is_answered_with_an_error_over_steps(here: Harness) -> None:
    """Two run, the third is refused with words, another call resets the count, and the run goes on."""
    other = ("gmail_search", {"text": "else"})
    run = await here.asked([LOOK], [LOOK], [LOOK], [other], [LOOK], "Done.", **only(steps=9))
    assert run.state is RunState.COMPLETED
    assert (len(here.read.calls), here.codes().count("action.same_again")) == (4, 1)


async def test_the_fifth_identical_call_ends_the_run(here: Harness) -> None:
    """Whatever the calls returned, errors and invalid arguments too, the fifth in a row ends the run as failed."""
    here.read.outcomes = [ToolFailed("down", "It is down."), FOUND]
    run = await here.asked(*[[LOOK]] * 5, **only(steps=9))
    assert (run.state, run.error.splitlines()[0], len(here.read.calls)) == (RunState.FAILED, to_people.DOOM_LOOP, 2)


async def test_the_guards_go_by_what_is_set(here: Harness) -> None:
    """Of two calls of a step one is executed; the second identical call is refused, the third ends the run."""
    guard = Guard(calls=1, refused_at=2, failed_at=3)
    here.runner = replace(here.runner, loop=replace(here.runner.loop, guard=guard))
    other = ("gmail_search", {"text": "else"})
    run = await here.asked([LOOK, other], [other], [other], **only(steps=9))
    codes = here.codes()
    assert (run.state, run.error.splitlines()[0]) == (RunState.FAILED, to_people.DOOM_LOOP)
    assert (len(here.read.calls), codes.count("action.too_many"), codes.count("action.same_again")) == (1, 1, 1)


async def test_invalid_calls_are_counted_in_whatever_order_their_names_stand(here: Harness) -> None:
    """Five times the same invalid arguments end the run, in one step too."""
    wrong, turned = ("gmail_search", {"b": 1, "a": 2}), ("gmail_search", {"a": 2, "b": 1})
    run = await here.asked([wrong, turned, LOOK, wrong, turned], [wrong, turned, wrong, LOOK], **only(steps=9))
    assert (run.state, run.error.splitlines()[0]) == (RunState.FAILED, to_people.DOOM_LOOP)


async def test_calls_that_go_round_are_only_hinted_at(here: Harness) -> None:
    """Two calls in turn, three rounds with the same results: the model is told, every call runs, nothing ends."""
    other = ("gmail_search", {"text": "else"})
    run = await here.asked([LOOK], [other], [LOOK], [other], [LOOK], [other], "Enough.", **only(steps=9))
    assert (run.state, len(here.read.calls)) == (RunState.COMPLETED, 6)
    hinted = [about_limits.CIRCLE in "".join(request.contents) for request in here.model.requests]
    assert hinted == [False] * 6 + [True]


def test_circles_have_two_to_four_calls_and_three_rounds() -> None:
    """Fewer rounds, longer circles, standing still and other results are none."""
    assert [circles(list(calls)) for calls in ("ababab", "abcabcabc", "abcdabcdabcd", "xxababab")] == [True] * 4
    assert [circles(list(calls)) for calls in ("abab", "aaaaaa", "abababx", "abcdeabcdeabcde")] == [False] * 4
