"""“Make a plan”: a request that paused at its limit of steps is planned. What paused stays as it is."""

from __future__ import annotations

from functools import partial

from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, may_continue
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import Limit, Rate
from bot.domain.plans import Phase, Plan
from bot.domain.runs import Run
from bot.runtime.core.clicks import ButtonClick, ClickOutcome, ClickRejected, handle, run_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import new_run, queue_run
from bot.runtime.limits import rate_limit
from bot.runtime.questions.follow_ups import is_remembered
from bot.runtime.texts import about_plans
from bot.store.unit_of_work import UnitOfWork


async def is_offered(work: UnitOfWork, run: Run) -> bool:
    """Whether the request of this run can be planned: it was too big for one answer, and no plan is made of it yet."""
    return _was_too_big(run) and await is_remembered(work, run) and not await work.runs.by_source(_source(run))


async def make_plan(transactions: TransactionFactory, click: ButtonClick, rate: Rate | None = None) -> ClickOutcome:
    """Plan it, in the same words; `click.value` is the run's id. It counts as a request does. Raises `NotSaved`."""
    return await handle(transactions, click, partial(_make_plan, rate=rate))


async def _make_plan(tx: Transaction, click: ButtonClick, rate: Rate | None) -> None:
    run = await run_of(tx, click)
    if await tx.work.runs.by_source(_source(run)):
        raise ClickRejected(AuditCode.CLICK_LATE, about_plans.MADE_ALREADY, run)
    if not _was_too_big(run):
        raise ClickRejected(AuditCode.CLICK_LATE, about_plans.NOT_AT_ITS_LIMIT, run)
    if not await is_remembered(tx.work, run):
        raise ClickRejected(AuditCode.CLICK_LATE, about_plans.FORGOTTEN, run)
    if rate and (refused := await rate_limit.exceeded(tx, run.team, run.user, rate)):
        told = await rate_limit.in_words(tx.work, run.team, run.user, rate, refused)
        raise ClickRejected(AuditCode.MESSAGE_REFUSED, told, run)
    planned = await _planned(tx, run)
    await tx.work.plans.begin(Plan(run_id=planned.id, created_at=tx.now))
    await queue_run(tx, planned, plan="asked", instead_of=run.id)
    await tx.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)


def _was_too_big(run: Run) -> bool:
    is_plain = run.definition is None and run.phase is None
    return is_plain and run.stop_code == Limit.STEPS.value and may_continue(Standing.of(run))


def _source(run: Run) -> str:
    """A second press begins no second plan."""
    return f"plan:{run.id}"


async def _planned(tx: Transaction, run: Run) -> Run:
    return new_run(
        await tx.work.messages.find(run.message_id),
        limits=run.limits,
        now=tx.now,
        source=_source(run),
        order=run.order_key,
        user=run.user,
        attached=run.attached,
        phase=Phase.PROPOSE,
    )
