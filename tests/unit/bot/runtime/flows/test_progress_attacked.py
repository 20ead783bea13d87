"""What an attack on flows found: tries that knew nothing of the first, pauses that forgot, steps without an agent."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agents import library
from bot.domain.limits import Limits
from bot.domain.questions import QUESTION_LIFE
from bot.domain.runs import FollowUp, Run, RunState
from bot.llm.model import ModelUnavailable
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.limits.quotas import places
from bot.runtime.operations.retention import Keep, RetentionService
from bot.runtime.questions import expiry
from bot.runtime.questions.follow_ups import follow_up_of
from bot.runtime.runs import resume
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.flows.test_progress import (
    BRIEF,
    BRIEFED,
    LINE,
    LOOK,
    SEND,
    asked,
    below,
    clicked,
    defined,
    of_flow,
    texts,
)
from tests.unit.bot.runtime.runs.test_delegating import out_of_time
from tests.unit.bot.runtime.runtime_harness import Harness, harness, until

BOTH = LINE.replace("tools: [gmail_search]}", "tools: [gmail_search, gmail_send]}")
A_TOOL = LINE.replace(
    '{name: sum_up, query: "Sum up: ${previous}", tools: [gmail_send]}',
    '{name: mail, agent: gmail_send, inputs: {text: "${previous}"}}',
)
LOOK_AND_SEND = [("gmail_search", {"text": "benches"}), ("gmail_send", {"text": "it"})]
DONE = "Do it: done"
DAY = timedelta(days=1).total_seconds()


async def seal(here: Harness) -> None:
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()


async def tried_again(here: Harness, run: Run) -> Run:
    """Its owner presses Try again: the new run."""
    await clicked(here, run, resume.try_again)
    (row,) = here.base.rows("SELECT id FROM runs WHERE retry_of = ? AND root IS NULL", run.id)
    return await here.run(row["id"])


# Tries ----------------------------------------------------------------------------------------------------------


async def test_a_third_try_of_a_request_knows_what_the_first_did(tmp_path: Path) -> None:
    async with harness(tmp_path) as here:
        first = await here.asked(SEND, ModelUnavailable("network"))
        here.model.says = [ModelUnavailable("network")]
        second = await tried_again(here, first)
        here.model.says = ["Done."]
        await tried_again(here, second)
        assert DONE in here.model.requests[-1].instruction


async def test_a_third_attempt_of_a_step_knows_what_the_first_did(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(BOTH), defined(BRIEF)]) as here:
        run = await asked(here, SEND, LOOK, "One sent.", LOOK, LOOK, "Nothing new.", LOOK, LOOK, "Still.", of=BOTH)
        await clicked(here, run, resume.continue_run)
        await clicked(here, run, resume.continue_run)
        assert len(await below(here, run)) == 3
        assert DONE in here.model.requests[-1].instruction


async def test_a_flow_that_failed_is_tried_again_by_its_button(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(BOTH), defined(BRIEF)]) as here:
        first = await asked(here, SEND, "Sent.", ModelUnavailable("network"), of=BOTH)
        async with here.base.store.read() as work:
            assert await follow_up_of(work, first) is FollowUp.TRY_AGAIN
        here.model.says = [BRIEFED, "Done."]
        assert (await tried_again(here, first)).summary == "Done."
        assert len(here.effect.calls) == 1


async def test_a_last_step_whose_output_did_not_fit_is_taken_again(tmp_path: Path) -> None:
    line = LINE.replace("{type: string}", "{type: object, required: [lines]}").replace(
        'name: sum_up, query: "Sum up: ${previous}", tools: [gmail_send]',
        'name: again, agent: meeting_brief, inputs: {topic: "${topic}"}',
    )
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        first = await asked(here, "Two.", BRIEFED, BRIEFED, of=line)
        asked_before = len(here.model.requests)
        here.model.says = [BRIEFED]
        await tried_again(here, first)
        assert len(here.model.requests) == asked_before + 1


async def test_what_another_definition_did_stands_for_no_step(tmp_path: Path) -> None:
    """The file changed since, as that of an agent in a flow that was paused: its steps are taken from the first."""
    async with harness(tmp_path, agents=[defined(LINE), defined(BRIEF)]) as here:
        first = await asked(here, "Two.", ModelUnavailable("network"))
        before = len(here.model.requests)
        await asked(here, "Three.", BRIEFED, "Done.", of=BOTH, retry_of=first.id)
        assert texts(here)[before] == "Find benches."


# Pauses ---------------------------------------------------------------------------------------------------------


async def test_continue_tells_the_step_what_was_said_to_it_before(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(LINE), defined(BRIEF)]) as here:
        here.model.says = [LOOK, LOOK, "One so far.", "Two.", BRIEFED, "Done."]
        run = await here.request(**await of_flow(here))
        async with here.asking_the_model():
            await here.says("only those made of oak", ts="9.1")
        before = len(here.model.requests)
        await clicked(here, run, resume.continue_run)
        assert "oak" in str(here.model.requests[before].contents)


async def test_continue_after_a_hard_stop_goes_on_at_once(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(LINE), defined(BRIEF)]) as here:
        most = Limits(active_ms=10_000)
        here.model.says, here.read.busy = [LOOK, "Two.", BRIEFED, "All."], asyncio.Event()
        run = await here.request(**await of_flow(here, most=most))
        serving = asyncio.create_task(here.serve())
        await until(lambda: here.read.calls)
        await out_of_time(here, run)
        here.read.busy.set()
        await serving
        await clicked(here, run, resume.continue_run)
        assert (await here.run(run.id)).summary == "All."


async def test_asked_again_after_a_soft_stop_and_silence_a_flow_comes_to_its_end(tmp_path: Path) -> None:
    """Its time is over while its step waits for a card, and nobody answers in time."""
    async with harness(tmp_path, agents=[defined(BOTH), defined(BRIEF)]) as here:
        await here.trusts(TrustLevel.SUPERVISED)
        most = Limits(active_ms=10_000)
        here.model.says, here.read.busy = [LOOK_AND_SEND, "One sent."], asyncio.Event()
        run = await here.request(**await of_flow(here, BOTH, most=most))
        serving = asyncio.create_task(here.serve())
        await until(lambda: here.read.calls)
        (step,) = await below(here, run)
        await becomes(here, "SELECT id FROM questions")
        here.base.clock.advance(12)
        await becomes(here, "SELECT id FROM runs WHERE root IS NULL AND stopping IS NOT NULL")
        here.read.busy.set()
        await serving
        card = await here.card_of(step.id)
        here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
        await expiry.tick(here.transactions)
        await seal(here)
        await here.serve()
        click = ButtonClick(team=TEAM, user=DANA, value=card.button_value())
        assert (await resume.ask_again(here.transactions, click)).accepted
        await here.serve()
        await here.approve(step, serve=True)
        flow, step = await here.run(run.id), await here.run(step.id)
        assert (flow.state, flow.stop_code) == (RunState.PAUSED, "active_ms")
        assert (step.state, step.error, len(here.effect.calls)) == (RunState.PAUSED, "", 1)


async def becomes(here: Harness, query: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not here.base.rows(query):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("keep", [Keep(messages=timedelta(days=7)), Keep()])
async def test_a_paused_flow_keeps_what_its_steps_did(tmp_path: Path, keep: Keep) -> None:
    """Its steps are part of a request that is not over: what they returned is built on, and what they sent counts."""
    brief = 'agent: meeting_brief, inputs: {topic: "${topic}", notes: "About ${steps.find}.", days: "${days}"}'
    line = BOTH.replace(brief, 'query: "Look at ${steps.find}", tools: [gmail_search]')
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        run = await asked(here, SEND, "Two were found.", LOOK, LOOK, "so far", of=line)
        for _ in range(2):
            here.base.clock.advance(20 * DAY)
            await seal(here)
            await here.base.tamper("UPDATE outbox SET state = 'delivered'")
            await RetentionService(transactions=here.transactions, keep=keep).prune(here.base.clock.now())
            here.model.says = [LOOK, LOOK, "so far"]
            before = len(here.model.requests)
            await clicked(here, run, resume.continue_run)
            assert texts(here)[before] == "Look at Two were found."
        async with here.base.store.read() as work:
            assert (await places(work, await work.runs.find(run.id))).effects == 1


# Definitions ----------------------------------------------------------------------------------------------------


def test_a_step_cannot_name_a_tool_as_its_agent(tmp_path: Path) -> None:
    (tmp_path / "line.yaml").write_text(A_TOOL, encoding="utf-8")
    (tmp_path / "brief.yaml").write_text(BRIEF, encoding="utf-8")
    (problem,) = library.load(library.files_of(tmp_path), ["gmail_search", "gmail_send"]).problems
    assert "“gmail_send” is a tool, and no agent." in str(problem)


async def test_a_step_that_names_a_tool_does_nothing(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(A_TOOL), defined(BRIEF)]) as here:
        run = await asked(here, "Two.", BRIEFED, of=A_TOOL)
        assert (run.state, here.effect.calls) == (RunState.FAILED, [])


@pytest.mark.parametrize("given", [{"someDays": ["Monday"]}, {}])
async def test_an_input_of_any_name_keeps_its_type(tmp_path: Path, given: dict[str, object]) -> None:
    line = LINE.replace("    days: {", "    someDays: {").replace('"${days}"', '"${someDays}"')
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        run = await here.asked("Two.", BRIEFED, "All.", **await of_flow(here, line, {"topic": "benches", **given}))
        assert run.state is RunState.COMPLETED
