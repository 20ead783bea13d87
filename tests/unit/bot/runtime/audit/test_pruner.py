"""Pruning: old entries go up to a signed checkpoint, and what is left verifies from there on, as before."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.domain.audit import AuditCode, AuditEvent, Checkpoint, CheckpointKind, carried_of, mark
from bot.domain.runs import RunState
from bot.runtime.audit.chain import checkpoint_at, place_at
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.audit.explanation import NoSuchAction, explain
from bot.runtime.audit.export import (
    as_json,
    checkpoint_as_json,
    checkpoints,
    entries,
    pruned,
    pruned_since,
    signed_places,
)
from bot.runtime.audit.proof import Proof, ProofReport
from bot.runtime.audit.pruner import Pruner
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import Report, verified
from bot.runtime.operations.retention import Keep, RetentionService
from bot.store.errors import NotSaved
from bot.tools.registry import Registry
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.stores import Opened
from tests.unit.bot.runtime.runtime_harness import Harness

DAY = timedelta(days=1)
NO_GUARDS = "DROP TRIGGER audit_no_delete; DROP TRIGGER audit_insert_only;"


async def happened(base: Opened, run_id: str, *, part: slice = slice(None), team: str = TEAM) -> None:
    """A run with an effect, or a part of it, sealed; and a checkpoint."""
    effect: dict[str, object] = {"action": f"act_of_{run_id}", "attempt": 1}
    told: list[tuple[str, dict[str, object]]] = [
        ("run.queued", {}),
        ("action.claimed", effect),
        ("action.completed", effect),
        ("run.completed", {}),
    ]
    about = [
        AuditEvent(team=team, code=AuditCode(code), actor=DANA, run_id=run_id, details=details)
        for code, details in told[part]
    ]
    async with base.store.write() as work:
        await work.audit.record(*about)
    await seal(base)


async def seal(base: Opened) -> None:
    signs = Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock, entries=1)
    while await Sealer(store=base.store, keyring=base.keyring, checkpoints=signs).seal():
        await signs.keep_up(1)


async def days_of(base: Opened, count: int, *, first: int = 1) -> None:
    """A run of four entries a day."""
    for n in range(first, first + count):
        await happened(base, f"run_{n}")
        base.clock.advance(DAY.total_seconds())


def pruner(base: Opened, *, batch: int = 1_000) -> Pruner:
    return Pruner(store=base.store, keyring=base.keyring, clock=base.clock, batch=batch)


async def prune(base: Opened, *, days: int, batch: int = 1_000) -> int:
    """Prune what is so many days old, and seal what that says."""
    gone = await pruner(base, batch=batch).prune(base.clock.now() - days * DAY)
    await seal(base)
    return gone


async def checked(base: Opened, *kept: tuple[str, str]) -> Report:
    return await verified(base.store, base.keyring, kept=kept)


async def proven(base: Opened, *kept: Checkpoint) -> ProofReport:
    """What somebody with an export and the public key finds."""
    proof = Proof(base.keyring.public_keys)
    lines = [*map(checkpoint_as_json, [*kept, *await checkpoints(base.store)])]
    lines += [as_json(entry) async for entry, _ in entries(base.store)]
    for line in lines:
        proof.read(line, "a line")
    return proof.end()


def seqs(base: Opened, team: str = TEAM) -> list[int]:
    return [row["seq"] for row in base.rows("SELECT seq FROM audit WHERE team = ? ORDER BY seq", team)]


async def test_old_entries_go_up_to_a_checkpoint(base: Opened) -> None:
    """Those that a checkpoint of more than a day ago covers. What is left verifies, in the database and in an export,
    and both say where the log begins; that it was pruned stands in it.
    """
    await days_of(base, 3)
    assert await prune(base, days=2) == 8
    assert seqs(base) == [9, 10, 11, 12, 13]
    report = await checked(base)
    assert (report.problems, report.entries) == ([], 5)
    assert report.text().endswith(f"The log of {TEAM} begins at 9: what was before was pruned on 2026-11-24.")
    told = await proven(base)
    assert (told.is_whole, told.entries, told.unproven) == (True, 5, 0)
    assert told.text().splitlines()[-1] == report.remarks[0]
    (entry,) = base.rows("SELECT body FROM audit WHERE code = 'log.pruned'")
    assert json.loads(entry["body"])["details"] == {"before": "2026-11-22T09:30:00+00:00", "through": 8}


async def test_the_log_goes_on_after_it_was_pruned(base: Opened) -> None:
    """It is written, sealed, signed and pruned again, and numbers of the workspace go on."""
    for n in (1, 3, 5):
        await days_of(base, 2, first=n)
        assert await prune(base, days=1) > 0
        assert ((await checked(base)).problems, (await proven(base)).is_whole) == ([], True)
    assert [row["kind"] for row in base.rows("SELECT kind FROM audit_checkpoints")].count("pruned") == 1
    (numbers,) = base.rows("SELECT min(number) AS low, max(number) AS high FROM audit WHERE scope LIKE 'workspace:%'")
    assert numbers["high"] == 3


async def test_a_log_that_only_says_that_it_was_pruned_is_not_pruned_again(base: Opened) -> None:
    """Else each round would leave an entry for the next one to prune."""
    await days_of(base, 1)
    assert await prune(base, days=0) == 4
    base.clock.advance(3 * DAY.total_seconds())
    assert await prune(base, days=1) == 0
    assert seqs(base) == [5]


async def test_a_log_may_be_pruned_to_its_end(base: Opened) -> None:
    """A workspace where nothing happens any more: the sealer goes on behind it, and other chains are as they were."""
    await happened(base, "run_1", team="T2")
    base.clock.advance(DAY.total_seconds())
    await happened(base, "run_2")
    assert await pruner(base).prune(base.clock.now() - timedelta(hours=1)) == 4
    await base.tamper("DELETE FROM audit WHERE code = 'log.pruned' AND seq IS NOT NULL")
    assert (await checked(base)).problems == []
    await seal(base)
    await happened(base, "run_3", team="T2")
    assert (seqs(base, "T2"), seqs(base)) == ([5, 6, 7, 8, 9], [1, 2, 3, 4])
    assert (await checked(base)).problems == []


async def test_a_pruned_chain_that_lost_its_head_does_not_begin_anew(base: Opened) -> None:
    """Whoever deletes all that is left with the head is found, also after the bot went on."""
    await days_of(base, 1)
    await prune(base, days=0)
    await base.tamper(f"{NO_GUARDS} DELETE FROM audit; DELETE FROM audit_heads WHERE team = '{TEAM}';")
    assert f"workspace {TEAM}: the signed head of its chain is missing" in (await checked(base)).problems
    with capture_logs() as logs:
        await happened(base, "run_9")
    assert logs[0]["event"] == "audit.head_lost"
    assert any("the chain is broken here" in problem for problem in (await checked(base)).problems)


# What was done to a pruned log --------------------------------------------------------------------------------------

TAMPERINGS: dict[str, tuple[str, str, int]] = {
    "one more than allowed": ("DELETE FROM audit WHERE seq = 9", "the chain is broken here", 9),
    "begun later": (
        "DELETE FROM audit WHERE seq = 9; UPDATE audit_checkpoints SET seq = 9 WHERE kind = 'pruned'",
        "the checkpoint at 9 was changed",
        9,
    ),
    "begun earlier": ("DELETE FROM audit_checkpoints WHERE kind = 'pruned'", "the chain is broken here", 1),
    "carried over something else": (
        """UPDATE audit_checkpoints SET carried = '{"run_9":[1,""]}' WHERE kind = 'pruned'""",
        "the checkpoint at 8 was changed",
        8,
    ),
}


@pytest.mark.parametrize(("script", "what", "at"), TAMPERINGS.values(), ids=TAMPERINGS)
async def test_whoever_prunes_for_themselves_is_found(base: Opened, script: str, what: str, at: int) -> None:
    """With the keys in the database, and with the public key in an export, by the sequence where it shows. What else is
    done to a pruned log is found like in a whole one (test_chain, test_proof).
    """
    await days_of(base, 3)
    await prune(base, days=2)
    assert seqs(base)[0] == 9
    await base.tamper(f"{NO_GUARDS} {script}")
    problems = (await checked(base)).problems
    assert any(what in problem for problem in problems), problems
    report = await proven(base)
    assert [fault.seq for fault in report.faults] == [at]


async def test_what_does_not_verify_is_not_pruned(base: Opened) -> None:
    """Nobody's traces go with their time: the log stays as it is, and the reason is logged."""
    await days_of(base, 3)
    await base.tamper(f"{NO_GUARDS} UPDATE audit SET body = replace(body, 'run_1', 'run_9') WHERE seq = 2")
    with capture_logs() as logs:
        assert await prune(base, days=1) == 0
    assert [line["problem"] for line in logs if line["event"] == "audit.not_pruned"] == [
        "entry 2 (action.claimed): its bytes or its MAC were changed, or its key is missing"
    ]
    assert len(seqs(base)) == 12


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE audit_checkpoints SET signature = 'x' WHERE seq = 8",
        "DELETE FROM audit WHERE seq = 8",
        "UPDATE audit_checkpoints SET hash = 'x' WHERE seq = 8",
        "UPDATE audit_checkpoints SET hash = CAST(x'ff' AS TEXT) WHERE seq = 8",
    ],
)
async def test_nothing_is_pruned_up_to_a_checkpoint_that_does_not_fit(base: Opened, script: str) -> None:
    """One that was changed, or whose entry is not there."""
    await days_of(base, 2)
    await base.tamper(f"{NO_GUARDS} {script}")
    with capture_logs() as logs:
        assert await prune(base, days=0) == 0
    assert [line["event"] for line in logs] == ["audit.not_pruned"]


