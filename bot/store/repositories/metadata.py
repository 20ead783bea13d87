"""The repository of metadata: single facts about the database, each a mark with a name."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select, text

from bot.store.engine.session import Repository, given, upsert
from bot.store.engine.statements import Prepared
from bot.store.tables.coordination import marks

# What a dump does not carry along (PostgreSQL's documentation, “Object Identifier Types” and “Control Data Functions”):
# the cluster's own number, and those of the database and of this table in it.
_MAY_ASK_WHO = text("SELECT has_function_privilege('pg_control_system()', 'execute')")
_SERVER = text("SELECT system_identifier FROM pg_control_system()")
_TABLE = text("SELECT oid || '/' || 'marks'::regclass::oid::text FROM pg_database WHERE datname = current_database()")

_LIMITS = [
    text(f"SELECT setting::float / 1000 FROM pg_settings WHERE name = '{name}'")  # milliseconds
    for name in ("idle_in_transaction_session_timeout", "transaction_timeout")
]

COPY = "copy"
"""The mark of a copy; its value says what was copied, and when."""

COPIED_AT = "copied_at"
"""The mark of the moment at which a backup was made, or, of a database that was a copy, at which that was made."""

_FIND = Prepared(select(marks.c.value).where(given(marks.c.name)))
_MOVE = upsert(marks, lambda new: {"value": new.value}, where=lambda new: marks.c.value != new.value)
_DROP = Prepared(delete(marks).where(given(marks.c.name)))


class Metadata(Repository):
    """Single facts about this database, such as that it is a restored copy."""

    async def find(self, name: str) -> str | None:
        return await self._db.value(_FIND, {"name": name})

    async def set(self, name: str, value: str) -> None:
        await self._db.put(marks, {"name": name, "value": value})

    async def move(self, name: str, value: str) -> bool:
        """Set the value; False when it is set already, also by a concurrent transaction."""
        return await self._db.is_done(_MOVE, {"name": name, "value": value})

    async def drop(self, name: str) -> None:
        await self._db.execute(_DROP, {"name": name})

    async def copied_at(self) -> datetime | None:
        """When the copy was made that took the place of the database; None where none did, or a version before this one
        put it there.
        """
        found = await self.find(COPIED_AT)
        return datetime.fromisoformat(found) if found else None

    async def schema(self) -> str:
        """The revision of the schema; empty where there is none."""
        return str(await self._db.value(text("SELECT version_num FROM alembic_version")) or "")

    async def standstill_limits(self) -> tuple[float, float] | None:
        """After how many seconds the server ends a transaction whose process stands still, and frees what it locked:
        between two statements, and within one. 0 where it never does. None for a SQLite file, which one process has.
        """
        if not self._db.is_shared:
            return None
        between, within = [await self._db.value(limit) or 0.0 for limit in _LIMITS]
        return between, within

    async def place(self) -> str | None:
        """Where the server keeps these tables; a restored dump has another place. None for a SQLite file."""
        if not self._db.is_shared:
            return None
        known = await self._db.value(_MAY_ASK_WHO)
        server = await self._db.value(_SERVER) if known else ""
        return f"{server}/{await self._db.value(_TABLE)}"
