"""Commits about the run itself, and how every other commit ends: with `after`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from bot.domain import conditions as when
from bot.domain.actions import NOT_BEGUN, ActionState
from bot.domain.questions import QuestionState
from bot.domain.runs import RUN_MOVES, RunState
from bot.domain.states import check_move
from bot.domain.steps import Closing, Sibling, after
from policies.types import Decision
from tests.explorer import checks, guards, people
from tests.explorer.moves import By, claimed, closed, moved
from tests.explorer.values import STEPS, Act, Course, Job, Kind, Violation, World, unsettled
from tests.explorer.workers import tidy


class Happening(NamedTuple):
    """What can happen to the run as a whole, and the world after it."""

    name: str
    world: World
    by: By = By.WORKER
    cost: int = 0


def run_to(run: Course, to: RunState, **changes: object) -> Course:
    """Through the table; staying is no move."""
    if to is not run.state:
        check_move("run", RUN_MOVES, run.state, to)
    return run._replace(state=to, **changes)


# How a commit ends --------------------------------------------------------------------------------------------


def sibling(act: Act) -> Sibling:
    """What `after` is told of an action, as the store tells it."""
    by_person = act.decided or act.state is ActionState.REJECTED
    return Sibling(state=act.state, question_open=act.ask is not None, decided_by_person=by_person)


def follow(run: Course, acts: tuple[Act, ...], *, by_owner: bool = False) -> World:
    """The end of a commit that moved an action or a question. A run that rests is only moved by its owner."""
    if run.open is None:
        return World(run, acts)
    run = run._replace(open=unsettled(acts))
    if run.state is RunState.PAUSED and not by_owner:
        return World(run, acts)
    following = after([sibling(act) for act in acts], cancel_requested=run.cancel, hard_stop=run.hard)
    if following.run is RunState.PAUSED and following.step is Closing.STAYS:
        return pause(run, acts)
    if following.run is RunState.CANCELLED:
        return end(run, acts, RunState.CANCELLED)
    if following.step is not Closing.STAYS:
        return close(run, acts, following.run)
    return World(run_to(run, following.run), acts)


def close(run: Course, acts: tuple[Act, ...], to: RunState) -> World:
    """The step closes: the model is told, and nothing of it may move any more."""
    for act in acts:
        checks.check_act(act)
        checks.check_left_behind(act)
    untaken = run.untaken and to is not RunState.PAUSED
    return World(run_to(run, to, open=None, untaken=untaken))


def pause(run: Course, acts: tuple[Act, ...]) -> World:
    """Every open question expires; what its requester wrote meanwhile becomes a run of its own."""
    quiet = tuple(people.expired(act) if act.ask else act for act in acts)
    still = run.open if run.open is None else unsettled(quiet)
    return World(run_to(run, RunState.PAUSED, untaken=False, open=still), quiet)


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


# What happens to the run --------------------------------------------------------------------------------------


def happenings(world: World) -> Iterator[Happening]:
    """Everything that can happen to the run as a whole."""
    run, acts = world
    if run.state is RunState.QUEUED:
        yield from _beginning(run)
    if run.state is RunState.PLANNING:
        yield from _planning(run)
        yield from _frozen_turn(run)
    yield from _taken_over(run, acts)
    yield from _written(run, acts)
    yield from _stopped(run, acts)
    if when.may_continue(run.standing):
        yield Happening("continue", continued(run, acts), By.PERSON)


def _beginning(run: Course) -> Iterator[Happening]:
    others = [RunState.EXECUTING if run.other else RunState.AWAITING]
    if when.thread_is_free(others):
        if run.other:
            raise Violation("a run began while another of its thread was at work")
        yield Happening("begins", World(run_to(run, RunState.PLANNING, other=False)))
    yield Happening("the other run goes on or rests", World(run._replace(other=not run.other)), By.WORLD)


def _planning(run: Course) -> Iterator[Happening]:
    yield from _turns(run, run.steps)
    if run.untaken:
        yield Happening("takes the message in", World(run_to(run, RunState.PLANNING, untaken=False)))
    if not run.stopping:
        yield Happening("soft stop", World(run._replace(stopping=True)), By.WORLD, cost=1)
    yield Happening("hard stop", pause(run._replace(hard=True), ()), By.WORLD, cost=1)
    yield Happening("the model fails", _failed(run), cost=1)


def _failed(run: Course) -> World:
    return pause(run, ()) if run.stopping else end(run, (), RunState.FAILED)


def _turns(run: Course, made_from: int) -> Iterator[Happening]:
    """A turn of the model, made from the history of so many steps."""
    if made_from != run.steps:
        raise Violation("a turn was taken that was made from an older history")
    if when.may_complete(run.standing):
        yield Happening("final text", end(run, (), RunState.COMPLETED))
    elif run.stopping:
        yield Happening("text after the soft stop", pause(run, ()))
    if run.steps < STEPS and not run.stopping:
        for pair in combinations_with_replacement(STARTS, 2):
            names = " and ".join(f"{start.kind.value} ({start.law.value})" for start in pair)
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


def called(run: Course, pair: Sequence[Act]) -> World:
    """The step with its calls, and the claims that need no look outside."""
    begun = tuple(_at_once(act) for act in pair)
    return follow(run_to(run, RunState.EXECUTING, steps=run.steps + 1, open=len(pair)), begun)


def _at_once(act: Act) -> Act:
    if when.is_repeatable(act.kind.effect) and act.kind is not Kind.ANSWER:
        return claimed(act, ActionState.APPROVED, ActionState.EXECUTING)
    return act


def _frozen_turn(run: Course) -> Iterator[Happening]:
    """The turn of a worker that lost its lease while it asked the model."""
    if run.asking is not None and guards.lease_is_held(False):
        yield from _turns(run._replace(asking=None), run.asking)


def _taken_over(run: Course, acts: tuple[Act, ...]) -> Iterator[Happening]:
    """The worker dies with all that it had in hand, or freezes and goes on later."""
    if any(act.job is not None and act.job.held for act in acts):
        yield Happening("the worker dies", World(run, tuple(map(dead, acts))), By.WORLD, cost=1)
        yield Happening("the worker freezes", World(run, tuple(map(frozen, acts))), By.WORLD, cost=1)
    if run.state is RunState.PLANNING and run.asking is None and guards.lease_is_held(False):
        yield Happening("the worker freezes", World(run._replace(asking=run.steps)), By.WORLD, cost=1)


def dead(act: Act) -> Act:
    """What a dead worker had in memory is gone."""
    return act._replace(job=None) if act.job is not None and act.job.held else act


def frozen(act: Act) -> Act:
    """What a frozen worker has in memory is there when it goes on."""
    job: Job | None = act.job
    return act._replace(job=job._replace(held=False)) if job is not None else act


def _written(run: Course, acts: tuple[Act, ...]) -> Iterator[Happening]:
    """Its requester writes: an answer, a superseding reply, or steering."""
    if run.untaken or run.state not in {RunState.PLANNING, RunState.EXECUTING, RunState.AWAITING}:
        return
    for place, act in enumerate(acts):
        if (answer := people.answered(act)) is not None:
            told = follow(run, (*acts[:place], answer, *acts[place + 1 :]))
            yield Happening("a reply answers", told, By.PERSON, cost=1)
            return
    refused = tuple(map(people.superseded, acts))
    steered = run._replace(untaken=True)
    world = World(steered, acts) if refused == acts else follow(steered, refused)
    yield Happening("a reply", world, By.PERSON, cost=1)


def _stopped(run: Course, acts: tuple[Act, ...]) -> Iterator[Happening]:
    if when.is_unfinished(run.standing) and not run.cancel:
        yield Happening("stop", cancelled(run, acts), By.PERSON, cost=1)
        yield Happening("request deleted", cancelled(run._replace(deleted=True), acts), By.PERSON, cost=1)
    if run.state in {RunState.EXECUTING, RunState.AWAITING} and not run.hard:
        yield Happening("hard stop", follow(run._replace(hard=True), acts), By.WORLD, cost=1)


def cancelled(run: Course, acts: tuple[Act, ...]) -> World:
    """At once for what waits, at the next safe point for what is under way."""
    if run.open is None:
        return end(run, acts, RunState.CANCELLED)
    return follow(run._replace(cancel=True, untaken=False), tuple(map(let_go, acts)), by_owner=True)


def continued(run: Course, acts: tuple[Act, ...]) -> World:
    """One fresh allowance, and what was left is asked again."""
    fresh = run._replace(hard=False, stopping=False)
    if run.open is None:
        return World(run_to(fresh, RunState.PLANNING))
    again = tuple(
        people.again_asked(act) if when.was_left(act.state, question_open=act.ask is not None) else act for act in acts
    )
    return follow(fresh, again, by_owner=True)
