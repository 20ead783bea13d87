"""The scenarios of the specification of agent execution, each by its name: what is given, and everything that follows.

The flows have a file of their own. An agent works for a person here, unless the scenario says that another calls it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.agents.definition import Definition
from bot.domain.actions import ActionState
from bot.domain.events import TextStreamed
from bot.domain.limits import GRACE, Limits, SpawnLimits
from bot.domain.runs import Run, RunState
from bot.domain.threads import Surface
from bot.llm.model import CallingMode, ModelUnavailable, TextDelta
from bot.runtime.agents.record import AgentRun, AgentRunStatus, agent_run
from bot.runtime.limits.of_agents import STEPS
from bot.runtime.runs.stop import stop
from bot.runtime.texts import to_people
from tests.builders import DANA
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.agents.test_requests import actions_of, asked, begun, catalog, serve
from tests.unit.bot.runtime.runs.test_delegating import GIVE, HAND_OVER, LOOK, SCOUT, child, defined, text_of
from tests.unit.bot.runtime.runtime_harness import Harness, harness, until
from tests.unit.bot.runtime.scripted import Said

SEARCHER = """
name: searcher
description: Finds what was said about a topic.
inputConfig: {inputs: {topic: {description: What it is about., type: string, required: true}}}
outputConfig: {outputName: text, description: What was found., schema: {type: string}}
promptConfig: {query: "Find ${topic}.", systemPrompt: "You find ${topic}."}
toolConfig: {tools: [gmail_search, calendar_search, gmail_send]}
modelConfig: {provider: gemini, name: gemini-2.5-flash-lite, temperature: 0.1}
flow_type: single
"""
IN_STEPS = """
  type: sequential
  steps:
    - {name: find, query: "Find ${topic}.", tools: [gmail_search]}
    - {name: sum_up, query: "Sum up: ${previous}"}
"""
BY_A_SUB_AGENT = """
  type: sequential
  steps:
    - {name: find, agent: meeting_brief, inputs: {topic: "${topic}"}, timeout: 5m}
"""
AGENT = defined(SEARCHER)
STEPWISE = defined(SEARCHER.replace("flow_type: single", f"flow:{IN_STEPS}"))
LIMITED = defined(f"{SEARCHER}max_steps: 2\n")
HURRIED = defined(f"{SEARCHER}default_timeout: 60s\n")
AGAIN: Said = [("gmail_search", {"text": "benches"})]


def looks(count: int) -> list[Said]:
    """So many different calls."""
    return [[("gmail_search", {"text": str(n)})] for n in range(count)]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[AGENT]) as made:
        yield made


@pytest.fixture
async def limited(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[LIMITED]) as made:
        yield made


@pytest.fixture
async def hurried(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[HURRIED], renew_seconds=0.02) as made:
        yield made


def given(*agents: Definition, **values: Any) -> dict[str, Any]:
    """A request to the one of these agents."""
    return {"agent": "searcher", "inputs": {"topic": "benches"}, "agents": catalog(*agents), **values}


async def run_of(here: Harness, *says: Said, **values: Any) -> Run:
    """The run of the agent for a person, at its end."""
    return await asked(here, *says, **(given(AGENT) | values))


async def record_of(here: Harness, run: Run) -> AgentRun:
    return agent_run(await here.run(run.id))


def has_ended(record: AgentRun) -> bool:
    """Whether the record says when it ended, and how long it took by the clock on the wall."""
    ended = record.completed_at
    return ended is not None and record.duration == (ended - record.created_at) / timedelta(seconds=1) > 0


# Agent Pipeline Construction --------------------------------------------------------------------------------------


async def test_single_flow_agent_execution(here: Harness) -> None:
    """Its model is asked as its definition says, with its tools, its system prompt and the input; its final text is the
    summary.
    """
    run = await run_of(here, LOOK, "Helen wrote about benches.")
    first, last = here.model.requests
    assert (first.model, first.parameters.temperature) == ("gemini-2.5-flash-lite", 0.1)
    assert [tool.name for tool in first.tools] == ["gmail_search", "calendar_search", "gmail_send", "complete_task"]
    assert first.instruction.startswith("You find benches.")
    assert [text_of(content) for content in first.contents] == ["Find benches."]
    assert len(here.read.calls) == 1
    assert len(last.contents) == 2  # the tool's result; the scripted model's own turns have no content
    assert (await record_of(here, run)).summary == "Helen wrote about benches."


async def children(here: Harness, run: Run) -> Sequence[Run]:
    """The runs that worked for this one, in their order."""
    async with here.base.store.read() as work:
        return sorted(await work.runs.below(run.id), key=lambda one: one.created_at)


async def test_sequential_flow_agent_execution(tmp_path: Path) -> None:
    """Several steps, in order; each is given what the one before returned, and the last one's text is the summary."""
    async with harness(tmp_path, agents=[STEPWISE]) as here:
        run = await run_of(here, LOOK, "Two benches.", "Two in all.", agents=catalog(STEPWISE))
        asked_for = [text_of(request.contents[0]) for request in here.model.requests]
        assert asked_for == ["Find benches.", "Find benches.", "Sum up: Two benches."]
        assert [one.state for one in await children(here, run)] == [RunState.COMPLETED] * 2
        record = await record_of(here, run)
        assert (record.status, record.summary) == (AgentRunStatus.COMPLETED, "Two in all.")


