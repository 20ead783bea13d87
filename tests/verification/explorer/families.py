"""A run and those that do the work of its actions: each commit of one takes the others along (docs/states.md §1, “A run
that works for another one”). Children of one step, one level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from bot.domain import conditions as when
from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from policies.types import Decision
from tests.verification.explorer import checks, guards, outside, people, plans, runs, workers
from tests.verification.explorer.moves import By, Event, moved
from tests.verification.explorer.runs import STARTS, Bounds, Sweep
from tests.verification.explorer.values import Act, Course, Kind, Plan, Violation, World

READ, _, KEYED, ALLOWED, BARE, ANSWER, _ = STARTS
GIVEN = Act(Kind.AGENT, Decision.ALLOW)
GIVEN_IF_APPROVED = GIVEN._replace(verdict=Decision.ASK)
_TOGETHER = {"stop", "request deleted", "a reply", "hard stop", "continue", "the worker dies", "the worker freezes"}
"""What happens to a run with its child, and not to it alone."""
_OF_CHILD_ALONE = {"stop", "hard stop", "soft stop", "continue"}


_AT_ITS_LIMIT = Course(state=RunState.PAUSED, child=True, over=True)


class Family(NamedTuple):
    """All of them. `children` are those of the parent's actions, in their order. One is None before it is queued, and
    once nothing of it can matter any more, or where no run does the work.
    """

    parent: World
    children: tuple[World | None, ...] = ()

    @property
    def born(self) -> list[tuple[int, World]]:
        """Those that there are, by their action's place."""
        return [(at, child) for at, child in enumerate(self.children) if child is not None]

    @property
    def lives(self) -> list[tuple[int, World]]:
        """Those that are not over."""
        return [(at, child) for at, child in self.born if not is_over(child.run)]

    def given(self, at: int) -> Act | None:
        """The action that this one works for, while it is not settled."""
        act = self.parent.acts[at] if at < len(self.parent.acts) else None
        return act if act is not None and act.kind is Kind.AGENT else None

    def with_child(self, at: int, child: World | None) -> Family:
        """The same with another one in this place."""
        children = (*self.children, *[None] * (at + 1 - len(self.children)))
        return self._replace(children=(*children[:at], child, *children[at + 1 :]))


class Families(NamedTuple):
    """What the model may call beside the work that it gives away, which may be work for another agent, and what an
    agent may call, one at a time. With a `plan` the work are its tasks, one after the other.
    """

    given: Act = GIVEN
    beside: tuple[Act, ...] = ()
    calls: tuple[Act, ...] = (KEYED,)
    plan: Plan | None = None

    @property
    def start(self) -> Family:
        """The step whose commit gives the work away, or a plan that is to be proposed."""
        planning = Course(state=RunState.PLANNING, plan=self.plan)
        if self.plan is not None:
            return Family(World(planning))
        return _checked(_of_parent(Family(World(planning)), runs.called(planning, (self.given, *self.beside))))

    @property
    def of_child(self) -> Bounds:
        """What the agent may call."""
        return Bounds(self.calls, steps=1, calls=1)


class Step(NamedTuple):
    """What can happen to them, and how they are then. `cost` 1 is a disturbance."""

    name: str
    family: Family
    cost: int = 0
    by: By = By.WORKER


def steps(family: Family, bounds: Families) -> Iterator[Step]:
    """Everything that can happen next."""
    for step in _happening(family, bounds):
        yield step._replace(family=_checked(step.family))


def _happening(family: Family, bounds: Families) -> Iterator[Step]:
    yield from _of_the_parent(family, bounds)
    for at, child in family.born:
        if not is_over(child.run):
            yield from _of_the_child(family, at, child, bounds)
        elif when.may_continue(child.run.standing):
            again = World(runs.run_to(child.run._replace(over=False), RunState.PLANNING))
            yield Step("the child continues", _of_child(family, at, again))
    yield from _of_all(family)


def forget() -> None:
    """What was found out about a world by itself, which depends on the conditions that there are."""
    _moves.cache_clear()
    _check_alone.cache_clear()


def is_over(run: Course) -> bool:
    """Whether nothing moves it any more."""
    return run.state.is_final() or run.over


# What happens to one of them ---------------------------------------------------------------------------------------


