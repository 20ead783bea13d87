"""Who granted what to the app, and which tokens stand for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from playground.adoption import MORE_SCOPES
from playground.clock import Clock
from playground.google.errors import ApiError
from playground.people import PEOPLE, Person

LIFE_SECONDS = 3599

MOST_REFRESH_TOKENS = 100
"""Live tokens per account and client; one more ends the oldest ("Refresh token expiration" of Google Identity)."""

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
"""The scopes that everybody has granted at the start: for the tools, and for a person's zone and calendars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The meaning of an access token. A service account's own token opens no mailbox."""

    person: Person | None
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An access or refresh token. `scopes` None is whatever the grant holds; `expires` None is never."""

    scopes: frozenset[str] | None = None
    expires: float | None = None


@dataclass(slots=True, kw_only=True)
class Grant:
    """One person's grant to the app, with all tokens issued for it, oldest first."""

    person: Person
    scopes: frozenset[str] = frozenset()
    revoked: bool = True
    tokens: dict[str, Token] = field(default_factory=dict[str, Token])
    refresh_tokens: dict[str, Token] = field(default_factory=dict[str, Token])
    issued: int = 0

    def name_token(self, prefix: str) -> str:
        """The seeded tokens have fixed names, which the playground uses; later ones are numbered."""
        suffix = f"-{self.issued}" if self.issued else ""
        return f"{prefix}playground-{self.person.handle}{suffix}"

    def allowed(self, token: Token) -> frozenset[str]:
        return self.scopes if token.scopes is None else self.scopes & token.scopes


class Grants:
    """Every person's grant, found by access or refresh token."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._grants = {person.handle: Grant(person=person) for person in PEOPLE}
        self._impersonated: dict[str, tuple[Access, float]] = {}
        self.life_seconds: float = LIFE_SECONDS
        self.testing_seconds: float | None = None
        for grant in self._grants.values():
            self.restore(grant)

    def of(self, handle: str) -> Grant | None:
        return self._grants.get(handle)

    def held_by(self, person: Person) -> Grant:
        return self._grants[person.handle]

    def all(self) -> Iterable[Grant]:
        return self._grants.values()

    def by_access_token(self, token: str) -> Access:
        """Raises 401 for a token that is unknown, expired or revoked."""
        now = self._clock.seconds()
        for grant in self._grants.values():
            held = grant.tokens.get(token)
            if held and (held.expires is None or held.expires > now):
                return Access(person=grant.person, scopes=grant.allowed(held))
        access, expires = self._impersonated.get(token, (None, 0.0))
        if access and expires > now:
            return access
        raise ApiError(401, "authError", info="ACCESS_TOKEN_EXPIRED" if token.startswith("ya29.playground-") else "")

    def by_refresh_token(self, token: str) -> tuple[Grant, Token] | None:
        """The live grant and the scopes of the token; None if it is unknown, revoked or too old."""
        for grant in self._grants.values():
            held = grant.refresh_tokens.get(token)
            if held and not grant.revoked and (held.expires is None or held.expires > self._clock.seconds()):
                return grant, held
        return None

    def consent(self, person: Person, scopes: frozenset[str]) -> Grant:
        """Adds these scopes to those that the person allowed before."""
        grant = self.held_by(person)
        grant.scopes = scopes if grant.revoked else grant.scopes | scopes
        grant.revoked = False
        grant.issued = max(grant.issued, 1)
        return grant

    def issue(self, grant: Grant, scopes: frozenset[str] | None) -> str:
        """A new access token."""
        token = grant.name_token("ya29.")
        grant.issued += 1
        grant.tokens[token] = Token(scopes=scopes, expires=self._clock.seconds() + self.life_seconds)
        return token

    def issue_refresh(self, grant: Grant, scopes: frozenset[str] | None) -> str:
        """A new refresh token; the oldest beyond the limit ends silently."""
        token = grant.name_token("1//")
        grant.issued += 1
        grant.refresh_tokens[token] = Token(scopes=scopes, expires=self._end_of_trial())
        while len(grant.refresh_tokens) > MOST_REFRESH_TOKENS:
            del grant.refresh_tokens[next(iter(grant.refresh_tokens))]
        return token

    def impersonate(self, access: Access) -> str:
        """An access token for a service account, in a person's name or in its own."""
        token = f"ya29.c.playground-{len(self._impersonated) + 1}"
        self._impersonated[token] = (access, self._clock.seconds() + self.life_seconds)
        return token

    def put_on_trial(self, seconds: float | None) -> None:
        """Puts the app into testing mode: all tokens end so many seconds after their issue."""
        self.testing_seconds = seconds
        expires = self._end_of_trial()
        for grant in self._grants.values():
            grant.refresh_tokens = {
                name: Token(scopes=token.scopes, expires=expires) for name, token in grant.refresh_tokens.items()
            }

    def _end_of_trial(self) -> float | None:
        return None if self.testing_seconds is None else self._clock.seconds() + self.testing_seconds

    def expire(self, grant: Grant) -> None:
        """Ends all access tokens; a refresh gives a new one."""
        grant.tokens.clear()

    def revoke(self, grant: Grant) -> None:
        """Withdraws the grant: no token works any more, and a refresh is answered `invalid_grant`."""
        grant.revoked = True
        grant.tokens.clear()
        grant.refresh_tokens.clear()

    def forget(self, grant: Grant) -> None:
        """Removes the grant, as if the person had never connected."""
        self.revoke(grant)
        grant.scopes = frozenset()

    def restore(self, grant: Grant) -> None:
        """Restores the seeded grant: its tokens work again."""
        self.revoke(grant)
        grant.revoked = False
        grant.scopes = grant.scopes or frozenset((*SCOPES, *MORE_SCOPES.get(grant.person, ())))
        grant.tokens[f"ya29.playground-{grant.person.handle}"] = Token()
        grant.refresh_tokens[f"1//playground-{grant.person.handle}"] = Token()
        grant.issued = max(grant.issued, 1)
