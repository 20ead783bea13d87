"""The end of a step: what its calls came to goes back to the model (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.actions import Action, ActionState
from bot.domain.conditions import never_edited
from bot.domain.runs import Run
from bot.llm import wire
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import rewrite_card
from bot.runtime.texts import to_model


async def close_step(tx: Transaction, run: Run, step_id: str) -> None:
    """Close the step: its responses go back in call order in one content."""
    actions = await tx.work.actions.of_step(step_id)
    await tx.work.steps.append(run.id, [responses(actions)])
    for action in actions:
        if action.state is ActionState.EXPIRED:  # its card offers no more to ask again
            await rewrite_card(tx, action)
    await tx.work.steps.set_open(step_id, 0, closed_at=tx.now)
    tx.step_followed(step_id)


def responses(actions: Sequence[Action]) -> wire.Wire:
    """The function responses of a step, in call order; a call without a response gets one in words."""
    return wire.function_responses(
        (action.call_id, action.tool, action.call_id_given, _told(action)) for action in actions
    )


def _told(action: Action) -> Mapping[str, object]:
    response = action.response or to_model.unsettled(action)
    if action.is_scheduled and not action.is_waiting:  # taken back or done while other calls of its step waited
        response = to_model.held_since(response, action)
    return response if never_edited(action.edition) else to_model.edited(response, action)
