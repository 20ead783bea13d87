"""What Slack said lately, and the client that reads it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from integrations.slack.client import mentioned, own_words, plain
from integrations.slack.web import Aging


class Stopped:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 24, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


class Source:
    """Counts how often it was asked, and can fail."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False

    async def load(self, key: str) -> str:
        self.asked.append(key)
        if self.broken:
            raise ConnectionError(key)
        return f"{key}{len(self.asked)}"


async def test_a_value_is_asked_for_again_only_when_it_is_old():
    """Within its life a value is not asked for again; after it, it is."""
    clock, source = Stopped(), Source()
    kept = Aging(source.load, seconds=10, clock=clock)
    assert [await kept.get("a"), await kept.get("a")] == ["a1", "a1"]
    clock.at += timedelta(seconds=10)
    assert await kept.get("a") == "a2"
    clock.at -= timedelta(hours=1)
    assert await kept.get("a") == "a3", "a clock that went back makes nothing young again"


async def test_a_failure_is_not_kept():
    """After a failure the next one asks again."""
    source = Source()
    kept = Aging(source.load, seconds=10, clock=Stopped())
    source.broken = True
    with pytest.raises(ConnectionError):
        await kept.get("a")
    source.broken = False
    assert await kept.get("a") == "a2"


async def test_the_oldest_go_when_there_are_too_many():
    """It never holds more than its bound, and drops what was learnt first."""
    source = Source()
    kept = Aging(source.load, seconds=10, clock=Stopped(), most=3)
    for key in "abcd":
        kept.put(key, key)
    assert [await kept.get(key) for key in "dcb"] == ["d", "c", "b"]
    assert await kept.get("a") == "a1"


# The client --------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thanks <@UEVE>", "thanks @UEVE"),
        ("thanks <@UEVE|evil.example/pay>", "thanks @UEVE"),
        ("<@UEVE>/pay, says <@U0MARA>", "@UEVE/pay, says @U0MARA"),
        ("see https://ok.example<@U0EVIL>", "see https://ok.example@U0EVIL"),
        ("<#C0EVE|evil.example/pay>", "#C0EVE"),
        ("<!subteam^S1|@evil.example/pay>", "@a group"),
        ("see evil.example/pay, <@U0MARA>", "see evil.example/pay, @Mara Lindqvist"),
    ],
)
def test_no_name_makes_an_address_in_somebody_elses_words(text: str, words: str):
    """Whoever calls themselves, or a group, as a link is called does not put it into a member's message."""
    people = {**PEOPLE, "UEVE": "evil.example/pay", "U0EVIL": "evil.example"}
    assert own_words(text, people) == words


def test_mentioned_people_are_found():
    """Every mentioned id is named once, with or without a label."""
    assert mentioned("<@U0MARA> and <@U0DANA|dana> and <@U0MARA>, <#C0SALES>") == {"U0MARA", "U0DANA"}
