"""Commits about the run itself, and how every other commit ends: with `after`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from bot.domain import conditions as when
from bot.domain.actions import NOT_BEGUN, ActionState
from bot.domain.questions import QuestionState
from bot.domain.runs import RUN_MOVES, RunState
from bot.domain.states import check_move
from bot.domain.steps import Closing, Sibling, after
from policies.types import Decision
from tests.verification.explorer import checks, guards, people
from tests.verification.explorer.moves import claimed, closed, delegated, moved
from tests.verification.explorer.values import LATER, NOW, THEN, Act, Course, Job, Kind, Violation, World, unsettled
from tests.verification.explorer.workers import tidy


def never(act: Act) -> bool:
    """Of no action."""
    return False


class Bounds(NamedTuple):
    """What the model may call, so many `calls` in a step, and for how many steps; or what is `held` back, each in a run
    of its own.
    """

    starts: tuple[Act, ...]
    steps: int = 2
    held: bool = False
    calls: int = 2

    @property
    def worlds(self) -> tuple[World, ...]:
        """Where it begins."""
        if not self.held:
            return (World(Course()),)
        return tuple(World(Course(steps=1, open=1, held=True, waits=True), (act,)) for act in self.starts)


class Happening(NamedTuple):
    """What can happen to a run without an open step, and the world after it."""

    name: str
    world: World
    cost: int = 0


class Sweep(NamedTuple):
    """What can happen to a run with an open step: the run after it, and what it does to each action.

    `commit`: `after` ends it. `revives`: it moves a paused run too. `unless`: an action for which it is another event.
    """

    name: str
    run: Course
    each: Callable[[Act], Act]
    cost: int = 1
    commit: bool = True
    revives: bool = False
    unless: Callable[[Act], bool] = never


def run_to(run: Course, to: RunState, **changes: object) -> Course:
    """Through the table; staying is no move."""
    if to is not run.state:
        check_move("run", RUN_MOVES, run.state, to)
    return run._replace(state=to, **changes)


# How a commit ends --------------------------------------------------------------------------------------------


def sibling(act: Act) -> Sibling:
    """What `after` is told of an action, as the store tells it."""
    by_person = act.decided or act.state is ActionState.REJECTED
    child = act.child if act.state is ActionState.AWAITING else None
    return Sibling(state=act.state, question_open=act.ask is not None, decided_by_person=by_person, child=child)


def follow(run: Course, acts: tuple[Act, ...], *, revives: bool = False) -> World:
    """The end of a commit that moved an action or a question. A run that rests is only moved by its owner."""
    if run.open is None:
        return World(run, acts)
    run = run._replace(open=unsettled(acts))
    if not when.follows_its_step(run.standing, by_person=revives):
        return World(run, acts)
    if run.state is RunState.PAUSED and not revives:
        raise Violation("a paused run went on without its owner")
    following = after([sibling(act) for act in acts], cancel_requested=run.cancel, hard_stop=run.hard)
    if following.run is RunState.PAUSED and following.step is Closing.STAYS:
        return pause(run, acts, silent=not run.hard)
    if following.run is RunState.CANCELLED:
        return end(run, acts, RunState.CANCELLED)
    if following.step is not Closing.STAYS:
        return close(run, acts, following.run)
    return World(run_to(run, following.run), acts)


def close(run: Course, acts: tuple[Act, ...], to: RunState) -> World:
    """The step closes: the model is told, and nothing of it may move any more."""
    checks.check_told(acts)
    untaken, over = run.untaken and to is not RunState.PAUSED, run.child and to is RunState.PAUSED
    return World(run_to(run, to, open=None, untaken=untaken, over=over))


def pause(run: Course, acts: tuple[Act, ...], *, silent: bool = False) -> World:
    """Every open question expires; what its requester wrote meanwhile becomes a run of its own, or waits until a plan
    that is not confirmed goes on. A child is over then, unless it is `silent`: nobody answered it.
    """
    quiet = tuple(people.expired(act) if act.ask else act for act in acts)
    still = run.open if run.open is None else unsettled(quiet)
    untaken = run.untaken and run.plan is not None and not run.plan.carries_out
    return World(run_to(run, RunState.PAUSED, untaken=untaken, open=still, over=run.child and not silent), quiet)


def end(run: Course, acts: tuple[Act, ...], to: RunState) -> World:
    """A final state: nothing is left open, and what is in doubt stays, as its card says."""
    taken = run.untaken and to is RunState.COMPLETED
    ended, left = run_to(run, to, untaken=taken, open=None), tuple(tidy(let_go(act)) for act in acts)
    checks.check_run(ended, left)
    return World(ended, tuple(act for act in left if act.job or act.old))


def let_go(act: Act) -> Act:
    """Withdraw its question, cancel what has not begun."""
    quiet = closed(act, QuestionState.WITHDRAWN)
    return moved(quiet, ActionState.CANCELLED) if act.state in NOT_BEGUN else quiet


# What happens to a run without an open step -------------------------------------------------------------------


def happenings(run: Course, bounds: Bounds) -> Iterator[Happening]:
    """Everything that can happen to a run without an open step."""
    if run.state is RunState.QUEUED:
        yield from _beginning(run)
    if run.state is RunState.PLANNING:
        yield from _planning(run, bounds)
        yield from _frozen(run, bounds)
    if when.is_unfinished(run.standing):
        yield Happening("stop", end(run._replace(cancel=True), (), RunState.CANCELLED), cost=1)
        yield Happening("request deleted", end(run._replace(deleted=True), (), RunState.CANCELLED), cost=1)
    if when.may_continue(run.standing):
        yield Happening("continue", World(run_to(_allowed_more(run), RunState.PLANNING)))


def _beginning(run: Course) -> Iterator[Happening]:
    others = [RunState.EXECUTING if run.other else RunState.AWAITING]
    if run.child:
        yield Happening("begins", World(run_to(run, RunState.PLANNING)))
        return
    if when.thread_is_free(others):
        if run.other:
            raise Violation("a run began while another of its thread was at work")
        yield Happening("begins", World(run_to(run, RunState.PLANNING, other=False)))
    if not run.untaken:
        yield Happening("a message", World(run._replace(untaken=True)), cost=1)
    yield Happening("the other run goes on or rests", World(run._replace(other=not run.other)))


def _planning(run: Course, bounds: Bounds) -> Iterator[Happening]:
    if run.held:  # its last word; what was said to it meanwhile becomes a run of its own
        yield Happening("concluded", end(run._replace(untaken=False), (), RunState.COMPLETED))
        yield Happening("hard stop", pause(run._replace(hard=True), ()), cost=1)
        return
    yield from _turns(run, run.steps, bounds)
    if run.untaken:
        yield Happening("takes the message in", World(run_to(run, RunState.PLANNING, untaken=False)))
    else:
        yield Happening("a message", World(run._replace(untaken=True)), cost=1)
    if not run.stopping:
        yield Happening("soft stop", World(run._replace(stopping=True)), cost=1)
    yield Happening("hard stop", pause(run._replace(hard=True), ()), cost=1)
    yield Happening("the model fails", _failed(run), cost=1)


def _failed(run: Course) -> World:
    """After a soft stop it is paused; else it ends, and what its requester wrote becomes a run of its own."""
    return pause(run, ()) if run.stopping else end(run, (), RunState.FAILED)


def _turns(run: Course, made_from: int, bounds: Bounds) -> Iterator[Happening]:
    """A turn of the model, made from the history of so many steps."""
    if made_from != run.steps:
        raise Violation("a turn was taken that was made from an older history")
    if when.may_complete(run.standing):
        yield Happening("final text", end(run, (), RunState.COMPLETED))
    elif run.stopping:
        yield Happening("text after the soft stop", pause(run, ()))
    if run.steps < bounds.steps and not run.stopping:
        for pair in combinations_with_replacement(bounds.starts, bounds.calls):
            names = " and ".join(f"{start.kind.value} ({start.verdict.value})" for start in pair)
            yield Happening(f"calls: {names}", called(run, pair))


STARTS = (
    Act(Kind.READ, Decision.ALLOW),
    Act(Kind.OWN, Decision.ALLOW),
    Act(Kind.KEYED, Decision.ASK),
    Act(Kind.KEYED, Decision.ALLOW),
    Act(Kind.BARE, Decision.ASK),
    Act(Kind.ANSWER, Decision.ALLOW),
    Act(Kind.CONNECT, Decision.ASK, linked=False, account=None),
)

EVERYTHING = Bounds(STARTS)


def called(run: Course, pair: Sequence[Act]) -> World:
    """The step with its calls, and the claims that need no look outside."""
    executing = run_to(run, RunState.EXECUTING, steps=run.steps + 1, open=len(pair))
    return follow(executing, tuple(_at_once(executing, act) for act in pair))


def _at_once(run: Course, act: Act) -> Act:
    if act.kind is Kind.AGENT:
        return delegated(run.standing, act) if act.verdict is Decision.ALLOW else act
    if when.is_repeatable(act.kind.effect) and act.kind not in {Kind.ANSWER, Kind.PLAN}:
        return claimed(run.standing, act, ActionState.APPROVED, ActionState.EXECUTING)
    return act


def _frozen(run: Course, bounds: Bounds) -> Iterator[Happening]:
    """The turn of a worker that lost its lease while it asked the model; of no interest while the store refuses it."""
    if run.held or not guards.lease_is_held(False):
        return
    if run.asking is None:
        yield Happening("the worker freezes", World(run._replace(asking=run.steps)), cost=1)
    else:
        yield from _turns(run._replace(asking=None), run.asking, bounds)


# What happens to a run with an open step ----------------------------------------------------------------------


def sweeps(run: Course) -> Iterator[Sweep]:
    """Everything that can happen to a run with an open step as a whole."""
    if run.held:
        yield from _held(run)
    if run.state is not RunState.PAUSED and not run.waits:
        yield Sweep("the worker dies", run, dead, commit=False)
        yield Sweep("the worker freezes", run, frozen, commit=False)
    if run.state not in {RunState.PAUSED, RunState.QUEUED} or (run.held and when.hears(run.standing)):
        if not run.untaken and not run.cancel and when.hears(run.standing):
            said, commit = run._replace(untaken=True), run.state is not RunState.QUEUED
            yield Sweep("a reply", said, people.superseded, commit=commit, unless=people.is_answered_by_reply)
        if not run.stopping and run.state is not RunState.QUEUED:
            yield Sweep("soft stop", run._replace(stopping=True), unchanged, commit=False)
        if not run.hard and run.state is not RunState.QUEUED:
            yield Sweep("hard stop", run._replace(hard=True), unchanged)
    if when.is_unfinished(run.standing):
        yield from _stops(run)
    if when.may_continue(run.standing):
        yield Sweep("continue", _allowed_more(run), people.again_if_left, cost=0, revives=True)


def _stops(run: Course) -> Iterator[Sweep]:
    """It is told to stop; and that its request is gone, also when it was told to stop before."""
    stopped = run._replace(cancel=True, untaken=False)
    if not run.cancel:
        yield Sweep("stop", stopped, let_go, revives=True)
    if not run.deleted:
        yield Sweep("request deleted", stopped._replace(deleted=True), let_go, revives=True)


def _held(run: Course) -> Iterator[Sweep]:
    """What was held back: its moment comes, or its owner says so, and it begins; or he takes it back before."""
    if run.state is RunState.QUEUED:
        if run.waits:
            yield Sweep("its moment comes", run._replace(waits=False), unchanged, cost=0, commit=False)
        if when.moment_has_come(THEN, NOW if run.waits else LATER):
            yield from _begins(run)
        other = run._replace(other=not run.other)
        yield Sweep("the other run goes on or rests", other, unchanged, cost=0, commit=False)
    if not run.cancel:
        undone = run._replace(cancel=True, undone=True, untaken=False)
        begun = _begun(run)
        yield Sweep("undo", undone, let_go, revives=True, unless=begun)


def _begins(run: Course) -> Iterator[Sweep]:
    if when.thread_is_free([RunState.EXECUTING if run.other else RunState.AWAITING]):
        if run.other:
            raise Violation("a run began while another of its thread was at work")
        begun = run_to(run_to(run, RunState.PLANNING), RunState.EXECUTING, other=False)
        yield Sweep("begins", begun, unchanged, cost=0, commit=False)


def _begun(run: Course) -> Callable[[Act], bool]:
    """Whether it is too late to undo this."""
    return lambda act: not when.may_be_undone(run.standing, act.state)


def _allowed_more(run: Course) -> Course:
    return run._replace(hard=False, stopping=False)


def unchanged(act: Act) -> Act:
    """It is about the run alone."""
    return act


def dead(act: Act) -> Act:
    """What a dead worker had in memory is gone."""
    return act._replace(job=None) if act.job is not None and act.job.held else act


def frozen(act: Act) -> Act:
    """What a frozen worker has in memory is there when it goes on."""
    job: Job | None = act.job
    return act._replace(job=job._replace(held=False)) if job is not None else act
