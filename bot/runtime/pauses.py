"""Pauses: how a run ends at a limit (docs/limits.md).

The soft stop switches the tools off and leaves the model one word more; the hard stop needs no model, its summary is
made from the action rows. Either way the run is paused, never completed, and the log says how the stop was taken.
"""

from __future__ import annotations

from enum import StrEnum

from bot.domain.audit import Fact
from bot.domain.limits import Limit
from bot.domain.runs import Run, RunState
from bot.runtime import activity, limit_words, words
from bot.runtime.transitions import AGENT, Transitions


class Ending(StrEnum):
    """How a stop was taken."""

    OBEYED = "obeyed"  # with a text, which is the summary
    IGNORED = "ignored"  # with calls, which were refused
    MISSED = "missed"  # nothing of use came, or nothing in time
    AT_ONCE = "at_once"  # nothing more was asked: a budget of the day


async def softly(moves: Transitions, run: Run, limit: Limit) -> None:
    """Tools off from now on. It is a column: a crash does not undo it."""
    if run.stopping is not None:
        return
    reason = limit_words.reached(limit, run)
    clocked = activity.going_on(run, moves.now) if run.active_since else {}
    await moves.work.runs.change(run.id, stopping=reason, stopping_at=moves.now, **clocked)
    details = {"limit": limit.value, "most": run.ceiling.of(limit)}
    moves.note(Fact(team=run.team, code="run.limit", actor=AGENT, run_id=run.id, details=details))


async def with_text(moves: Transitions, run: Run, text: str) -> Run:
    """The model's summary, under what it was asked for."""
    summary = f"{run.stopping}\n\n{text}"
    return await moves.finish(run, RunState.PAUSED, summary=summary, about={"stop": Ending.OBEYED.value})


async def without_text(moves: Transitions, run: Run, why: str, ending: Ending) -> Run:
    """A planning run, with a summary from its action rows."""
    await moves.work.runs.change(run.id, hard_stop=why)
    lines = words.ledger(await moves.work.actions.of_run(run.id))
    about = {"stop": ending.value}
    return await moves.finish(run, RunState.PAUSED, summary=words.joined(why, lines), about=about)


async def hard(moves: Transitions, run: Run, limit: Limit) -> None:
    """The grace is over: nothing more begins. What executes has a deadline of its own, and the run follows it."""
    why = run.stopping or limit_words.reached(limit, run)
    step = await moves.work.steps.open_of(run.id)
    if step is None:
        await without_text(moves, run, why, Ending.MISSED)
        return
    await moves.lock(step.id)
    await moves.work.runs.change(run.id, hard_stop=why)
    details = {"limit": limit.value, "stop": Ending.MISSED.value}
    moves.note(Fact(team=run.team, code="run.hard_stop", actor=AGENT, run_id=run.id, details=details))
    await moves.after(step.id)
