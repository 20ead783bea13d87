"""Harmless questions to Google's sign-in that show whether an OAuth client is set up. Nobody signs in.

"Using OAuth 2.0 for Web Server Applications" of Google Identity, "Errors". A code that cannot exist is answered with
`invalid_grant` where the client is known and its secret right.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from enum import StrEnum
from typing import cast
from urllib.parse import parse_qs, urlsplit

import aiohttp

from integrations.google.auth.consent import GoogleAccounts
from integrations.google.http import is_loopback

TIMEOUT_SECONDS = 15.0
_NO_CODE = "countersign-doctor"
_LONGEST = 200_000
_PAGE_ERRORS = ("redirect_uri_mismatch", "invalid_client", "deleted_client", "org_internal", "invalid_request")


class Finding(StrEnum):
    """What Google answered."""

    GOOD = "good"
    CLIENT = "invalid_client"  # no such client, or another secret
    REDIRECT = "redirect_uri_mismatch"
    AWAY = "away"
    UNCLEAR = "unclear"


async def probe(client: GoogleAccounts) -> Finding:
    """Check the client and its secret, then its redirect URI."""
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    try:
        async with aiohttp.ClientSession(timeout=timeout, trust_env=not is_loopback(client.token_url)) as session:
            found = await _probe_secret(session, client)
            return await _probe_redirect(session, client) if found is Finding.GOOD else found
    except (aiohttp.ClientError, TimeoutError, OSError):
        return Finding.AWAY


async def _probe_secret(session: aiohttp.ClientSession, client: GoogleAccounts) -> Finding:
    form = {
        "grant_type": "authorization_code",
        "code": _NO_CODE,
        "client_id": client.client_id,
        "client_secret": client.client_secret,
        "redirect_uri": client.redirect_uri,
    }
    async with session.post(client.token_url, data=form) as answer:
        code = await _error_of(answer)
    if code in {"invalid_client", "unauthorized_client", "deleted_client"}:
        return Finding.CLIENT
    if code == "redirect_uri_mismatch":
        return Finding.REDIRECT
    return Finding.GOOD if code == "invalid_grant" else Finding.UNCLEAR


async def _error_of(answer: aiohttp.ClientResponse) -> str:
    try:
        body = cast("object", await answer.json(content_type=None))
    except ValueError:
        return ""
    return str(cast("Mapping[str, object]", body).get("error", "")) if isinstance(body, dict) else ""


async def _probe_redirect(session: aiohttp.ClientSession, client: GoogleAccounts) -> Finding:
    """What the consent page would say. An answer that is not understood counts as good."""
    asked = {
        "client_id": client.client_id,
        "redirect_uri": client.redirect_uri,
        "response_type": "code",
        "scope": "openid",
        "prompt": "consent",
    }
    async with session.get(client.auth_url, params=asked, allow_redirects=False) as answer:
        told = _told_in(answer.headers.get("Location", ""))
        if answer.status >= 400:
            told += (await answer.content.read(_LONGEST)).decode(errors="replace")
    code = next((code for code in _PAGE_ERRORS if code in told), None)
    match code:
        case "redirect_uri_mismatch":
            return Finding.REDIRECT
        case "invalid_client" | "deleted_client":
            return Finding.CLIENT
        case _:
            return Finding.GOOD


def _told_in(location: str) -> str:
    """Google redirects a browser to an error page, with the error in base64 in a parameter."""
    (packed,) = parse_qs(urlsplit(location).query).get("authError", [""])[:1]
    try:
        return base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode(errors="replace")
    except (binascii.Error, ValueError):
        return ""
