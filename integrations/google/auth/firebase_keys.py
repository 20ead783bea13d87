"""The certificates with which Google signs Firebase's session cookies, kept as long as Google says."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping

from integrations.google.auth.json_answers import JsonAnswer, NoAnswer, ask
from integrations.identities import IdentityUnavailable, NoIdentity

CERTS_URL = "https://www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys"

SHORTEST_SECONDS = 60.0
LONGEST_SECONDS = 86_400.0
"""Between these two they are kept, whatever Cache-Control says."""

ANOTHER_KEY_SECONDS = 60.0
"""How old they are at least before an unknown key has them fetched anew: anybody can name keys that there are not."""

PAUSE_SECONDS = 5.0
"""How long Google is not asked after it gave none."""

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})")


class SigningKeys:
    """The certificates, in PEM, by the id of their key; they are fetched when one is wanted, by one at a time."""

    def __init__(self, *, url: str = CERTS_URL, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._monotonic = monotonic
        self._certificates: Mapping[str, str] = {}
        self._fetched = self._stale = self._again = float("-inf")
        self._one = asyncio.Lock()

    async def certificate(self, key: str) -> str:
        """The certificate of this key. Raises `NoIdentity` where Google has no such key, `IdentityUnavailable`."""
        found = self._kept(key)
        if found is None:
            async with self._one:
                found = self._kept(key) or await self._anew(key)
        return found

    def _kept(self, key: str) -> str | None:
        return self._certificates.get(key) if self._monotonic() < self._stale else None

    async def _anew(self, key: str) -> str:
        now = self._monotonic()
        if now < min(self._stale, self._fetched + ANOTHER_KEY_SECONDS):
            raise NoIdentity("unknown key")
        if now < self._again:
            raise IdentityUnavailable("certificates")
        try:
            answer = await ask(self._url)
            certificates = _certificates(answer)
        except NoAnswer as error:
            self._again = self._monotonic() + PAUSE_SECONDS
            raise IdentityUnavailable("certificates", str(error)) from None
        self._certificates, self._fetched, self._stale = certificates, now, now + _seconds(answer)
        if key not in certificates:
            raise NoIdentity("unknown key")
        return certificates[key]


def _certificates(answer: JsonAnswer) -> Mapping[str, str]:
    found = {key: value for key, value in answer.body.items() if isinstance(value, str)}
    if answer.status != 200 or not found or len(found) < len(answer.body):
        raise NoAnswer(f"status {answer.status}")
    return found


def _seconds(answer: JsonAnswer) -> float:
    """For how long they are fresh (RFC 9111 §4.2)."""
    told = _MAX_AGE.search(answer.headers.get("cache-control", "").lower())
    age = answer.headers.get("age", "")
    seconds = float(told[1]) - (float(age) if age.isascii() and age.isdigit() else 0.0) if told else 0.0
    return max(SHORTEST_SECONDS, min(seconds, LONGEST_SECONDS))
