"""The log's chain: whatever somebody with the database does to it is found, where it can be found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import rfc8785
from structlog.testing import capture_logs

from bot.domain.audit import (
    EVERY_TEAM,
    AuditCode,
    AuditEntry,
    AuditEvent,
    Carried,
    CheckpointKind,
    beginnings,
    carried_as_text,
    carried_of,
    mark,
)
from bot.runtime.audit.chain import START, Chain, ChainPlace, checkpoint_at, head_at, is_true, link, place_of
from bot.runtime.audit.export import as_json
from bot.runtime.audit.sealer import Sealer
from bot.runtime.audit.verify import Report, Verifier
from bot.secrets import KeyRing, new_key
from tests.builders import NOW, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened

KEYS = KeyRing([new_key()])
Log = list[AuditEntry]


def entry(
    n: int, code: str, *, team: str = TEAM, scope: str = "run_1", number: int, details: object = None
) -> AuditEntry:
    """An entry as the store makes it."""
    at = NOW.isoformat(timespec="microseconds")
    fact = {"v": 1, "at": at, "team": team, "scope": scope, "number": number, "code": code}
    body = rfc8785.dumps(fact | {"actor": "U1", "details": details or {}})  # pyright: ignore[reportArgumentType] - JSON
    key_id, mac = KEYS.mac(body)
    return AuditEntry(
        id=n,
        team=team,
        scope=scope,
        number=number,
        code=code,
        at=f"{NOW:%Y-%m-%d %H:%M:%S.%f}",
        body=body.decode(),
        mac=mac,
        key_id=key_id,
    )


def sealed(log: Sequence[AuditEntry]) -> Log:
    """The entries as the sealer chains them."""
    ends: dict[str, ChainPlace] = {}
    chained: Log = []
    for one in log:
        chained.append(link(one, KEYS, after=ends.get(one.team, START)))
        ends[one.team] = place_of(chained[-1])
    return chained


def history() -> Log:
    """A run with one effect, something of the workspace, and another workspace in between."""
    attempt = {"action": "act_1", "attempt": 1}
    return sealed(
        [
            entry(1, "run.queued", number=1),
            entry(2, "person.allowed", scope=f"workspace:{TEAM}", number=1),
            entry(3, "action.claimed", number=2, details=attempt),
            entry(4, "run.queued", team="T2", scope="run_2", number=1),
            entry(5, "action.completed", number=3, details=attempt),
            entry(6, "run.completed", number=4),
            entry(7, "person.allowed", scope=f"workspace:{TEAM}", number=2),
        ]
    )


def verified(log: Sequence[AuditEntry]) -> Report:
    """What is found in these entries, whose heads were signed as they stand."""
    verifier = Verifier(KEYS)
    ends = {one.team: place_of(one) for one in log if one.seq is not None}
    count = sum(one.seq is not None for one in log)
    for one in log:
        verifier.check(one)
    return verifier.end(
        [head_at(KEYS, team, end) for team, end in (ends | {EVERY_TEAM: ChainPlace(count, "")}).items()]
    )


def test_an_untouched_log_verifies() -> None:
    """Nothing is found in what nobody touched, and the report counts it."""
    report = verified(history())
    assert report.problems == []
    assert report.text() == "The log verifies: 7 entries, unbroken, unchanged and in order."


def test_an_empty_log_verifies() -> None:
    """No entries, no problems."""
    assert verified([]).problems == []


WHOLE = history()


def changed(n: int, **columns: Any) -> Log:
    """The log with other columns in one entry."""
    return [*WHOLE[:n], WHOLE[n]._replace(**columns), *WHOLE[n + 1 :]]


EDITED = changed(2, body=WHOLE[2].body.replace("act_1", "act_9"))
MIDDLE_DELETED = WHOLE[:2] + WHOLE[3:]
REORDERED = [*WHOLE[:4], WHOLE[5]._replace(id=5), WHOLE[4]._replace(id=6), WHOLE[6]]
MACS_SWAPPED = [WHOLE[0]._replace(mac=WHOLE[5].mac), *WHOLE[1:5], WHOLE[5]._replace(mac=WHOLE[0].mac), WHOLE[6]]

ATTACKS = {
    "edited": (EDITED, "entry 3 (action.claimed): its bytes or its MAC were changed"),
    "edited, linked anew": (sealed(EDITED), "entry 3 (action.claimed): its bytes or its MAC were changed"),
    "written otherwise": (changed(2, body=WHOLE[2].body.replace(":", ": ")), "its bytes or its MAC were changed"),
    "nested without end": (changed(2, body="[" * 100_000), "entry 3 (action.claimed): its columns differ"),
    "MAC in capitals": (changed(2, mac=WHOLE[2].mac.upper()), "entry 3 (action.claimed): its bytes or its MAC"),
    "hash in capitals": (changed(5, hash=(WHOLE[5].hash or "").upper()), "entry 6 (run.completed): the chain"),
    "a microsecond later": (changed(5, at=WHOLE[5].at[:-1] + "1"), "entry 6 (run.completed): its columns differ"),
    "a moment without its seconds": (changed(5, at=WHOLE[5].at[:16]), "entry 6 (run.completed): its columns differ"),
    "a moment of another zone": (changed(5, at=WHOLE[5].at + "+00:00"), "entry 6 (run.completed): its columns differ"),
    "unreadable": (changed(2, body="not JSON"), "entry 3 (action.claimed): its columns differ from its bytes"),
    "no object": (changed(2, body="[1]"), "entry 3 (action.claimed): its columns differ from its bytes"),
    "middle deleted": (MIDDLE_DELETED, "entry 5 (action.completed): the chain is broken here"),
    "middle deleted, linked anew": (sealed(MIDDLE_DELETED), "number 3 follows 1: an entry is missing or double"),
    "first deleted": (sealed(WHOLE[1:]), "number 2 follows 0: an entry is missing or double"),
    "end of a run deleted": (
        [one for one in WHOLE if one.id != 6],
        "entry 7 (person.allowed): the chain is broken here",
    ),
    "inserted": (
        sealed([*WHOLE, WHOLE[0]._replace(id=8, number=5, mac="0" * 64)]),
        "entry 8 (run.queued): its bytes or its MAC were changed",
    ),
    "copied": (
        sealed([*WHOLE, WHOLE[5]._replace(id=8)]),
        "entry 8 (run.completed): number 4 follows 4: an entry is missing or double",
    ),
    "reordered": (REORDERED, "entry 5 (run.completed): the chain is broken here"),
    "reordered, linked anew": (sealed(REORDERED), "number 4 follows 2: an entry is missing or double"),
    "MACs swapped": (sealed(MACS_SWAPPED), "entry 1 (run.queued): its bytes or its MAC were changed"),
    "key unknown": (changed(0, key_id="00000000"), "or its key is missing"),
    "column changed": (changed(5, code="run.failed"), "entry 6 (run.failed): its columns differ"),
    "workspace changed": (
        sealed(changed(3, team=TEAM)),
        "entry 4 (run.queued): its columns differ from its bytes",
    ),
    "place doubled": (
        changed(5, seq=WHOLE[4].seq, prev_hash=WHOLE[4].prev_hash),
        "entry 6 (run.completed): the chain is broken here",
    ),
    "hash changed": (changed(5, hash="0" * 64), "entry 6 (run.completed): the chain is broken here"),
    "last hash changed": (changed(6, hash="0" * 64), "entry 7 (person.allowed): the chain is broken here"),
    "previous hash changed": (changed(5, prev_hash="0" * 64), "entry 6 (run.completed): the chain is broken here"),
    "digest changed": (changed(5, digest="0" * 64), "entry 6 (run.completed): its digest was changed"),
    "last digest taken away": (changed(6, digest=None), "entry 7 (person.allowed): its digest was changed"),
    "unsealed in the middle": (
        changed(4, seq=None, prev_hash=None, hash=None),
        "entry 6 (run.completed): the chain is broken here",
    ),
}


@pytest.mark.parametrize(("log", "found"), ATTACKS.values(), ids=ATTACKS)
def test_what_was_done_to_the_log_is_found(log: Log, found: str) -> None:
    """Each attack is found and told with the entry where it shows."""
    report = verified(log)
    assert any(found in problem for problem in report.problems), report.problems
    assert report.text().startswith("The log does NOT verify")
    assert report.problems[0] in report.text()


def test_an_outcome_needs_its_intent() -> None:
    """What completed without a recorded claim of that very attempt is a problem, also in a chain that is whole."""
    first, second = {"action": "act_1", "attempt": 1}, {"action": "act_1", "attempt": 2}
    log = sealed(
        [
            entry(1, "action.claimed", number=1, details=first),
            entry(2, "action.reconciled", number=2, details=second),
            entry(3, "action.completed", number=3, details={"action": "act_2", "attempt": 1}),
        ]
    )
    assert verified(log).problems == [
        "entry 2 (action.reconciled): it tells of an attempt without a recorded intent",
        "entry 3 (action.completed): it tells of an attempt without a recorded intent",
    ]


def test_what_is_not_sealed_yet_is_said() -> None:
    """A tail that waits for its seal is no problem, and is counted; its numbers are checked all the same."""
    log = history()
    fresh = entry(8, "person.allowed", scope=f"workspace:{TEAM}", number=3)
    assert verified([*log, fresh]).text().endswith("The newest 1 are not sealed yet.")
    assert verified([*log, fresh._replace(number=4)]).problems


def test_the_export_is_one_object_a_line() -> None:
    """What the export says of an entry; one that cannot be read has nulls."""
    told = json.loads(as_json(history()[2]))
    assert told["body"] == {"action": "act_1", "attempt": 1}
    assert (told["run_id"], told["sealed"], told["seq"], told["actor"]) == ("run_1", True, 3, "U1")
    assert json.loads(as_json(history()[1]))["run_id"] is None
    broken = json.loads(as_json(history()[2]._replace(body="not JSON")))
    assert (broken["id"], broken["actor"], broken["body"]) == (3, None, None)
    assert "\n" not in as_json(history()[2])


# A log that was pruned ----------------------------------------------------------------------------------------------

PRUNED_TO = 3
"""Of the first workspace: with the claim of an action, and not its outcome."""
CARRIED = {"run_1": Carried(2, "", (("act_1", 1),)), f"workspace:{TEAM}": Carried(1)}
LEFT = [one for one in WHOLE if one.team != TEAM or (one.seq or 0) > PRUNED_TO]


def checked(log: Sequence[AuditEntry], carried: Mapping[str, Carried] = CARRIED) -> Report:
    """What is found in the entries that are left of the log."""
    place = next(place_of(one) for one in WHOLE if (one.team, one.seq) == (TEAM, PRUNED_TO))
    text = carried_as_text(carried)
    beginning = checkpoint_at(KEYS, TEAM, place, CheckpointKind.PRUNED, NOW, text)
    verifier = Verifier(KEYS, beginnings([beginning]))
    for one in log:
        verifier.check(one)
    ends = {one.team: place_of(one) for one in WHOLE} | {EVERY_TEAM: ChainPlace(len(WHOLE), "")}
    return verifier.end([head_at(KEYS, team, end) for team, end in ends.items()], checkpoints=[beginning])


def without(*ids: int, **changes: Any) -> Log:
    """What is left without these entries, and with other columns in entry 6."""
    return [one._replace(**changes) if one.id == 6 else one for one in LEFT if one.id not in ids]


TAMPERED = {
    "edited": (without(body=LEFT[2].body.replace("U1", "U2")), "entry 6 (run.completed): its bytes or its MAC"),
    "one more pruned": (without(5), "entry 6 (run.completed): the chain is broken here"),
    "middle deleted": (without(6), "entry 7 (person.allowed): the chain is broken here"),
    "end deleted": (without(7), f"workspace {TEAM}: its chain ends at 5, and its signed head is at 6"),
    "inserted": ([*LEFT, LEFT[2]._replace(id=9, number=5, seq=7)], "entry 9 (run.completed): its columns differ"),
    "reordered": ([LEFT[0], LEFT[2], LEFT[1], LEFT[3]], "entry 6 (run.completed): the chain is broken here"),
    "clock set back": (without(at="2020-01-01 00:00:00.000000"), "entry 6 (run.completed): its columns differ"),
    "place doubled": (without(seq=LEFT[1].seq), "entry 6 (run.completed): the chain is broken here"),
    "not pruned": (WHOLE, "entry 1 (run.queued): the chain is broken here"),
}


def test_a_pruned_log_verifies_from_where_it_begins() -> None:
    """Numbers and claims go on behind what was carried over; the count of all entries has those that went."""
    report = checked(LEFT)
    assert report.problems == []
    assert report.text() == (
        "The log verifies: 4 entries, unbroken, unchanged and in order.\n"
        f"The log of {TEAM} begins at 4: what was before was pruned on 2026-11-21."
    )


@pytest.mark.parametrize(("log", "found"), TAMPERED.values(), ids=TAMPERED)
def test_what_was_done_to_a_pruned_log_is_found(log: Log, found: str) -> None:
    """Each attack is found there, too, with the entry where it shows."""
    problems = checked(log).problems
    assert any(found in problem for problem in problems), problems


def test_what_was_not_carried_over_is_missed() -> None:
    """A number that does not begin at one, and an outcome without its claim."""
    problems = checked(LEFT, {}).problems
    assert "entry 5 (action.completed): number 3 follows 0: an entry is missing or double" in problems
    assert "entry 5 (action.completed): it tells of an attempt without a recorded intent" in problems
    (problem,) = checked(LEFT, {**CARRIED, "run_1": Carried(1, "", (("act_1", 1),))}).problems
    assert "number 3 follows 1" in problem


def test_a_chain_knows_what_it_can_know() -> None:
    """Of places before its beginning nothing; of the beginning and of what came after, what they are."""
    chain = Chain.begun_after(ChainPlace(5, "a" * 64))
    chain.add(6, "b" * 64, fits=True)
    assert [chain.has(mark(seq, hash_ * 64)) for seq, hash_ in [(4, "x"), (5, "a"), (6, "b")]] == [True] * 3
    assert [chain.has(mark(seq, hash_ * 64)) for seq, hash_ in [(5, "b"), (6, "a"), (7, "a")]] == [False] * 3


def test_what_was_carried_over_is_read_as_it_was_written() -> None:
    """Damaged it is nothing, which its signature tells."""
    place = ChainPlace(5, "a" * 64, "d")
    made = checkpoint_at(KEYS, TEAM, place, CheckpointKind.PRUNED, NOW, carried_as_text(CARRIED))
    assert (is_true(made), carried_of(made)) == (True, CARRIED)
    for damaged in ("[]", "{", '{"a":1}', '{"a":[1,"",[1]]}', '{"a":["x",""]}'):
        assert carried_of(replace(made, carried=damaged)) == {}
        assert not is_true(replace(made, carried=damaged))


# The sealer --------------------------------------------------------------------------------------------------------


async def test_a_store_that_cannot_be_read_is_waited_for(base: Opened) -> None:
    """Sealing goes on when the log can be read again."""
    async with base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    await base.tamper("ALTER TABLE audit RENAME TO away")
    with capture_logs() as logs:
        task = asyncio.create_task(Sealer(store=base.store, keyring=base.keyring, tick_seconds=0.01).run())
        while not logs:
            await asyncio.sleep(0.01)
    assert (logs[0]["event"], "exc_info" in logs[0]) == ("audit.not_sealed", False)
    await base.tamper("ALTER TABLE away RENAME TO audit")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not base.rows("SELECT * FROM audit WHERE seq IS NOT NULL"):
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(Sealer):
    """Tells how many entries each of its rounds sealed."""

    rounds: list[int] = field(default_factory=list[int])

    async def seal(self, *, certain: bool = False) -> int:
        self.rounds.append(await Sealer.seal(self, certain=certain))
        return self.rounds[-1]


async def test_what_is_written_is_sealed_at_once(base: Opened) -> None:
    """The sealer waits for no tick when its own process wrote; what writes nothing into the log does not wake it."""
    sealer = Counted(store=base.store, keyring=base.keyring, tick_seconds=3_600.0, seal_seconds=0.01)
    base.store.on_commit(sealer.committed)
    task = asyncio.create_task(sealer.run())
    for rounds in ([0], [0, 1], [0, 1, 1]):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while sealer.rounds != rounds:
                await asyncio.sleep(0.01)
        async with base.store.write() as work:
            if len(rounds) < 3:
                await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    await asyncio.sleep(0.1)
    assert sealer.rounds == [0, 1, 1]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
