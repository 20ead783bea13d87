"""Takes a message apart: what its author typed himself, and what all of it says.

Only words in `rich_text_section` count as typed: not quotes, not code, not forwarded messages, not unfurls
(docs.slack.dev/reference/block-kit/blocks/rich-text-block). A masked link counts with the label that its author sees.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence

from bot.slack.payload import Payload, as_mapping, flag_at, items_at, text_at

NameOf = Callable[[str], str | None]

_TOKEN = re.compile(r"<(?P<kind>[@#!]?)(?P<body>[^>|\s]+)(?:\|(?P<label>[^>]*))?>")


def rich_text(event: Payload) -> Sequence[Payload]:
    """The rich text elements of a message, as they came."""
    blocks = [block for block in items_at(event, "blocks") if text_at(block, "type") == "rich_text"]
    return [element for block in blocks for element in items_at(block, "elements")]


def typed_words(elements: Sequence[Payload], *, agent: str) -> str:
    """The author's own typed words. The agent's own mention is left out; other people stay as `<@U…>`."""
    return "\n".join(words for section in _sections(elements) if (words := _section(section, agent)))


def _sections(elements: Sequence[Payload]) -> Iterable[Payload]:
    for element in elements:
        match text_at(element, "type"):
            case "rich_text_section":
                yield element
            case "rich_text_list":
                yield from _sections(items_at(element, "elements"))
            case _:
                pass


def _section(section: Payload, agent: str) -> str:
    return "".join(_part(part, agent) for part in items_at(section, "elements")).strip()


def _part(part: Payload, agent: str) -> str:
    if flag_at(part, "style", "code"):
        return ""
    match text_at(part, "type"):
        case "text":
            return text_at(part, "text")
        case "link":
            return text_at(part, "text") or text_at(part, "url").removeprefix("mailto:")
        case "user":
            user = text_at(part, "user_id")
            return "" if user == agent else f"<@{user}>"
        case "channel":
            return f"<#{text_at(part, 'channel_id')}>"
        case "emoji":
            return f":{text_at(part, 'name')}:"
        case "broadcast":
            return f"@{text_at(part, 'range')}"
        case _:
            return ""


def mentions(elements: Sequence[Payload], text: str, user: str) -> bool:
    """Whether somebody is mentioned, in rich text or in the plain form of the message."""
    return f"<@{user}>" in text or f"<@{user}|" in text or any(_names(element, user) for element in elements)


def _names(element: Payload, user: str) -> bool:
    if text_at(element, "type") == "user":
        return text_at(element, "user_id") == user
    return any(_names(as_mapping(inner), user) for inner in items_at(element, "elements"))


def readable(text: str, *, agent: str, name_of: NameOf) -> str:
    """The event's text for a reader: mentions by name where known, links in full, Slack's entities undone."""
    without = re.sub(rf"^\s*<@{re.escape(agent)}(?:\|[^>]*)?>[\s,:]*", "", text) if agent else text
    return html.unescape(_TOKEN.sub(lambda token: _token(token, name_of), without)).strip()


def _token(token: re.Match[str], name_of: NameOf) -> str:
    kind, body, label = token["kind"], token["body"], token["label"] or ""
    match kind:
        case "@":
            name = name_of(body) or label
            return f"@{name}" if name else token[0]
        case "#":
            return f"#{label}" if label else token[0]
        case "!":
            return label or f"@{body.partition('^')[0]}"
        case _:
            address = body.removeprefix("mailto:")
            return f"{label} ({address})" if label and label not in {body, address} else address
