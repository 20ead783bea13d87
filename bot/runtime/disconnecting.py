"""Disconnecting: an account is forgotten here and given back at its provider, by its owner or because he, or the whole
workspace, is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.connections import PROVIDER, Connection
from bot.domain.events import HomeChanged
from bot.runtime.connections import fact
from bot.runtime.leases import Journal
from bot.runtime.ports import PATIENCE_SECONDS
from bot.runtime.revoking import Revoking
from bot.runtime.transitions import Transitions


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnecting:
    """Takes connections away. What waits for the account, or is approved with it, asks to connect when it is its turn.

    Nothing is asked of the provider here: what is let go of is written down, and `Revoking` gives it back.
    """

    journal: Journal
    revoking: Revoking

    async def forget(self, team: str, user: str, *, actor: str | None = None) -> Connection | None:
        """Forget the person's account; what it was, None where there was none. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            await self._end_attempts(moves, team, user)
            return await self._forget(moves, team, user, actor=actor or user)

    async def forget_workspace(self, team: str) -> Sequence[Connection]:
        """Forget every account of a workspace that the agent was removed from. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            await self._end_attempts(moves, team)
            known = await moves.work.connections.of_workspace(team)
            gone = [await self._forget(moves, team, item.user, actor="slack") for item in known]
        return [item for item in gone if item]

    async def _end_attempts(self, moves: Transitions, team: str, user: str | None = None) -> None:
        """First: an attempt that is about to keep an account is waited for here, and finds itself gone afterwards."""
        for connect in await moves.work.connects.forget_all(team, user):
            await self.revoking.let_go_of_held(moves, connect)

    async def _forget(self, moves: Transitions, team: str, user: str, *, actor: str) -> Connection | None:
        gone = await moves.work.connections.remove(team, user, PROVIDER)
        if gone is not None:
            await self.revoking.let_go(moves, gone)
            moves.note(fact(gone, "connection.disconnected", actor=actor))
            moves.tell(HomeChanged(team, user))
        return gone
