"""Connected accounts, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.connections import Connection
from bot.store.rows import Row, every, first, merged
from bot.store.tables import connections

_COLUMNS = [column for column in connections.c if column.name != "updated_at"]


def _connection(row: Row) -> Connection:
    return Connection(**merged(row, scopes=frozenset(row["scopes"])))


class Connections:
    """Implements `ports.Connections`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def find(self, team: str, user: str, provider: str) -> Connection | None:
        row = first(await self._db.execute(select(*_COLUMNS).where(_key(team, user, provider))))
        return _connection(row) if row else None

    async def of(self, team: str, user: str) -> Sequence[Connection]:
        wanted = select(*_COLUMNS).where(connections.c.team == team, connections.c.user == user)
        return [_connection(row) for row in every(await self._db.execute(wanted))]

    async def save(self, connection: Connection, *, at: datetime) -> None:
        key = {name: getattr(connection, name) for name in ("team", "user", "provider")}
        await self._db.execute(delete(connections).where(_key(**key)))
        values = {name: getattr(connection, name) for name in ("account", "email", "secret", "status")}
        scopes = sorted(connection.scopes)
        await self._db.execute(insert(connections).values(**key, **values, scopes=scopes, updated_at=at))

    async def mark(self, team: str, user: str, provider: str, status: str) -> None:
        await self._db.execute(update(connections).where(_key(team, user, provider)).values(status=status))


def _key(team: str, user: str, provider: str):
    return (connections.c.team == team) & (connections.c.user == user) & (connections.c.provider == provider)
