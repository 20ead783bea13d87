"""The repository of OAuth attempts. Each step is one guarded UPDATE: the second caller finds no row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select, update

from bot.domain.connections import OAuthAttempt
from bot.store.engine.session import Session
from bot.store.rows import Row, every, first, merged
from bot.store.tables.accounts import connects


class Connects:
    """Attempts to connect an account."""

    def __init__(self, session: Session) -> None:
        self._db = session

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
        over = connects.c.held.is_not(None) & (connects.c.expires_at < before)
        wanted = select(connects).where(over).order_by(connects.c.expires_at).limit(limit)
        return [_connect(row) for row in every(await self._db.execute(wanted))]

    async def let_go(self, connect: OAuthAttempt, *, at: datetime) -> bool:
        """End an attempt that still holds its grant; False when another caller was first."""
        same = (connects.c.id == connect.id) & (connects.c.held == connect.held)
        return await self._change(same, ended_at=at, held=None, verifier=None) is not None

    async def forget_all(self, team: str, user: str | None = None) -> Sequence[OAuthAttempt]:
        """Delete all attempts of this person, or of the workspace; returns those that held a grant."""
        whose = connects.c.team == team
        gone = delete(connects).where(whose if user is None else whose & (connects.c.user == user))
        taken = [_connect(row) for row in every(await self._db.execute(gone.returning(*connects.c)))]
        return [connect for connect in taken if connect.held is not None]

    async def _one(self, which: ColumnElement[bool]) -> OAuthAttempt | None:
        row = first(await self._db.execute(select(connects).where(which)))
        return _connect(row) if row else None

    async def _change(self, which: ColumnElement[bool], **values: Any) -> OAuthAttempt | None:
        row = first(await self._db.execute(update(connects).where(which).values(values).returning(*connects.c)))
        return _connect(row) if row else None


def _connect(row: Row) -> OAuthAttempt:
    sets = {name: frozenset(row[name]) for name in ("missing", "scopes")}
    return OAuthAttempt(**merged(row, choices=tuple(row["choices"]), **sets))
