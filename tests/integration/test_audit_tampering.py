"""A forger has the database and not the key: they delete, and chain anew what is left. It is found."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.domain.audit import EVERY_TEAM, AuditCode, AuditEntry, AuditEvent, EntryRow
from bot.runtime.audit.export import signed_places
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import Report, Verifier, verified
from bot.secrets import KeyRing, new_key
from bot.store.repositories.audit import Audit
from tests.builders import DANA, TEAM
from tests.stores import Opened, opened

NO_GUARDS = "DROP TRIGGER audit_no_delete; DROP TRIGGER audit_insert_only;"
ALONE = "DELETE FROM audit WHERE scope = 'run_2';"
UNSEALED = "UPDATE audit SET seq = NULL, prev_hash = NULL, hash = NULL, seal_key_id = NULL;"


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    """A log of three runs and a second workspace, each sealed before the next is written."""
    async with opened(tmp_path) as made:
        for n in (1, 2, 3):
            await run(made, f"run_{n}")
        await run(made, "run_4", team="T2")
        yield made


async def run(base: Opened, run_id: str, *, team: str = TEAM, sealed: bool = True) -> None:
    """The entries of one run."""
    effect: dict[str, object] = {"action": f"act_of_{run_id}", "attempt": 1}
    facts: list[tuple[str, dict[str, object]]] = [
        ("run.queued", {}),
        ("action.claimed", effect),
        ("action.completed", effect),
        ("run.completed", {}),
    ]
    async with base.store.write() as work:
        await work.audit.record(
            *(
                AuditEvent(team=team, code=AuditCode(code), actor=DANA, run_id=run_id, details=about)
                for code, about in facts
            )
        )
    if sealed:
        await seal(base)


async def seal(base: Opened) -> None:
    while await Sealer(store=base.store, keyring=base.keyring).seal():
        pass


async def found(base: Opened, *kept: tuple[str, str]) -> list[str]:
    return (await verified(base.store, base.keyring, kept=kept)).problems


def chain_anew(path: Path, link: Callable[[str, int, str, str], str]) -> None:
    """What a forger with the file can do: every entry gets a new place, linked in any way that they can compute."""
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        ends: dict[str, tuple[int, str]] = {}
        for id_, team, body, mac in file.execute("SELECT id, team, body, mac FROM audit ORDER BY id").fetchall():
            seq, prev_hash = ends.get(team, (0, ""))
            hash_ = link(prev_hash, seq + 1, body, mac)
            place = (seq + 1, prev_hash, hash_, id_)
            file.execute("UPDATE audit SET seq = -seq WHERE team = ? AND seq = ?", (team, seq + 1))
            file.execute("UPDATE audit SET seq = ?, prev_hash = ?, hash = ? WHERE id = ?", place)
            ends[team] = (seq + 1, hash_)
        for team, (seq, hash_) in ends.items():
            file.execute("UPDATE audit_heads SET seq = ?, hash = ? WHERE team = ?", (seq, hash_, team))
        total = sum(seq for seq, _ in ends.values())
        file.execute("UPDATE audit_heads SET seq = ? WHERE team = ?", (total, EVERY_TEAM))


async def test_an_untouched_log_verifies(base: Opened) -> None:
    """Sixteen entries of two workspaces, and nothing to find."""
    report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries, report.unsealed) == ([], 16, 0)


async def test_a_run_that_was_deleted_is_missed(base: Opened) -> None:
    """A whole run is deleted, the rest is chained anew with all that is known but the key: every link shows it."""
    await base.tamper(NO_GUARDS + ALONE)
    assert any("the chain is broken here" in problem for problem in await found(base))
    await asyncio.to_thread(
        chain_anew,
        base.path,
        lambda prev, seq, body, mac: hashlib.sha256(f"{prev}\n{seq}\n{body}\n{mac}".encode()).hexdigest(),
    )
    problems = await found(base)
    assert sum("the chain is broken here" in problem for problem in problems) == 12
    assert f"workspace {TEAM}: the signed head of its chain was changed, or its key is missing" in problems
    assert "the signed count of all sealed entries was changed, or its key is missing" in problems


async def test_the_sealer_chains_nothing_anew_for_a_forger(base: Opened) -> None:
    """The places of what is left are taken away with the heads, and the bot chains it anew, with its key: the entries
    themselves still tell of a chain that had the deleted run in it.
    """
    await base.tamper(f"{NO_GUARDS} {ALONE} {UNSEALED} DELETE FROM audit_heads;")
    await seal(base)
    assert (await verified(base.store, base.keyring)).unsealed == 0
    problems = await found(base)
    assert problems
    assert all("it was written after 8:" in problem for problem in problems)


@pytest.mark.parametrize("heads", ["", "DELETE FROM audit_heads;", f"DELETE FROM audit_heads WHERE team = '{TEAM}';"])
async def test_security_input_58_a_tail_that_was_cut_off_is_missed(base: Opened, heads: str) -> None:
    """The newest entries are deleted, with or without the signed heads, and the bot goes on: it stays found."""
    await base.tamper(f"{NO_GUARDS} DELETE FROM audit WHERE scope = 'run_3'; {heads}")
    told = "signed head is at 12" if not heads else "the signed head of its chain is missing"
    assert any(told in problem for problem in await found(base))
    await run(base, "run_5")
    assert any("entry 17 (run.queued): the chain is broken here" in problem for problem in await found(base))


async def test_a_workspace_that_is_gone_is_missed(base: Opened) -> None:
    """A workspace is deleted with its head: the count of all sealed entries does not fit, then and later. A count that
    is lost is not begun anew.
    """
    await base.tamper(f"{NO_GUARDS} DELETE FROM audit WHERE team = 'T2'; DELETE FROM audit_heads WHERE team = 'T2';")
    assert await found(base) == ["16 entries were sealed, and 12 of them are there"]
    await run(base, "run_5")
    assert await found(base) == ["20 entries were sealed, and 16 of them are there"]
    await base.tamper("DELETE FROM audit_heads WHERE team = '*'")
    await run(base, "run_6", team="T3")
    assert await found(base) == ["the signed count of all sealed entries is missing"]


async def test_an_older_head_does_not_hide_what_came_after(base: Opened) -> None:
    """A head that was copied earlier is put back over a longer chain: what comes next breaks, for good."""
    (older,) = base.rows("SELECT * FROM audit_heads WHERE team = 'T2'")
    await run(base, "run_5", team="T2")
    await base.tamper(
        f"UPDATE audit_heads SET seq = {older['seq']}, hash = '{older['hash']}', mac = '{older['mac']}', "
        f"digest = '{older['digest']}' WHERE team = 'T2'"
    )
    assert any("its chain ends at 8, and its signed head is at 4" in problem for problem in await found(base))
    await run(base, "run_6", team="T2")
    assert any("entry 21 (run.queued): the chain is broken here" in problem for problem in await found(base))


async def test_what_was_kept_elsewhere_finds_an_older_copy(base: Opened) -> None:
    """An older copy of the log is whole in itself; a line that was noted of the newer one finds it."""
    older = await asyncio.to_thread(base.path.read_bytes)
    await base.tamper("PRAGMA wal_checkpoint(TRUNCATE)")
    older = await asyncio.to_thread(base.path.read_bytes)
    await run(base, "run_5")
    noted = await signed_places(base.store, base.keyring)
    assert [(team, place.partition(":")[0]) for team, place in noted] == [(TEAM, "16"), ("T2", "4")]
    assert await found(base, *noted) == []
    await base.database.dispose()
    for ending in ("-wal", "-shm"):
        base.path.with_name(base.path.name + ending).unlink(missing_ok=True)
    await asyncio.to_thread(base.path.write_bytes, older)
    assert await found(base) == []
    (problem,) = await found(base, *noted)
    assert f"workspace {TEAM}: its chain does not have the place 16:" in problem


async def test_a_retired_key_goes_on_verifying(tmp_path: Path) -> None:
    """What an older key sealed verifies beside what the newer one sealed; without the older it does not."""
    first, second = new_key(), new_key()
    async with opened(tmp_path) as base:
        store = base.store
        await run(base, "run_1", sealed=False)
        await Sealer(store=store, keyring=KeyRing([first])).seal()
        await run(base, "run_2", sealed=False)
        await Sealer(store=store, keyring=KeyRing([second, first])).seal()
        keys = {row["seal_key_id"] for row in base.rows("SELECT seal_key_id FROM audit")}
        assert len(keys) == 2

        def broken(report: Report) -> int:
            return sum("the chain is broken here" in problem for problem in report.problems)

        assert broken(await verified(store, KeyRing([second, first]))) == 0
        assert broken(await verified(store, KeyRing([second]))) == 4


async def test_the_bot_may_go_on_while_the_log_is_verified(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sealed between two pages of the same verification is no false alarm: it sees one moment."""
    await run(base, "run_5", sealed=False)
    chained = Audit.chained

    async def busy(log: Audit, *, after: tuple[str, int], limit: int) -> Sequence[EntryRow]:
        page = await chained(log, after=after, limit=limit)
        await seal(base)
        await run(base, f"run_after_{after}", sealed=False)
        return page

    monkeypatch.setattr(Audit, "chained", busy)
    report = await verified(base.store, base.keyring, page=3)
    assert (report.problems, report.entries, report.unsealed) == ([], 20, 4)
    assert len(base.rows("SELECT id FROM audit WHERE seq IS NOT NULL")) >= 20  # it did happen meanwhile


