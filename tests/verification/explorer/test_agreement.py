"""Several deciders, explored: nothing is done without its owner and as many others as the rules say, each in turn."""

from __future__ import annotations

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import QuestionKind
from tests.depth import first
from tests.verification.explorer import agreement_out
from tests.verification.explorer.agreement import votes
from tests.verification.explorer.agreement_out import CONDITIONS, COVERED, IN_DOUBT, PARTS, TO_AGREE_TO, TOGETHER, UNDER
from tests.verification.explorer.circles import ERIN, FINN, GWEN, MARA, OWNER, TWO_OF_THREE
from tests.verification.explorer.conditions_out import READ, Out, taken_out
from tests.verification.explorer.moves import asked, moved
from tests.verification.explorer.runs import Bounds
from tests.verification.explorer.search import Found, Search
from tests.verification.explorer.values import Act


def search(out: Out) -> None:
    """As far as it says."""
    Search(disturbances=out.disturbances, bounds=out.bounds).run()


def test_every_world_of_what_others_have_to_agree_to() -> None:
    """Everybody votes and turns end at any time; once somebody leaves, the rules change, or the card is edited, nobody
    answers, its owner stops or replies, or a worker dies: all of it holds.
    """
    assert Search(disturbances=1, bounds=TO_AGREE_TO).run().worlds > 2_500


@pytest.mark.deep
@pytest.mark.parametrize(
    "bounds",
    [Bounds(UNDER[:1], 1, calls=1), Bounds(IN_DOUBT, 1, calls=1), Bounds((UNDER[TWO_OF_THREE], READ), 1)],
    ids=["two of three", "in doubt", "beside a look"],
)
def test_every_world_of_it_twice_disturbed(bounds: Bounds) -> None:
    """The same at any two places, also of an effect that nobody can look up, and beside another call."""
    assert Search(disturbances=1 if bounds.calls > 1 else 2, bounds=bounds).run().worlds > 1_000


def test_everybody_is_asked_and_every_two_of_them_are_enough() -> None:
    """The search knows each who may agree as a reader, and each pair that may, with who stands in."""
    waiting = [asked(moved(UNDER[TWO_OF_THREE], ActionState.AWAITING), QuestionKind.APPROVE)]
    readers, enough = set[str](), set[frozenset[str]]()
    while waiting:
        act = waiting.pop()
        if act.state is ActionState.APPROVED:
            enough.add(_yes(act) - {OWNER})
        if act.ask is not None and act.circle is not None:
            readers.add(act.ask.round.waits_for)
            waiting += [event.act for event in votes(act, act.ask, act.circle)]
    assert readers == {OWNER, MARA, GWEN, ERIN, FINN}
    pairs = ({MARA, ERIN}, {MARA, FINN}, {GWEN, ERIN}, {GWEN, FINN}, {ERIN, FINN})
    assert enough == {frozenset(pair) for pair in pairs}


def _yes(act: Act) -> frozenset[str]:
    return frozenset(user for user, _ in act.circle.said) if act.circle else frozenset()


@pytest.mark.parametrize("name", first(4, CONDITIONS))
def test_a_condition_that_is_taken_out_is_missed(name: str) -> None:
    """Without this condition the search finds what it is there against; with it, nothing."""
    with taken_out(name), pytest.raises(Found, match=CONDITIONS[name].finds):
        search(CONDITIONS[name])


@pytest.mark.parametrize("name", first(1, COVERED))
def test_a_condition_that_others_cover(name: str) -> None:
    """Without this condition nothing breaks, because others hold the same: the table says which."""
    assert COVERED[name].because
    with taken_out(name):
        search(COVERED[name])


@pytest.mark.parametrize("names", TOGETHER, ids=" and ".join)
def test_conditions_that_cover_each_other(names: tuple[str, str]) -> None:
    """Both together are missed."""
    with taken_out(*names), pytest.raises(Found, match=TOGETHER[names]):
        search(agreement_out.TWO_OF_THREE)


@pytest.mark.parametrize("name", PARTS)
def test_what_policy_says_otherwise_is_missed(name: str) -> None:
    """Where policy counts otherwise who may agree, the search finds what comes of it."""
    with agreement_out.instead_of(PARTS[name]), pytest.raises(Found, match=PARTS[name].finds):
        Search(disturbances=1, bounds=TO_AGREE_TO).run()
