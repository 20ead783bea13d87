"""The repository of definitions: what the agents were whose runs are kept. Retention takes those that no run names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select

from bot.store.engine.session import Repository
from bot.store.engine.statements import Prepared
from bot.store.tables.runs import definitions

_OF_HASHES = Prepared(
    select(definitions.c.hash, definitions.c.canonical).where(definitions.c.hash.in_(bindparam("hashes")))
)


class Definitions(Repository):
    """Definitions of agents in their canonical form, by its hash."""

    async def keep(self, hash_: str, *, name: str, canonical: str, at: datetime) -> None:
        """Store one, unless it is there."""
        await self._db.insert_new(definitions, {"hash": hash_, "name": name, "canonical": canonical, "created_at": at})

    async def find(self, hashes: Sequence[str]) -> Mapping[str, str]:
        """Those that are there, by hash."""
        return {row[0]: row[1] for row in (await self._db.execute(_OF_HASHES, {"hashes": list(hashes)})).rows}
