"""The log: numbers without gaps, entries that never change, one place in the chain."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import EVERY_TEAM, AuditCode, AuditEvent, Carried, Checkpoint, CheckpointKind, carried_of
from bot.domain.runs import RunState
from bot.errors import BotError
from bot.runtime.audit.chain import checkpoint_at, end_of, head_at, place_at
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.pruner import Pruner
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import verified
from bot.secrets import KeyRing, new_key
from bot.store.errors import NotSaved
from bot.store.store import Store
from tests import builders as make
from tests.builders import DANA, NOW, TEAM
from tests.stores import Opened

REFUSALS = (sqlite3.IntegrityError, psycopg.IntegrityError)


async def _record(store: Store, *codes: str, run_id: str | None = "run_1", team: str = TEAM) -> None:
    async with store.write() as work:
        for code in codes:
            await work.audit.record(
                AuditEvent(team=team, code=AuditCode(code), actor=DANA, run_id=run_id, details={"n": 1})
            )


async def test_entries_are_numbered_by_run_or_workspace(base: Opened) -> None:
    """Each run, and each workspace for what belongs to no run, counts its own entries without gaps."""
    await _record(base.store, "run.queued", "run.started")
    await _record(base.store, "run.completed", run_id=None)
    await _record(base.store, "person.allowed", run_id=None, team="T2")
    found = [(row["scope"], row["number"]) for row in base.rows("SELECT scope, number FROM audit ORDER BY id")]
    assert found == [("run_1", 1), ("run_1", 2), (f"workspace:{TEAM}", 1), ("workspace:T2", 1)]


async def test_a_rolled_back_entry_leaves_no_gap(store: Store) -> None:
    """An entry is written with the transaction that it tells of, and vanishes with it."""

    async def fails() -> None:
        async with store.write() as work:
            await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id="run_1"))
            raise BotError

    with pytest.raises(BotError):
        await fails()
    await _record(store, "run.started")
    async with store.read() as work:
        assert [(entry.code, entry.number) for entry in await work.audit.page(after=0, limit=9)] == [("run.started", 1)]


async def test_details_that_are_no_json_are_refused(store: Store) -> None:
    """What has no canonical form cannot be recorded, and then the transition is not either."""
    with pytest.raises(Exception, match="unsupported type"):
        async with store.write() as work:
            await work.audit.record(
                AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, details={"n": object()})
            )


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit",
        "UPDATE audit SET body = 'x'",
        "UPDATE audit SET code = 'x'",
        "UPDATE audit SET at = '2000-01-01'",
        "UPDATE audit SET seq = 9, prev_hash = 'x', hash = 'x', seal_key_id = 'x', mac = 'x'",
        "UPDATE audit SET seq = 9, prev_hash = 'x', hash = 'x', seal_key_id = 'x'",
        "UPDATE audit SET seq = 9, prev_hash = 'x', hash = 'x', digest = 'x'",
        "UPDATE audit SET seq = 9, prev_hash = 'x'",
        "UPDATE audit SET seq = NULL, prev_hash = NULL, hash = NULL",
    ],
)
@pytest.mark.parametrize("sealed", [False, True], ids=["fresh", "sealed"])
async def test_the_database_keeps_entries_as_they_are(base: Opened, statement: str, sealed: bool) -> None:
    """Nothing is deleted from the log, and nothing changes in an entry, sealed or not."""
    await _record(base.store, "run.queued")
    if sealed:
        await Sealer(store=base.store, keyring=base.keyring).seal()
    with pytest.raises(REFUSALS, match="never"):
        await base.tamper(statement)


async def test_an_entry_is_sealed_once(base: Opened) -> None:
    """The sealer fills an entry's place in the chain, and a sealed entry is not sealed anew."""
    await _record(base.store, "run.queued")
    async with base.store.write() as work:
        assert await work.audit.oldest_unsealed() == NOW
        (entry,) = await work.audit.unsealed(limit=9)
        assert (await work.audit.waiting(limit=9)).newest == {TEAM: 0}
        await work.audit.seal([entry._replace(seq=1, prev_hash="", hash="h", seal_key_id="k", digest="d")])
        await work.audit.seal([entry._replace(seq=2, prev_hash="h", hash="i", seal_key_id="k", digest="e")])
        assert await work.audit.unsealed(limit=9) == []
        assert await work.audit.waiting(limit=9) == ([], {}, {})
        assert await work.audit.oldest_unsealed() is None


