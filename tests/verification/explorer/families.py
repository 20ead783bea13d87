"""A run and the one that does the work of one of its actions: each commit of the one takes the other along
(docs/states.md §1, “A run that works for another one”). One child, one level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    """Both. The child is None before it is queued, and once nothing of it can matter any more."""

    parent: World
    child: World | None = None


class Families(NamedTuple):
    """What the model may call beside the work that it gives away, and what the agent may call, one at a time. With a
    `plan` the work are its tasks, one after the other.
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
        return _of_parent(Family(World(planning)), runs.called(planning, (self.given, *self.beside)))

    @property
    def of_child(self) -> Bounds:
        """What the agent may call."""
        return Bounds(self.calls, steps=1, calls=1)


class Step(NamedTuple):
    """What can happen to both, and how they are then. `cost` 1 is a disturbance."""

    name: str
    family: Family
    cost: int = 0
    by: By = By.WORKER


def steps(family: Family, bounds: Families) -> Iterator[Step]:
    """Everything that can happen next."""
    yield from _of_the_parent(family, bounds)
    if family.child is not None and not is_over(family.child.run):
        yield from _of_the_child(family, family.child, bounds)
    elif family.child is not None and when.may_continue(family.child.run.standing):
        again = World(runs.run_to(family.child.run._replace(over=False), RunState.PLANNING))
        yield Step("the child continues", _of_child(family, again))
    yield from _of_both(family)


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


def _of_the_child(family: Family, child: World, bounds: Families) -> Iterator[Step]:
    if child.run.open is None:
        for each in runs.happenings(child.run, bounds.of_child):
            if each.name not in {"request deleted", "a message"}:
                yield Step(f"child: {each.name}", _of_child(family, each.world), each.cost)
        return
    for name, world, cost, by, revives in _moves(child):
        if not revives or guards.is_waited_for(family.parent.run.standing, _given(family.parent)):
            yield Step(f"child: {name}", _of_child(family, world, revives=revives or by is By.PERSON), cost, by)
    for sweep in runs.sweeps(child.run):
        if sweep.name in _OF_CHILD_ALONE:
            world = _swept(child, sweep)
            yield Step(f"child: {sweep.name}", _of_child(family, world, revives=sweep.revives), sweep.cost, By.PERSON)


def _moves(world: World) -> Iterator[tuple[str, World, int, By, bool]]:
    """What can happen to one action of a run with an open step, and the run after it."""
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


# What happens to both ----------------------------------------------------------------------------------------------


def _of_both(family: Family) -> Iterator[Step]:
    parent, child = family
    works = child is not None and not is_over(child.run)
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
    if works and child is not None and parent.run.stopping and not child.run.stopping:
        yield Step(
            "the limit is the child's, too", Family(parent, child._replace(run=child.run._replace(stopping=True)))
        )


def _each(family: Family, change: Callable[[Act], Act]) -> Family:
    """The same with each action of both; nothing that a row shows."""

    def changed(world: World) -> World:
        return World(world.run, tuple(workers.tidy(change(act)) for act in world.acts))

    return Family(changed(family.parent), changed(family.child) if family.child else None)


def _stopped(family: Family, *, deleted: bool) -> Family:
    """The child first. What executes ends before; the parent follows it."""
    parent = family.parent._replace(run=family.parent.run._replace(cancel=True, deleted=deleted, untaken=False))
    family = Family(parent, family.child)
    if (child := family.child) is not None and not is_over(child.run):
        stopped = child.run._replace(cancel=True, untaken=False)
        ended = (
            runs.end(stopped, (), RunState.CANCELLED)
            if child.run.open is None
            else runs.follow(stopped, tuple(map(runs.let_go, child.acts)), revives=True)
        )
        family = _of_child(family, ended)
    if not when.is_unfinished(family.parent.run.standing) or family.parent.run.open is None:
        return family
    acts = tuple(map(_let_go, family.parent.acts))
    return _of_parent(family, runs.follow(family.parent.run, acts, revives=True))


def _let_go(act: Act) -> Act:
    """What an agent is still at work on ends with that."""
    return act if act.child is not None and act.child.is_live() else runs.let_go(act)


def _stopped_hard(family: Family) -> Family:
    """The child first: what it does ends, and nothing more begins."""
    family = Family(family.parent._replace(run=family.parent.run._replace(hard=True)), family.child)
    if (child := family.child) is not None and child.run.state.is_live():
        stopped = child.run._replace(hard=True)
        if child.run.open is None:
            planning = runs.run_to(stopped, RunState.PLANNING)
            family = _of_child(family, runs.pause(planning, ()))
        else:
            family = _of_child(family, runs.follow(stopped, child.acts))
    if family.parent.run.open is None or not family.parent.run.state.is_live():
        return family
    return _of_parent(family, runs.follow(family.parent.run, family.parent.acts))


