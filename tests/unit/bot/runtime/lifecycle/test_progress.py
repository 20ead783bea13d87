"""Whatever moves in a step, its run follows in the same transaction."""

from __future__ import annotations

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.runs import RunState
from bot.runtime.core.transaction import StepNotFollowed
from bot.runtime.lifecycle.actions import move_action, settle_action
from bot.runtime.lifecycle.progress import step_locked
from tests.unit.bot.runtime.runtime_harness import Harness


async def test_the_run_follows_at_the_end_of_the_block(here: Harness) -> None:
    """The last call of a step was settled: the step is closed, and the model is asked next."""
    action = await here.standing(here.effect, ActionState.APPROVED)
    async with here.transactions.write() as tx, step_locked(tx, action.step_id):
        await settle_action(tx, action, ActionState.CANCELLED, code=AuditCode.ACTION_CANCELLED, response={})
    assert (await here.run(action.run_id)).state is RunState.PLANNING
    async with here.base.store.read() as work:
        assert await work.steps.open_of(action.run_id) is None


async def test_a_move_that_nothing_follows_is_not_committed(here: Harness) -> None:
    """A transition that forgot the rule is a defect that stops at once, not a run that stands still."""
    action = await here.standing(here.effect, ActionState.APPROVED)
    with pytest.raises(StepNotFollowed, match=action.step_id):
        async with here.transactions.write() as tx:
            await move_action(tx, action, ActionState.PLANNED, code=AuditCode.ACTION_JUDGED_AGAIN)
    assert (await here.action(action)).state is ActionState.APPROVED


async def test_a_look_that_moves_nothing_changes_nothing(here: Harness) -> None:
    """A step that was only read is left as it is: nobody is woken, and a person's press is not noted."""
    action = await here.standing(here.effect, ActionState.APPROVED)
    before = await here.run(action.run_id)
    async with here.transactions.write() as tx, step_locked(tx, action.step_id, woken=True):
        await tx.work.actions.of_step(action.step_id)
    assert await here.run(action.run_id) == before
