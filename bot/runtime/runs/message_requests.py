"""Requests about a message that somebody chose in Slack. They stand in that person's direct messages, private whoever
can read the message, and the message goes along as attached context: none of its words count as typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.limits import Limits, Rate
from bot.domain.runs import MAX_ATTACHED
from bot.domain.threads import Message
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.opening import open_request, request_of
from bot.runtime.limits import rate_limit
from bot.runtime.runs.incoming import SharedFile, SharedMessage, with_shared


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRequest:
    """What a person asks about a message. `channel` is their DM, `form` the window that they sent: once is one request.

    Besides the message itself, `messages` holds those that were forwarded with it.
    """

    team: str
    user: str
    channel: str
    form: str
    text: str
    messages: Sequence[SharedMessage]
    files: Sequence[SharedFile] = ()

    @property
    def source(self) -> str:
        """The source key of its run."""
        return f"form:{self.team}:{self.form}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRequests:
    """Begins them. `limits` is what a chat run may use, `rate` how fast one person may ask."""

    transactions: TransactionFactory
    limits: Limits
    rate: Rate | None = None

    async def begin(self, asked: MessageRequest) -> str:
        """Begin it, or say why it waits for another press; empty when it began, now or before. Raises `NotSaved`."""
        async with self.transactions.write_promptly() as tx:
            if await tx.work.runs.by_source(asked.source) is not None:
                return ""
            if refusal := await rate_limit.held_back(tx, asked.team, asked.user, self.rate):
                return refusal
            attached = [message.attached() for message in asked.messages[:MAX_ATTACHED]]
            about = {"about": attached[0].id} if attached else {}
            request, source = _request(asked, tx), asked.source
            await open_request(
                tx, request, source=source, is_dm=True, limits=self.limits, details=about, attached=attached
            )
            return ""


def _request(asked: MessageRequest, tx: Transaction) -> Message:
    return request_of(
        asked.source,
        team=asked.team,
        user=asked.user,
        channel=asked.channel,
        is_dm=True,
        text=with_shared(asked.text, asked.messages, asked.files),
        typed=asked.text,
        now=tx.now,
    )
