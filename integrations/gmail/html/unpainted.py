"""What HTML holds beside the text that is painted: hidden text, comments, words in attributes, addresses, characters
that nobody sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import turbohtml
from turbohtml import Comment, Element, Node

from integrations.gmail.html.page import SILENT, Reader
from integrations.gmail.text import visible

_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}://|//|mailto:|data:|javascript:|tel:|sms:)[^\s\"'<>()]+", re.IGNORECASE
)
_CODE = frozenset({"style", "script", "head"})
_WORDS = ("alt", "title", "aria-label", "aria-description", "placeholder", "value", "label", "summary", "abbr")
"""Attributes that hold text: shown at the pointer or read aloud, or not at all."""
SEPARATOR = "\0"
ADDRESS_LENGTH = 300


class _Unseen(Reader):
    """Keeps what the other one leaves out."""

    def __init__(self, document: turbohtml.Document) -> None:
        super().__init__(document)
        self.hidden: list[str] = []
        self.written: list[str] = []

    def _read(self, data: str) -> None:
        (self.hidden if self._open[-1].painted.is_unseen else self.written).append(data)
        super()._read(data)


def unpainted_of_html(html: str) -> str:
    """Three texts with a NUL between them: the hidden text, in lines; the addresses, one on a line; the painted text as
    it is written, with the characters that nobody sees.
    """
    document = turbohtml.parse(html, positions=False)
    reader = _Unseen(document)
    shown = visible(reader.text(document))
    found = list(reader.hidden)
    addresses: dict[str, None] = {}
    for node in _nodes(document):
        if isinstance(node, Comment):
            found.append(node.data)
        elif isinstance(node, Element):
            if node.tag in SILENT - _CODE:
                found.append(node.text)
            words = (node.attr(name) or "" for name in _WORDS)
            found += [text for text in words if visible(text) not in shown]
            values = [*(node.attr(name) or "" for name in node.attrs), node.text if node.tag == "style" else ""]
            addresses |= dict.fromkeys(each for value in values for each in _ADDRESS.findall(value))
    lines = [line for text in found if (line := " ".join(visible(text).split()))]
    missing = [address[:ADDRESS_LENGTH] for address in addresses if address not in shown]
    return (
        "\n".join(dict.fromkeys(lines))
        + SEPARATOR
        + "\n".join(map(visible, missing))
        + SEPARATOR
        + "".join(reader.written)
    )


def _nodes(document: turbohtml.Document) -> Iterator[Node]:
    walks: list[Iterator[Node]] = [iter(document)]
    while walks:
        node = next(walks[-1], None)
        if node is None:
            walks.pop()
            continue
        yield node
        if isinstance(node, Element):
            walks.append(iter(node))
