"""Moves of one action inside a commit: through the real tables, and what is told about them is checked at once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from bot.domain import conditions as when
from bot.domain.actions import ACTION_MOVES, ActionState
from bot.domain.conditions import Standing
from bot.domain.questions import QUESTION_MOVES, QuestionKind, QuestionState
from bot.domain.runs import RunState
from bot.domain.states import check_move
from policies.types import Decision, EffectClass
from tests.verification.explorer.circles import OWNER, Circle, Round, named, too_few
from tests.verification.explorer.values import Act, Ask, Job, Kind, Violation


class By(Enum):
    """Whose doing an event is. Only a worker's and time's are bound to come."""

    WORKER = "worker"
    TIME = "time"
    PERSON = "person"
    WORLD = "world"


class Event(NamedTuple):
    """What can happen to one action. `cost` 1 is a disturbance: their number bounds the search.

    `commit`: the step was locked and `after` ends it; else it is nothing that a row shows to `after`. `revives`: it
    moves a paused run too.
    """

    name: str
    act: Act
    by: By = By.WORKER
    cost: int = 0
    commit: bool = True
    revives: bool = False


def moved(act: Act, *path: ActionState, **changes: object) -> Act:
    """Along the path, each move through the table."""
    for state in path:
        check_move("action", ACTION_MOVES, act.state, state)
        act = act._replace(state=state)
    return act._replace(**changes)


def closed(act: Act, to: QuestionState) -> Act:
    """Its open question ends; another click on it must not count any more."""
    if act.ask is None:
        return act
    check_move("question", QUESTION_MOVES, QuestionState.OPEN, to)
    if when.may_decide(to, asked=act.ask.edition, edition=act.edition):
        check_move("question", QUESTION_MOVES, to, QuestionState.DECIDED)
    return act._replace(ask=None, decided=act.decided or to is QuestionState.DECIDED)


def asked(act: Act, kind: QuestionKind, **changes: object) -> Act:
    """Its owner is asked. Whether the action is awaiting or unknown was settled by the caller."""
    if act.ask is not None:
        raise Violation("a second question was opened about one action")
    if kind is not QuestionKind.APPROVE or act.circle is None:
        return act._replace(ask=Ask(kind, act.edition, act.alone), **changes)
    if too_few(act.circle.rules, named(act.circle.rules) - act.circle.away):
        raise Violation("a card was made to which too few may agree")
    of_all = Round(rules=act.circle.rules, deciders=act.circle.judged.deciders)
    return act._replace(ask=Ask(kind, act.edition, act.hash, of_all), **changes)


def claimed(run: Standing, act: Act, *path: ActionState) -> Act:
    """An attempt begins: what policy and people really said is held against it."""
    if run.cancel_requested or run.hard_stop:
        raise Violation("an attempt began after its run was stopped")
    if act.is_effect:
        _must_be_covered(act)
    attempt = act.attempt + 1
    old = act.old if act.job is None or act.job.held else act.job._replace(late=act.due)
    return moved(act, *path, attempt=attempt, due=False, job=Job(attempt, act.hash), old=old)


def held_back(run: Standing, act: Act, *path: ActionState) -> Act:
    """In place of an attempt it completes as scheduled: what lets it begin has to let this, too."""
    if run.cancel_requested or run.hard_stop:
        raise Violation("something was held back after its run was stopped")
    _must_be_covered(act)
    return moved(act, *path, ActionState.COMPLETED)


def delegated(run: Standing, act: Act, *_: ActionState) -> Act:
    """In place of an attempt a run is queued that does the work: once, and where an attempt might begin."""
    if run.cancel_requested or run.hard_stop:
        raise Violation("work was given to an agent after its run was stopped")
    if act.child is not None:
        raise Violation("a second run does the work of one action")
    _must_be_covered(act)
    return moved(act, ActionState.AWAITING, child=RunState.QUEUED)


def _must_be_covered(act: Act) -> None:
    if act.verdict is Decision.DENY:
        raise Violation("an effect began against the policy")
    if act.verdict is Decision.ALLOW and act.edition == 1:
        return
    if act.circle is not None:
        _must_be_agreed_to(act.circle, act.hash)
    elif act.hash not in act.really_voted:
        raise Violation("an effect began whose hash nobody approved")
    if act.vote_over:
        raise Violation("an effect began on an approval whose life was over")


def _must_be_agreed_to(circle: Circle, hash_: str) -> None:
    """By its owner and by as many others as the rules in force say, who are there still, each to exactly this."""
    yes = {user for user, what in circle.said if what == hash_} - circle.away
    if OWNER not in yes:
        raise Violation("an effect began to which its owner did not say yes")
    if too_few(circle.rules, yes):
        raise Violation("an effect began to which too few agreed")


def unknown(act: Act) -> Act:
    """It may have happened, and its owner is asked."""
    left = moved(act, ActionState.UNKNOWN, doubt=True, job=_fenced(act.job))
    return asked(left, QuestionKind.SETTLE)


def _fenced(job: Job | None) -> Job | None:
    return job if job is not None and not job.held else None


def _arguments(hash_: str) -> Sequence[str]:
    """What a provider knows it by besides its key. It does not hear who had to agree; and what the preview was made
    from lets it refuse, and never act twice.
    """
    edition, _, account = hash_.partition(" ")[0].split(".")
    return edition, account


def did(act: Act, hash_: str) -> Act:
    """The provider does it. The same again under the same key changes nothing; anything else is done twice."""
    if act.kind.effect is EffectClass.READ or (act.kind is Kind.OWN and act.really_did):
        return act
    if act.kind.is_keyed and _arguments(hash_) in map(_arguments, act.really_did):
        return act
    return act._replace(really_did=(*act.really_did, hash_))
