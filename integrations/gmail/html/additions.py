"""What a page paints beside the text that it holds: words of its style sheets, words in another order, a frame.

Found by what is written, not by what applies: a rule for another screen, or one that another rule beats, counts too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from turbohtml import Document

_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|([^\r\n\f]))", re.IGNORECASE)
_GAP = r"(?:\s|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_BEGIN = rf"(?:[{{}};]|^){_GAP}(?:-[a-z]+-)?"
_END = rf"{_GAP}(?:!{_GAP}important{_GAP})?(?:[;}}]|$)"
_STRING = r"\"[^\"]*\"|'[^']*'"
_PLAIN_CONTENT = rf"(?:none|normal|initial|inherit|unset|revert|revert-layer|([\"'])\s*\1){_END}"
_CONTENT = re.compile(rf"{_BEGIN}content{_GAP}:{_GAP}(?!{_PLAIN_CONTENT})\S", re.DOTALL)
_WORDED = re.compile(
    rf"{_BEGIN}(?:list-style|list-style-type|quotes|text-emphasis|text-emphasis-style|text-overflow"
    rf"|hyphenate-character){_GAP}:(?:[^;}}\"']|{_STRING})*?(?:[\"'][^\"']*\w|(?:symbols|var|attr|env|if)\()",
    re.DOTALL,
)
_LETTERS = re.compile(r":first-(?:letter|line)\b")
_COUNTERS = re.compile(r"@counter-style|data:text/css")
_ORDERED = re.compile(
    rf"{_BEGIN}(?:unicode-bidi{_GAP}:[^;}}]*(?:override|var\()"
    rf"|(?:flex-direction|flex-flow|box-direction){_GAP}:[^;}}]*(?:reverse|var\()"
    rf"|(?:order|flex-order|box-ordinal-group){_GAP}:(?!{_GAP}[+-]?(?:0|initial|unset){_END})"
    rf"|(?:transform|translate|rotate|scale|offset-path|grid-area|grid-row(?:-start)?|grid-column(?:-start)?){_GAP}:"
    rf"(?!{_GAP}(?:none|auto|initial|unset){_END}))",
    re.DOTALL,
)
_BLOCK = re.compile(r"[^{}]+")
_POSITIONED = re.compile(
    rf"{_BEGIN}position{_GAP}:{_GAP}(?:[a-z-]*(?:relative|absolute|fixed|sticky)|var\()", re.DOTALL
)
_OFFSET = re.compile(
    rf"{_BEGIN}(?:left|right|top|bottom|inset[a-z-]*){_GAP}:(?!{_GAP}(?:[+-]?0[a-z%]*|auto|initial|unset){_END})",
    re.DOTALL,
)


def additions(document: Document) -> Iterator[str]:
    """Why readers may see other words than the text that was read, each reason a sentence."""
    css = _css(document)
    if _CONTENT.search(css) or _WORDED.search(css) or _COUNTERS.search(css):
        yield "Its style sheet adds words to its text."
    if _ORDERED.search(css) or any(map(_is_moved, _BLOCK.findall(css))) or document.select("bdo"):
        yield "Its HTML shows its words in another order."
    if _LETTERS.search(css):
        yield "Its style sheet sets a part of its words apart."
    if document.select("iframe[srcdoc]") or any(each.shadow_root is not None for each in document.select("*")):
        yield "It shows another page in its own."


def _css(document: Document) -> str:
    """All style sheets and styles, without escapes and in lower case."""
    sheets = [sheet.text for sheet in document.select("style")]
    linked = [unquote(sheet.attr("href") or "") for sheet in document.select("link[href]")]
    styles = [element.attr("style") or "" for element in document.select("[style]")]
    return _ESCAPE.sub(_character, "\n;".join(["", *sheets, *linked, *(f"{{{style}}}" for style in styles)])).lower()


def _is_moved(block: str) -> bool:
    """Whether what is styled so stands elsewhere than in the text."""
    return bool(_POSITIONED.search(block) and _OFFSET.search(block))


def _character(found: re.Match[str]) -> str:
    """The character that an escape means (CSS Syntax §4.3.7)."""
    if found[2]:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
