"""The process is killed while the log is pruned, on each database: what is left verifies, and pruning goes on to its
end.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from itertools import count, product
from typing import Any

import pytest

from bot.domain.audit import CheckpointKind
from bot.runtime.audit.chain import place_at
from bot.runtime.audit.export import checkpoints
from bot.runtime.audit.pruner import Pruner
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.operations.retention import Keep, RetentionService
from bot.store.engine.connection import DriverResult
from bot.store.engine.statements import Bound
from bot.store.store import Store
from tests.dispatchers import Nobody
from tests.stores import Opened
from tests.unit.bot.runtime.audit.test_pruner import DAY, checked, days_of, proven, seal, seqs
from tests.verification.explorer.live.fate import Died, FatedStore, Life, Traffic

BATCH = 4  # entries: a day, so a step and its commit for each


def pruner(base: Opened, store: Store, *, batch: int = BATCH) -> Pruner:
    return Pruner(store=store, keyring=base.keyring, clock=base.clock, batch=batch)


def begins_at(base: Opened) -> int:
    """The first of the sealed entries that are left."""
    (found,) = base.rows("SELECT min(seq) AS seq FROM audit")
    return int(found["seq"])


async def lives_on(base: Opened, before: datetime, *, first: int) -> None:
    """After a restart the log begins at `first`, behind a checkpoint of before this moment, and verifies, with the keys
    and for others: at once, and when what the killed process had written is sealed.
    """
    assert begins_at(base) == first
    signed = await checkpoints(base.store)
    began = [one for one in signed if one.kind is CheckpointKind.PRUNED]
    covered = [one for one in signed if one.kind is CheckpointKind.SEALED and one.at <= before]
    assert [one.seq for one in began] == ([first - 1] if first > 1 else [])
    assert {place_at(one) for one in began} <= {place_at(one) for one in covered}
    for _ in range(2):
        assert ((await checked(base)).problems, (await proven(base)).is_whole) == ([], True)
        await seal(base)


async def test_pruning_dies_at_each_of_its_commits(base: Opened) -> None:
    """Just before and just after each: nothing went that the commit before did not let go, and the next process goes on
    from there to the end.
    """
    await days_of(base, 5)
    before = base.clock.now() - 2 * DAY
    for step, kept in product(range(3), (False, True)):
        life = Life(commits=1, kept=kept)
        with pytest.raises(Died):
            await pruner(base, FatedStore(base, life, Traffic())).prune(before)
        await lives_on(base, before, first=1 + BATCH * (step + kept))
    assert await pruner(base, base.store).prune(before) == BATCH
    await lives_on(base, before, first=17)
    assert await pruner(base, base.store).prune(before) == 0


async def test_pruning_dies_at_each_of_its_statements(base: Opened) -> None:
    """In the middle of a step nothing of it is kept: neither where the log begins nor that an entry went."""
    await days_of(base, 2)
    before, entries = base.clock.now(), seqs(base)
    for n in count(1):
        with dies_at(base, n) as said:
            try:
                await pruner(base, base.store, batch=2 * BATCH).prune(before)
            except Died:
                assert seqs(base) == entries
                assert not base.rows("SELECT seq FROM audit_checkpoints WHERE kind = 'pruned'")
                continue
        assert n > len(said)
        assert sum(sql.startswith("DELETE FROM audit ") for sql in said) == 1
        break


@contextmanager
def dies_at(base: Opened, n: int) -> Generator[list[str]]:
    """Whatever the store does, its n-th statement from here is never made: its process is gone."""
    said: list[str] = []
    kind = base.connections
    run = kind.run

    def lives(sql: str) -> None:
        said.append(sql)
        if len(said) == n:
            raise Died

    async def one(connection: Any, sql: str, values: Bound) -> DriverResult:
        lives(sql)
        return await run(connection, sql, values)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kind, "run", one)
        yield said


async def test_what_was_killed_has_its_turn_again(base: Opened) -> None:
    """Pruning has its turn once a day: what starts on SQLite takes it at once, other replicas on the next day."""
    await days_of(base, 5)
    keep = Keep(steps=None, messages=None, runs=2 * DAY, audit=2 * DAY)

    async def tick(store: Store) -> None:
        transactions = TransactionFactory(store=store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
        await RetentionService(transactions=transactions, keep=keep, pruner=pruner(base, store)).tick()

    turns = 2  # of all else, and of the log
    with pytest.raises(Died):
        await tick(FatedStore(base, Life(commits=turns + 2), Traffic()))
    await lives_on(base, base.clock.now() - 2 * DAY, first=1 + 2 * BATCH)
    await tick(base.store)
    assert begins_at(base) == 1 + 2 * BATCH
    days = 4
    if base.is_postgresql:
        base.clock.advance(DAY.total_seconds())
        days += 1
    else:
        async with base.store.write() as work:
            await work.leases.void_all()
    await tick(base.store)
    await lives_on(base, base.clock.now() - 2 * DAY, first=1 + days * BATCH)
