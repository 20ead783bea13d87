"""Held: what its owner does with something that waits for its moment: Undo, Send now. One press wins, or the claim."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.actions import Action, ActionState
from bot.domain.audit import Fact
from bot.domain.conditions import Standing, may_be_undone
from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import Run, RunState
from bot.runtime import words
from bot.runtime.leases import Journal
from bot.runtime.presses import ClickOutcome, Press, Refused, run_of, take_press
from bot.runtime.stops import cancel
from bot.runtime.transitions import Transitions


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Undoes what waits, or has it done at once; `press.value` is the waiting run's id. Both raise `NotSaved`."""

    journal: Journal

    async def undo(self, press: Press) -> ClickOutcome:
        """Cancel it, unless it was begun before."""
        return await take_press(self.journal, press, _undo)

    async def send_now(self, press: Press) -> ClickOutcome:
        """Its moment is now."""
        return await take_press(self.journal, press, _send_now)


async def _waiting(moves: Transitions, press: Press) -> Run:
    """What waits for its moment, with its step locked; raises `Refused` when something of it was begun."""
    run = await run_of(moves, press)
    if run.holds is None:
        raise Refused("click.wrong_choice", words.HELD_OVER, run)
    step = await moves.work.steps.open_of(run.id)
    if step is not None:
        await moves.lock(step.id)
    (action,) = await moves.work.actions.of_run(run.id)
    if not may_be_undone(Standing.of(run), action.state):
        raise Refused("run.not_undone", _came_of(run, action), run)
    return run


async def _undo(moves: Transitions, press: Press) -> None:
    await cancel(moves, await _waiting(moves, press), by=press.user, code="run.undone")


async def _send_now(moves: Transitions, press: Press) -> None:
    run = await _waiting(moves, press)
    if run.state is not RunState.QUEUED:
        raise Refused("run.not_sent_now", words.HELD_BEGUN, run)
    await moves.work.runs.change(run.id, not_before=moves.now)
    moves.note(Fact(team=run.team, code="run.sent_now", actor=press.user, run_id=run.id))
    await moves.deliver(run.thread_id, DeliveryKind.HELD, run.id, team=run.team)
    moves.wake(run.thread_id)


def _came_of(run: Run, action: Action) -> str:
    if action.state is ActionState.COMPLETED:
        return words.HELD_DONE
    return words.HELD_UNDONE if run.state is RunState.CANCELLED else words.HELD_BEGUN
