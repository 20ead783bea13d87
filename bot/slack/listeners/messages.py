"""Mentions, direct messages, follow-ups, and messages that are taken back."""

from __future__ import annotations

from bot.runtime.runs.intake import Admission, Incoming, Intake
from bot.runtime.texts import to_people
from bot.slack.front import Front
from bot.slack.identity import Deleted, Edited, Identity
from bot.slack.payload import Payload
from bot.slack.whispers import Whispers


class MessageListener:
    """Hands what people say to intake, which commits before Slack is answered. A mention arrives as two events."""

    def __init__(self, *, intake: Intake, identity: Identity, whispers: Whispers) -> None:
        self._intake = intake
        self._identity = identity
        self._whispers = whispers

    def register(self, front: Front) -> None:
        """`message` covers direct messages and channels; `app_mention` the channels whose messages we do not get."""
        front.event("message", self.said)
        front.event("app_mention", self.said)

    async def said(self, body: Payload) -> None:
        """One event. Raises `NotSaved`, so that Slack sends it again."""
        incoming = self._identity.incoming(body)
        if isinstance(incoming, Deleted):
            await self._intake.deleted(incoming.team, incoming.channel, incoming.ts, may_ask=incoming.may_ask)
        elif isinstance(incoming, Edited):
            await self._intake.edited(incoming.team, incoming.channel, incoming.ts)
        elif incoming is not None:
            await self._say(incoming)

    async def _say(self, incoming: Incoming) -> None:
        """What steers a run is not answered by itself, so its author is told that it was heard."""
        admitted = await self._intake.message(incoming)
        if admitted.admission is Admission.STEERS:
            self._whispers.answer(incoming.channel, incoming.user, to_people.HEARD, thread_ts=incoming.thread_ts)
