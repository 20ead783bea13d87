"""The slots of a run's messages, and the marks that messages carry in their metadata."""

from __future__ import annotations

from bot.domain.deliveries import ANSWER, DeliveryKind

ROOT = "root"
OPENING = "opening"
STUB = "stub"
HELD = "held"


def notice_slot(action_id: str) -> str:
    """The slot of the line about one action."""
    return f"notice:{action_id}"


def reminder_slot(question_id: str) -> str:
    """The slot of the line that a question is still open."""
    return f"reminder:{question_id}"


def alarm_mark(delivery_id: int) -> str:
    """The mark of what a person asked to be reminded of."""
    return f"alarm/{delivery_id}"


def briefing_mark(message_id: str) -> str:
    """The mark of a briefing."""
    return f"briefing/{message_id}"


def answer_slot(part: int) -> str:
    """The slot of the answer's n-th message, counted from zero."""
    return ANSWER if part == 0 else f"{ANSWER}:{part + 1}"


def connected_mark(subject: str) -> str:
    """The mark of the word that an account was connected."""
    return f"connected/{subject}"


def loss_slot(kind: DeliveryKind) -> str:
    """The slot of the word that something of this kind could not be delivered."""
    return f"loss:{kind.value}"
