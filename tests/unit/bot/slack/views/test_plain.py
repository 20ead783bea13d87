from __future__ import annotations

from bot.slack.views.plain import cut, escaped, one_line, plain


def test_what_is_invisible_is_marked() -> None:
    """A bidi override, a zero-width space or a control in a mail is named on the card, not removed."""
    assert plain("invoice\u202egpj.exe") == "invoice⟨U+202E⟩gpj.exe"
    assert plain("a\u200bb\x00c\ud800") == "a⟨U+200B⟩b⟨U+0000⟩c⟨U+D800⟩"


def test_padding_is_counted() -> None:
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
