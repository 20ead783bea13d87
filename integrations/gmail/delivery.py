"""Draft first, then send: how one mail leaves at most once, and how a doubtful attempt is settled.

Sending a draft deletes it (Gmail API guide "Create and send drafts"), so a draft that is still there was not sent. Its
id is noted between the two requests; before the note nothing can have been sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from integrations.base import Call, Done, NotDone, Reconciled, Result, Unknown
from integrations.errors import Ambiguous, BasisChanged, ToolError, ToolFailed
from integrations.gmail.addresses import read_addresses
from integrations.gmail.client import Mailbox
from integrations.gmail.letters import Letter, message_id_for
from integrations.gmail.results import SENT_LINK, sent_result
from integrations.gmail.wire import Draft, Message
from integrations.google.client import GoogleClient
from integrations.google.errors import Missing


@dataclass(frozen=True, slots=True)
class Delivery:
    """One action's mail on its way. `call.key` gives it its Message-ID, the same in every attempt."""

    mailbox: Mailbox
    call: Call

    @property
    def message_id(self) -> str:
        """The Message-ID header of this action's mail."""
        noted = self.call.noted.get("message_id_header")
        return noted if isinstance(noted, str) else message_id_for(self.call.key, self.mailbox.email)

    async def deliver(self, letter: Letter) -> Result:
        """Send it. Raises `Ambiguous` when it may have left; at any other error it certainly did not."""
        raw = letter.raw(self.message_id)
        draft_id = await self._ready_draft(letter, raw)
        try:
            sent = await self.mailbox.send_draft(draft_id, deadline=self.call.deadline)
        except Missing:
            message = "The draft was removed or changed in Gmail before it could be sent. It was not sent from here."
            raise ToolFailed("draft_gone", message, hint="Ask the user before you send it again.") from None
        return sent_result(sent, subject=letter.subject, to=[address.email for address in letter.recipients])

    async def settle(self) -> Reconciled:
        """Whether an earlier attempt sent the mail. Leaves a note, so that the next attempt makes no second draft."""
        draft_id = self.call.noted.get("draft_id")
        if not isinstance(draft_id, str):
            draft = await self.mailbox.find_draft(self.message_id)
            if draft is not None:
                await self.call.note({"draft_id": draft.id, "message_id_header": self.message_id})
            return NotDone()
        try:
            await self.mailbox.draft(draft_id)
        except Missing:
            return await self._look_in_sent()
        return NotDone()

    async def _look_in_sent(self) -> Reconciled:
        sent = await self.mailbox.find_sent(self.message_id) or await self._sent_in_thread()
        if sent is None:
            await self.call.note({**self.call.noted, "unclear": True})
            return _unclear()
        noted = self.call.noted
        return Done(sent_result(sent, subject=str(noted.get("subject", "")), to=_texts(noted.get("to"))))

    async def _sent_in_thread(self) -> Message | None:
        """Gmail may have given the mail another Message-ID: a sent mail to the same people in the draft's thread."""
        thread_id = self.call.noted.get("thread_id")
        if not isinstance(thread_id, str):
            return None
        [thread] = await self.mailbox.rows([thread_id])
        if isinstance(thread, ToolError):
            return None
        since, to = self.call.noted.get("at_ms"), set(_texts(self.call.noted.get("to")))
        for message in thread.messages:
            late = isinstance(since, int) and message.internal_date >= since
            people = {a.email.lower() for a in read_addresses(message.payload.all_headers("To"))}
            if "SENT" in message.label_ids and late and people and people <= to:
                return message
        return None

    async def _ready_draft(self, letter: Letter, raw: str) -> str:
        """The id of a draft that holds exactly this letter and is noted: an earlier attempt's, else a new one."""
        draft = await self._earlier_draft(letter, raw)
        if draft is None:
            draft = await self.mailbox.create_draft(raw, letter.thread_id, deadline=self.call.deadline)
        await self.call.note(self._note(draft, letter))
        return draft.id

    async def _earlier_draft(self, letter: Letter, raw: str) -> Draft | None:
        """An earlier attempt's draft, made to hold this letter; None at the first attempt.

        A draft that is gone although it was there a moment ago is doubt, unless the owner looked and said "try again".
        """
        noted = self.call.noted.get("draft_id")
        if not isinstance(noted, str):
            return None
        try:
            return await self.mailbox.replace_draft(noted, raw, letter.thread_id)
        except Missing:
            if self.call.noted.get("unclear"):
                return None
            raise Ambiguous("sending the mail") from None

    def _note(self, draft: Draft, letter: Letter) -> Mapping[str, object]:
        return {
            "draft_id": draft.id,
            "message_id_header": self.message_id,
            "thread_id": draft.message.thread_id if draft.message else None,
            "subject": letter.subject,
            "to": [address.email.lower() for address in letter.recipients],
            "at_ms": int(self.mailbox.clock.now().timestamp() * 1000),
        } | ({"at_ms": since} if isinstance(since := self.call.noted.get("at_ms"), int) else {})


async def settle(google: GoogleClient, scopes: frozenset[str], call: Call) -> Reconciled:
    """What became of an earlier attempt to send a mail; when Google cannot be asked it is unknown."""
    try:
        account = await google.account(call.requester, scopes, approved=call.account)
        return await Delivery(Mailbox(account), call).settle()
    except (ToolError, BasisChanged):
        return _unclear()


def _unclear() -> Unknown:
    return Unknown(where="Gmail, under Sent", link=SENT_LINK)


def _texts(value: object) -> list[str]:
    return [str(item) for item in cast("list[object]", value)] if isinstance(value, list) else []
