"""Authorization codes: valid once, for ten minutes (RFC 6749 §4.1.2, RFC 7636 for the proof key)."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass

from playground.clock import Clock
from playground.people import Person

CODE_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """What a person allowed, and for which request. `offline` adds a refresh token."""

    person: Person
    scopes: frozenset[str]
    redirect_uri: str
    challenge: str
    nonce: str
    offline: bool
    until: float


class Refused(Exception):
    """The code cannot be exchanged."""

    def __init__(self, error: str, description: str) -> None:
        self.error = error
        self.description = description
        super().__init__(description)


class Codes:
    """The codes that were issued and not used yet."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._agreed: dict[str, Agreed] = {}

    def give(
        self, *, person: Person, scopes: frozenset[str], redirect_uri: str, challenge: str, nonce: str, offline: bool
    ) -> str:
        code = f"4/0A{secrets.token_urlsafe(48)}"
        self._agreed[code] = Agreed(
            person=person,
            scopes=scopes,
            redirect_uri=redirect_uri,
            challenge=challenge,
            nonce=nonce,
            offline=offline,
            until=self._clock.seconds() + CODE_SECONDS,
        )
        return code

    def take(self, code: str, *, redirect_uri: str, verifier: str) -> Agreed:
        """Takes a code, which then works no more, whether it fits or not; raises `Refused` with Google's words."""
        agreed = self._agreed.pop(code, None)
        if agreed is None or agreed.until <= self._clock.seconds():
            raise Refused("invalid_grant", "Bad Request" if code.startswith("4/") else "Malformed auth code.")
        if agreed.redirect_uri != redirect_uri:
            raise Refused("redirect_uri_mismatch", "Bad Request")
        if agreed.challenge and not verifier:
            raise Refused("invalid_grant", "Missing code verifier.")
        if verifier and not agreed.challenge:
            raise Refused("invalid_grant", "code_verifier or verifier is not needed.")
        if agreed.challenge and not secrets.compare_digest(challenge_of(verifier), agreed.challenge):
            raise Refused("invalid_grant", "Invalid code verifier.")
        return agreed


def challenge_of(verifier: str) -> str:
    """S256: the base64url of the verifier's SHA-256."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