@pytest.mark.parametrize(
    "column", ["team", "scope", "number", "code", "at", "body", "mac", "key_id", "seq", "prev_hash", "hash", "digest"]
)
async def test_nonsense_in_a_column_is_a_problem_and_no_crash(base: Opened, column: str) -> None:
    """Whatever somebody put into a column, the verification ends with the entry's id."""
    await base.tamper(f"{NO_GUARDS} {NO_RULES}")
    for value in NONSENSE:
        await base.tamper(f"UPDATE audit SET {column} = {value} WHERE id = 5")
        assert any(problem.startswith("entry 5 ") for problem in await found(base)), value


NO_RULES = """PRAGMA writable_schema = 1;
UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table';"""
NONSENSE = ["'é'", "x'ff00'", "CAST(x'ff41' AS TEXT)", "NULL", "9e999", "9223372036854775807", "-1", "'[[['", "'²'"]


@pytest.mark.parametrize("table", ["audit", "audit_heads"])
async def test_a_place_that_is_no_number_does_not_stop_the_sealer(base: Opened, table: str) -> None:
    """What is written later is sealed, also for others, and what was done is found."""
    await base.tamper(f"{NO_GUARDS} UPDATE {table} SET seq = 'x' WHERE rowid = (SELECT max(rowid) FROM {table})")
    await run(base, "run_5", team="T2")
    await run(base, "run_6")
    report = await verified(base.store, base.keyring)
    assert report.unsealed == 0
    told = "entry 16 (run.completed): " if table == "audit" else "entry 17 (run.queued): the chain is broken here"
    assert any(problem.startswith(told) for problem in report.problems)


