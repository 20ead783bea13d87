"""The read models of what waits for its moment: its message, and its line in a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from bot.domain.actions import Action
from bot.domain.deliveries import HELD, card_slot
from bot.domain.questions import Choice
from bot.domain.runs import Run, RunState
from bot.domain.threads import zone_of
from bot.runtime.actions.defer import SEND_NOW_FROM_SECONDS
from bot.runtime.actions.previews import named, preview_of
from bot.runtime.delivery.lists import HeldLine
from bot.runtime.delivery.views import HeldView
from bot.store.unit_of_work import UnitOfWork
from policies.engine import is_by_rule
from policies.types import Decision


async def deferred_view(work: UnitOfWork, run_id: str) -> HeldView | None:
    """What waits for its moment in this run, or what came of it; None for every other run."""
    run = await work.runs.find(run_id)
    if run.holds is None or run.not_before is None:
        return None
    (action,) = await work.actions.of_run(run_id)
    person = await work.users.find(run.team, run.user)
    wait = run.not_before - run.created_at
    asked = await work.actions.known(run.holds)
    allowed = action.verdict if action.verdict and action.verdict.decision is Decision.ALLOW else None
    return HeldView(
        place=await work.runs.place(run.id),
        state=run.state,
        action=action.state,
        preview=preview_of(action),
        caption=named(action),
        at=run.not_before,
        wait=wait,
        zone=zone_of(person),
        rule=allowed.rule if allowed and is_by_rule(allowed) else "",
        reason=allowed.reason if allowed else "",
        detail=action.summary,
        link=action.link,
        doubt=action.doubt,
        again_at=action.rests_until,
        ended_at=action.ended_at,
        early=asked is not None and _named_time(asked) not in {"", run.not_before.isoformat()},
        can_be_sent_now=wait.total_seconds() >= SEND_NOW_FROM_SECONDS,
        stopped_by=run.stopped_by,
        card=await _card_of(work, run, asked),
    )


def _named_time(asked: Action) -> str:
    """Until when it was to wait, as the action that asked for it was told."""
    output = (asked.response or {}).get("output")
    return str(cast("dict[str, object]", output).get("not_before", "")) if isinstance(output, dict) else ""


async def _card_of(work: UnitOfWork, run: Run, asked: Action | None) -> str:
    """The question whose card stands where it was approved. What an earlier release showed in a message of its own
    stays there.
    """
    if asked is None or await work.posts.find(run.id, HELD) is not None:
        return ""
    for question_id in reversed(await work.questions.ids_of_action(asked.id)):
        question = await work.questions.find(question_id)
        stands = await work.posts.find(asked.run_id, card_slot(question_id)) is not None
        if question is not None and question.decision is Choice.APPROVE and stands:
            return question_id
    return ""


async def deferred_lines(work: UnitOfWork, team: str, user: str) -> Sequence[HeldLine]:
    """What this person has waiting, the next one first."""
    found: list[HeldLine] = []
    for run in await work.runs.live_of(team, user):
        if run.holds is not None and run.state is RunState.QUEUED and run.not_before is not None:
            (action,) = await work.actions.of_run(run.id)
            found.append(HeldLine(run_id=run.id, caption=named(action), at=run.not_before))
    return sorted(found, key=lambda line: line.at)
