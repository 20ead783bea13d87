"""The repositories of connected accounts: attempts to connect one, grants to give back, and what went wrong with them.

Each step of an attempt is one guarded UPDATE: the second caller finds no row.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Integer, bindparam, delete, func, insert, or_, select, update

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.connections import Connection, ConnectionChange, DisabledApi, OAuthAttempt, Revocation
from bot.store.engine.session import Repository, given, upsert
from bot.store.engine.statements import Prepared
from bot.store.tables.accounts import connections, connects, revocations
from bot.store.tables.audit_log import audit
from bot.store.tables.people import users
from bot.store.tables.runs import actions

_COLUMNS = [column for column in connections.c if column.name != "updated_at"]
_FIND = Prepared(select(*_COLUMNS).where(given(connections.c.team, connections.c.user, connections.c.provider)))
_KEPT = ("account", "email", "secret", "status", "scopes", "updated_at")
_SAVE = upsert(
    connections,
    lambda new: {**{name: new[name] for name in _KEPT}, "version": connections.c.version + 1},
)
HELD_GRANTS = select(connects).where(connects.c.held.is_not(None)).order_by(connects.c.expires_at)
"""Attempts that hold a grant, the first one to expire first."""

TO_GIVE_BACK = select(revocations).order_by(revocations.c.not_before, revocations.c.id)
"""Grants to give back, the one that is due first before the others."""

_LIMIT = bindparam("limit", type_=Integer)
_UNCONFIRMED = Prepared(HELD_GRANTS.where(connects.c.expires_at < bindparam("before")).limit(_LIMIT))
_IS_DUE = or_(revocations.c.not_before <= bindparam("now"), revocations.c.not_before > bindparam("horizon"))
_DUE = Prepared(TO_GIVE_BACK.where(_IS_DUE).limit(_LIMIT))


def _connection(scopes: Iterable[str], **row: Any) -> Connection:
    return Connection(scopes=frozenset(scopes), **row)


class Connections(Repository):
    """Accounts that people connected."""

    async def find(self, team: str, user: str, provider: str) -> Connection | None:
        return await self._db.first(_connection, _FIND, {"team": team, "user": user, "provider": provider})

    async def of(self, team: str, user: str) -> Sequence[Connection]:
        wanted = select(*_COLUMNS).where(connections.c.team == team, connections.c.user == user)
        return await self._db.all(_connection, wanted)

    async def save(self, connection: Connection, *, at: datetime) -> None:
        """Store this connection in place of the person's earlier one."""
        names = ("team", "user", "provider", "account", "email", "secret", "status", "version")
        values = {name: getattr(connection, name) for name in names}
        await self._db.execute(_SAVE, values | {"scopes": sorted(connection.scopes), "updated_at": at})

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
        return await self._db.first(_connection, gone)

    async def of_workspace(self, team: str) -> Sequence[Connection]:
        wanted = select(*_COLUMNS).where(connections.c.team == team)
        return await self._db.all(_connection, wanted)

    async def of_account(self, provider: str, account: str) -> Sequence[Connection]:
        """Every connection of this account, in all workspaces."""
        wanted = select(*_COLUMNS).where(connections.c.provider == provider, connections.c.account == account)
        return await self._db.all(_connection, wanted)

    async def _change(self, before: Connection, **values: object) -> bool:
        """Whether the row was still as in `before`. Versions start again with a new row, so the account is compared as
        well.
        """
        same = (connections.c.version == before.version) & (connections.c.account == before.account)
        unchanged = _key(before.team, before.user, before.provider) & same
        changed = update(connections).where(unchanged).values(version=before.version + 1, **values)
        return await self._db.is_done(changed.returning(connections.c.user))


def _key(team: str, user: str, provider: str):
    return (connections.c.team == team) & (connections.c.user == user) & (connections.c.provider == provider)


