"""Replicas as processes: what is due happens once, though they all look at once and one of them is killed."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.domain.schedules import Schedule, ScheduleKind
from bot.secrets import new_key
from bot.store.store import Store
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened, opened

REPLICAS = 3


@asynccontextmanager
async def replicas(url: str, key: str) -> AsyncGenerator[list[Process]]:
    """Processes that keep time, ready; they end with the block."""
    command = (sys.executable, "-m", "tests.integration.replica", url, key)
    started = [
        await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=Path(__file__).parents[2])
        for _ in range(REPLICAS)
    ]
    try:
        for process in started:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"ready\n"
        yield started
    finally:
        await asyncio.gather(*(process.communicate(b"") for process in started))


async def plan(store: Store, first: datetime, *, count: int, per_second: int) -> None:
    """So many schedules, one after the other."""
    async with store.write() as work:
        for n in range(count):
            await work.schedules.add(_schedule(n, first + timedelta(seconds=n / per_second)))


def _schedule(n: int, at: datetime) -> Schedule:
    return Schedule(
        id=f"sch_{n}", team=TEAM, user=DANA, channel="D1", title="", spec={"hour": at.hour, "minute": at.minute},
        kind=ScheduleKind.REQUEST if n % 2 else ScheduleKind.REMINDER, zone="UTC", payload={"text": "look"},
        next_fire=at, created_at=at,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("count", "per_second"),
    [pytest.param(40, 40, id="few"), pytest.param(300, 100, id="many", marks=pytest.mark.chaos)],
)
async def test_what_is_due_happens_once(tmp_path: Path, postgres_url: str, count: int, per_second: int) -> None:
    """Three replicas, of which one is killed in the middle: none of the schedules is missed and none fires twice."""
    key = new_key()
    async with opened(tmp_path, postgresql=postgres_url) as base, replicas(postgres_url, key) as running:
        first = SystemClock().now() + timedelta(seconds=0.5)
        await plan(base.store, first, count=count, per_second=per_second)
        await asyncio.sleep(0.5 + count / per_second / 2)
        running[0].kill()
        await _until_fired(base, count)
    fired = Counter(row["source_key"] for row in base.rows("SELECT source_key FROM runs"))
    told = Counter(row["subject"] for row in base.rows("SELECT subject FROM outbox WHERE kind = 'alarm'"))
    entries = base.rows("SELECT COUNT(*) AS n FROM audit WHERE code = 'schedule.fired'")
    assert (len(fired), len(told)) == (count / 2, count / 2)
    assert set(fired.values()) == set(told.values()) == {1}
    assert entries == [{"n": count}]


async def _until_fired(base: Opened, count: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(base.rows("SELECT id FROM schedules WHERE last_fired IS NOT NULL")) < count:
            await asyncio.sleep(0.1)
