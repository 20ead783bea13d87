"""Sessions of the HTTP API: begun when a person came back from Slack, ended by them, by time, or with their membership.

The token is in one browser's cookie and nowhere else.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.events import HomeChanged
from bot.domain.sessions import MOST_SESSIONS, SESSION_LIFE, BrowserSession
from bot.runtime.core.ports import Caller, NotSignedIn, SignInUnavailable
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.store.errors import NotRead

_BYTES = 32
_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)
"""What so many bytes are in a cookie, and in an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionService:
    """People's sessions, shown on App Home. Each that begins is audited, and each that its person ends."""

    transactions: TransactionFactory

    async def begin(self, caller: Caller, *, state: str, browser: str) -> str | None:
        """The token of a new session; None when this state has made one before. Raises `NotSaved`."""
        token = secrets.token_urlsafe(_BYTES)
        async with self.transactions.write_promptly() as tx:
            new = BrowserSession(
                id=ids.new_id("ses"),
                team=caller.team,
                user=caller.user,
                token_hash=hashed(token),
                state_hash=hashed(state),
                browser=browser,
                created_at=tx.now,
                expires_at=tx.now + SESSION_LIFE,
            )
            if not await tx.work.sessions.begin(new):
                return None
            _tell(tx, new, AuditCode.PERSON_SIGNED_IN)
            for old in (await tx.work.sessions.of(caller.team, caller.user, now=tx.now))[MOST_SESSIONS:]:
                await tx.work.sessions.end(old.id, team=old.team, user=old.user, at=tx.now)
        return token

    async def find(self, token: str) -> BrowserSession | None:
        """The session of this token, while it lives. Raises `NotRead`."""
        if not _TOKEN.fullmatch(token):
            return None
        async with self.transactions.read_promptly() as work:
            return await work.sessions.by_token(hashed(token), now=self.transactions.clock.now())

    async def has_begun(self, state: str) -> bool:
        """Whether this state has made a session. Raises `NotRead`."""
        if not _TOKEN.fullmatch(state):
            return False
        async with self.transactions.read_promptly() as work:
            return await work.sessions.by_state(hashed(state)) is not None

    async def sign_out(self, token: str) -> None:
        """End the session of this token, if there is one. Raises `NotSaved`, `NotRead`."""
        if await self.find(token) is None:  # a guess costs no write
            return
        async with self.transactions.write_promptly() as tx:
            ended = await tx.work.sessions.end_by_token(hashed(token), at=tx.now)
            if ended is not None:
                _tell(tx, ended, AuditCode.PERSON_SIGNED_OUT)

    async def end(self, team: str, user: str, session_id: str) -> bool:
        """End one of this person's sessions, from wherever they are; whether there was one. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            ended = await tx.work.sessions.end(session_id, team=team, user=user, at=tx.now)
            if ended:
                about = {"session": session_id}
                tx.record(AuditEvent(team=team, code=AuditCode.PERSON_SIGNED_OUT, actor=user, details=about))
            tx.publish(HomeChanged(team, user))
        return ended


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionAuthenticator:
    """Implements `bot.runtime.core.ports.Authenticator` for our sessions; `teams` are those of this installation."""

    cookie: str
    teams: frozenset[str]
    sessions: SessionService

    async def caller(self, cookies: Mapping[str, str]) -> Caller | None:
        """See the port."""
        token = cookies.get(self.cookie)
        if token is None:
            return None
        try:
            found = await self.sessions.find(token)
        except NotRead as error:
            raise SignInUnavailable from error
        if found is None or found.team not in self.teams:
            raise NotSignedIn
        return Caller(team=found.team, user=found.user)


def hashed(secret: str) -> str:
    """What is kept of a secret that only a browser knows; it is long and random, so that it needs no salt."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _tell(tx: Transaction, session: BrowserSession, code: AuditCode) -> None:
    about = {"session": session.id, "browser": session.browser}
    tx.record(AuditEvent(team=session.team, code=code, actor=session.user, details=about))
    tx.publish(HomeChanged(session.team, session.user))
