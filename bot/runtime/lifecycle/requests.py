"""Requests: how a message becomes a queued run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.domain import ids
from bot.domain.limits import Limits
from bot.domain.runs import Run, RunState
from bot.domain.threads import Message
from bot.store.unit_of_work import UnitOfWork

_DECIMALS, _MOST_AFTER = 6, 9999
"""What a timestamp of Slack's has, and what four more digits can count."""


def source(team: str, channel: str, ts: str) -> str:
    """The key of the run that a message begins."""
    return f"slack:{team}:{channel}:{ts}"


def retry_source(run_id: str) -> str:
    """The key of the run that tries a failed one again: a second click begins no second run."""
    return f"retry:{run_id}"


async def next_order(work: UnitOfWork, team: str, user: str) -> str:
    """The place, among a person's requests, of one that did not come as a Slack message: right after all that are known
    of them. So “stop” and whatever they write next come after it, even if our clock is ahead of Slack's.
    """
    newest = await work.runs.newest_order(team, user) or "0.000000"
    whole, dot, decimals = newest.partition(".")
    after = int(decimals[_DECIMALS:] or 0) + 1
    return f"{whole}{dot}{decimals[:_DECIMALS]}{min(after, _MOST_AFTER):04}"


def queued(message: Message, *, limits: Limits, now: datetime, **more: Any) -> Run:
    """The run of a message, with one whole allowance."""
    given: dict[str, Any] = {
        "source_key": source(message.team, message.channel, message.ts),
        "user": message.author,
        "order_key": message.ts,
    }
    return Run(
        id=ids.new_id("run"),
        thread_id=message.thread_id,
        team=message.team,
        message_id=message.id,
        state=RunState.QUEUED,
        limits=limits,
        ceiling=limits,
        created_at=now,
        **given | more,
    )


def handed_on(untaken: Sequence[Message], run: Run, *, now: datetime) -> Run:
    """The run of what its requester said to a run that could not take it in any more."""
    return queued(untaken[0], limits=run.limits, now=now)


def tried_again(request: Message, run: Run, *, now: datetime) -> Run:
    """A new run of a failed one's request, at the place in the order that the request has."""
    return queued(
        request,
        limits=run.limits,
        now=now,
        source_key=retry_source(run.id),
        user=run.user,
        order_key=run.order_key,
        attached=run.attached,
        retry_of=run.id,
    )
