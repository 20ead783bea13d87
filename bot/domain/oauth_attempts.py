"""OAuth attempts: one attempt of a person to connect an account, from the link to its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

OAUTH_ATTEMPT_LIFE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthAttempt:
    """One attempt. Of what only the person's browser may know (the link's token, the state, the cookie, the page that
    asks to confirm) there are hashes; the PKCE verifier and what is held back until it is confirmed are sealed.

    `choices` are what may be chosen, `missing` what is needed; `scopes` what was chosen when the browser left for the
    provider. `consumed_at` is when it came back, `ended_at` when it was over.
    """

    id: str
    team: str
    user: str
    provider: str
    token_hash: str
    choices: Sequence[str]
    missing: frozenset[str]
    scopes: frozenset[str] = frozenset()
    state_hash: str | None = None
    cookie_hash: str | None = None
    verifier: str | None = None
    confirm_hash: str | None = None
    held: str | None = None
    created_at: datetime
    expires_at: datetime
    opened_at: datetime | None = None
    consumed_at: datetime | None = None
    ended_at: datetime | None = None

    def is_usable(self, now: datetime) -> bool:
        """Whether the browser may still leave for the provider with it."""
        return self.consumed_at is None and now < self.expires_at
