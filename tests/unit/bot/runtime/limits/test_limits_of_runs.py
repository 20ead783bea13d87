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
from bot.llm.model import ModelUnavailable, TextDelta
from bot.runtime.limits.cost import CostTracker
from bot.runtime.limits.loop_guard import circles
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import about_limits, to_people
from integrations.errors import ToolFailed
from policies.types import TrustLevel
from tests.unit.bot.runtime.runtime_harness import House, house
from tests.unit.bot.runtime.scripted import FOUND, Said

LOOK, SEND = ("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})
_MICROS_PER_TOKEN = 10


def pricing(usage: model.Usage, now: datetime) -> int:
    """Ten millionths of a dollar for each token."""
    del now
    return (usage.prompt_tokens + usage.output_tokens) * _MICROS_PER_TOKEN


@pytest.fixture
async def home(tmp_path: Path) -> AsyncGenerator[House]:
    async with house(tmp_path, costs=CostTracker(pricing=pricing)) as made:
        made.model.usage = model.Usage(prompt_tokens=90, output_tokens=10)
        yield made


def only(**values: int) -> dict[str, Any]:
    """A run with these limits alone."""
    return {"limits": Limits(**values), "ceiling": Limits(**values)}


async def ended(home: House, run: Run, *says: Said) -> Run:
    home.model.says = list(says)
    await home.serve()
    return await home.run(run.id)


def paused(home: House) -> dict[str, Any]:
    """What the log says of the pause."""
    (row,) = home.base.rows("SELECT body FROM audit WHERE code = 'run.paused' ORDER BY id DESC LIMIT 1")
    return json.loads(row["body"])["details"]


MEASURED = [(Limit.STEPS, 1), (Limit.TOKENS, 100), (Limit.COST, 1_000)]


@pytest.mark.parametrize(("limit", "most"), MEASURED)
async def test_an_obeyed_stop_is_a_paused_run_with_the_models_summary(home: House, limit: Limit, most: int) -> None:
    """At a limit the model is asked once more, without tools and told which limit it was; its text is the summary."""
    run = await home.asked([LOOK], "I only looked.", **only(**{limit.value: most}))
    why = about_limits.reached(limit, run)
    assert (run.state, run.summary) == (RunState.PAUSED, f"{why}\n\nI only looked.")
    assert [request.tools_off for request in home.model.requests] == [False, True]
    assert why in home.model.requests[-1].contents[-1]
    assert (run.steps_taken, paused(home)["stop"]) == (1, "obeyed")
    assert "run.limit" in home.codes()


@pytest.mark.parametrize(("limit", "most"), MEASURED)
async def test_an_ignored_stop_executes_nothing(home: House, limit: Limit, most: int) -> None:
    """Calls after the soft stop are refused and written down; the summary is made from the rows."""
    run = await home.asked([LOOK], [SEND], **only(**{limit.value: most}))
    assert run.state is RunState.PAUSED
    assert run.summary.splitlines() == [about_limits.reached(limit, run), "• Do it: done"]
    assert home.effect.calls == []
    assert (paused(home)["stop"], home.codes().count("action.after_stop")) == ("ignored", 1)


async def test_a_missed_stop_needs_no_model(home: House) -> None:
    """When the model fails at its last word the run is paused all the same, with what was done."""
    run = await home.asked([SEND], ModelUnavailable("network"), **only(steps=1))
    assert (run.state, run.summary.splitlines()[1]) == (RunState.PAUSED, "• Do it: done")
    assert paused(home)["stop"] == "missed"


async def test_the_stop_outlives_a_crash(home: House) -> None:
    """The soft stop is a column: the next worker of the thread calls without tools again, and tells the model once."""
    run = await home.request(**only(steps=1))
    home.model.says = [[LOOK]]
    home.model.hold = asyncio.Event()
    home.model.hold.set()
    serving = asyncio.create_task(home.serve())
    while not home.model.requests:
        await asyncio.sleep(0)
    home.model.hold = asyncio.Event()
    while len(home.model.requests) < 2:
        await asyncio.sleep(0.005)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    home.model.hold = None
    after = await ended(home, run, "That was all.")
    assert after.state is RunState.PAUSED
    last = home.model.requests[-1]
    assert last.tools_off
    assert sum("Tools are off" in content for content in last.contents) == 1


# Time -----------------------------------------------------------------------------------------------------------


async def answered_late(home: House, *says: Said) -> Run:
    """A run whose time limit is reached while its first call is under way, and what the model says then."""
    run = await home.request(**only(active_ms=10_000))
    home.model.hold = asyncio.Event()
    serving = asyncio.create_task(home.serve())
    await until_asked(home, 1)
    home.base.clock.advance(12)
    await until(home, run, "stopping")
    home.model.says = list(says)
    home.model.hold.set()
    await serving
    return await home.run(run.id)


async def until_asked(home: House, count: int) -> None:
    async with asyncio.timeout(5):
        while len(home.model.requests) < count:
            await asyncio.sleep(0.005)


async def until(home: House, run: Run, column: str) -> None:
    async with asyncio.timeout(5):
        while getattr(await home.run(run.id), column) is None:
            await asyncio.sleep(0.005)


async def test_at_the_time_limit_a_call_under_way_may_finish(home: House) -> None:
    """The tools go off at the limit; what the model answers within the grace is the summary of a paused run."""
    after = await answered_late(home, "As far as I came.")
    why = "I worked on this for 10 seconds, which is the limit for one request, and stopped here."
    assert after.summary == f"{why}\n\nAs far as I came."
    assert (after.state, paused(home)["stop"]) == (RunState.PAUSED, "obeyed")


async def test_calls_of_a_call_under_way_are_refused_and_the_last_word_is_asked(home: House) -> None:
    """Calls that come after the time limit are not executed; the model then learns of the stop and may say a word."""
    after = await answered_late(home, [SEND], "Nothing was sent.")
    assert (after.state, after.summary.splitlines()[-1]) == (RunState.PAUSED, "Nothing was sent.")
    assert home.effect.calls == []
    assert [request.tools_off for request in home.model.requests] == [False, True]
    assert "action.after_stop" in home.codes()


async def test_what_runs_when_the_grace_is_over_is_cut(home: House) -> None:
    """Thirty seconds after the limit the model is not waited for any more: a hard stop, and the draft is kept."""
    run = await home.request(**only(active_ms=10_000))
    home.model.before = [TextDelta("I was about to")]
    home.model.hold_after = asyncio.Event()
    serving = asyncio.create_task(home.serve())
    await until_asked(home, 1)
    home.base.clock.advance(12)
    await until(home, run, "stopping")
    home.base.clock.advance(GRACE.total_seconds())
    await serving
    after = await home.run(run.id)
    assert (after.state, after.partial) == (RunState.PAUSED, "I was about to")
    assert after.hard_stop == after.stopping
    assert paused(home)["stop"] == "missed"
    assert after.active_ms >= 40_000


async def test_an_effect_under_way_is_not_cut_by_the_limit(home: House) -> None:
    """A hard stop lets what executes end, begins nothing more, and pauses behind it."""
    action = await home.standing(home.effect, ActionState.APPROVED)
    async with home.base.store.write() as work:
        await work.users.set_level(action.team, action.user, "autonomous")
        await work.runs.change(action.run_id, **only(active_ms=10_000))
    home.effect.busy = asyncio.Event()
    serving = asyncio.create_task(home.serve())
    async with asyncio.timeout(5):
        while not home.effect.calls:
            await asyncio.sleep(0.005)
    run = await home.run(action.run_id)
    home.base.clock.advance(12)
    await until(home, run, "stopping")
    home.base.clock.advance(30)
    await until(home, run, "hard_stop")
    assert (await home.run(run.id)).state is RunState.EXECUTING
    home.effect.busy.set()
    await serving
    assert (await home.run(run.id)).state is RunState.PAUSED
    assert (await home.action(action)).state is ActionState.COMPLETED
    assert home.model.requests == []


async def test_waiting_for_people_is_no_working_time(home: House) -> None:
    """A card that waits for hours costs nothing of the time limit, though the run lasts that long."""
    run = await home.asked([SEND], level=TrustLevel.SUPERVISED, **only(active_ms=10_000))
    assert (run.state, run.active_since) == (RunState.AWAITING, None)
    home.base.clock.advance(7_200)
    async with home.transactions.write() as tx:
        await cancel(tx, run, by=run.user)
    after = await home.run(run.id)
    assert after.duration_ms is not None
    assert (after.active_ms, after.duration_ms >= 7_200_000) == (run.active_ms, True)
    assert after.completed_at == home.base.clock.now()


async def test_time_in_which_nobody_works_does_not_count(home: House) -> None:
    """While no process serves the thread its runs do not grow older: the clock begins with the lease."""
    since = home.base.clock.now()
    run = await home.request(state=RunState.PLANNING, active_ms=3_000, active_since=since, **only(active_ms=10_000))
    home.base.clock.advance(3_600)
    after = await ended(home, run, "Done.")
    assert after.state is RunState.COMPLETED
    assert 3_000 <= after.active_ms <= 6_000


# Loops ----------------------------------------------------------------------------------------------------------


async def test_the_third_identical_call_is_answered_with_an_error_over_steps(home: House) -> None:
    """Two run, the third is refused with words, another call resets the count, and the run goes on."""
    other = ("gmail_search", {"text": "else"})
    run = await home.asked([LOOK], [LOOK], [LOOK], [other], [LOOK], "Done.", **only(steps=9))
    assert run.state is RunState.COMPLETED
    assert (len(home.read.calls), home.codes().count("action.same_again")) == (4, 1)


async def test_the_fifth_identical_call_ends_the_run(home: House) -> None:
    """Whatever the calls returned, errors and invalid arguments too, the fifth in a row ends the run as failed."""
    home.read.outcomes = [ToolFailed("down", "It is down."), FOUND]
    run = await home.asked(*[[LOOK]] * 5, **only(steps=9))
    assert (run.state, run.error.splitlines()[0], len(home.read.calls)) == (RunState.FAILED, to_people.DOOM_LOOP, 2)


async def test_the_guards_go_by_what_is_set(home: House) -> None:
    """Of two calls of a step one is executed; the second identical call is refused, the third ends the run."""
    guard = Guard(calls=1, refused_at=2, failed_at=3)
    home.runner = replace(home.runner, loop=replace(home.runner.loop, guard=guard))
    other = ("gmail_search", {"text": "else"})
    run = await home.asked([LOOK, other], [other], [other], **only(steps=9))
    codes = home.codes()
    assert (run.state, run.error.splitlines()[0]) == (RunState.FAILED, to_people.DOOM_LOOP)
    assert (len(home.read.calls), codes.count("action.too_many"), codes.count("action.same_again")) == (1, 1, 1)


async def test_invalid_calls_are_counted_in_whatever_order_their_names_stand(home: House) -> None:
    """Five times the same invalid arguments end the run, in one step too."""
    wrong, turned = ("gmail_search", {"b": 1, "a": 2}), ("gmail_search", {"a": 2, "b": 1})
    run = await home.asked([wrong, turned, LOOK, wrong, turned], [wrong, turned, wrong, LOOK], **only(steps=9))
    assert (run.state, run.error.splitlines()[0]) == (RunState.FAILED, to_people.DOOM_LOOP)


async def test_calls_that_go_round_are_only_hinted_at(home: House) -> None:
    """Two calls in turn, three rounds with the same results: the model is told, every call runs, nothing ends."""
    other = ("gmail_search", {"text": "else"})
    run = await home.asked([LOOK], [other], [LOOK], [other], [LOOK], [other], "Enough.", **only(steps=9))
    assert (run.state, len(home.read.calls)) == (RunState.COMPLETED, 6)
    hinted = [about_limits.CIRCLE in "".join(request.contents) for request in home.model.requests]
    assert hinted == [False] * 6 + [True]


def test_circles_have_two_to_four_calls_and_three_rounds() -> None:
    """Fewer rounds, longer circles, standing still and other results are none."""
    assert [circles(list(calls)) for calls in ("ababab", "abcabcabc", "abcdabcdabcd", "xxababab")] == [True] * 4
    assert [circles(list(calls)) for calls in ("abab", "aaaaaa", "abababx", "abcdeabcdeabcde")] == [False] * 4
