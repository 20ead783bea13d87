"""What people are shown of a plan beside its card."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.actions import Tally
from bot.domain.deliveries import CardReminder
from bot.domain.questions import QUESTION_LIFE, Choice, ReaderTurn
from bot.domain.runs import RunState
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.runtime.delivery.views import CardView
from bot.runtime.questions import expiry
from bot.runtime.runs.stop import stop_request
from bot.slack.views import plan
from bot.slack.views.answer import answer
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.plans.test_plan import (
    FOUND,
    ONE,
    PROPOSE,
    SEND,
    SENT,
    WRITE,
    below,
    confirmed,
    judged,
    planned,
)
from tests.unit.bot.runtime.plans.test_plan_attacked import proposed
from tests.unit.bot.runtime.runtime_harness import Harness, harness


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path) as made:
        yield made


async def test_below_the_account_stand_the_actions_of_the_tasks_alone(here: Harness) -> None:
    """The account has a line for each task, and the card has the plan: neither is told twice."""
    run = await confirmed(here, *FOUND, *SENT)
    view = await here.queries.answer(run.id)
    assert "Found: mail m1." in view.text
    told = {line.action_id for line in view.actions}
    own = {row["id"] for row in here.base.rows(f"SELECT id FROM actions WHERE run_id = '{run.id}'")}
    assert own
    assert told
    assert not told & own


@pytest.mark.parametrize("ends", [True, False], ids=["completed", "failed"])
async def test_what_came_of_its_tasks_stands_in_its_answer_alone(here: Harness, *, ends: bool) -> None:
    """From its end on its card has how each stands; until then, and where it was stopped, it has what came of each."""
    failed = [*SENT[:2], judged("Not sent.", complete=False, persistent_error=True), '{"modifications": []}']
    run = await confirmed(here, *FOUND, *(SENT if ends else failed))
    card = await card_of(here)
    assert card.plan is not None
    assert (card.plan.state, card.plan.told) == (RunState.COMPLETED if ends else RunState.FAILED, True)
    assert "Found: mail m1." in (await here.queries.answer(run.id)).text
    assert "Found: mail m1." not in str(plan.card(card).blocks)


async def test_a_plan_that_was_stopped_tells_in_its_answer_what_came_of_its_tasks(here: Harness) -> None:
    """Its card tells while it is under way, and then says only how each stands."""
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED)
    for state in (RunState.AWAITING, RunState.CANCELLED):
        card = await card_of(here)
        assert card.plan is not None
        is_over = state is RunState.CANCELLED
        assert (card.plan.state, card.plan.told) == (state, is_over)
        assert ("Found: mail m1." in str(plan.card(card).blocks)) is not is_over
        await stop_request(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))
        await here.serve()
    assert "Found: mail m1." in (await here.queries.answer(run.id)).text


async def card_of(here: Harness) -> CardView:
    (question,) = here.base.rows("SELECT id FROM questions WHERE kind = 'plan'")
    card = await here.queries.card(question["id"])
    assert card is not None
    return card


async def test_its_card_counts_what_its_runs_took(here: Harness) -> None:
    """What a task spends is spent for the plan too, and is counted once; its result is no action."""
    run = await confirmed(here, *FOUND, *SENT)
    async with here.base.store.write() as work:
        for one, micros in ((run, 30_000), *((child, 10_000) for child in await work.runs.below(run.id))):
            await work.runs.change(one.id, cost_micros=micros)
    card = await card_of(here)
    assert card.plan is not None
    assert card.plan.cost_micros == 30_000
    assert card.plan.actions == {"1": Tally(lookups=1), "2": Tally(actions=1)}


async def test_what_failed_is_told_once(here: Harness) -> None:
    """The account of its tasks is the answer, also where it failed; actions with cards of their own are told there."""
    run = await confirmed(here, "I write.", WRITE, level=TrustLevel.SUPERVISED, plan=proposed(SEND))
    (child,) = await below(here, run)
    here.model.says += [judged("You rejected it.", complete=False, persistent_error=True), json.dumps({})]
    assert (await here.click(await here.card_of(child.id), Choice.REJECT)).accepted
    await here.serve()
    view = await here.queries.answer(run.id)
    assert view.text == view.error == (await here.run(run.id)).error
    assert "✗ 1. Send the answer: You rejected it." in view.text
    (_,) = answer(view)
    assert str(answer(view)).count("rejected") == 2, "in the message and its text for notifications"
    (line,) = (await here.queries.home(TEAM, DANA)).runs
    assert line.is_account


async def test_what_was_approved_is_listed_with_what_its_card_tells(here: Harness) -> None:
    """There is no answer beside the card; the list says what was done, not only that something was."""
    run = await here.request()
    await here.trusts(TrustLevel.AUTONOMOUS)
    here.model.says = [WRITE, "Done."]
    await here.serve()
    await here.change_run(run.id, summary="")
    (line,) = (await here.queries.home(TEAM, DANA)).runs
    (action,) = here.base.rows("SELECT summary FROM actions")
    assert line.summary == action["summary"] != ""


async def listed(here: Harness) -> str:
    """How App Home and `/agent status` say that the only plan stands."""
    (line,) = (await here.queries.home(TEAM, DANA)).plans
    return line.plan


async def test_a_deadline_that_passes_while_a_plan_is_paused_is_listed(here: Harness) -> None:
    """It paused because nobody answered a card in time, and nothing moves it when the deadline comes."""
    until = here.base.clock.now() + 2 * QUESTION_LIFE
    await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED, deadline_at=until)
    assert await listed(here) == "1 of 2 tasks done, waits for your decision"
    await nobody_answers(here)
    assert await listed(here) == "1 of 2 tasks done, paused"
    assert not any(line.is_account for line in (await here.queries.home(TEAM, DANA)).plans)
    here.base.clock.advance(QUESTION_LIFE.total_seconds())
    assert await listed(here) == "1 of 2 tasks done, paused: its deadline is over"


async def test_what_a_task_asks_names_the_deadline_where_that_is_before_its_own_end(here: Harness) -> None:
    """Nothing is waited for after the deadline, so no card, list or reminder names a later moment."""
    until = here.base.clock.now() + timedelta(minutes=3)
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED, deadline_at=until)
    question = await here.card_of((await below(here, run))[-1].id)
    assert question.expires_at > until
    card = await here.queries.card(question.id)
    (line,) = (await here.queries.home(TEAM, DANA)).questions
    reminders = ScheduleViews(store=here.base.store, clock=here.base.clock)
    reminder = await reminders.reminder(str(CardReminder(question.id, "")))
    assert card is not None
    assert reminder is not None
    assert {card.expires_at, line.expires_at, reminder.ends_at} == {until}
    assert reminder.left <= timedelta(minutes=3)


async def test_a_turn_to_agree_to_what_a_task_asks_ends_at_the_deadline_at_the_latest(here: Harness) -> None:
    until = here.base.clock.now() + timedelta(minutes=3)
    run = await confirmed(here, *FOUND, *SENT[:2], level=TrustLevel.SUPERVISED, deadline_at=until)
    question = await here.card_of((await below(here, run))[-1].id)
    turn = ReaderTurn(user="U0JONAS", began_at=here.base.clock.now(), ends_at=question.expires_at)
    async with here.base.store.write() as work:
        await work.questions.pass_on(question, [turn], over_at=None, remind_at=turn.half)
    assert await listed(here) == "1 of 2 tasks done, you agreed, and it waits for somebody else"
    card = await here.queries.card(question.id)
    assert card is not None
    assert [one.turn_ends_at for one in card.readers] == [until]


async def test_the_card_of_a_plan_names_its_deadline_as_its_end(here: Harness) -> None:
    until = here.base.clock.now() + timedelta(minutes=3)
    await planned(here, PROPOSE, deadline_at=until)
    assert (await card_of(here)).expires_at == until


async def test_a_plan_that_nobody_confirmed_is_listed_as_that(here: Harness) -> None:
    await planned(here, PROPOSE, deadline_at=here.base.clock.now() + 2 * QUESTION_LIFE)
    assert await listed(here) == "waits for you to confirm it"
    await nobody_answers(here)
    assert await listed(here) == "not confirmed, paused"
    here.base.clock.advance(QUESTION_LIFE.total_seconds())
    assert await listed(here) == "not confirmed, paused: its deadline is over"


async def test_a_plan_of_which_the_rest_is_not_confirmed_is_listed_with_what_is_done(here: Harness) -> None:
    more = [{"kind": "add", "title": f"More {n}", "goal": f"More {n}.", "why": "so"} for n in range(11)]
    await confirmed(here, *FOUND[:2], judged(modifications=more), plan=ONE)
    await nobody_answers(here)
    assert await listed(here) == "1 of 12 tasks done, the rest not confirmed, paused"


async def nobody_answers(here: Harness) -> None:
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await here.serve()
