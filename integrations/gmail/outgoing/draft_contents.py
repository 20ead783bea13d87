"""What leaves with a draft beside the text that its card shows: other forms, what is hidden in them, header fields.

A draft is sent as it stands, whoever wrote it. What its owner would not see is shown to them, or the draft is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from integrations.base import Field
from integrations.gmail.html.links import ShownText
from integrations.gmail.isolated.html_reader import PAGE_LENGTH, HtmlReader, HtmlUnreadable
from integrations.gmail.mime.addresses import decoded_text
from integrations.gmail.mime.message import Mime, field_texts, other_texts, raw_text, read_text, texts_of
from integrations.text import counted, hidden_warnings

RECEIPTS = ("Disposition-Notification-To", "Return-Receipt-To", "X-Confirm-Reading-To", "Generate-Delivery-Report")
_TOLD = frozenset(
    {
        *("from", "to", "cc", "bcc", "subject", "date", "message-id", "in-reply-to", "references", "mime-version"),
        *(
            "reply-to",
            "received",
            "return-path",
            "user-agent",
            "x-mailer",
            "thread-topic",
            "thread-index",
            "delivered-to",
        ),
    }
)
_BULLET = re.compile(r"^[>\s]*[-*•·–][^\S\n]+", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)[*_]+(?=\w)|(?<=[\w.,:;!?])[*_]+(?!\w)")
_ADDRESS = re.compile(r"<(\w+:[^<>\s]*)>")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\xad": None})
_OWN = ("content-", "x-gm", "x-google-")


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftContents:
    """What leaves unseen. All of it empty for a draft that is what it looks like."""

    other_form: str = ""
    hidden: str = ""
    addresses: str = ""
    receipts: Sequence[str] = ()
    heads: Sequence[str] = ()
    invisible: Sequence[str] = ()

    def fields(self) -> list[Field]:
        """What the card shows of it, each in full behind “Show everything”."""
        named = {
            "Body, in the form that most readers see": self.other_form,
            "Hidden in its HTML": self.hidden,
            "Addresses in its HTML that the text does not show": self.addresses,
            "Also in its head": "\n".join(self.heads),
        }
        asked = [Field(label="Receipt goes to", value="\n".join(self.receipts), destination=True)]
        return [
            *(asked if self.receipts else []),
            *(Field(label=label, value=text, long=True) for label, text in named.items() if text),
        ]

    def warnings(self) -> list[str]:
        """What a colleague would say before it leaves."""
        addresses = len(self.addresses.splitlines())
        return [
            *(
                ["Its forms say different things. Most readers see the last one, which is HTML."]
                if self.other_form
                else []
            ),
            *([f"Its HTML hides {counted(len(self.hidden), 'character')} of text."] if self.hidden else []),
            *(
                [f"Its HTML holds {counted(addresses, 'address', 'addresses')} that the text does not show."]
                if addresses
                else []
            ),
            *(["It asks its readers for a receipt."] if self.receipts else []),
            *self.invisible,
        ]


async def draft_contents(mail: Mime, shown: str, html: HtmlReader) -> DraftContents:
    """What leaves with a draft whose card shows this text; raises `HtmlUnreadable` where that cannot be told."""
    forms = [text for part in other_texts(mail) if (text := await read_text(part, html))]
    differing = [text for text in forms if _said(text) != _said(shown)]
    hidden, addresses, pages = list[str](), list[str](), list[str]()
    for part in texts_of(mail):
        if part.get_content_type() != "text/html":
            continue
        page = raw_text(part)
        if len(page) > PAGE_LENGTH:
            raise HtmlUnreadable
        unseen, elsewhere, written = await html.unpainted(page)
        hidden += [unseen] if unseen else []
        addresses += elsewhere
        pages.append(written)
    told = ShownText("\n".join([shown, *forms]))
    plain = "".join(raw_text(part) for part in texts_of(mail) if part.get_content_type() == "text/plain")
    return DraftContents(
        other_form="\n\n".join(differing),
        hidden="\n".join(hidden),
        addresses="\n".join(each for each in dict.fromkeys(addresses) if not told.has(each)),
        receipts=[decoded_text(value) for name in RECEIPTS for value in field_texts(mail, name)],
        heads=_other_heads(mail),
        invisible=hidden_warnings({"text": plain, "HTML": "".join(pages)}),
    )


def _other_heads(mail: Mime) -> list[str]:
    """Header fields that neither the card shows nor Gmail writes."""
    known = _TOLD | {name.lower() for name in RECEIPTS}
    names = dict.fromkeys(name for name, _ in mail.raw_items() if name.lower() not in known)
    others = [name for name in names if not name.lower().startswith(_OWN)]
    return [f"{name}: {decoded_text(value)}" for name in others for value in field_texts(mail, name)]


def _said(text: str) -> str:
    """What a text says, without how it is set: a sign is part of it (“-500”, “€1.5”, “👎”), a bullet is not."""
    without_bullets = _BULLET.sub("", text)
    plain = _ADDRESS.sub(r"\1", _EMPHASIS.sub("", without_bullets)).translate(_QUOTES)
    return "".join(plain.split()).casefold()