async def test_two_entries_never_have_one_place(base: Opened) -> None:
    """The database refuses a second entry with the same number of a run, or the same place of a chain."""
    await _record(base.store, "run.queued", "run.started")
    async with base.store.read() as work:
        first, second = await work.audit.unsealed(limit=9)

    async def seals() -> None:
        async with base.store.write() as work:
            place = {"seq": 1, "prev_hash": "", "seal_key_id": "k", "digest": "d"}
            await work.audit.seal([first._replace(hash="h", **place), second._replace(hash="i", **place)])

    with pytest.raises(NotSaved):
        await seals()
    with pytest.raises(REFUSALS, match=r"(?i)unique"):
        await base.tamper(
            "INSERT INTO audit (team, scope, number, code, at, body, mac, key_id) "
            "SELECT team, scope, number, code, at, body, mac, key_id FROM audit"
        )


async def _pruned(base: Opened, *, to: int) -> Checkpoint:
    """Allow to prune the workspace's log up to this place, where there is a checkpoint; nothing is deleted yet."""
    async with base.store.write() as work:
        (cut,) = [one for one in await work.audit.cuts(before=NOW) if (one.team, one.seq) == (TEAM, to)]
        to_ = checkpoint_at(base.keyring, TEAM, place_at(cut), CheckpointKind.PRUNED, NOW, "{}")
        await work.audit.add_checkpoint(to_)
    return to_


async def _signed(base: Opened, *codes: str, team: str = TEAM) -> None:
    """Write these entries, seal them, and sign a checkpoint of them."""
    await _record(base.store, *codes, team=team, run_id=f"run_of_{team}")
    await Sealer(store=base.store, keyring=base.keyring).seal()
    await Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=1).keep_up(1)


async def test_the_log_is_deleted_from_up_to_a_signed_checkpoint(base: Opened) -> None:
    """Where retention says so, and not one entry further: of no other workspace, and nothing that is not sealed. It is
    said with the checkpoint that was signed there, not with another place or digest.
    """
    await _signed(base, "run.queued", "run.started")
    await _signed(base, "run.queued", "run.started", team="T2")
    await _signed(base, "run.completed")
    await _record(base.store, "run.queued", run_id="run_2")
    everything = [f"DELETE FROM audit WHERE team = '{TEAM}' AND seq = {seq}" for seq in (1, 2, 3)]
    made = await _pruned(base, to=2)
    refused = [*everything[2:], "DELETE FROM audit WHERE team = 'T2'", "DELETE FROM audit WHERE seq IS NULL"]
    for statement in [*refused, "DELETE FROM audit"]:
        with pytest.raises(REFUSALS, match="never"):
            await base.tamper(statement)
    as_made = f"seq = 2, digest = '{made.digest}', hash = '{made.hash}'"
    for change in ("seq = 4", "digest = 'x'", "hash = 'x'"):
        await base.tamper(f"UPDATE audit_checkpoints SET {change} WHERE kind = 'pruned'")
        for statement in everything:
            with pytest.raises(REFUSALS, match="never"):
                await base.tamper(statement)
        await base.tamper(f"UPDATE audit_checkpoints SET {as_made} WHERE kind = 'pruned'")
    await base.tamper(f"DELETE FROM audit WHERE team = '{TEAM}' AND seq <= 2")
    assert [row["seq"] for row in base.rows("SELECT seq FROM audit WHERE team = ? ORDER BY id", TEAM)] == [3, None]


async def test_the_log_is_pruned_and_verifies(base: Opened) -> None:
    """On each database: entries go, runs that are still there keep their end, and the next entry goes on."""
    async with base.store.write() as work:
        await work.runs.add(make.run(id=f"run_of_{TEAM}", state=RunState.COMPLETED))
    await _signed(base, "run.queued", "run.completed")
    await _signed(base, "run.queued", team="T2")
    base.clock.advance(86_400)
    await _signed(base, "run.moved")
    pruner = Pruner(store=base.store, keyring=base.keyring, clock=base.clock)
    assert await pruner.prune(NOW) == 3
    await Sealer(store=base.store, keyring=base.keyring).seal()
    report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries, len(report.remarks)) == ([], 3, 2)
    for team in (TEAM, "T2", "T3"):
        await _record(base.store, "run.moved", team=team)
    async with base.store.read() as work:
        assert (await work.audit.waiting(limit=9)).newest == {TEAM: 4, "T2": 2, "T3": 0}
        began = await work.audit.pruned()
    assert [(one.team, one.seq) for one in began] == [(TEAM, 2), ("T2", 1)]
    assert carried_of(began[0]) == {f"run_of_{TEAM}": Carried(2, "run.completed")}


