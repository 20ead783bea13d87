"""Disconnecting and revoking: an account is forgotten here, and its grant given back at its provider, however often the
process ends in between.

The code that lets go of a grant writes that down in the same transaction, with the refresh token sealed; the tick does
the rest. Each attempt is committed before the provider is asked. Asking twice does no harm; not asking would leave a
key to somebody's mail alive that nobody here knows any more. After about a day of refusals it is given up, and the log
says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.connections import PROVIDER, Connection, OAuthAttempt, Revocation
from bot.domain.deliveries import DeliveryKind, LinkEnd, LinkOutcome
from bot.domain.events import HomeChanged
from bot.domain.seals import Secret
from bot.runtime.connections.accounts import ConnectionService, fact
from bot.runtime.connections.sealed import held_grant, tokens_of
from bot.runtime.core.batch import isolated, shuffled
from bot.runtime.core.ports import AccountProvider
from bot.runtime.core.transaction import AGENT, Transaction, TransactionFactory
from bot.secrets import CannotOpen
from integrations.grants import Granted

log = structlog.get_logger()

BATCH = 20
MOST_ATTEMPTS = 17
"""With the pauses between them they take about a day."""

GRACE = timedelta(minutes=1)
"""What was confirmed in the last moment is being kept: it is not let go of before."""

_FIRST_PAUSE_SECONDS = 5
_LONGEST_PAUSE = timedelta(hours=6)


async def link_over(tx: Transaction, connect: OAuthAttempt, outcome: LinkOutcome) -> None:
    """Say in the window that has an attempt's link what came of it."""
    told = str(LinkEnd(connect.id, outcome))
    await tx.deliver(f"{DeliveryKind.LINK}:{connect.id}", DeliveryKind.LINK, told, team=connect.team)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoking:
    """Takes accounts away and gives their grants back. Without a `provider` they are only forgotten."""

    transactions: TransactionFactory
    connections: ConnectionService
    provider: AccountProvider | None

    # Disconnecting --------------------------------------------------------------------------------------------

    async def disconnect(self, team: str, user: str, *, actor: str | None = None) -> Connection | None:
        """Forget the person's account; what it was, None where there was none. Raises `NotSaved`.

        What waits for the account, or is approved with it, asks to connect when it is its turn.
        """
        async with self.transactions.write_promptly() as tx:
            await self._end_attempts(tx, team, user)
            return await self._forget(tx, team, user, actor=actor or user)

    async def disconnect_workspace(self, team: str) -> Sequence[Connection]:
        """Forget every account of a workspace that the agent was removed from. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            await self._end_attempts(tx, team)
            await tx.work.sessions.end_all(team, at=tx.now)
            known = await tx.work.connections.of_workspace(team)
            gone = [await self._forget(tx, team, item.user, actor="slack") for item in known]
        return [item for item in gone if item]

    async def _end_attempts(self, tx: Transaction, team: str, user: str | None = None) -> None:
        """First: an attempt that is about to keep an account is waited for here, and finds itself gone afterwards. The
        windows with their links say so.
        """
        for connect in await tx.work.oauth_attempts.forget_all(team, user):
            await self.let_go_of_held(tx, connect)
            if user is not None:
                await link_over(tx, connect, LinkOutcome.DISCONNECTED)

    async def _forget(self, tx: Transaction, team: str, user: str, *, actor: str) -> Connection | None:
        gone = await tx.work.connections.remove(team, user, PROVIDER)
        if gone is not None:
            await self.let_go(tx, gone)
            tx.record(fact(gone, AuditCode.CONNECTION_DISCONNECTED, actor=actor))
            tx.publish(HomeChanged(team, user))
        return gone

    # Letting go, inside the caller's transaction ---------------------------------------------------------------

    async def let_go(self, tx: Transaction, gone: Connection) -> None:
        """Of an account that was disconnected, or that another one took the place of."""
        tokens = tokens_of(self.connections.keyring, gone)
        await self._write_down(tx, gone, gone.account, tokens.refresh_token if tokens else "")

    async def let_go_of_held(self, tx: Transaction, connect: OAuthAttempt) -> None:
        """Of what an attempt held, if it held anything."""
        if (granted := held_grant(self.connections.keyring, connect)) is not None:
            await self.refuse(tx, connect, granted)

    async def refuse(self, tx: Transaction, connect: OAuthAttempt, granted: Granted) -> None:
        """Of what an attempt brought and nobody keeps."""
        await self._write_down(tx, connect, granted.account, granted.token.refresh_token)

    async def _write_down(self, tx: Transaction, whose: Connection | OAuthAttempt, account: str, token: str) -> None:
        owed = Revocation(
            id=ids.new_id("rev"),
            team=whose.team,
            user=whose.user,
            provider=whose.provider,
            account=account,
            secret="",
            not_before=tx.now,
            created_at=tx.now,
        )
        if not token or self.provider is None:
            tx.record(owed_fact(owed, AuditCode.CONNECTION_NOT_REVOKED, why="keys" if self.provider else "no_client"))
            return
        secret = self.connections.keyring.seal(token, bound_to=_bound_to(owed))
        await tx.work.revocations.add(replace(owed, secret=secret))

    # Giving back ----------------------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Let go of what nobody confirmed in time, and give back what is due. Raises `NotRead`."""
        now = self.transactions.clock.now()
        async with self.transactions.store.read() as work:
            held = await work.oauth_attempts.unconfirmed(before=now - GRACE, limit=BATCH)
        for connect in shuffled(held):
            async with isolated(self.transactions, "unconfirmed", connect.id) as tx:
                if await tx.work.oauth_attempts.let_go(connect, at=tx.now):
                    await self.let_go_of_held(tx, connect)
                    about = {"provider": connect.provider, "connect": connect.id, "why": "unconfirmed"}
                    tx.record(
                        AuditEvent(team=connect.team, code=AuditCode.CONNECT_REFUSED, actor=connect.user, details=about)
                    )
        async with self.transactions.store.read() as work:
            due = await work.revocations.due(now=now, horizon=now + _LONGEST_PAUSE, limit=BATCH)
        for revocation in shuffled(due):
            await self._give_back(revocation)

    async def _give_back(self, revocation: Revocation) -> None:
        token = ""
        async with isolated(self.transactions, "revocation", revocation.id) as tx:
            token = await self._claimed(tx, revocation)
        if not token or self.provider is None:
            return
        ended = await self.provider.revoke(token)
        if not ended:
            log.warning("connection.not_revoked", revocation=revocation.id, attempt=revocation.attempts + 1)
        if ended or revocation.attempts + 1 >= MOST_ATTEMPTS:
            async with isolated(self.transactions, "revocation", revocation.id) as tx:
                await self._end(tx, revocation, why="" if ended else "refused")

    async def _claimed(self, tx: Transaction, revocation: Revocation) -> str:
        """The token, for one attempt; nothing when somebody was first, or when it is not to be given back any more.

        A provider ends all that an account granted to us at once (developers.google.com/identity/protocols/oauth2,
        "Revoking a token"), so what somebody's connection lives by is left alone.
        """
        later = tx.now + min(_LONGEST_PAUSE, timedelta(seconds=_FIRST_PAUSE_SECONDS * 2**revocation.attempts))
        if not await tx.work.revocations.claim(revocation, not_before=later):
            return ""
        token = self._opened(revocation)
        shared = await tx.work.connections.of_account(revocation.provider, revocation.account)
        if why := self._hindrance(revocation, token, in_use=bool(shared)):
            await self._end(tx, revocation, why=why)
            return ""
        return token

    def _hindrance(self, revocation: Revocation, token: str, *, in_use: bool) -> str:
        """Why it is not given back at all; empty when it is."""
        if in_use:
            return "in_use"
        if not token or self.provider is None:
            return "keys" if self.provider else "no_client"
        return "refused" if revocation.attempts >= MOST_ATTEMPTS else ""

    def _opened(self, revocation: Revocation) -> str:
        try:
            return self.connections.keyring.open(revocation.secret, bound_to=_bound_to(revocation))
        except CannotOpen as error:
            log.error("revocation.sealed", revocation=revocation.id, reason=str(error))
            return ""

    async def _end(self, tx: Transaction, revocation: Revocation, *, why: str) -> None:
        if not await tx.work.revocations.end(revocation):
            return
        if why:
            tx.record(owed_fact(revocation, AuditCode.CONNECTION_NOT_REVOKED, why=why))
        else:
            tx.record(owed_fact(revocation, AuditCode.CONNECTION_REVOKED))


def owed_fact(owed: Revocation, code: AuditCode, **details: object) -> AuditEvent:
    """The audit entry about what is given back: whose, and sealed of which account."""
    about = {"provider": owed.provider, "user": owed.user, **details}
    which = {"account": owed.account}
    return AuditEvent(team=owed.team, code=code, actor=AGENT, details=about, owner=owed.user, personal=which)


def _bound_to(owed: Revocation) -> str:
    return Secret.REVOCATION.of(provider=owed.provider, team=owed.team, user=owed.user, row_id=owed.id)
