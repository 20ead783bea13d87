"""What the explored world allows: every commit of the real runtime must be one of its moves.

What rows do not show (what policy says at present, whether a vote still stands, what a worker has in its hands, what
really happened) is tried in every way; the properties about it are checked where it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from bot.domain.actions import ActionState as S
from bot.domain.conditions import Standing
from bot.domain.runs import RunState
from bot.domain.states import IllegalMove
from policies.types import Decision
from tests.verification.explorer import people, runs, workers
from tests.verification.explorer.circles import PEOPLE, Round
from tests.verification.explorer.live.seen import Seen
from tests.verification.explorer.runs import Bounds
from tests.verification.explorer.values import Act, Course, Job, Kind, Told, Violation, World

_REVIVES = (False, True)


class Shown(NamedTuple):
    """What rows show of an action."""

    kind: object
    state: S
    edition: int
    asked: object
    decided: bool
    attempt: int
    doubt: bool
    round: Round | None


def shown(act: Act) -> Shown:
    """The part of an explored action that rows show."""
    asked = None if act.ask is None else act.ask.kind
    now = None if act.ask is None else act.ask.round
    return Shown(act.kind, act.state, act.edition, asked, act.decided, act.attempt, act.doubt, now)


Face = tuple[object, ...]


def face(run: Course, acts: tuple[Act, ...]) -> Face:
    """What rows show of a world; of an ended run its end. What was said to one that is to end is withdrawn then."""
    if run.state.is_final():
        return (run.state,)
    untaken = run.untaken and not run.cancel
    told = (run.state, run.open, run.cancel, run.hard, run.stopping, run.deleted, untaken)
    return (*told, *(shown(act) for act in acts)) if run.open is not None else told


def is_allowed(before: Seen | None, after: Seen) -> bool:
    """Whether one commit may lead from the one to the other."""
    if before is None:
        return after.run.state is RunState.QUEUED
    wanted = face(*after)
    if wanted == face(*before):
        return True
    return any(wanted == face(*world) for world in _next(before, after))


def _next(before: Seen, after: Seen) -> Iterator[World]:
    if before.run.open is None:
        yield from _without_step(before.run, after)
        return
    for sweep in runs.sweeps(before.run):
        swept = tuple(_plain(sweep.each(act)) for act in before.acts)
        yield from _followed(sweep.run, swept, (sweep.revives,)) if sweep.commit else (World(sweep.run, swept),)
    yield from _moved(before.run, before.acts)


def _moved(run: Course, acts: tuple[Act, ...]) -> Iterator[World]:
    """Some of the actions move, each by an event of its own, in one commit."""
    for moved in product(*((_plain(act), *_events(run.standing, act)) for act in acts)):
        yield from _followed(run, moved, _REVIVES)
        yield World(run, moved)


def _followed(run: Course, acts: tuple[Act, ...], revives: tuple[bool, ...]) -> Iterator[World]:
    for by_person in revives:
        try:
            yield runs.follow(run, acts, revives=by_person)
        except (Violation, IllegalMove):
            continue


def _without_step(run: Course, after: Seen) -> Iterator[World]:
    """A queued, planning or paused run; what the model called is seen afterwards."""
    called = tuple(Act(act.kind, Decision.ASK, circle=act.circle) for act in after.acts)
    try:
        yield from (happening.world for happening in runs.happenings(run, Bounds((), 0)))
        if run.state is RunState.PLANNING and called:
            world = runs.called(run, called)
            yield world
            yield from _moved(world.run, world.acts)
    except (Violation, IllegalMove):
        return


@lru_cache(maxsize=100_000)
def _events(run: Standing, act: Act) -> tuple[Act, ...]:
    """What one commit can make of an action."""
    found: dict[Shown, Act] = {}
    for guess in _guesses(act):
        for event in _told_of(run, guess):
            found.setdefault(shown(event), _plain(event))
    if act.state is S.EXECUTING:
        doubtful = act._replace(doubt=True)
        found.setdefault(shown(doubtful), _plain(doubtful))
    if act.state is S.PLANNED:  # a look outside that was under way when its run was stopped
        failed = act._replace(state=S.FAILED)
        found.setdefault(shown(failed), failed)
    return tuple(found.values())


def _plain(act: Act) -> Act:
    """As its rows say it, nothing hidden: what is completed was done."""
    done = act.state is S.COMPLETED and not act.later
    return act._replace(really_did=(act.hash,) if done else (), job=None, old=None, due=False)


def _told_of(run: Standing, guess: Act) -> list[Act]:
    try:
        events = [*workers.events(run, guess), *people.events(run, guess)]
    except (Violation, IllegalMove):
        return []
    return [event.act for event in events]


def _guesses(act: Act) -> Iterator[Act]:
    """What rows do not show, in every way."""
    hash_ = act.hash
    for verdict, vote, over, done, due in product(
        Decision, (None, hash_), (False, True), ((), (hash_,)), (False, True)
    ):
        guess = act._replace(
            verdict=verdict, vote=vote, vote_over=over, really_voted=frozenset({hash_}), really_did=done, due=due
        )
        if act.circle is not None:
            everybody = frozenset((user, hash_) for user in PEOPLE)
            guess = guess._replace(circle=act.circle._replace(said=everybody), agreed=frozenset(PEOPLE))
        yield guess
        if act.state in {S.PLANNED, S.APPROVED} and act.kind is Kind.KEYED and not done:
            yield guess._replace(later=True)
        if act.state in {S.EXECUTING, S.UNKNOWN}:
            for told in Told:
                for held in (True, False):
                    yield guess._replace(job=Job(act.attempt, hash_, told, held=held))
