"""What a card shows of a mail: recipients first and in full, outsiders and first contacts marked, the exact text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from integrations.base import Call, Field, Preview
from integrations.errors import BasisChanged
from integrations.gmail.acquaintance import Strangers
from integrations.gmail.addresses import Address
from integrations.gmail.cleaning import beginning, shortened
from integrations.gmail.client import Mailbox
from integrations.gmail.letters import Letter
from integrations.gmail.replies import ReplyTarget
from integrations.gmail.times import time_in_words

QUOTED_LENGTH = 200
SUBJECT_LENGTH = 120
SOME = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What is done with a letter, as a question; what it answers, when it leaves (in words)."""

    title: str
    target: ReplyTarget | None = None
    leaves: str = ""
    zone: str = "UTC"


def letter_card(letter: Letter, occasion: Occasion, *, mailbox: Mailbox, strangers: Strangers) -> Preview:
    """The card of a mail. With a target it is a reply, whose recipients no argument names."""
    target = occasion.target
    home = mailbox.email.rpartition("@")[2]
    return Preview(
        title=occasion.title,
        fields=_fields(letter, occasion),
        warnings=[
            *_outsiders(letter, home),
            *strangers.warnings(),
            *_foreign_domains(letter),
            *(target.warnings() if target else ()),
        ],
        unchecked=strangers.unchecked(),
        basis=letter.basis(),
        account=mailbox.account_id,
        recipients=[address.email for address in letter.recipients] if target else None,
        private=True,
        about=_about(letter),
    )


def check_basis(call: Call, basis: Mapping[str, object], *, what: str) -> None:
    """Raises `BasisChanged` when what was approved was made from something else than there is now."""
    if call.basis and dict(call.basis) != dict(basis):
        raise BasisChanged(what=what)


def listed(addresses: Sequence[Address]) -> str:
    """Everybody in full, with their names."""
    return ", ".join(str(address) for address in addresses)


def _about(letter: Letter) -> str:
    """A mail in a line: its subject, and to whom it goes."""
    first = ", ".join(str(address) for address in letter.recipients[:SOME])
    more = len(letter.recipients) - SOME
    to = f"{first} and {more} more" if more > 0 else first or "nobody yet"
    return f"“{shortened(letter.subject, SUBJECT_LENGTH) or '(no subject)'}” to {to}"


def _fields(letter: Letter, occasion: Occasion) -> list[Field]:
    people = [("To", letter.to), ("Cc", letter.cc), ("Bcc", letter.bcc)]
    files = ", ".join(str(enclosed) for enclosed in letter.enclosed)
    return [
        *(Field(label=label, value=listed(addresses)) for label, addresses in people if addresses),
        Field(label="Subject", value=letter.subject or "(no subject)"),
        *([Field(label="Leaves", value=f"on {occasion.leaves}")] if occasion.leaves else []),
        *([Field(label="Attachments", value=files)] if files else []),
        Field(label="Body", value=letter.text, long=True),
        Field(label="From", value=str(letter.sender), aside=True),
        *([Field(label="Answers go to", value=str(letter.reply_to), aside=True)] if letter.reply_to else []),
        Field(label="Signature", value=letter.signature.in_words(letter.body), aside=True),
        *([_answered(occasion.target, occasion.zone)] if occasion.target else []),
    ]


def _answered(target: ReplyTarget, zone: str) -> Field:
    when = time_in_words(target.message.internal_date, zone)
    said = f"{target.author}, {when}: {beginning(unescape(target.message.snippet), QUOTED_LENGTH)}"
    return Field(label="In reply to", value=said, aside=True)


def _outsiders(letter: Letter, home: str) -> list[str]:
    outside = [address.email for address in letter.outsiders(home)]
    return [f"Outside {home}: {', '.join(outside)}"] if outside else []


def _foreign_domains(letter: Letter) -> list[str]:
    odd = [address.email for address in letter.recipients if "xn--" in address.domain]
    return [f"Written in another script, look twice: {', '.join(odd)}"] if odd else []
