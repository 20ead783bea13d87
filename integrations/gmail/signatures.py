"""The signature that Gmail's settings keep for an address: HTML there, text below plain mails."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from integrations.gmail.cleaning import one_line
from integrations.gmail.pages import text_of_html

LENGTH = 20_000
_MARK = "-- "  # readers fold what stands below it (RFC 3676 §4.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A signature in both forms; empty where there is none."""

    html: str = ""
    text: str = ""

    def below(self, body: str) -> str:
        """The text with the signature below it, unless it ends with it already."""
        return f"{body.rstrip()}\n\n{_MARK}\n{self.text}" if self.is_missing_in(body) else body

    def below_html(self, page: str, body: str) -> str:
        """The HTML of `body` with the signature below it, under the same condition."""
        if not self.is_missing_in(body):
            return page
        return f'{page}<br><span>{_MARK}</span><br><div dir="ltr" class="gmail_signature">{self.html}</div>\n'

    def is_missing_in(self, body: str) -> bool:
        """Whether there is a signature that the text does not have at its end."""
        return bool(self.text) and not one_line(body).endswith(one_line(self.text))

    def basis(self, body: str) -> Mapping[str, object]:
        """What must not change silently."""
        if not self.is_missing_in(body):
            return {}
        return {"signature": hashlib.sha256(self.html.encode(errors="replace")).hexdigest()[:16]}


NONE = Signature()


def signature_of(html: str) -> Signature:
    """The signature that the settings hold; one that shows no text, or is beyond reason, counts as none."""
    text = text_of_html(html) if len(html) <= LENGTH else ""
    return Signature(html=html.strip(), text=text) if text else NONE