async def test_a_checkpoint_with_a_place_that_is_none_keeps_no_other_from_being_pruned_to(base: Opened) -> None:
    """SQLite stores anything: that one is told, and the log goes up to the one before it."""
    await days_of(base, 2)
    await base.tamper("UPDATE audit_checkpoints SET seq = 'x' WHERE seq = 8")
    with capture_logs() as logs:
        assert await prune(base, days=0) == 4
    assert ("audit.not_pruned", "x") in [(line["event"], line.get("seq")) for line in logs]


async def test_a_chain_that_somebody_cut_and_signed_short_is_not_pruned(base: Opened) -> None:
    """The entries must lead to the place that was signed, not to one before it."""
    await days_of(base, 2)
    (cut,) = [one for one in await checkpoints(base.store) if one.seq == 4]
    longer = checkpoint_at(base.keyring, TEAM, place_at(cut)._replace(seq=5), CheckpointKind.SEALED, cut.at)
    async with base.store.write() as work:
        await work.audit.add_checkpoint(longer)
    with capture_logs() as logs:
        assert await pruner(base, batch=5).prune(base.clock.now()) == 0
    assert [line["problem"] for line in logs] == ["the checkpoint does not fit its chain"]


# What is carried over -----------------------------------------------------------------------------------------------


async def test_a_run_in_the_middle_goes_on(base: Opened) -> None:
    """Its claim was pruned and its outcome was not: the number and the claim are carried over, and signed."""
    await happened(base, "run_1", part=slice(0, 2))
    base.clock.advance(DAY.total_seconds())
    await happened(base, "run_1", part=slice(2, 4))
    assert await prune(base, days=1) == 2
    (beginning,) = [one for one in await checkpoints(base.store) if one.kind is CheckpointKind.PRUNED]
    assert json.loads(beginning.carried) == {"run_1": [2, "", ["act_of_run_1", 1]]}
    assert ((await checked(base)).problems, (await proven(base)).is_whole) == ([], True)
    base.clock.advance(DAY.total_seconds())
    assert await prune(base, days=0) == 3
    assert (await checked(base)).problems == []


