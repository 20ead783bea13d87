"""A service account with domain-wide delegation: signed assertions become tokens in people's names.

"Using OAuth 2.0 for Server to Server Applications" of Google Identity, and RFC 7523.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from playground.google.grants import Access
from playground.google.oauth.codes import Refused
from playground.google.oauth.keys import Malformed, SigningKey, claims_of
from playground.people import COLLEAGUES, Person

EMAIL = "countersign@playground-project.iam.gserviceaccount.com"
CLIENT_ID = "113000000000000000001"
PROJECT = "playground-project"
AUDIENCE = "https://oauth2.googleapis.com/token"

LONGEST_SECONDS = 3600
SKEW_SECONDS = 300


class Unauthorized(Exception):
    """The account may not act for people with these scopes."""


class ServiceAccount:
    """The one account of the playground's project; its key is made when first needed."""

    def __init__(self) -> None:
        self._key = SigningKey()

    def key_file(self, url: str) -> dict[str, str]:
        """The key file, as the console offers it to an administrator, with this emulator's token endpoint."""
        return {
            "type": "service_account",
            "project_id": PROJECT,
            "private_key_id": self._key.id,
            "private_key": self._key.private_pem,
            "client_email": EMAIL,
            "client_id": CLIENT_ID,
            "auth_uri": f"{url}/o/oauth2/v2/auth",
            "token_uri": f"{url}/token",
            "universe_domain": "googleapis.com",
        }

    def access(self, assertion: str, *, now: float, audience: str, delegated: Collection[str]) -> Access:
        """The access that an assertion gives; raises `Refused` or `Unauthorized` with Google's words."""
        claims = self._checked(assertion, now, {audience, AUDIENCE})
        scopes = frozenset(str(claims.get("scope", "")).split())
        if not scopes:
            raise Refused("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        subject = str(claims.get("sub", EMAIL))
        if subject == EMAIL:
            return Access(person=None, scopes=scopes)
        if not scopes <= {*delegated}:
            raise Unauthorized
        return Access(person=_person(subject), scopes=scopes)

    def _checked(self, assertion: str, now: float, audiences: Collection[str]) -> dict[str, Any]:
        try:
            claims = claims_of(assertion)
            signed = self._key.holds(assertion)
        except Malformed as error:
            raise Refused("invalid_grant", "Invalid JWT: Failed to parse.") from error
        if claims.get("iss") != EMAIL:
            raise Refused("invalid_grant", "Invalid grant: account not found")
        if not signed:
            raise Refused("invalid_grant", "Invalid JWT Signature.")
        if claims.get("aud") not in audiences:
            raise Refused("invalid_grant", "Invalid JWT: The audience is not this token endpoint.")
        begin, end = claims.get("iat", 0), claims.get("exp", 0)
        if not (begin < end <= begin + LONGEST_SECONDS and begin - SKEW_SECONDS <= now < end + SKEW_SECONDS):
            text = "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
            raise Refused("invalid_grant", f"{text}Check your iat and exp values in the JWT claim.")
        return claims


def _person(subject: str) -> Person:
    person = next((person for person in COLLEAGUES if person.email == subject.lower()), None)
    if person is None:
        raise Refused("invalid_grant", "Invalid email or User ID")
    return person
