"""The log: numbers without gaps, entries that never change, one place in the chain."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import psycopg
import pytest

from bot.domain.audit import Fact
from bot.errors import BotError
from bot.runtime.chain import Sealer
from bot.runtime.ports import NotSaved
from bot.store.unit_of_work import SqlStore
from tests.builders import DANA, NOW, TEAM
from tests.stores import Opened

REFUSALS = (sqlite3.IntegrityError, psycopg.IntegrityError)


async def _record(store: SqlStore, *codes: str, run_id: str | None = "run_1", team: str = TEAM) -> None:
    async with store.write() as work:
        for code in codes:
            await work.audit.record(Fact(team=team, code=code, actor=DANA, run_id=run_id, details={"n": 1}))


async def test_entries_are_numbered_by_run_or_workspace(base: Opened) -> None:
    """Each run, and each workspace for what belongs to no run, counts its own entries without gaps."""
    await _record(base.store, "a", "b")
    await _record(base.store, "c", run_id=None)
    await _record(base.store, "d", run_id=None, team="T2")
    found = [(row["scope"], row["number"]) for row in base.rows("SELECT scope, number FROM audit ORDER BY id")]
    assert found == [("run_1", 1), ("run_1", 2), (f"workspace:{TEAM}", 1), ("workspace:T2", 1)]


async def test_a_rolled_back_entry_leaves_no_gap(store: SqlStore) -> None:
    """An entry is written with the transaction that it tells of, and vanishes with it."""

    async def fails() -> None:
        async with store.write() as work:
            await work.audit.record(Fact(team=TEAM, code="a", actor=DANA, run_id="run_1"))
            raise BotError

    with pytest.raises(BotError):
        await fails()
    await _record(store, "b")
    async with store.read() as work:
        assert [(entry.code, entry.number) for entry in await work.audit.page(after=0, limit=9)] == [("b", 1)]


async def test_details_that_are_no_json_are_refused(store: SqlStore) -> None:
    """What has no canonical form cannot be recorded, and then the transition is not either."""
    with pytest.raises(Exception, match="unsupported type"):
        async with store.write() as work:
            await work.audit.record(Fact(team=TEAM, code="a", actor=DANA, details={"n": object()}))


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit",
        "UPDATE audit SET body = 'x'",
        "UPDATE audit SET code = 'x'",
        "UPDATE audit SET at = '2000-01-01'",
        "UPDATE audit SET seq = 9, prev_hash = 'x', hash = 'x', seal_key_id = 'x', mac = 'x'",
        "UPDATE audit SET seq = 9, prev_hash = 'x', hash = 'x'",
        "UPDATE audit SET seq = 9, prev_hash = 'x'",
        "UPDATE audit SET seq = NULL, prev_hash = NULL, hash = NULL",
    ],
)
@pytest.mark.parametrize("sealed", [False, True], ids=["fresh", "sealed"])
async def test_the_database_keeps_entries_as_they_are(base: Opened, statement: str, sealed: bool) -> None:
    """Nothing is deleted from the log, and nothing changes in an entry, sealed or not."""
    await _record(base.store, "a")
    if sealed:
        await Sealer(store=base.store, keyring=base.keyring).seal()
    with pytest.raises(REFUSALS, match="never"):
        await base.tamper(statement)


async def test_an_entry_is_sealed_once(base: Opened) -> None:
    """The sealer fills an entry's place in the chain, and a sealed entry is not sealed anew."""
    await _record(base.store, "a")
    async with base.store.write() as work:
        assert await work.audit.oldest_unsealed() == NOW
        (entry,) = await work.audit.unsealed(limit=9)
        assert await work.audit.newest(TEAM) == 0
        await work.audit.seal([replace(entry, seq=1, prev_hash="", hash="h", seal_key_id="k")])
        await work.audit.seal([replace(entry, seq=2, prev_hash="h", hash="i", seal_key_id="k")])
        assert (await work.audit.newest(TEAM), await work.audit.newest("T2")) == (1, 0)
        assert await work.audit.unsealed(limit=9) == []
        assert await work.audit.oldest_unsealed() is None


async def test_two_entries_never_have_one_place(base: Opened) -> None:
    """The database refuses a second entry with the same number of a run, or the same place of a chain."""
    await _record(base.store, "a", "b")
    async with base.store.read() as work:
        first, second = await work.audit.unsealed(limit=9)

    async def seals() -> None:
        async with base.store.write() as work:
            place = {"seq": 1, "prev_hash": "", "seal_key_id": "k"}
            await work.audit.seal([replace(first, hash="h", **place), replace(second, hash="i", **place)])

    with pytest.raises(NotSaved):
        await seals()
    with pytest.raises(REFUSALS, match=r"(?i)unique"):
        await base.tamper(
            "INSERT INTO audit (team, scope, number, code, at, body, mac, key_id) "
            "SELECT team, scope, number, code, at, body, mac, key_id FROM audit"
        )
