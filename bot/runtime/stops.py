"""Stopping: at once for what waits, at the next safe point for what is under way; and what was done is said."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.domain.actions import NOT_BEGUN, ActionState
from bot.domain.audit import Fact
from bot.domain.conditions import Standing, is_unfinished
from bot.domain.runs import Run, RunState
from bot.domain.threads import User
from bot.runtime import model_words, words
from bot.runtime.leases import Journal
from bot.runtime.ports import PATIENCE_SECONDS, UnitOfWork
from bot.runtime.transitions import Transitions

SLACK = "slack"
"""The actor where Slack does not say who it was: anybody who may is behind a deletion or a changed account."""


async def cancel(moves: Transitions, run: Run, *, by: str, code: str = "run.stop_asked") -> None:
    """Cancel a live or paused run. What is executing ends first; the run follows it.

    The thread is locked first, so that the run stays as it is read here until its step is locked.
    """
    await moves.work.threads.lock(run.thread_id)
    run = await moves.work.runs.find(run.id)
    if not is_unfinished(Standing.of(run)):
        return
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
        if action.state in NOT_BEGUN:
            told = model_words.cancelled(action)
            await moves.ended(action, ActionState.CANCELLED, code="action.cancelled", response=told, actor=by)
    await moves.after(step.id)


async def stop(moves: Transitions, run: Run, *, by: str, code: str = "run.stop_asked") -> int:
    """Cancel a run, and what its request has held back; how much of that is taken back.

    That is looked for under the thread's lock: what is being held back at this moment is seen here, or finds its run
    stopped. It goes first, so that the run's own last words say what became of it.
    """
    await moves.work.threads.lock(run.thread_id)
    taken_back = 0
    for held in await moves.work.runs.of_request(run.message_id):
        if held.holds is not None and is_unfinished(Standing.of(held)):
            await cancel(moves, held, by=by, code=code)
            taken_back += (await moves.work.runs.find(held.id)).state is RunState.CANCELLED
    await cancel(moves, run, by=by, code=code)
    return taken_back


class Halt(StrEnum):
    """What came of stopping a thread."""

    STOPPED = "stopped"
    NOT_YOURS = "not yours"  # somebody else's run is live there
    NOTHING = "nothing"  # no run is live there, any more or at all


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """Stops a person's runs."""

    journal: Journal

    async def stop_person(self, team: str, user: str) -> Sequence[Run]:
        """Stop all live runs of the person; what was stopped, newest first. Raises `NotSaved`.

        Each in a transaction of its own, and as many as fit into the time that Slack waits: the rest at the next call.
        """
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            live = await work.runs.live_of(team, user)
        loop = asyncio.get_running_loop()
        end, stopped = loop.time() + PATIENCE_SECONDS, list[Run]()
        for run in live:
            if stopped and loop.time() > end:
                break
            async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
                await stop(moves, run, by=user)
            stopped.append(run)
        return stopped

    async def person_changed(self, person: User) -> None:
        """Keep how somebody is by now. Whoever is no member any more has nothing done for him: his requests end.

        Each in a transaction of its own; told again, it goes on with what is left. Raises `NotSaved`, `NotRead`.
        """
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            known = await work.users.find(person.team, person.user)
        if known is None:
            return
        if replace(person, level=known.level) != known:
            async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
                await moves.work.users.seen(person)
        for run in await self._ending(person):
            async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
                await stop(moves, run, by=SLACK, code="run.requester_gone")

    async def _ending(self, person: User) -> Sequence[Run]:
        """What is not done for this person any more."""
        if person.is_member:
            return []
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            live = await work.runs.live_of(person.team, person.user)
            return [*live, *await work.runs.paused_of(person.team, person.user)]

    async def stop_thread(self, team: str, user: str, channel: str, root_ts: str) -> Halt:
        """Stop the person's newest live run in this Slack thread, with what it has held back. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            live = await _live_at(moves.work, team, channel, root_ts)
            mine = [run for run in live if run.user == user]
            newest = ([run for run in mine if run.holds is None] or mine)[-1:]
            for run in newest:
                await stop(moves, run, by=user)
            if live and not mine:
                moves.note(Fact(team=team, code="run.stop_refused", actor=user, run_id=live[-1].id))
        return Halt.STOPPED if mine else Halt.NOT_YOURS if live else Halt.NOTHING


async def _live_at(work: UnitOfWork, team: str, channel: str, root_ts: str) -> Sequence[Run]:
    """The live runs of the thread at this place, oldest first; below a post of ours only the run that it is about."""
    thread = await work.threads.at(team, channel, root_ts)
    live = list(await work.runs.live(thread.id)) if thread else []
    run_id = await work.posts.run_at(team, channel, root_ts)
    about = await work.runs.find(run_id) if run_id and run_id not in {run.id for run in live} else None
    return [*live, about] if about and about.state.is_live() else live
