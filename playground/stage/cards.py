"""What a person reads in Slack: messages as text, and cards with their buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from playground.people import PEOPLE
from playground.stage.fields import Fields, fields, items, listed, rows, text, walk

DATE = re.compile(r"<!date\^[^|>]*\|([^>]*)>")
"""Slack's date tokens; their fallback text is used here."""

SAID_BY_KEY = {"emoji": ("name", ":{}:"), "channel": ("channel_id", "<#{}>")}


NAMES = {person.user_id: person.name for person in PEOPLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button, with the names of its click."""

    label: str
    action_id: str
    block_id: str
    value: str
    style: str = ""

    def is_called(self, name: str) -> bool:
        """Whether it has this label; `Approve` and `Reject` also match by style, since card labels differ."""
        looks = {"approve": "primary", "reject": "danger"}.get(name.casefold())
        return self.label.casefold() == name.casefold() or (looks is not None and self.style == looks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """One message: its author, its lines, its buttons, and whether it still grows."""

    channel: str
    ts: str
    thread: str
    author: str
    lines: tuple[str, ...]
    buttons: tuple[Button, ...]
    is_streaming: bool = False

    @property
    def said(self) -> str:
        return "\n".join(self.lines)

    def button(self, name: str) -> Button | None:
        return next((button for button in self.buttons if button.is_called(name)), None)

    def holds(self, parts: tuple[str, ...]) -> bool:
        """Whether it contains all of `parts`; case and spaces do not count."""
        said = _plain(self.said)
        return all(_plain(part) in said for part in parts)


def posted(message: Fields, channel: str) -> Posted:
    """A message of Slack's state."""
    ts = text(message, "ts")
    blocks = rows(message, "blocks")
    lines = tuple(filter(None, (_block_text(block) for block in blocks)))
    return Posted(
        channel=channel,
        ts=ts,
        thread=text(message, "thread_ts") or ts,
        author=text(message, "user"),
        lines=lines or tuple(text(message, "text").splitlines()),
        buttons=tuple(button for block in blocks for button in _buttons(block)),
        is_streaming=message.get("streaming_state") == "in_progress",
    )


def _plain(said: str) -> str:
    return " ".join(said.replace("*", "").casefold().split())


def _buttons(block: Fields) -> Iterator[Button]:
    for element in walk(block):
        if element.get("type") == "button":
            yield Button(
                label=text(fields(element.get("text")), "text"),
                action_id=text(element, "action_id"),
                block_id=text(block, "block_id"),
                value=text(element, "value"),
                style=text(element, "style"),
            )


def _block_text(block: Fields) -> str:
    """The text of a block without its buttons; parts of rich text run on, small print has a line for each."""
    if block.get("type") == "rich_text":
        said = "\n".join("".join(_leaves(line)) for line in items(block, "elements"))
    else:
        said = ("\n" if block.get("type") == "context" else "  ").join(_leaves(block))
    return DATE.sub(r"\1", said).strip()


def _leaves(value: object) -> Iterator[str]:
    for inner in listed(value):
        yield from _leaves(inner)
    node = fields(value)
    kind = text(node, "type")
    if kind == "button":
        return
    if kind == "user":
        yield f"@{NAMES.get(text(node, 'user_id'), 'somebody')}"
    elif kind in SAID_BY_KEY:
        key, shape = SAID_BY_KEY[kind]
        yield shape.format(text(node, key))
    elif kind == "date":
        yield text(node, "fallback")
    elif kind == "link":
        yield text(node, "text") or text(node, "url")
    elif isinstance(node.get("text"), str):
        yield text(node, "text")
    else:
        for inner in node.values():
            yield from _leaves(inner)
