"""Drafts: what the model has written of an answer while it writes. Kept with a run that was stopped meanwhile."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import Run, RunState
from bot.domain.states import LostRace
from bot.llm.model import ModelEvent, Restarted, TextDelta
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.store.errors import NotSaved

_STOPPED = {RunState.CANCELLED, RunState.PAUSED}


@dataclass(slots=True)
class Draft:
    """The text of one model call so far."""

    text: str = ""

    def hear(self, event: ModelEvent) -> None:
        """One event of the call."""
        match event:
            case TextDelta(text):
                self.text += text
            case Restarted():
                self.text = ""
            case _:
                pass


async def keep(run: Run, draft: Draft, lease: Lease) -> None:
    """Keep it if the run was stopped; when it was only let go of, the call is made again. Best effort."""
    if draft.text.strip():
        with suppress(NotSaved, LostRace):
            async with lease.write() as tx:
                await kept(tx, await tx.work.runs.find(run.id), draft.text)


async def kept(tx: Transaction, run: Run, text: str) -> None:
    """The same, in this transaction; the answer is shown anew with it."""
    if run.state in _STOPPED and text.strip():
        await tx.work.runs.change(run.id, partial=text.strip())
        await tx.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)
