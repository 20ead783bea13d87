"""Where a run lives: its thread, its request, and who may see it."""

from __future__ import annotations

from bot.domain.runs import Run
from bot.runtime.delivery.views import (
    Place,
)
from bot.store.unit_of_work import UnitOfWork


async def place_of(work: UnitOfWork, run: Run) -> Place:
    """Where a run lives, in the caller's snapshot."""
    thread = await work.threads.find(run.thread_id)
    message = await work.messages.find(run.message_id)
    moved = message.channel != thread.channel
    return Place(
        run_id=run.id,
        team=run.team,
        user=run.user,
        channel=message.channel,
        root_ts=message.root_ts if moved else thread.root_ts if thread.is_rooted else "",
        request_ts=message.ts,
        is_dm=moved or thread.is_dm,
        private=run.private,
        state=run.state,
    )
