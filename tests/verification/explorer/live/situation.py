"""What goes on when something is found, in words: the lease, what rests, and the tasks with the place they wait at."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from tests.verification.explorer.live.stage import Stage

_DEFAULT = "Task-"  # what asyncio names a task by that nobody named


def situation(stage: Stage) -> Sequence[str]:
    """A line each."""
    return [*_leases(stage), *_rests(stage), *_tasks(stage)]


def _leases(stage: Stage) -> Iterator[str]:
    yield f"now: {stage.base.clock.now()}; serving: {stage.worker.name}; frozen: {getattr(stage.frozen, 'name', None)}"
    for row in stage.eyes.rows("SELECT name, holder, epoch, expires_at FROM leases"):
        yield f"lease: {row['name']} of {row['holder']}, epoch {row['epoch']}, until {row['expires_at']}"


def _rests(stage: Stage) -> Iterator[str]:
    """Jobs that crashed just now, by the names that the runner gives them, and actions whose provider was busy."""
    crashes = stage.worker.runner.crashes
    for run_id in stage.sight.runs:
        keys = [
            "model",
            f"watch {run_id}",
            *(key for key, row in stage.sight.actions.items() if row["run_id"] == run_id),
        ]
        for name in (f"{key} of {run_id}" for key in keys):
            if crashes.rests(name):
                yield f"rests after a crash: {name}"
    for row in stage.eyes.rows(
        "SELECT id, deadline_at FROM actions WHERE state = 'approved' AND deadline_at IS NOT NULL"
    ):
        yield f"rests until {row['deadline_at']}: {row['id']}"


def _tasks(stage: Stage) -> Iterator[str]:
    for task in sorted(asyncio.all_tasks(stage.loop), key=lambda task: task.get_name()):
        if not task.get_name().startswith(_DEFAULT):
            yield f"task: {task.get_name()}, at {_place(task)}"
    for waiting in stage.outside.waiting:
        yield f"waits for the outside: {waiting.worker}, {waiting.place.name} of {waiting.about}"


def _place(task: asyncio.Task[Any]) -> str:
    """The innermost line of ours."""
    frame, place = task.get_coro(), "its beginning"
    while (frame := getattr(frame, "cr_await", None)) is not None:
        if (inner := getattr(frame, "cr_frame", None)) is not None:
            place = f"{inner.f_code.co_qualname}, line {inner.f_lineno}"
    return place
