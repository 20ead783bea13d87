"""What a card shows of a mail: recipients first and in full, outsiders and first contacts marked, the exact text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from integrations.base import Field, Preview
from integrations.errors import ToolError
from integrations.gmail.client import Mailbox
from integrations.gmail.heads import people, time_in_words
from integrations.gmail.mime.addresses import Address
from integrations.gmail.outgoing.mail import OutgoingMail
from integrations.gmail.outgoing.replies import ReplyTarget, bare_subject
from integrations.gmail.text import beginning, shortened
from integrations.organisations import outside_of, outsiders
from integrations.text import itemized
from policies.characters import quoted, unescaped
from policies.provenance import DRAFT, Attached, Impact, Touched

QUOTED_LENGTH = 200
SUBJECT_LENGTH = 120
SOME = 2
LOOKED_UP = 20
"""How many recipients are looked up for first contacts: one look costs up to thirty units of Gmail's quota."""
NAMED = 5

TITLE_LENGTH = 120
_TAKE_PART = ("From", "To", "Cc")
_UNKNOWN = "It was not checked whether you have written before to {}."


async def mail_card(
    mail: OutgoingMail,
    mailbox: Mailbox,
    *,
    title: str,
    zone: str,
    target: ReplyTarget | None,
    leaves: str,
    reaches: bool,
) -> Preview:
    """The card of a mail that leaves at `leaves` (in words), or stays a draft and `reaches` nobody. With a target no
    argument names its recipients.

    Takes two round trips to find the first contacts, and two more where there are any.
    """
    firsts = await _first_contacts(mail.recipients, mailbox)
    warned = {
        outside_of(mailbox.email): outsiders(mail.emails, mailbox.email),
        "First contact. They wrote to you, but you never wrote to them": firsts.heard_from,
        "First contact. You have neither written to them nor heard from them": firsts.strangers,
    }
    answered = [_answered(target, zone)] if target else []
    reached = [address.shown for address in mail.recipients]
    return Preview(
        title=title,
        fields=[*_fields(mail, leaves), *answered],
        warnings=[*_warnings(warned, mail.emails), *(target.warnings() if target else ())],
        unchecked=[_UNKNOWN.format(_whom(firsts.unknown, mail.emails))] if firsts.unknown else [],
        basis=mail.basis(),
        account=mailbox.account_id,
        recipients=mail.emails if target or reaches else None,
        private=True,
        places=[mail.reply_to.email] if mail.reply_to else [],
        impact=_impact(mail, target, own=mailbox.email, met=set(mail.emails) - firsts.not_met())
        if reaches
        else Impact(),
        about=f"{quoted(mail.subject.strip() or '(no subject)')} to {_some(reached, SOME)}",
    )


def _warnings(warned: Mapping[str, Sequence[str]], emails: Sequence[str]) -> list[str]:
    """What is said of these: in one line, and without the address, where it is about the only one that it reaches."""
    said = {words: about for words, about in warned.items() if about}
    if said and _is_alone(emails):
        return [". ".join(said)]
    return [itemized(words, about) for words, about in said.items()]


def _whom(unknown: Sequence[str], emails: Sequence[str]) -> str:
    return "them" if _is_alone(emails) else _some(unknown, NAMED)


def _is_alone(emails: Sequence[str]) -> bool:
    return len({email.lower() for email in emails}) == 1


def listed(addresses: Sequence[Address]) -> str:
    """Everybody, each on a line."""
    return "\n".join(address.shown for address in addresses)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FirstContacts:
    """People the person never wrote to: who wrote to them, the others; and who could not be looked up."""

    heard_from: Sequence[str] = ()
    strangers: Sequence[str] = ()
    unknown: Sequence[str] = ()

    def not_met(self) -> set[str]:
        """Everybody the person is not known to have written to."""
        return {*self.heard_from, *self.strangers, *self.unknown}


