"""The search: every world that so many disturbances can lead to, each once, the least disturbed first.

A world is packed into one number: its run and its two actions as they were numbered when they were first met, the
actions in no order, because a step of two is the same step in either. What can happen to one action depends on it and
on its run's standing alone, so it is asked once for each such pair; likewise how a commit ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.runs import RunState
from bot.domain.states import IllegalMove
from tests.verification.explorer import checks, outside, people, runs, workers
from tests.verification.explorer.moves import By, Event
from tests.verification.explorer.runs import Bounds, Sweep
from tests.verification.explorer.values import Act, Course, Violation, World

_BITS = 24
_MASK = (1 << _BITS) - 1
_BOUND_TO_COME = {By.WORKER, By.TIME}
_ENDS_KEPT = 200_000


class Found(Exception):
    """A world in which a property does not hold, and the way there."""

    def __init__(self, why: str, way: list[str]) -> None:
        super().__init__("\n".join([why, *(f"  {step}" for step in way)]))
        self.why = why
        self.way = way


class Result(NamedTuple):
    """How much was seen: worlds, and the transitions between them."""

    worlds: int
    transitions: int


class Edge(NamedTuple):
    """One thing that can happen to an action, numbered."""

    name: str
    act: int
    commit: bool
    revives: bool


class Edges(NamedTuple):
    """What can happen to an action: by itself, or as a disturbance; whether it moves without people, or with them."""

    free: tuple[Edge, ...]
    costly: tuple[Edge, ...]
    alone: bool
    by_person: bool


class Swept(NamedTuple):
    """A sweep with its run's number."""

    sweep: Sweep
    run: int


Step = tuple[str, int]
"""What happened, and the world after it."""


