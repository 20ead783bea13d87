"""Connected accounts: adopted for the playground, granted to tools with a fresh token, marked when they stop working.

Implements `integrations.grants.GoogleGrants`. The secret is encrypted with the row it belongs to.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.connections import ACTIVE, PROVIDER, REFUSED, Connection, lacking_literally
from bot.errors import BotError
from bot.runtime.connections.sealed import seal_tokens, tokens_of
from bot.runtime.core.lock import DistributedLock, NullLock
from bot.runtime.texts import to_people
from bot.secrets import KeyRing
from bot.store.store import Store
from bot.urls import is_loopback
from integrations.base import Requester
from integrations.errors import ClientRefused, GrantGone, IntegrationError, Lack, NotConnected, ToolFailed
from integrations.grants import GoogleGrant, TokenRefresher, Tokens
from integrations.ports import Clock

log = structlog.get_logger()

_FRESH = timedelta(minutes=5)


class NotLoopback(BotError):
    """Adopting connections is for the playground only."""

    def __init__(self) -> None:
        super().__init__(
            "Connections are only adopted from an emulator: GOOGLE_OAUTH_TOKEN_URL must name a loopback address."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionService:
    """Keeps and grants accounts. `lacking(granted, wanted)` knows which scope includes which.

    One token is got at a time for each account: in this process by a lock, among replicas by the `exclusion`.
    """

    store: Store
    keyring: KeyRing
    clock: Clock
    refresher: TokenRefresher
    token_url: str
    lock: DistributedLock = field(default_factory=NullLock)
    lacking: Callable[[frozenset[str], frozenset[str]], frozenset[str]] = lacking_literally
    _flights: dict[tuple[str, str], asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def adopt(
        self, team: str, user: str, *, account: str, email: str, scopes: Sequence[str], tokens: Tokens
    ) -> None:
        """Store an account that the playground made for a demo person; raises `NotLoopback` for anything else."""
        self.only_for_an_emulator()
        kept = self.sealed(team, user, account=account, email=email, scopes=frozenset(scopes), tokens=tokens)
        async with self.store.write() as work:
            await work.connections.save(kept, at=self.clock.now())
            await work.audit.record(fact(kept, AuditCode.CONNECTION_ADOPTED))

    def only_for_an_emulator(self) -> None:
        """Raises `NotLoopback` unless the token URL is an emulator's."""
        if not is_loopback(self.token_url):
            raise NotLoopback

    def sealed(
        self, team: str, user: str, *, account: str, email: str, scopes: frozenset[str], tokens: Tokens
    ) -> Connection:
        """The account as it is stored, its tokens bound to this person."""
        secret = seal_tokens(self.keyring, tokens, team, user, PROVIDER)
        return Connection(
            team=team, user=user, provider=PROVIDER, account=account, email=email, scopes=scopes, secret=secret
        )

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        """A fresh grant that covers the scopes, with another token than the refused one; raises `NotConnected`."""
        connection, tokens = await self._working(requester, scopes)
        if not self._is_usable(tokens, refused):
            async with self._flights[requester.team, requester.user]:
                connection, tokens = await self._renewed_alone(requester, scopes, refused)
        return GoogleGrant(
            account=connection.account,
            email=connection.email,
            access_token=tokens.access_token,
            scopes=connection.scopes,
        )

    def _is_usable(self, tokens: Tokens, refused: str | None) -> bool:
        """Whether the access token lasts for a call, and was not refused."""
        fresh = tokens.expires_at is None or tokens.expires_at - self.clock.now() > _FRESH
        return fresh and tokens.access_token != refused

    async def _working(self, requester: Requester, scopes: frozenset[str]) -> tuple[Connection, Tokens]:
        """The account and its tokens; one whose secret does not open with the keys that we have is as good as none."""
        async with self.store.read() as work:
            connection = await work.connections.find(requester.team, requester.user, PROVIDER)
        if connection is None:
            raise _lacks(Lack.ACCOUNT, scopes)
        if connection.status != ACTIVE:
            raise _lacks(Lack.CREDENTIALS, scopes)
        if missing := self.lacking(connection.scopes, scopes):
            raise _lacks(Lack.SCOPE, missing)
        tokens = tokens_of(self.keyring, connection)
        if tokens is None:
            raise _lacks(Lack.CREDENTIALS, scopes)
        return connection, tokens

    async def _renewed_alone(
        self, requester: Requester, scopes: frozenset[str], refused: str | None
    ) -> tuple[Connection, Tokens]:
        """A caller that had to wait finds the token that the one before it got."""
        connection, tokens = await self._working(requester, scopes)
        if self._is_usable(tokens, refused):
            return connection, tokens
        async with self.lock.acquire(f"token:{requester.team}:{requester.user}"):
            connection, tokens = await self._working(requester, scopes)
            if self._is_usable(tokens, refused):
                return connection, tokens
            return connection, await self._renewed(connection, scopes, tokens)

    async def _renewed(self, connection: Connection, scopes: frozenset[str], tokens: Tokens) -> Tokens:
        team, user = connection.team, connection.user
        try:
            tokens = await self.refresher.refresh(tokens.refresh_token)
        except GrantGone:
            await self._mark(connection)
            raise _lacks(Lack.CREDENTIALS, scopes) from None
        except ClientRefused as error:
            log.error("token.client_refused", team=team, user=user)
            raise ToolFailed("client_refused", to_people.CLIENT_REFUSED, private=False) from error
        except IntegrationError as error:
            log.warning("token.not_refreshed", team=team, user=user, reason=type(error).__name__)
            raise ToolFailed("google_unavailable", "Google could not be reached, so nothing was done.") from error
        secret = seal_tokens(self.keyring, tokens, team, user, PROVIDER)
        async with self.store.write() as work:
            if not await work.connections.renewed(connection, secret, at=self.clock.now()):
                raise _lacks(Lack.CREDENTIALS, scopes)  # it was disconnected, or another one connected, meanwhile
            await work.audit.record(fact(connection, AuditCode.CONNECTION_REFRESHED))
        return tokens

    async def refused(self, requester: Requester, account: str) -> None:
        """Google answered 401 to a fresh token."""
        log.warning("connection.refused", team=requester.team, user=requester.user, account=account)
        async with self.store.read() as work:
            connection = await work.connections.find(requester.team, requester.user, PROVIDER)
        if connection is not None and connection.account == account:
            await self._mark(connection)

    async def _mark(self, connection: Connection) -> None:
        """It needs to be connected again; said once, and not of one that changed meanwhile."""
        async with self.store.write() as work:
            if connection.status == ACTIVE and await work.connections.mark(connection, REFUSED):
                await work.audit.record(fact(connection, AuditCode.CONNECTION_REFUSED))


def fact(connection: Connection, code: AuditCode, *, actor: str | None = None, **details: object) -> AuditEvent:
    """The audit entry about an account: whose and for what, and sealed which; never its tokens."""
    about = {"provider": connection.provider, "scopes": sorted(connection.scopes)}
    return AuditEvent(
        team=connection.team,
        code=code,
        actor=actor or connection.user,
        details={**about, **details},
        owner=connection.user,
        personal={"account": connection.account},
    )


def _lacks(why: Lack, missing: frozenset[str]) -> NotConnected:
    told = to_people.NOT_ALLOWED if why is Lack.SCOPE else to_people.NOT_CONNECTED
    return NotConnected(why, told, provider=PROVIDER, missing=missing)
