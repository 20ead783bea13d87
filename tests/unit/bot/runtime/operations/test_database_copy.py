"""Where a database comes from: marks and the file beside it. (On real files: the tests of backups.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.dispatch.local import LocalDispatcher
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.operations.database_copy import INSTANCE, DatabaseCopy, IsACopy, NoCopy
from bot.store.repositories.metadata import COPY
from tests.stores import Opened


def _journal(base: Opened) -> TransactionFactory:
    return TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=LocalDispatcher(base.store))


async def test_without_a_place_beside_it_only_the_mark_counts(base: Opened) -> None:
    """A server's database has no file beside it: it is taken as it is, unless it is marked; and the mark goes away."""
    origin = DatabaseCopy(store=base.store, beside=None)
    await origin.claim()
    assert base.rows("SELECT name FROM marks") == []
    async with base.store.write() as work:
        await work.metadata.set(COPY, "restored from x")
    with pytest.raises(IsACopy, match="restored from x"):
        await origin.claim()
    assert await origin.original_is_gone(_journal(base)) == 0
    await origin.claim()
    with pytest.raises(NoCopy):
        await origin.original_is_gone(_journal(base))


async def test_the_id_stands_in_both_places(base: Opened, tmp_path: Path) -> None:
    """Made at the first claim; a missing or another file is a copy; who confirms gives it a new one."""
    beside = tmp_path / "store.db.instance"
    origin = DatabaseCopy(store=base.store, beside=beside)
    await origin.claim()
    first = beside.read_text().strip()
    assert base.rows("SELECT value FROM marks WHERE name = ?", INSTANCE) == [{"value": first}]
    await origin.claim()
    beside.write_text("another")
    with pytest.raises(IsACopy, match=r"store\.db\.instance"):
        await origin.claim()
    beside.unlink()
    with pytest.raises(IsACopy):
        await origin.claim()
    await origin.original_is_gone(_journal(base))
    assert beside.read_text().strip() != first
    await origin.claim()
