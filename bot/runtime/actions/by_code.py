"""Steps that code takes in the model's place, and their one action."""

from __future__ import annotations

from bot.domain import ids
from bot.domain.actions import Action, ActionState
from bot.domain.runs import Run
from bot.domain.steps import Step
from bot.runtime.core.transaction import Transaction
from bot.tools.arguments import Valid
from policies.types import EffectClass


def step_of(run: Run, tx: Transaction, *, seq: int) -> Step:
    """No model was asked for it."""
    return Step(
        id=ids.new_id("step"),
        run_id=run.id,
        seq=seq,
        open=1,
        model="",
        finish="",
        started_at=tx.now,
        ended_at=tx.now,
    )


def action_of(
    run: Run, step: Step, tool: str, valid: Valid, tx: Transaction, *, caption: str, note: str = ""
) -> Action:
    """Its action, planned; no call of a model stands behind it."""
    return Action(
        id=ids.new_id("act"),
        run_id=run.id,
        step_id=step.id,
        thread_id=run.thread_id,
        team=run.team,
        user=run.user,
        seq=0,
        call_id=ids.new_id("call"),
        call_id_given=False,
        tool=tool,
        effect=EffectClass.READ,
        caption=caption[:300],
        args_proposed=valid.canonical,
        args=valid.canonical,
        args_hash=valid.hash,
        state=ActionState.PLANNED,
        summary=note,
        created_at=tx.now,
    )
