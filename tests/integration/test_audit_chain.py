"""The log in the database: sealed while it is written, and verified after somebody had the file in hand."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit import verify
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import Report
from bot.secrets import KeyRing, new_key
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened, opened

UNGUARDED = "DROP TRIGGER audit_no_delete; DROP TRIGGER audit_insert_only;"

FORGED = """INSERT INTO audit SELECT 7, team, scope, 2, code, at, body, mac, key_id, NULL, NULL, NULL, NULL, NULL
    FROM audit WHERE id = 6"""


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    async with opened(tmp_path) as made:
        yield made


async def record(base: Opened, *codes: str, run_id: str | None = "run_1", team: str = TEAM) -> None:
    async with base.store.write() as work:
        for code in codes:
            details = {"action": "act_1", "attempt": 1} if code.startswith("action.") else {}
            await work.audit.record(
                AuditEvent(team=team, code=AuditCode(code), actor=DANA, run_id=run_id, details=details)
            )


async def verified(base: Opened, keyring: KeyRing | None = None) -> Report:
    return await verify.verified(base.store, keyring or base.keyring)


@pytest.fixture
async def written(base: Opened) -> Opened:
    """Two workspaces' entries in turn, sealed."""
    await record(base, "run.queued", "action.claimed")
    await record(base, "person.allowed", run_id=None, team="T2")
    await record(base, "action.completed", "run.completed")
    await record(base, "person.allowed", run_id=None)
    while await Sealer(store=base.store, keyring=base.keyring).seal():
        pass
    return base


async def test_entries_are_chained_in_the_order_they_were_written(written: Opened) -> None:
    """One chain per workspace, in id order, without gaps; sealing again changes nothing."""
    places = written.rows("SELECT team, seq FROM audit ORDER BY id")
    assert [place["seq"] for place in places if place["team"] == TEAM] == [1, 2, 3, 4, 5]
    assert [place["seq"] for place in places if place["team"] == "T2"] == [1]
    before = written.rows("SELECT * FROM audit")
    assert await Sealer(store=written.store, keyring=written.keyring).seal() == 0
    assert written.rows("SELECT * FROM audit") == before
    assert (await verified(written)).problems == []


async def test_what_is_not_sealed_yet_is_verified_too(written: Opened) -> None:
    """A fresh tail is counted; once it is sealed it joins the chain."""
    await record(written, "person.allowed", run_id=None)
    report = await verified(written)
    assert (report.problems, report.unsealed, report.entries) == ([], 1, 7)
    await Sealer(store=written.store, keyring=written.keyring).seal()
    assert (await verified(written)).unsealed == 0


async def test_a_long_log_is_sealed_and_read_in_pages(base: Opened) -> None:
    """However many entries wait, each batch is bounded and the chain goes on over batches and pages."""
    await record(base, *["run.queued"] * 30)
    counts: list[int] = []
    while count := await Sealer(store=base.store, keyring=base.keyring, batch=7).seal():
        counts.append(count)
    assert counts == [7, 7, 7, 7, 2]
    report = await verified(base)
    assert (report.problems, report.entries) == ([], 30)


async def test_the_sealer_works_beside_the_writers(base: Opened) -> None:
    """While many write, the sealer chains what is committed; in the end everything is, and verifies."""
    sealer = Sealer(store=base.store, keyring=base.keyring)
    base.store.on_commit(sealer.committed)
    sealing = asyncio.create_task(sealer.run())
    try:
        await asyncio.gather(*(record(base, "run.queued", "run.started", run_id=f"run_{n}") for n in range(30)))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while base.rows("SELECT id FROM audit WHERE seq IS NULL"):
                await asyncio.sleep(0.02)
    finally:
        sealing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sealing
    report = await verified(base)
    assert (report.problems, report.entries, report.unsealed) == ([], 60, 0)


async def test_the_sealer_outlives_a_store_in_trouble(base: Opened) -> None:
    """A write that fails is tried again at the next turn."""
    await record(base, "run.queued")
    await base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'disk'); END")
    sealing = asyncio.create_task(Sealer(store=base.store, keyring=base.keyring, tick_seconds=0.01).run())
    try:
        await asyncio.sleep(0.05)
        assert base.rows("SELECT seq FROM audit") == [{"seq": None}]
        await base.tamper("DROP TRIGGER broken")
        async with asyncio.timeout(PATIENCE_SECONDS):
            while base.rows("SELECT seq FROM audit") != [{"seq": 1}]:
                await asyncio.sleep(0.01)
    finally:
        sealing.cancel()
        await asyncio.gather(sealing, return_exceptions=True)


@pytest.mark.parametrize(
    ("attack", "found"),
    [
        ("UPDATE audit SET body = replace(body, 'act_1', 'act_2') WHERE id = 2", "its bytes or its MAC were changed"),
        ("UPDATE audit SET body = '' WHERE id = 2", "its bytes or its MAC were changed"),
        ("DELETE FROM audit WHERE id = 4", "an entry is missing or double"),
        ("DELETE FROM audit WHERE id = 1", "the chain is broken here"),
        ("DELETE FROM audit WHERE id = 5", "the chain is broken here"),
        ("UPDATE audit SET seq = 99 WHERE id = 2", "an entry is missing or double"),
        ("UPDATE audit SET mac = (SELECT mac FROM audit WHERE id = 1) WHERE id = 2", "its MAC were changed"),
        ("UPDATE audit SET team = 'T2', seq = 2 WHERE id = 6", "its columns differ from its bytes"),
        ("UPDATE audit SET seq = NULL, prev_hash = NULL, hash = NULL WHERE id = 4", "the chain is broken here"),
        ("UPDATE audit SET hash = prev_hash WHERE id = 6", "the chain is broken here"),
        ("UPDATE audit SET code = 'run.failed' WHERE id = 5", "its columns differ from its bytes"),
        (FORGED, "its columns differ from its bytes"),
    ],
)
async def test_security_input_58_what_was_done_to_the_file_is_found(written: Opened, attack: str, found: str) -> None:
    """With the triggers out of the way, whatever is done to the rows shows in the verification."""
    await written.tamper(UNGUARDED + attack)
    report = await verified(written)
    assert any(found in problem for problem in report.problems), report.problems


async def test_another_key_proves_nothing(written: Opened) -> None:
    """With another key every entry is in question; with the old one among retired keys none is."""
    problems = (await verified(written, KeyRing([new_key()]))).problems
    for n in range(1, 7):
        assert any(problem.startswith(f"entry {n} ") for problem in problems)