async def test_a_run_that_is_still_there_has_its_end(base: Opened) -> None:
    """The other tables say that it was done: so does what is carried over, as long as they do."""
    async with base.store.write() as work:
        await work.runs.add(make.run(id="run_1", state=RunState.COMPLETED))
        await work.actions.add([make.action(id="act_of_run_1", run_id="run_1", attempt=1)])
    await days_of(base, 3)
    assert await prune(base, days=1) == 12
    (beginning,) = [one for one in await checkpoints(base.store) if one.kind is CheckpointKind.PRUNED]
    assert set(carried_of(beginning)) == {"run_1"}
    assert (await checked(base)).problems == []


# Steps --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("batch", "steps"), [(4, 4), (8, 2), (10, 2), (3, 4), (100, 1)])
async def test_it_goes_in_steps(base: Opened, batch: int, steps: int) -> None:
    """From checkpoint to checkpoint, as many entries as a batch has, in a transaction each; it is told once."""
    await days_of(base, 5)
    with base.heard() as said:
        assert await prune(base, days=2, batch=batch) == 16
    assert sum(sql.startswith("DELETE FROM audit ") for sql, _ in said) == steps
    assert ((await checked(base)).problems, (await proven(base)).is_whole) == ([], True)
    assert len(base.rows("SELECT id FROM audit WHERE code = 'log.pruned'")) == 1


