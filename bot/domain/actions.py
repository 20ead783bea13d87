"""Actions: one tool call that the model proposed. The states and moves of docs/states.md §2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from bot.domain.runs import HELD_UNDO, WAS_HELD
from bot.domain.states import State
from policies.types import EffectClass, Label, Verdict


class ActionState(State):
    """Where an action stands."""

    PLANNED = ("planned", "written down, to be judged")
    AWAITING = ("awaiting_confirmation", "a question about it is open")
    APPROVED = ("approved", "may run, has not begun")
    EXECUTING = ("executing", "claimed; the outside may have changed")
    COMPLETED = ("completed", "it happened")
    FAILED = ("failed", "it failed")
    DENIED = ("denied", "refused by policy")
    REJECTED = ("rejected", "refused by a person")
    EXPIRED = ("expired", "refused by silence")
    CANCELLED = ("cancelled", "its run ended before it ran")
    UNKNOWN = ("unknown", "it may have happened; its owner is asked")

    def is_settled(self) -> bool:
        """Whether its step does not wait for it any more (`steps.open` counts all others)."""
        return self in SETTLED


SETTLED = frozenset(
    {ActionState.COMPLETED, ActionState.FAILED, ActionState.DENIED, ActionState.REJECTED, ActionState.CANCELLED}
)

UNDONE = "undone"
"""What stands in an action's `undo` after it was taken back."""

NOT_BEGUN = frozenset({ActionState.PLANNED, ActionState.AWAITING, ActionState.APPROVED})
"""What a stop, or the end of its run, cancels at once."""

_A = ActionState
ACTION_MOVES: Mapping[State, frozenset[State]] = {
    _A.PLANNED: frozenset({_A.APPROVED, _A.AWAITING, _A.REJECTED, _A.DENIED, _A.FAILED, _A.CANCELLED}),
    _A.AWAITING: frozenset({_A.APPROVED, _A.PLANNED, _A.COMPLETED, _A.REJECTED, _A.DENIED, _A.EXPIRED, _A.CANCELLED}),
    _A.APPROVED: frozenset({_A.EXECUTING, _A.PLANNED, _A.DENIED, _A.CANCELLED, _A.AWAITING}),
    _A.EXECUTING: frozenset({_A.COMPLETED, _A.FAILED, _A.EXECUTING, _A.APPROVED, _A.PLANNED, _A.AWAITING, _A.UNKNOWN}),
    _A.UNKNOWN: frozenset({_A.COMPLETED, _A.FAILED, _A.APPROVED}),
    _A.EXPIRED: frozenset({_A.PLANNED}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A decided `approve` question, bound to one hash of arguments, basis, policy version and account."""

    hash: str
    by: str
    at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One tool call. `args` is the canonical JSON (RFC 8785) of the current edition; `args_proposed` never changes.

    `key` is the effect's key; `noted` what an attempt committed while it ran; `doubt` that an attempt ended without a
    known outcome. `response` is the JSON that goes back to the model.
    """

    id: str
    run_id: str
    step_id: str
    thread_id: str
    team: str
    user: str
    seq: int
    call_id: str
    call_id_given: bool
    tool: str
    effect: EffectClass
    caption: str
    args_proposed: str
    args: str
    args_hash: str
    edition: int = 1
    state: ActionState
    verdict: Verdict | None = None
    evidence: Mapping[str, object] | None = None
    approval: Approval | None = None
    preview: Mapping[str, object] | None = None
    basis: Mapping[str, object] | None = None
    account: str | None = None
    attempt: int = 0
    doubt: bool = False
    deadline_at: datetime | None = None
    noted: Mapping[str, object] | None = None
    response: Mapping[str, object] | None = None
    summary: str = ""
    link: str | None = None
    undo: str | None = None
    label: Label | None = None
    private: bool = False
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def is_side_effect(self) -> bool:
        """Whether it changes something outside our own store."""
        return self.effect.is_side_effect()

    @property
    def is_scheduled(self) -> bool:
        """Whether it completed as scheduled: another run does it at its time, or did not."""
        return self.undo is not None and self.undo.startswith((HELD_UNDO, WAS_HELD))

    @property
    def is_waiting(self) -> bool:
        """Whether that run has not ended."""
        return self.undo is not None and self.undo.startswith(HELD_UNDO)


class OutcomeChanges(TypedDict, total=False):
    """The columns that may change when an action is settled, beside its state, its response and its end."""

    args: str
    args_hash: str
    edition: int
    caption: str
    verdict: Verdict | None
    evidence: Mapping[str, object] | None
    approval: Approval | None
    preview: Mapping[str, object] | None
    basis: Mapping[str, object] | None
    account: str | None
    attempt: int
    doubt: bool
    deadline_at: datetime | None
    noted: Mapping[str, object] | None
    summary: str
    link: str | None
    undo: str | None
    label: Label | None
    private: bool
    started_at: datetime | None


class ActionChanges(OutcomeChanges, total=False):
    """The columns that may change when an action moves, beside its state."""

    response: Mapping[str, object] | None
    ended_at: datetime | None


def call_hashes(actions: Sequence[Action]) -> tuple[str, ...]:
    """The tool and argument hash of each call, in call order."""
    return tuple(f"{action.tool}:{action.args_hash}" for action in actions)
