"""HTML mail as the text that a person would read: hidden parts left out, quotes marked with ">"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from integrations.gmail.cleaning import visible
from integrations.gmail.comments import without_comments
from integrations.gmail.selectors import Element, Place
from integrations.gmail.sheets import Sheets
from integrations.gmail.visibility import Ink, ink_of, is_hidden, is_tiny

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_SILENT = {"script", "style", "head", "title", "template", "noscript", "svg", "object", "iframe", "select", "textarea"}
_BLOCKS = {
    *("address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4"),
    *("h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"),
}
# No "<" inside a tag, quoted or not: so each one is looked at up to the next, and hostile markup takes no longer.
_TAG = re.compile(r"""</?[a-zA-Z](?:[^<>"']|"[^"<]*"|'[^'<]*')*>|(?P<declaration><[!?][^<>]*>)""")
_SPECKS = {"0", "1", "0px", "1px"}
_WEB = ("http://", "https://")
LINK_LENGTH = 200
PAGE_LENGTH = 300_000
DEPTH = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """An element that is not closed yet, and what holds inside it."""

    tag: str = ""
    path: Sequence[Place] = ()
    children: list[Element] = field(default_factory=list[Element])
    hidden: bool = False
    invisible: bool = False
    tiny: bool = False
    ink: Ink = "seen"
    coloured: bool = False
    pre: bool = False
    quotes: int = 0
    link: str = ""

    @property
    def is_silent(self) -> bool:
        """Whether nobody sees a text that stands directly in it."""
        faint = self.ink == "none" or (self.ink == "white" and not self.coloured)
        return self.hidden or self.invisible or self.tiny or faint


class _Reader(HTMLParser):
    def __init__(self, sheets: Sheets) -> None:
        super().__init__(convert_charrefs=True)
        self._sheets = sheets
        self._open: list[_Open] = [_Open()]
        self._lines: list[tuple[int, str]] = []
        self._line = ""

    def text(self) -> str:
        self._break()
        return "\n".join((">" * depth + " " if depth else "") + line for depth, line in self._lines)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name: value or "" for name, value in attrs}
        if tag in _BLOCKS or tag == "br":
            self._break(even_if_empty=tag in {"br", "p"})
        if tag in {"td", "th"} and self._line:
            self._line += "  "
        if tag == "li":
            self._line = "- "
        entered = self._entered(tag, names)
        if tag == "img" and names.get("alt") and not entered.is_silent:
            self._line += f"[image: {names['alt']}]"
        if tag not in _VOID and len(self._open) < DEPTH:
            self._open.append(entered)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._break()
        if any(inner.tag == tag for inner in reversed(self._open[1:])):
            while self._open[-1].tag != tag:
                self._open.pop()
            closed = self._open.pop()
            if closed.link and not closed.is_silent and closed.link not in self._line:
                self._line += f" ({closed.link[:LINK_LENGTH]})"

    def handle_data(self, data: str) -> None:
        if self._open[-1].is_silent:
            return
        if self._open[-1].pre:
            head, *rest = data.split("\n")
            self._line += head
            for line in rest:
                self._break(even_if_empty=True)
                self._line = line
            return
        words = re.sub(r"\s+", " ", data)
        self._line += words.lstrip() if not self._line or self._line.endswith(" ") else words

    def _entered(self, tag: str, names: Mapping[str, str]) -> _Open:
        outer = self._open[-1]
        outer.children.append(self._sheets.element(tag, names))
        path = (*outer.path, Place(outer.children, len(outer.children) - 1))
        style = self._sheets.style(path, names.get("style", ""))
        tiny, seen, colour = (
            is_tiny(style),
            style.get("visibility"),
            style.get("color") or names.get("color", "").lower(),
        )
        gone = tag == "img" and _is_speck(names, style)
        quote = tag == "blockquote" and ("cite" in names.get("type", "") or "gmail_quote" in names.get("class", ""))
        return _Open(
            tag=tag,
            path=path,
            hidden=outer.hidden or tag in _SILENT or "hidden" in names or is_hidden(style) or gone,
            invisible=seen in {"hidden", "collapse"} if seen else outer.invisible,
            tiny=outer.tiny if tiny is None else tiny,
            ink=outer.ink if colour in {"", "inherit", "unset", "currentcolor"} else ink_of(colour),
            coloured=self._coloured(style, names, outer),
            pre=outer.pre or tag == "pre",
            quotes=outer.quotes + quote,
            link=names.get("href", "") if tag == "a" and names.get("href", "").startswith(_WEB) else "",
        )

    def _coloured(self, style: Mapping[str, str], names: Mapping[str, str], outer: _Open) -> bool:
        """Whether there is, or may be, another ground than white: then white text can be read."""
        grounds = [value for name, value in style.items() if name.startswith("background")] + [names.get("bgcolor", "")]
        given = [each.lower() for each in grounds if each and each not in {"none", "inherit", "initial"}]
        solid = [each for each in given if ink_of(each.lower()) != "none"]
        if solid:
            return any(ink_of(each) != "white" for each in solid)
        may = bool(names.get("background")) or (self._sheets.may_colour and bool(names.get("class")))
        return outer.coloured or may

    def _break(self, *, even_if_empty: bool = False) -> None:
        line = self._line.rstrip()
        if line or (even_if_empty and self._lines and self._lines[-1][1]):
            self._lines.append((self._open[-1].quotes, line))
        self._line = ""


def _is_speck(names: Mapping[str, str], style: Mapping[str, str]) -> bool:
    """Whether a picture is too small to show anything, and what stands in its place too."""
    sizes = (each.get(name, "") for each in (names, style) for name in ("width", "height"))
    return any(size.strip() in _SPECKS for size in sizes)


def text_of_html(html: str) -> str:
    """The readable text of an HTML body. Malformed HTML is read as far as it goes; it never raises."""
    html = html[:PAGE_LENGTH]
    sheets = Sheets()
    for css in _style_sheets(html):
        sheets.read(css)
    reader = _Reader(sheets)
    reader.feed(_tidy(html))
    reader.close()
    text = visible(reader.text()).replace("\xa0", " ")
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _style_sheets(html: str) -> Iterator[str]:
    """The contents of every style element, wherever it stands, but in a comment; its own comment marks are none."""
    lower, end = html.lower(), 0
    while (start := lower.find("<", end)) >= 0:
        if lower.startswith("<!--", start):
            close = lower.find("-->", start + 4)
            end = len(html) if close < 0 else close + 3
        elif lower.startswith("<style", start):
            close = lower.find("</style", start)
            end = len(html) if close < 0 else close + 7
            yield html[start : end if close < 0 else close].partition(">")[2].replace("<!--", "").replace("-->", "")
        else:
            end = start + 1


def _tidy(html: str) -> str:
    """Whole tags and text only: the parser takes quadratic time for markup that is opened and never closed."""
    html, pieces, end = without_comments(html, "<!--", "-->"), list[str](), 0
    for match in _TAG.finditer(html):
        pieces += [html[end : match.start()].replace("<", "&lt;"), "" if match["declaration"] else match[0]]
        end = match.end()
    return "".join([*pieces, html[end:].replace("<", "&lt;")])
