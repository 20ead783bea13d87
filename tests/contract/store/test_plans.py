"""What a press or a round of housekeeping looks for is found by an index, however much was said and done before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.domain.retention import Outdated
from bot.store.unit_of_work import UnitOfWork
from tests.builders import NOW
from tests.stores import Opened

GROWING = ("messages", "runs", "steps", "actions", "questions", "contents", "objects", "votes", "posts")

Look = Callable[[UnitOfWork], Awaitable[object]]


LOOKS: dict[str, Look] = {
    "said to a run": lambda work: work.messages.untaken("run_1"),
    "said there": lambda work: work.messages.said_at("T1", "D1", "1.0"),
    "tried again": lambda work: work.messages.steer_again("run_1", by="run_2"),
    "shown": lambda work: work.objects.of_owner("thr_1", "U1", limit=9),
    "stopped": lambda work: work.runs.live_of("T1", "U1"),
    "forgotten": lambda work: work.retention.forget(Outdated.RUNS, ["run_1", "run_2"]),
    "empty threads": lambda work: work.retention.find(Outdated.THREADS, before=NOW, limit=9),
    "idle leases": lambda work: work.retention.find(Outdated.LEASES, before=NOW, limit=9),
}


@pytest.mark.parametrize("what", LOOKS)
async def test_no_table_that_grows_is_scanned(sqlite: Opened, what: str) -> None:
    """As SQLite explains the very statements that are made; of leases there are as many as threads were busy lately."""
    with sqlite.heard() as said:
        async with sqlite.store.write() as work:
            await LOOKS[what](work)
    explained = [sqlite.rows(f"EXPLAIN QUERY PLAN {statement}", *values) for statement, values in said]
    steps = [str(row["detail"]) for rows in explained for row in rows]
    assert steps
    assert [step for step in steps if step.startswith(tuple(f"SCAN {table}" for table in GROWING))] == []
    assert not any("ix_runs_completed" in step for step in steps)
