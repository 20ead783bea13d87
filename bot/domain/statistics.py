"""Statistics for operators: how much waits, and since when. They hold nothing about people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCount:
    """How many of something wait, and since when the oldest does."""

    count: int = 0
    oldest: datetime | None = None

    def age(self, now: datetime) -> float:
        """The seconds that the oldest waits; 0 when nothing does."""
        return 0.0 if self.oldest is None else max(0.0, (now - self.oldest).total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """One moment of the store: runs that live or are paused, open questions, what is to be delivered or was given up,
    what is unsealed.
    """

    runs: Mapping[RunState, int] = field(default_factory=dict[RunState, int])
    questions: Mapping[QuestionKind, WaitingCount] = field(default_factory=dict[QuestionKind, WaitingCount])
    deliveries: WaitingCount = field(default_factory=WaitingCount)
    dead_letters: int = 0
    unsealed: WaitingCount = field(default_factory=WaitingCount)

    @property
    def open_questions(self) -> WaitingCount:
        """Questions of every kind together."""
        since = [kind.oldest for kind in self.questions.values() if kind.oldest is not None]
        return WaitingCount(count=sum(kind.count for kind in self.questions.values()), oldest=min(since, default=None))
