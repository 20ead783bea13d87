"""Slack's text as plain words."""

from __future__ import annotations

import pytest

from integrations.slack.client import mentioned, plain

PEOPLE = {"U0MARA": "Mara Lindqvist"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Morning all", "Morning all"),
        ("<@U0MARA> wrote", "@Mara Lindqvist wrote"),
        ("<@U0NEW|new> wrote", "@new wrote"),
        ("<@U0NEW> wrote", "@U0NEW wrote"),
        ("see <#C0SALES|sales>", "see #sales"),
        ("see <#C0SALES>", "see #C0SALES"),
        ("<!here> and <!channel> and <!everyone|everyone>", "@here and @channel and @everyone"),
        ("<!subteam^S1|@workshop>", "@workshop"),
        ("<!subteam^S1>", "@a group"),
        ("<!date^1392734382^{date}|Feb 18, 2014>", "Feb 18, 2014"),
        ("<https://acme.com/a?b=1&amp;c=2>", "https://acme.com/a?b=1&c=2"),
        ("<https://evil.example|Payroll>", "Payroll (https://evil.example)"),
        ("<https://acme.com|https://acme.com>", "https://acme.com"),
        ("<mailto:dana@acme.com|dana@acme.com>", "dana@acme.com"),
        ("<mailto:dana@acme.com|Dana>", "Dana (dana@acme.com)"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("&amp;lt; stays", "&lt; stays"),
        ("a < b", "a < b"),
    ],
)
def test_control_sequences_become_words(text: str, words: str):
    """Mentions, channels, groups, dates and links read as a person sees them, and links show where they lead."""
    assert plain(text, people=PEOPLE) == words


def test_mentioned_people_are_found():
    """Every mentioned id is named once, with or without a label."""
    assert mentioned("<@U0MARA> and <@U0DANA|dana> and <@U0MARA>, <#C0SALES>") == {"U0MARA", "U0DANA"}
