"""Mails that leave later, or after a moment in which their owner can still take them back."""

from __future__ import annotations

from datetime import datetime, timedelta

from integrations.base import ToolContext
from integrations.errors import ToolFailed
from integrations.gmail import moments

HOLD = timedelta(seconds=30)
"""How long a mail that left without a card can be undone."""


def spoken(send_at: str | None, ctx: ToolContext, now: datetime) -> str:
    """When it leaves, in words; empty for at once. Raises `ModelRetry` as `moments.leaving`."""
    zone = ctx.requester.zone
    at = None if ctx.due else moments.leaving(send_at, zone, now)
    return moments.in_words(at, zone, now) if at else ""


def caption(said: str, send_at: str | None) -> str:
    """The caption of a mail, with its moment."""
    return f"{said} on {moments.roughly(send_at)}" if send_at else said


def check_due(send_at: str | None, ctx: ToolContext, now: datetime) -> None:
    """Raises `ToolFailed` before the moment: whoever calls too early sends nothing."""
    if send_at is not None and not ctx.due and (at := moments.moment(send_at, ctx.requester.zone)) > now:
        when = moments.in_words(at, ctx.requester.zone, now)
        raise ToolFailed("too_early", f"This mail is to leave on {when}. It was not sent yet.")
