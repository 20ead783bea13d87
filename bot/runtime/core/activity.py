"""How long a run has worked: the time in which it plans or executes and its thread is served (docs/limits.md).

`active_since` stands while it works; what was worked before is in `active_ms`. Every beat of the lease adds the stretch
since the last one, so a crash loses a beat at most, and the time until somebody takes the thread over never counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.domain.runs import Run, RunChanges, RunState
from bot.store.unit_of_work import UnitOfWork

LONGEST_STRETCH_MS = 30_000  # beats come more often: whatever is longer is a clock that was set, or a frozen process


def active_ms(run: Run, now: datetime) -> int:
    """How long it has worked until now."""
    if run.active_since is None:
        return run.active_ms
    stretch = int((now - run.active_since).total_seconds() * 1000)
    return run.active_ms + max(0, min(stretch, LONGEST_STRETCH_MS))


def going_on(run: Run, now: datetime) -> RunChanges:
    """The columns of a run that works on from here."""
    return {"active_ms": active_ms(run, now), "active_since": now}


def resting(run: Run, now: datetime) -> RunChanges:
    """The columns of a run that does not work from now on."""
    return {"active_ms": active_ms(run, now), "active_since": None}


def moved(run: Run, to: RunState, now: datetime) -> RunChanges:
    """The changes of a move to this state; none where it keeps working, or keeps resting."""
    if to.holds_thread() and run.active_since is None:
        return {"active_since": now}
    return {} if to.holds_thread() or run.active_since is None else resting(run, now)


async def taken_over(work: UnitOfWork, thread_id: str, now: datetime) -> Sequence[Run]:
    """The thread is served from now on: the time that its runs waited for this does not count. Its live runs, as they
    are then.
    """
    await work.threads.lock(thread_id)
    runs = await work.runs.live(thread_id)
    for run in runs:
        if run.state.holds_thread():
            await work.runs.change(run.id, active_since=now)
    return [await work.runs.find(run.id) for run in runs]


async def beat(work: UnitOfWork, thread_id: str, now: datetime) -> None:
    """Add the time that the thread's runs worked since the last beat."""
    await work.threads.lock(thread_id)
    for run in await work.runs.live(thread_id):
        if run.active_since is not None:
            await work.runs.change(run.id, **going_on(run, now))


async def left(work: UnitOfWork, thread_id: str, now: datetime) -> None:
    """The thread is not served any more."""
    await work.threads.lock(thread_id)
    for run in await work.runs.live(thread_id):
        if run.active_since is not None:
            await work.runs.change(run.id, **resting(run, now))
