"""What becomes of a request over HTTP: it is taken, or refused. Nothing was done for what is refused, so it can be sent
again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.audit import AuditCode, AuditEvent
from bot.errors import BotError
from bot.runtime.core.transaction import Transaction


class Turned(StrEnum):
    """Why, as a client's program reads it and as the log notes it."""

    NOT_FOUND = "not_found"  # no such thread, or none of this person's over HTTP
    KEY_USED = "idempotency_key_used"  # for another body
    TOO_FAST = "too_fast"
    NOTHING_TO_STOP = "nothing_to_stop"
    NOT_NOW = "not_now"  # what was asked for is not possible as things stand
    BAD_INPUTS = "bad_inputs"  # of an agent
    BAD_REQUEST = "bad_request"  # its limits
    UNAVAILABLE_AGENT = "agent_unavailable"  # it lacks tools here


@dataclass(frozen=True, slots=True)
class Refused:
    """Why; in words where its person is told more than the code; when it may be tried again, if that is known; and what
    in the request is at fault, if that is one thing.
    """

    why: Turned
    words: str = ""
    again_at: datetime | None = None
    field: str = ""

    def record(self, tx: Transaction, *, team: str, user: str) -> None:
        """Have it in the log, unless what refused it wrote more about it."""
        if self.why is Turned.NOT_NOW:
            return
        tx.record(
            AuditEvent(team=team, code=AuditCode.MESSAGE_REFUSED, actor=user, details={"why": f"http.{self.why.value}"})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """The run that goes on with something that was taken, and the message, where it is one. `begun`: it began just
    now.
    """

    run_id: str
    message_id: str = ""
    begun: bool = False


Taking = Callable[[Transaction], Awaitable[Took | Refused]]
"""What is done in a transaction to take something in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The request that goes on: it began, or was said something, or is continued; with its thread and the message."""

    run_id: str
    thread_id: str
    message_id: str = ""


class MaybeTaken(BotError):
    """It was taken as `taken`, or was not: the database did not say, and it is not there to be seen."""

    def __init__(self, taken: Taken) -> None:
        super().__init__(taken.run_id)
        self.taken = taken


class NotTaken(BotError):
    """Nothing was taken; `refused` says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.words or refused.why.value)
        self.refused = refused
