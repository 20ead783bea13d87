"""Takes a message apart: what its author typed, and what all of it says.

Only words in `rich_text_section` count as typed, also in lists: no quotes, code, forwarded messages or unfurls, and
nothing struck through (docs.slack.dev/reference/block-kit/blocks/rich-text-block). A list with a border is a quoted
one. A masked link counts with the label that its author sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from pydantic import ConfigDict, model_validator

from bot.slack.connection.schema import Objects, SlackModel, Text
from policies.characters import unescaped
from policies.guards.own_words import without_shown

NameOf = Callable[[str], str | None]

_TOKEN = re.compile(r"<(?P<kind>[@#!]?)(?P<body>[^>|\s]+)(?:\|(?P<label>[^>]*))?>")
_CONTAINERS = ("rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted")
_WORDS = ("text", "link", "user", "channel", "emoji", "broadcast")


class Style(SlackModel):
    """How a word is set."""

    model_config = ConfigDict(extra="allow")

    code: bool = False
    strike: bool = False


class RichText(SlackModel):
    """An element of rich text. Of a kind that is not known here only the elements in it are read."""

    model_config = ConfigDict(extra="allow")

    type: Text = ""
    text: Text = ""
    url: Text = ""
    user_id: Text = ""
    channel_id: Text = ""
    name: Text = ""
    range: Text = ""
    style: Style | str | None = None
    border: object = None
    elements: Objects[RichText] = ()

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        given = cast("dict[str, object]", data)
        if given.get("type") in (*_CONTAINERS, *_WORDS):
            return given
        return {name: given[name] for name in ("type", "elements") if name in given}

    @property
    def is_said(self) -> bool:
        """Whether its author says it: inline code they only show, and what they struck through they take back."""
        return not (isinstance(self.style, Style) and (self.style.code or self.style.strike))


def typed_words(elements: Sequence[RichText], *, agent: str) -> str:
    """The author's own typed words. The agent's own mention is left out; other people stay as `<@U…>`."""
    return "\n".join(words for section in _sections(elements) if (words := _section(section, agent)))


def _sections(elements: Sequence[RichText]) -> Iterable[RichText]:
    for element in elements:
        match element.type:
            case "rich_text_section":
                yield element
            case "rich_text_list" if not element.border:
                yield from _sections(element.elements)
            case _:
                pass


def _section(section: RichText, agent: str) -> str:
    return "".join(_part(part, agent) for part in section.elements).strip()


def _part(part: RichText, agent: str) -> str:
    if not part.is_said:
        return ""
    match part.type:
        case "text":
            return part.text
        case "link":
            return part.text or part.url.removeprefix("mailto:")
        case "user":
            return "" if part.user_id == agent else f"<@{part.user_id}>"
        case "channel":
            return f"<#{part.channel_id}>"
        case "emoji":
            return f":{part.name}:"
        case "broadcast":
            return f"@{part.range}"
        case _:
            return ""


def mentions(elements: Sequence[RichText], text: str, user: str) -> bool:
    """Whether somebody is mentioned, in rich text or in the plain form of the message."""
    return f"<@{user}>" in text or f"<@{user}|" in text or any(_names(element, user) for element in elements)


def _names(element: RichText, user: str) -> bool:
    if element.type == "user":
        return element.user_id == user
    return any(_names(inner, user) for inner in element.elements)


def readable(text: str, *, agent: str, name_of: NameOf) -> str:
    """The event's text for a reader: mentions by name where known, links in full, Slack's entities undone."""
    without = re.sub(rf"^\s*<@{re.escape(agent)}(?:\|[^>]*)?>[\s,:]*", "", text) if agent else text
    return unescaped(_TOKEN.sub(lambda token: _token(token, name_of), without)).strip()


def typed_text(text: str, *, agent: str) -> str:
    """The author's own words in a text that comes without rich text, as that of a command does. People, groups and
    channels stay as ids, since others choose their names.
    """
    ids = _TOKEN.sub(_id, text.replace(f"<@{agent}>", "") if agent else text)
    return without_shown(unescaped(ids)).strip()


def _id(token: re.Match[str]) -> str:
    return f"<{token['kind']}{token['body']}>" if token["kind"] else _token(token, lambda _: None)


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
