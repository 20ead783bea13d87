"""Schedules: what is to happen at a time, once or again and again, in somebody's own time zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.states import State
from bot.errors import BotError
from policies.types import Label

CRON_FIELDS = frozenset({"year", "month", "day", "week", "day_of_week", "hour", "minute"})
"""What a repeating time is made of; a finer one than a minute is none."""


class BadSchedule(BotError):
    """This time cannot be scheduled; the words say why."""


class ScheduleKind(StrEnum):
    """What firing does."""

    REQUEST = "request"  # a run with this text as its request
    REMINDER = "reminder"  # these words, as a direct message
    BRIEFING = "briefing"


class LookUp(StrEnum):
    """What must be looked up outside before it fires. Each kind has its own lane, so that slow look-ups of one kind
    delay no other.
    """

    NOTHING = "nothing"
    MAIL = "mail"  # whether somebody answered in a thread
    DAY = "day"


class ScheduleState(State):
    """Where a schedule stands."""

    ACTIVE = ("active", "it fires when its time comes")
    PAUSED = ("paused", "it is kept, and does not fire")
    ENDED = ("ended", "it fired for the last time, or was removed")


SCHEDULE_MOVES: Mapping[State, frozenset[State]] = {
    ScheduleState.ACTIVE: frozenset({ScheduleState.PAUSED, ScheduleState.ENDED}),
    ScheduleState.PAUSED: frozenset({ScheduleState.ACTIVE, ScheduleState.ENDED}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """One person's schedule. `spec` says when: `{"at": "2026-11-23T16:00"}` in local time, or the fields of a cron
    line by name, as `{"day_of_week": "mon-fri", "hour": 8, "minute": 0}`; both count in `zone`.

    `channel` is where it speaks, a conversation of Slack; `payload` what it says: `text`, and in `typed` those of its
    words that the person typed. `next_fire` is the moment that a tick moves by compare-and-set; None but while active.
    """

    id: str
    team: str
    user: str
    channel: str
    kind: ScheduleKind
    title: str
    spec: Mapping[str, object]
    zone: str
    payload: Mapping[str, object] = field(default_factory=dict[str, object])
    look: LookUp = LookUp.NOTHING
    state: ScheduleState = ScheduleState.ACTIVE
    next_fire: datetime | None
    last_fired: datetime | None = None
    created_at: datetime

    @property
    def text(self) -> str:
        """What is asked or said when it fires."""
        return str(self.payload.get("text", ""))

    @property
    def typed(self) -> str:
        """The words of the text that its owner typed; a tool's are not."""
        return str(self.payload.get("typed", ""))

    @property
    def is_dm(self) -> bool:
        """Whether its channel is its owner's direct messages."""
        return bool(self.payload.get("is_dm"))

    @property
    def number(self) -> int:
        """A short name of it among its owner's, as long as it lives."""
        number = self.payload.get("number")
        return number if isinstance(number, int) else 0

    @property
    def label(self) -> Label:
        """How far its words can be trusted."""
        return Label(str(self.payload.get("label", Label.MEMBER.value)))

    @property
    def unless_answered(self) -> str | None:
        """The mail thread in which an answer makes it needless."""
        thread = self.payload.get("unless_answered")
        return str(thread) if thread else None

    def run_source(self, at: datetime) -> str:
        """The source key of the run that this firing begins: the same firing never begins two."""
        return f"sched:{self.id}:{at.isoformat()}"


def schedule_of(source_key: str) -> str | None:
    """The schedule that began the run with this source key; None when none did."""
    kind, _, rest = source_key.partition(":")
    return rest.partition(":")[0] if kind == "sched" else None


class ReminderChoice(StrEnum):
    """What its owner says to a reminder."""

    DONE = "done"
    HOUR = "hour"
    MORNING = "morning"


_BLIND = "blind"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderFiring:
    """One firing of a reminder; `blind` when it could not be looked up whether it is still needed."""

    schedule_id: str
    due: datetime
    blind: bool = False

    @property
    def subject(self) -> str:
        """As the delivery, and the buttons of what it shows, name it."""
        return f"{self.schedule_id}@{self.due.isoformat()}" + (f"@{_BLIND}" if self.blind else "")

    @classmethod
    def of(cls, subject: str) -> ReminderFiring | None:
        """The firing that a subject names; None for what names none."""
        schedule_id, _, rest = subject.partition("@")
        due, _, blind = rest.partition("@")
        try:
            return cls(schedule_id=schedule_id, due=datetime.fromisoformat(due), blind=blind == _BLIND)
        except ValueError:
            return None
