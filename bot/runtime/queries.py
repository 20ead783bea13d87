"""The read side: what cards, answers, App Home and `/agent` show, as values without any Slack in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.domain.runs import Run, RunState
from bot.domain.threads import Thread, User
from bot.runtime.ports import Store, UnitOfWork
from integrations.base import Field, Preview
from policies.types import TrustLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a run lives, and whether its content may be shown there.

    `private` and not `is_dm` means: content goes to the owner's DM, and the thread gets a stub.
    """

    run_id: str
    team: str
    user: str
    channel: str
    root_ts: str
    request_ts: str
    is_dm: bool
    private: bool
    state: RunState

    @property
    def elsewhere(self) -> bool:
        """Whether the content must go to the owner's DM instead of the thread."""
        return self.private and not self.is_dm


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A question as a card shows it, open or in its final form.

    `value` is what its buttons carry. `outcome` is the action's state, `detail` its one-line result or error.
    """

    place: Place
    question_id: str
    kind: QuestionKind
    state: QuestionState
    value: str
    tool: str
    preview: Preview
    card_private: bool
    rule: str
    reason: str
    expires_at: datetime
    zone: str
    decided_by: str | None
    decided_at: datetime | None
    decision: Choice | None
    outcome: ActionState
    detail: str
    link: str | None
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLine:
    """One action of a run as a line: its caption, its state and what came of it."""

    action_id: str
    caption: str
    state: ActionState
    detail: str
    doubt: bool
    undo: str | None
    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """A run's final answer, or its honest substitute: text in the model's Markdown, untrusted."""

    place: Place
    text: str
    error: str
    actions: Sequence[ActionLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """A line about one action of a run, such as a memory that can be undone."""

    place: Place
    action: ActionLine


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """An open question in a list. `card` is where its card stands, when it was delivered."""

    question_id: str
    title: str
    asked_at: datetime
    expires_at: datetime
    card: tuple[str, str] | None
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run in a list."""

    run_id: str
    request: str
    state: RunState
    summary: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLine:
    """A connected account in a list."""

    provider: str
    email: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
    """What App Home and `/agent status` show of one person."""

    user: User
    level: TrustLevel
    cap: TrustLevel
    side_effects_enabled: bool
    connections: Sequence[ConnectionLine]
    questions: Sequence[QuestionLine]
    runs: Sequence[RunLine]
    allowed: Sequence[str]
