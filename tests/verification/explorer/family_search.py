"""The search over a run and its child: every pair that so many disturbances can lead to, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import KeysView
from dataclasses import dataclass, field

from bot.domain.runs import RunState
from bot.domain.states import IllegalMove
from tests.verification.explorer.families import Families, Family, Step, forget, steps
from tests.verification.explorer.moves import By
from tests.verification.explorer.search import Found
from tests.verification.explorer.values import Violation


def check_goes_on(family: Family, found: list[Step]) -> None:
    """No world is stuck: work goes on, or people are asked, or the owner can continue what rests."""
    free = [step for step in found if step.cost == 0]
    state = family.parent.run.state
    alone = any(step.by in {By.WORKER, By.TIME} for step in free)
    if state is RunState.AWAITING and not any(step.by is By.PERSON for step in free):
        raise Violation("a run waits for people and nobody can answer")
    if state is RunState.PAUSED and not free:
        raise Violation("a run is paused and nobody can continue it")
    if state not in {RunState.AWAITING, RunState.PAUSED} and not state.is_final() and not alone:
        raise Violation(f"a run is {state.value} and nothing goes on")


@dataclass(slots=True)
class FamilySearch:
    """Every world that so many disturbances can lead to, each once, the least disturbed first."""

    bounds: Families
    disturbances: int
    made: Counter[str] = field(default_factory=Counter[str])
    _came: dict[Family, tuple[str, Family | None]] = field(default_factory=dict[Family, "tuple[str, Family | None]"])
    _back: dict[Family, list[Family]] = field(default_factory=dict[Family, list[Family]])

    def run(self) -> int:
        """How many worlds there are; raises `Found`."""
        forget()
        try:
            start = self.bounds.start
        except (Violation, IllegalMove) as error:
            raise Found(str(error), ["work is given to an agent"]) from error
        self._came[start], layer, seen = ("work is given to an agent", None), {start}, set[Family]()
        for used in range(self.disturbances + 1):
            seen |= layer
            layer = self._layer([*layer], seen, last=used == self.disturbances)
        self._every_way_ends()
        return len(self._came)

    def _layer(self, waiting: list[Family], seen: set[Family], *, last: bool) -> set[Family]:
        """Everything that these lead to without a disturbance is `seen` then; what one leads to is the next layer."""
        further = set[Family]()
        while waiting:
            family = waiting.pop()
            for step in self._next(family):
                if step.cost and last:
                    continue
                self.made[step.name] += 1
                self._came.setdefault(step.family, (step.name, family))
                if step.cost:
                    further.add(step.family)
                    continue
                self._back.setdefault(step.family, []).append(family)
                if step.family not in seen:
                    seen.add(step.family)
                    waiting.append(step.family)
        return further - seen

    @property
    def worlds(self) -> KeysView[Family]:
        """What was found."""
        return self._came.keys()

    def _next(self, family: Family) -> list[Step]:
        try:
            found = list(steps(family, self.bounds))
            check_goes_on(family, found)
        except (Violation, IllegalMove) as error:
            raise Found(str(error), self._way(family)) from error
        return found

    def _every_way_ends(self) -> None:
        """Without further disturbances every world can come to an end, people answering what they are asked."""
        waiting = [family for family in self._came if family.parent.run.state.is_final()]
        ending = set(waiting)
        while waiting:
            for before in self._back.get(waiting.pop(), ()):
                if before not in ending:
                    ending.add(before)
                    waiting.append(before)
        for family in self._came.keys() - ending:
            raise Found("from here nothing leads to an end", self._way(family))

    def _way(self, family: Family | None) -> list[str]:
        names: list[str] = []
        while family is not None:
            name, family = self._came[family]
            names.append(name)
        return names[::-1]
