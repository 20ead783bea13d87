"""Steps: one model call of a run; and `after`, the one rule that says what a run does next (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.actions import ActionState
from bot.domain.limits import Usage
from bot.domain.runs import RunState


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """What `after` needs to know of one action: its state, whether its question is open, whether a person decided."""

    state: ActionState
    question_open: bool = False
    decided_by_person: bool = False


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
    if ActionState.EXECUTING in states:
        return Next(RunState.EXECUTING)
    if cancel_requested:
        return Next(RunState.CANCELLED)
    if hard_stop:
        return Next(RunState.PAUSED, Closing.STAYS if unsettled else Closing.CLOSES)
    if states & {ActionState.PLANNED, ActionState.APPROVED}:
        return Next(RunState.EXECUTING)
    if any(sibling.question_open for sibling in siblings):
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