async def test_a_moment_that_nobody_can_read_is_long_ago(base: Opened) -> None:
    """An entry with such a one that is not sealed lags, so nothing is done; a restored copy with one is as old as can
    be, so everything is looked up.
    """
    await run(base, "run_5", sealed=False)
    await base.tamper(f"{NO_GUARDS} UPDATE audit SET at = '!' WHERE seq IS NULL")
    async with base.store.read() as work:
        found = await work.audit.oldest_unsealed(), await work.audit.newest_at()
    assert found == (datetime.min.replace(tzinfo=UTC),) * 2


async def test_an_id_that_is_no_text_is_a_problem_and_no_crash(base: Opened) -> None:
    """No entry is about an action or a run of such an id, so each of them is named."""
    await base.tamper(f"{NO_RULES}")
    await base.tamper(
        "INSERT INTO actions (id, attempt) VALUES (x'ff', 1), ('z', 'often'); "
        "INSERT INTO runs (id, state) VALUES (x'ff', 'completed'), ('z', 'failed')"
    )
    assert await found(base) == [
        "action z: it was attempted, and attempt often was never claimed in the log",
        "action b'\\xff': it was attempted, and attempt 1 was never claimed in the log",
        "run z: it is failed, and the log has no end of it",
        "run b'\\xff': it is completed, and the log has no end of it",
    ]


