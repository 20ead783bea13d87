"""A text as somebody reads it who looks for addresses: what hides one, or writes it another way, is undone.

Everything here takes time in proportion to the text: no expression can be tried twice on the same long run.
Sources: the HTML standard, "named character references"; RFC 3986 §2.3 and §6.2.2.2 (escapes that mean themselves);
Unicode TR 36 §2.6 and TR 39 (dots that look alike); how security mails write addresses nobody shall follow.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from policies.characters import unescaped, without_invisible
from policies.guards.addresses.domains import is_top_level

MAX_MARKS = 30  # combining marks in a row that are kept: more is no language, and slow to normalize (TR 15 §13)

# fmt: off
WORDS = frozenset({
    "am", "as", "at", "be", "best", "by", "do", "es", "here", "how", "im", "in", "is", "it", "me", "my", "no",
    "now", "one", "so", "to", "us", "you",
})
# fmt: on
"""Top-level domains that sentences of English and German begin with."""

# fmt: off
FILE_ENDINGS = frozenset({
    "ai", "app", "bin", "bz", "cab", "cc", "dot", "in", "java", "map", "mk", "md", "mov", "ms", "net", "pl",
    "ps", "pub", "py", "rs", "sh", "so", "tf", "zip",
})
# fmt: on
"""Top-level domains that people write with their dot and no name before it: "the .zip", "a .NET library"."""

_CLEAR = "com|org|io|biz|xyz|ru|cn"  # never a word, nor the end of one
_SIGNS = str.maketrans(dict.fromkeys("。۔܁܂꘎ꓸ𐩐", ".") | dict.fromkeys("\u2010\u2212", "-"))
_LONG = str.maketrans(dict.fromkeys("\ufdfa\ufdfb", " "))  # phrases in one character: 18 in NFKC
_MIDDLE_DOT = re.compile(r"(?<=\w)[·‧∙⋅•・᛫⸱](?=\w)")  # with spaces around them they part things

_ESCAPE = re.compile(r"%([0-9a-f]{2})", re.IGNORECASE)
_UNRESERVED = re.compile(r"[\w.~-]", re.ASCII)
_BRACKETED = re.compile(
    r"(?P<before>[ \t]{0,3})[\[({<][ \t]{0,3}"
    r"(?:(?P<dot>\.|dot|punkt)|(?P<at>@|at|ät)|(?P<other>:?/{1,2}|:))"
    r"[ \t]{0,3}[\])}>](?P<after>[ \t]{0,3})",
    re.IGNORECASE,
)
_HALF_BRACKETED = re.compile(r"(?<=\w)(?:[\[({]\.|\.[\])}])(?=\w)")
_HTTP = re.compile(r"(?<![a-z])h[tx*_]{2}p(?P<s>s?)[ \t]{0,2}:(?:[ \t]{0,2}/[ \t]{0,2}/[ \t]{0,2})?", re.IGNORECASE)
_LETTERS = re.compile(r"(?<!\S)\S(?: \S(?!\S)){4,}+")
_SPACED = re.compile(r"(?<=[^\W\d_])[ \t]{1,3}\.[ \t]{1,3}(?P<end>[^\W\d_][\w-]*+)")
_BEFORE = re.compile(r"(?<=[^\W\d_])[ \t]{1,3}\.(?P<end>[^\W\d_][\w-]*+)")
_AFTER = re.compile(rf"(?<=[^\W\d_])\.[ \t]{{1,3}}(?P<end>{_CLEAR})(?![\w'’-])")
_SAID = re.compile(r"(?<=\w)[ \t]{1,3}(?:dot|punkt)[ \t]{1,3}(?P<end>[^\W\d_][\w-]*+)", re.IGNORECASE)
_INLINE = re.compile(
    r"[*~`]+|\\(?=[!-/:-@\[-`{-~])|</?(?:a|b|code|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|tt|u|wbr)\b[^<>]*>|<!--[^<>]*-->",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]*>")
_MARKUP = frozenset("*~`\\<")
_BRACKETS = frozenset("[]{}()<>")


def plain_spelling(text: str) -> str:
    """The text in NFKC, with nothing invisible, no entities, and addresses written as a browser reads them.

    Most texts have none of the signs that a spelling needs, which is faster to see than that it is not there.
    """
    if "&" in text:
        text = unescaped(text)
    text = _normalized(text)
    if "%" in text:
        text = _ESCAPE.sub(_plain_char, text)
    if not _BRACKETS.isdisjoint(text):
        text = _HALF_BRACKETED.sub(".", _BRACKETED.sub(_unbracketed, text))
    if ":" in text:
        text = _HTTP.sub(lambda found: f"http{found['s']}:{'//' if '/' in found[0] else ''}", text)
    if "." in text:
        text = _LETTERS.sub(lambda found: _joined(found[0]), text)
    return _closed_up(text)


def without_markup(text: str) -> str:
    """The text as Markdown and HTML show it: marks and tags inside a word leave no gap, other tags do."""
    return text if _MARKUP.isdisjoint(text) else _TAG.sub(" ", _INLINE.sub("", text))


def _normalized(text: str) -> str:
    if not text.isascii():
        text = "".join(_few_marks(without_invisible(text).translate(_LONG)))
        text = _MIDDLE_DOT.sub(".", unicodedata.normalize("NFKC", text).translate(_SIGNS))
    return without_invisible(text)


def _few_marks(text: str) -> Iterator[str]:
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= MAX_MARKS:
            yield char


def _plain_char(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return char if _UNRESERVED.match(char) else found[0].upper()


def _unbracketed(found: re.Match[str]) -> str:
    if found["dot"]:
        return "."
    if found["at"]:
        return "@"
    return f"{found['before']}{found['other']}{found['after']}"


def _joined(letters: str) -> str:
    """Letters with a space between each two, as one word; only if that has a dot."""
    return letters.replace(" ", "") if "." in letters[1:-1] else letters


def _closed_up(text: str) -> str:
    """No spaces around a dot that a top-level domain follows, where no sentence reads so."""
    if " ." in text or "\t." in text:
        text = _SPACED.sub(lambda found: _dotted(found, is_top_level(found["end"])), text)
        text = _BEFORE.sub(lambda found: _dotted(found, _is_name_end(found["end"])), text)
    if ". " in text or ".\t" in text:
        text = _AFTER.sub(r".\g<end>", text)
    small = text.lower()
    if "dot" not in small and "punkt" not in small:
        return text
    return _SAID.sub(
        lambda found: _dotted(found, found["end"].lower() not in WORDS and is_top_level(found["end"])), text
    )


def _is_name_end(end: str) -> bool:
    return end.lower() not in WORDS | FILE_ENDINGS and is_top_level(end)


def _dotted(found: re.Match[str], is_domain: bool) -> str:
    return f".{found['end']}" if is_domain else found[0]
