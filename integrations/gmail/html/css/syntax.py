"""The syntax of CSS: blocks, statements, declarations, and the words of a value (CSS Syntax Level 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

UNCLEAR = "unclear()"
"""Stands for a value of which it cannot be told here what it does."""
VALUE_LENGTH = 500

_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?|url\((?=\s*[^\s"'])(?:\\.|[^)\\])*+\)?"""
    r"""|\\.|[{}()\[\];]""",
    re.S | re.I,
)
_MARK = re.compile(r""""[^"]*"?|'[^']*'?|[()]|[ ,/]""")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([^\r\n\f]))", re.I)
_AT_RULE = re.compile(r"(?:\s|/\*.*?\*/)*@", re.S)
_CLOSING = {"{": "}", "(": ")", "[": "]"}
_IMPORTANT = re.compile(r"\s*!\s*important\s*\Z", re.I)
_VARIABLE = re.compile(r"--[\w-]+")
_ADDRESS = re.compile(r"""url\(\s*(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|(?:[^)\\]|\\.)*)\s*\)?""", re.S | re.I)


def parts(css: str, *, in_rule: bool) -> Iterator[tuple[str, str | None]]:
    """What stands before each pair of braces, with what stands between them; what ends without any, with None."""
    awaited: list[str] = []
    start = opened = 0
    for token in _TOKEN.finditer(css):
        mark = token[0]
        if mark in _CLOSING:
            if mark == "{" and not awaited:
                opened = token.end()
            awaited.append(_CLOSING[mark])
        elif awaited:
            if mark == awaited[-1]:
                awaited.pop()
                if mark == "}" and not awaited:
                    yield uncommented(css[start : opened - 1]), css[opened : token.start()]
                    start = token.end()
        elif mark == ";" and (in_rule or _AT_RULE.match(css, start)):
            yield css[start : token.start()], None
            start = token.end()
    if awaited and awaited[0] == "}":
        yield uncommented(css[start : opened - 1]), css[opened:]
    else:
        yield css[start:], None


def declaration(text: str) -> tuple[str, str, bool] | None:
    """The name and the value of a declaration, in lower case and without escapes; whether it is important."""
    name, colon, value = uncommented(text).partition(":")
    name = decoded(name).strip()
    if not colon:
        return None
    plain = _IMPORTANT.sub("", value)
    return name if name.startswith("--") else name.lower(), plain_value(plain), plain != value


def plain_value(text: str) -> str:
    """A value in lower case (but for the names of variables), without escapes, its parentheses closed."""
    if "url(" in text.lower():
        text = _ADDRESS.sub(_short_address, text)
    text = " ".join(decoded(text).split())
    if len(text) > VALUE_LENGTH:
        return UNCLEAR
    if "--" in text:
        names = iter(_VARIABLE.findall(text))
        text = _VARIABLE.sub(lambda _: next(names), text.lower())
    else:
        text = text.lower()
    return text + ")" * (text.count("(") - text.count(")"))


def uncommented(text: str) -> str:
    """Without comments; a space stands for each, because it parts words."""
    return (_COMMENT.sub(" ", text) if "/*" in text else text).strip()


def decoded(text: str) -> str:
    """Without escapes (CSS Syntax §4.3.7). One of a character that is no part of a name fits no keyword."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: _of_name(_character(found[1]) if found[1] else found[2]), text)


def words(value: str) -> list[str]:
    """The words of a value, also where functions hold spaces; a slash is a word."""
    if "(" not in value and '"' not in value and "'" not in value:
        return value.replace("/", " / ").split()
    return [word for word in _pieces(value, " ") if word]


def layers(value: str) -> list[str]:
    """What stands between the commas of a list."""
    return [part.strip() for part in (_pieces(value, ",") if "(" in value else value.split(","))]


def _pieces(value: str, separator: str) -> Iterator[str]:
    depth = start = 0
    for mark in _MARK.finditer(value):
        if mark[0] == "(":
            depth += 1
        elif mark[0] == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and (mark[0] == separator or (mark[0] == "/" and separator == " ")):
            yield value[start : mark.start()]
            if mark[0] == "/":
                yield "/"
            start = mark.end()
    yield value[start:]


def _short_address(found: re.Match[str]) -> str:
    """Whether a picture is part of the mail is all that counts."""
    address = found[0][4:].lstrip(" \"'\n\t\r\f").lower()
    return "url(data:)" if address.startswith("data:") or "\\" in address else "url(far)"


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _of_name(character: str) -> str:
    return character if character.isalnum() or character in "-_" or character > "\x7f" else "\ufffd"
