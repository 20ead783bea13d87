"""Steps that a rule asks about: one that is begun by a click is as one that is begun at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import Choice
from bot.domain.runs import RunState
from bot.llm.model import ModelUnavailable
from bot.runtime.runs import resume
from bot.runtime.runs.incoming import Admission
from policies.types import Decision, Rule, RuleAuthor
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.flows.test_progress import (
    BRIEF,
    BRIEFED,
    LINE,
    LOOK,
    ONE_DAY,
    SEND,
    asked,
    below,
    clicked,
    defined,
)
from tests.unit.bot.runtime.flows.test_progress_attacked import DONE, tried_again
from tests.unit.bot.runtime.runtime_harness import Harness, harness

SENDING_BRIEF = BRIEF.replace("[gmail_search]", "[gmail_search, gmail_send]") + "runConfig: {max_turns: 2}\n"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    """The second step of the flow is asked about, and can send mail."""
    async with harness(tmp_path, agents=[defined(LINE), defined(SENDING_BRIEF)]) as made:
        rule = Rule(id="r1", decision=Decision.ASK, by=RuleAuthor.OWNER, tool="meeting_brief")
        async with made.base.store.write() as work:
            await work.rules.add(TEAM, DANA, rule, at=made.base.clock.now())
        yield made


async def test_a_step_that_failed_and_is_tried_again_by_its_card_knows_what_it_did(here: Harness) -> None:
    first = await asked(here, "Two.")
    here.model.says = [SEND, ModelUnavailable("network")]
    await here.approve(first, serve=True)
    again = await tried_again(here, await here.run(first.id))
    here.model.says = [BRIEFED, "Done."]
    await here.approve(again, serve=True)
    (_, failed), (brief, _) = await below(here, first), await below(here, again)
    assert brief.retry_of == failed.id
    assert DONE in here.model.requests[-2].instruction
    assert len(here.effect.calls) == 1


async def test_a_step_at_its_limit_is_continued_by_its_card_and_knows_what_it_did(here: Harness) -> None:
    run = await asked(here, "Two.")
    here.model.says = [SEND, LOOK, "One sent.", BRIEFED, "Done."]
    await here.approve(run, serve=True)
    assert (await here.run(run.id)).state is RunState.PAUSED
    await clicked(here, run, resume.continue_run)
    await here.approve(run, serve=True)
    assert DONE in here.model.requests[4].instruction
    assert (await here.run(run.id)).summary == "Done."


async def test_a_card_that_was_rejected_makes_nobody_forget_an_earlier_attempt(here: Harness) -> None:
    run = await asked(here, "Two.")
    here.model.says = [SEND, LOOK, "One sent."]
    await here.approve(run, serve=True)
    await clicked(here, run, resume.continue_run)
    assert (await here.click(await here.card_of(run.id), Choice.REJECT)).accepted
    await here.serve()
    again = await tried_again(here, await here.run(run.id))
    here.model.says = [BRIEFED, "Done."]
    await here.approve(again, serve=True)
    assert DONE in here.model.requests[-2].instruction


async def test_words_to_a_step_that_waits_for_its_card_reach_it_when_it_begins(here: Harness) -> None:
    run = await asked(here, "Two.")
    card = await here.card_of(run.id)
    assert (await here.says("only those of oak", ts="9.1")).admission is Admission.NOTED
    await here.serve()
    assert (await here.card_of(run.id)).id == card.id
    here.model.says = [BRIEFED, "Done."]
    await here.approve(run, serve=True)
    assert "only those of oak" in str(here.model.requests[1].contents)
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_words_that_came_before_its_card_do_not_withdraw_it(here: Harness) -> None:
    """The step heard them and failed. Tried again, it is asked about once more, and hears them once more."""
    first = await asked(here, "Two.")
    await here.says("only those of oak", ts="9.1")
    here.model.says = [ModelUnavailable("network")]
    await here.approve(first, serve=True)
    again = await tried_again(here, await here.run(first.id))
    here.model.says = [BRIEFED, "Done."]
    await here.approve(again, serve=True)
    assert "only those of oak" in str(here.model.requests[-2].contents)


async def test_words_under_the_card_of_a_flow_that_works_for_another_run_are_for_its_step(here: Harness) -> None:
    run = await here.asked([("week_review", ONE_DAY)], "Two.")
    (flow, _) = await below(here, run)
    assert (await here.says("only those of oak", ts="9.1")).admission is Admission.NOTED
    here.model.says = [BRIEFED, "Done.", "All done."]
    await here.approve(flow, serve=True)
    assert "only those of oak" in str(here.model.requests[2].contents)
    assert (await here.run(run.id)).summary == "All done."


async def test_no_rejects_the_step_and_yes_points_at_its_card(here: Harness) -> None:
    run = await asked(here, "Two.")
    assert (await here.says("yes", ts="9.1")).admission is Admission.POINTED
    assert (await here.says("no", ts="9.2")).admission is Admission.REJECTED
    await here.serve()
    ended = await here.run(run.id)
    assert (ended.state, ended.partial) == (RunState.FAILED, "find: Two.")
    async with here.base.store.read() as work:
        (*_, brief) = await work.actions.of_run(run.id)
    assert brief.state is ActionState.REJECTED
