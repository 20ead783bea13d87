"""What people type, as Slack sends it."""

from __future__ import annotations

import pytest

from playground.slack.typed import typed

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
