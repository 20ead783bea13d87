"""Connections: one person's account at a provider, the attempts to connect one, and the grants to give back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.audit import AuditCode

PROVIDER = "google"

ACTIVE = "active"
REFUSED = "needs_reconnect"
DELEGATED = "delegated"
"""Of no row: an account that an administrator's service account acts for, without a connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An account with the scopes that were really granted. `secret` is encrypted and bound to its row.

    `version` counts the changes: an update names the version that was read, and changes nothing when it is another one.
    """

    team: str
    user: str
    provider: str
    account: str
    email: str
    scopes: frozenset[str]
    secret: str
    status: str = ACTIVE
    version: int = 1


def lacking_literally(granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
    """The scopes that are wanted and were not granted, where no scope includes another."""
    return wanted - granted


OAUTH_ATTEMPT_LIFE = timedelta(minutes=10)


def window_of(attempt_id: str) -> str:
    """What the window with an attempt's link is called in Slack. It comes of the attempt alone, so that whoever ends
    that finds the window: another process, or a later one.
    """
    return f"connect:{attempt_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectLink:
    """A link for one person, and the attempt that it begins."""

    url: str
    attempt_id: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """A grant that nothing here uses any more, to be given back at its provider. `secret` is its refresh token, sealed
    and bound to this row; `account` names its account.

    `attempts` counts the claims, each committed before the provider is asked; the next is made from `not_before` on.
    """

    id: str
    team: str
    user: str
    provider: str
    account: str
    secret: str
    attempts: int = 0
    not_before: datetime
    created_at: datetime


TESTING_LIFE = timedelta(days=7)
"""How long refresh tokens live that an app gives out while its publishing status is “Testing” (Google Identity, "Using
OAuth 2.0 to Access Google APIs", "Refresh token expiration").
"""

_LATE = timedelta(hours=2)  # refreshed so much later than seven days: there is no such end
_SEEN = timedelta(days=7)  # how long after its end a connection may first be used again, and be found dead


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionChange:
    """Something that became of a person's connection; `code` is that of the log."""

    whose: tuple[str, str]
    code: AuditCode
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DisabledApi:
    """The newest failure of a tool whose Google API is not enabled: what people were told, and when."""

    tool: str
    message: str
    at: datetime


def ended_after_a_week(changes: Sequence[ConnectionChange]) -> int:
    """How many connections ended at seven days, as those of an app in testing do; 0 when one lived on."""
    began: dict[tuple[str, str], datetime] = {}
    seen: dict[tuple[str, str], timedelta] = {}
    ended = 0
    for change in changes:
        match change.code:
            case AuditCode.CONNECTION_CONNECTED | AuditCode.CONNECTION_ADOPTED:
                began[change.whose], seen[change.whose] = change.at, timedelta()
            case AuditCode.CONNECTION_REFRESHED if change.whose in began:
                seen[change.whose] = change.at - began[change.whose]
                if seen[change.whose] > TESTING_LIFE + _LATE:
                    return 0
            case AuditCode.CONNECTION_REFUSED if change.whose in began:
                age = change.at - began.pop(change.whose)
                ended += TESTING_LIFE - _LATE <= age <= TESTING_LIFE + _SEEN
            case _:
                pass
    return ended
