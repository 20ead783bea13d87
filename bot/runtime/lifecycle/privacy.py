"""Who may see what a run says, and how far its context can be trusted (docs/architecture.md).

What is true of a run is true of those that it works for: it hands over to them.
"""

from __future__ import annotations

from bot.domain.actions import Action
from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import Run
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.runs import show_agent
from policies.types import Label


async def post_stub(tx: Transaction, run: Run) -> None:
    """In a channel, say without content that this goes on in the owner's direct messages."""
    if not (await tx.work.threads.find(run.thread_id)).is_dm:
        await tx.deliver(run.thread_id, DeliveryKind.STUB, run.request_run, team=run.team)


async def make_private(tx: Transaction, run: Run) -> None:
    """Something that only its owner may see entered the run's context: it goes on in the owner's direct messages."""
    for each in await tx.work.runs.lineage(run):
        if not each.private:
            await post_stub(tx, each)
            await tx.work.runs.change(each.id, private=True)
            await show_agent(tx, each)


async def make_private_like_card(tx: Transaction, action: Action) -> None:
    """Its owner said something on this card: where only they saw it, their words stay private."""
    if action.preview and action.preview.get("private"):
        await make_private(tx, await tx.work.runs.find(action.run_id))


async def content_entered(tx: Transaction, action: Action, *, private: bool, label: Label) -> None:
    """What entered the run's context lowers its label; what only the owner sees makes it private from now on."""
    run = await tx.work.runs.find(action.run_id)
    if private:
        await make_private(tx, run)
    for each in await tx.work.runs.lineage(run):
        await tx.work.runs.change(each.id, label=each.label.worst(label))
    await tx.worsen(action.thread_id, label)
