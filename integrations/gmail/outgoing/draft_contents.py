"""What leaves with a draft beside the text that its card shows: other forms, what is hidden in them, header fields.

A draft is sent as it stands, whoever wrote it. What its owner would not see is shown to them, or the draft is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from integrations.base import Field
from integrations.gmail.html.links import ShownText
from integrations.gmail.isolated.html_reader import PAGE_LENGTH, HtmlReader, HtmlUnreadable
from integrations.gmail.mime.addresses import decoded_text, decoded_whole
from integrations.gmail.mime.message import Mime, field_texts, other_texts, raw_text, read_text, texts_of
from integrations.gmail.mime.structure import around_parts, disagreement
from integrations.gmail.outgoing.draft_heads import RECEIPTS, other_heads
from integrations.gmail.outgoing.draft_revision import StoredDraft, not_shown, unreadable
from integrations.gmail.outgoing.mail import OutgoingMail
from integrations.text import counted, hidden_warnings
from policies.provenance import Impact

_BULLET = re.compile(r"[-*•·–]\s+")
_EMPHASIS = re.compile(r"(?<!\w)[*_]+(?=[^\s*_])|(?<=[^\s*_])[*_]+(?!\w)")
_ADDRESS = re.compile(r"<(\w+:[^<>\s]*)>|\((\w+:\S*)\)")
_PERSON = re.compile(r"[^\s<>()\"',;:]+@[^\s<>()\"',;:]+")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\xad": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftContents:
    """What leaves unseen. All of it empty for a draft that is what it looks like."""

    other_form: str = ""
    hidden: str = ""
    addresses: str = ""
    receipts: Sequence[str] = ()
    named: Sequence[str] = ()
    heads: Sequence[str] = ()
    around: Sequence[str] = ()
    invisible: Sequence[str] = ()

    def fields(self) -> list[Field]:
        """What the card shows of it, each in full behind “Show everything”."""
        named = {
            "Body, in the form that most readers see": self.other_form,
            "Hidden in its HTML": self.hidden,
            "Addresses in its HTML that the text does not show": self.addresses,
            "Around its parts": "\n".join(self.around),
            "Also in its head": "\n".join(self.heads),
        }
        people = {"Receipt goes to": self.receipts, "Its head also names": self.named}
        return [
            *(Field(label=label, value="\n".join(each), destination=True) for label, each in people.items() if each),
            *(Field(label=label, value=text, long=True) for label, text in named.items() if text),
        ]

    def impact(self) -> Impact:
        """Who else it tells something, and what else its readers get."""
        return Impact(
            destinations=[*self.receipts, *self.named],
            texts=[*([self.other_form] if self.other_form else []), *([self.hidden] if self.hidden else [])],
            links=self.addresses.splitlines(),
        )

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


async def draft_contents(draft: StoredDraft, mail: OutgoingMail, html: HtmlReader) -> DraftContents:
    """What leaves with a draft whose card shows this mail; raises `ToolFailed` where that cannot be told or shown."""
    try:
        return await _contents(draft, mail, html)
    except HtmlUnreadable:
        raise unreadable() from None


async def _contents(draft: StoredDraft, outgoing: OutgoingMail, html: HtmlReader) -> DraftContents:
    mail, shown = draft.mime, draft.text
    if why := disagreement(mail):
        raise not_shown(why)
    forms = [text for part in other_texts(mail) if (text := await read_text(part, html))]
    differing = [text for text in forms if _said(text) != _said(shown)]
    hidden, addresses, pages = list[str](), list[str](), list[str]()
    for part in texts_of(mail):
        if part.get_content_type() != "text/html":
            continue
        page = raw_text(part)
        if len(page) > PAGE_LENGTH:
            raise HtmlUnreadable
        unseen, elsewhere, written, additions = await html.unpainted(page)
        if additions:
            raise not_shown(additions[0])
        hidden += [unseen] if unseen else []
        addresses += elsewhere
        pages.append(written)
    heads = other_heads(mail, outgoing, draft.saved)
    told = _Told("\n".join([shown, *forms]))
    plain = "".join(raw_text(part) for part in texts_of(mail) if part.get_content_type() == "text/plain")
    return DraftContents(
        other_form="\n\n".join(differing),
        hidden="\n".join(hidden),
        addresses="\n".join(each for each in dict.fromkeys(addresses) if not told.has(each)),
        receipts=[decoded_text(value) for name in RECEIPTS for value in field_texts(mail, name)],
        around=around_parts(mail),
        named=[head for head in heads if "@" in head],
        heads=[head for head in heads if "@" not in head],
        invisible=hidden_warnings({**_said_in_head(mail), "text": plain, "HTML": "".join(pages)}),
    )


def _said_in_head(mail: Mime) -> Mapping[str, str]:
    """The subject and the people of a mail, with the characters that nobody sees."""
    names = {"subject": ["Subject"], "names": ["From", "To", "Cc", "Bcc", "Reply-To"]}
    return {
        said: "".join(decoded_whole(value) for name in fields for value in field_texts(mail, name))
        for said, fields in names.items()
    }


class _Told(ShownText):
    """The texts that the card shows. An address of a person is shown without what makes it a link."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._people = {found.rstrip(".") for found in _PERSON.findall(text)}

    def has(self, address: str) -> bool:
        scheme, _, person = address.partition(":")
        return super().has(address) or (scheme == "mailto" and person in self._people)


def _said(text: str) -> Sequence[str | int]:
    """The words of a text, without how it is set, and how deep what follows is quoted.

    A sign is part of a word (“-500”, “€1.5”, “👎”); a bullet, a star around it and the width of a line are not.
    """
    said: list[str | int] = []
    depth = 0
    for line in _ADDRESS.sub(r"\1\2", text.translate(_QUOTES)).splitlines():
        words = line.lstrip("> \t\xa0")
        if not words.strip():
            continue
        if (quoted := line[: len(line) - len(words)].count(">")) != depth:
            depth = quoted
            said.append(depth)
        said += _EMPHASIS.sub("", _BULLET.sub("", words, count=1) if _BULLET.match(words) else words).split()
    return said
