"""Stopping: at once for what waits, at the next safe point for what is under way; and what was done is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.actions import ActionState
from bot.domain.audit import Fact
from bot.domain.runs import Run, RunState
from bot.runtime import words
from bot.runtime.leases import Journal
from bot.runtime.transitions import Transitions

PATIENCE_SECONDS = 2.5
_WAITING = {ActionState.PLANNED, ActionState.AWAITING, ActionState.APPROVED}


async def cancel(moves: Transitions, run: Run, *, by: str, code: str = "run.stop_asked") -> None:
    """Cancel a live or paused run. What is executing ends first; the run follows it."""
    moves.note(Fact(team=run.team, code=code, actor=by, run_id=run.id))
    step = await moves.work.steps.open_of(run.id)
    if step is None:
        lines = words.ledger(await moves.work.actions.of_run(run.id))
        await moves.finish(run, RunState.CANCELLED, summary=words.joined(words.STOPPED, lines), actor=by)
        return
    await moves.lock(step.id)
    await moves.work.runs.change(run.id, cancel_requested=True, stopped_by=by)
    await moves.withdraw_all(run)
    for action in await moves.work.actions.of_step(step.id):
        if action.state in _WAITING:
            told = words.cancelled(action)
            await moves.ended(action, ActionState.CANCELLED, code="action.cancelled", response=told, actor=by)
    await moves.after(step.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """Stops a person's runs."""

    journal: Journal

    async def stop_person(self, team: str, user: str, *, run_id: str | None = None) -> Sequence[Run]:
        """Stop this live run of the person, or all of them; what was stopped, newest first. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            live = await moves.work.runs.live_of(team, user)
            stopped = [run for run in live if run_id in {None, run.id}]
            for run in stopped:
                await cancel(moves, run, by=user)
            return stopped

    async def stop_thread(self, team: str, user: str, channel: str, root_ts: str) -> Sequence[Run]:
        """Stop the person's newest live run in this Slack thread. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            run_id = await moves.work.posts.run_at(team, channel, root_ts)
            thread = await moves.work.threads.at(team, channel, root_ts)
            live = [
                run
                for run in await moves.work.runs.live_of(team, user)
                if run.id == run_id or (thread and run.thread_id == thread.id)
            ]
            for run in live[:1]:
                await cancel(moves, run, by=user)
            return live[:1]
