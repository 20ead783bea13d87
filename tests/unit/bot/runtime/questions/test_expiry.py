"""Silence: a question ends when nobody answers, its owner is reminded once, a click at that moment wins or is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import QUESTION_LIFE, Choice, Question, QuestionState
from bot.domain.runs import RunState
from bot.runtime.questions import expiry
from bot.slack.views import answer
from integrations.errors import Ambiguous
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import NOW
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import Effect

SEND, OTHER = ("gmail_send", {"text": "it"}), ("gmail_send", {"text": "that"})
HALF = QUESTION_LIFE / 2


async def asked(here: Harness, *calls: tuple[str, dict[str, str]]) -> list[tuple[Question, Action]]:
    """Open cards about these calls of one step."""
    run = await here.asked(list(calls) or [SEND], level=TrustLevel.SUPERVISED)
    async with here.base.store.read() as work:
        open_ = await work.questions.open_of_run(run.id)
        return [(question, await work.actions.find(question.action_id)) for question in open_]


async def state(here: Harness, question: Question) -> QuestionState:
    async with here.base.store.read() as work:
        found = await work.questions.find(question.id)
    assert found is not None
    return found.state


async def press(here: Harness, question: Question, choice: Choice) -> str:
    outcome = await here.click(question, choice)
    return "" if outcome.accepted else outcome.text


def deliveries(here: Harness, kind: DeliveryKind) -> Sequence[dict[str, Any]]:
    return here.base.rows("SELECT subject, lane FROM outbox WHERE kind = ?", kind.value)


async def tick(here: Harness) -> None:
    await expiry.tick(here.transactions)


async def test_nobody_answers_and_the_run_pauses(here: Harness) -> None:
    """At its end the question expires, its action is not done, the run pauses and says so, and no model is called."""
    [(question, action)] = await asked(here)
    here.base.clock.at = question.expires_at - timedelta(seconds=1)
    await tick(here)
    assert await state(here, question) is QuestionState.OPEN
    here.base.clock.advance(1)
    await tick(here)
    await here.serve()
    assert await state(here, question) is QuestionState.EXPIRED
    assert (await here.action(action)).state is ActionState.EXPIRED
    run = await here.run(question.run_id)
    assert run.state is RunState.PAUSED
    assert "Nobody answered in time" in run.summary
    assert len(here.model.requests) == 1
    assert here.effect.calls == []
    assert {"question.expired", "action.expired", "run.paused"} <= set(here.codes())
    await tick(here)
    assert here.codes().count("question.expired") == 1


@pytest.mark.parametrize("in_channel", [False, True])
async def test_a_pause_says_once_that_nobody_answered(here: Harness, in_channel: bool) -> None:
    """Its lead says so; each thing that waited is named below, with nothing but that it was not done."""
    run = await here.asked([SEND, OTHER], level=TrustLevel.SUPERVISED, in_channel=in_channel)
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await tick(here)
    await here.serve()
    view = await here.queries.answer(run.id)
    assert view.text == "Nobody answered in time, so I stopped here.\n• Do it: not done\n• Do that: not done"
    (message,) = answer.answer(view)
    assert str(message.blocks).lower().count("nobody answered") == 1
    assert [str(message.blocks).count(f"Do {what}") for what in ("it", "that")] == [1, 1]


async def test_expired_is_not_rejected(here: Harness) -> None:
    """When a person decided a sibling, the model goes on and is told that nobody answered the other."""
    first, second = await asked(here, SEND, OTHER)
    assert await press(here, first[0], Choice.REJECT) == ""
    here.base.clock.at = second[0].expires_at
    await tick(here)
    await here.serve()
    assert (await here.run(second[0].run_id)).state is RunState.COMPLETED
    told = str(here.model.requests[-1].contents[-1])
    assert "nobody_answered" in told
    assert "rejected_by_user" in told


async def test_a_sibling_that_is_open_keeps_waiting(here: Harness) -> None:
    """One card expires; the run waits for the other as before."""
    first, second = await asked(here, SEND, OTHER)
    await here.base.tamper(f"UPDATE questions SET expires_at = created_at WHERE id = '{first[0].id}'")
    await tick(here)
    assert await state(here, second[0]) is QuestionState.OPEN
    assert (await here.run(first[0].run_id)).state is RunState.AWAITING


async def test_a_doubt_that_nobody_settles_stays_unknown(here: Harness) -> None:
    """After seven days, not after one; it is not told as not done."""
    here.blind.outcomes = [Ambiguous("lost")]
    run = await here.asked([("calendar_event_create", {"text": "it"})])
    question = await here.card_of(run.id)
    here.base.clock.at = question.created_at + timedelta(days=6)
    await tick(here)
    assert await state(here, question) is QuestionState.OPEN
    here.base.clock.advance(86_400)
    await tick(here)
    assert (await here.action(run)).state is ActionState.UNKNOWN
    paused = await here.run(run.id)
    assert paused.state is RunState.PAUSED
    assert "not known whether this happened" in paused.summary


@pytest.mark.parametrize("first", ["click", "tick"])
async def test_a_click_that_races_expiry(here: Harness, first: str) -> None:
    """The first to commit wins: either it is done, or it is expired and the clicker is told."""
    [(question, action)] = await asked(here)
    here.base.clock.at = question.expires_at
    clicked = press(here, question, Choice.APPROVE)
    here.base.clock.at -= timedelta(seconds=1 if first == "click" else 0)
    if first == "click":
        told = await clicked
        here.base.clock.advance(1)
        await tick(here)
        assert told == ""
        assert (await here.action(action)).state is ActionState.APPROVED
        assert "question.expired" not in here.codes()
    else:
        told, _ = await asyncio.gather(clicked, tick(here))
        assert "expired" in told
        assert (await here.action(action)).state is ActionState.EXPIRED
        assert here.codes().count("question.expired") == 1


@pytest.mark.parametrize("meanwhile", ["decided", "the clock was set back", "forgotten"])
async def test_what_is_not_over_any_more_does_not_expire(here: Harness, meanwhile: str) -> None:
    """A question that was over when it was looked up is looked at again once its step is locked."""
    [(question, action)] = await asked(here)
    here.base.clock.at = question.expires_at - timedelta(seconds=1)
    if meanwhile == "decided":
        assert await press(here, question, Choice.APPROVE) == ""
        here.base.clock.advance(1)
    if meanwhile == "forgotten":
        await here.base.tamper("DELETE FROM questions")
    before = (await here.action(action)).state
    async with here.transactions.write() as tx:
        await expiry.expire(tx, question)
    assert (await here.action(action)).state is before
    assert "question.expired" not in here.codes()


async def test_two_replicas_expire_once(here: Harness) -> None:
    """Both see that it is over; one of them writes it down."""
    [(question, _)] = await asked(here)
    here.base.clock.at = question.expires_at
    await asyncio.gather(tick(here), tick(here))
    assert here.codes().count("question.expired") == 1
    assert here.codes().count("run.paused") == 1


async def test_one_reminder_at_half_time(here: Harness) -> None:
    """Not before, and not twice: also not when two replicas look at once, or when it stays open for long."""
    [(question, _)] = await asked(here)
    here.base.clock.at = question.created_at + HALF - timedelta(seconds=1)
    await tick(here)
    assert deliveries(here, DeliveryKind.REMINDER) == []
    here.base.clock.advance(1)
    await asyncio.gather(tick(here), tick(here))
    here.base.clock.advance(60)
    await tick(here)
    assert deliveries(here, DeliveryKind.REMINDER) == [{"subject": question.id, "lane": "thr_1"}]
    assert here.base.rows("SELECT id FROM questions WHERE remind_at IS NOT NULL") == []


@pytest.mark.parametrize("expires", [True, False])
async def test_a_reminder_goes_with_its_question(here: Harness, expires: bool) -> None:
    """Decided or expired: whoever delivers it again finds that nothing is to stand there."""
    [(question, _)] = await asked(here)
    here.base.clock.at = question.created_at + HALF
    await tick(here)
    if expires:
        here.base.clock.at = question.expires_at
        await tick(here)
    else:
        assert await press(here, question, Choice.REJECT) == ""
    assert [row["subject"] for row in deliveries(here, DeliveryKind.REMINDER)] == [question.id] * 2


async def test_what_was_decided_is_not_reminded_of(here: Harness) -> None:
    """Neither is a reminder written, nor does one that was written say anything any more."""
    early, late = await asked(here, SEND, OTHER)
    assert await press(here, early[0], Choice.REJECT) == ""
    here.base.clock.at = late[0].created_at + HALF
    await tick(here)
    assert [row["subject"] for row in deliveries(here, DeliveryKind.REMINDER)] == [late[0].id]
    view = await here.schedule_views.reminder(late[0].id)
    assert view is not None
    assert (view.left, view.title, view.needs_none) == (HALF, late[1].caption, False)
    await press(here, late[0], Choice.REJECT)
    view = await here.schedule_views.reminder(late[0].id)
    assert view is not None
    assert view.needs_none
    assert await here.schedule_views.reminder("q_nobody") is None


async def test_after_a_long_stop_nothing_is_reminded_of_that_is_over(here: Harness) -> None:
    """A process that slept through both says that it expired, and only that."""
    [(question, _)] = await asked(here)
    here.base.clock.at = question.expires_at + timedelta(days=2)
    await tick(here)
    assert deliveries(here, DeliveryKind.REMINDER) == []
    assert await state(here, question) is QuestionState.EXPIRED


async def test_a_tool_says_how_long_its_questions_live(here: Harness) -> None:
    """An hour instead of a day, and the reminder at half of it."""

    class Hasty(Effect):
        question_life = timedelta(hours=1)

    here.effect.__class__ = Hasty
    [(question, _)] = await asked(here)
    assert question.expires_at - question.created_at == timedelta(hours=1)
    assert question.remind_at == question.created_at + timedelta(minutes=30)


async def test_one_that_cannot_be_expired_holds_no_other_up(here: Harness) -> None:
    """A question whose rows are broken is logged, and the next one is done."""
    [(question, _)] = await asked(here)
    broken = make.question(step_id="step_gone", expires_at=NOW)
    async with here.base.store.write() as work:
        await work.questions.add(broken)
    here.base.clock.at = question.expires_at
    await tick(here)
    assert await state(here, question) is QuestionState.EXPIRED
