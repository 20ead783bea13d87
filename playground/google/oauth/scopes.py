"""The scopes, and what the consent page says of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from playground.google.discovery import DOCUMENTS, read_document

OPENID = "openid"
EMAIL = "https://www.googleapis.com/auth/userinfo.email"
PROFILE = "https://www.googleapis.com/auth/userinfo.profile"

SIGN_IN = frozenset({OPENID, EMAIL, PROFILE})
"""The scopes that identify a person: granted as a whole, without checkboxes."""

_SHORT = {"email": EMAIL, "profile": PROFILE}


@cache
def described() -> Mapping[str, str]:
    """Every scope of the emulated APIs with Google's own words for it."""
    words: dict[str, str] = {}
    for document in DOCUMENTS:
        scopes = read_document(document)["auth"]["oauth2"]["scopes"]
        words |= {scope: value["description"] for scope, value in scopes.items()}
    return words | {OPENID: "Know who you are", EMAIL: "See your email address", PROFILE: "See your name"}


def spelled_out(scopes: Iterable[str]) -> tuple[str, ...]:
    """`email` and `profile` under their full names; each scope once, in the order given."""
    return tuple(dict.fromkeys(_SHORT.get(scope, scope) for scope in scopes))
