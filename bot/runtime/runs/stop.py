"""Stopping: at once for what waits, at the next safe point for what is under way; the answer lists what was done."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from bot.domain.actions import NOT_BEGUN, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, is_a_request, is_unfinished, no_stop_asked
from bot.domain.runs import Run, RunState
from bot.domain.threads import Message, User
from bot.runtime.core.clicks import ButtonClick, ClickOutcome, ClickRejected, handle, run_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import settle_action
from bot.runtime.lifecycle.progress import finish_run, said_at_stop, step_locked
from bot.runtime.lifecycle.questions import withdraw_questions
from bot.runtime.lifecycle.runs import live_below, show_agent
from bot.runtime.texts import about_agents, about_plans, to_model
from bot.store.unit_of_work import UnitOfWork

SLACK = "slack"
"""The actor where Slack does not name one: any permitted person may have deleted it or changed the account."""


async def cancel(
    tx: Transaction, run: Run, *, by: str, code: AuditCode = AuditCode.RUN_STOP_ASKED, copied_at: datetime | None = None
) -> None:
    """Cancel a live or paused run, and all that works for it. What is executing ends first; the run follows it.
    `copied_at` is when the copy was made that ends it by taking the place of the database.

    The thread is locked first, so that the run stays as it is read here until its step is locked.
    """
    await tx.work.threads.lock(run.thread_id)
    run = await tx.work.runs.find(run.id)
    if not is_unfinished(Standing.of(run)):
        return
    if below := await live_below(tx.work, run):
        await tx.work.runs.change(run.id, cancel_requested=True, stopped_by=by)  # nothing more is begun for it
        for child in below:
            await _cancel(tx, child, by=by, code=code, copied_at=copied_at)
    await _cancel(tx, run, by=by, code=code, copied_at=copied_at)


async def _cancel(tx: Transaction, run: Run, *, by: str, code: AuditCode, copied_at: datetime | None) -> None:
    """One run; those that work for it were cancelled before, and it may have followed the last of them."""
    run = await tx.work.runs.find(run.id)
    if not is_unfinished(Standing.of(run)):
        return
    tx.record_run(run, code, actor=by)
    await show_agent(tx, run)
    step = await tx.work.steps.open_of(run.id)
    if step is None:
        said = await said_at_stop(tx, run, copied_at=copied_at)
        await finish_run(tx, run, RunState.CANCELLED, summary=said, actor=by)
        return
    async with step_locked(tx, step.id):
        await tx.work.runs.change(run.id, cancel_requested=True, stopped_by=by)
        tx.step_changed(step.id)
        await withdraw_questions(tx, run)
        for action in await tx.work.actions.of_step(step.id):
            if action.state in NOT_BEGUN and not await _is_at_work(tx, action.child):
                told = to_model.cancelled(action)
                await settle_action(
                    tx, action, ActionState.CANCELLED, code=AuditCode.ACTION_CANCELLED, response=told, actor=by
                )


async def _is_at_work(tx: Transaction, child: str | None) -> bool:
    """Whether the run that does the work has still to end."""
    return child is not None and (await tx.work.runs.find(child)).state.is_live()


async def stop(tx: Transaction, run: Run, *, by: str, code: AuditCode = AuditCode.RUN_STOP_ASKED) -> int:
    """Cancel a run, and what its request has held back; how much of that is taken back.

    That is looked for under the thread's lock: what is being held back at this moment is seen here, or finds its run
    stopped. It goes first, so that the run's own last words say what became of it.
    """
    await tx.work.threads.lock(run.thread_id)
    taken_back = 0
    for held in await tx.work.runs.of_request(run.message_id):
        if held.holds is not None and is_unfinished(Standing.of(held)):
            await cancel(tx, held, by=by, code=code)
            taken_back += (await tx.work.runs.find(held.id)).state is RunState.CANCELLED
    await cancel(tx, run, by=by, code=code)
    return taken_back


async def stoppable_in_thread(work: UnitOfWork, message: Message) -> Sequence[Run]:
    """The author's runs that “stop” can end where this was said, the newest first, and those that go on before those
    that paused. What was asked after it was said goes on: it came late.
    """
    live = [run for run in await work.runs.live_of(message.team, message.author) if run.order_key < message.ts]
    paused = await work.runs.paused_of(message.team, message.author)
    return [run for run in (*live, *paused) if run.thread_id == message.thread_id]


def newest_of(stoppable: Sequence[Run]) -> Run | None:
    """The one that “stop” ends: a request before what it has held back."""
    return min(stoppable, key=lambda run: run.holds is not None, default=None)


async def stop_agent(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """End an agent with what works for it; the run above goes on. `click.value` is its run's id. Raises `NotSaved`."""
    return await handle(transactions, click, _stop_agent)


