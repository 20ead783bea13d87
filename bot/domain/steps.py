"""Steps: one model call of a run; and `after`, the one rule that says what a run does next (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.actions import ActionState
from bot.domain.limits import Usage
from bot.domain.runs import RunState

HELD = "held"
"""How the step of a deferred run finished: no model called what it holds."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One model call and its calls. `open` counts the actions that are not settled."""

    id: str
    run_id: str
    seq: int
    open: int
    model: str
    finish: str
    usage: Usage = field(default_factory=Usage)
    started_at: datetime
    ended_at: datetime
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """What `after` needs to know of one action: its state, whether its question is open, whether a person decided, and
    the state of the child run that does its work.
    """

    state: ActionState
    question_open: bool = False
    decided_by_person: bool = False
    child: RunState | None = None

    @property
    def child_lives(self) -> bool:
        """Whether its child has not ended."""
        return self.child is not None and self.child.is_live()

    @property
    def child_works(self) -> bool:
        """Whether its child can move without people."""
        return self.child_lives and self.child is not RunState.AWAITING

    @property
    def waits_for_people(self) -> bool:
        """Whether a question is open: its own, or its child's."""
        return self.question_open or self.child is RunState.AWAITING


class Closing(StrEnum):
    """What happens to the step itself."""

    STAYS = "stays"
    CLOSES = "closes"
    SETTLES_EXPIRED = "settles_expired"


@dataclass(frozen=True, slots=True)
class Next:
    """What the run does next, and whether its step closes."""

    run: RunState
    step: Closing = Closing.STAYS


def after(siblings: Sequence[Sibling], *, cancel_requested: bool, hard_stop: bool) -> Next:
    """The first line of docs/states.md §1 `after` that fits. Pure; read after the step's row is locked."""
    states = {sibling.state for sibling in siblings}
    unsettled = [sibling for sibling in siblings if not sibling.state.is_settled()]
    stops = cancel_requested or hard_stop
    if ActionState.EXECUTING in states or (stops and any(sibling.child_lives for sibling in siblings)):
        return Next(RunState.EXECUTING)
    if cancel_requested:
        return Next(RunState.CANCELLED)
    if hard_stop:
        return Next(RunState.PAUSED, Closing.STAYS if unsettled else Closing.CLOSES)
    if states & {ActionState.PLANNED, ActionState.APPROVED} or any(sibling.child_works for sibling in siblings):
        return Next(RunState.EXECUTING)
    if any(sibling.waits_for_people for sibling in siblings):
        return Next(RunState.AWAITING)
    if not unsettled:
        return Next(RunState.PLANNING, Closing.CLOSES)
    if _only_expired_left(siblings):
        return Next(RunState.PLANNING, Closing.SETTLES_EXPIRED)
    return Next(RunState.PAUSED)


def _only_expired_left(siblings: Sequence[Sibling]) -> bool:
    """Line 7: only expired ones are left, and a person decided a settled sibling."""
    unsettled = {sibling.state for sibling in siblings if not sibling.state.is_settled()}
    decided = any(sibling.decided_by_person for sibling in siblings if sibling.state.is_settled())
    return unsettled == {ActionState.EXPIRED} and decided
