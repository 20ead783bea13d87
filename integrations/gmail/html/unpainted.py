"""What HTML holds beside the text that is painted: hidden text, comments, words in attributes, addresses, characters
that nobody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

import turbohtml
from turbohtml import Comment, Element, Node

from integrations.gmail.html.additions import additions
from integrations.gmail.html.links import ADDRESS, ShownText, in_short, resolved
from integrations.gmail.html.page import SILENT, Reader
from integrations.gmail.text import visible

_CODE = frozenset({"style", "script", "head"})
_WORDS = ("alt", "title", "aria-label", "aria-description", "placeholder", "value", "label", "summary", "abbr")
"""Attributes that hold text: shown at the pointer or read aloud, or not at all."""
_LINKS = frozenset({"href", "xlink:href", "action", "formaction"})
SEPARATOR = "\0"
ADDRESS_LENGTH = 300


class _Unseen(Reader):
    """Keeps what the other one leaves out."""

    def __init__(self, document: turbohtml.Document) -> None:
        super().__init__(document)
        self.hidden: list[str] = []
        self.written: list[str] = []

    def _leave_out(self, data: str) -> None:
        self.hidden.append(data)

    def _write(self, data: str) -> None:
        self.written.append(data)
        super()._write(data)


def unpainted_of_html(html: str) -> str:
    """Four texts with a NUL between them: the hidden text, in lines; the addresses, one on a line; why other words may
    be painted; the painted text as it is written, with the characters that nobody sees.
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
            addresses |= dict.fromkeys(_addresses(node))
    lines = [line for text in found if (line := " ".join(visible(text).split()))]
    on_page = ShownText(shown)
    missing = [in_short(address, ADDRESS_LENGTH) for address in addresses if not on_page.has(address)]
    return (
        "\n".join(dict.fromkeys(lines))
        + SEPARATOR
        + "\n".join(map(visible, missing))
        + SEPARATOR
        + "\n".join(additions(document))
        + SEPARATOR
        + "".join(reader.written)
    )


def _addresses(element: Element) -> Iterator[str]:
    """Every address in an element's attributes and its CSS; a link's in the form in which it is followed."""
    for name in element.attrs:
        value = element.attr(name) or ""
        if name in _LINKS:
            yield from filter(None, [resolved(value)])
        else:
            yield from ADDRESS.findall(value)
    if element.tag == "style":
        yield from ADDRESS.findall(element.text)


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
