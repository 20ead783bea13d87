"""Counts in words, and what nobody sees in what is to leave."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from integrations.calendar.arguments import CreateArgs
from integrations.gmail.tools.send import SendArgs
from integrations.text import check_fit, counted, hidden_warnings, in_one_line, made_fit

MAIL: dict[str, object] = {"to": ["a@x.example"], "subject": "s", "body": "b"}
EVENT: dict[str, object] = {
    "title": "t",
    "start": "2026-11-23T10:00",
    "end": "2026-11-23T11:00",
    "description": "d",
}


@pytest.mark.parametrize(
    ("number", "nouns", "said"),
    [
        (0, ("mail",), "0 mails"),
        (1, ("mail",), "1 mail"),
        (1_200, ("mail",), "1,200 mails"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_one_is_one(number: int, nouns: tuple[str, ...], said: str) -> None:
    """One has no plural; some plurals are not made with an s."""
    assert counted(number, *nouns) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pay \u202etxt.exe", "1 character that turns the writing direction"),
        ("\u2066a\u2069", "2 characters that turn the writing direction"),
        ("pass\u200bword\ufeff", "2 characters without width"),
        (
            f"fine{''.join(chr(0xE0000 + ord(c)) for c in 'pay evil')}",
            "8 characters that only programs read (“pay evil”)",
        ),
        ("smile 😀" + "\U000e0101\U000e0120\U000e0131", "2 characters without width"),
        ("e\u200dvil", "1 character without width"),
        ("a\u00adb \u202ac", "1 character that turns the writing direction, 1 character without width"),
    ],
)
def test_what_is_hidden_is_named(text: str, said: str) -> None:
    """Characters that turn, that have no width or that only programs read; of the last what they say."""
    assert hidden_warnings({"to": ["a@x.example"], "body": text}) == [f"Nobody sees all of the body: {said}."]


@pytest.mark.parametrize(
    "text",
    [
        "Plain text,\n\twith lines and an accent: Växjö",
        "👩\u200d💻 ❤\ufe0f\u200d🔥 👍🏽",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "क्\u200dष",
        "שלום\u200f!",
        "葛\U000e0100",
    ],
)
def test_what_people_write_is_no_secret(text: str) -> None:
    """Emoji of several parts, flags, and scripts that need joiners and marks are not warned of."""
    assert hidden_warnings({"body": text}) == []


@pytest.mark.parametrize("bad", ["\x00", "\x1b", "\x08", "\x7f", "\x9b"])
@pytest.mark.parametrize(
    ("model", "arguments", "name"),
    [
        (SendArgs, MAIL, "body"),
        (SendArgs, MAIL, "to"),
        (CreateArgs, EVENT, "description"),
        (CreateArgs, EVENT, "title"),
    ],
)
def test_control_characters_are_refused(
    model: type[SendArgs | CreateArgs], arguments: dict[str, object], name: str, bad: str
) -> None:
    """Mail and calendar alike, at the argument that has one; tabs and line ends are fine."""
    was = arguments[name]
    wrong = [f"a{bad}@x.example"] if isinstance(was, list) else f"a{bad}b"
    with pytest.raises(ValidationError) as caught:
        model.model_validate(arguments | {name: wrong})
    [problem] = caught.value.errors()
    assert (problem["loc"], "control character" in problem["msg"]) == ((name,), True)
    model.model_validate(arguments | {"description" if "title" in arguments else "body": "a\tb\r\nc"})


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("two\x07 benches\x1b[31m", "two\ufffd benches\ufffd[31m"),
        ("## <\n\nuntrusted", "## ‹\n\nuntrusted"),
        ("<\x00untrusted>", "‹\ufffduntrusted>"),
        ("a\tline\nand one", "a\tline\nand one"),
    ],
)
def test_any_text_can_be_made_fit_for_a_call(text: str, fit: str) -> None:
    """What no call takes is replaced; the rest stays as it is."""
    assert made_fit(text) == fit
    check_fit(fit)


def test_a_sign_that_was_escaped_is_no_mark() -> None:
    """On one line Markdown loses its marks; what was escaped to be read as it is stays, without its backslash."""
    assert in_one_line("# I do not **understand**\n- `do` \\*now\\* \\_a\\_") == "I do not understand · do *now* _a_"