class OAuthAttempts(Repository):
    """Attempts to connect an account."""

    async def add(self, new: OAuthAttempt) -> None:
        values = asdict(new) | {name: sorted(getattr(new, name)) for name in ("missing", "scopes")}
        await self._db.execute(insert(connects).values(values | {"choices": list(new.choices)}))

    async def find(self, connect_id: str) -> OAuthAttempt | None:
        return await self._one(connects.c.id == connect_id)

    async def by_token(self, token_hash: str) -> OAuthAttempt | None:
        return await self._one(connects.c.token_hash == token_hash)

    async def by_state(self, state_hash: str) -> OAuthAttempt | None:
        return await self._one(connects.c.state_hash == state_hash)

    async def by_confirmation(self, confirm_hash: str) -> OAuthAttempt | None:
        return await self._one(connects.c.confirm_hash == confirm_hash)

    async def opened(self, connect_id: str, *, at: datetime) -> None:
        """Store when the page was first opened; opening it changes nothing else."""
        first_time = (connects.c.id == connect_id) & connects.c.opened_at.is_(None)
        await self._db.execute(update(connects).where(first_time).values(opened_at=at))

    async def begin(
        self, connect: OAuthAttempt, *, state_hash: str, cookie_hash: str, verifier: str, scopes: frozenset[str]
    ) -> bool:
        """The browser leaves for the provider; False when it came back already."""
        values = {"state_hash": state_hash, "cookie_hash": cookie_hash, "verifier": verifier, "scopes": sorted(scopes)}
        unused = (connects.c.id == connect.id) & connects.c.consumed_at.is_(None)
        return await self._change(unused, **values) is not None

    async def take(self, state_hash: str, *, now: datetime) -> OAuthAttempt | None:
        """Consume the attempt when the browser comes back; None when it is too late or was consumed before."""
        unused = (connects.c.state_hash == state_hash) & connects.c.consumed_at.is_(None)
        return await self._change(unused & (connects.c.expires_at > now), consumed_at=now)

    async def hold(self, connect: OAuthAttempt, *, confirm_hash: str, held: str) -> bool:
        """Keep the grant until it is confirmed; False when the attempt is over."""
        waiting = (connects.c.id == connect.id) & connects.c.ended_at.is_(None)
        return await self._change(waiting, confirm_hash=confirm_hash, held=held) is not None

    async def take_held(self, confirm_hash: str, *, now: datetime) -> OAuthAttempt | None:
        """End the attempt and return it with its grant; None when it is over."""
        waiting = (connects.c.confirm_hash == confirm_hash) & connects.c.ended_at.is_(None)
        return await self._change(waiting & (connects.c.expires_at > now), ended_at=now)

    async def end(self, connect: OAuthAttempt, *, at: datetime) -> bool:
        """End the attempt and delete its secrets; False when it was deleted meanwhile."""
        return await self._change(connects.c.id == connect.id, ended_at=at, held=None, verifier=None) is not None

    async def unconfirmed(self, *, before: datetime, limit: int) -> Sequence[OAuthAttempt]:
        """Attempts that expired before this and still hold a grant."""
        return await self._db.all(_connect, _UNCONFIRMED, {"before": before, "limit": limit})

    async def let_go(self, connect: OAuthAttempt, *, at: datetime) -> bool:
        """End an attempt that still holds its grant; False when another caller was first."""
        same = (connects.c.id == connect.id) & (connects.c.held == connect.held)
        return await self._change(same, ended_at=at, held=None, verifier=None) is not None

    async def forget_all(self, team: str, user: str | None = None) -> Sequence[OAuthAttempt]:
        """Delete all attempts of this person, or of the workspace, and return them."""
        whose = connects.c.team == team
        gone = delete(connects).where(whose if user is None else whose & (connects.c.user == user))
        return await self._db.all(_connect, gone.returning(*connects.c))

    async def _one(self, which: ColumnElement[bool]) -> OAuthAttempt | None:
        return await self._db.first(_connect, select(connects).where(which))

    async def _change(self, which: ColumnElement[bool], **values: Any) -> OAuthAttempt | None:
        return await self._db.first(_connect, update(connects).where(which).values(values).returning(*connects.c))


def _connect(choices: Iterable[str], missing: Iterable[str], scopes: Iterable[str], **row: Any) -> OAuthAttempt:
    return OAuthAttempt(choices=tuple(choices), missing=frozenset(missing), scopes=frozenset(scopes), **row)


