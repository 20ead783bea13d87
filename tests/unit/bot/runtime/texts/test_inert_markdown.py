"""Texts of others: nothing in them becomes a link, a mention or a style."""

from __future__ import annotations

import json
import random

import pytest

from bot.runtime.texts.inert_markdown import (
    MAX_FENCE,
    MAX_LABEL,
    MAX_NEWLINES,
    MAX_SPACES,
    MAX_WORD,
    Inert,
    inert,
)
from bot.slack.views import card
from bot.slack.views.plain import cut, escaped, one_line, plain, request_line
from integrations.base import Field
from tests.unit.bot.slack.cases import card_view, preview

CORPUS = {
    "<!channel> all": "&lt;!channel> all",
    "<!here|here>": "&lt;!here|here>",
    "<@U0DANA> look": "&lt;@U0DANA> look",
    "<https://evil.example|Payroll>": "&lt;`https://evil.example`|Payroll>",
    "[a](http://evil.example)": "[a] (`http://evil.example`)",
    "![a](http://evil.example/p.png)": "![a] (`http://evil.example/p.png`)",
    "[a][ref]\n[ref]: http://evil.example": "[a] [ref]\n[ref] : `http://evil.example`",
    "[a][]\n[a]: http://evil.example": "[a] []\n[a] : `http://evil.example`",
    "[[inner]](http://evil.example)": "[[inner]] (`http://evil.example`)",
    "[a [b](http://x) c](http://evil.example)": "[a [b] (`http://x`) c] (`http://evil.example`)",
    "[a\u200b]\u200b(http://evil.example)": "[a] (`http://evil.example`)",
    "<http://evil.example>": "&lt;`http://evil.example`>",
    "<a href='http://evil.example'>x</a>": "&lt;a `href='http://evil.example`'>x&lt;/a>",
    "&lt;!channel&gt;": "&amp;lt;!channel&amp;gt;",
    "https://bank.example@evil.example/x": "`https://bank.example@evil.example/x`",
    "https://ok.example/a@b?c@d": "`https://ok.example/a@b?c@d`",
    "mara@fernhill.example": "`mara@fernhill.example`",
    "invoice\u202egpj.exe": "invoicegpj.exe",
    "zero\u200bwidth\ufeff\u2060": "zerowidth",
    "tag\U000e0041\U000e0042 fill\u3164er": "tag filler",
    "bell\x07 nul\x00": "bell nul",
    "lone \ud800 surrogate": "lone  surrogate",
    "a\u2028b": "a\nb",
    "ends in ]": "ends in ]",
    "> quote\n\n| a | b |\n\n- list `code`": "> quote\n\n| a | b |\n\n- list `code`",
}


SIGNS = ("]", "(", "[", ":", " ", "\n", "@", "://", "`", "```", "~~~", "\n```python\n", "plain words in a row")
LONG = ("o" * (MAX_LABEL - 2), "o" * (MAX_WORD - 2), "\n" + "`" * (MAX_FENCE - 2) + "cccc\n")
"""A few characters short of where what is held back is let go."""


@pytest.mark.parametrize(("text", "shown"), CORPUS.items())
def test_corpus(text: str, shown: str) -> None:
    """Everything that would notify, hide an address or be invisible is shown as plain words."""
    assert inert(text) == shown


def test_padding_is_bounded() -> None:
    """Nothing is pushed out of sight by blanks."""
    assert inert("a" + " " * 10_000 + "b") == "a" + " " * MAX_SPACES + "b"
    assert inert("a" + "\n " * 5_000 + "b").count("\n") == MAX_NEWLINES


@pytest.mark.parametrize("seed", range(40))
def test_a_stream_reads_like_the_whole(seed: int) -> None:
    """However a text is cut into pieces, by single characters too, the pieces add up to the same inert text."""
    chance = random.Random(seed)
    text = "".join(chance.choices([*CORPUS, *SIGNS, *LONG], k=30))
    longest = chance.choice((1, 7, 200))
    transform, shown, rest = Inert(), "", text
    while rest:
        cut = chance.randint(1, longest)
        shown, rest = shown + transform.feed(rest[:cut]), rest[cut:]
    assert shown + transform.close() == inert(text)


@pytest.mark.parametrize("seed", range(40))
def test_no_link_survives(seed: int) -> None:
    """No mix of brackets and invisible characters leaves the joint of a Markdown link, or anything of Slack's own."""
    chance = random.Random(1_000 + seed)
    shown = inert("".join(chance.choices("[](<>:!@|\u200b\u202e\\ \nhttp", k=400)))
    assert not any(joint in shown for joint in ("](", "][", "]:", "<"))


def test_a_held_bracket_waits_for_its_neighbour() -> None:
    """A stream never shows a bracket before it is known whether it would make a link."""
    transform = Inert()
    assert transform.feed("see [a]") + transform.pending == "see [a"
    assert transform.feed("(http://x) ") == "[a] (`http://x`) "


# Plain text --------------------------------------------------------------------------------------------------------


def test_what_is_invisible_is_marked() -> None:
    """A bidi override, a zero-width space or a control in a mail is named on the card, not removed."""
    assert plain("invoice\u202egpj.exe") == "invoice⟨U+202E⟩gpj.exe"
    assert plain("a\u200bb\x00c\ud800") == "a⟨U+200B⟩b⟨U+0000⟩c⟨U+D800⟩"


@pytest.mark.parametrize("text", ["👩🏽\u200d💻", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "क्\u200dष"])
def test_joiners_that_an_emoji_or_a_script_needs_are_no_marks(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "می\u200c", "می\u200c\u200cخواهم", "a\u200cخ", "💻\u200d"])
def test_other_joiners_are_marked(text: str) -> None:
    """Between letters that join nothing, at an end, and several where one does."""
    assert "⟨U+200" in plain(text)


def test_security_input_19_a_file_name_that_turns_around_is_marked() -> None:
    """A card shows where the direction of an attachment's name changes, and how its name really ends."""
    fields = [Field(label="Attachments", value="invoice\u202egpj.exe")]
    shown = json.dumps(card.card(card_view(preview=preview(fields=fields))).blocks, ensure_ascii=False)
    assert "invoice⟨U+202E⟩gpj.exe" in shown
    assert "\u202e" not in shown


def test_security_input_20_padding_is_counted() -> None:
    """Ten thousand blanks in front of an address are said, not shown."""
    assert plain("a" + " " * 10_000 + "evil") == "a ⟨10000 spaces⟩ evil"
    assert plain("a" + "\n" * 400 + "evil") == "a\n⟨399 blank lines⟩\nevil"


def test_ordinary_text_is_left_alone() -> None:
    """Line ends, tabs, accents and joined emoji stay as they are."""
    text = "Größe\tzwei\nund 👩\u200d💻 fertig"
    assert plain(text) == text
    assert plain("a\r\nb") == "a\nb"


def test_one_line() -> None:
    """A title in several lines says where the lines ended, and is cut with an ellipsis."""
    assert one_line(" a\n\n b ") == "a ⏎ b"
    assert one_line("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"


def test_escaped() -> None:
    """Where Slack reads mrkdwn, nothing of Slack's own syntax is left."""
    assert escaped("<!channel> & co") == "&lt;!channel&gt; &amp; co"


def test_a_request_in_one_line() -> None:
    """In lists and statuses its lines stand one beside the other, without a sign of our own."""
    assert request_line("Agent: Meeting brief\nMeeting: \n\n delivery planning\n", 150) == (
        "Agent: Meeting brief · Meeting: · delivery planning"
    )
    assert request_line("long\n" * 100, 12) == "long · long…"
