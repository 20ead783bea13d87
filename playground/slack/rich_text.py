"""The `rich_text` block that Slack's composer makes of a typed message."""

from __future__ import annotations

import html
import re
from typing import Any

from playground.slack.records import Json

TOKEN = re.compile(
    r"<@(?P<user>[UW]\w+)(?:\|[^>]*)?>"
    r"|<#(?P<channel>C\w+)(?:\|[^>]*)?>"
    r"|<!(?P<broadcast>here|channel|everyone)>"
    r"|<(?P<url>(?:https?://|mailto:)[^|>]+)(?:\|(?P<label>[^>]*))?>"
    r"|`(?P<code>[^`\n]+)`"
    r"|(?<!\w)\*(?P<bold>[^*\n]+)\*(?!\w)"
    r"|(?<!\w)_(?P<italic>[^_\n]+)_(?!\w)"
    r"|(?<!\w)~(?P<strike>[^~\n]+)~(?!\w)"
    r"|:(?P<emoji>[a-z][a-z0-9_+-]*):"
)
FENCE = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
BULLET = re.compile(r"^(\s*)[•*-]\s+(.*)$")
NUMBER = re.compile(r"^(\s*)\d+[.)]\s+(.*)$")
QUOTE = re.compile(r"^(?:&gt;|>)\s?(.*)$")


def rich_text(text: str, block_id: str) -> Json:
    """One block for `text`, which is Slack's mrkdwn with its entities; the elements hold the characters themselves."""
    elements: list[Json] = []
    for index, part in enumerate(FENCE.split(text)):
        if index % 2:
            elements.append({"type": "rich_text_preformatted", "elements": [_text(part)], "border": 0})
        else:
            elements += _paragraphs(part.strip("\n") if index else part.rstrip("\n"))
    return {"type": "rich_text", "block_id": block_id, "elements": elements}


def _paragraphs(text: str) -> list[Json]:
    elements: list[Json] = []
    for kind, indent, lines in _groups(text.split("\n") if text else []):
        if kind in {"bullet", "ordered"}:
            items = [_section(line) for line in lines]
            elements.append({"type": "rich_text_list", "style": kind, "indent": indent, "border": 0, "elements": items})
        elif kind == "quote":
            elements.append({"type": "rich_text_quote", "elements": inline("\n".join(lines))})
        else:
            elements.append(_section("\n".join(lines)))
    return elements


def _groups(lines: list[str]) -> list[tuple[str, int, list[str]]]:
    """Neighbouring lines of one kind and indent."""
    groups: list[tuple[str, int, list[str]]] = []
    for line in lines:
        kind, indent, content = _kind(line)
        if groups and groups[-1][:2] == (kind, indent):
            groups[-1][2].append(content)
        else:
            groups.append((kind, indent, [content]))
    return groups


def _kind(line: str) -> tuple[str, int, str]:
    for kind, pattern in (("bullet", BULLET), ("ordered", NUMBER)):
        if found := pattern.match(line):
            return kind, len(found[1].expandtabs(4)) // 4, found[2]
    if found := QUOTE.match(line):
        return "quote", 0, found[1]
    return "section", 0, line


def _section(text: str) -> Json:
    return {"type": "rich_text_section", "elements": inline(text)}


def inline(text: str) -> list[Json]:
    """The parts of one paragraph: text with its style, mentions, links, emoji."""
    elements: list[Json] = []
    done = 0
    for found in TOKEN.finditer(text):
        if found.start() > done:
            elements.append(_text(text[done : found.start()]))
        elements.append(_token(found))
        done = found.end()
    if done < len(text):
        elements.append(_text(text[done:]))
    return elements


def _token(found: re.Match[str]) -> Json:
    kind, value = next((kind, value) for kind, value in found.groupdict().items() if value)
    match kind:
        case "user":
            return {"type": "user", "user_id": value}
        case "channel":
            return {"type": "channel", "channel_id": value}
        case "broadcast":
            return {"type": "broadcast", "range": value}
        case "emoji":
            return {"type": "emoji", "name": value}
        case "url" | "label":
            link: dict[str, Any] = {"type": "link", "url": html.unescape(found["url"])}
            return link | ({"text": html.unescape(found["label"])} if found["label"] else {})
        case style:
            return {**_text(value), "style": {style: True}}


def _text(text: str) -> Json:
    return {"type": "text", "text": html.unescape(text)}
