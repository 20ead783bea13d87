"""The turn of somebody who has to agree: they are reminded at half of it, and whoever leaves is not waited for."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.deliveries import CardReminder, DeliveryKind
from bot.domain.questions import QUESTION_LIFE, Choice, Question, QuestionState
from bot.domain.states import LostRace
from bot.runtime.delivery.views import ReminderView
from bot.runtime.people.profiles import ProfileService
from bot.runtime.questions import expiry
from bot.runtime.questions.agreement import end_turn
from bot.runtime.runs.stop import person_changed
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.questions.test_agreement import (
    ERIN,
    FINN,
    TURN,
    asked,
    edited,
    now_of,
    passes,
    ruled,
    says,
)
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


@dataclass(frozen=True)
class Told:
    """Slack tells that somebody changed: as a change of their profile, or where it is asked for it before an action."""

    here: Harness

    async def by_event(self, user: str, **what: bool) -> None:
        self.here.directory.people[user] = make.person(user=user, **what)
        await person_changed(self.here.transactions, make.person(user=user, **what))

    async def by_look_up(self, user: str, **what: bool) -> None:
        self.here.directory.people[user] = make.person(user=user, **what)
        await ProfileService(store=self.here.base.store, profiles=self.here.directory).person(TEAM, user)


def entries(here: Harness, code: AuditCode) -> list[dict[str, Any]]:
    """What the log says of this."""
    rows = here.base.rows("SELECT body FROM audit WHERE code = ? ORDER BY id", code.value)
    return [json.loads(row["body"])["details"] for row in rows]


@pytest.mark.parametrize("what", ["is_guest", "is_deleted", "is_bot"])
@pytest.mark.parametrize("by", [Told.by_event, Told.by_look_up])
async def test_who_leaves_in_their_turn_is_not_waited_for(here: Harness, what: str, by: Any) -> None:
    """With the next tick the card is with whoever stands in, for their own turn, and the log says who left. Whoever
    left decides no more, also after they came back; that they left costs nobody else their yes.
    """
    await ruled(here, MARA, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN / 4)
    assert (await now_of(here, question)).waits_for == MARA
    await by(Told(here), MARA, **{what: True})
    await asyncio.gather(expiry.tick(here.transactions), expiry.tick(here.transactions))
    now = await now_of(here, question)
    assert (now.waits_for, now.turns[-1].began_at) == (ERIN, here.base.clock.now())
    (said,) = entries(here, AuditCode.QUESTION_READER_GONE)
    assert (said["gone"], said["next"], said["question"]) == (MARA, ERIN, question.id)
    await here.seen(make.person(user=MARA))
    assert not (await says(here, question, MARA)).accepted
    assert (await now_of(here, question)).waits_for == ERIN
    here.directory.people[MARA] = make.person(user=MARA, **{what: True})
    assert (await says(here, question, ERIN)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert len(here.effect.calls) == 1


async def test_who_comes_back_costs_nobody_their_yes(here: Harness) -> None:
    """Their stand-in agreed while they were away: that counts for both, whoever is there when it is done."""
    here.directory.people[MARA] = make.person(user=MARA, is_guest=True)
    await ruled(here, MARA, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    here.directory.people[MARA] = make.person(user=MARA)
    await here.seen(make.person(user=MARA))
    await says(here, question, ERIN)
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_nobody_stands_in_for_who_stands_in(here: Harness) -> None:
    """When they leave, too, the next of the rule is asked, and when that one leaves and nobody is left, policy is asked
    again and refuses; the log names each who left.
    """
    await ruled(here, MARA, FINN, stand_in=ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    for user, follows in ((MARA, ERIN), (ERIN, FINN)):
        await Told(here).by_event(user, is_deleted=True)
        await passes(here, SECOND)
        assert (await now_of(here, question)).waits_for == follows
    await Told(here).by_event(FINN, is_deleted=True)
    await passes(here, SECOND)
    assert (await now_of(here, question)).state is QuestionState.REPLACED
    denied = await here.action(action)
    assert (denied.state, here.effect.calls) == (ActionState.DENIED, [])
    assert "only 0 of them may decide" in denied.summary
    said = entries(here, AuditCode.QUESTION_READER_GONE)
    assert [(one["gone"], one.get("next")) for one in said] == [(MARA, ERIN), (ERIN, FINN), (FINN, None)]


async def test_where_too_few_are_left_everybody_is_asked_again(here: Harness) -> None:
    """The first was silent in their turn, the second leaves: those who are there still make up the number, and they are
    asked on a new card, its owner first. The last turn would have lasted as long as the question.
    """
    await ruled(here, MARA, ERIN)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    assert (await now_of(here, question)).waits_for == ERIN
    await Told(here).by_event(ERIN, is_guest=True)
    await passes(here, SECOND)
    again = await here.card_of(question.run_id)
    assert (again.id != question.id, again.waits_for) == (True, DANA)
    for user in (DANA, MARA):
        await says(here, again, user)
    assert (await here.action(action)).state is ActionState.COMPLETED


@pytest.mark.parametrize("who", [DANA, MARA, ERIN])
async def test_only_whoever_is_in_turn_is_replaced(here: Harness, who: str) -> None:
    """Whoever agreed before, or comes later, may leave: that is looked at when it matters. What its owner asked for
    ends with them, and no card goes on then.
    """
    await ruled(here, MARA, FINN, ERIN, needed=2)
    question, _ = await asked(here)
    for user in (DANA, MARA):
        await says(here, question, user)
    await Told(here).by_event(who, is_guest=True)
    await passes(here, SECOND)
    now = await now_of(here, question)
    assert (now.waits_for, now.state is QuestionState.OPEN) == (FINN, who != DANA)
    assert entries(here, AuditCode.QUESTION_READER_GONE) == []


async def test_who_left_and_is_silent_left(here: Harness) -> None:
    """Their turn ends at the very moment: the log says why it went on, once."""
    await ruled(here, MARA, stand_in=ERIN)
    question, _ = await asked(here)
    await says(here, question, DANA)
    await here.seen(make.person(user=MARA, is_guest=True))
    await passes(here, TURN)
    assert (await now_of(here, question)).waits_for == ERIN
    assert [code for code in here.codes() if code.startswith("question.")][-1] == "question.reader_gone"
    assert here.codes().count("question.passed_on") == 0


async def test_who_came_back_before_the_tick_is_waited_for(here: Harness) -> None:
    """Found by a tick as gone, and a member again by the time that the step is locked: nothing moves."""
    await ruled(here, MARA, stand_in=ERIN)
    question, _ = await asked(here)
    await says(here, question, DANA)
    async with here.transactions.write() as tx:
        await end_turn(tx, question)
    assert (await now_of(here, question)).waits_for == MARA
    assert entries(here, AuditCode.QUESTION_READER_GONE) == []
