"""HTML mail as the text that a person would read: hidden parts left out, quotes marked with ">".

turbohtml reads HTML as browsers do. Whether a text is painted is decided by `visibility`, from the computed style.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import turbohtml
from turbohtml import Element, Node, Text

from integrations.gmail.html.cascade import Cascade
from integrations.gmail.html.links import ShownText, in_short, resolved
from integrations.gmail.html.visibility import Painted, painted
from integrations.gmail.text import visible

SILENT = frozenset(
    {
        *("script", "style", "head", "title", "template", "noscript", "svg", "math", "object", "iframe", "select"),
        *("textarea", "datalist", "noembed", "noframes", "audio", "video", "canvas", "dialog"),
        *("progress", "meter", "rp", "frameset"),
    }
)
_BLOCKS = frozenset(
    {
        *("address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"),
    }
)
_LISTS = frozenset({"ol", "ul", "menu", "dir"})
_STRIKING = frozenset({"s", "strike", "del"})
_STRUCK, _UNSTRUCK = "\ue000", "\ue001"
_RESTRUCK = re.compile(f"{_UNSTRUCK}(\\s*){_STRUCK}")
_TILDES = str.maketrans({_STRUCK: "~", _UNSTRUCK: "~"})
_INTEGER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_COUNTED = frozenset({"style", "hidden", "href", "color", "bgcolor", "background", "text", "popover"})
_SPECKS = {"0", "1", "0px", "1px"}
_WEB = ("http://", "https://")
LINK_LENGTH = 200


@dataclass(frozen=True, slots=True)
class _Open:
    """An element whose content is being read. `pre` keeps its line breaks; `quotes` says how often it is quoted;
    `struck` that a line goes through its words; `closed` that only its summary is seen.
    """

    painted: Painted
    tag: str = ""
    pre: bool = False
    closed: bool = False
    quotes: int = 0
    struck: bool = False
    link: str = ""


class Reader:
    """Walks through a document and writes down its lines."""

    def __init__(self, document: turbohtml.Document) -> None:
        self._cascade = Cascade(document)
        self._lines: list[tuple[int, str]] = []
        self._line = ""
        self._open = [_Open(Painted())]
        self._numbers: list[int | None] = [None]
        self._item = ""

    def text(self, document: turbohtml.Document) -> str:
        """All that is painted, in its lines."""
        walks: list[Iterator[Node]] = [iter(document)]
        while walks:
            node = next(walks[-1], None)
            if node is None:
                walks.pop()
                if walks:
                    self._end(self._open.pop())
            elif isinstance(node, Element):
                if node.tag not in SILENT:
                    self._start(node)
                    walks.append(iter(node))
            elif isinstance(node, Text):
                self._read(node.data)
        self._break()
        return "\n".join((">" * depth + " " if depth else "") + line for depth, line in self._lines)

    def _start(self, element: Element) -> None:
        tag = element.tag
        if tag in _BLOCKS or tag == "br":
            self._break(even_if_empty=tag in {"br", "p"})
        if tag in {"td", "th"} and self._line:
            self._line += "  "
        if tag in _LISTS:
            self._numbers.append(_first_number(element) if tag == "ol" else None)
        if tag == "li":
            self._line = self._item = self._mark(element)
        entered = self._entered(tag, element)
        if tag == "img" and (alt := element.attr("alt")) and not entered.painted.is_unseen:
            self._line += f"[image: {alt}]"
        self._open.append(entered)

    def _mark(self, element: Element) -> str:
        """What stands before the words of a list's item."""
        here = self._numbers[-1]
        if here is None:
            return "- "
        number = _number(element.attr("value"), here)
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _end(self, closed: _Open) -> None:
        if closed.tag in _LISTS:
            self._numbers.pop()
        if closed.tag == "li":
            self._item = ""
        if closed.tag in _BLOCKS:
            self._break(quotes=closed.quotes)
        if closed.link and not ShownText(self._line).has(closed.link) and not closed.painted.is_unseen:
            self._line += f" ({in_short(closed.link, LINK_LENGTH)})"

    def _read(self, data: str) -> None:
        if self._open[-1].painted.is_unseen:
            return
        if self._open[-1].pre:
            head, *rest = data.split("\n")
            self._line += self._written(head)
            for line in rest:
                self._break(even_if_empty=True)
                self._line = self._written(line)
            return
        words = re.sub(r"\s+", " ", data)
        self._line += self._written(words.lstrip() if not self._line or self._line.endswith(" ") else words)

    def _written(self, words: str) -> str:
        """The words; struck ones between marks."""
        bare = words.strip()
        if not bare or not self._open[-1].struck:
            return words
        return words.replace(bare, f"{_STRUCK}{bare}{_UNSTRUCK}", 1)

    def _entered(self, tag: str, element: Element) -> _Open:
        outer = self._open[-1]
        given = element.attrs
        attributes = {name: element.attr(name) or "" for name in _COUNTED.intersection(given)}
        style = self._cascade.style(element, attributes.pop("style", ""))
        if self._cascade.may_have_ground(element):
            attributes["background"] = "perhaps"
        look = painted(outer.painted, tag, attributes, style) if style or attributes else outer.painted
        if "popover" in attributes or (outer.tag == "details" and tag != "summary" and outer.closed):
            look = Painted(hidden=True)
        if tag == "img" and _is_speck(element, style):
            look = Painted(hidden=True)
        link = resolved(attributes.get("href", "")) if tag == "a" else ""
        return _Open(
            painted=look,
            tag=tag,
            pre=outer.pre or tag == "pre",
            closed=tag == "details" and "open" not in given,
            quotes=outer.quotes + (tag == "blockquote" and _is_quote(element)),
            struck=outer.struck or _is_struck(tag, style),
            link=link if link.startswith(_WEB) else "",
        )

    def _break(self, *, even_if_empty: bool = False, quotes: int | None = None) -> None:
        if self._item and self._line == self._item:  # a block stands first in it
            return
        line = _RESTRUCK.sub(r"\1", self._line.rstrip()).translate(_TILDES)
        if line or (even_if_empty and self._lines and self._lines[-1][1]):
            self._lines.append((self._open[-1].quotes if quotes is None else quotes, line))
        self._line = ""


def _is_struck(tag: str, style: Mapping[str, str]) -> bool:
    """Whether a line is drawn through the words of an element. One that is drawn stays in all that it holds."""
    drawn = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}".strip()
    return "line-through" in drawn if drawn else tag in _STRIKING


def _first_number(element: Element) -> int:
    return _number(element.attr("start"), 1)


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and _INTEGER.fullmatch(text.strip()) else otherwise


def _is_quote(element: Element) -> bool:
    return "cite" in (element.attr("type") or "") or "gmail_quote" in (element.attr("class") or "")


def _is_speck(element: Element, style: Mapping[str, str]) -> bool:
    """Whether a picture is too small to show anything, and what stands in its place too."""
    sizes = [element.attr(name) or "" for name in ("width", "height")]
    sizes += [style.get(name, "") for name in ("width", "height")]
    return any(size.strip() in _SPECKS for size in sizes)


def text_of_html(html: str) -> str:
    """The readable text of an HTML body. Malformed HTML is read as browsers read it."""
    document = turbohtml.parse(html, positions=False)
    text = visible(Reader(document).text(document)).replace("\xa0", " ")
    return re.sub(r"\n{3,}", "\n\n", text).strip()
