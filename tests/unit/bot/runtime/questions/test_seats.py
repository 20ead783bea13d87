"""Whose seat a yes takes: where two rules name the same people, and where an approver may not decide any more."""

from __future__ import annotations

import pytest

from bot.domain.actions import ActionState
from tests import builders as make
from tests.builders import DANA, MARA
from tests.unit.bot.runtime.questions.test_agreement import ERIN, TURN, asked, is_guest, now_of, passes, ruled, says
from tests.unit.bot.runtime.runtime_harness import Harness


async def two_rules(here: Harness, *, first: str) -> None:
    """One wants Mara, the other Erin, for whom Mara stands in."""
    here.directory.people[ERIN] = make.person(user=ERIN)
    for name in sorted(["own", "other"], key=lambda name: name != first):
        if name == "own":
            await ruled(here, MARA, id=f"{int(name != first)}_own")
        else:
            await ruled(here, ERIN, stand_in=MARA, id=f"{int(name != first)}_other")


@pytest.mark.parametrize("first", ["own", "other"])
async def test_one_yes_takes_no_seat_of_who_was_not_asked(here: Harness, first: str) -> None:
    """Erin is here, so both are asked, whichever rule comes first."""
    await two_rules(here, first=first)
    question, action = await asked(here)
    assert (await says(here, question, DANA)).accepted
    assert not (await says(here, question, MARA)).accepted
    assert (await says(here, question, ERIN)).accepted
    assert here.effect.calls == []
    assert (await says(here, question, MARA)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED
    assert [turn.user for turn in (await now_of(here, question)).turns] == [ERIN, MARA]


@pytest.mark.parametrize("first", ["own", "other"])
async def test_after_the_approvers_turn_one_yes_counts_in_both_rules(here: Harness, first: str) -> None:
    """Erin said nothing in their time, so Mara's yes is that of an approver, and of who stands in."""
    await two_rules(here, first=first)
    question, action = await asked(here)
    await says(here, question, DANA)
    await passes(here, TURN)
    assert (await says(here, question, MARA)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_who_left_before_their_turn_is_stood_in_for(here: Harness) -> None:
    """Erin became a guest after the card was made, and comes back behind Mara's yes: it counts."""
    here.directory.people[ERIN] = make.person(user=ERIN)
    await ruled(here, ERIN, stand_in=MARA)
    question, action = await asked(here)
    await here.seen(is_guest(ERIN))
    await says(here, question, DANA)
    assert (await now_of(here, question)).waits_for == MARA
    await here.seen(make.person(user=ERIN))
    assert (await says(here, question, MARA)).accepted
    assert (await here.action(action)).state is ActionState.COMPLETED