@pytest.mark.parametrize("most", [1, 3])
async def test_loop_flow_agent_execution(tmp_path: Path, most: int) -> None:
    """As often as the definition says, each time from what came of the time before."""
    in_rounds = defined(SEARCHER.replace("flow_type: single", f"flow: {{type: loop, max_iterations: {most}}}"))
    async with harness(tmp_path, agents=[in_rounds]) as here:
        run = await run_of(here, *(f"Draft {n}." for n in range(most)), agents=catalog(in_rounds))
        assert len(await children(here, run)) == most
        assert all(f"Draft {n}." in text_of(here.model.requests[n + 1].contents[0]) for n in range(most - 1))
        record = await record_of(here, run)
        assert (record.status, record.summary) == (AgentRunStatus.COMPLETED, f"Draft {most - 1}.")


# Agent Run Lifecycle Tracking -------------------------------------------------------------------------------------


async def test_successful_execution(here: Harness) -> None:
    run = await begun(here, **given(AGENT))
    before = await record_of(here, run)
    assert (before.status, before.started_at, before.completed_at, before.duration) == (
        AgentRunStatus.RUNNING,
        None,
        None,
        None,
    )
    assert (before.agent, before.definition, before.input) == ("searcher", run.definition, {"topic": "benches"})
    assert here.model.requests == []
    here.model.says = ["Helen wrote."]
    await serve(here, run)
    after = await record_of(here, run)
    assert (after.status, after.summary, after.output) == (AgentRunStatus.COMPLETED, "Helen wrote.", "Helen wrote.")
    assert (after.error_message, after.stop_reason, after.model) == ("", "", "gemini-2.5-flash-lite")
    assert after.completed_at == here.base.clock.now()
    assert has_ended(after)


async def test_failed_execution(here: Harness) -> None:
    """What it had written by then is kept, too."""
    here.model.before = [TextDelta("Helen wr")]
    record = await record_of(here, await run_of(here, ModelUnavailable("network")))
    assert record.status is AgentRunStatus.FAILED
    assert record.error_message.startswith(to_people.model_failed(ModelUnavailable("network"), Surface.SLACK))
    assert "> Helen wr" in record.summary
    assert has_ended(record)


async def test_cancelled_execution(here: Harness) -> None:
    """The call of the model is let go of, and what it had written stays."""
    run, heard = await begun(here, **given(AGENT)), list[object]()
    here.transactions.bus.attend(heard.append)
    here.model.before, here.model.hold_after = [TextDelta("Helen wrote a")], asyncio.Event()
    serving = asyncio.create_task(serve(here, run))
    await until(lambda: TextStreamed(run.id, "Helen wrote a") in heard)
    async with here.transactions.write() as tx:
        await stop(tx, run, by=DANA)
    await serving
    record = await record_of(here, run)
    assert record.status is AgentRunStatus.CANCELLED
    assert record.summary.startswith(to_people.STOPPED)
    assert "> Helen wrote a" in record.summary
    assert has_ended(record)


# Step Limit Enforcement -------------------------------------------------------------------------------------------


