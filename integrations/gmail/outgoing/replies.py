"""The recipients of a reply, and what ties it to its thread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from integrations.errors import ModelRetry, ToolFailed
from integrations.gmail.heads import people
from integrations.gmail.mime.addresses import Address, decoded_text, deliverable, without_doubles, written_addresses
from integrations.gmail.outgoing.identity import SenderIdentity
from integrations.gmail.text import shortened
from integrations.gmail.wire import GmailMessage, GmailThread

_NOT_REAL = {"DRAFT", "TRASH", "SPAM"}
_REACTION = "text/vnd.google.email-reaction+json"
_REPLY_PREFIX = re.compile(r"^\s*(re|aw|sv|antw|vs|odp)\s*(\[\d+\])?\s*:", re.IGNORECASE)
_FORWARD_PREFIX = re.compile(r"^\s*(fwd?|wg|tr|rv|i|vl|vb)\s*(\[\d+\])?\s*:", re.IGNORECASE)
_OURS = "<cs."
_MESSAGE_ID = re.compile(r"<[^<>\s]+>")
_BARE_ID = re.compile(r"[!-;=?-~]{1,900}")  # some programs write it without brackets
REFERENCES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyTarget:
    """The message that is answered, and who then gets the answer. `is_begun` says that its subject is that of a mail
    of its owner's own, with which its thread began, that answers and forwards nothing and that the agent did not write.
    """

    message: GmailMessage
    to: Sequence[Address]
    cc: Sequence[Address]
    message_id: str
    left_out: Sequence[str] = ()
    """Who is named in the mail and cannot be written to."""
    is_begun: bool = False

    @property
    def addressed(self) -> Sequence[Address]:
        """Under which of my addresses I am in it: among those it went to, or the one that my own mail was sent from."""
        names = ("From",) if _is_mine(self.message) else ("To", "Cc")
        return [address for name in names for address in written_addresses(self.message.payload.all_headers(name))]

    @property
    def author(self) -> str:
        """Who wrote it, as a card shows them to the owner of the mailbox."""
        if _is_mine(self.message):
            return "your own mail"
        return next((address.shown for address in people(self.message, "From")), "?")

    @property
    def subject(self) -> str:
        """The thread's subject with one "Re:"; another subject would begin another thread."""
        subject = decoded_text(self.message.payload.header("Subject"))
        return subject if _REPLY_PREFIX.match(subject) else f"Re: {subject}".strip()

    @property
    def references(self) -> list[str]:
        """The ids of the thread up to the target: its References (else its In-Reply-To), then its own (RFC 5322)."""
        payload = self.message.payload
        known = " ".join(payload.all_headers("References")) or payload.header("In-Reply-To")
        ids = list(dict.fromkeys([*_MESSAGE_ID.findall(known), self.message_id]))
        return ids if len(ids) <= REFERENCES else [ids[0], *ids[-(REFERENCES - 1) :]]

    def warnings(self) -> list[str]:
        """What a colleague would say before this is answered."""
        payload = self.message.payload
        said: list[str] = []
        if _is_mine(self.message) and self._reached_others():
            said.append("The newest mail of this conversation is your own: nobody has answered it yet.")
        if payload.header("List-Post") or payload.header("List-Id"):
            said.append("The mail came through a mailing list: the answer may go to everybody on it.")
        elif payload.header("Precedence").strip().lower() in {"bulk", "list", "junk"}:
            said.append("The mail was sent in bulk: a program may be all that reads the answer.")
        if elsewhere := self._answers_elsewhere():
            said.append(f"The answer goes to {elsewhere}, another address than the one that the mail came from.")
        if self.left_out:
            named = ", ".join(shortened(email, 80) for email in self.left_out)
            said.append(f"Left out, because mail cannot carry this address: {named}.")
        silent = [address.email for address in self.to if address.is_silent]
        return [*said, *(f"{email} looks like an address that nobody reads." for email in silent)]

    def _reached_others(self) -> bool:
        wrote = {address.key for address in people(self.message, "From")}
        return any(address.key not in wrote for address in people(self.message, "To", "Cc"))

    def _answers_elsewhere(self) -> str:
        """Where Reply-To leads, when that is not where the mail says that it came from."""
        wrote = {address.key for address in people(self.message, "From")}
        wanted = {address.key for address in people(self.message, "Reply-To")}
        return ", ".join(address.email for address in self.to if address.key in wanted - wrote)


