"""What is confirmed value by value: exactly all of it counts, and nothing that only looks like it."""

from __future__ import annotations

import pytest

from bot.domain.confirmations import MOST_TICKED, Confirmation, fits, missing
from policies.types import Unnamed

EVIL = Unnamed(rule="guard.destination", value="Kim@evil.example", shown="Kim@evil.example")
LINK = Unnamed(rule="guard.link", value="https://evil.example", shown="https://evil.example")


@pytest.mark.parametrize(
    "typed", ["Kim@evil.example", " kim@EVIL.example\n", "kim@evil.example;\n,", "KIM@evil.example"]
)
def test_letters_may_be_small_or_large(typed: str) -> None:
    """Blanks around an address and the size of its letters make no difference."""
    assert missing([EVIL], Confirmation(typed=typed)) == {}


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "kim@evil.exampl",
        "k\u0131m@evil.example",
        "\u212aim@evil.example",
        "kim@ev\u0456l.example",
        "im@evil.example",
    ],
)
def test_what_only_looks_like_it_is_something_else(typed: str) -> None:
    """A letter of another script, or one that some comparisons take for it, makes another address."""
    assert set(missing([EVIL], Confirmation(typed=typed))) == {"typed"}


@pytest.mark.parametrize("typed", ["", "x@good.example", "x@good.example, kim@evil.exampl"])
def test_the_window_never_tells_what_is_to_be_typed(typed: str) -> None:
    """After a wrong try the address cannot be copied from the error either."""
    told = missing([EVIL], Confirmation(typed=typed))["typed"]
    assert EVIL.value.lower() not in told.lower()
    assert "card says" not in told  # the window asks for what people know, and not for what the card shows


def test_ticking_is_no_typing() -> None:
    """Each value is confirmed in its own way and its own place."""
    assert set(missing([LINK, EVIL], Confirmation(typed="https://evil.example", ticked={"tick_1"}))) == {
        "typed",
        "tick_0",
    }
    assert missing([LINK, EVIL], Confirmation(typed=EVIL.value, ticked={"tick_0"})) == {}


def test_one_window_holds_so_much() -> None:
    """What one window cannot ask for is not approved: too many boxes, too many addresses, or too long a value."""
    assert fits([EVIL, *[LINK] * MOST_TICKED])
    assert not fits([LINK] * (MOST_TICKED + 1))
    assert not fits([EVIL] * 200)
    assert not fits([Unnamed(rule="guard.link", value="x" * 1_501, shown="x" * 1_501)])
    assert not fits([Unnamed(rule="guard.link", value="x", shown="\u200b" * 151)])
    assert not fits([Unnamed(rule="guard.link", value="x" * 1_400, shown="x" * 1_400)] * 15)
