"""Retention: what is forgotten when its time is over, and what is kept as long as it is needed (docs/time.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Outdated(StrEnum):
    """Kinds of rows that are pruned, in this order. Nothing of a run that is not final is among them, nor the log."""

    STEPS = "steps"  # what the model was told and said, its calls with arguments and results, questions and votes
    ANSWERS = "answers"  # what a run said in the end; the run stays
    RUNS = "runs"  # with everything that is left of them
    MESSAGES = "messages"  # what was said; of a request that a run names only the words go
    SCHEDULES = "schedules"  # that have ended
    SPENDING = "spending"  # what people's runs used of the model, by day
    INBOX = "inbox"  # which events of Slack's came already
    HTTP_REQUESTS = "http_requests"  # keys under which something was asked over HTTP
    DELIVERED = "delivered"  # outbox rows that Slack has
    DEAD = "dead"  # outbox rows that were given up
    LEASES = "leases"  # of threads without work
    RATES = "rates"  # buckets that are full again
    THREADS = "threads"  # of which nothing is left: where a conversation stood
    DEFINITIONS = "definitions"  # of agents of which no run is left
    SESSIONS = "sessions"  # of the HTTP API that are over
    CONNECTS = "connects"  # links to connect an account that are over, and whatever was done with them

    @property
    def is_personal(self) -> bool:
        """Whether the rows are about people: their deletion is audited."""
        return self in {self.STEPS, self.ANSWERS, self.MESSAGES, self.SCHEDULES, self.RUNS}


Key: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class ForgettableRow:
    """A row to forget: its key, and the workspace that it belongs to, empty where it belongs to none."""

    key: Key
    team: str = ""