class Revocations(Repository):
    """Grants that are to be given back."""

    async def add(self, new: Revocation) -> None:
        await self._db.execute(insert(revocations).values(asdict(new)))

    async def due(self, *, now: datetime, horizon: datetime, limit: int) -> Sequence[Revocation]:
        """Grants that are due. One that is due after the horizon was stored before the clock went back, and counts as
        due.
        """
        return await self._db.all(Revocation, _DUE, {"now": now, "horizon": horizon, "limit": limit})

    async def claim(self, revocation: Revocation, *, not_before: datetime) -> bool:
        """Count an attempt and set when the next one is due; False when another process was first."""
        mine = (revocations.c.id == revocation.id) & (revocations.c.attempts == revocation.attempts)
        claim = update(revocations).where(mine).values(attempts=revocation.attempts + 1, not_before=not_before)
        return await self._db.is_done(claim.returning(revocations.c.id))

    async def end(self, revocation: Revocation) -> bool:
        """Delete the row with its secret; False when it is gone already."""
        gone = delete(revocations).where(revocations.c.id == revocation.id).returning(revocations.c.id)
        return await self._db.is_done(gone)

    async def forget(self, provider: str, account: str) -> None:
        """Give nothing of this account back, because it was connected again."""
        theirs = (revocations.c.provider == provider) & (revocations.c.account == account)
        await self._db.execute(delete(revocations).where(theirs))


_CHANGES = (
    AuditCode.CONNECTION_ADOPTED,
    AuditCode.CONNECTION_CONNECTED,
    AuditCode.CONNECTION_REFRESHED,
    AuditCode.CONNECTION_REFUSED,
)
_DISABLED = "api_disabled"
_MOST = 1_000


class ConnectionProblems(Repository):
    """Problems with connected accounts."""

    async def somebody_of(self, domains: Collection[str]) -> str | None:
        """The address of a person whose mail domain, in lower case, is one of these."""
        wanted = select(users.c.email).where(users.c.email.is_not(None), users.c.is_deleted.is_(False))
        for email in await self._db.values(wanted.order_by(users.c.user)):
            if str(email).rpartition("@")[2].lower() in domains:
                return str(email)
        return None

    async def changes(self, since: datetime) -> Sequence[ConnectionChange]:
        """What became of connections since then, in order."""
        wanted = select(audit.c.team, audit.c.code, audit.c.at, audit.c.body)
        wanted = wanted.where(audit.c.code.in_(_CHANGES), audit.c.at >= since).order_by(audit.c.id)
        found = await self._db.execute(wanted)
        return [
            ConnectionChange(whose=(team, str(json.loads(body)["actor"])), code=AuditCode(code), at=at)
            for team, code, at, body in found.rows
        ]

    async def disabled(self, since: datetime) -> Sequence[DisabledApi]:
        """The tools that failed since then because a Google API is not enabled, and have not worked again."""
        worked = await self._last_worked(since)
        wanted = select(actions.c.tool, actions.c.response, actions.c.ended_at)
        wanted = wanted.where(actions.c.state == ActionState.FAILED, actions.c.ended_at >= since)
        newest_first = wanted.order_by(actions.c.ended_at.desc()).limit(_MOST)
        newest: dict[str, DisabledApi] = {}
        for tool, response, at in (await self._db.execute(newest_first)).rows:
            error = cast("dict[str, dict[str, object]]", response or {}).get("error", {})
            if error.get("code") == _DISABLED and (tool not in worked or worked[tool] < at):
                newest.setdefault(tool, DisabledApi(tool=tool, message=str(error.get("message", "")), at=at))
        return list(newest.values())

    async def _last_worked(self, since: datetime) -> dict[str, datetime]:
        wanted = select(actions.c.tool, func.max(actions.c.ended_at)).group_by(actions.c.tool)
        wanted = wanted.where(actions.c.state == ActionState.COMPLETED, actions.c.ended_at >= since)
        return {str(tool): at for tool, at in (await self._db.execute(wanted)).rows}