async def test_a_log_that_was_pruned_half_way_verifies(base: Opened) -> None:
    """Whatever ends it between two commits: the log begins where the last one left it, and the next round goes on."""
    await days_of(base, 5)
    await base.tamper(
        "CREATE TRIGGER broken BEFORE DELETE ON audit WHEN old.seq = 11 BEGIN SELECT RAISE(ABORT, 'disk'); END"
    )
    with pytest.raises(NotSaved):
        await prune(base, days=2, batch=4)
    await seal(base)
    assert seqs(base)[0] == 9
    assert ((await checked(base)).problems, (await proven(base)).is_whole) == ([], True)
    await base.tamper("DROP TRIGGER broken")
    assert await prune(base, days=2, batch=4) == 8
    assert (await checked(base)).problems == []


async def test_two_who_prune_at_once_do_it_once(base: Opened) -> None:
    """The second finds that the log begins elsewhere by then."""
    await days_of(base, 3)
    before = base.clock.now() - DAY
    gone = await asyncio.gather(*(pruner(base, batch=4).prune(before) for _ in range(3)))
    await seal(base)
    assert sum(gone) == 12
    assert len(base.rows("SELECT id FROM audit WHERE code = 'log.pruned'")) == 1
    assert ((await checked(base)).problems, (await proven(base)).is_whole) == ([], True)


# What goes on working -----------------------------------------------------------------------------------------------


async def test_what_was_kept_elsewhere_is_held_against_a_pruned_log(base: Opened) -> None:
    """A place at or after its beginning must be in it; of one before it is said that it was pruned."""
    await days_of(base, 1)
    (old,) = await signed_places(base.store, base.keyring)
    await days_of(base, 1, first=2)
    (edge,) = await signed_places(base.store, base.keyring)
    await days_of(base, 1, first=3)
    (young,) = await signed_places(base.store, base.keyring)
    await prune(base, days=2)
    report = await checked(base, old, edge, young)
    assert report.problems == []
    assert report.remarks[1:] == [f"The place {TEAM}:{old[1]} was pruned, and cannot be held against the log."]
    wrong = (TEAM, mark(8, "0" * 64))
    (problem,) = (await checked(base, wrong)).problems
    assert problem.startswith(f"workspace {TEAM}: its chain does not have the place 8:")


async def test_a_checkpoint_kept_elsewhere_is_held_against_the_beginning(base: Opened) -> None:
    """Whoever has the key and writes a log anew, already pruned, is found by the checkpoint that was kept of the place
    where it begins.
    """
    await days_of(base, 3)
    kept: Sequence[Checkpoint] = await checkpoints(base.store)
    await prune(base, days=2)
    assert (await proven(base, *kept)).is_whole
    (cut,) = [one for one in kept if one.seq == 8]
    other = checkpoint_at(base.keyring, TEAM, place_at(cut)._replace(digest="0" * 64), cut.kind, cut.at)
    await base.tamper("DELETE FROM audit_checkpoints WHERE seq = 8 AND kind = 'sealed'")
    (fault,) = (await proven(base, other)).faults
    assert (fault.seq, fault.what) == (8, "two checkpoints were signed here, and they differ")


