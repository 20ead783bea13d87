"""A database from which much was deleted, and which nobody vacuumed: a step costs what it costs in a new one."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

from bot.domain.retention import Outdated
from bot.runtime.audit.sealer import Sealer
from bot.runtime.operations.retention import Keep, RetentionService
from tests.contract.store.test_plans import GROWING
from tests.stores import Opened
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.verification.benchmarks.filled import copy_request

RUNS = 1_000
SAYS = [("gmail_search", {"text": "q"}), ("gmail_send", {"text": "it"})], "Done."
_KEPT = timedelta(days=1)


async def test_a_step_in_a_database_that_was_never_vacuumed(tmp_path: Path) -> None:
    """Retention forgot nearly all that is there, and the statistics are those of before. Every statement of a run finds
    its rows by an index, and what it writes goes where the others were: the file does not grow.
    """
    async with harness(tmp_path) as here:
        await _emptied(here)
        pages, free = _pragma(here.base, "page_count"), _pragma(here.base, "freelist_count")
        assert free > pages / 2
        with here.base.heard() as said:
            run = await here.asked(*SAYS)
        assert run.summary == "Done."
        explained = [here.base.rows(f"EXPLAIN QUERY PLAN {sql}", *values) for sql, values in said]
        assert _scans([str(row["detail"]) for rows in explained for row in rows]) == []
        assert _pragma(here.base, "page_count") == pages


async def _emptied(here: Harness) -> None:
    """Many runs, and then none."""
    done = await here.asked(*SAYS)
    await here.base.tamper("DELETE FROM outbox")  # all of it was shown
    await asyncio.to_thread(copy_request, here.base.path, done.id, RUNS)
    here.base.clock.advance(2 * _KEPT.total_seconds())
    keep = Keep(steps=_KEPT, messages=_KEPT, runs=_KEPT, audit=None)
    forgotten = await RetentionService(transactions=here.transactions, keep=keep).prune(here.base.clock.now())
    while await Sealer(store=here.base.store, keyring=here.base.keyring).seal():
        continue
    assert forgotten[Outdated.RUNS] == forgotten[Outdated.STEPS] == 1 + RUNS


def _scans(steps: list[str]) -> list[str]:
    return [step for step in steps if step.startswith(tuple(f"SCAN {table}" for table in GROWING))]


def _pragma(base: Opened, name: str) -> int:
    (row,) = base.rows(f"PRAGMA {name}")
    return int(row[name])
