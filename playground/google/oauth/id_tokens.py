"""Who signed in: id_token claims and the userinfo answer ("OpenID Connect" of Google Identity)."""

from __future__ import annotations

from playground.google.oauth.clients import CLIENT_ID
from playground.google.oauth.scopes import EMAIL, PROFILE
from playground.people import MAIL_DOMAIN, Person

ISSUER = "https://accounts.google.com"
ID_TOKEN_SECONDS = 3600


def claims_about(person: Person, scopes: frozenset[str]) -> dict[str, object]:
    """The claims that the granted scopes allow; `hd` is for the company's accounts only."""
    claims: dict[str, object] = {"sub": person.google_sub}
    if EMAIL in scopes:
        claims |= {"email": person.email, "email_verified": True}
        claims |= {} if person.guest else {"hd": MAIL_DOMAIN}
    if PROFILE in scopes:
        first, _, last = person.name.partition(" ")
        claims |= {"name": person.name, "given_name": first, "family_name": last}
    return claims


def id_claims(person: Person, scopes: frozenset[str], *, now: float, nonce: str) -> dict[str, object]:
    """The claims of an id_token issued now."""
    claims = {"iss": ISSUER, "azp": CLIENT_ID, "aud": CLIENT_ID, **claims_about(person, scopes)}
    claims |= {"iat": int(now), "exp": int(now) + ID_TOKEN_SECONDS}
    return claims | ({"nonce": nonce} if nonce else {})
