"""Mails that leave later, or after a moment in which their owner can undo them."""

from __future__ import annotations

from datetime import datetime, timedelta

from integrations.base import ToolContext, Variant
from integrations.errors import ToolFailed
from integrations.gmail.outgoing import send_time

HOLD = timedelta(seconds=30)
"""How long a mail that left without a card can be undone."""


SEND_LATER = Variant(label="Send later", asks="send_at")
SAVE_DRAFT = Variant(label="Save draft", args={"as_draft": True, "send_at": None})


def variants(send_at: str | None, ctx: ToolContext, *, as_draft: bool) -> list[Variant]:
    """What can be approved in the place of sending it as the card shows it."""
    if as_draft or ctx.due:
        return []
    return [*([] if send_at else [SEND_LATER]), SAVE_DRAFT]


def spoken(send_at: str | None, ctx: ToolContext, now: datetime) -> str:
    """When it leaves, in words; empty for at once. Raises `ModelRetry` as `send_time.leaving`."""
    zone = ctx.requester.zone
    at = None if ctx.due else send_time.leaving(send_at, zone, now)
    return send_time.in_words(at, zone, now) if at else ""


def caption(said: str, send_at: str | None, *, as_draft: bool) -> str:
    """The caption of a mail, with its moment."""
    if as_draft:
        return f"Save a draft: {said[:1].lower()}{said[1:]}"
    return f"{said} on {send_time.roughly(send_at)}" if send_at else said


def check_due(send_at: str | None, ctx: ToolContext, now: datetime) -> None:
    """Raises `ToolFailed` before the moment, so that a call that comes too early sends nothing."""
    if send_at is not None and not ctx.due and (at := send_time.moment(send_at, ctx.requester.zone)) > now:
        when = send_time.in_words(at, ctx.requester.zone, now)
        raise ToolFailed("too_early", f"This mail is to leave on {when}. It was not sent yet.")
