"""Each line of `after` taken out in turn: the facts that it looks at are kept from it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from bot.domain.actions import ActionState
from bot.domain.steps import Next, Sibling, after
from tests.verification.explorer import runs
from tests.verification.explorer.conditions_out import BARE, KEYED
from tests.verification.explorer.runs import Bounds
from tests.verification.explorer.values import Act


class Facts(NamedTuple):
    """What `after` is told."""

    siblings: Sequence[Sibling]
    cancel: bool
    hard: bool


class Line(NamedTuple):
    """How a line's facts are kept from it, what the search then finds, and where it looks."""

    hide: Callable[[Facts], Facts]
    finds: str
    starts: tuple[Act, ...] = (KEYED,)
    disturbances: int = 1

    @property
    def bounds(self) -> Bounds:
        """Where the search looks."""
        return Bounds(self.starts, 1)


def _as_done(*states: ActionState) -> Callable[[Facts], Facts]:
    """Actions in these states look as if they were completed."""

    def hide(facts: Facts) -> Facts:
        done = [replace(one, state=ActionState.COMPLETED) if one.state in states else one for one in facts.siblings]
        return facts._replace(siblings=done)

    return hide


def _all(**facts: bool) -> Callable[[Facts], Facts]:
    """Each sibling looks like this."""

    def hide(told: Facts) -> Facts:
        return told._replace(siblings=[replace(one, **facts) for one in told.siblings])

    return hide


def _no_stop(facts: Facts) -> Facts:
    return facts._replace(cancel=False)


def _no_limit(facts: Facts) -> Facts:
    return facts._replace(hard=False)


_CLOSED_EARLY = "a step was closed while something of it was not settled"

LINES: Mapping[str, Line] = {
    "1, an attempt is under way": Line(_as_done(ActionState.EXECUTING), _CLOSED_EARLY),
    "2, a stop was asked for": Line(_no_stop, "a run is executing and nothing goes on"),
    "3, a hard stop": Line(_no_limit, "a run is executing and nothing goes on"),
    "4, something can begin": Line(_as_done(ActionState.PLANNED, ActionState.APPROVED), _CLOSED_EARLY),
    "5, a question is open": Line(_all(question_open=False), "from here nothing leads to an end", (BARE,)),
    "6, something may have happened": Line(_as_done(ActionState.UNKNOWN), _CLOSED_EARLY, (BARE,)),
    "7, a person decided": Line(
        _all(decided_by_person=True), "the model was called although nobody decided", disturbances=2
    ),
}


@contextmanager
def without(hide: Callable[[Facts], Facts]) -> Generator[None]:
    """`after` does not see what this hides, until the block ends."""
    real = runs.after

    def blind(siblings: Sequence[Sibling], *, cancel_requested: bool, hard_stop: bool) -> Next:
        told = hide(Facts(siblings, cancel_requested, hard_stop))
        return after(told.siblings, cancel_requested=told.cancel, hard_stop=told.hard)

    runs.after = blind
    try:
        yield
    finally:
        runs.after = real
