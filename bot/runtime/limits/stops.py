"""Stops: how a run ends at a limit (docs/limits.md).

The soft stop switches the tools off and leaves the model one word more; the hard stop needs no model, its summary is
made from the action rows. Either way the run is paused, never completed, and the log says how the stop was taken. The
monitor of active time looks each second, whatever is under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.limits import GRACE, Budget, Limit
from bot.domain.runs import DEADLINE, WITH_REQUEST, Run, RunChanges, RunState
from bot.runtime.core import activity
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.progress import finish_run, step_locked
from bot.runtime.lifecycle.runs import live_below, move_run
from bot.runtime.limits.usage import Overdue, overdue, stopped_at
from bot.runtime.texts import about_limits, to_people
from integrations.ports import Clock


class Ending(StrEnum):
    """How a stop was taken."""

    OBEYED = "obeyed"  # with a text, which is the summary
    IGNORED = "ignored"  # with calls, which were refused
    MISSED = "missed"  # nothing of use came, or nothing in time
    AT_ONCE = "at_once"  # nothing more was asked: a budget of the day


async def softly(tx: Transaction, run: Run, limit: Limit | Budget, *, of_request: bool = False, why: str = "") -> None:
    """Tools off from now on. It is a column: a crash does not undo it. `of_request`: the limit is not the run's own.
    `why` is said to people where it does not follow from the limit, as at a budget of the day.
    """
    if run.stopping is not None:
        return
    reason = why if isinstance(limit, Budget) else await _reason(tx, run, limit, of_request=of_request)
    clocked: RunChanges = activity.going_on(run, tx.now) if run.active_since else {}
    stopping: RunChanges = {**clocked, "stopping": reason, "stopping_at": tx.now, "stop_code": limit.value}
    if of_request:
        stopping["hinted"] = (*run.hinted, WITH_REQUEST)
    await tx.work.runs.change(run.id, **stopping)
    most = {} if isinstance(limit, Budget) else {"most": run.ceiling.of(limit)}
    details = {"limit": limit.value, **most}
    tx.record(AuditEvent(team=run.team, code=AuditCode.RUN_LIMIT, actor=AGENT, run_id=run.id, details=details))


async def _reason(tx: Transaction, run: Run, limit: Limit, *, of_request: bool) -> str:
    return about_limits.reached(limit, await _limited(tx, run, limit, of_request=of_request))


async def _limited(tx: Transaction, run: Run, limit: Limit, *, of_request: bool) -> Run:
    """The run whose limit it is: its own, or that of its whole request."""
    is_own = run.limits.of(limit) is not None and not of_request
    return run if is_own else await tx.work.runs.find(run.request_run)


async def with_text(tx: Transaction, run: Run, text: str) -> Run:
    """The model's summary, under what it was asked for."""
    await tx.work.runs.change(run.id, stop_code=stopped_at(run, tx.now).value)
    run = await tx.work.runs.find(run.id)
    summary = f"{run.stopping}\n\n{text}"
    return await finish_run(tx, run, RunState.PAUSED, summary=summary, about={"stop": Ending.OBEYED.value})


async def without_text(tx: Transaction, run: Run, why: str, ending: Ending, *, code: str = "") -> Run:
    """A planning run, with a summary from its action rows. `code` names what was reached, where nothing stopped it
    before.
    """
    await tx.work.runs.change(run.id, hard_stop=why, stop_code=run.stop_code or code)
    lines = to_people.ledger(await tx.work.actions.of_work(run.id))
    about = {"stop": ending.value}
    return await finish_run(tx, run, RunState.PAUSED, summary=to_people.joined(why, lines), about=about)


async def hard(tx: Transaction, run: Run, limit: Limit) -> None:
    """The grace is over: nothing more begins, here and in the runs that work for it. What executes has a deadline of
    its own, and its run follows it.
    """
    for each in await _at_work(tx, run):
        limited = await _limited(tx, each, limit, of_request=each.id != run.id)
        why = each.stopping or about_limits.reached(limit, limited)
        await tx.work.runs.change(each.id, hard_stop=why, stop_code=each.stop_code or limit.value)
    await _end_all(tx, run, limit.value)


async def at_deadline(tx: Transaction, run: Run) -> None:
    """The same at the point in time by which it was to be done. What waits for people is not waited for any more."""
    for each in await _at_work(tx, run):
        way_on = "" if each.is_child else f" {about_limits.ASKS_FOR_ANOTHER}"
        await tx.work.runs.change(each.id, hard_stop=f"{about_limits.DEADLINE_OVER}{way_on}", stop_code=DEADLINE)
    await _end_all(tx, run, DEADLINE)


async def _at_work(tx: Transaction, run: Run) -> Sequence[Run]:
    """What works for the run, the deepest first, and the run."""
    return [*(child for child in await live_below(tx.work, run) if child.state.is_live()), run]


async def _end_all(tx: Transaction, run: Run, code: str) -> None:
    for each in await _at_work(tx, run):
        await _end(tx, await tx.work.runs.find(each.id), code)


async def _end(tx: Transaction, run: Run, code: str) -> None:
    """Of those that work for it the deepest come first, and a run may have followed them to its end."""
    if not run.state.is_live():
        return
    step = await tx.work.steps.open_of(run.id)
    if step is None:
        planning = run if run.state is RunState.PLANNING else await move_run(tx, run, RunState.PLANNING)
        await without_text(tx, planning, run.hard_stop or "", Ending.MISSED)
        return
    async with step_locked(tx, step.id):
        tx.step_changed(step.id)
        details = {"limit": code, "stop": Ending.MISSED.value}
        tx.record(AuditEvent(team=run.team, code=AuditCode.RUN_HARD_STOP, actor=AGENT, run_id=run.id, details=details))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineMonitor:
    """Stops runs that have worked for too long, or whose deadline is over."""

    clock: Clock
    grace: timedelta = GRACE

    def is_due(self, run: Run) -> bool:
        """Whether its time asks for a stop that was not made yet."""
        return overdue(run, self.clock.now(), self.grace) is not None

    async def stop(self, run: Run, lease: Lease) -> None:
        """At the limit softly, after the grace and at the deadline hard; the thread's worker drops the model's call."""
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)
            current = await tx.work.runs.find(run.id)
            match overdue(current, tx.now, self.grace):
                case Overdue.SOFT:
                    await softly(tx, current, Limit.ACTIVE)
                case Overdue.HARD:
                    await hard(tx, current, Limit.ACTIVE)
                case Overdue.DEADLINE:
                    await at_deadline(tx, current)
                case None:
                    pass
