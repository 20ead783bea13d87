"""What people say in a conversation, what becomes of it there, and Slack's Stop button."""

from __future__ import annotations

from dataclasses import dataclass

from bot.runtime.runs.incoming import Admission, Incoming
from bot.runtime.runs.intake import Intake
from bot.runtime.runs.stop import Halt, stop_thread
from bot.runtime.texts import to_people
from bot.slack.inbound.events import MessageDeleted, MessageEdited, MessageReader, SessionStopped
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Recipient, Replies

NOT_STOPPED = {
    Halt.NOT_YOURS: "Only the person who asked can stop this.",
    Halt.NOTHING: "Nothing is running here any more.",
}
_HEARD = {Admission.STEERS: to_people.HEARD, Admission.NOTED: to_people.NOTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageListener:
    """Hands what people say to intake, which commits before Slack is answered. A mention arrives as two events.

    Its methods raise `NotSaved`, so that Slack sends the event again.
    """

    intake: Intake
    reader: MessageReader
    replies: Replies

    def register(self, router: Router) -> None:
        """`message` covers direct messages and channels; `app_mention` the channels whose messages we do not get."""
        router.event("message", self.reader.parse, self.said)
        router.event("app_mention", self.reader.parse, self.said)
        router.event("agent_session_stopped", SessionStopped.parse, self.stopped)

    async def said(self, event: Incoming | MessageDeleted | MessageEdited | None) -> None:
        """Take in a message, or what became of one."""
        match event:
            case MessageDeleted():
                await self.intake.deleted(event.team, event.channel, event.ts, may_ask=event.may_ask)
            case MessageEdited():
                await self.intake.edited(event.team, event.channel, event.ts)
            case Incoming():
                await self._say(event)
            case None:
                pass

    async def _say(self, incoming: Incoming) -> None:
        """What steers a run gets no answer of its own, so its author is told that it was heard; and so is the author of
        what was refused and not answered.
        """
        admitted = await self.intake.message(incoming)
        author = Recipient(user=incoming.user, channel=incoming.channel, thread_ts=incoming.thread_ts)
        self.replies.tell(author, _HEARD.get(admitted.admission, admitted.aside))

    async def stopped(self, event: SessionStopped) -> None:
        """Stop the person's own runs of the thread. Slack leaves it to the app to end the session's status."""
        halt = await stop_thread(self.intake.transactions, event.team, event.user, event.channel, event.thread_ts)
        person = Recipient(user=event.user, channel=event.channel, thread_ts=event.thread_ts)
        self.replies.tell(person, NOT_STOPPED.get(halt, ""))
        if halt is not Halt.NOT_YOURS:
            self.replies.end_session(event.channel, event.thread_ts)