def _of_the_parent(family: Family, bounds: Families) -> Iterator[Step]:
    parent = family.parent
    for name, run in plans.changes_itself(parent.run):
        yield Step(name, _of_parent(family, parent._replace(run=run)), cost=1)
    if parent.run.open is None:
        plain = Bounds((), steps=1)
        found = plans.happenings(parent.run, bounds.given) if parent.run.plan else runs.happenings(parent.run, plain)
        for each in found:
            yield Step(f"parent: {each.name}", _of_parent(family, each.world), each.cost)
        return
    for name, world, cost, by, _ in _moves(parent):
        yield Step(f"parent: {name}", _of_parent(family, world), cost, by)
    for sweep in runs.sweeps(parent.run):
        if sweep.name not in _TOGETHER:
            yield Step(f"parent: {sweep.name}", _of_parent(family, _swept(parent, sweep)), sweep.cost)


def _of_the_child(family: Family, at: int, child: World, bounds: Families) -> Iterator[Step]:
    if child.run.open is None:
        for each in runs.happenings(child.run, bounds.of_child):
            if each.name not in {"request deleted", "a message"}:
                yield Step(f"child: {each.name}", _of_child(family, at, each.world), each.cost)
        return
    for name, world, cost, by, revives in _moves(child):
        if not revives or guards.is_waited_for(family.parent.run.standing, family.given(at)):
            yield Step(f"child: {name}", _of_child(family, at, world, revives=revives or by is By.PERSON), cost, by)
    for sweep in runs.sweeps(child.run):
        if sweep.name in _OF_CHILD_ALONE:
            after = _of_child(family, at, _swept(child, sweep), revives=sweep.revives)
            yield Step(f"child: {sweep.name}", after, sweep.cost, By.PERSON)


@cache
def _moves(world: World) -> Sequence[tuple[str, World, int, By, bool]]:
    """What can happen to one action of a run with an open step, and the run after it."""
    return [*_each_move(world)]


def _each_move(world: World) -> Iterator[tuple[str, World, int, By, bool]]:
    for at, act in enumerate(world.acts):
        for event, run in _events(world.run, act):
            acts = (*world.acts[:at], workers.tidy(event.act), *world.acts[at + 1 :])
            if acts == world.acts:
                continue
            after = runs.follow(run, acts, revives=event.revives) if event.commit else World(run, acts)
            yield event.name, after, event.cost, event.by, event.revives


def _events(run: Course, act: Act) -> Iterator[tuple[Event, Course]]:
    """The same of one action, and the run as the event leaves it."""
    if act.kind is Kind.PLAN:
        yield from plans.events(run, act)
        return
    standing = run.standing
    for event in (*workers.events(standing, act), *outside.events(act), *people.events(standing, act)):
        yield event, run


def _swept(world: World, sweep: Sweep) -> World:
    acts = tuple(workers.tidy(sweep.each(act)) for act in world.acts)
    return runs.follow(sweep.run, acts, revives=sweep.revives) if sweep.commit else World(sweep.run, acts)


# What happens to all of them ---------------------------------------------------------------------------------------


def _of_all(family: Family) -> Iterator[Step]:
    parent = family.parent
    if parent.run.open is None:
        return
    yield Step("the worker dies", _each(family, runs.dead), cost=1)
    yield Step("the worker freezes", _each(family, runs.frozen), cost=1)
    facts = parent.run.standing
    if when.is_unfinished(facts):
        if not parent.run.cancel:
            yield Step("stop", _stopped(family, deleted=parent.run.deleted), cost=1, by=By.PERSON)
        if not parent.run.deleted:
            yield Step("request deleted", _stopped(family, deleted=True), cost=1, by=By.PERSON)
    if parent.run.state.is_live() and not parent.run.hard:
        yield Step("hard stop", _stopped_hard(family), cost=1)
    if parent.run.state.is_live() and not parent.run.cancel and not parent.run.untaken:
        yield from _replies(family)
    if when.may_continue(facts):
        yield Step("continue", _continued(family), by=By.PERSON)
    for at, child in family.lives:
        if parent.run.stopping and not child.run.stopping:
            limited = child._replace(run=child.run._replace(stopping=True))
            yield Step("the limit is the child's, too", family.with_child(at, limited))


def _each(family: Family, change: Callable[[Act], Act]) -> Family:
    """The same with each action of them; nothing that a row shows."""

    def changed(world: World) -> World:
        return World(world.run, tuple(workers.tidy(change(act)) for act in world.acts))

    return Family(changed(family.parent), tuple(child and changed(child) for child in family.children))


def _stopped(family: Family, *, deleted: bool) -> Family:
    """The children first. What executes ends before; the parent follows the last of them."""
    family = family._replace(
        parent=family.parent._replace(run=family.parent.run._replace(cancel=True, deleted=deleted, untaken=False))
    )
    for at, _ in family.lives:
        child = family.children[at]
        if child is None or is_over(child.run):  # it ended with its parent, which followed the one before
            continue
        stopped = child.run._replace(cancel=True, untaken=False)
        ended = (
            runs.end(stopped, (), RunState.CANCELLED)
            if child.run.open is None
            else runs.follow(stopped, tuple(map(runs.let_go, child.acts)), revives=True)
        )
        family = _of_child(family, at, ended)
    if not when.is_unfinished(family.parent.run.standing) or family.parent.run.open is None:
        return family
    acts = tuple(map(_let_go, family.parent.acts))
    return _of_parent(family, runs.follow(family.parent.run, acts, revives=True))


