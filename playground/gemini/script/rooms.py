"""Requests about Slack: which channels there are, and what was said in one."""

from __future__ import annotations

import re

from playground.gemini.schema import Json
from playground.gemini.script.doing import Doing, need
from playground.gemini.script.wording import gist, plain

_CHANNEL = re.compile(r"<#(?P<id>C[A-Z0-9]+)(?:\|[^>]*)?>|#(?P<name>[a-z0-9][\w-]*)|\bchannel (?P<word>[a-z0-9][\w-]*)")
_SAID = re.compile(
    r"\b(?:said|happen\w*|going on|news|new|summari[sz]e|summary|read|catch me up|discuss\w*|talk\w*|write|wrote|"
    r"written|latest|messages)\b",
    re.I,
)
_WHICH = re.compile(r"\b(?:which|what|list|show|all|how many)\b.*\bchannels?\b", re.I)
MESSAGES = 20


def understood(clause: str) -> Doing | None:
    """The task of a clause about Slack, if it is one."""
    match = _CHANNEL.search(clause)
    if match and _SAID.search(clause):
        return reading_of(match["id"] or f"#{match['name'] or match['word']}", clause)
    return listing() if _WHICH.search(clause) else None


def listing() -> Doing:
    found = yield from need("slack_channels")
    rows = found.rows("channels")
    if not rows:
        return "I see no channels."
    lines = [f"- **#{row.get('name', '')}**{mark(row)}: {plain(str(row.get('topic') or ''))}" for row in rows]
    return "These are the channels that you can see:\n" + "\n".join(lines)


def mark(row: Json) -> str:
    """The mark of a private channel."""
    return " (private)" if row.get("private") else ""


def reading_of(channel: str, asked: str) -> Doing:
    """Say what was said last in a channel, but for the question itself."""
    read = yield from need("slack_read", channel=channel, limit=MESSAGES)
    rows = [row for row in read.rows("messages") if not plain(str(row.get("text", ""))).endswith(asked)]
    name = channel if channel.startswith("#") else f"<#{channel}>"
    if not rows:
        return f"Nothing was said in {name} lately."
    lines = [f"- **{row.get('author', '')}**: {gist(str(row.get('text', '')), characters=160)}" for row in rows[-8:]]
    return f"Last said in {name}:\n" + "\n".join(lines)