async def _stop_agent(tx: Transaction, click: ButtonClick) -> None:
    run = await run_of(tx, click)
    if is_a_request(Standing.of(run)):
        raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, about_agents.NO_AGENT, run)
    _check_under_way(run, over=about_agents.OVER, stops=about_agents.STOPS)
    await cancel(tx, run, by=click.user)


async def stop_request(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """Stop a request with all that works for it; `click.value` is its run's id. Raises `NotSaved`."""
    return await handle(transactions, click, _stop_request)


async def _stop_request(tx: Transaction, click: ButtonClick) -> None:
    run = await run_of(tx, click)
    _check_under_way(run, over=about_plans.OVER, stops=about_plans.STOPS)
    await stop(tx, run, by=click.user)


def _check_under_way(run: Run, *, over: str, stops: str) -> None:
    """There is something to stop, and nobody asked for that yet; raises `ClickRejected`. What paused can go on, so its
    owner can end it, too.
    """
    if not is_unfinished(Standing.of(run)):
        raise ClickRejected(AuditCode.CLICK_LATE, over, run)
    if not no_stop_asked(Standing.of(run)):
        raise ClickRejected(AuditCode.CLICK_LATE, stops, run)


class Halt(StrEnum):
    """What came of stopping a thread."""

    STOPPED = "stopped"
    NOT_YOURS = "not yours"  # somebody else's run is live there
    NOTHING = "nothing"  # no run is live there, any more or at all


async def stop_person(transactions: TransactionFactory, team: str, user: str) -> Sequence[Run]:
    """Stop all live runs of the person; what was stopped, newest first. Raises `NotSaved`.

    Each in a transaction of its own, and as many as fit into the time that Slack waits: the rest at the next call.
    """
    async with transactions.read_promptly() as work:
        live = await work.runs.live_of(team, user)
    loop = asyncio.get_running_loop()
    end, stopped = loop.time() + transactions.patience_seconds, list[Run]()
    for run in live:
        if stopped and loop.time() > end:
            break
        async with transactions.write_promptly() as tx:
            await stop(tx, run, by=user)
        stopped.append(run)
    return stopped


async def person_changed(transactions: TransactionFactory, person: User) -> None:
    """Keep the person's status. Nothing more is done for a person who is no member any more: their requests end.

    Each in a transaction of its own; told again, it goes on with what is left. Raises `NotSaved`, `NotRead`.
    """
    now = transactions.clock.now()
    async with transactions.read_promptly() as work:
        known = await work.users.find(person.team, person.user)
        is_signed_in = not person.is_member and await work.sessions.of(person.team, person.user, now=now)
    if known is None:
        return
    if is_signed_in:
        async with transactions.write_promptly() as tx:
            await tx.work.sessions.end_all(person.team, person.user, at=tx.now)
    if replace(person, level=known.level) != known:
        async with transactions.write_promptly() as tx:
            await tx.work.users.seen(person)
    for run in await _ending(transactions, person):
        async with transactions.write_promptly() as tx:
            await stop(tx, run, by=SLACK, code=AuditCode.RUN_REQUESTER_GONE)


async def _ending(transactions: TransactionFactory, person: User) -> Sequence[Run]:
    """What is not done for this person any more."""
    if person.is_member:
        return []
    async with transactions.read_promptly() as work:
        live = await work.runs.live_of(person.team, person.user)
        return [*live, *await work.runs.paused_of(person.team, person.user)]


async def stop_thread(transactions: TransactionFactory, team: str, user: str, channel: str, root_ts: str) -> Halt:
    """Stop the person's newest live run in this Slack thread, with what it has held back. Raises `NotSaved`."""
    async with transactions.write_promptly() as tx:
        live = await _live_at(tx.work, team, channel, root_ts)
        mine = [run for run in live if run.user == user]
        newest = ([run for run in mine if run.holds is None] or mine)[-1:]
        for run in newest:
            await stop(tx, run, by=user)
        if live and not mine:
            tx.record_run(live[-1], AuditCode.RUN_STOP_REFUSED, actor=user)
    return Halt.STOPPED if mine else Halt.NOT_YOURS if live else Halt.NOTHING


async def _live_at(work: UnitOfWork, team: str, channel: str, root_ts: str) -> Sequence[Run]:
    """The live runs of the thread at this place, oldest first; below a post of ours only the run that it is about."""
    thread = await work.threads.at(team, channel, root_ts)
    live = [run for run in await work.runs.live(thread.id) if not run.is_child] if thread else []
    run_id = await work.posts.run_at(team, channel, root_ts)
    about = await work.runs.find((await work.runs.find(run_id)).request_run) if run_id else None
    about = None if about and about.id in {run.id for run in live} else about
    return [*live, about] if about and about.state.is_live() else live
