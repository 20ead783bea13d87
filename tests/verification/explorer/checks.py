"""The properties: of every action by itself, of every run with its step, and that something can always go on."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain import conditions as when
from bot.domain.actions import NOT_BEGUN
from bot.domain.actions import ActionState as S
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from tests.verification.explorer.values import MOST_ATTEMPTS, Act, Course, Kind, Violation, unsettled
from tests.verification.explorer.workers import may_still_send

_SAID_NOT_DONE = {S.FAILED, S.DENIED, S.REJECTED, S.CANCELLED, S.EXPIRED}
_READ_FIRST = {QuestionKind.APPROVE, QuestionKind.ANSWER, QuestionKind.PLAN}
_BY_PEOPLE = 5  # attempts more, each after somebody connected again: more than a search has disturbances
_MOVES_ALONE = {S.PLANNED, S.APPROVED, S.EXECUTING}


def check_act(act: Act) -> None:
    """What must hold of an action whatever its run does."""
    if act.is_effect and len(act.really_did) > (1 if act.kind.is_keyed else 1 + act.tries):
        raise Violation("an effect happened twice")
    if act.state in _SAID_NOT_DONE and act.really_did and not act.doubt:
        raise Violation(f"an action is said to be {act.state.value} that was done")
    if act.state in _SAID_NOT_DONE and act.way and not act.doubt:
        raise Violation(f"an action is said to be {act.state.value} that may still be done")
    if act.later and act.really_did:
        raise Violation("what was to be held back was done at once")
    if act.state is S.COMPLETED and _leaves_a_mark(act) and not act.really_did and not act.later:
        raise Violation("an action is said to be done that was not")
    if act.attempt > MOST_ATTEMPTS + _BY_PEOPLE:
        raise Violation("an action was attempted again and again")
    about = None if act.ask is None else act.ask.kind is QuestionKind.SETTLE
    if act.child is not None and act.ask is None:
        return  # its run asks
    if (act.state is S.AWAITING) != (about is False) or (about is True and act.state is not S.UNKNOWN):
        raise Violation(f"an action is {act.state.value} and its question is {act.ask}")


def _leaves_a_mark(act: Act) -> bool:
    return act.is_effect or act.kind is Kind.OWN


def check_run(run: Course, acts: tuple[Act, ...]) -> None:
    """What must hold of a run and its open step."""
    states = {act.state for act in acts}
    asks = sum(act.ask is not None or act.child is RunState.AWAITING for act in acts)
    moves = bool(states & _MOVES_ALONE) or any(runs_alone(act.child) for act in acts)
    waits = any(act.ask is not None and act.ask.kind in _READ_FIRST for act in acts)
    _must(not (run.untaken and waits), "a question waits beside a reply that answers or supersedes it")
    _must(not (run.undone and any(act.really_did for act in acts)), "something was done that is said to be undone")
    _must(not (run.held and any(act.edition > 1 for act in acts)), "what was held back was changed")
    _must(not (run.waits and run.untaken), "what its requester wrote waits for a moment that is not its own")
    _must(not (run.waits and run.state is not RunState.QUEUED) or run.state.is_final(), "it began before its moment")
    if run.open is not None and run.open != unsettled(acts):
        raise Violation(f"steps.open is {run.open} and {unsettled(acts)} are not settled")
    if run.state.is_final():
        _check_final(run, acts)
    elif run.held and run.state is RunState.QUEUED:
        _must(run.open == 1 and states <= NOT_BEGUN, "what waits for its moment was begun, or is gone")
    elif run.state in {RunState.QUEUED, RunState.PLANNING}:
        _must(not acts and run.open is None, "a run is planning with an open step")
    elif run.state is RunState.EXECUTING:
        stops = (run.cancel or run.hard) and any(act.child is not None for act in acts)
        _must(moves or stops, "a run is executing and nothing in it can move")
    elif run.state is RunState.AWAITING:
        _must(asks > 0, "a run waits for people and asks nothing")
        _must(not moves, "a run waits for people and something could go on without them")
    else:
        _must(asks == 0, "a paused run has an open question")
        _must(S.EXECUTING not in states, "a run is paused in the middle of an attempt")


def runs_alone(child: RunState | None) -> bool:
    """Whether the run that does the work of an action can move without people."""
    return child is not None and child.is_live() and child is not RunState.AWAITING


def _check_final(run: Course, acts: tuple[Act, ...]) -> None:
    _must(all(act.ask is None for act in acts), "an ended run has an open question")
    _must(not any(act.state in NOT_BEGUN | {S.EXECUTING} for act in acts), "an ended run has an action that moves")
    _must(run.open is None, "an ended run has an open step")
    _must(not run.untaken, "what its requester wrote was lost")
    says_done = run.state is RunState.COMPLETED and not run.held and run.plan is None  # else code says so, from rows
    _must(not (run.stopping and says_done), "a run stopped at a limit says that it is done")
    for act in acts:
        _check_quiet(act)


def check_told(acts: tuple[Act, ...]) -> None:
    """The step closes, and the model will be told: by then somebody decided, and nothing moves any more."""
    for act in acts:
        check_act(act)
        _check_left_behind(act)
    silent = any(act.state is S.EXPIRED for act in acts)
    decided = any(act.decided or act.state is S.REJECTED for act in acts)
    _must(decided or not silent, "the model was called although nobody decided anything")


def _check_left_behind(act: Act) -> None:
    done = act.state.is_settled() or act.state is S.EXPIRED
    _must(done and act.ask is None, "a step was closed while something of it was not settled")
    for state in (RunState.PAUSED, RunState.AWAITING, RunState.EXECUTING):
        again = when.may_ask_again(when.Standing(state=state), act.state, question_open=False)
        _must(not again, "an action was asked again whose step was closed")
    _check_quiet(act)


def check_quiet(acts: Sequence[Act]) -> None:
    """Nothing of these is under way any more."""
    for act in acts:
        _check_quiet(act)


def _check_quiet(act: Act) -> None:
    for job in (act.job, act.old):
        if act.is_effect and job is not None:
            _must(not may_still_send(act, job), "after its step was closed an effect could still be sent")


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise Violation(what)
