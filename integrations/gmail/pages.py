"""HTML mail as the text that a person would read: hidden parts left out, quotes marked with ">"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

from integrations.gmail.cleaning import visible

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_SILENT = {"script", "style", "head", "title", "template", "noscript", "svg", "object", "iframe", "select", "textarea"}
_BLOCKS = {
    *("address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4"),
    *("h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"),
}
_HIDDEN_STYLE = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|opacity:0(\.0+)?(;|!|$)|font-size:0(\.0+)?(px|pt|em|rem|%)?(;|!|$)"
    r"|font-size:1px|max-height:0|(^|;)height:0(px)?(;|!|$)|(^|;)width:0(px)?(;|!|$)|text-indent:-\d{3,}"
    r"|(left|top):-\d{4,}|color:transparent|clip:rect\(0"
)
_WHITE = r"(#fff(fff)?|white|rgba?\(255,255,255(,[\d.]+)?\))"
_WHITE_TEXT = re.compile(rf"(^|;)color:{_WHITE}(;|!|$)")
_BACKGROUND = re.compile(r"background(-color|-image)?:([^;]+)")
_CLASS = re.compile(r"\.([\w-]+)")
# No "<" inside a tag, quoted or not: so each one is looked at up to the next, and hostile markup takes no longer.
_TAG = re.compile(r"""</?[a-zA-Z](?:[^<>"']|"[^"<]*"|'[^'<]*')*>|(?P<declaration><[!?][^<>]*>)""")
LINK_LENGTH = 200
PAGE_LENGTH = 300_000
DEPTH = 400


@dataclass(frozen=True, slots=True)
class _Open:
    """An element that is not closed yet, and what holds inside it."""

    tag: str = ""
    hidden: bool = False
    coloured: bool = False
    pre: bool = False
    quotes: int = 0
    link: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._hiding: set[str] = set()
        self._classes_colour = False
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
        if tag == "img" and names.get("alt") and not self._open[-1].hidden:
            self._line += f"[image: {names['alt']}]"
        if tag not in _VOID and len(self._open) < DEPTH:
            self._open.append(self._entered(tag, names))

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._break()
        if tag in (element.tag for element in self._open[1:]):
            while self._open[-1].tag != tag:
                self._open.pop()
            closed = self._open.pop()
            if closed.link and not closed.hidden and closed.link not in self._line:
                self._line += f" ({closed.link[:LINK_LENGTH]})"

    def handle_data(self, data: str) -> None:
        if self._open[-1].tag == "style":
            self._hiding |= hiding_classes(data)
            self._classes_colour |= "background" in data
        if self._open[-1].hidden:
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
        style = re.sub(r"\s+", "", names.get("style", "").lower())
        colour = names.get("bgcolor", "").lower() or ";".join(match[2] for match in _BACKGROUND.finditer(style))
        coloured = not _is_white(colour) if colour else outer.coloured or self._may_colour(names)
        white = bool(_WHITE_TEXT.search(style)) or bool(re.fullmatch(_WHITE, names.get("color", "").lower()))
        hidden = (
            outer.hidden
            or tag in _SILENT
            or "hidden" in names
            or bool(_HIDDEN_STYLE.search(style))
            or (white and not coloured)
            or not self._hiding.isdisjoint(names.get("class", "").split())
        )
        quote = tag == "blockquote" and ("cite" in names.get("type", "") or "gmail_quote" in names.get("class", ""))
        link = names.get("href", "") if tag == "a" and names.get("href", "").startswith(("http://", "https://")) else ""
        return _Open(tag, hidden, coloured, outer.pre or tag == "pre", outer.quotes + quote, link)

    def _may_colour(self, names: Mapping[str, str]) -> bool:
        """A picture behind the text, or a class that may give it a background: then white text can be read."""
        return bool(names.get("background")) or (self._classes_colour and bool(names.get("class")))

    def _break(self, *, even_if_empty: bool = False) -> None:
        line = self._line.rstrip()
        if line or (even_if_empty and self._lines and self._lines[-1][1]):
            self._lines.append((self._open[-1].quotes, line))
        self._line = ""


def text_of_html(html: str) -> str:
    """The readable text of an HTML body. Malformed HTML is read as far as it goes; it never raises."""
    reader = _Reader()
    reader.feed(_tidy(html[:PAGE_LENGTH]))
    reader.close()
    text = visible(reader.text()).replace("\xa0", " ")
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _tidy(html: str) -> str:
    """Whole tags and text only: the parser takes quadratic time for markup that is opened and never closed."""
    html, pieces, end = _without_comments(html), list[str](), 0
    for match in _TAG.finditer(html):
        pieces += [html[end : match.start()].replace("<", "&lt;"), "" if match["declaration"] else match[0]]
        end = match.end()
    return "".join([*pieces, html[end:].replace("<", "&lt;")])


def _without_comments(html: str) -> str:
    kept, end = list[str](), 0
    while (start := html.find("<!--", end)) >= 0:
        kept.append(html[end:start])
        close = html.find("-->", start + 4)
        if close < 0:
            return "".join(kept)
        end = close + 3
    return "".join([*kept, html[end:]])


def hiding_classes(css: str) -> set[str]:
    """The classes that a style sheet hides everywhere. Rules inside @media depend on the screen and are passed over."""
    hiding: set[str] = set()
    depth, selector = 0, ""
    for text, brace in re.findall(r"([^{}]*)([{}]|\Z)", css):
        if brace == "{":
            depth, selector = depth + 1, text if depth == 0 else ""
        elif brace == "}":
            if depth == 1 and "display:none" in re.sub(r"\s+", "", text.lower()):
                hiding.update(_CLASS.findall(selector))
            depth = max(0, depth - 1)
    return hiding


def _is_white(colour: str) -> bool:
    return re.fullmatch(_WHITE, colour) is not None or colour in {"transparent", "none", "inherit", "initial"}