def _replies(family: Family) -> Iterator[Step]:
    """What is said goes to the child where only that asks, and rejects every card that waits."""
    parent, child = family
    acts = (*parent.acts, *(child.acts if child is not None and not is_over(child.run) else ()))
    if any(people.is_answered_by_reply(act) for act in acts):
        return
    only_child = parent.run.state is RunState.AWAITING and not any(act.ask for act in parent.acts)
    works = child is not None and not is_over(child.run)
    if child is not None and (only_child or (works and plans.is_led_by_code(parent.run))):
        if child.run.cancel or child.run.untaken:
            return
        said = child.run._replace(untaken=True)
        heard = runs.follow(said, tuple(map(people.superseded, child.acts)), revives=True)
        yield Step("a reply to the child", _of_child(family, heard, revives=True), cost=1, by=By.PERSON)
        return
    acts = tuple(map(people.superseded, parent.acts))
    family = Family(runs.follow(plans.refined(parent.run)._replace(untaken=True), acts, revives=True), child)
    if child is not None and child.run.open is not None and child.run.state.is_live():
        heard = runs.follow(child.run, tuple(map(people.superseded, child.acts)), revives=True)
        family = _of_child(family, heard, revives=True)
    for name in ("a reply", *(["a wish in a window"] if any(act.kind is Kind.PLAN for act in parent.acts) else [])):
        yield Step(name, family, cost=1, by=By.PERSON)


def _continued(family: Family) -> Family:
    """What was left is asked again, in the child, too."""
    allowed = family.parent.run._replace(hard=False, stopping=False)
    family = Family(World(allowed, family.parent.acts), family.child)
    child, given = family.child, _given(family.parent)
    if child is not None and given is not None and given.state is ActionState.EXPIRED and not is_over(child.run):
        asked = tuple(map(people.again_if_left, child.acts))
        family = _of_child(family, runs.follow(child.run, asked, revives=True), revives=True)
    if family.parent.run.open is None:
        return family
    acts = tuple(map(people.again_if_left, family.parent.acts))
    return _of_parent(family, runs.follow(family.parent.run, acts, revives=True))


# How a commit of the one ends for the other --------------------------------------------------------------------------


def _given(parent: World) -> Act | None:
    return next((act for act in parent.acts if act.kind is Kind.AGENT), None)


def _of_parent(family: Family, parent: World) -> Family:
    """A call that began has its run. What nobody waits for any more ends, and its action stays as it was told."""
    child, given = family.child, _given(parent)
    is_new = child is None or is_over(child.run)
    if is_new and given is not None and given.child is RunState.QUEUED:
        child = World(Course(child=True))
    if parent.run.open is None and child is not None and not is_over(child.run):
        child = _left_behind(child)
    return _checked(Family(parent, child))


def _left_behind(child: World) -> World:
    if child.run.state is not RunState.PAUSED:
        raise Violation("a run ended, or went on, and what works for it lives")
    if guards.may_be_left_behind():
        return child
    return runs.end(child.run, child.acts, RunState.CANCELLED)


def _of_child(family: Family, child: World, *, revives: bool = False) -> Family:
    """The parent follows: its action ends with the child, expires with it, or waits again."""
    before = family.child.run if family.child else child.run
    parent, given = family.parent, _given(family.parent)
    if is_over(child.run):
        parent = parent._replace(run=plans.task_ended(parent.run, child.run))
        if before.untaken and not parent.run.cancel:  # it is told the run that goes on
            parent = parent._replace(run=parent.run._replace(untaken=True))
        if given is None or parent.run.open is None:
            return _checked(Family(parent, child))
        path = [ActionState.PLANNED] if given.state is ActionState.EXPIRED else []
        ended = moved(given, *path, _ENDS[child.run.state], child=child.run.state)
        return _followed(Family(parent, child), given, ended, revives=parent.run.cancel)
    if given is None:
        return _checked(Family(parent, child))
    now = given._replace(child=child.run.state)
    if child.run.state is before.state or not {child.run.state, before.state} & {RunState.AWAITING, RunState.PAUSED}:
        return _checked(Family(parent._replace(acts=_with(parent, given, now)), child))
    if child.run.state is RunState.PAUSED:
        return _followed(Family(parent, child), given, moved(now, ActionState.EXPIRED))
    if given.state is ActionState.EXPIRED:
        now = moved(now, ActionState.PLANNED, ActionState.AWAITING)
    return _followed(Family(parent, child), given, now, revives=revives)


_ENDS = {
    RunState.COMPLETED: ActionState.COMPLETED,
    RunState.PAUSED: ActionState.COMPLETED,
    RunState.FAILED: ActionState.FAILED,
    RunState.CANCELLED: ActionState.CANCELLED,
}


def _followed(family: Family, given: Act, now: Act, *, revives: bool = False) -> Family:
    parent = family.parent
    acts = tuple(map(workers.tidy, _with(parent, given, now)))
    return _of_parent(family, runs.follow(parent.run, acts, revives=revives))


def _with(parent: World, given: Act, now: Act) -> tuple[Act, ...]:
    return tuple(now if act is given else act for act in parent.acts)


# What must hold ----------------------------------------------------------------------------------------------------


def _checked(family: Family) -> Family:
    """In each world. What is over of the child is forgotten, as far as nothing of it can be told any more."""
    parent, child = family
    for world in (parent, child):
        if world is not None:
            for act in world.acts:
                checks.check_act(act)
    checks.check_run(parent.run, parent.acts)
    plans.check(parent.run, parent.acts, at_work=child is not None and not is_over(child.run))
    if child is None:
        return family
    checks.check_run(child.run, child.acts)
    _check_both(parent, child, _given(parent))
    if is_over(child.run):
        checks.check_quiet(child.acts)
        return Family(parent, World(_AT_ITS_LIMIT) if child.run.over else None)
    return family


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
