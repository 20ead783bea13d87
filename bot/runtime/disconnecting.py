"""Disconnecting: an account is forgotten here and given back at its provider, by its owner or because he, or the whole
workspace, is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.domain.connections import Connection
from bot.domain.events import HomeChanged
from bot.runtime.connections import PROVIDER, Connections, fact
from bot.runtime.leases import Journal
from bot.runtime.ports import AccountProvider
from bot.runtime.transitions import Transitions

log = structlog.get_logger()

PATIENCE_SECONDS = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnecting:
    """Takes connections away. What waits for the account, or is approved with it, asks to connect when it is its turn.

    Nothing is asked of the provider inside a transaction: `revoke` comes after it.
    """

    journal: Journal
    connections: Connections
    provider: AccountProvider | None

    async def forget(self, team: str, user: str, *, actor: str | None = None) -> Connection | None:
        """Forget the person's account; what it was, None where there was none. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            return await _forget(moves, team, user, actor=actor or user)

    async def forget_workspace(self, team: str) -> Sequence[Connection]:
        """Forget every account of a workspace that the agent was removed from. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            known = await moves.work.connections.of_workspace(team)
            await moves.work.connects.forget_all(team)
            gone = [await _forget(moves, team, item.user, actor="slack") for item in known]
        return [item for item in gone if item]

    async def revoke(self, gone: Connection) -> None:
        """Give the grant back, unless somebody else's connection lives by it."""
        tokens = self.connections.tokens_of(gone)
        async with self.journal.store.read() as work:
            shared = await work.connections.of_account(gone.provider, gone.account)
        if shared or tokens is None or self.provider is None:
            return
        ended = await self.provider.revoke(tokens.refresh_token)
        if not ended:
            log.warning("connection.not_revoked", team=gone.team, user=gone.user)
        async with self.journal.write() as moves:
            moves.note(fact(gone, "connection.revoked" if ended else "connection.not_revoked", actor="agent"))


async def _forget(moves: Transitions, team: str, user: str, *, actor: str) -> Connection | None:
    await moves.work.connects.forget_all(team, user)
    gone = await moves.work.connections.remove(team, user, PROVIDER)
    if gone is not None:
        moves.note(fact(gone, "connection.disconnected", actor=actor))
        moves.tell(HomeChanged(team, user))
    return gone
