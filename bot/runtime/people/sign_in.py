"""Signing in with Slack: a browser leaves with a state and a nonce, and comes back with a code that says who it is.

What must hold before a session begins: the browser that comes back is the one that left, within ten minutes (the state
is sealed in its cookie, RFC 9700 §4.7.1); the state has begun no session before; Slack says who it is, to us, for this
browser (the nonce); and that person is a full member of a workspace where the agent is installed.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import secrets
from collections.abc import Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import cast

import structlog

from bot.domain.sessions import SIGN_IN_LIFE, BrowserSession
from bot.domain.threads import User
from bot.runtime.core.ports import Caller, NotAllowed, SignInProvider, SignInUnavailable
from bot.runtime.people.callers import Callers
from bot.runtime.people.sessions import SessionService
from bot.secrets import CannotOpen, KeyRing
from integrations.identities import IdentityUnavailable, NoIdentity
from integrations.ports import Clock

log = structlog.get_logger()

LIMIT_SECONDS = 15.0
"""To be told by Slack who it is, waiting for others included."""

AT_ONCE = 8
MOST_INSIDE = 24
"""Those that Slack is asked about, and those that wait for that. Each holds a connection, and anybody can come back."""

LONGEST_COOKIE = 4096
_BYTES = 32
_BOUND_TO = "v1|slack|sign in"
_LOCAL = re.compile(r"/(?![/\\])[!-\[\]-~]{0,511}")
"""A path of ours: one slash, and nothing that browsers take for another one (WHATWG URL, “special URLs”)."""

_LONGEST_NEXT = 512
_ELSEWHERE = re.compile(r"(https?://[^/?#@\\]+)(?:[/?#][!-\[\]-~]*)?")
"""An address, and the origin with which it begins. Nothing in it is read otherwise by a browser: a name before “@”, a
backslash that counts as a slash, a tab that does not count.
"""


class SignInOutcome(StrEnum):
    """How it ended."""

    SIGNED_IN = "signed_in"
    DENIED = "denied"  # by the person, on Slack's page
    OTHER_BROWSER = "other_browser"  # or without cookies, or begun again since
    USED = "used"  # a session was begun by it: a page that is shown again, or somebody's second try
    STALE = "stale"  # too late
    NOT_ALLOWED = "not_allowed"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Where the browser goes, and the cookie that it comes back with."""

    url: str
    cookie: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What came of it; with a session its token and the person. `next` is where they wanted to go, where that is known.

    `over` says that the cookie is not needed any more: it is not when it belongs to another attempt.
    """

    outcome: SignInOutcome
    token: str = field(default="", repr=False)
    person: User | None = None
    next: str = ""
    said: str = ""
    over: bool = True


@dataclass(frozen=True, slots=True)
class _Left:
    """What the cookie holds, sealed. `until` is in seconds since the epoch."""

    state: str
    nonce: str
    next: str
    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """The way to a session. `origins` are those of pages elsewhere that it may lead back to."""

    provider: SignInProvider
    callers: Callers
    sessions: SessionService
    keyring: KeyRing
    clock: Clock
    origins: Set[str] = frozenset()
    limit_seconds: float = LIMIT_SECONDS
    _at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_INSIDE))

    def leave(self, next_page: str) -> Departure:
        """To Slack; `next_page` is where the page that says that it worked leads on to, if it may."""
        until = (self.clock.now() + SIGN_IN_LIFE).timestamp()
        left = _Left(secrets.token_urlsafe(_BYTES), secrets.token_urlsafe(_BYTES), self.taken(next_page), until)
        sealed = self.keyring.seal(json.dumps([left.state, left.nonce, left.next, left.until]), bound_to=_BOUND_TO)
        return Departure(url=self.provider.url(state=left.state, nonce=left.nonce), cookie=sealed)

    def taken(self, next_page: str) -> str:
        """Where people are led on to: a path of ours, or an address at one of the origins; else nothing."""
        return next_page if local_path(next_page) or self._is_listed(next_page) else ""

    def _is_listed(self, address: str) -> bool:
        found = _ELSEWHERE.fullmatch(address)
        return found is not None and found[1] in self.origins and len(address) <= _LONGEST_NEXT

    async def came_back(self, *, state: str, code: str, error: str, cookie: str, browser: str) -> Arrival:
        """From Slack. Raises `NotSaved`, `NotRead`."""
        left = self._opened(cookie)
        is_its_own = left is not None and hmac.compare_digest(left.state.encode(), state.encode(errors="replace"))
        if await self.sessions.has_begun(state):
            return Arrival(outcome=SignInOutcome.USED, over=left is None or is_its_own)
        if left is None or not is_its_own:
            return Arrival(outcome=SignInOutcome.OTHER_BROWSER, over=left is None)
        if self.clock.now() >= datetime.fromtimestamp(left.until, UTC):
            return Arrival(outcome=SignInOutcome.STALE, next=left.next)
        if error or not code:
            outcome = SignInOutcome.DENIED if error == "access_denied" else SignInOutcome.FAILED
            return Arrival(outcome=outcome, next=left.next)
        if self._room.locked():
            log.warning("sign_in.unavailable", by="slack", what="room")
            return Arrival(outcome=SignInOutcome.UNAVAILABLE, next=left.next, over=False)
        try:
            async with asyncio.timeout(self.limit_seconds), self._room, self._at_once:
                caller = await self.provider.caller(code, nonce=left.nonce)
                person = await self.callers.member(caller)
        except NoIdentity as refusal:
            log.warning("sign_in.refused", by="slack", why=refusal.why)
            return Arrival(outcome=SignInOutcome.FAILED, next=left.next)
        except (IdentityUnavailable, SignInUnavailable, TimeoutError) as failure:
            log.warning("sign_in.unavailable", by="slack", what=type(failure).__name__)
            return Arrival(outcome=SignInOutcome.UNAVAILABLE, next=left.next)
        except NotAllowed as refusal:
            return Arrival(outcome=SignInOutcome.NOT_ALLOWED, next=left.next, said=str(refusal))
        token = await self.sessions.begin(caller, state=left.state, browser=browser)
        if token is None:
            return Arrival(outcome=SignInOutcome.USED)
        return Arrival(outcome=SignInOutcome.SIGNED_IN, token=token, person=person, next=left.next)

    async def name_of(self, session: BrowserSession) -> str:
        """What the person of a session is called; empty where that cannot be known now, or they are no member."""
        try:
            return (await self.callers.member(Caller(team=session.team, user=session.user))).name
        except (NotAllowed, SignInUnavailable):
            return ""

    def _opened(self, cookie: str) -> _Left | None:
        if not cookie or len(cookie) > LONGEST_COOKIE:
            return None
        try:
            opened = self.keyring.open(cookie, bound_to=_BOUND_TO)
        except CannotOpen:
            return None
        return _Left(*cast("tuple[str, str, str, float]", tuple(json.loads(opened))))


def local_path(text: str) -> str:
    """The path, if it is one of ours; else nothing."""
    return text if _LOCAL.fullmatch(text) else ""
