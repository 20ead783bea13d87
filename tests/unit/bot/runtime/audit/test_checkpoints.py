"""Checkpoints: signed when enough was written or enough time has passed, and kept where a file is named."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.domain.audit import EVERY_TEAM, AuditCode, AuditEvent, CheckpointKind
from bot.domain.states import LostRace
from bot.runtime.audit.chain import Total, is_true, total_at, total_of
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.export import as_json, checkpoint_as_json, checkpoints, entries
from bot.runtime.audit.proof import Proof
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import verified
from bot.store.unit_of_work import UnitOfWork
from tests.builders import DANA, TEAM
from tests.stores import Opened

HOUR = timedelta(hours=1)


async def log(base: Opened, count: int, *, team: str = TEAM) -> int:
    """Write and seal so many entries."""
    events = [AuditEvent(team=team, code=AuditCode.MESSAGE_REFUSED, actor=DANA)] * count
    async with base.store.write() as work:
        await work.audit.record(*events)
    sealed = 0
    while more := await Sealer(store=base.store, keyring=base.keyring).seal():
        sealed += more
    return sealed


def signer(base: Opened, *, entries: int = 10, file: Path | None = None) -> Checkpoints:
    return Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=entries, file=file)


def places(base: Opened) -> list[tuple[str, int]]:
    rows = base.rows("SELECT team, seq FROM audit_checkpoints ORDER BY team, seq")
    return [(row["team"], row["seq"]) for row in rows]


async def test_a_checkpoint_comes_with_enough_entries(base: Opened) -> None:
    """So many entries after the last one, whatever the time; fewer wait."""
    signs = signer(base)
    await signs.keep_up(0)
    await signs.keep_up(await log(base, 9))
    assert places(base) == []
    await signs.keep_up(await log(base, 1))
    await signs.keep_up(await log(base, 9))
    assert places(base) == [(TEAM, 10)]
    await signs.keep_up(await log(base, 4))
    assert places(base) == [(TEAM, 10), (TEAM, 23)]


async def test_a_checkpoint_comes_with_time(base: Opened) -> None:
    """An hour after the last one, of each chain that has anything new; an idle log gets none."""
    signs = signer(base)
    await signs.keep_up(0)
    await signs.keep_up(await log(base, 2) + await log(base, 1, team="T2"))
    base.clock.advance(3_599)
    await signs.keep_up(0)
    assert places(base) == []
    base.clock.advance(1)
    await signs.keep_up(0)
    assert places(base) == [(TEAM, 2), ("T2", 1)]
    await signs.keep_up(await log(base, 1))
    base.clock.advance(3_600)
    await signs.keep_up(0)
    base.clock.advance(3_600)
    await signs.keep_up(0)
    assert places(base) == [(TEAM, 2), (TEAM, 3), ("T2", 1)]


async def test_a_clock_that_was_set_back_makes_nobody_wait(base: Opened) -> None:
    """The next look is at most an hour away, and a checkpoint of the future is no reason to wait for it."""
    signs = signer(base)
    await signs.keep_up(await log(base, 1))
    base.clock.advance(-86_400)
    await signs.keep_up(await log(base, 1))
    assert places(base) == [(TEAM, 1), (TEAM, 2)]


async def test_an_idle_log_is_not_even_read(base: Opened) -> None:
    """Between two looks nothing is asked of the database."""
    signs = signer(base)
    await signs.keep_up(await log(base, 3))
    with base.heard() as said:
        await signs.keep_up(0)
    assert said == []


async def test_what_is_signed_is_what_stands_there(base: Opened) -> None:
    """The checkpoint has the newest place with its digest, and its signature fits the public key."""
    await signer(base).keep_up(await log(base, 10))
    (made,) = await checkpoints(base.store)
    (row,) = base.rows("SELECT hash, digest FROM audit WHERE seq = 10")
    assert (made.kind, made.hash, made.digest, made.at) == (
        CheckpointKind.SEALED,
        row["hash"],
        row["digest"],
        base.clock.now(),
    )
    assert (made.key, is_true(made)) == (base.keyring.public_keys[0], True)
    assert (await verified(base.store, base.keyring)).problems == []


async def test_an_export_proves_itself(base: Opened) -> None:
    """Checkpoints and entries as they leave the database are all that somebody with the public key needs."""
    await signer(base).keep_up(await log(base, 10) + await log(base, 10, team="T2"))
    proof = Proof(base.keyring.public_keys)
    for made in await checkpoints(base.store):
        proof.read(checkpoint_as_json(made), "")
    async for entry, _ in entries(base.store):
        proof.read(as_json(entry), "")
    report = proof.end()
    assert (report.is_whole, report.entries, report.unproven) == (True, 20, 0)


async def test_a_head_that_nobody_signed_is_not_signed_for_others(base: Opened) -> None:
    """Whoever has the database can write a head, and its digest; with the key nothing is said of it."""
    await log(base, 10)
    await base.tamper("UPDATE audit_heads SET digest = 'forged'")
    signs = signer(base)
    await signs.keep_up(10)
    assert places(base) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("seq = 9", "the checkpoint at 9 was changed, or its key is missing"),
        ("digest = 'x'", "the checkpoint at 10 was changed, or its key is missing"),
        ("signature = 'x'", "the checkpoint at 10 was changed, or its key is missing"),
        ("key = 'x'", "the checkpoint at 10 was changed, or its key is missing"),
    ],
)
async def test_verify_knows_checkpoints_too(base: Opened, change: str, found: str) -> None:
    """A checkpoint that was changed in the database is told by whoever has the keys."""
    await signer(base).keep_up(await log(base, 10))
    await base.tamper(f"UPDATE audit_checkpoints SET {change}")
    assert (await verified(base.store, base.keyring)).problems == [f"workspace {TEAM}: {found}"]


NONSENSE = ["'soon'", "''", "7", "9e999", "x'00ff'", "CAST(x'ff41' AS TEXT)", "'0001-01-01 00:00:00'", "NULL"]


@pytest.mark.parametrize("value", NONSENSE)
@pytest.mark.parametrize("column", ["at", "kind", "hash", "digest", "key", "signature", "seq", "team"])
async def test_nonsense_in_a_checkpoint_is_a_problem_and_no_crash(base: Opened, column: str, value: str) -> None:
    """Whatever somebody put into a column, the verification names the checkpoint, and others find it changed."""
    await signer(base).keep_up(await log(base, 10))
    await base.tamper(NO_RULES)
    await base.tamper(f'UPDATE audit_checkpoints SET "{column}" = {value}')
    problems = (await verified(base.store, base.keyring)).problems
    assert any(
        "the checkpoint at " in problem and "was changed, or its key is missing" in problem for problem in problems
    )
    proof = Proof(base.keyring.public_keys)
    for checkpoint in await checkpoints(base.store):
        proof.read(checkpoint_as_json(checkpoint), "line 1")
    report = proof.end()
    assert report.unreadable or report.faults


NO_RULES = """PRAGMA writable_schema = 1;
UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'audit_checkpoints';"""
"""What keeps a column from being empty can be taken away, too."""


@pytest.mark.parametrize("change", ["at = 'soon'", "seq = 'x'"])
async def test_a_checkpoint_that_nobody_reads_does_not_stop_the_next_one(base: Opened, change: str) -> None:
    """Its moment or its place is nonsense: the next checkpoint is signed, and not only once."""
    signing = signer(base)
    await signing.keep_up(await log(base, 10))
    await base.tamper(f"UPDATE audit_checkpoints SET {change}")
    await signing.keep_up(await log(base, 10))
    await signing.keep_up(await log(base, 10))
    assert {(TEAM, 20), (TEAM, 30)} < {*places(base)}


async def test_a_checkpoint_of_another_chain_does_not_fit(base: Opened) -> None:
    """The log was deleted whole, with its heads, and the bot began it anew: what was signed before finds it."""
    await signer(base).keep_up(await log(base, 10))
    await base.tamper("DROP TRIGGER audit_no_delete; DELETE FROM audit; DELETE FROM audit_heads")
    async with base.store.write() as work:
        await work.audit.record(*[AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA)] * 10)
    await Sealer(store=base.store, keyring=base.keyring).seal()
    problems = (await verified(base.store, base.keyring)).problems
    assert f"workspace {TEAM}: the checkpoint at 10 does not fit its chain" in problems


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ("", "3 checkpoints were signed, and 0 are there, none of T1, T2"),
        ("WHERE seq = 10", "3 checkpoints were signed, and 2 are there"),
        ("WHERE seq = 20", "3 checkpoints were signed, and 2 are there"),
        ("WHERE team = 'T2'", "3 checkpoints were signed, and 2 are there, none of T2"),
    ],
)
async def test_checkpoints_that_were_deleted_are_missed(base: Opened, which: str, found: str) -> None:
    """The signed count of them has them still, also when the bot seals more and signs the next."""
    signs = signer(base)
    await signs.keep_up(await log(base, 10))
    await signs.keep_up(await log(base, 10))
    await signs.keep_up(await log(base, 11, team="T2"))
    assert (await verified(base.store, base.keyring)).problems == []
    await base.tamper(f"DELETE FROM audit_checkpoints {which}")
    assert (await verified(base.store, base.keyring)).problems == [found]
    await log(base, 1)
    assert (await verified(base.store, base.keyring)).problems == [found]
    made = len(places(base))
    await signs.keep_up(await log(base, 30))
    (later,) = (await verified(base.store, base.keyring)).problems
    more = len(places(base)) - made
    assert more
    assert later.startswith(f"{3 + more} checkpoints were signed, and {made + more} are there")


async def test_a_log_without_a_checkpoint_yet_verifies(base: Opened) -> None:
    """A new workspace has none for up to an hour, and a bot that signs none never has one."""
    await signer(base).keep_up(0)
    await log(base, 3)
    assert (await verified(base.store, base.keyring)).problems == []
    await signer(base).keep_up(0)
    await log(base, 3, team="T2")
    assert (places(base), (await verified(base.store, base.keyring)).problems) == ([(TEAM, 3)], [])


async def total(base: Opened) -> Total:
    async with base.store.read() as work:
        (head,) = [head for head in await work.audit.heads() if head.team == EVERY_TEAM]
    return total_of(head)


async def uncounted(base: Opened) -> None:
    """The signed count of all entries, as releases wrote it that did not count checkpoints."""
    before = total_at(base.keyring, (await total(base))._replace(checkpoints=None))
    assert before.hash == ""
    async with base.store.write() as work:
        await work.audit.sign(before)


async def test_checkpoints_of_an_earlier_release_are_counted_at_the_first_look(base: Opened) -> None:
    """Nothing is said of them before that, and from then on they are missed. So are those that such a release signed
    beside this one.
    """
    await signer(base).keep_up(await log(base, 10))
    await uncounted(base)
    assert (await verified(base.store, base.keyring)).problems == []
    await log(base, 1)
    assert (await verified(base.store, base.keyring)).problems == []
    await signer(base).keep_up(0)
    assert places(base) == [(TEAM, 10)]
    assert (await total(base)).checkpoints == 1
    await base.tamper(
        "INSERT INTO audit_checkpoints SELECT team, 9, kind, hash, digest, at, key, signature, "
        "kept_at, carried FROM audit_checkpoints"
    )
    await signer(base).keep_up(await log(base, 10))
    await base.tamper("DELETE FROM audit_checkpoints WHERE seq < 21")
    assert (await verified(base.store, base.keyring)).problems == ["3 checkpoints were signed, and 1 are there"]


async def test_a_count_that_somebody_changed_is_not_signed_anew(base: Opened) -> None:
    """It is found, then and later."""
    signs = signer(base)
    await signs.keep_up(await log(base, 10))
    await base.tamper(f"UPDATE audit_heads SET hash = '0' WHERE team = '{EVERY_TEAM}'; DELETE FROM audit_checkpoints")
    for _ in range(2):
        told = "the signed count of all sealed entries was changed, or its key is missing"
        assert (await verified(base.store, base.keyring)).problems == [told]
        await signs.keep_up(await log(base, 10))


async def test_a_chain_of_before_begins_its_digests_where_it_ends(base: Opened) -> None:
    """It goes on, and a signed line says from where on it can be proven to others."""
    await log(base, 3)
    await base.tamper(
        "DROP TRIGGER audit_insert_only; UPDATE audit SET digest = NULL; UPDATE audit_heads SET digest = ''"
    )
    async with base.store.write() as work:
        (head,) = [head for head in await work.audit.heads() if head.team == TEAM]
        key_id, mac = base.keyring.mac(f"head\n{TEAM}\n3\n{head.hash}".encode())  # as it was signed then
        await work.audit.sign(replace(head, key_id=key_id, mac=mac))
    await log(base, 2)
    assert (await total(base)).checkpoints == 1
    await signer(base, entries=1).keep_up(2)
    begun, sealed = await checkpoints(base.store)
    assert (begun.kind, begun.seq, begun.digest) == (CheckpointKind.BEGUN, 3, "")
    assert (sealed.kind, sealed.seq) == (CheckpointKind.SEALED, 5)
    assert (await verified(base.store, base.keyring)).problems == []
    await base.tamper("DELETE FROM audit_checkpoints WHERE seq = 3")
    assert (await verified(base.store, base.keyring)).problems == ["2 checkpoints were signed, and 1 are there"]


async def test_whoever_lost_the_lease_signs_nothing(base: Opened) -> None:
    """Another replica seals and signs now."""

    async def lost(work: UnitOfWork) -> None:
        raise LostRace("sealer", "it", "held", "lost")

    signs = Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=1, fence=lost)
    with pytest.raises(LostRace):
        await signs.keep_up(await log(base, 1))
    assert places(base) == []


async def test_without_a_channel_nothing_is_posted(base: Opened) -> None:
    """Only the row of the checkpoint is written."""
    await signer(base).keep_up(await log(base, 10))
    assert (places(base), base.rows("SELECT id FROM outbox")) == ([(TEAM, 10)], [])


# The file -----------------------------------------------------------------------------------------------------------


async def test_each_checkpoint_is_appended_to_the_file(base: Opened, tmp_path: Path) -> None:
    """What stands there stays, each line once, and only its owner can read it."""
    file = tmp_path / "kept.jsonl"
    file.write_text("a line of before\n", encoding="ascii")
    signs = signer(base, file=file)
    for _ in range(2):
        await signs.keep_up(await log(base, 10))
        await signs.keep_up(0)
    first, *lines = file.read_text(encoding="ascii").splitlines()
    assert first == "a line of before"
    assert lines == [checkpoint_as_json(made) for made in await checkpoints(base.store)]
    assert [json.loads(line)["checkpoint"]["seq"] for line in lines] == [10, 20]


async def test_a_new_file_is_for_its_owner_only(base: Opened, tmp_path: Path) -> None:
    """As everything that the bot writes."""
    file = tmp_path / "kept.jsonl"
    await signer(base, file=file).keep_up(await log(base, 10))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_file_that_cannot_be_written_is_tried_again(base: Opened, tmp_path: Path) -> None:
    """The checkpoint is signed, the error is logged with the file, and a minute later it is written."""
    folder = tmp_path / "away"
    signs = signer(base, file=folder / "kept.jsonl")
    with capture_logs() as logs:
        await signs.keep_up(await log(base, 10))
    assert [(line["event"], line["reason"]) for line in logs] == [
        ("audit.checkpoints_not_kept", "No such file or directory")
    ]
    folder.mkdir()
    base.clock.advance(59)
    await signs.keep_up(0)
    assert not list(folder.iterdir())
    base.clock.advance(1)
    await signs.keep_up(0)
    assert len((folder / "kept.jsonl").read_text(encoding="ascii").splitlines()) == 1


async def test_what_was_signed_without_a_file_is_kept_once_there_is_one(base: Opened, tmp_path: Path) -> None:
    """Whoever names a file later has all of them there."""
    await signer(base).keep_up(await log(base, 10))
    file = tmp_path / "kept.jsonl"
    await signer(base, file=file).keep_up(0)
    assert len(file.read_text(encoding="ascii").splitlines()) == 1
