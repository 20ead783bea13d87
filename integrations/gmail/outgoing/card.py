"""What a card shows of a mail: recipients first and in full, outsiders and first contacts marked, the exact text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from integrations.base import Call, Field, Preview
from integrations.errors import BasisChanged
from integrations.gmail.client import Mailbox
from integrations.gmail.dates import time_in_words
from integrations.gmail.mime.addresses import Address
from integrations.gmail.outgoing.first_contact import FirstContacts
from integrations.gmail.outgoing.mail import OutgoingMail
from integrations.gmail.outgoing.replies import ReplyTarget
from integrations.gmail.text import beginning, shortened

QUOTED_LENGTH = 200
SUBJECT_LENGTH = 120
SOME = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContext:
    """The question on the card; what the mail answers, and when it leaves (in words)."""

    title: str
    target: ReplyTarget | None = None
    leaves: str = ""
    zone: str = "UTC"


def mail_card(mail: OutgoingMail, context: CardContext, *, mailbox: Mailbox, first_contacts: FirstContacts) -> Preview:
    """The card of a mail. With a target it is a reply, whose recipients no argument names."""
    target = context.target
    home = mailbox.email.rpartition("@")[2]
    return Preview(
        title=context.title,
        fields=_fields(mail, context),
        warnings=[
            *_outsiders(mail, home),
            *first_contacts.warnings(),
            *_foreign_domains(mail),
            *(target.warnings() if target else ()),
        ],
        unchecked=first_contacts.unchecked(),
        basis=mail.basis(),
        account=mailbox.account_id,
        recipients=mail.emails if target else None,
        private=True,
        about=_about(mail),
    )


def check_basis(call: Call, basis: Mapping[str, object], *, what: str) -> None:
    """Raises `BasisChanged` when what was approved was made from something else than there is now."""
    if call.basis and dict(call.basis) != dict(basis):
        raise BasisChanged(what=what)


def listed(addresses: Sequence[Address]) -> str:
    """Everybody in full, with their names."""
    return ", ".join(str(address) for address in addresses)


def _about(mail: OutgoingMail) -> str:
    """A mail in a line: its subject and its recipients."""
    first = ", ".join(str(address) for address in mail.recipients[:SOME])
    more = len(mail.recipients) - SOME
    to = f"{first} and {more} more" if more > 0 else first or "nobody yet"
    return f"“{shortened(mail.subject, SUBJECT_LENGTH) or '(no subject)'}” to {to}"


def _fields(mail: OutgoingMail, context: CardContext) -> list[Field]:
    people = [("To", mail.to), ("Cc", mail.cc), ("Bcc", mail.bcc)]
    files = ", ".join(str(attachment) for attachment in mail.attachments)
    return [
        *(Field(label=label, value=listed(addresses)) for label, addresses in people if addresses),
        Field(label="Subject", value=mail.subject or "(no subject)"),
        *([Field(label="Leaves", value=f"on {context.leaves}")] if context.leaves else []),
        *([Field(label="Attachments", value=files)] if files else []),
        Field(label="Body", value=mail.text, long=True),
        Field(label="From", value=str(mail.sender), aside=True),
        *([Field(label="Answers go to", value=str(mail.reply_to), aside=True)] if mail.reply_to else []),
        Field(label="Signature", value=mail.signature.in_words(mail.body), aside=True),
        *([_answered(context.target, context.zone)] if context.target else []),
    ]


def _answered(target: ReplyTarget, zone: str) -> Field:
    when = time_in_words(target.message.internal_date, zone)
    said = f"{target.author}, {when}: {beginning(unescape(target.message.snippet), QUOTED_LENGTH)}"
    return Field(label="In reply to", value=said, aside=True)


def _outsiders(mail: OutgoingMail, home: str) -> list[str]:
    outside = [address.email for address in mail.outsiders(home)]
    return [f"Outside {home}: {', '.join(outside)}"] if outside else []


def _foreign_domains(mail: OutgoingMail) -> list[str]:
    odd = [address.email for address in mail.recipients if "xn--" in address.domain]
    return [f"Written in another script, look twice: {', '.join(odd)}"] if odd else []
