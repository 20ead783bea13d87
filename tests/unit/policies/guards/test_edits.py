"""What a person added to what the model proposed: nothing that stood there, however the words around it change."""

from __future__ import annotations

import pytest

from policies.guards.own_words import added

BODY = "Helo Helen, see you.\nPlease pay at https://evil.example/pay or ask eve@evil.example"


@pytest.mark.parametrize(
    ("now", "new"),
    [
        (BODY.replace("Helo", "Hello"), "Hello"),
        (BODY.replace("Helo Helen, see", "Bring the plan, see"), "Bring the plan,"),
        (f"{BODY} or bruno@x.example", "bruno@x.example"),
        (f"{BODY}, see https://good.example/a", "https://good.example/a"),
        ("bruno@x.example", "bruno@x.example"),
        ("Please", ""),
        ("", ""),
    ],
)
def test_what_was_there_before_is_not_new(now: str, new: str) -> None:
    """Words that are new count, in their order."""
    assert added(now, [BODY]) == new


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Pay at https://evil.example/pay", "Pay at https://evil.example/pay."),
        ("Pay at https://evil.example/pay", "Pay at “https://evil.example/pay”"),
        ("Helo,https://evil.example/pay", "Hello,https://evil.example/pay"),
        ("https://evil.example/payHelo Helen", "https://evil.example/pay Hello Helen"),
        ("Helohttps://evil.example/pay", "Hello https://evil.example/pay"),
        ("Helo:eve@evil.example", "Hello:eve@evil.example"),
        ("eve@evil.exampleHelo", "eve@evil.example Hello"),
        ("Eve <eve@evil.example>", "eve@evil.example"),
        ("evil[.]example/pay", "evil.example/pay"),
        ("see evil.com/pay", "see http://EVIL.com/pay"),
        ("eve@evil.example", "mailto:eve@evil.example"),
    ],
)
def test_a_corrected_word_beside_a_link_is_no_word_for_the_link(before: str, now: str) -> None:
    """Whatever is glued to it, taken off it, or written otherwise."""
    assert "evil" not in added(now, [before])


def test_it_is_new_only_if_no_text_held_it() -> None:
    """An address moves from one argument to another without becoming anybody's word."""
    assert added("eve@evil.example", ["Hello", "ask eve@evil.example"]) == ""
    assert added("Helen, hello", ["Hello", "Helen"]) == ""


def test_a_part_of_a_word_is_another_word() -> None:
    """Marks alone are no word."""
    assert added("pay, ... please", ["payment, please"]) == "pay,"
