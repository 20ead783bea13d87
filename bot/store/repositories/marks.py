"""The repository of marks, which are single facts about the database."""

from __future__ import annotations

from sqlalchemy import delete, select, text

from bot.store.engine.session import Session
from bot.store.rows import first
from bot.store.tables.coordination import marks

# What a dump does not carry along (PostgreSQL's documentation, “Object Identifier Types” and “Control Data Functions”):
# the cluster's own number, and those of the database and of this table in it.
_MAY_ASK_WHO = text("SELECT has_function_privilege('pg_control_system()', 'execute')")
_SERVER = text("SELECT system_identifier FROM pg_control_system()")
_TABLE = text("SELECT oid || '/' || 'marks'::regclass::oid::text FROM pg_database WHERE datname = current_database()")


COPY = "copy"
"""The mark of a copy; its value says what was copied, and when."""


class Marks:
    """Single facts about this database, such as that it is a restored copy."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def find(self, name: str) -> str | None:
        return (await self._db.execute(select(marks.c.value).where(marks.c.name == name))).scalar_one_or_none()

    async def set(self, name: str, value: str) -> None:
        await self._db.put(marks, {"name": name, "value": value})

    async def move(self, name: str, value: str) -> bool:
        """Set the value; False when it is set already, also by a concurrent transaction."""
        changed = await self._db.put_where(
            marks, {"name": name, "value": value}, {"value": value}, marks.c.value != value
        )
        return first(changed) is not None

    async def drop(self, name: str) -> None:
        await self._db.execute(delete(marks).where(marks.c.name == name))

    async def schema(self) -> str:
        """The revision of the schema; empty where there is none."""
        found = await self._db.execute(text("SELECT version_num FROM alembic_version"))
        return str(found.scalar_one_or_none() or "")

    async def place(self) -> str | None:
        """Where the server keeps these tables; a restored dump has another place. None for a SQLite file."""
        if not self._db.is_shared:
            return None
        known = (await self._db.execute(_MAY_ASK_WHO)).scalar_one()
        server = (await self._db.execute(_SERVER)).scalar_one() if known else ""
        return f"{server}/{(await self._db.execute(_TABLE)).scalar_one()}"
