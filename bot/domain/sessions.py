"""Sessions: people who are signed in to the HTTP API with Slack."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

SESSION_LIFE = timedelta(hours=12)

SIGN_IN_LIFE = timedelta(minutes=10)
"""How long a browser may take from us to Slack and back."""

MOST_SESSIONS = 20
"""Of one person; one more ends the oldest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSession:
    """One browser of a person's. Of the token in its cookie, and of the state with which it came from Slack, there are
    hashes. `browser` is what it calls itself, in words.
    """

    id: str
    team: str
    user: str
    token_hash: str
    state_hash: str
    browser: str
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None
