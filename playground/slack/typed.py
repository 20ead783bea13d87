"""How Slack stores what a person types: escapes, and links and mail addresses in angle brackets."""

from __future__ import annotations

import re
from collections.abc import Callable

Transform = Callable[[str], str]

CONTROL = re.compile(r"<(?:@[UW]\w+|#C\w+(?:\|[^<>]*)?|!(?:here|channel|everyone)|(?:https?://|mailto:)[^<>]+)>")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
LINK = re.compile(r"(?P<url>https?://[^\s<>|]+[^\s<>|.,;:!?)\]'\"])|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)")


def escaped(text: str) -> str:
    """`&`, `<` and `>` as entities, as Slack sends what was typed."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def typed(text: str) -> str:
    """The `text` of a typed message. Mentions and links in Slack's own form stay as they are."""
    return _outside(CODE, text, _prose, escaped)


def _prose(text: str) -> str:
    return _outside(CONTROL, text, _linked, lambda control: control)


def _linked(text: str) -> str:
    done = 0
    parts: list[str] = []
    for found in LINK.finditer(text):
        parts.append(escaped(text[done : found.start()]))
        address = escaped(found.group())
        parts.append(f"<{address}>" if found["url"] else f"<mailto:{address}|{address}>")
        done = found.end()
    return "".join([*parts, escaped(text[done:])])


def _outside(pattern: re.Pattern[str], text: str, outside: Transform, inside: Transform) -> str:
    done = 0
    parts: list[str] = []
    for found in pattern.finditer(text):
        parts += [outside(text[done : found.start()]), inside(found.group())]
        done = found.end()
    return "".join([*parts, outside(text[done:])])
