"""What a flow's author sets for a step wins over the definition of whoever takes it; what the request has left wins
over both, and no model sets any of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agents.definition import Definition
from bot.domain.limits import Limits, SpawnLimits
from bot.domain.runs import Run, RunState
from bot.runtime.limits.of_agents import limits_of_child, limits_of_request, spawn_of_step
from bot.runtime.runs import resume
from policies.types import Decision, Rule, RuleAuthor
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.flows.test_progress import (
    BRIEF,
    BRIEFED,
    LINE,
    LOOK,
    ROUNDS,
    asked,
    below,
    clicked,
    defined,
    of_flow,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness, until
from tests.unit.bot.runtime.scripted import Said

SET = LINE.replace('days: "${days}"}}', 'days: "${days}"}, timeout: 30m, max_steps: 3}').replace(
    "tools: [gmail_send]}", "tools: [gmail_send], max_steps: 5, timeout: 90}"
)
"""Its second step is another agent, and the third asks the model."""
HURRIED_BRIEF = BRIEF + "runConfig: {max_time_minutes: 1, max_turns: 2}\n"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[defined(SET), defined(HURRIED_BRIEF)], renew_seconds=0.02) as made:
        yield made


def minutes(number: float) -> int:
    return int(number * 60_000)


# Whose limits win -----------------------------------------------------------------------------------------------


def test_what_whoever_begins_it_sets_wins_over_the_definition() -> None:
    brief = defined(HURRIED_BRIEF)
    assert limits_of_child(brief, SpawnLimits()) == Limits(steps=2, active_ms=minutes(1))
    assert limits_of_child(brief, SpawnLimits(timeout=timedelta(hours=1))) == Limits(steps=2, active_ms=minutes(60))
    assert limits_of_child(brief, SpawnLimits(max_steps=9)) == Limits(steps=9, active_ms=minutes(1))
    assert limits_of_child(defined(BRIEF), SpawnLimits()) == Limits(steps=50)


def test_a_step_sets_its_own_and_whoever_began_the_flow_those_of_steps_that_ask_the_model() -> None:
    flow = defined(SET)
    assert [spawn_of_step(flow, place, Limits()) for place in range(3)] == [
        SpawnLimits(),
        SpawnLimits(timeout=timedelta(minutes=30), max_steps=3),
        SpawnLimits(timeout=timedelta(seconds=90), max_steps=5),
    ]
    assert [spawn_of_step(flow, place, Limits(steps=1)).max_steps for place in range(3)] == [1, 3, 1]
    rounds: Definition = defined(ROUNDS)
    assert spawn_of_step(rounds, 2, Limits()) == SpawnLimits()
    assert spawn_of_step(rounds, 2, Limits(steps=4)) == SpawnLimits(max_steps=4)


async def test_the_run_of_a_step_has_what_the_step_sets(here: Harness) -> None:
    run = await asked(here, "Two.", BRIEFED, "All in all, two.", of=SET)
    assert run.state is RunState.COMPLETED
    find, brief, sum_up = await below(here, run)
    assert find.limits == find.ceiling == Limits(steps=2)
    assert brief.limits == brief.ceiling == Limits(steps=3, active_ms=minutes(30))
    assert sum_up.limits == Limits(steps=5, active_ms=minutes(1.5))


async def test_what_an_operator_set_for_the_flow_wins_over_its_steps(here: Harness) -> None:
    most = limits_of_request(defined(SET), Limits(), SpawnLimits(max_steps=1))
    run = await asked(here, "Two.", BRIEFED, "All in all, two.", of=SET, limits=most, ceiling=most)
    assert [one.limits.steps for one in await below(here, run)] == [1, 3, 1]


async def test_a_step_that_a_card_asks_about_has_them_too(here: Harness) -> None:
    rule = Rule(id="r1", decision=Decision.ASK, by=RuleAuthor.OWNER, tool="meeting_brief")
    async with here.base.store.write() as work:
        await work.rules.add(TEAM, DANA, rule, at=here.base.clock.now())
    run = await asked(here, "Two.", of=SET)
    here.model.says = [BRIEFED, "Done."]
    await here.approve(run, serve=True)
    _, brief, _ = await below(here, run)
    assert brief.limits == Limits(steps=3, active_ms=minutes(30))


async def test_they_end_the_step_and_count_again_when_it_is_repeated(here: Harness) -> None:
    """Three steps instead of the two of its definition; the flow pauses with it, and Continue repeats it with three."""
    looks: list[Said] = [[("gmail_search", {"text": str(n)})] for n in range(3)]
    run = await asked(here, "Two.", *looks, [("complete_task", {"brief": {"points": ["one"]}})], of=SET)
    _, brief = await below(here, run)
    assert (run.state, brief.state, brief.steps_taken, brief.stop_code) == (
        RunState.PAUSED,
        RunState.PAUSED,
        3,
        "steps",
    )
    here.model.says = [BRIEFED, "Done."]
    await clicked(here, run, resume.continue_run)
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert [one.limits.steps for one in await below(here, run)] == [2, 3, 3, 5]


# What is left of the request ------------------------------------------------------------------------------------


async def test_the_time_that_the_request_has_left_wins_over_what_a_step_sets(here: Harness) -> None:
    """Thirty minutes for the step, and one for all: it stops when that is over, and is asked for what it has."""
    most = Limits(active_ms=minutes(1))
    run = await here.request(**await of_flow(here, SET, most=most))
    here.model.says, here.read.busy = ["Two.", LOOK, BRIEFED], asyncio.Event()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.read.calls)
    await passes(here, run, seconds=70)
    here.read.busy.set()
    await serving
    _, brief = await below(here, run)
    assert brief.limits.active_ms == minutes(30)
    assert (brief.state, brief.stop_code) == (RunState.PAUSED, "active_ms")
    assert brief.steps_taken < 3
    assert "1 minute" in (brief.stopping or "")
    ended = await here.run(run.id)
    assert (ended.state, ended.stop_code) == (RunState.PAUSED, "active_ms")


async def passes(here: Harness, run: Run, *, seconds: int) -> None:
    """So much time, each stretch of it written down for the request, until that is to stop."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        for _ in range(seconds // 10):
            here.base.clock.advance(10)
            while (now := await here.run(run.id)).active_since != here.base.clock.now() and now.stopping is None:
                await asyncio.sleep(0.01)


# No model -------------------------------------------------------------------------------------------------------


async def test_inputs_with_these_names_are_inputs(tmp_path: Path) -> None:
    """An agent may take a `timeout` and a `maxSteps` of its own, and they limit nothing."""
    named = HURRIED_BRIEF.replace(
        "    days:",
        "    timeout: {description: Theirs., type: integer, required: true}\n"
        "    maxSteps: {description: Theirs., type: integer, required: true}\n    days:",
    )
    async with harness(tmp_path, agents=[defined(named)]) as here:
        call: Said = [("meeting_brief", {"topic": "benches", "timeout": 36_000, "maxSteps": 500})]
        run = await here.asked(call, BRIEFED, "Done.")
        (brief,) = await below(here, run)
        assert brief.inputs == {"topic": "benches", "timeout": 36_000, "maxSteps": 500}
        assert brief.limits == brief.ceiling == Limits(steps=2, active_ms=minutes(1))
