"""What people and models are told of a flow's steps: their names, a Stop, and texts that are too long to hand on."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.domain.limits import Limits, SpawnLimits
from bot.domain.runs import Run, RunState
from bot.runtime.agents.record import agent_run
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.flows.tasks import MOST_HANDED_ON
from bot.runtime.limits.of_agents import limits_of_request
from bot.runtime.operations.run_report import run_record
from bot.runtime.runs import stop
from bot.runtime.runs.stop import stop_agent
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.flows.test_progress import (
    BRIEF,
    BRIEFED,
    GIVE,
    LINE,
    LOOK,
    ONE_DAY,
    OPEN,
    ROUND,
    ROUNDS,
    SEND,
    asked,
    below,
    defined,
    texts,
)
from tests.unit.bot.runtime.flows.test_progress_attacked import tried_again
from tests.unit.bot.runtime.runtime_harness import Harness, harness

LONG = "benches " * 40_000
KEPT = "What it had handed over by then is kept."


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[defined(LINE), defined(BRIEF)]) as made:
        yield made


async def pressed(here: Harness, run: Run) -> None:
    """Its owner stops this agent, and what it worked for goes on."""
    assert (await stop_agent(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()


# Names ----------------------------------------------------------------------------------------------------------


async def test_a_step_is_named_once_below_its_flow(here: Harness) -> None:
    run = await here.asked(GIVE, "Two.", BRIEFED, "All in all, two.", "There are two.")
    lines = (await here.queries.agents(run.id)).agents
    flow = "Assembly line"
    assert [line.path for line in lines] == [(flow,), (flow, "find"), (flow, "meeting_brief"), (flow, "sum_up")]
    record = await run_record(here.base.store, run.id)
    assert list(record.titles.values()) == ["", flow, f"{flow} · find", "meeting_brief", f"{flow} · sum_up"]


async def test_rounds_have_names(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(ROUNDS)]) as here:
        run = await here.asked(ROUND, OPEN, OPEN, OPEN, "Still open.")
        lines = (await here.queries.agents(run.id)).agents
        assert [line.path[-1] for line in lines[1:]] == ["round 1", "round 2", "round 3"]


async def test_no_line_for_people_has_the_text_of_a_prompt(here: Harness) -> None:
    run = await asked(here, "Two.", BRIEFED, SEND, level=TrustLevel.SUPERVISED)
    async with here.base.store.read() as work:
        captions = [action.caption for action in await work.actions.of_run(run.id)]
    assert captions == ["Assembly line · find", "meeting_brief: About Two..", "Assembly line · sum_up"]


# Stop -----------------------------------------------------------------------------------------------------------


async def test_a_step_that_a_person_stopped_is_told_once_and_tried_again(here: Harness) -> None:
    run = await asked(here, "Two.", BRIEFED, SEND, level=TrustLevel.SUPERVISED)
    (*_, sum_up) = await below(here, run)
    await pressed(here, sum_up)
    view = await here.queries.answer(run.id)
    first, *rest = view.error.splitlines()
    assert first == "The step “sum_up” was stopped by the person who asked for it."
    assert rest == ["• Do it: not done"]
    assert [line.caption for line in view.actions if line.by_agent] == []
    here.model.says = ["All in all, two."]
    assert (await tried_again(here, await here.run(run.id))).summary == "All in all, two."


async def test_a_flow_that_a_person_stopped_is_one_line_and_what_it_had_is_kept(here: Harness) -> None:
    run = await here.asked(GIVE, "Two.", BRIEFED, SEND, "You stopped it.", level=TrustLevel.SUPERVISED)
    flow, *_ = await below(here, run)
    await pressed(here, flow)
    lines = [line for line in (await here.queries.answer(run.id)).actions if line.by_agent]
    assert [(line.caption, line.detail) for line in lines] == [("Assembly line", f"Stopped by you. {KEPT}")]
    told = here.told()
    assert told["error"]["message"] == "The agent was stopped by the person before it was done."
    assert told["handed_over_so_far"].startswith("find: Two.")


async def test_stop_says_of_each_step_what_it_is_not_what_it_was_told(here: Harness) -> None:
    run = await here.asked(GIVE, "Two.", BRIEFED, SEND, level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await stop.stop(tx, run, by=DANA)
    assert (await here.run(run.id)).summary == "Stopped.\n• Do it: not done"


# Long texts -----------------------------------------------------------------------------------------------------


async def test_a_long_text_is_cut_for_the_next_step_and_kept_whole(here: Harness) -> None:
    run = await asked(here, LONG, BRIEFED, "Done.")
    assert run.state is RunState.COMPLETED
    find, brief, _ = await below(here, run)
    assert find.summary == LONG.strip()
    notes = str((brief.inputs or {})["notes"])
    assert notes.startswith(f"About {LONG[:MOST_HANDED_ON]}")
    assert notes.endswith("(Cut here: 255,999 more characters were left out.).")
    assert "255,999 more" in texts(here)[1]


async def test_long_texts_in_many_places_are_cut_until_a_step_can_be_given_them(tmp_path: Path) -> None:
    line = LINE.replace('"Sum up: ${previous}"', f'"{"${steps.find}" * 8}"')
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        run = await asked(here, LONG, BRIEFED, "Done.", of=line)
        assert (run.error, run.summary) == ("", "Done.")


async def test_inputs_that_no_step_can_be_given_are_told_with_a_cure(tmp_path: Path) -> None:
    line = LINE.replace("Find ${topic}.", "${topic}" * 2)
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        run = await asked(here, of=line, inputs=ONE_DAY | {"topic": "x" * 200_000})
        assert run.state is RunState.FAILED
        assert "Ask again with other inputs, or have it changed." in run.error


@pytest.mark.parametrize("odd", ["\x07", "\x00", "\x1b", "\ud83d"])
async def test_characters_that_no_call_takes_are_replaced_for_the_next_step(here: Harness, odd: str) -> None:
    """Else the next step could never be given the text, and the last one's could not be the result."""
    run = await asked(here, f"Two{odd} benches", BRIEFED, f"All in{odd} all, two.")
    _, brief, _ = await below(here, run)
    assert (brief.inputs or {})["notes"] == "About Two\ufffd benches."
    assert (run.error, run.summary) == ("", "All in\ufffd all, two.")


# Steps that whoever begins it sets ------------------------------------------------------------------------------


async def test_steps_that_an_operator_sets_are_those_of_each_step_that_asks_the_model(here: Harness) -> None:
    most = limits_of_request(defined(LINE), Limits(), SpawnLimits(max_steps=1))
    run = await asked(here, "Two.", BRIEFED, "All in all, two.", limits=most, ceiling=most)
    assert (run.state, run.steps_taken) == (RunState.COMPLETED, 3)
    find, brief, sum_up = await below(here, run)
    assert [one.limits.steps for one in (find, brief, sum_up)] == [1, 50, 1]


async def test_a_step_at_the_limit_that_an_operator_set_pauses_the_flow(here: Harness) -> None:
    most = limits_of_request(defined(LINE), Limits(), SpawnLimits(max_steps=1))
    run = await asked(here, LOOK, "One so far.", limits=most, ceiling=most)
    assert (run.state, agent_run(run).stop_reason) == (RunState.PAUSED, "steps")