@dataclass(slots=True)
class Search:
    """One search from a queued run. `traced` remembers the way to every world, for the words of what is found, and
    that every world leads to an end without further disturbances.
    """

    disturbances: int
    traced: bool = True
    bounds: Bounds = runs.EVERYTHING
    _acts: dict[Act, int] = field(default_factory=dict[Act, int])
    _act: list[Act] = field(default_factory=list[Act])
    _siblings: list[int] = field(default_factory=list[int])
    _runs: dict[Course, int] = field(default_factory=dict[Course, int])
    _run: list[Course] = field(default_factory=list[Course])
    _standings: list[int] = field(default_factory=list[int])
    _numbers: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    _edges: dict[int, Edges] = field(default_factory=dict[int, Edges])
    _swept: dict[tuple[Callable[[Act], Act], int], int] = field(
        default_factory=dict[tuple[Callable[[Act], Act], int], int]
    )
    _sweeps: dict[int, tuple[list[Swept], list[Swept]]] = field(
        default_factory=dict[int, tuple[list[Swept], list[Swept]]]
    )
    _alone: dict[int, tuple[list[Step], list[Step]]] = field(default_factory=dict[int, tuple[list[Step], list[Step]]])
    _stays: dict[tuple[int, int, int, bool], int] = field(default_factory=dict[tuple[int, int, int, bool], int])
    _ends: dict[tuple[int, bool], int] = field(default_factory=dict[tuple[int, bool], int])
    _came: dict[int, Step] = field(default_factory=dict[int, Step])
    _back: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    def run(self) -> Result:
        """Search; raises `Found`."""
        starts = {self._packed(world) for world in self.bounds.worlds}
        seen, layer, transitions = set(starts), starts, 0
        for used in range(self.disturbances + 1):
            seen |= layer
            layer, count = self._layer(list(layer), seen, last=used == self.disturbances)
            transitions += count
        if self.traced:
            self._every_way_ends(seen)
        return Result(len(seen), transitions)

    def _layer(self, waiting: list[int], seen: set[int], *, last: bool) -> tuple[set[int], int]:
        """All worlds with the same number of disturbances; what one more leads to."""
        further: set[int] = set()
        count = 0
        while waiting:
            world = waiting.pop()
            try:
                free, costly = self._next(world, last=last)
            except (Violation, IllegalMove) as error:
                raise Found(str(error), self._way(world)) from error
            count += len(free) + len(costly)
            if self.traced:
                self._note(world, free, costly)
            for _, to in free:
                if to not in seen:
                    seen.add(to)
                    waiting.append(to)
            further.update(to for _, to in costly)
        return further - seen, count

    def _note(self, world: int, free: list[Step], costly: list[Step]) -> None:
        for name, to in free:
            self._back.setdefault(to, []).append(world)
            self._came.setdefault(to, (name, world))
        for name, to in costly:
            self._came.setdefault(to, (name, world))

    # One world ------------------------------------------------------------------------------------------------

    def _next(self, world: int, *, last: bool) -> tuple[list[Step], list[Step]]:
        """The worlds after this one: for free, and by a disturbance (none of these where the last were spent)."""
        number, one, two = world >> (2 * _BITS), (world >> _BITS) & _MASK, world & _MASK
        run = self._run[number]
        if run.open is None and not one:
            return self._without_step(number, last=last)
        free: list[Step] = []
        costly: list[Step] = []
        alone = by_person = False
        for act, other in ((one, two), (two, one)) if two and one != two else ((one, two),):
            edges = self._edges_of(number, act)
            alone, by_person = alone or edges.alone, by_person or edges.by_person
            free += [(edge.name, self._after(number, edge, other)) for edge in edges.free]
            if not last:
                costly += [(edge.name, self._after(number, edge, other)) for edge in edges.costly]
        if run.open is not None:
            free_sweeps, costly_sweeps = self._sweeps_of(number)
            free += self._swept_by(free_sweeps, world, one, two)
            if not last:
                costly += self._swept_by(costly_sweeps, world, one, two)
        rests = run.state in {RunState.PAUSED, RunState.QUEUED}
        _check_goes_on(run, alone=alone or bool(free and rests), by_person=by_person)
        return free, costly

    def _without_step(self, number: int, *, last: bool) -> tuple[list[Step], list[Step]]:
        known = self._alone.get(number)
        if known is None:
            run = self._run[number]
            free: list[Step] = []
            costly: list[Step] = []
            for happening in runs.happenings(run, self.bounds):
                (costly if happening.cost else free).append((happening.name, self._packed(happening.world)))
            _check_goes_on(run, alone=bool(free), by_person=False)
            known = self._alone[number] = free, costly
        return (known[0], []) if last else known

    def _sweeps_of(self, number: int) -> tuple[list[Swept], list[Swept]]:
        known = self._sweeps.get(number)
        if known is None:
            swept = [Swept(sweep, self._run_number(sweep.run)) for sweep in runs.sweeps(self._run[number])]
            free, costly = [item for item in swept if not item.sweep.cost], [item for item in swept if item.sweep.cost]
            known = self._sweeps[number] = free, costly
        return known

    def _swept_by(self, sweeps: list[Swept], world: int, one: int, two: int) -> Iterator[Step]:
        for sweep, number in sweeps:
            if sweep.unless(self._act[one]) or (two and sweep.unless(self._act[two])):
                continue
            first, second = self._each(sweep.each, one), self._each(sweep.each, two)
            to = _pack(number, first, second)
            if sweep.run.held and not sweep.commit:
                checks.check_run(sweep.run, self._acts_of(first, second))
            if to != world or sweep.revives:
                yield sweep.name, self._committed(number, first, second, sweep.revives) if sweep.commit else to

    def _each(self, each: Callable[[Act], Act], act: int) -> int:
        if not act:
            return 0
        found = self._swept.get((each, act))
        if found is None:
            found = self._swept[each, act] = self._numbered(each(self._act[act]))
        return found

    def _edges_of(self, number: int, act: int) -> Edges:
        key = self._standings[number] << _BITS | act
        found = self._edges.get(key)
        if found is None:
            found = self._edges[key] = self._drawn(self._run[number], self._act[act])
        return found

    def _drawn(self, run: Course, act: Act) -> Edges:
        standing = run.standing
        events = [*workers.events(standing, act), *outside.events(act), *people.events(standing, act)]
        numbered = [(event, self._edge(event)) for event in events]
        changing = [(event, edge) for event, edge in numbered if self._act[edge.act] != act]
        free = [(event, edge) for event, edge in changing if event.cost == 0]
        return Edges(
            free=tuple(edge for _, edge in free),
            costly=tuple(edge for event, edge in changing if event.cost),
            alone=any(event.by in _BOUND_TO_COME for event, _ in free),
            by_person=any(event.by is By.PERSON for event, _ in free),
        )

    def _edge(self, event: Event) -> Edge:
        return Edge(event.name, self._numbered(event.act), event.commit, event.revives)

    def _after(self, number: int, edge: Edge, other: int) -> int:
        """The world after an event of one action: what its commit does to the run."""
        if edge.commit:
            return self._committed(number, edge.act, other, edge.revives)
        return _pack(number, edge.act, other)

    def _committed(self, number: int, one: int, two: int, revives: bool) -> int:
        key = (number, self._siblings[one], self._siblings[two], revives)
        stays = self._stays.get(key)
        if stays is not None:
            return _pack(stays, one, two)
        before = (_pack(number, one, two), revives)
        known = self._ends.get(before)
        return self._followed(before, key, one, two) if known is None else known

    def _followed(self, before: tuple[int, bool], key: tuple[int, int, int, bool], one: int, two: int) -> int:
        """How the commit ends; where no action moves with it, it ends so for all siblings like these."""
        acts = self._acts_of(one, two)
        world = runs.follow(self._run[key[0]], acts, revives=key[3])
        to = self._packed(world)
        if world.acts == acts and not world.run.state.is_final():
            self._stays[key] = self._runs[world.run]
        else:
            if len(self._ends) > _ENDS_KEPT:
                self._ends.clear()
            self._ends[before] = to
        return to

    # Numbers --------------------------------------------------------------------------------------------------

    def _acts_of(self, *numbers: int) -> tuple[Act, ...]:
        return tuple(self._act[number] for number in numbers if number)

    def _packed(self, world: World) -> int:
        """Checked, and as one number."""
        acts = [self._numbered(act) for act in world.acts]
        checks.check_run(world.run, tuple(self._act[act] for act in acts))
        one, two = (*acts, 0, 0)[:2]
        return _pack(self._run_number(world.run), one, two)

    def _numbered(self, act: Act) -> int:
        number = self._acts.get(act)
        if number is None:
            checks.check_act(act)
            tidy = workers.tidy(act)
            number = self._acts.get(tidy)
            if number is None:
                if not self._act:
                    self._act.append(tidy)  # nothing has the number 0
                    self._siblings.append(-1)
                number = self._acts[tidy] = len(self._act)
                self._act.append(tidy)
                self._siblings.append(self._number(runs.sibling(tidy)))
            self._acts[act] = number
        return number

    def _run_number(self, run: Course) -> int:
        number = self._runs.get(run)
        if number is None:
            number = self._runs[run] = len(self._run)
            self._run.append(run)
            self._standings.append(self._number(run.standing))
        return number

    def _number(self, value: Hashable) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    # What was found -------------------------------------------------------------------------------------------

    def _way(self, world: int) -> list[str]:
        """What happened until then."""
        names: list[str] = []
        past = {world}
        while world in self._came:
            name, world = self._came[world]
            if world in past:
                break
            past.add(world)
            names.append(name)
        return names[::-1]

    def _every_way_ends(self, seen: set[int]) -> None:
        """Without further disturbances every world can come to an end, people answering what they are asked."""
        waiting = [world for world in seen if self._run[world >> (2 * _BITS)].state.is_final()]
        ending = set(waiting)
        while waiting:
            for before in self._back.get(waiting.pop(), ()):
                if before not in ending:
                    ending.add(before)
                    waiting.append(before)
        for world in seen - ending:
            raise Found("from here nothing leads to an end", self._way(world))


def _pack(run: int, one: int, two: int) -> int:
    """Siblings in no order; where there is only one it comes first."""
    if one < two:
        one, two = two, one
    return (run << _BITS | one) << _BITS | two


def _check_goes_on(run: Course, *, alone: bool, by_person: bool) -> None:
    """No world is stuck: work goes on, or people are asked, or the owner can continue what rests."""
    if run.state is RunState.AWAITING and not by_person:
        raise Violation("a run waits for people and nobody can answer")
    if run.state is not RunState.AWAITING and not run.state.is_final() and not alone:
        raise Violation(f"a run is {run.state.value} and nothing goes on")
