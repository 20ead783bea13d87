"""The repository of ciphertexts and of the keys that they need.

The schema says which columns hold ciphertexts, and what each is bound to: `info={"bound_to": "…{column}…"}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Column, Select, String, cast, func, select, tuple_, update

from bot.domain.seals import KeyUses, Sealed
from bot.store.engine.session import Repository
from bot.store.tables.audit_log import audit, audit_heads
from bot.store.tables.catalog import metadata

BOUND_TO = "bound_to"

_KEY_CHARACTERS = 8
_KEY_BEGINS = 4  # after `v1:`, counted from 1


def sealed_columns() -> Sequence[Column[Any]]:
    """Every column of the schema that holds ciphertexts, in a stable order."""
    return [column for table in metadata.sorted_tables for column in table.columns if BOUND_TO in column.info]


class Secrets(Repository):
    """Ciphertexts in all tables, and the keys that sealed and signed."""

    async def uses(self) -> KeyUses:
        needed = await self.goes_on_with()
        signed = Counter(needed.signed) + await self._signed(audit.c.key_id) + await self._signed(audit.c.seal_key_id)
        return KeyUses(sealed=needed.sealed, signed=signed)

    async def goes_on_with(self) -> KeyUses:
        """The same, but only of what a running bot needs: secrets, and the signed heads of the log. Cheap, however long
        the log is.
        """
        sealed: Counter[str] = Counter()
        for column in sealed_columns():
            key = func.substr(column, _KEY_BEGINS, _KEY_CHARACTERS).label("key")
            wanted = select(key, func.count()).where(column.is_not(None), column != "").group_by(key)
            sealed.update({str(name): count for name, count in (await self._db.execute(wanted)).rows})
        return KeyUses(sealed=sealed, signed=await self._signed(audit_heads.c.key_id))

    async def _signed(self, column: Column[Any]) -> Counter[str]:
        wanted = select(column, func.count()).where(column.is_not(None)).group_by(column)
        return Counter({str(name): count for name, count in (await self._db.execute(wanted)).rows})

    async def under_others(self, key_id: str, *, after: Sealed | None, limit: int) -> Sequence[Sealed]:
        """The next ciphertexts that were sealed with another key, in a stable order."""
        found: list[Sealed] = []
        for column in _from(after):
            wanted = _others(column, key_id, after).limit(limit - len(found))
            found += await self._db.all(partial(_sealed, column), wanted)
            if len(found) == limit:
                break
        return found

    async def exchange(self, old: Sealed, text: str) -> bool:
        """Replace this ciphertext; False when it changed or is gone."""
        (column,) = [column for column in sealed_columns() if str(column) == old.place]
        same = [key == value for key, value in zip(column.table.primary_key, old.row, strict=True)]
        changed = update(column.table).where(*same, column == old.text).values({column: text})
        return (await self._db.execute(changed)).changed == 1


def _from(after: Sealed | None) -> Iterator[Column[Any]]:
    """The columns that are still to be read."""
    reached = after is None
    for column in sealed_columns():
        reached = reached or (after is not None and str(column) == after.place)
        if reached:
            yield column


def _others(column: Column[Any], key_id: str, after: Sealed | None) -> Select[Any]:
    keys = list(column.table.primary_key)
    wanted = select(*column.table.columns).where(column.is_not(None), column != "")
    wanted = wanted.where(cast(column, String).not_like(f"v1:{key_id}:%")).order_by(*keys)
    if after is not None and str(column) == after.place:
        return wanted.where(tuple_(*keys) > tuple_(*after.row))
    return wanted


def _sealed(column: Column[Any], /, **row: Any) -> Sealed:
    return Sealed(
        team=row["team"],
        place=str(column),
        row=tuple(row[key.name] for key in column.table.primary_key),
        text=row[column.name],
        bound_to=str(column.info[BOUND_TO]).format(**row),
    )
