"""What is there for runs of agents, taken out in turn: conditions, and facts that lines of `after` look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from bot.domain.actions import ActionState
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.domain.steps import Sibling
from tests.verification.explorer.families import ALLOWED, ANSWER, BARE, GIVEN, GIVEN_IF_APPROVED, KEYED, READ, Families
from tests.verification.explorer.lines_out import Facts
from tests.verification.explorer.values import Ask, Plan


class OutOfFamilies(NamedTuple):
    """What the search then finds, and where it looks."""

    finds: str
    bounds: Families = Families()
    disturbances: int = 1


ASKED = ANSWER._replace(state=ActionState.AWAITING, ask=Ask(QuestionKind.ANSWER, 1, ANSWER.hash))
TWO = Families(beside=(GIVEN,), calls=(KEYED,))
TWO_ASK = TWO._replace(calls=(ASKED,))
SECOND_IF_APPROVED = Families(beside=(GIVEN_IF_APPROVED,), calls=(ASKED,))
_LEFT = "a run ended, or went on, and what works for it lives"
_STOPPED = "something is at work whose request was stopped"
_AT_WORK = "something is at work whose request ended or rests"
_RESTS = "a paused run has an open question"
IF_APPROVED = Families(given=GIVEN_IF_APPROVED, calls=(READ,))

CONDITIONS: Mapping[str, OutOfFamilies] = {
    "is_a_request": OutOfFamilies(_LEFT),
    "is_waited_for": OutOfFamilies(_STOPPED, Families(beside=(ASKED,), calls=(ASKED,)), 3),
    "may_be_left_behind": OutOfFamilies(_LEFT, Families(beside=(ANSWER,), calls=(ANSWER,))),
    "no_hard_stop": OutOfFamilies(
        "an attempt began after its run was stopped", Families(beside=(ALLOWED,), calls=(READ,))
    ),
    "follows_its_step": OutOfFamilies("a paused run went on without its owner"),
    "is_allowed": OutOfFamilies("an effect began whose hash nobody approved", IF_APPROVED),
    "within_life": OutOfFamilies("an effect began on an approval whose life was over", IF_APPROVED),
    "lets_through": OutOfFamilies("an effect began against the policy"),
}
"""The conditions and guards that are there for children, or guard them, too."""

PLANNED = Families(calls=(READ,), plan=Plan())
UNSURE = Families(calls=(BARE,), plan=Plan())
OF_PLANS: Mapping[str, OutOfFamilies] = {
    "stays_confirmed": OutOfFamilies("a revision is carried out that nobody confirmed", PLANNED),
    "is_refined_by_reply": OutOfFamilies("A action never goes from unknown to rejected", UNSURE),
    "may_ask": OutOfFamilies("a question waits beside a reply", PLANNED),
    "is_open": OutOfFamilies("A question never goes from decided to decided", PLANNED),
    "in_time": OutOfFamilies("a question was decided after it had expired", PLANNED),
    "no_stop_asked": OutOfFamilies("an attempt began after its run was stopped", PLANNED),
}
"""Those of a plan and the run of its tasks."""


def _without(hidden: Callable[[RunState], bool]) -> Callable[[Facts], Facts]:
    def child(one: Sibling) -> Sibling:
        return replace(one, child=None) if one.child is not None and hidden(one.child) else one

    return lambda facts: facts._replace(siblings=[child(one) for one in facts.siblings])


def _only_one(facts: Facts) -> Facts:
    """Of several children the first one is seen."""
    first = next((one for one in facts.siblings if one.child is not None), None)
    alone = [one if one is first or one.child is None else replace(one, child=None) for one in facts.siblings]
    return facts._replace(siblings=alone)


def _stopped(facts: Facts) -> Facts:
    return _without(RunState.is_live)(facts) if facts.cancel or facts.hard else facts


class LineOfFamilies(NamedTuple):
    """The same of a line of `after`; `hide` keeps its facts from it."""

    hide: Callable[[Facts], Facts]
    finds: str
    bounds: Families = Families()
    disturbances: int = 1


LINES: Mapping[str, LineOfFamilies] = {
    "1, what works for it has still to end": LineOfFamilies(_stopped, _LEFT),
    "4, what works for it can move": LineOfFamilies(_without(lambda state: state is not RunState.AWAITING), _AT_WORK),
    "5, what works for it asks": LineOfFamilies(_without(lambda state: state is RunState.AWAITING), _RESTS),
    "4 and 5, more than one child": LineOfFamilies(_only_one, "something could go on without", TWO_ASK, 0),
}
