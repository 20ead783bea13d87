"""The repository of connected accounts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select, true, update

from bot.domain.connections import Connection
from bot.store.engine.session import Session
from bot.store.rows import Row, every, first, merged
from bot.store.tables.accounts import connections

_COLUMNS = [column for column in connections.c if column.name != "updated_at"]


def _connection(row: Row) -> Connection:
    return Connection(**merged(row, scopes=frozenset(row["scopes"])))


class Connections:
    """Accounts that people connected."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def find(self, team: str, user: str, provider: str) -> Connection | None:
        row = first(await self._db.execute(select(*_COLUMNS).where(_key(team, user, provider))))
        return _connection(row) if row else None

    async def of(self, team: str, user: str) -> Sequence[Connection]:
        wanted = select(*_COLUMNS).where(connections.c.team == team, connections.c.user == user)
        return [_connection(row) for row in every(await self._db.execute(wanted))]

    async def save(self, connection: Connection, *, at: datetime) -> None:
        """Store this connection in place of the person's earlier one."""
        key = {name: getattr(connection, name) for name in ("team", "user", "provider")}
        values = {name: getattr(connection, name) for name in ("account", "email", "secret", "status")}
        values |= {"scopes": sorted(connection.scopes), "updated_at": at}
        await self._db.put_where(
            connections,
            {**key, **values, "version": connection.version},
            {**values, "version": connections.c.version + 1},
            true(),
        )

    async def renewed(self, before: Connection, secret: str, *, at: datetime) -> bool:
        """Replace the secret of the connection; False when it changed since it was read."""
        return await self._change(before, secret=secret, updated_at=at)

    async def mark(self, before: Connection, status: str) -> bool:
        """Change the status; False when the connection changed since it was read."""
        return await self._change(before, status=status)

    async def lock(self, team: str, user: str, provider: str) -> None:
        """Keep other transactions from asking this person about the provider until this one ends."""
        await self._db.lock_names([f"connection {provider} {team} {user}"])

    async def remove(self, team: str, user: str, provider: str) -> Connection | None:
        """Delete the connection and return it; None when there was none."""
        gone = delete(connections).where(_key(team, user, provider)).returning(*_COLUMNS)
        row = first(await self._db.execute(gone))
        return _connection(row) if row else None

    async def of_workspace(self, team: str) -> Sequence[Connection]:
        wanted = select(*_COLUMNS).where(connections.c.team == team)
        return [_connection(row) for row in every(await self._db.execute(wanted))]

    async def of_account(self, provider: str, account: str) -> Sequence[Connection]:
        """Every connection of this account, in all workspaces."""
        wanted = select(*_COLUMNS).where(connections.c.provider == provider, connections.c.account == account)
        return [_connection(row) for row in every(await self._db.execute(wanted))]

    async def _change(self, before: Connection, **values: object) -> bool:
        """Whether the row was still as in `before`. Versions start again with a new row, so the account is compared as
        well.
        """
        same = (connections.c.version == before.version) & (connections.c.account == before.account)
        unchanged = _key(before.team, before.user, before.provider) & same
        changed = update(connections).where(unchanged).values(version=before.version + 1, **values)
        return (await self._db.execute(changed.returning(connections.c.user))).first() is not None


def _key(team: str, user: str, provider: str):
    return (connections.c.team == team) & (connections.c.user == user) & (connections.c.provider == provider)