async def test_sub_agent_default_step_limit(tmp_path: Path) -> None:
    """Fifty: after as many it is told to stop."""
    async with harness(tmp_path, agents=[defined(SCOUT.replace("runConfig: {max_turns: 4}", ""))]) as here:
        run = await here.asked(GIVE, *looks(50), "Enough.", "Done.", limits=Limits())
        scout = await child(here, run)
        assert (scout.limits.steps, STEPS) == (50, 50)
        assert (scout.steps_taken, scout.stop_code, scout.state) == (50, "steps", RunState.PAUSED)


async def test_top_level_agent_unlimited_steps(here: Harness) -> None:
    """No number in its definition: neither the fifty of sub-agents nor the eight of requests end it."""
    run = await run_of(here, *looks(60), "At last.")
    assert run.limits.steps is None
    assert (run.state, run.summary, run.steps_taken) == (RunState.COMPLETED, "At last.", 61)


async def test_soft_stop_at_step_limit(limited: Harness) -> None:
    run = await run_of(limited, *looks(2), "I looked twice.", agents=catalog(LIMITED))
    *_, last = limited.model.requests
    assert len(limited.model.requests) == 3
    assert "Tools are off. Answer with your result as far as it goes" in text_of(last.contents[-1])
    assert last.calling_mode is CallingMode.NONE
    record = await record_of(limited, run)
    assert (record.status, record.stop_reason) == (AgentRunStatus.PAUSED, "steps")
    assert "I looked twice." in record.summary
    assert has_ended(record)


async def test_hard_stop_after_soft_stop_ignored(limited: Harness) -> None:
    """The call is refused, and what it did until then is its summary."""
    run = await run_of(limited, *looks(2), [("gmail_send", {"text": "more"})], agents=catalog(LIMITED))
    assert limited.effect.calls == []
    assert "action.after_stop" in limited.codes()
    assert [one.tool for one in await actions_of(limited, run)] == ["gmail_search", "gmail_search"]
    record = await record_of(limited, run)
    assert record.status is AgentRunStatus.PAUSED
    assert record.summary.startswith(to_people.STEP_LIMIT)
    assert has_ended(record)


# Timeout Enforcement ----------------------------------------------------------------------------------------------


async def test_timeout_with_graceful_shutdown(hurried: Harness) -> None:
    """A minute is over, counted while it works: it is told so, and what it answers in time is the summary."""
    run = await begun(hurried, **given(HURRIED))
    assert run.limits.active_ms == 60_000
    hurried.model.says, hurried.read.busy = [LOOK, "I looked once."], asyncio.Event()
    serving = asyncio.create_task(serve(hurried, run))
    await until(lambda: hurried.read.calls)
    await works_for(hurried, run, seconds=70)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await hurried.run(run.id)).stopping is None:
            await asyncio.sleep(0.01)
    hurried.read.busy.set()
    await serving
    last = hurried.model.requests[-1]
    assert "Tools are off. Answer with your result as far as it goes" in text_of(last.contents[-1])
    assert last.calling_mode is CallingMode.NONE
    record = await record_of(hurried, run)
    assert (record.status, record.stop_reason) == (AgentRunStatus.PAUSED, "active_ms")
    assert "I worked on this for 1 minute" in record.summary
    assert "I looked once." in record.summary
    assert has_ended(record)


