"""Actions: one tool call that the model proposed. The states and moves of docs/states.md §2."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypedDict

from bot.domain.limits import Budget, Limit
from bot.domain.states import State
from integrations.errors import NOTHING_TO_CHANGE
from integrations.text import counted
from policies.types import EffectClass, Label, Verdict


class ActionState(State):
    """Where an action stands."""

    PLANNED = ("planned", "written down, to be judged")
    AWAITING = ("awaiting_confirmation", "a question about it is open")
    APPROVED = ("approved", "may run, has not begun")
    EXECUTING = ("executing", "claimed; the outside may have changed")
    COMPLETED = ("completed", "it happened")
    FAILED = ("failed", "it failed")
    DENIED = ("denied", "policy does not allow it")
    REJECTED = ("rejected", "its owner said no")
    EXPIRED = ("expired", "nobody answered in time")
    CANCELLED = ("cancelled", "its run ended before it ran")
    UNKNOWN = ("unknown", "it may have happened; its owner is asked")

    def is_settled(self) -> bool:
        """Whether its step does not wait for it any more (`steps.open` counts all others)."""
        return self in SETTLED


SETTLED = frozenset(
    {ActionState.COMPLETED, ActionState.FAILED, ActionState.DENIED, ActionState.REJECTED, ActionState.CANCELLED}
)


@dataclass(frozen=True, slots=True)
class Undo:
    """How a completed action can be taken back, or what became of that: a kind, and the id of what it is about."""

    kind: str
    subject: str = ""

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.kind}:{self.subject}" if self.subject else self.kind

    @classmethod
    def parse(cls, text: str) -> Undo:
        """The value of such a text."""
        kind, _, subject = text.partition(":")
        return cls(kind, subject)

    @classmethod
    def held(cls, run_id: str) -> Undo:
        """Of an action that completed as scheduled: this run does it at its time."""
        return cls("held", run_id)

    @classmethod
    def was_held(cls, run_id: str) -> Undo:
        """The same, once that run has ended: the action's summary says how."""
        return cls("was_held", run_id)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many looks a run took, and how many actions were done besides. One in doubt counts: it may be done."""

    lookups: int = 0
    actions: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(self.lookups + other.lookups, self.actions + other.actions)

    def __str__(self) -> str:
        """In words; empty where there is nothing to count."""
        looks = [counted(self.lookups, "lookup")] if self.lookups else []
        return ", ".join([*looks, *([counted(self.actions, "action")] if self.actions else [])])


UNDONE = Undo("undone")
"""Of an action that was taken back."""

LONGEST_REST = timedelta(minutes=5)
"""An action waits at most this long until a busy provider is tried again."""

NOT_BEGUN = frozenset({ActionState.PLANNED, ActionState.AWAITING, ActionState.APPROVED})
"""What a stop, or the end of its run, cancels at once."""

_A = ActionState
ACTION_MOVES: Mapping[State, frozenset[State]] = {
    _A.PLANNED: frozenset({_A.APPROVED, _A.AWAITING, _A.COMPLETED, _A.REJECTED, _A.DENIED, _A.FAILED, _A.CANCELLED}),
    _A.AWAITING: frozenset(
        {_A.APPROVED, _A.PLANNED, _A.COMPLETED, _A.FAILED, _A.REJECTED, _A.DENIED, _A.EXPIRED, _A.CANCELLED}
    ),
    _A.APPROVED: frozenset({_A.EXECUTING, _A.PLANNED, _A.DENIED, _A.CANCELLED, _A.AWAITING}),
    _A.EXECUTING: frozenset({_A.COMPLETED, _A.FAILED, _A.EXECUTING, _A.APPROVED, _A.PLANNED, _A.AWAITING, _A.UNKNOWN}),
    _A.UNKNOWN: frozenset({_A.COMPLETED, _A.FAILED, _A.APPROVED}),
    _A.EXPIRED: frozenset({_A.PLANNED}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A decided `approve` question, bound to one hash of arguments, basis, policy version and account. `agreed` are
    those who had to agree besides, and did.
    """

    hash: str
    by: str
    at: datetime
    expires_at: datetime
    agreed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Action:
    """One tool call. `args` is the canonical JSON (RFC 8785) of the current edition; `args_proposed` never changes.

    `key` is the effect's key; `noted` what an attempt committed while it ran; `doubt` that an attempt ended without a
    known outcome. `response` is the JSON that goes back to the model. `child` is the run of the agent that does the
    work of it.
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
    undo: Undo | None = None
    label: Label | None = None
    private: bool = False
    child: str | None = None
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def is_side_effect(self) -> bool:
        """Whether it changes something outside our own store."""
        return self.effect.is_side_effect()

    @property
    def is_kept_as_draft(self) -> bool:
        """Whether a call that sends only keeps a draft, as its owner chose on the card. In canonical JSON no text holds
        these bytes: its quotation marks are escaped.
        """
        return '"as_draft":true' in self.args

    @property
    def is_change(self) -> bool:
        """Whether it changes something there, or here: a reminder, a memory."""
        return self.is_side_effect or self.effect is EffectClass.OWN

    @property
    def rests_until(self) -> datetime | None:
        """Until when it waits because the provider was busy; None for every other action."""
        return self.deadline_at if self.state is ActionState.APPROVED else None

    def rests(self, now: datetime) -> bool:
        """Whether a busy provider is not tried again yet. A moment beyond the longest rest does not count: it was named
        before the clock went back.
        """
        return self.rests_until is not None and now < self.rests_until <= now + LONGEST_REST

    @property
    def is_scheduled(self) -> bool:
        """Whether it completed as scheduled: another run does it at its time, or did not."""
        return self.undo is not None and self.undo.kind in {"held", "was_held"}

    @property
    def is_waiting(self) -> bool:
        """Whether that run has not ended."""
        return self.undo is not None and self.undo.kind == "held"

    @property
    def is_told(self) -> bool:
        """Whether people read that it was done without a word of the model: on a card, or in a line about it."""
        return self.state is ActionState.COMPLETED and not self.doubt and self.is_change

    @property
    def is_needless(self) -> bool:
        """Whether nothing had to be done, because everything is as it was wanted."""
        return self.state is ActionState.FAILED and self.error_code == NOTHING_TO_CHANGE

    @property
    def error_code(self) -> str:
        """What the model was told by a word of why it was not done; empty where it was told nothing of that."""
        match self.response:
            case {"error": {"code": str(code)}}:
                return code
            case _:
                return ""

    @property
    def is_beyond_limit(self) -> bool:
        """Whether it was denied because its run, or the day, had no more of something."""
        limits = {limit.rule for limit in (*Limit, *Budget)}
        return self.state is ActionState.DENIED and self.verdict is not None and self.verdict.rule in limits


class OutcomeChanges(TypedDict, total=False):
    """The columns that may change when an action is settled, beside its state, its response and its end."""

    verdict: Verdict | None
    evidence: Mapping[str, object] | None
    doubt: bool
    summary: str
    link: str | None
    undo: Undo | None
    label: Label | None
    private: bool


class ActionChanges(OutcomeChanges, total=False):
    """The columns that may change when an action moves, beside its state."""

    args: str
    args_hash: str
    edition: int
    caption: str
    approval: Approval | None
    preview: Mapping[str, object] | None
    basis: Mapping[str, object] | None
    account: str | None
    attempt: int
    deadline_at: datetime | None
    child: str
    started_at: datetime | None
    response: Mapping[str, object] | None
    ended_at: datetime | None


def evidence_hash(evidence: Mapping[str, object]) -> str:
    """By what the log knows the evidence of a verdict, in hex: the SHA-256 of its JSON with sorted names."""
    return sha256(_sorted(evidence).encode()).hexdigest()


_sorted = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def call_hashes(actions: Sequence[Action]) -> tuple[str, ...]:
    """The tool and argument hash of each call, in call order."""
    return tuple(f"{action.tool}:{action.args_hash}" for action in actions)
