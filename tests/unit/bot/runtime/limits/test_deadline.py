"""Deadlines of attempts: moved on with the lease while their worker lives, so that none is far away when it dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.runtime.core.lease import DEADLINE_SECONDS, Attempt, leased
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness

SLOW_SECONDS = 60.0
SEND = ("gmail_send", {"text": "it"})


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, renew_seconds=0.01) as made:
        monkeypatch.setattr(made.effect, "timeout_seconds", SLOW_SECONDS)
        yield made


async def test_a_slow_call_is_not_cut_short(here: Harness) -> None:
    """While its worker lives an attempt may send as long as its tool may take, and the rows are never behind: the
    worker that takes over waits no longer than a deadline inside the lease, and never too short.
    """
    here.effect.busy = asyncio.Event()
    serving = asyncio.create_task(here.asked([SEND]))
    clock = here.base.clock
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not here.effect.calls:
            await asyncio.sleep(0.01)
        (call,) = here.effect.calls
        end = clock.now() + timedelta(seconds=SLOW_SECONDS)
        assert call.until == clock.now() + timedelta(seconds=DEADLINE_SECONDS)
        for _ in range(2):
            clock.advance(DEADLINE_SECONDS - 1)
            wanted = min(clock.now() + timedelta(seconds=DEADLINE_SECONDS), end)
            while call.until != wanted:
                await asyncio.sleep(0.01)
            (row,) = here.base.rows("SELECT id FROM actions")
            async with here.base.store.read() as work:
                assert (await work.actions.find(row["id"])).deadline_at == wanted
        assert call.until == end
        here.effect.busy.set()
        run = await serving
    assert (await here.action(run)).state is ActionState.COMPLETED


async def test_who_was_taken_over_moves_nothing_on(here: Harness) -> None:
    """A worker that lost its lease keeps the deadline that it had, in its memory and in the rows."""
    now = here.base.clock.now()
    action = await here.standing(here.effect, ActionState.EXECUTING, attempt=1, deadline_at=now)
    attempt = Attempt(action_id=action.id, number=1, until=now, end=now + timedelta(seconds=SLOW_SECONDS))
    async with leased(here.transactions, "thr_1", "a") as lease:
        assert lease
        await here.base.tamper("UPDATE leases SET epoch = epoch + 1, holder = 'b'")
        with lease.making(attempt):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await lease.lost.wait()
    assert (attempt.until, (await here.action(action)).deadline_at) == (now, now)