async def _done(base: Opened) -> None:
    """Three runs that ended, each with an action that was done, and the log of it; sealed."""
    async with base.store.write() as work:
        for n in (1, 2, 3):
            run = make.run(id=f"run_{n}", state=RunState.COMPLETED)
            await work.runs.add(run)
            act = make.action(id=f"act_{n}", run_id=run.id, state=ActionState.COMPLETED, attempt=2)
            await work.actions.add([act, make.action(run_id=run.id)])
            told = [("action.claimed", 1), ("action.repeated", 2), ("action.completed", 2)]
            facts = [(code, {"action": act.id, "attempt": attempt}) for code, attempt in told]
            for code, about in [*facts, ("run.completed", {})]:
                await work.audit.record(
                    AuditEvent(team=TEAM, code=AuditCode(code), actor=DANA, run_id=run.id, details=about)
                )
        await work.runs.add(make.run(id="run_4", state=RunState.PAUSED))
    await Sealer(store=base.store, keyring=base.keyring).seal()


def _no_guards(base: Opened) -> str:
    on = " ON audit" if base.is_postgresql else ""
    return f"DROP TRIGGER audit_no_delete{on}; DROP TRIGGER audit_insert_only{on};"


async def test_nobody_empties_the_log_at_once(base: Opened) -> None:
    """TRUNCATE is refused as long as its own guard stands."""
    if not base.is_postgresql:
        return  # SQLite has no such statement
    with pytest.raises(REFUSALS, match="never"):
        await base.tamper("TRUNCATE audit")


async def test_what_was_done_and_is_not_in_the_log_is_missed(base: Opened) -> None:
    """A log that was wiped whole does not verify beside what was done: not then, and not when the bot goes on."""
    await _done(base)
    assert (await verified(base.store, base.keyring, page=2)).problems == []
    await base.tamper(f"{_no_guards(base)} DELETE FROM audit; DELETE FROM audit_heads;")
    missed = [f"action act_{n}: it was attempted, and attempt 2 was never claimed in the log" for n in (1, 2, 3)]
    missed += [f"run run_{n}: it is completed, and the log has no end of it" for n in (1, 2, 3)]
    assert (await verified(base.store, base.keyring, page=2)).problems == missed
    await _record(base.store, "run.queued", run_id="run_9")
    await Sealer(store=base.store, keyring=base.keyring).seal()
    assert (await verified(base.store, base.keyring, page=2)).problems == missed


@pytest.mark.parametrize("column", ["team", "seq", "hash", "key_id", "mac"])
@pytest.mark.parametrize("team", [TEAM, EVERY_TEAM])
async def test_a_head_that_holds_bytes_is_told(base: Opened, team: str, column: str) -> None:
    """SQLite stores bytes in any column. Whoever writes them into a signed head is found, as with any other change."""
    if base.is_postgresql:
        return  # its columns take nothing else than what they are for
    await _done(base)
    await base.tamper(f"UPDATE audit_heads SET {column} = x'6162' WHERE team = '{team}'")
    report = await verified(base.store, base.keyring)
    assert report.problems
    assert report.text().startswith("The log does NOT verify")


@pytest.mark.parametrize("column", ["team", "seq", "hash", "digest", "key", "signature", "carried"])
async def test_a_beginning_that_holds_bytes_is_told(base: Opened, column: str) -> None:
    """As any other change of where a pruned log begins."""
    if base.is_postgresql:
        return  # its columns take nothing else than what they are for
    await _signed(base, "run.queued")
    assert await Pruner(store=base.store, keyring=base.keyring, clock=base.clock).prune(NOW) == 1
    await base.tamper(f"UPDATE audit_checkpoints SET {column} = x'6162' WHERE kind = 'pruned'")
    assert (await verified(base.store, base.keyring)).text().startswith("The log does NOT verify")


