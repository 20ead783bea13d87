"""What people type, as Slack sends it, and its rich text."""

from __future__ import annotations

from typing import Any

import pytest

from playground.slack.rich_text import inline, rich_text
from playground.slack.sdk import check_block
from playground.slack.typed import typed


def kinds(text: str) -> list[tuple[str, int]]:
    elements: list[dict[str, Any]] = rich_text(text, "b")["elements"]
    return [(element["type"], len(element["elements"])) for element in elements]


def test_inline() -> None:
    """Mentions, links, emoji and styles are elements; entities are the characters themselves."""
    text = "<@U0MARA> <#C0SALES|sales> <!here> <https://x.example|x &amp; y> :tada: *b* _i_ ~s~ `c` &lt;"
    elements = [element for element in inline(text) if element.get("text") != " "]
    assert elements == [
        {"type": "user", "user_id": "U0MARA"},
        {"type": "channel", "channel_id": "C0SALES"},
        {"type": "broadcast", "range": "here"},
        {"type": "link", "url": "https://x.example", "text": "x & y"},
        {"type": "emoji", "name": "tada"},
        {"type": "text", "text": "b", "style": {"bold": True}},
        {"type": "text", "text": "i", "style": {"italic": True}},
        {"type": "text", "text": "s", "style": {"strike": True}},
        {"type": "text", "text": "c", "style": {"code": True}},
        {"type": "text", "text": " <"},
    ]


def test_paragraphs() -> None:
    """Lists, quotes and code are elements of their own."""
    text = "Intro\n• one\n• two\n1. first\n&gt; said\n&gt; more\n```\ncode\n```\nend"
    assert kinds(text) == [
        ("rich_text_section", 1),
        ("rich_text_list", 2),
        ("rich_text_list", 1),
        ("rich_text_quote", 1),
        ("rich_text_preformatted", 1),
        ("rich_text_section", 1),
    ]


def test_nested_list() -> None:
    """An indented item starts a list of the next level."""
    elements = rich_text("- one\n    - deeper", "b")["elements"]
    assert [element["indent"] for element in elements] == [0, 1]


def test_snake_case_is_no_emphasis() -> None:
    """Underscores and stars inside words are characters."""
    assert inline("a_b_c 2*3*4") == [{"type": "text", "text": "a_b_c 2*3*4"}]


def test_models_accept_it() -> None:
    """slack_sdk's models accept what the composer makes."""
    check_block(rich_text("*Hi* <@U0MARA>\n• one\n&gt; two\n```x```", "b"))


# What people type, as Slack sends it -------------------------------------------------------------------------------


CASES = {
    "plain": ("hello", "hello"),
    "entities": ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
    "mention": ("<@U0CSIGN> hi", "<@U0CSIGN> hi"),
    "channel": ("<#C0SALES|sales>", "<#C0SALES|sales>"),
    "broadcast": ("<!channel>", "<!channel>"),
    "tag": ("<script>", "&lt;script&gt;"),
    "link": ("see https://x.example/a?b=1&c=2.", "see <https://x.example/a?b=1&amp;c=2>."),
    "given link": ("<https://x.example|here>", "<https://x.example|here>"),
    "mail": ("to dana@acme.example,", "to <mailto:dana@acme.example|dana@acme.example>,"),
    "code": ("`<@U0CSIGN> a@b.example`", "`&lt;@U0CSIGN&gt; a@b.example`"),
    "empty": ("", ""),
    "emoji": ("🎉", "🎉"),
}


@pytest.mark.parametrize("name", CASES)
def test_typed(name: str) -> None:
    """Control sequences stay, addresses become links, everything else is escaped, and code is left alone."""
    given, expected = CASES[name]
    assert typed(given) == expected


def test_long() -> None:
    """40,000 characters are no problem."""
    assert typed("x<" * 20_000) == "x&lt;" * 20_000