async def works_for(here: Harness, run: Run, *, seconds: int) -> None:
    """So much time passes while it works, every stretch of it written down."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        for _ in range(seconds // 10):
            here.base.clock.advance(10)
            while (now := await here.run(run.id)).active_since != here.base.clock.now() and now.state.holds_thread():
                await asyncio.sleep(0.01)


async def test_hard_timeout_after_grace_period(hurried: Harness) -> None:
    """Thirty seconds more, and the model is not waited for any longer. What it did and wrote is kept."""
    run = await begun(hurried, **given(HURRIED))
    hurried.model.says, hurried.read.busy = [LOOK], asyncio.Event()
    serving = asyncio.create_task(serve(hurried, run))
    await until(lambda: hurried.read.calls)
    hurried.model.before, hurried.model.hold_after = [TextDelta("I have so far")], asyncio.Event()
    hurried.read.busy.set()
    await until(lambda: len(hurried.model.requests) > 1)
    await works_for(hurried, run, seconds=80)
    assert (await hurried.run(run.id)).state is RunState.PLANNING
    await works_for(hurried, run, seconds=20)
    await serving
    record = await record_of(hurried, run)
    assert timedelta(seconds=30) == GRACE
    assert (record.status, record.stop_reason) == (AgentRunStatus.PAUSED, "active_ms")
    assert "> I have so far" in record.summary
    assert [one.state for one in await actions_of(hurried, run)] == [ActionState.COMPLETED]
    assert has_ended(record)


async def test_spawn_timeout_overrides_definition_timeout(hurried: Harness) -> None:
    """Who begins the run may give it a time, which counts instead of the definition's."""
    run = await begun(hurried, **given(HURRIED, limits=SpawnLimits(timeout=timedelta(minutes=5))))
    assert run.limits.active_ms == 300_000
    hurried.model.says, hurried.read.busy = [LOOK, "Helen wrote."], asyncio.Event()
    serving = asyncio.create_task(serve(hurried, run))
    await until(lambda: hurried.read.calls)
    await works_for(hurried, run, seconds=200)
    hurried.read.busy.set()
    await serving
    assert (await record_of(hurried, run)).status is AgentRunStatus.COMPLETED


async def test_spawn_timeout_overrides_definition_timeout_of_a_sub_agent(tmp_path: Path) -> None:
    """The step of a flow begins it, and gives it five minutes instead of one."""
    scout = defined(f"{SCOUT.replace('runConfig: {max_turns: 4}', '')}default_timeout: 60s\n")
    leader = defined(SEARCHER.replace("flow_type: single", f"flow:{BY_A_SUB_AGENT}").replace("gmail_send", scout.name))
    async with harness(tmp_path, agents=[leader, scout], renew_seconds=0.02) as here:
        run = await begun(here, **given(leader))
        here.model.says, here.read.busy = [LOOK, HAND_OVER], asyncio.Event()
        serving = asyncio.create_task(serve(here, run))
        await until(lambda: here.read.calls)
        (sub,) = await children(here, run)
        assert sub.limits.active_ms == 300_000
        await works_for(here, sub, seconds=200)
        here.read.busy.set()
        await serving
        assert (await record_of(here, sub)).status is AgentRunStatus.COMPLETED


# Doom Loop Detection ----------------------------------------------------------------------------------------------


async def test_detection_threshold(here: Harness) -> None:
    """The third of identical calls is not executed, but answered with an error that asks for another approach."""
    run = await run_of(here, AGAIN, AGAIN, AGAIN, "I stop.")
    assert len(here.read.calls) == 2
    *_, third = await actions_of(here, run)
    assert third.state is ActionState.DENIED
    told = here.told()["error"]
    assert (told["code"], told["try"]) == ("repeated_call", "try another approach, or answer with what you know")
    assert (await record_of(here, run)).status is AgentRunStatus.COMPLETED


async def test_hard_stop_after_continued_looping(here: Harness) -> None:
    """The fifth ends it."""
    run = await run_of(here, *[AGAIN] * 5, "Never said.")
    assert len(here.model.requests) == 5
    assert len(here.read.calls) == 2
    record = await record_of(here, run)
    assert record.status is AgentRunStatus.FAILED
    assert record.error_message.startswith(to_people.DOOM_LOOP)
    assert has_ended(record)


async def test_non_identical_calls_reset_counter(here: Harness) -> None:
    """After the warning another call counts as the first: the same one is executed twice more, and refused again."""
    other: Said = [("calendar_search", {"text": "benches"})]
    different: Said = [("gmail_search", {"text": "chairs"})]
    for reset in (other, different):
        here.read.calls.clear()
        says = [AGAIN, AGAIN, AGAIN, reset, AGAIN, AGAIN, AGAIN, "I stop."]
        run = await run_of(here, *says, source=f"form:T1:{reset}", channel="D1" if reset is other else "C1")
        states = [one.state for one in await actions_of(here, run)]
        done, denied = ActionState.COMPLETED, ActionState.DENIED
        assert states == [done, done, denied, done, done, done, denied]
        assert (await record_of(here, run)).status is AgentRunStatus.COMPLETED
