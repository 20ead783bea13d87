"""A run whose work an agent does, explored with it: neither outlives, doubles or loses what is the other's."""

from __future__ import annotations

import pytest

from bot.domain.runs import RunState
from tests.depth import some
from tests.verification.explorer import families_out
from tests.verification.explorer.conditions_out import taken_out
from tests.verification.explorer.families import ANSWER, BARE, KEYED, Families
from tests.verification.explorer.families_out import (
    ASKED,
    CONDITIONS,
    IF_APPROVED,
    OF_PLANS,
    PLANNED,
    SECOND_IF_APPROVED,
    TWO,
    TWO_ASK,
    OutOfFamilies,
)
from tests.verification.explorer.family_search import FamilySearch
from tests.verification.explorer.lines_out import without
from tests.verification.explorer.search import Found

EVERYTHING = {
    "an effect": (Families(), 2),
    "an effect that nobody can look up": (Families(calls=(BARE,)), 2),
    "beside a question": (Families(beside=(ANSWER,)), 1),
    "both ask": (Families(beside=(ASKED,), calls=(ASKED,)), 3),
    "given if approved": (IF_APPROVED, 2),
    "two agents that ask": (TWO_ASK, 2),
    "a second agent if approved": (SECOND_IF_APPROVED, 2),
    "a plan": (PLANNED, 2),
    "a plan with an effect": (PLANNED._replace(calls=(KEYED,)), 1),
}


@pytest.mark.parametrize("name", some(["an effect", "a plan with an effect"], EVERYTHING))
def test_every_world_of_a_run_and_its_child(name: str) -> None:
    """Crashes, stops, limits, silence, replies, Continue and Ask again at any places: all of it holds of both."""
    bounds, disturbances = EVERYTHING[name]
    assert FamilySearch(bounds, disturbances).run() > 100


def test_what_people_do_reaches_the_child() -> None:
    """The search takes each way down the tree, and each way up."""
    search = FamilySearch(Families(), 2)
    search.run()
    wanted = {"stop", "hard stop", "request deleted", "continue", "a reply to the child", "child: ask again"}
    assert wanted - search.made.keys() == set()
    ends = {child.run.state for family in search.worlds for _, child in family.born}
    assert ends >= {RunState.PAUSED, RunState.AWAITING, RunState.EXECUTING}


@pytest.mark.deep
def test_what_people_do_reaches_two_children() -> None:
    """Two agents at work side by side: words reach the one that alone asks, else the request and every card; a stop
    ends both, and Continue asks both again.
    """
    search = FamilySearch(TWO, 1)
    search.run()
    wanted = {"a reply", "a reply to the child", "stop", "hard stop", "continue", "child: approved"}
    assert wanted - search.made.keys() == set()
    pairs = {tuple(child.run.state for _, child in family.lives) for family in search.worlds}
    assert pairs >= {(RunState.AWAITING,) * 2, (RunState.AWAITING, RunState.PAUSED), (RunState.EXECUTING,) * 2}


def test_what_people_do_with_a_plan() -> None:
    """Every answer to its question, from Slack or from elsewhere; later revisions are confirmed, too."""
    search = FamilySearch(PLANNED, 1)
    search.run()
    answers = {"confirmed", "dropped", "changed by hand", "nobody answered about the plan", "asks about the rest"}
    follows = {f"a task failed, and {what}" for what in ("the rest is done", "is done in another way")}
    follows.add("a task failed, and the next one is dropped")
    own = {"the next task is changed", "the next task is dropped"}
    wanted = {"a reply", "a wish in a window", "stop", *own, *(f"parent: {each}" for each in answers | follows)}
    assert wanted - search.made.keys() == set()
    plans = {family.parent.run.plan for family in search.worlds if family.born}
    assert {plan.confirmed for plan in plans if plan} >= {1, 2}
    ends = {family.parent.run.state for family in search.worlds if (one := family.parent.run.plan) and one.carries_out}
    assert ends >= {RunState.COMPLETED, RunState.FAILED, RunState.PAUSED}


@pytest.mark.deep
@pytest.mark.parametrize("each", [*CONDITIONS.items(), *OF_PLANS.items()], ids=lambda each: each[0])
def test_a_condition_that_is_taken_out_is_missed_by_children(each: tuple[str, OutOfFamilies]) -> None:
    """Without it the search finds what it is there against; with it, nothing."""
    name, out = each
    FamilySearch(out.bounds, out.disturbances).run()
    with taken_out(name), pytest.raises(Found, match=out.finds):
        FamilySearch(out.bounds, out.disturbances).run()


@pytest.mark.parametrize("name", families_out.LINES)
def test_a_line_of_after_is_missed_by_children(name: str) -> None:
    """Where `after` does not see the child, one of the two is left alone."""
    line = families_out.LINES[name]
    with without(line.hide), pytest.raises(Found, match=line.finds):
        FamilySearch(line.bounds, line.disturbances).run()
