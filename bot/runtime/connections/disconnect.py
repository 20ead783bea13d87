"""Disconnecting: an account is forgotten here and given back at its provider. Its owner asks for it, or the owner or
the whole workspace is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.audit import AuditCode
from bot.domain.connections import PROVIDER, Connection
from bot.domain.events import HomeChanged
from bot.runtime.connections.accounts import fact
from bot.runtime.connections.revocation import Revoking
from bot.runtime.core.transaction import Transaction, TransactionFactory


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnecting:
    """Takes connections away. What waits for the account, or is approved with it, asks to connect when it is its turn.

    Nothing is asked of the provider here: the grant is written down, and `Revoking` gives it back.
    """

    transactions: TransactionFactory
    revoking: Revoking

    async def forget(self, team: str, user: str, *, actor: str | None = None) -> Connection | None:
        """Forget the person's account; what it was, None where there was none. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            await self._end_attempts(tx, team, user)
            return await self._forget(tx, team, user, actor=actor or user)

    async def forget_workspace(self, team: str) -> Sequence[Connection]:
        """Forget every account of a workspace that the agent was removed from. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            await self._end_attempts(tx, team)
            known = await tx.work.connections.of_workspace(team)
            gone = [await self._forget(tx, team, item.user, actor="slack") for item in known]
        return [item for item in gone if item]

    async def _end_attempts(self, tx: Transaction, team: str, user: str | None = None) -> None:
        """First: an attempt that is about to keep an account is waited for here, and finds itself gone afterwards."""
        for connect in await tx.work.oauth_attempts.forget_all(team, user):
            await self.revoking.let_go_of_held(tx, connect)

    async def _forget(self, tx: Transaction, team: str, user: str, *, actor: str) -> Connection | None:
        gone = await tx.work.connections.remove(team, user, PROVIDER)
        if gone is not None:
            await self.revoking.let_go(tx, gone)
            tx.record(fact(gone, AuditCode.CONNECTION_DISCONNECTED, actor=actor))
            tx.publish(HomeChanged(team, user))
        return gone
