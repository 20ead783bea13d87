"""The repository of those the agent wrote to first, with nobody's yes."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, delete, select

from bot.store.engine.session import Repository, given
from bot.store.engine.statements import Prepared
from bot.store.tables.people import unasked

_AMONG = Prepared(
    select(unasked.c.mark).where(given(unasked.c.team, unasked.c.user), unasked.c.mark.in_(bindparam("marks")))
)
_DROP = Prepared(delete(unasked).where(given(unasked.c.team, unasked.c.user), unasked.c.mark.in_(bindparam("marks"))))


class Unasked(Repository):
    """People by a mark of their address (`bot.domain.limits.mark_of`), for each owner of the mails."""

    async def add(self, team: str, user: str, marks: Collection[str], at: datetime) -> None:
        """The agent writes to them now, and their owner did not before."""
        for mark in sorted(marks):
            await self._db.insert_new(unasked, {"team": team, "user": user, "mark": mark, "at": at})

    async def drop(self, team: str, user: str, marks: Collection[str]) -> None:
        """Their owner approved a mail to them."""
        await self._db.execute(_DROP, {"team": team, "user": user, "marks": sorted(marks)})

    async def among(self, team: str, user: str, marks: Collection[str]) -> frozenset[str]:
        """Those of these that only the agent wrote to."""
        found = await self._db.values(_AMONG, {"team": team, "user": user, "marks": sorted(marks)})
        return frozenset(found)