async def test_what_was_pruned_while_it_was_exported_is_not_missed(base: Opened) -> None:
    """Some entries came before it was pruned, the next ones after: where the log begins by then stands at the end."""
    await days_of(base, 3)
    proof = Proof(base.keyring.public_keys)
    lines = [*map(checkpoint_as_json, await checkpoints(base.store))]
    began = await pruned(base.store)
    lines += [as_json(entry) async for entry, _ in entries(base.store) if (entry.seq or 0) <= 3]
    await prune(base, days=2)
    lines += [as_json(entry) async for entry, _ in entries(base.store)]
    lines += map(checkpoint_as_json, await pruned_since(base.store, began))
    for line in lines:
        proof.read(line, "a line")
    report = proof.end()
    assert (list(report.faults), report.entries, report.unproven) == ([], 8, 4)
    assert await pruned_since(base.store, await pruned(base.store)) == []


async def test_an_action_of_a_pruned_log_is_explained(base: Opened) -> None:
    """As far as the log goes, with a word on where it begins; so does the answer about one that it says nothing of."""
    await days_of(base, 3)
    await prune(base, days=2)
    begins = f"The log of {TEAM} begins at 9: what was before was pruned on 2026-11-24."
    found = await explain(base.store, base.keyring, Registry([]), "act_of_run_3")
    assert (len(found.entries), found.is_sound, found.text().splitlines()[-1]) == (2, True, begins)
    with pytest.raises(NoSuchAction, match="begins at 9"):
        await explain(base.store, base.keyring, Registry([]), "act_of_run_1")


async def test_a_pruning_puts_off_no_checkpoint(base: Opened) -> None:
    """The hour since the last one counts from when entries were signed, not from when they went."""
    await days_of(base, 2)
    signs = Checkpoints(store=base.store, keyring=base.keyring, clock=base.clock)
    await pruner(base).prune(base.clock.now())
    await Sealer(store=base.store, keyring=base.keyring).seal()
    await signs.keep_up(1)
    assert base.rows("SELECT max(seq) AS seq FROM audit_checkpoints WHERE kind = 'sealed'")[0]["seq"] == 9


async def test_the_log_is_pruned_once_a_day(here: Harness) -> None:
    """By whichever replica comes first; without a time for the log it stays whole."""
    base = here.base
    await days_of(base, 3)

    def retention(keep: Keep) -> RetentionService:
        return RetentionService(transactions=here.transactions, keep=keep, pruner=pruner(base))

    for keep in (Keep(runs=DAY, audit=None), Keep(runs=None, audit=DAY)):
        await retention(keep).tick()
        assert len(seqs(base)) == 12
    await retention(Keep(runs=DAY, audit=2 * DAY)).tick()
    await seal(base)
    assert seqs(base)[0] == 9
    base.clock.advance(DAY.total_seconds() / 2)
    for _ in range(2):
        await retention(Keep(runs=DAY, audit=DAY)).tick()
        assert seqs(base)[0] == 9
    base.clock.advance(DAY.total_seconds() / 2)
    await retention(Keep(runs=DAY, audit=DAY)).tick()
    await seal(base)
    assert seqs(base)[0] == 14


@pytest.mark.parametrize(
    ("runs", "audit", "kept"),
    [(365 * DAY, 400 * DAY, 400 * DAY), (730 * DAY, 400 * DAY, 730 * DAY), (None, DAY, None), (DAY, None, None)],
)
def test_the_log_outlives_what_it_tells_of(
    runs: timedelta | None, audit: timedelta | None, kept: timedelta | None
) -> None:
    """Requests that are kept longer keep the log with them."""
    assert Keep(runs=runs, audit=audit).log == kept
