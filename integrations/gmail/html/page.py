"""HTML mail as the text that a person would read: hidden parts left out, quotes marked with ">".

turbohtml reads HTML as browsers do. Whether a text is painted is decided by `visibility`, from the computed style.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import turbohtml
from turbohtml import Element, Node, Text

from integrations.gmail.html.css.cascade import Cascade
from integrations.gmail.html.css.properties import BOX, GENERATED
from integrations.gmail.html.links import ShownText, in_short, resolved
from integrations.gmail.html.painting.extents import (
    SIZED,
    Row,
    beginning_of,
    extent_of,
    holds_nothing,
    is_row,
    kept_breaks,
    margin_above,
)
from integrations.gmail.html.painting.place import UNWRAPPED
from integrations.gmail.html.painting.room import Room, room_of
from integrations.gmail.html.painting.visibility import LINES, Painted, painted
from integrations.gmail.text import visible

SILENT = frozenset(
    {
        *("script", "style", "head", "title", "template", "noscript", "svg", "math", "object", "iframe", "select"),
        *("textarea", "datalist", "noembed", "noframes", "audio", "video", "canvas", "dialog"),
        *("progress", "meter", "rp", "frameset", "marquee"),
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
_COUNTED = frozenset({"style", "hidden", "href", "color", "bgcolor", "background", "text", "link", "popover", "nowrap"})
_OF_TABLE = _COUNTED | {"width"}
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_SPECKS = {"0", "1", "0px", "1px"}
_WEB = ("http://", "https://")
LINK_LENGTH = 200
_HIDDEN = Painted(hidden=True)


@dataclass(frozen=True, slots=True)
class _Open:
    """An element whose content is being read. `pre` keeps its line breaks; `quotes` says how often it is quoted;
    `struck` that a line goes through its words; `closed` is how an element looks of which only the summary is seen;
    `began` is how full its room was, `row` holds its parts that
    stand side by side, `tall` is how high it is at least.
    """

    painted: Painted
    tag: str = ""
    pre: bool = False
    closed: Painted | None = None
    quotes: int = 0
    struck: bool = False
    link: str = ""
    room: Room | None = None
    began: float = 0.0
    row: Row | None = None
    tall: float = 0.0


class Reader:
    """Walks through a document and writes down its lines."""

    def __init__(self, document: turbohtml.Document) -> None:
        self._cascade = Cascade(document)
        self._looks: dict[tuple[object, ...], tuple[Painted, Mapping[str, str], Painted]] = {}
        self._unseen: dict[int, bool] = {}
        self._lines: list[tuple[int, str]] = []
        self._line = ""
        self._open = [_Open(_page(document, self._cascade))]
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
                if node.tag in SILENT:
                    self._pass_by(node)
                else:
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
        tall = self._take_place(entered, element) if entered.room is not None and tag in SIZED else 0.0
        if tag == "img" and (alt := element.attr("alt")) and self._left(entered):
            self._line += f"[image: {alt}]"
        is_column = tag in {"col", "colgroup"}
        is_no_column = is_column and holds_nothing(element, entered.painted.place, self._own(entered))
        self._open.append(replace(entered, tall=tall) if tall else entered)
        if is_no_column or (is_column and entered.painted.invisible):
            self._hide_table()

    def _pass_by(self, element: Element) -> None:
        """An element whose text is not painted may take place in a box that cuts."""
        room = self._open[-1].room
        if room is not None and element.tag in SIZED:
            entered = self._entered(element.tag, element)
            if not entered.painted.hidden:
                room.pass_by(*extent_of(element, self._own(entered)))

    def _own(self, entered: _Open) -> Mapping[str, str]:
        """The style of an element that is entered; none where it looks as what it stands in."""
        return {} if entered.painted is self._open[-1].painted else entered.painted.style

    def _take_place(self, entered: _Open, element: Element) -> float:
        """An element that may be higher than its words, and how high it is."""
        room = entered.room
        wide, tall = extent_of(element, self._own(entered))
        if room is not None and not entered.painted.hidden:
            if element.tag in {"input", "button", "img"}:
                room.across += wide
            room.reach(entered.began + beginning_of(element, self._own(entered), tall))
        return tall

    def _hide_table(self) -> None:
        """A column is not painted: which cells stand in it is not worked out here."""
        for place in range(len(self._open) - 1, 0, -1):
            self._open[place] = replace(self._open[place], painted=_HIDDEN)
            if self._open[place].tag == "table":
                break

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
        if closed.room is not None and (closed.tall or closed.painted is not self._open[-1].painted):
            closed.room.reach(closed.began + max(closed.tall, extent_of(None, self._own(closed))[1]))
        if closed.link and not ShownText(self._line).has(closed.link) and self._left(closed):
            self._line += f" ({in_short(closed.link, LINK_LENGTH)})"

    def _read(self, data: str) -> None:
        """A text: its part that is seen."""
        here = self._open[-1]
        is_in_lines = here.pre and here.room is not None and not self._is_unseen(here.painted)
        for piece in _LINES.findall(data) if is_in_lines else (data,):
            self._read_piece(here, piece)

    def _read_piece(self, here: _Open, data: str) -> None:
        left = self._left(here)
        if left < len(data):
            self._leave_out(data[left:])
            is_cut = here.room is not None and not data.isspace() and not self._is_unseen(here.painted)
            if is_cut and here.room is not None and not here.painted.place.is_unwrapped:
                here.room.fill()
        if left:
            self._write(data[:left])

    def _left(self, here: _Open) -> int:
        """How many letters are seen of a text that comes now."""
        if self._is_unseen(here.painted) or (here.row is not None and here.row.is_full(here.painted)):
            return 0
        if here.room is None:
            return sys.maxsize
        return max(0, here.room.letters(here.painted.place, here.painted.font_pixels) - len(self._line))

    def _leave_out(self, data: str) -> None:
        """A text that is not seen."""

    def _write(self, data: str) -> None:
        if (room := self._open[-1].room) is not None:
            room.stretch_line(self._open[-1].painted)
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
        counted = _OF_TABLE if tag == "table" else _COUNTED
        attributes = {name: element.attr(name) or "" for name in counted.intersection(given)}
        style = self._cascade.style(element, attributes.pop("style", ""))
        around = outer.painted
        if tag == "summary" and outer.closed is not None:
            around, self._open[-1] = outer.closed, replace(outer, closed=None)
        look = self._look(around, tag, attributes, style)
        if "popover" in attributes or (tag == "img" and _is_speck(element, style)) or element.shadow_root is not None:
            look = _HIDDEN
        own: Mapping[str, str] = {} if look is around else look.style
        if outer.row is not None and outer.row.takes(look, own):
            look = _HIDDEN
        room = room_of(outer.room, around.place, look.place, len(self._line))
        if room is not None:
            if outer.room is not None and outer.room.filled > 0:
                outer.room.reach(outer.room.filled + margin_above(tag, own) * look.font_pixels)
            if own.get(GENERATED) == BOX:
                room.pass_by(1e6, 1e6)
        is_closed = tag == "details" and "open" not in given
        link = resolved(attributes.get("href", "")) if tag == "a" else ""
        return _Open(
            painted=_HIDDEN if is_closed else look,
            tag=tag,
            pre=outer.pre or tag == "pre" or (room is not None and kept_breaks(look.style)),
            closed=look if is_closed else None,
            quotes=outer.quotes + (tag == "blockquote" and _is_quote(element)),
            struck=outer.struck or _is_struck(tag, {} if look is around else look.style),
            link=link if link.startswith(_WEB) else "",
            room=room,
            began=room.filled if room else 0.0,
            row=Row() if own and is_row(look) else None,
        )

    def _is_unseen(self, look: Painted) -> bool:
        """The same as its own, worked out once: all looks are kept while a page is read."""
        known = self._unseen.get(id(look))
        if known is None:
            known = self._unseen[id(look)] = look.is_unseen
        return known

    def _look(self, outer: Painted, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> Painted:
        """How an element looks inside another one; worked out once for all that are alike."""
        is_as_outer = outer.blocks == outer.grounds or tag in LINES
        if not style and not attributes and is_as_outer and tag not in UNWRAPPED:
            return outer
        given = (item if item[0] != "href" else item[0] for item in attributes.items())
        key = (id(outer), id(style), tag, *given)
        known = self._looks.get(key)
        if known is None:
            known = self._looks[key] = (outer, style, painted(outer, tag, attributes, style))
        return known[2]

    def _break(self, *, even_if_empty: bool = False, quotes: int | None = None) -> None:
        if self._item and self._line == self._item:  # a block stands first in it
            return
        line = _RESTRUCK.sub(r"\1", self._line.rstrip()).translate(_TILDES)
        here = self._open[-1]
        if here.room is not None and (line or even_if_empty):
            here.room.add_line(len(line), here.painted.place, here.painted.font_pixels)
        if line or (even_if_empty and self._lines and self._lines[-1][1]):
            self._lines.append((self._open[-1].quotes if quotes is None else quotes, line))
        self._line = ""


def _is_struck(tag: str, style: Mapping[str, str]) -> bool:
    """Whether a line is drawn through the words of an element. One that is drawn stays in all that it holds."""
    drawn = style.get("text-decoration-line", "")
    return "line-through" in drawn if drawn else tag in _STRIKING


def _first_number(element: Element) -> int:
    return _number(element.attr("start"), 1)


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and _INTEGER.fullmatch(text.strip()) else otherwise


def _page(document: turbohtml.Document, cascade: Cascade) -> Painted:
    """What all elements stand in. One that asks for dark colours alone has a ground that is not known."""
    asked = [(each.attr("content") or "").lower() for each in document.select('meta[name="color-scheme" i]')]
    is_dark = any("dark" in each and "light" not in each for each in asked)
    page = Painted(variables=cascade.unclear_variables)
    return replace(page, grounds=()) if is_dark else page


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
