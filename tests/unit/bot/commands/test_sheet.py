"""A sheet: aligned, wrapped, inert."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.commands.sheet import Sheet, inert, took


def _sheet(*, width: int = 60, most_lines: int | None = None) -> Sheet:
    return Sheet(redact=lambda text: text.replace("secret", "[redacted]"), width=width, most_lines=most_lines)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0.00 s"), (59.994, "59.99 s"), (60, "1 min 00 s"), (123, "2 min 03 s"), (3840, "1 h 04 min")],
)
def test_durations_are_said_as_people_do(seconds: float, words: str) -> None:
    """Hundredths below a minute, then minutes, then hours."""
    assert took(timedelta(seconds=seconds)) == words


def test_what_a_terminal_would_obey_is_replaced() -> None:
    """Colours, bells, titles and turned directions; lines and letters stay."""
    assert inert("a\x1b[31mb\x07\u202ec\r\nd é “x”\t|") == "a�[31mb��c�\nd é “x” |"


def test_what_an_emoji_or_a_script_needs_stays() -> None:
    assert inert("👩\u200d👧 می\u200cخواهم a\u200db") == "👩\u200d👧 می\u200cخواهم a�b"


def test_whatever_a_row_holds_is_cleaned() -> None:
    """A label's text, a paragraph and a cell: a terminal obeys none of them, and none shows a secret."""
    sheet, said = _sheet(), "a\x1b[31m secret"
    sheet.entry("request", said)
    sheet.paragraph(said)
    sheet.table(("request",), [(said,)])
    entry, paragraph, _, row = sheet.lines
    assert [line.strip() for line in (entry, paragraph, row)] == [
        "request    a�[31m [redacted]", "a�[31m [redacted]", "a�[31m [redacted]",
    ]  # fmt: skip


def test_a_text_is_wrapped_beside_its_label() -> None:
    """Later lines stand below the first, and keep the indent of their own line."""
    sheet = _sheet()
    sheet.entry("request", "word " * 20 + "\n  {\n    deep secret")
    first, second, third, *rest = sheet.lines
    assert first.startswith("  request    word")
    assert second.startswith(" " * 13 + "word")
    assert all(len(line) <= 60 for line in sheet.lines)
    assert [third, *rest][-2:] == [" " * 15 + "{", " " * 17 + "deep [redacted]"]


def test_a_secret_is_found_before_it_is_broken_over_lines() -> None:
    """Redaction sees the whole text."""
    sheet = _sheet()
    sheet.entry("label", "x" * 40 + "secret")
    assert "secret" not in sheet.text().replace("\n", "").replace(" ", "")


def test_nothing_is_said_of_nothing() -> None:
    """An empty text makes no line."""
    sheet = _sheet()
    sheet.entry("link", " \n")
    assert sheet.lines == []


def test_a_long_text_is_cut_and_that_is_said() -> None:
    """With the number of lines that are missing."""
    sheet = _sheet(most_lines=2)
    sheet.entry("result", "1\n2\n3\n4")
    assert sheet.lines[-1].strip() == "… 2 more lines (--full shows all)"


def test_a_table_cuts_its_last_column_only() -> None:
    """One line a row, whatever the cells hold."""
    sheet = _sheet()
    sheet.table(("id", "request"), [("run_1", "a\nb " + "c" * 99), ("run_22", "x")])
    header, one, other = sheet.lines
    assert header.endswith("request\x1b[0m")
    assert (len(one), one.endswith("…"), "a b c" in one) == (60, True, True)
    assert other == "run_22  x"