@pytest.mark.parametrize("at", ["2000-01-01 00:00:00", "infinity"])
async def test_the_moment_of_an_entry_is_part_of_it(base: Opened, at: str) -> None:
    """A moment that was rewritten in its column is found, although nothing but the age of the tail is read there."""
    await _done(base)
    await base.tamper(f"{_no_guards(base)} UPDATE audit SET at = '{at}' WHERE scope = 'run_2' AND number = 1")
    (problem,) = (await verified(base.store, base.keyring)).problems
    assert "(action.claimed): its columns differ from its bytes" in problem


async def test_an_entry_of_no_workspace_is_named(base: Opened) -> None:
    """By its id, also where others are read page by page: whoever took its workspace away took the rule away, too."""
    await _done(base)
    of_sqlite = (
        "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'team TEXT NOT NULL', 'team TEXT')"
    )
    await base.tamper("ALTER TABLE audit ALTER team DROP NOT NULL" if base.is_postgresql else of_sqlite)
    await base.tamper(f"{_no_guards(base)} UPDATE audit SET team = NULL WHERE scope = 'run_2' AND number = 1")
    (row,) = base.rows("SELECT id FROM audit WHERE team IS NULL")
    for page in (2, 1_000):
        problems = (await verified(base.store, base.keyring, page=page)).problems
        assert f"entry {row['id']} (action.claimed): its columns differ from its bytes" in problems


@pytest.mark.parametrize("team", [TEAM, EVERY_TEAM])
async def test_nobody_seals_over_a_head_of_a_key_that_is_not_there(base: Opened, team: str) -> None:
    """Neither a chain's head nor the count is overwritten: the entries wait for a sealer with the key, and the log is
    whole. An invented key id is found.
    """
    ours, other = Sealer(store=base.store, keyring=base.keyring), KeyRing([new_key()])
    await _record(base.store, "run.queued")
    assert await ours.seal() == 1
    await _record(base.store, "run.started")
    async with base.store.write() as work:
        (head,) = [head for head in await work.audit.heads() if head.team == team]
        await work.audit.sign(head_at(other, team, end_of(head)))
    assert await ours.seal() == 0
    assert len((await verified(base.store, base.keyring)).problems) == 1
    async with base.store.write() as work:
        await work.audit.sign(head)
    assert await ours.seal() == 1
    assert (await verified(base.store, base.keyring)).problems == []


async def test_a_replica_with_another_key_breaks_no_chain(base: Opened) -> None:
    """What it writes is sealed by those who have the key of the head; once both keys are there all of it verifies."""
    first, second = new_key(), new_key()
    right, wrong = (
        Sealer(store=Store(base.database, keyring=ring, clock=base.clock), keyring=ring)
        for ring in (KeyRing([first]), KeyRing([second]))
    )
    await _record(right.store, "run.queued")
    assert await right.seal() == 1
    await _record(wrong.store, "run.queued", run_id="run_2")
    assert (await wrong.seal(), await right.seal()) == (0, 1)
    assert (await verified(base.store, KeyRing([first, second]))).problems == []


async def test_a_person_has_the_entries_that_are_about_them(base: Opened) -> None:
    """About their requests, and what they did to none; a workspace has all of its own. The newest come first."""
    async with base.store.write() as work:
        await work.runs.add(make.run(id="run_1"))
        await work.runs.add(make.run(id="run_2", user="U2"))
    await _record(base.store, "run.queued", "run.started", run_id="run_1")
    await _record(base.store, "person.allowed", run_id=None)
    await _record(base.store, "run.queued", run_id="run_2")
    await _record(base.store, "person.allowed", run_id=None, team="T2")
    async with base.store.read() as work:
        mine = await work.records.entries_of(TEAM, DANA, limit=9)
        newest = await work.records.entries_of(TEAM, DANA, limit=2)
        others = await work.records.entries_of(TEAM, "U2", limit=9)
        all_ = await work.records.entries_of_team(TEAM, limit=9)
    assert [entry.code for entry in mine] == ["person.allowed", "run.started", "run.queued"]
    assert list(newest) == list(mine[:2])
    assert [entry.scope for entry in others] == ["run_2"]
    assert [entry.id for entry in all_] == [4, 3, 2, 1]
