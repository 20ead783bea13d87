"""Firebase's session cookies: whose they are, checked as the Admin SDK does with revocation.

"Manage Session Cookies" of Firebase, "Verify session cookies using a third-party JWT library": RS256 with a key of
Google's, issued by `https://session.firebase.google.com/<project>`, which ID tokens are not. The signature and the
times are checked by google-auth, which is synchronous and so runs in a thread.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, cast

from google.auth import jwt
from google.auth.exceptions import GoogleAuthError
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from integrations.google.auth.firebase_accounts import FirebaseAccounts
from integrations.google.auth.firebase_keys import SigningKeys
from integrations.google.auth.transport import MANGLED
from integrations.identities import Identity, IdentityUnavailable, NoIdentity
from integrations.ports import Clock

ISSUER = "https://session.firebase.google.com/"
SKEW_SECONDS = 60
LIMIT_SECONDS = 10.0
"""For all of it: keys, signature, account."""

KEPT_SECONDS = 60.0
"""How long a signature that was checked is not checked again: a stream and its page show the same cookie many times."""

MOST_KEPT = 1_000

LONGEST = 4096
"""The most that browsers keep in a cookie (RFC 6265 §6.1)."""

_JWT = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_BROKEN = (GoogleAuthError, RecursionError, *MANGLED)


class _Session(BaseModel):
    """The claims that every session cookie has, and the address that it may have."""

    model_config = ConfigDict(strict=True)

    iss: str
    sub: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    auth_time: int
    email: str | None = None
    email_verified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """Claims whose signature was found to be right at this moment, in seconds since the epoch."""

    claims: Mapping[str, object]
    at: float

    def counts(self, now: float) -> bool:
        """Whether it need not be checked again: it was a moment ago, and the cookie is not over since."""
        until = self.claims.get("exp")
        return 0 <= now - self.at < KEPT_SECONDS and isinstance(until, int) and now < until


@dataclass(frozen=True, slots=True, kw_only=True)
class FirebaseSessions:
    """The session cookies of one project. Implements `integrations.identities.Identities`."""

    project: str
    keys: SigningKeys
    accounts: FirebaseAccounts
    clock: Clock
    _checked_before: OrderedDict[tuple[bytes, str], _Checked] = field(
        default_factory=OrderedDict[tuple[bytes, str], _Checked], init=False
    )

    async def identity(self, shown: str) -> Identity:
        """See the port."""
        if len(shown) > LONGEST or not _JWT.fullmatch(shown):
            raise NoIdentity("no session cookie")
        try:
            async with asyncio.timeout(LIMIT_SECONDS):
                return await self._checked(shown)
        except TimeoutError:
            raise IdentityUnavailable("answer in time") from None

    async def _checked(self, cookie: str) -> Identity:
        key = _key_of(cookie)
        certificate = await self.keys.certificate(key)
        claims = await self._claims(cookie, key, certificate)
        try:
            session = _Session.model_validate(claims)
        except ValidationError:
            raise NoIdentity("claims") from None
        if session.iss != f"{ISSUER}{self.project}":
            raise NoIdentity("issuer")
        if session.auth_time > self.clock.now().timestamp() + SKEW_SECONDS:
            raise NoIdentity("signed in later than now")
        if refusal := await self.accounts.refusal(session.sub, signed_in=session.auth_time):
            raise NoIdentity(refusal)
        return Identity(
            account=session.sub, email=(session.email or None) if session.email_verified else None, claims=claims
        )

    async def _claims(self, cookie: str, key: str, certificate: str) -> Mapping[str, object]:
        """What was signed with this certificate, checked a moment ago or now."""
        signed = (sha256(cookie.encode()).digest(), certificate)
        known = self._checked_before.get(signed)
        if known is None or not known.counts(self.clock.now().timestamp()):
            checked_at = self.clock.now().timestamp()
            claims = await asyncio.to_thread(_signed_claims, cookie, {key: certificate}, self.project)
            known = self._checked_before[signed] = _Checked(claims=claims, at=checked_at)
            self._checked_before.move_to_end(signed)
            if len(self._checked_before) > MOST_KEPT:
                self._checked_before.popitem(last=False)
        return known.claims


def _key_of(cookie: str) -> str:
    """The id of the key that it says it is signed with; google-auth would take other algorithms, and any key."""
    read = cast("Callable[[str], Mapping[str, object]]", jwt.decode_header)
    try:
        header = read(cookie)
    except _BROKEN:
        raise NoIdentity("no session cookie") from None
    key = header.get("kid")
    if header.get("alg") != "RS256" or not isinstance(key, str) or not key:
        raise NoIdentity("signature")
    return key


def _signed_claims(cookie: str, certificates: Mapping[str, str], project: str) -> Mapping[str, object]:
    verify = cast("Callable[..., Mapping[str, object]]", jwt.decode)
    try:
        return verify(cookie, certs=certificates, audience=project, clock_skew_in_seconds=SKEW_SECONDS)
    except _BROKEN:
        raise NoIdentity("signature, times or project") from None
