"""A question in a list, and those besides its owner who were shown it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.domain.questions import Choice


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
class ReaderLine:
    """Somebody who had to agree and was shown a card; `said` is their vote, if they gave one."""

    user: str
    said: Choice | None
    turn_ends_at: datetime