async def test_what_a_head_says_is_shown_only_where_it_is_a_number(base: Opened) -> None:
    """How many entries there are is told while they are read."""
    await base.tamper(f"{NO_RULES}")
    await base.tamper(f"UPDATE audit_heads SET seq = 'many' WHERE team = '{EVERY_TEAM}'")
    told: list[int] = []
    await verified(base.store, base.keyring, progress=lambda _doing, _done=0, of=0, /: told.append(of))
    assert set(told) == {0}


async def test_a_report_has_no_line_that_somebody_wrote_into_a_row(base: Opened) -> None:
    """A code with a line end and what steers a terminal is told on the line of its problem."""
    await base.tamper(
        f"{NO_GUARDS} UPDATE audit SET code = 'x' || char(10) || char(27) || '[2JAll is well' WHERE id = 5"
    )
    lines = (await verified(base.store, base.keyring)).text().splitlines()
    assert lines[1].startswith("entry 5 (x\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[2JAll is well): ")


# Intents --------------------------------------------------------------------------------------------------------


def told(*entries: tuple[str, dict[str, object]]) -> list[str]:
    """What is found in the entries of one run, as the store would write them."""
    keys = KeyRing([new_key()])
    verifier = Verifier(keys)
    for n, (code, details) in enumerate(entries, start=1):
        at = "2026-11-23T12:00:00.000000+00:00"
        body = f'{{"at":"{at}","code":"{code}","details":{details},"number":{n},"scope":"run_1","team":"T1"}}'
        body = body.replace("'", '"')
        key_id, mac = keys.mac(body.encode())
        columns: dict[str, Any] = {
            "team": "T1",
            "scope": "run_1",
            "number": n,
            "code": code,
            "at": "2026-11-23 12:00:00",
        }
        verifier.check(AuditEntry(id=n, body=body, mac=mac, key_id=key_id, **columns))
    return [problem.partition(": ")[2] for problem in verifier.end([]).problems]


FIRST: dict[str, object] = {"action": "act_1", "attempt": 1}
NO_INTENT = "it tells of an attempt without a recorded intent"


@pytest.mark.parametrize(
    "code",
    [
        "action.completed",
        "action.reconciled",
        "action.settled",
        "action.failed",
        "action.unknown",
        "action.not_done",
        "action.basis_changed",
    ],
)
def test_nothing_comes_of_an_attempt_that_was_not_claimed(code: str) -> None:
    """Every kind of outcome needs the claim of that very attempt."""
    assert told((code, FIRST)) == [NO_INTENT]
    assert told(("action.claimed", FIRST), (code, FIRST)) == []
    assert told(("action.claimed", FIRST), (code, FIRST | {"attempt": 2})) == [NO_INTENT]


@pytest.mark.parametrize("code", ["action.completed", "action.settled", "action.unknown"])
def test_no_effect_without_an_attempt(code: str) -> None:
    """An effect of no attempt at all, while a failure before the first attempt is none."""
    assert told((code, FIRST | {"attempt": 0})) == [NO_INTENT]
    assert told(("action.failed", FIRST | {"attempt": 0})) == []


def test_an_attempt_is_claimed_once() -> None:
    """The same attempt twice would be an effect twice; the same call again that was refused is no claim."""
    assert told(("action.claimed", FIRST), ("action.repeated", FIRST)) == ["this attempt was claimed before"]
    assert told(("action.same_again", FIRST | {"attempt": 0}), ("action.same_again", FIRST | {"attempt": 0})) == []
    assert told(("action.repeated", FIRST | {"attempt": 0})) == ["it claims no attempt"]
