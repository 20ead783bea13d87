"""What App Home and `/agent status` list of one person, as values without any Slack in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.runs import RunState
from bot.domain.threads import User
from integrations.ports import ScheduleInfo
from policies.provenance import GuardMode
from policies.types import Rule, TrustLevel

WAITS_FOR_YOU = "waits for your decision"
WAITS_FOR_OTHERS = "you agreed, and it waits for somebody else"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run in a list; `holds` is the caption of what waits for its moment in it, `plan` how a plan stands. `agreed`:
    it waits for others, as its owner said yes to all that it asks. `is_account`: its summary tells how its tasks ended.
    """

    run_id: str
    request: str
    state: RunState
    summary: str
    created_at: datetime
    holds: str = ""
    plan: str = ""
    is_account: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLine:
    """A connected account in a list, with the scopes that it granted."""

    provider: str
    email: str
    status: str
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLine:
    """Something that waits for its moment, in a list."""

    run_id: str
    caption: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """An open question in a list. `card` is where its card stands, when it was delivered. `asked_by` is the person who
    asked for it, where it waits for somebody else who has to agree.
    """

    question_id: str
    title: str
    asked_at: datetime
    expires_at: datetime
    card: tuple[str, str] | None
    value: str
    asked_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """One thing that is remembered."""

    memory_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
    """What App Home and `/agent status` show of one person; more questions are open than are listed."""

    user: User
    level: TrustLevel
    cap: TrustLevel
    side_effects_enabled: bool
    guard: GuardMode
    connections: Sequence[ConnectionLine]
    questions: Sequence[QuestionLine]
    runs: Sequence[RunLine]
    allowed: Sequence[str]
    more_questions: int = 0
    held: Sequence[HeldLine] = ()
    plans: Sequence[RunLine] = ()
    accounts_offered: bool = False
    schedules: Sequence[ScheduleInfo] = ()
    memories: Sequence[MemoryLine] = ()
    more_memories: bool = False
    rules: Sequence[Rule] = ()
