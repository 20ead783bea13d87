"""Connected accounts, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from bot.domain.connections import Connection
from bot.store.rows import Row, every, first, merged
from bot.store.session import Session
from bot.store.tables import connections

_COLUMNS = [column for column in connections.c if column.name != "updated_at"]


def _connection(row: Row) -> Connection:
    return Connection(**merged(row, scopes=frozenset(row["scopes"])))


class Connections:
    """Implements `ports.Connections`."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def find(self, team: str, user: str, provider: str) -> Connection | None:
        row = first(await self._db.execute(select(*_COLUMNS).where(_key(team, user, provider))))
        return _connection(row) if row else None

    async def of(self, team: str, user: str) -> Sequence[Connection]:
        wanted = select(*_COLUMNS).where(connections.c.team == team, connections.c.user == user)
        return [_connection(row) for row in every(await self._db.execute(wanted))]

    async def save(self, connection: Connection, *, at: datetime) -> None:
        key = {name: getattr(connection, name) for name in ("team", "user", "provider")}
        values = {name: getattr(connection, name) for name in ("account", "email", "secret", "status")}
        scopes = sorted(connection.scopes)
        await self._db.put(connections, {**key, **values, "scopes": scopes, "updated_at": at})

    async def mark(self, team: str, user: str, provider: str, status: str) -> None:
        await self._db.execute(update(connections).where(_key(team, user, provider)).values(status=status))


def _key(team: str, user: str, provider: str):
    return (connections.c.team == team) & (connections.c.user == user) & (connections.c.provider == provider)
