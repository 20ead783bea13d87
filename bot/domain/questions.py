"""Questions: something people are asked. The kinds and states of docs/states.md §3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from bot.domain.states import State

QUESTION_LIFE = timedelta(hours=24)
SETTLE_LIFE = timedelta(days=7)
APPROVAL_LIFE = timedelta(hours=1)  # after the deciding vote, or until the question's expiry, whichever is later


class QuestionKind(StrEnum):
    """What is asked."""

    APPROVE = "approve"  # may this be done?
    ANSWER = "answer"  # what only its owner can say to a tool
    CONNECT = "connect"  # an account that an action needs
    PLAN = "plan"  # has its room; nothing asks it yet
    SETTLE = "settle"  # did this happen? An attempt ended in doubt


class QuestionState(State):
    """Where a question stands."""

    OPEN = ("open", "it waits for an answer")
    DECIDED = ("decided", "somebody answered")
    REPLACED = ("replaced", "what it asked about was edited or judged again")
    EXPIRED = ("expired", "nobody answered in time")
    WITHDRAWN = ("withdrawn", "it needs no answer any more")


QUESTION_MOVES: Mapping[State, frozenset[State]] = {
    QuestionState.OPEN: frozenset(
        {QuestionState.DECIDED, QuestionState.REPLACED, QuestionState.EXPIRED, QuestionState.WITHDRAWN}
    ),
}


class Choice(StrEnum):
    """What its owner says to a question: by a button of its card, where nothing else is noted."""

    # to `approve`
    APPROVE = "approve"
    REJECT = "reject"  # also “Not now” to `connect`
    # to `settle`
    HAPPENED = "happened"
    DID_NOT = "did_not"
    TRY_AGAIN = "try_again"
    # to `connect`: by connecting an account
    CONNECTED = "connected"
    OTHER_ACCOUNT = "other_account"  # another one than it was about
    # to `answer`: by a button, or in words
    ANSWER = "answer"
    NONE = "none"  # of what there was to choose from


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. `hash` binds it to one edition; `nonce` is the opaque half of its buttons' values.

    `remind_at` is when its owner is to be reminded, None once he was (`reminded_at`): what was told is not looked at
    again, however long it stays open.
    """

    id: str
    kind: QuestionKind
    run_id: str
    step_id: str
    action_id: str
    thread_id: str
    team: str
    user: str
    state: QuestionState
    nonce: str
    edition: int
    hash: str
    payload: Mapping[str, object] = field(default_factory=dict[str, object])
    created_at: datetime
    expires_at: datetime
    remind_at: datetime | None = None
    reminded_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    decision: Choice | None = None
    reason: str = ""

    def button_value(self) -> str:
        """What a button carries: opaque, nothing of the arguments."""
        return f"{self.id}.{self.nonce}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One person's answer to an `approve` question."""

    question_id: str
    user: str
    edition: int
    choice: Choice
    at: datetime
