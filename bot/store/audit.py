"""The log, in SQL: entries are stored as canonical bytes with a MAC, and chained by the sealer (docs/states.md §5)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import rfc8785
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.audit import AuditEntry, Fact
from bot.runtime.ports import Keyring
from bot.store.rows import Row, every
from bot.store.tables import audit
from integrations.base import Clock


def _entry(row: Row) -> AuditEntry:
    return AuditEntry(**row)


class Audit:
    """Implements `ports.Audit`."""

    def __init__(self, connection: AsyncConnection, *, keyring: Keyring, clock: Clock) -> None:
        self._db = connection
        self._keyring = keyring
        self._clock = clock

    async def record(self, fact: Fact) -> None:
        scope = fact.run_id or f"workspace:{fact.team}"
        count = select(func.coalesce(func.max(audit.c.number), 0)).where(audit.c.scope == scope)
        number = (await self._db.execute(count)).scalar_one() + 1
        at = self._clock.now()
        body = rfc8785.dumps(
            {
                "v": 1,
                "at": at.isoformat(timespec="microseconds"),
                "team": fact.team,
                "scope": scope,
                "number": number,
                "code": fact.code,
                "actor": fact.actor,
                "details": dict(fact.details),  # pyright: ignore[reportArgumentType] - it refuses what is no JSON
            }
        )
        key_id, mac = self._keyring.mac(body)
        values = {"team": fact.team, "scope": scope, "number": number, "code": fact.code, "at": at}
        await self._db.execute(insert(audit).values(**values, body=body.decode(), mac=mac, key_id=key_id))

    async def unsealed(self, *, limit: int) -> Sequence[AuditEntry]:
        wanted = select(audit).where(audit.c.seq.is_(None)).order_by(audit.c.id).limit(limit)
        return [_entry(row) for row in every(await self._db.execute(wanted))]

    async def head(self, team: str) -> tuple[int, str]:
        wanted = select(audit.c.seq, audit.c.hash).where(audit.c.team == team, audit.c.seq.is_not(None))
        row = (await self._db.execute(wanted.order_by(audit.c.seq.desc()).limit(1))).one_or_none()
        return (row[0], row[1]) if row else (0, "")

    async def seal(self, entry: AuditEntry) -> None:
        sealed = {"seq": entry.seq, "prev_hash": entry.prev_hash, "hash": entry.hash}
        await self._db.execute(update(audit).where(audit.c.id == entry.id, audit.c.seq.is_(None)).values(sealed))

    async def page(self, *, after: int, limit: int) -> Sequence[AuditEntry]:
        wanted = select(audit).where(audit.c.id > after).order_by(audit.c.id).limit(limit)
        return [_entry(row) for row in every(await self._db.execute(wanted))]

    async def oldest_unsealed(self) -> datetime | None:
        return (await self._db.execute(select(func.min(audit.c.at)).where(audit.c.seq.is_(None)))).scalar_one()