def bare_subject(subject: str) -> str:
    """What must stay for a mail to stay in its thread: the subject without what answers put before it."""
    while found := _REPLY_PREFIX.match(subject):
        subject = subject[found.end() :]
    return " ".join(subject.split()).casefold()


def answered(thread: GmailThread) -> ReplyTarget:
    """The message that a reply answers: the newest that is no draft, trash or emoji reaction; to nobody as yet.

    Raises `ToolFailed` when there is none, or when it has no Message-ID: an older one is another author's.
    """
    for message in reversed(thread.messages):
        is_reaction = any(part.mime_type == _REACTION for part in message.payload.walk())
        if _NOT_REAL.isdisjoint(message.label_ids) and not is_reaction:
            if not _id_of(message):
                said = "The newest mail of this thread has no Message-ID that an answer could refer to."
                raise ToolFailed("no_message_id", said, hint="Write a new mail with gmail_send.")
            return ReplyTarget(
                message=message, to=(), cc=(), message_id=_id_of(message), is_begun=_is_begun(thread, message)
            )
    raise ToolFailed("nothing_to_answer", "There is no message in this thread that could be answered.")


def _is_begun(thread: GmailThread, answered: GmailMessage) -> bool:
    first, *_ = thread.messages
    begun = decoded_text(first.payload.header("Subject"))
    is_answer = any(prefix.match(begun) for prefix in (_REPLY_PREFIX, _FORWARD_PREFIX)) or any(
        first.payload.header(name).strip() for name in ("In-Reply-To", "References")
    )
    is_same = bare_subject(begun) == bare_subject(decoded_text(answered.payload.header("Subject")))
    return _is_mine(first) and is_same and not is_answer and not _id_of(first).startswith(_OURS)


def reply_target(thread: GmailThread, identity: SenderIdentity, *, reply_all: bool) -> ReplyTarget:
    """The recipients of a reply (RFC 5322 §3.6.3): Reply-To before From; my own message's recipients; never myself.

    My own is what Gmail sent for me (label SENT): anybody can write my address into From, and contact forms do.
    An address that mail cannot carry is left out; `ToolFailed` when it is the one that is answered, or nobody is left.
    """
    target = answered(thread)
    message = target.message
    fields = {name: written_addresses(message.payload.all_headers(name)) for name in ("From", "Reply-To", "To", "Cc")}
    mine = _is_mine(message)
    answer_to = [a for a in fields["Reply-To"] if not identity.is_me(a)] or fields["From"]
    to = fields["To"] if mine else answer_to
    also = fields["To"] if reply_all and not mine else []
    others = without_doubles(a for a in [*to, *also] if not identity.is_me(a))
    if not others:
        others = [a for a in fields["To" if mine else "From"] if identity.is_me(a)][:1]  # a note to oneself
    cc = [a for a in fields["Cc"] if not identity.is_me(a)] if reply_all else []
    if not others and not cc:
        raise ToolFailed("nobody_to_answer", "This message names nobody who could be answered.")
    good_to, bad_to = _deliverable(others, needed=[a for a in to if a in others] or others)
    good_cc, bad_cc = _deliverable(without_doubles(cc, besides=others), needed=[] if others else cc)
    return replace(target, to=good_to, cc=good_cc, left_out=[*bad_to, *bad_cc])


def _deliverable(addresses: Sequence[Address], *, needed: Sequence[Address]) -> tuple[list[Address], list[str]]:
    """Those that can be written to, and the others. Raises `ToolFailed` when none of the `needed` can."""
    good, bad, reached = list[Address](), list[str](), not needed
    refused = ModelRetry("invalid_recipient", "This message names nobody who could be answered.")
    for address in addresses:
        try:
            good.append(deliverable(address))
            reached |= address in needed
        except ModelRetry as error:
            bad.append(address.email)
            refused = error if address in needed else refused
    if not reached:
        raise ToolFailed(refused.code, refused.message, hint="Write to the right address with gmail_send.")
    return good, bad


def _is_mine(message: GmailMessage) -> bool:
    return "SENT" in message.label_ids


def _id_of(message: GmailMessage) -> str:
    written = message.payload.header("Message-ID").strip()
    return next(iter(_MESSAGE_ID.findall(written)), written if _BARE_ID.fullmatch(written) else "")
