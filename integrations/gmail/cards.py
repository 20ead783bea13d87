"""What a card shows of a mail: recipients first and in full, outsiders marked, the exact text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import unescape

from integrations.base import Call, Field, Preview
from integrations.errors import BasisChanged
from integrations.gmail.addresses import Address
from integrations.gmail.cleaning import shortened
from integrations.gmail.letters import Letter
from integrations.gmail.replies import ReplyTarget
from integrations.gmail.times import time_in_words

QUOTED_LENGTH = 200
CUT_LENGTH = 100
"""A snippet of fewer characters is the whole text."""


def letter_card(
    letter: Letter, *, title: str, account: str, target: ReplyTarget | None = None, zone: str = "UTC"
) -> Preview:
    """The card of a mail. With a target it is a reply, whose recipients no argument names."""
    return Preview(
        title=title,
        fields=[*_fields(letter), *([_answered(target, zone)] if target else []), _body(letter)],
        warnings=[*_outsiders(letter), *_foreign_domains(letter), *(target.warnings() if target else ())],
        basis=letter.basis(),
        account=account,
        recipients=[address.email for address in letter.recipients] if target else None,
        private=True,
    )


def check_basis(call: Call, basis: Mapping[str, object], *, what: str) -> None:
    """Raises `BasisChanged` when what was approved was made from something else than there is now."""
    if call.basis and dict(call.basis) != dict(basis):
        raise BasisChanged(what=what)


def _fields(letter: Letter) -> list[Field]:
    people = [("To", letter.to), ("Cc", letter.cc), ("Bcc", letter.bcc)]
    return [
        Field(label="From", value=str(letter.sender)),
        *(Field(label=label, value=_listed(addresses)) for label, addresses in people if addresses),
        Field(label="Subject", value=letter.subject or "(no subject)"),
    ]


def _answered(target: ReplyTarget, zone: str) -> Field:
    when = time_in_words(target.message.internal_date, zone)
    return Field(label="In reply to", value=f"{target.author}, {when}: {_beginning(target.message.snippet)}")


def _beginning(snippet: str) -> str:
    """Gmail cuts a snippet where it is long enough, and does not say so."""
    text = shortened(unescape(snippet), QUOTED_LENGTH)
    ends = len(text) < CUT_LENGTH or text.endswith((".", "!", "?", "…"))
    return text if ends else f"{text} …"


def _body(letter: Letter) -> Field:
    return Field(label="Body", value=letter.body, long=True)


def _listed(addresses: Sequence[Address]) -> str:
    return ", ".join(str(address) for address in addresses)


def _outsiders(letter: Letter) -> list[str]:
    outside = [address.email for address in letter.outsiders()]
    return [f"Outside {letter.sender.domain}: {', '.join(outside)}"] if outside else []


def _foreign_domains(letter: Letter) -> list[str]:
    odd = [address.email for address in letter.recipients if "xn--" in address.domain]
    return [f"Written in another script, look twice: {', '.join(odd)}"] if odd else []