async def _first_contacts(recipients: Sequence[Address], mailbox: Mailbox) -> _FirstContacts:
    emails = list(dict.fromkeys(address.email.lower() for address in recipients))
    asked = emails[:LOOKED_UP]
    try:
        written = dict(zip(asked, await mailbox.wrote_to(asked), strict=True))
        new = [email for email in asked if written[email] is False]
        heard = dict(zip(new, await mailbox.heard_from(new), strict=True))
    except ToolError:
        return _FirstContacts(unknown=emails)
    return _FirstContacts(
        heard_from=[
            email for email in new if heard[email] is not False
        ],  # it may be, and the warning is the milder one
        strangers=[email for email in new if heard[email] is False],
        unknown=[email for email in emails if written.get(email) is None],
    )


def _impact(mail: OutgoingMail, target: ReplyTarget | None, *, own: str, met: set[str]) -> Impact:
    """What the mail would do. Its signature is its owner's own, and the subject of an answer is its thread's. What goes
    to the address of the account itself reaches nobody else; a link in it could still mislead its owner.
    """
    said = [mail.body] if target and mail.subject == target.subject else [mail.subject, mail.body]
    return Impact(
        destinations=[email for email in mail.emails if email.lower() != own.lower()],
        called={address.email: address.name for address in mail.recipients},
        met=frozenset(email for email in mail.emails if email.lower() in {each.lower() for each in met}),
        among=_conversation(mail, target) if target else None,
        sender=_chosen_sender(mail, target),
        texts=[*said, *_names(mail, target)],
        attachments=[Attached(name=each.name, readers=each.readers, id=each.slack_id) for each in mail.attachments],
    )


def _chosen_sender(mail: OutgoingMail, target: ReplyTarget | None) -> str:
    """From which address it leaves, if that is another one than its owner's mail leaves from, and no answer to what was
    sent there.
    """
    written_to = {address.key for address in target.addressed} if target else set[str]()
    return mail.sender.email if mail.is_sender_chosen and mail.sender.key not in written_to else ""


def _names(mail: OutgoingMail, target: ReplyTarget | None) -> Sequence[str]:
    """The names of recipients, which all of them read; those of a conversation only where it gets a new one."""
    taking_part = people(target.message, *_TAKE_PART) if target else ()
    is_within = all(address in taking_part for address in mail.recipients)
    return () if is_within else [address.name for address in mail.recipients if address.name]


def touched_draft(draft_id: str, subject: str) -> Touched:
    """A draft that is sent or written over, as policy judges it. Who chose its subject, nobody can tell: the agent
    writes drafts unasked, and that of an answer is its thread's.
    """
    return Touched(kind=DRAFT, id=draft_id, title=shortened(subject, TITLE_LENGTH))


def _conversation(mail: OutgoingMail, target: ReplyTarget) -> Touched:
    taking_part = [address.email for address in people(target.message, *_TAKE_PART)]
    return Touched(
        kind="mail_thread",
        id=mail.thread_id or "",
        title=bare_subject(target.subject),
        people=tuple(taking_part),
        is_titled=target.is_begun,
        author=next((address.email for address in people(target.message, "From")), ""),
    )


def _some(names: Sequence[str], most: int) -> str:
    first = ", ".join(names[:most]) or "nobody yet"
    return f"{first} and {len(names) - most} more" if len(names) > most else first


def _fields(mail: OutgoingMail, leaves: str) -> list[Field]:
    places = [("To", mail.to), ("Cc", mail.cc), ("Bcc", mail.bcc)]
    files = "\n".join(str(attachment) for attachment in mail.attachments)
    return [
        *(Field(label=label, value=listed(addresses), destination=True) for label, addresses in places if addresses),
        *([Field(label="Answers go to", value=mail.reply_to.shown, destination=True)] if mail.reply_to else []),
        Field(label="Subject", value=mail.subject or "(no subject)"),
        *([Field(label="Leaves", value=f"on {leaves}")] if leaves else []),
        *([Field(label="Attachments", value=files)] if files else []),
        Field(label="Body", value=mail.text, long=True),
        Field(label="From", value=mail.sender.shown, aside=True),
        Field(label="Signature", value=mail.signature.in_words(mail.body), aside=True),
    ]


def _answered(target: ReplyTarget, zone: str) -> Field:
    when = time_in_words(target.message, zone)
    said = f"{target.author}, {when}: {beginning(unescaped(target.message.snippet), QUOTED_LENGTH)}"
    return Field(label="In reply to", value=said, aside=True)
