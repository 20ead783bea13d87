"""What stands below a mail: the signature that Gmail's settings keep for an address, else the person's name.

The writer of a text always leaves the name out, and need not know which of the two there is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from integrations.gmail.text import one_line

LENGTH = 20_000
_PICTURE = re.compile(r"<img\b", re.IGNORECASE)
_MARK = "-- "  # readers fold what stands below it (RFC 3676 §4.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A signature in both forms, HTML and text; empty where there is none. `is_name`: it is the name alone."""

    html: str = ""
    text: str = ""
    is_name: bool = False
    left_out: str = ""
    """Why the one of the settings is not used, where there is one."""

    def below(self, body: str) -> str:
        """The text with the signature below it, unless it ends with it already."""
        gap = "\n" if self.is_name else f"\n\n{_MARK}\n"
        return f"{body.rstrip()}{gap}{self.text}" if self.is_missing_in(body) else body

    def below_html(self, page: str, body: str) -> str:
        """The HTML of `body` with the signature below it, under the same condition."""
        if not self.is_missing_in(body):
            return page
        if self.is_name:
            return f'{page}<div dir="ltr">{self.html}</div>\n'
        return f'{page}<br><span>{_MARK}</span><br><div dir="ltr" class="gmail_signature">{self.html}</div>\n'

    def is_missing_in(self, body: str) -> bool:
        """Whether there is a signature that the text does not have at its end; a first name is signature enough."""
        if self.is_name and _last_line(body) == _last_line(self.text.split()[0]):
            return False
        return bool(self.text) and not one_line(body).endswith(one_line(self.text))

    def in_words(self, body: str) -> str:
        """What a card says of it."""
        said = "your name, below the text" if self.is_name else "yes, below the text"
        said = said if self.is_missing_in(body) else "no"
        return f"{said}; that of your Gmail settings is left out: {self.left_out}" if self.left_out else said

    def basis(self, body: str) -> Mapping[str, object]:
        """The part of the basis that is about the signature."""
        if not self.is_missing_in(body):
            return {}
        return {"signature": hashlib.sha256(self.html.encode(errors="replace")).hexdigest()[:16]}


NONE = Signature()


def signature_of(html: str, text: str | None, *, name: str = "") -> Signature:
    """The signature that the settings hold, else the name. One that shows no text, or is beyond reason, is left out.

    `text` is what the HTML says; None where it cannot be read.
    """
    text = text if len(html) <= LENGTH else ""
    is_picture = bool(_PICTURE.search(html[:LENGTH])) and not re.sub(r"\[image: [^\]]*\]", "", text or "").strip()
    if text and not is_picture:
        return Signature(html=html.strip(), text=text)
    name, why = one_line(name), _why_left_out(html, text, is_picture=is_picture)
    return Signature(html=escape(name), text=name, is_name=True, left_out=why) if name else Signature(left_out=why)


def _why_left_out(html: str, text: str | None, *, is_picture: bool) -> str:
    if is_picture:
        return "it is a picture"
    if len(html) > LENGTH:
        return "it is too long"
    return "it takes too long to be read" if text is None else ""


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip(" ,.-–—").casefold() if lines else ""
