"""Single facts about this database, in SQL."""

from __future__ import annotations

from sqlalchemy import delete, select, text

from bot.store.session import Session
from bot.store.tables import marks


class Marks:
    """Implements `repositories.Marks`."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def find(self, name: str) -> str | None:
        return (await self._db.execute(select(marks.c.value).where(marks.c.name == name))).scalar_one_or_none()

    async def set(self, name: str, value: str) -> None:
        await self._db.put(marks, {"name": name, "value": value})

    async def drop(self, name: str) -> None:
        await self._db.execute(delete(marks).where(marks.c.name == name))

    async def schema(self) -> str:
        found = await self._db.execute(text("SELECT version_num FROM alembic_version"))
        return str(found.scalar_one_or_none() or "")