def _let_go(act: Act) -> Act:
    """What an agent is still at work on ends with that."""
    return act if act.child is not None and act.child.is_live() else runs.let_go(act)


def _stopped_hard(family: Family) -> Family:
    """The children first: what they do ends, and nothing more begins. All of them know before one of them ends."""
    family = family._replace(parent=family.parent._replace(run=family.parent.run._replace(hard=True)))
    at_work = [(at, child) for at, child in family.lives if child.run.state.is_live()]
    for at, child in at_work:
        family = family.with_child(at, child._replace(run=child.run._replace(hard=True)))
    for at, _ in at_work:
        child = family.children[at]
        if child is None or not child.run.state.is_live():
            continue
        if child.run.open is None:
            planning = runs.run_to(child.run, RunState.PLANNING)
            family = _of_child(family, at, runs.pause(planning, ()))
        else:
            family = _of_child(family, at, runs.follow(child.run, child.acts))
    if family.parent.run.open is None or not family.parent.run.state.is_live():
        return family
    return _of_parent(family, runs.follow(family.parent.run, family.parent.acts))


def _replies(family: Family) -> Iterator[Step]:
    """What is said goes to the one child that asks where nothing else does, and else rejects every card that waits."""
    parent = family.parent
    acts = (*parent.acts, *(act for _, child in family.lives for act in child.acts))
    if any(people.is_answered_by_reply(act) for act in acts):
        return
    hearing = _that_hears(family)
    if hearing is not None:
        at, child = hearing
        if child.run.cancel or child.run.untaken:
            return
        heard = _heard(child._replace(run=child.run._replace(untaken=True)))
        yield Step("a reply to the child", _of_child(family, at, heard, revives=True), cost=1, by=By.PERSON)
        return
    rejected = tuple(map(people.superseded, parent.acts))
    refined = plans.refined(parent.run)._replace(untaken=True)
    after = _of_parent(family, runs.follow(refined, rejected, revives=True))
    for at, child in family.lives:
        if child.run.open is not None and child.run.state.is_live():
            after = _of_child(after, at, _heard(child), revives=True)
    for name in ("a reply", *(["a wish in a window"] if any(act.kind is Kind.PLAN for act in parent.acts) else [])):
        yield Step(name, after, cost=1, by=By.PERSON)


def _that_hears(family: Family) -> tuple[int, World] | None:
    """The child that words are for, if that is not their request."""
    parent = family.parent
    if family.lives and plans.is_led_by_code(parent.run):
        return family.lives[0]
    if parent.run.state is not RunState.AWAITING or any(act.ask for act in parent.acts):
        return None
    asking = [(at, child) for at, child in family.lives if any(act.ask for act in child.acts)]
    return asking[0] if len(asking) == 1 else None


def _heard(child: World) -> World:
    return runs.follow(child.run, tuple(map(people.superseded, child.acts)), revives=True)


def _continued(family: Family) -> Family:
    """What was left is asked again, in the children, too."""
    allowed = family.parent.run._replace(hard=False, stopping=False)
    family = family._replace(parent=World(allowed, family.parent.acts))
    for at, child in family.lives:
        given = family.given(at)
        if given is not None and given.state is ActionState.EXPIRED:
            asked = tuple(map(people.again_if_left, child.acts))
            family = _of_child(family, at, runs.follow(child.run, asked, revives=True), revives=True)
    if family.parent.run.open is None:
        return family
    acts = tuple(map(people.again_if_left, family.parent.acts))
    return _of_parent(family, runs.follow(family.parent.run, acts, revives=True))


# How a commit of one ends for the others -----------------------------------------------------------------------------


def _of_parent(family: Family, parent: World) -> Family:
    """A call that began has its run. What nobody waits for any more ends, and its action stays as it was told."""
    family = family._replace(parent=parent)
    for at, act in enumerate(parent.acts):
        child = family.children[at] if at < len(family.children) else None
        is_new = child is None or is_over(child.run)
        if is_new and act.kind is Kind.AGENT and act.child is RunState.QUEUED:
            family = family.with_child(at, World(Course(child=True)))
    if parent.run.open is None:
        for at, child in family.lives:
            family = family.with_child(at, _left_behind(child))
    return family


