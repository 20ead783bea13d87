"""The deadline of a plan, for what is done later: nothing of it is begun after that, be it scheduled or still to be
undone until then (docs/plans.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.runs import DEADLINE, Run
from bot.domain.threads import zone_of
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import rewrite_card, settle_action
from bot.runtime.texts import about_plans, to_model
from bot.store.store import Store
from integrations.errors import ModelRetry
from policies.types import Decision, Verdict

AFTER_DEADLINE = "after_deadline"
"""The code of the error."""


async def check_moment(store: Store, run: Run, moment: datetime | None, zone: str) -> datetime | None:
    """The moment at which something is to be done, before anybody is asked about it. Raises `ModelRetry` where it is
    not before the deadline of the request that the run belongs to.
    """
    if (deadline := await _deadline_until(store, run, moment)) and moment is not None:
        told = about_plans.due_too_late(moment, deadline, zone)
        raise ModelRetry(AFTER_DEADLINE, told, hint=about_plans.NAME_EARLIER, private=False)
    return moment


async def wrong_moment(store: Store, run: Run, moment: datetime | None, zone: str) -> str:
    """The same, to the owner of a card who names the moment themselves; empty where nothing is wrong with it."""
    deadline = await _deadline_until(store, run, moment)
    return about_plans.choose_earlier(deadline, zone) if deadline else ""


async def _deadline_until(store: Store, run: Run, moment: datetime | None) -> datetime | None:
    """The deadline of the request that the run belongs to, where the moment is not before it."""
    if moment is None:
        return None
    async with store.read() as work:
        deadline = (await work.runs.find(run.request_run)).deadline_at
    return deadline if deadline is not None and deadline <= moment else None


async def refused(tx: Transaction, action: Action, request: Run, until: datetime, columns: Mapping[str, Any]) -> bool:
    """planned or approved → denied, where it could be begun only after the deadline of its request."""
    if request.deadline_at is None or not request.is_late(until):
        return False
    person = await tx.work.users.find(action.team, action.user)
    await _deny(tx, action, about_plans.due_too_late(until, request.deadline_at, zone_of(person)), columns)
    return True


async def deny_late(tx: Transaction, action: Action) -> None:
    """The same of what was held back and came too late: no monitor looks after its run."""
    await _deny(tx, action, about_plans.HELD_TOO_LATE, {})


async def _deny(tx: Transaction, action: Action, why: str, columns: Mapping[str, Any]) -> None:
    told = to_model.error(AFTER_DEADLINE, why, hint=about_plans.NAME_EARLIER)
    judged: dict[str, Any] = {
        **columns,
        "verdict": Verdict(decision=Decision.DENY, rule=f"limit.{DEADLINE}", reason=why),
    }
    code = AuditCode.ACTION_DENIED
    denied = await settle_action(tx, action, ActionState.DENIED, code=code, response=told, summary=why, **judged)
    await rewrite_card(tx, denied)
