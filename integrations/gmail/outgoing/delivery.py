"""Draft first, then send: how one mail leaves at most once, and how a doubtful attempt is settled.

Sending a draft deletes it (Gmail API guide "Create and send drafts"), so a draft that is still there was not sent. Its
id is noted between the two requests; before the note nothing can have been sent. After it a draft that is gone may have
been sent late, and a search that finds nothing proves nothing: no second mail is made, unless its owner says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from integrations.base import Call, Done, NotDone, Reconciled, Result
from integrations.errors import Ambiguous, Busy, Missing, TooLate, ToolError, ToolFailed
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import people, subject_of
from integrations.gmail.mime.bodies import plain_text
from integrations.gmail.outgoing.draft_revision import StoredDraft
from integrations.gmail.outgoing.mail import SUBJECT_LENGTH, OutgoingMail, message_id_for
from integrations.gmail.results import LOOK_UNDER_DRAFTS, LOOK_UNDER_SENT, draft_result, sent_result
from integrations.gmail.wire import Draft, GmailMessage

_CLOCKS_APART = timedelta(minutes=5)
"""How much earlier than an attempt's deadline a mail may be that it sent: the attempt's time, and two clocks."""
DRAFT_STAYS = "A draft of it stays in Gmail, under Drafts."
DRAFT_MAY_STAY = "A draft of it may lie in Gmail, under Drafts."


@dataclass(frozen=True, slots=True)
class MailDelivery:
    """One action's mail on its way. `call.key` gives it its Message-ID, the same in every attempt."""

    mailbox: Mailbox
    call: Call

    @property
    def message_id(self) -> str:
        """The Message-ID header of this action's mail."""
        return self._noted("message_id_header") or message_id_for(self.call.key, self.mailbox.email)

    async def deliver(self, mail: OutgoingMail) -> Result:
        """Send it. Raises `Ambiguous` when it may have left; at any other error it certainly did not."""
        raw = mail.raw(self.message_id)
        begun = self.call.attempt > 1 or self._noted("draft_id") is not None  # also by what was held back since
        found = await self._earlier(mail, raw) if begun else None
        if isinstance(found, GmailMessage):
            return self._result(found, mail)
        draft = found or await self.mailbox.create_draft(raw, mail.thread_id, deadline=self.call.until)
        await self.call.note(self._note(draft, mail))
        try:
            sent = await self.mailbox.send_draft(draft.id, deadline=self.call.until)
        except Missing:
            if self.call.attempt > 1:
                return await self._left_late(mail)
            message = "The draft was removed or changed in Gmail before it could be sent. It was not sent from here."
            raise ToolFailed("draft_gone", message, hint="Ask the user before you send it again.") from None
        except TooLate:  # the next attempt sends this draft
            raise
        except Busy as error:  # and so it does here; until then it is seen in Gmail
            error.message, error.left = f"{error.message} {DRAFT_STAYS}", DRAFT_STAYS
            raise
        except ToolError as error:
            return await self._refused(error, draft, mail)
        return self._result(sent, mail)

    async def deliver_kept(self, kept: StoredDraft, mail: OutgoingMail) -> Result:
        """Send a draft of the person's own as it stands; it stays where that fails. Raises as `deliver`."""
        await self.call.note({**self._note(kept.draft, mail), "message_id_header": kept.message_id})
        try:
            sent = await self.mailbox.send_draft(kept.draft.id, deadline=self.call.until)
        except Missing:
            return await self.sent_before()
        return self._result(sent, mail)

    async def sent_before(self) -> Result:
        """What became of a draft of the person's own that is gone. Raises `Ambiguous` where it may have been sent from
        here without a trace, and `ToolFailed` where it was not.
        """
        tried = self._noted("draft_id") is not None
        sent = await self._looked_for() if tried else None
        if sent is not None:
            return self._noted_result(sent)
        if tried and not self.call.doubt:
            raise Ambiguous("sending the mail")
        message = "The draft was sent or deleted in Gmail meanwhile. Nothing was sent from here."
        raise ToolFailed("draft_gone", message, hint="Ask the user before you write the mail anew.")

    async def keep(self, mail: OutgoingMail, *, note: str = "") -> Result:
        """Save it as a draft, in one request. Its owner sends it."""
        raw = mail.raw(self.message_id)
        found = await self.mailbox.find_draft(self.message_id) if self.call.attempt > 1 else None
        draft = found or await self.mailbox.create_draft(raw, mail.thread_id, deadline=self.call.until)
        return draft_result(draft, subject=mail.subject, to=mail.emails, account=self.mailbox.email, note=note)

    async def kept(self, *, note: str = "") -> Reconciled:
        """Whether an earlier attempt saved it. One that did not can be made again: only its owner would see two."""
        draft = await self.mailbox.find_draft(self.message_id)
        if draft is None:
            return LOOK_UNDER_DRAFTS if self.call.forgotten else NotDone()
        subject = subject_of(draft.message, SUBJECT_LENGTH)
        to = [address.email for address in people(draft.message, "To", "Cc")]
        return Done(draft_result(draft, subject=subject, to=to, account=self.mailbox.email, note=note))

    async def _refused(self, error: ToolError, draft: Draft, mail: OutgoingMail) -> Result:
        """This request certainly sent nothing: its draft is taken back, for the next try is another action's.

        A draft that is gone by then may have been taken by an earlier attempt's request. Raises the error else.
        """
        try:
            await self.mailbox.delete_draft(draft.id, deadline=self.call.until)
        except Missing:
            if self.call.attempt > 1:
                return await self._left_late(mail)
        except (ToolError, Ambiguous):
            error.message = f"{error.message} {DRAFT_STAYS}"
        else:
            await self.call.note({**self._note(draft, mail), "draft_id": None})
        raise error

    async def _left_late(self, mail: OutgoingMail) -> Result:
        """The draft vanished while this attempt ran: an earlier request to send it may have arrived late."""
        sent = await self._looked_for()
        if sent is None:
            raise Ambiguous("sending the mail")
        return self._result(sent, mail)

    async def _looked_for(self) -> GmailMessage | None:
        """The mail among those that were sent; `Ambiguous` where Google does not say, for then it may be there."""
        try:
            return await self._sent()
        except ToolError:
            raise Ambiguous("sending the mail") from None

    async def settle(self) -> Reconciled:
        """Whether an earlier attempt sent the mail. One whose note is forgotten is looked for without it."""
        draft_id = self._noted("draft_id")
        if draft_id is None and self.call.forgotten:
            sent = await self._sent()
            return Done(self._noted_result(sent)) if sent else LOOK_UNDER_SENT
        if draft_id is None:
            return NotDone(DRAFT_MAY_STAY, final=True)  # the note comes before the request to send
        try:
            await self.mailbox.draft(draft_id)
        except Missing:
            sent = await self._sent()
            return LOOK_UNDER_SENT if sent is None else Done(self._noted_result(sent))
        return NotDone(DRAFT_STAYS)

    async def _earlier(self, mail: OutgoingMail, raw: str) -> Draft | GmailMessage | None:
        """What an earlier attempt left behind: its draft, made to hold this mail, or the mail, if it left after all.

        None when there is neither: no attempt came as far as sending, or its owner looked and said to try again.
        Unless they said so, a draft that is gone raises `Ambiguous`: the mail may have left, and search may lag.
        """
        draft_id = self._noted("draft_id")
        if draft_id is None:
            lost = await self.mailbox.find_draft(self.message_id)
            draft_id = lost.id if lost else None
        try:
            return await self.mailbox.replace_draft(draft_id, raw, mail.thread_id) if draft_id else None
        except Missing:
            sent = await self._looked_for()
        if sent is None and not self.call.doubt:
            raise Ambiguous("sending the mail")
        return sent

    async def _sent(self) -> GmailMessage | None:
        """The mail among those that were sent: by its id, in its thread, or by all that it says."""
        by_id = await self.mailbox.find_sent(self.message_id)
        return by_id or await self._sent_in_thread() or await self._sent_alike()

    async def _sent_in_thread(self) -> GmailMessage | None:
        """Gmail may have given the mail another Message-ID, and search lags: a sent mail to the same people in the
        draft's thread, after the one that it answers. Gmail's own order says so: its clock need not be ours.
        """
        thread_id, answered = self._noted("thread_id"), self._noted("answered") or ""
        if thread_id is None:
            return None
        try:
            messages = (await self.mailbox.heads(thread_id)).messages
        except Missing:
            return None
        before = [
            place
            for place, message in enumerate(messages)
            if answered and answered in message.payload.header("Message-ID")
        ]
        if answered and not before:
            return None
        return next((message for message in messages[max(before, default=-1) + 1 :] if self._may_be(message)), None)

    async def _sent_alike(self) -> GmailMessage | None:
        """Gmail may have given it another thread, too: a mail to the same people, with the same subject and text, that
        was sent since the attempt began.
        """
        until, text = self._noted("until"), self._noted("text")
        if until is None or text is None:
            return None
        sent = await self.mailbox.sent_since(datetime.fromisoformat(until) - _CLOCKS_APART)
        return next((message for message in sent if self._may_be(message) and self._says(message, text)), None)

    def _says(self, message: GmailMessage, text: str) -> bool:
        subject = subject_of(message, SUBJECT_LENGTH)
        return subject == self._noted("subject") and _fingerprint(plain_text(message)) == text

    def _may_be(self, message: GmailMessage) -> bool:
        to = {address.email.lower() for address in people(message, "To", "Cc", "Bcc")}
        return "SENT" in message.label_ids and to == set(self._noted_people())

    def _noted(self, name: str) -> str | None:
        value = self.call.noted.get(name)
        return value if isinstance(value, str) else None

    def _noted_people(self) -> list[str]:
        value = self.call.noted.get("to")
        return [str(item) for item in cast("list[object]", value)] if isinstance(value, list) else []

    def _noted_result(self, sent: GmailMessage) -> Result:
        subject = self._noted("subject") or subject_of(sent, SUBJECT_LENGTH)
        to = self._noted_people() or [address.email for address in people(sent, "To", "Cc", "Bcc")]
        return sent_result(sent, subject=subject, to=to, account=self.mailbox.email, message_id=self.message_id)

    def _result(self, sent: GmailMessage, mail: OutgoingMail) -> Result:
        account, message_id = self.mailbox.email, self.message_id
        return sent_result(sent, subject=mail.subject, to=mail.emails, account=account, message_id=message_id)

    def _note(self, draft: Draft, mail: OutgoingMail) -> Mapping[str, object]:
        return {
            "draft_id": draft.id,
            "message_id_header": self.message_id,
            "thread_id": draft.message.thread_id or None,
            "subject": mail.subject,
            "to": [address.email.lower() for address in mail.recipients],
            "answered": mail.in_reply_to,
            "text": _fingerprint(mail.text),
            "until": self._noted("until") or self.call.deadline.isoformat(),
        }


def _fingerprint(text: str) -> str:
    """Of the letters and digits alone: mail is wrapped and flowed on its way."""
    return hashlib.sha256(re.sub(r"[\W_]+", "", text).encode()).hexdigest()
