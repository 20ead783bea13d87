"""Who stands in for somebody who has to agree does so until a moment: no turn after it, and no yes."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.questions import Choice, QuestionState
from bot.runtime.texts import to_people
from tests import builders as make
from tests.builders import DANA, MARA
from tests.unit.bot.runtime.questions.test_agreement import (
    ERIN,
    FINN,
    TURN,
    asked,
    is_guest,
    now_of,
    passes,
    ruled,
    says,
    served,
)
from tests.unit.bot.runtime.questions.test_turns import SECOND, Told, entries
from tests.unit.bot.runtime.runtime_harness import Harness

HOUR = timedelta(hours=1)


def ends_in(here: Harness, time: timedelta) -> datetime:
    return here.base.clock.now() + time


async def test_in_time_they_are_asked_and_their_yes_counts(here: Harness) -> None:
    """As a stand-in without an end, but that their turn lasts no longer than that."""
    end = ends_in(here, TURN + HOUR)
    await ruled(here, MARA, stand_in=ERIN, until=end)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    now = await now_of(here, question)
    assert (now.waits_for, now.turn_over_at, now.turns[-1].ends_at) == (ERIN, end, end)
    assert (await says(here, question, ERIN)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_who_stands_in_no_more_gets_no_turn(here: Harness) -> None:
    """The turn of the approver ends after it: the next one is asked."""
    await ruled(here, MARA, FINN, stand_in=ERIN, until=ends_in(here, TURN))
    question, _ = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    assert (await now_of(here, question)).waits_for == FINN


async def test_an_approver_whose_stand_in_is_none_by_now_is_waited_for(here: Harness) -> None:
    """Their turn would have ended, and nobody comes next any more: they have the time of the question."""
    await ruled(here, MARA, stand_in=ERIN, until=ends_in(here, TURN / 2))
    question, _ = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    now = await now_of(here, question)
    assert (now.waits_for, now.turn_over_at, now.state) == (MARA, None, QuestionState.OPEN)


@pytest.mark.parametrize("choice", [Choice.APPROVE, Choice.REJECT])
async def test_what_they_say_after_it_is_refused(here: Harness, choice: Choice) -> None:
    """Before any tick saw it: told, audited as a click of somebody who is not in turn, and nothing is decided."""
    await ruled(here, MARA, FINN, stand_in=ERIN, until=ends_in(here, TURN + HOUR))
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    here.base.clock.at += HOUR
    outcome = await here.click(question, choice, user=ERIN)
    assert (outcome.accepted, outcome.text) == (False, to_people.STANDS_IN_NO_MORE)
    assert here.codes()[-1] == "click.not_in_turn"
    await served(here)
    assert (await here.action(action)).state is ActionState.AWAITING
    await passes(here, SECOND)
    assert (await now_of(here, question)).waits_for == FINN
    (said,) = entries(here, AuditCode.QUESTION_READER_GONE)
    assert (said["gone"], said["stood_in"], said["next"]) == (ERIN, True, FINN)


async def test_the_owner_takes_it_back_whoever_stands_in(here: Harness) -> None:
    """Their no counts as long as others are asked."""
    await ruled(here, MARA, FINN, stand_in=ERIN, until=ends_in(here, TURN + HOUR))
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    here.base.clock.at += HOUR
    assert (await says(here, question, DANA, Choice.REJECT)).accepted
    assert (await here.action(action)).state is ActionState.REJECTED


async def test_where_nobody_comes_next_everybody_is_asked_again(here: Harness) -> None:
    """Their turn ended with their time: a new card, its owner first, waits for the approver, for whom nobody stands."""
    await ruled(here, MARA, stand_in=ERIN, until=ends_in(here, TURN + HOUR))
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    await passes(here, HOUR)
    assert (await now_of(here, question)).state is QuestionState.REPLACED
    again = await here.card_of(question.run_id)
    assert [each.people for each in again.deciders] == [{MARA}]
    for user in (DANA, MARA):
        await says(here, again, user)
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert len(here.effect.calls) == 1


async def test_a_card_that_is_made_after_it_names_no_stand_in(here: Harness) -> None:
    """Where the approver is away as well, it is refused."""
    await ruled(here, MARA, stand_in=ERIN, until=ends_in(here, timedelta(0)))
    question, _ = await asked(here)
    assert [each.people for each in question.deciders] == [{MARA}]
    here.directory.people[MARA] = is_guest(MARA)
    run = await here.asked([("gmail_send", {"text": "it"})])
    action = await here.action(run)
    assert action.state is ActionState.DENIED
    assert "only 0 of them may decide" in action.summary


async def test_who_sits_in_an_approvers_place_does_so_until_then(here: Harness) -> None:
    """The approver left before the card was made, so it waits for the stand-in: until their end, and no longer."""
    here.directory.people[MARA] = make.person(user=MARA, is_guest=True)
    await ruled(here, MARA, FINN, stand_in=ERIN, until=ends_in(here, HOUR))
    question, _ = await asked(here)
    await says(here, question, DANA)
    assert (await now_of(here, question)).waits_for == ERIN
    await passes(here, HOUR)
    assert (await now_of(here, question)).waits_for == FINN


async def test_a_yes_counts_no_more_once_its_time_is_over(here: Harness) -> None:
    """They agreed in time, and another one's yes came after it: all are asked again, without them."""
    await ruled(here, MARA, FINN, needed=2, stand_in=ERIN, until=ends_in(here, TURN + HOUR))
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    await says(here, question, ERIN)
    assert (await now_of(here, question)).waits_for == FINN
    here.base.clock.at += HOUR
    await says(here, question, FINN)
    assert (await now_of(here, question)).state is QuestionState.REPLACED
    assert (await here.action(action)).state is ActionState.AWAITING
    assert here.effect.calls == []


async def test_a_yes_counts_no_more_at_the_claim(here: Harness) -> None:
    """Their time ended between the last yes and the moment at which it is done."""
    await ruled(here, MARA, stand_in=ERIN, until=ends_in(here, TURN + HOUR))
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    assert (await here.click(question, user=ERIN)).accepted
    here.base.clock.at += HOUR
    await served(here)
    assert (await here.action(action)).state is ActionState.AWAITING
    assert here.effect.calls == []


async def test_an_end_between_card_and_claim_asks_nobody_twice(here: Harness) -> None:
    """The approver agreed themselves: that somebody does not stand in any more changes nothing of that."""
    await ruled(here, MARA, stand_in=ERIN, until=ends_in(here, HOUR))
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, HOUR)
    await says(here, question, MARA)
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_an_approver_of_another_rule_goes_on(here: Harness) -> None:
    """Their time as a stand-in is over, and their own seat stays theirs."""
    await ruled(here, MARA, stand_in=ERIN, until=ends_in(here, HOUR))
    await ruled(here, ERIN, id="own")
    question, action = await asked(here)
    for user in (DANA, MARA):
        await says(here, question, user)
    await passes(here, HOUR)
    assert (await now_of(here, question)).waits_for == ERIN
    assert (await says(here, question, ERIN)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_who_leaves_in_time_leaves(here: Harness) -> None:
    """The log tells one from the other."""
    await ruled(here, MARA, FINN, stand_in=ERIN, until=ends_in(here, TURN + HOUR))
    question, _ = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    await Told(here).by_event(ERIN, is_guest=True)
    await passes(here, SECOND)
    (said,) = entries(here, AuditCode.QUESTION_READER_GONE)
    assert (said["gone"], "stood_in" in said) == (ERIN, False)
