"""The turn of somebody who has to agree: they are reminded at half of it, and whoever leaves is not waited for."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.domain.deliveries import CardReminder, DeliveryKind
from bot.domain.questions import QUESTION_LIFE, Choice, Question
from bot.domain.states import LostRace
from bot.runtime.delivery.views import ReminderView
from bot.runtime.questions import expiry
from tests.builders import DANA, MARA
from tests.unit.bot.runtime.questions.test_agreement import ERIN, TURN, asked, edited, now_of, passes, ruled, says
from tests.unit.bot.runtime.runtime_harness import Harness

SECOND = timedelta(seconds=1)


def reminders(here: Harness) -> list[str]:
    """What was put into the outbox to remind somebody, or to take that away again."""
    kind = DeliveryKind.REMINDER.value
    return [row["subject"] for row in here.base.rows("SELECT subject FROM outbox WHERE kind = ? ORDER BY id", kind)]


async def view_of(here: Harness, question: Question, reader: str = "") -> ReminderView:
    """What its delivery shows now."""
    view = await here.schedule_views.reminder(str(CardReminder(question.id, reader)))
    assert view is not None
    return view


async def test_an_approver_is_reminded_at_half_of_their_turn(here: Harness) -> None:
    """Not before, once, and by one of two replicas: with whose request it is, and when somebody else is asked."""
    await ruled(here, MARA, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN / 2 - SECOND)
    assert reminders(here) == []
    here.base.clock.at += SECOND
    await asyncio.gather(expiry.tick(here.transactions), expiry.tick(here.transactions))
    await passes(here, TURN / 4)
    assert reminders(here) == [f"{question.id}@{MARA}"]
    view, (turn,) = await view_of(here, question, MARA), (await now_of(here, question)).turns
    assert (view.needs_none, view.reader, view.title) == (False, MARA, action.caption)
    assert (view.ends_at, view.left, view.passes_on) == (turn.ends_at, TURN / 4, True)


async def test_whoever_nobody_follows_is_reminded_at_half_of_what_is_left(here: Harness) -> None:
    """Their turn lasts as long as the question; the owner, who was reminded before, is not told again."""
    await ruled(here, MARA)
    question, _ = await asked(here)
    await passes(here, QUESTION_LIFE / 2)
    assert reminders(here) == [question.id]
    await says(here, question, DANA)
    assert reminders(here) == [question.id] * 2
    assert (await view_of(here, question)).needs_none
    left = question.expires_at - here.base.clock.now()
    await passes(here, left / 2 - SECOND)
    assert len(reminders(here)) == 2
    await passes(here, SECOND)
    assert reminders(here)[2:] == [f"{question.id}@{MARA}"]
    view = await view_of(here, question, MARA)
    assert (view.ends_at, view.passes_on) == (question.expires_at, False)


async def test_who_was_not_reminded_has_no_line_to_lose(here: Harness) -> None:
    """That its owner was reminded says nothing of the next one: after their yes nothing is delivered about one."""
    await ruled(here, MARA)
    question, _ = await asked(here)
    await passes(here, QUESTION_LIFE / 2)
    await says(here, question, DANA)
    await says(here, question, MARA)
    assert reminders(here) == [question.id] * 2


@pytest.mark.parametrize("end", ["a yes", "a no", "the owner's no", "an edit", "the next turn", "expiry"])
async def test_a_reminder_goes_when_it_waits_for_them_no_more(here: Harness, end: str) -> None:
    """Whatever ended their turn: the line is delivered once more, and nothing stands there then. Nobody who had their
    turn is reminded of it, and the next one is reminded in their own turn.
    """
    await ruled(here, MARA, ERIN)
    question, _ = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN / 2)
    theirs = f"{question.id}@{MARA}"
    assert reminders(here) == [theirs]
    match end:
        case "a yes":
            await says(here, question, MARA)
        case "a no":
            await says(here, question, MARA, Choice.REJECT)
        case "the owner's no":
            await says(here, question, DANA, Choice.REJECT)
        case "an edit":
            await edited(here, question, {"text": "that"})
        case "expiry":
            await passes(here, QUESTION_LIFE)
        case _:
            await passes(here, TURN / 2)
    assert reminders(here) == [theirs] * 2
    assert (await view_of(here, question, MARA)).needs_none
    if end == "the next turn":
        assert (await now_of(here, question)).waits_for == ERIN
        left = question.expires_at - here.base.clock.now()
        await passes(here, left / 2)
        assert reminders(here)[2:] == [f"{question.id}@{ERIN}"]


async def test_what_went_on_meanwhile_is_not_reminded_of(here: Harness) -> None:
    """The tick found that its owner was to be reminded, and they say yes before it writes that down: nobody is, and the
    next one keeps half of their turn.
    """
    await ruled(here, MARA)
    question, _ = await asked(here)
    here.base.clock.at += QUESTION_LIFE / 2
    async with here.base.store.read() as work:
        (due,) = await work.questions.to_remind(now=here.base.clock.now(), limit=9)
    await says(here, question, DANA)
    with pytest.raises(LostRace):
        async with here.transactions.write() as tx:
            await tx.work.questions.reminded(due, at=tx.now)
    now = await now_of(here, question)
    assert (now.reminded_at, now.remind_at) == (None, now.turns[0].half)
