"""A reply comes before what waits: an action that would ask while one is untaken is rejected (docs/states.md §7.3)."""

from __future__ import annotations

from bot.domain.actions import ActionState
from bot.domain.conditions import Standing
from bot.domain.runs import Run
from bot.runtime import model_words, words
from bot.runtime.transitions import Transitions


async def supersede(moves: Transitions, action_id: str, *, by: str) -> None:
    """planned or awaiting_confirmation → rejected: its requester replied, and the reply comes first."""
    action = await moves.work.actions.find(action_id)
    await moves.ended(
        action,
        ActionState.REJECTED,
        code="action.superseded",
        response=model_words.superseded(),
        actor=by,
        summary=words.SUPERSEDED,
    )


async def standing(moves: Transitions, run: Run) -> Standing:
    """The facts of a run, with whether something that was said to it is untaken."""
    return Standing.of(run, untaken=bool(await moves.work.messages.untaken(run.id)))
