"""Memories, in SQL, ranked by SQLite's full-text index (FTS5, `bm25`); a trigger takes what is forgotten out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.rows import Row, every, first, merged
from bot.store.tables import memories, objects
from integrations.base import Memory
from policies.types import Label

_COLUMNS = [memories.c[name] for name in ("id", "text", "label", "created_at")]
_RANKED = text(
    "SELECT rowid FROM memories_index WHERE memories_index MATCH :query "
    "ORDER BY bm25(memories_index, 0.0, 1.0), rowid DESC LIMIT :most"
)


def _memory(row: Row) -> Memory:
    return Memory(**merged(row, label=Label(row["label"])))


def match_any(query: str) -> str:
    """An FTS5 query that any word of this text matches; quoted, so that no word is an operator."""
    return " OR ".join(f'"{word}"*' for word in re.findall(r"\w+", query))


class Memories:
    """Implements `ports.StoredMemories`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def save(self, memory: Memory, *, team: str, user: str, key: str) -> Memory:
        known = await self._db.execute(select(*_COLUMNS).where(memories.c.key == key))
        if row := first(known):
            return _memory(row)
        values = {"id": memory.id, "text": memory.text, "label": memory.label.value, "created_at": memory.created_at}
        await self._db.execute(insert(memories).values(**values, team=team, user=user, key=key))
        return memory

    async def search(self, team: str, user: str, query: str, *, limit: int) -> Sequence[Memory]:
        mine = (memories.c.team == team) & (memories.c.user == user) & memories.c.forgotten_at.is_(None)
        if not (words := match_any(query)):
            newest = select(*_COLUMNS).where(mine).order_by(memories.c.created_at.desc()).limit(limit)
            return [_memory(row) for row in every(await self._db.execute(newest))]
        ranked = _RANKED.bindparams(query=f"owner:{_owner(team, user)} AND text:({words})", most=limit)
        order = list((await self._db.execute(ranked)).scalars())
        found = await self._db.execute(select(memories.c.n, *_COLUMNS).where(mine, memories.c.n.in_(order)))
        by_number = {row["n"]: {k: v for k, v in row.items() if k != "n"} for row in every(found)}
        return [_memory(by_number[n]) for n in order if n in by_number]

    async def forget(self, team: str, user: str, memory_id: str, *, at: datetime) -> bool:
        mine = (memories.c.team == team) & (memories.c.user == user) & (memories.c.id == memory_id)
        gone = await self._db.execute(
            update(memories).where(mine, memories.c.forgotten_at.is_(None)).values(forgotten_at=at, text="")
        )
        if gone.rowcount == 0:
            return False
        shown = (objects.c.kind == "memory") & (objects.c.object_id == memory_id) & (objects.c.owner == user)
        await self._db.execute(delete(objects).where(shown))
        return True


def _owner(team: str, user: str) -> str:
    """The owner as one token of the index (triggers of the first migration write the same)."""
    return f'"{team}x{user}"'
