"""Who granted what to the app, and which tokens stand for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from playground.clock import Clock
from playground.google.errors import ApiError
from playground.people import PEOPLE, Person

CLIENT_ID = "playground-client"
CLIENT_SECRET = "playground-secret"

LIFE_SECONDS = 3599

SCOPES = (
    "openid",
    "https://www.googleapis.com/auth/userinfo.email",
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.compose",
    "https://www.googleapis.com/auth/calendar.events",
    "https://www.googleapis.com/auth/calendar.freebusy",
    "https://www.googleapis.com/auth/calendar.settings.readonly",
    "https://www.googleapis.com/auth/calendar.calendarlist.readonly",
    "https://www.googleapis.com/auth/calendar.calendars.readonly",
)
"""What everybody has granted at the start: what the tools need, and what shows a person's zone and calendars."""


@dataclass(slots=True, kw_only=True)
class Grant:
    """One person's grant. A token's value is the second it expires at, None for one that does not."""

    person: Person
    scopes: frozenset[str] = frozenset(SCOPES)
    revoked: bool = False
    tokens: dict[str, float | None] = field(default_factory=dict[str, "float | None"])
    issued: int = 0

    @property
    def refresh_token(self) -> str:
        return f"1//playground-{self.person.handle}"

    def issue(self, expires: float | None) -> str:
        """A new access token; the first one has the fixed name that the playground hands out."""
        suffix = f"-{self.issued}" if self.issued else ""
        self.issued += 1
        token = f"ya29.playground-{self.person.handle}{suffix}"
        self.tokens[token] = expires
        return token


class Grants:
    """Every person's grant, found by access or refresh token."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._grants = {person.handle: Grant(person=person) for person in PEOPLE}
        for grant in self._grants.values():
            grant.issue(None)

    def of(self, handle: str) -> Grant | None:
        return self._grants.get(handle)

    def all(self) -> Iterable[Grant]:
        return self._grants.values()

    def by_access_token(self, token: str) -> Grant:
        """Raises 401 for a token that is unknown, expired or revoked."""
        for grant in self._grants.values():
            if token in grant.tokens:
                expires = grant.tokens[token]
                if expires is None or expires > self._clock.seconds():
                    return grant
        raise ApiError(401, "authError", info="ACCESS_TOKEN_EXPIRED" if token.startswith("ya29.playground-") else "")

    def by_refresh_token(self, token: str) -> Grant | None:
        grants = self._grants.values()
        return next((grant for grant in grants if grant.refresh_token == token and not grant.revoked), None)

    def refresh(self, grant: Grant) -> str:
        return grant.issue(self._clock.seconds() + LIFE_SECONDS)

    def expire(self, grant: Grant) -> None:
        """All access tokens end; a refresh gives a new one."""
        grant.tokens.clear()

    def revoke(self, grant: Grant) -> None:
        """The person withdrew the grant: no token works any more, a refresh is answered `invalid_grant`."""
        grant.revoked = True
        grant.tokens.clear()

    def restore(self, grant: Grant) -> None:
        """The person connects again: the token of the start works again."""
        grant.revoked = False
        grant.issued = 0
        grant.issue(None)
