"""Results: the one way in which what a tool returned becomes rows, privacy and cards."""

from __future__ import annotations

from bot.domain.actions import Action, ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import Run
from bot.domain.threads import SeenObject
from bot.runtime.transitions import AGENT, Transitions
from integrations.base import Result
from policies.types import EffectClass

_OBJECTS_RECORDED = 50  # ids in one audit entry


async def rewrite_card(moves: Transitions, action: Action) -> None:
    """Deliver the final form of the cards about this action."""
    for question_id in await moves.work.questions.ids_of_action(action.id):
        await moves.deliver(action.thread_id, DeliveryKind.CARD, question_id, team=action.team)


async def record_result(
    moves: Transitions, action: Action, result: Result, *, code: str = "action.completed", actor: str = AGENT
) -> None:
    """The one way in which a result becomes rows."""
    response: dict[str, object] = {"output": result.data, "trust": result.label.value}
    spent = int((moves.now - (action.started_at or moves.now)).total_seconds() * 1000)
    run = await moves.work.runs.find(action.run_id)
    done = await moves.ended(
        action,
        ActionState.COMPLETED,
        code=code,
        actor=actor,
        about={"objects": [f"{item.kind}:{item.id}" for item in result.objects[:_OBJECTS_RECORDED]]},
        response=response,
        summary=result.summary[:1000],
        link=result.link,
        undo=result.undo,
        label=result.label,
        private=result.private,
        doubt=False,
    )
    await moves.work.runs.change(
        run.id,
        active_ms=run.active_ms + spent,
        label=run.label.worst(result.label),
        private=run.private or result.private,
    )
    await moves.work.threads.worsen(action.thread_id, result.label)
    await _stub_once(moves, run, private=result.private)
    seen = [
        SeenObject(
            run_id=action.run_id,
            owner=action.user,
            kind=item.kind,
            object_id=item.id,
            title=item.title,
            people=tuple(item.people),
        )
        for item in result.objects
    ]
    await moves.work.objects.add(action.thread_id, seen, at=moves.now)
    await rewrite_card(moves, done)
    if done.effect is EffectClass.OWN:
        await moves.deliver(action.thread_id, DeliveryKind.NOTICE, action.id, team=action.team)


async def _stub_once(moves: Transitions, run: Run, *, private: bool) -> None:
    """The moment a channel's run becomes private, its thread gets the stub."""
    thread = await moves.work.threads.find(run.thread_id)
    if private and not run.private and not thread.is_dm:
        await moves.deliver(run.thread_id, DeliveryKind.STUB, run.id, team=run.team)