def _left_behind(child: World) -> World:
    if child.run.state is not RunState.PAUSED:
        raise Violation("a run ended, or went on, and what works for it lives")
    if guards.may_be_left_behind():
        return child
    return runs.end(child.run, child.acts, RunState.CANCELLED)


def _of_child(family: Family, at: int, child: World, *, revives: bool = False) -> Family:
    """The parent follows: its action ends with the child, expires with it, or waits again."""
    before = (family.children[at] or child).run
    parent, given = family.parent, family.given(at)
    family = family.with_child(at, child)
    if is_over(child.run):
        parent = parent._replace(run=plans.task_ended(parent.run, child.run))
        if before.untaken and not parent.run.cancel:  # it is told the run that goes on
            parent = parent._replace(run=parent.run._replace(untaken=True))
        family = family._replace(parent=parent)
        if given is None or parent.run.open is None:
            return family
        path = [ActionState.PLANNED] if given.state is ActionState.EXPIRED else []
        ended = moved(given, *path, _ENDS[child.run.state], child=child.run.state)
        return _followed(family, at, ended, revives=parent.run.cancel)
    if given is None:
        return family
    now = given._replace(child=child.run.state)
    if child.run.state is before.state or not {child.run.state, before.state} & {RunState.AWAITING, RunState.PAUSED}:
        return family._replace(parent=parent._replace(acts=_with(parent, at, now)))
    if child.run.state is RunState.PAUSED:
        return _followed(family, at, moved(now, ActionState.EXPIRED))
    if given.state is ActionState.EXPIRED:
        now = moved(now, ActionState.PLANNED, ActionState.AWAITING)
    return _followed(family, at, now, revives=revives)


_ENDS = {
    RunState.COMPLETED: ActionState.COMPLETED,
    RunState.PAUSED: ActionState.COMPLETED,
    RunState.FAILED: ActionState.FAILED,
    RunState.CANCELLED: ActionState.CANCELLED,
}


def _followed(family: Family, at: int, now: Act, *, revives: bool = False) -> Family:
    acts = tuple(map(workers.tidy, _with(family.parent, at, now)))
    return _of_parent(family, runs.follow(family.parent.run, acts, revives=revives))


def _with(parent: World, at: int, now: Act) -> tuple[Act, ...]:
    return (*parent.acts[:at], now, *parent.acts[at + 1 :])


# What must hold ----------------------------------------------------------------------------------------------------


def _checked(family: Family) -> Family:
    """In each world. What is over of a child is forgotten, as far as nothing of it can be told any more."""
    parent = family.parent
    _check_alone(parent)
    plans.check(parent.run, parent.acts, at_work=bool(family.lives))
    for at, child in family.born:
        _check_alone(child)
        _check_both(parent, child, family.given(at))
        if is_over(child.run):
            checks.check_quiet(child.acts)
    return _tidy(family)


@cache
def _check_alone(world: World) -> None:
    for act in world.acts:
        checks.check_act(act)
    checks.check_run(world.run, world.acts)


def _tidy(family: Family) -> Family:
    """Without what is over, and in no order: two calls of one step are the same step in either."""
    kept = [_kept(child) for child in family.children]
    acts = family.parent.acts
    if not acts:
        return family._replace(children=tuple({child: None for child in kept if child is not None}))
    kept += [None] * (len(acts) - len(kept))
    pairs = sorted(zip(acts, kept, strict=False), key=_written)
    return Family(World(family.parent.run, tuple(act for act, _ in pairs)), tuple(child for _, child in pairs))


@cache
def _written(pair: tuple[Act, World | None]) -> str:
    return repr(pair)


def _kept(child: World | None) -> World | None:
    if child is None or not is_over(child.run):
        return child
    return World(_AT_ITS_LIMIT) if child.run.over else None


def _check_both(parent: World, child: World, given: Act | None) -> None:
    if is_over(child.run):
        if given is not None and not given.state.is_settled():
            raise Violation("a run ended and its action goes on")
        return
    if given is None or given.state not in {ActionState.AWAITING, ActionState.EXPIRED}:
        raise Violation("a run ended, or went on, and what works for it lives")
    if (given.state is ActionState.EXPIRED) != (child.run.state is RunState.PAUSED):
        raise Violation("an action expired and its run lives, or the other way round")
    if child.run.state.is_live() and not parent.run.state.is_live():
        raise Violation("something is at work whose request ended or rests")
    if _is_stopped(parent.run) and child.run.state.is_live() and not _is_stopped(child.run):
        raise Violation("something is at work whose request was stopped")


def _is_stopped(run: Course) -> bool:
    return run.cancel or run.hard
