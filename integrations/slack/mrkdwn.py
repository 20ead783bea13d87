"""Slack's message text as plain words: mentions and ids become names, links show where they lead.

The control sequences are those of Slack's page "Formatting text for app surfaces": `<@U…>`, `<#C…|name>`, `<!here>`,
`<!subteam^S…|@name>`, `<!date^…|fallback>`, `<https://…|label>`, and `&amp; &lt; &gt;`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SEQUENCE = re.compile(r"<([^<>]*)>")
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^<>]*)?>")
_BROADCASTS = frozenset({"here", "channel", "everyone"})


def mentioned(text: str) -> set[str]:
    """The ids of the people that a text mentions."""
    return set(_MENTION.findall(text))


def plain(text: str, *, people: Mapping[str, str]) -> str:
    """The text as a person reads it. `people` maps ids to names; an id that is not there stays as it is."""
    words = _SEQUENCE.sub(lambda found: _word(found.group(1), people), text)
    return words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _word(inside: str, people: Mapping[str, str]) -> str:
    target, _, label = inside.partition("|")
    if target.startswith("@"):
        return f"@{people.get(target[1:], label or target[1:])}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return _special(target[1:], label)
    address = target.removeprefix("mailto:").removeprefix("tel:")
    return address if label in {"", address, target} else f"{label} ({address})"


def _special(command: str, label: str) -> str:
    if command.partition("^")[0] in _BROADCASTS:
        return f"@{command.partition('^')[0]}"
    return label or "@a group"
