"""A long text: a card shows both of its ends, and a window has all of it before it can be approved."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from bot.domain.questions import Choice
from bot.runtime.delivery.card import as_read_by
from bot.runtime.delivery.views import CardView
from bot.slack.views import card, confirmation
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.form import FormCard
from integrations.base import Field, Variant
from playground.slack.blocks import walk
from policies.deciders import Approver, Deciders
from policies.types import Unnamed
from tests.unit.bot.slack.cases import DANA, card_view, preview

LETTER = "FIRST words. " + "The benches stand in the yard. " * 200 + "The LAST words."


def view(text: str, **changes: Any) -> CardView:
    """A card that says this, as the runtime makes it of what is long."""
    said = preview(fields=[Field(label="Body", value=text, long=True)], variants=[Variant(label="Save draft")])
    given: dict[str, Any] = {"choices": [Choice.REJECT], "is_long": True, "editable": True, "preview": said}
    return card_view(**given | changes)


def buttons(made: Outgoing) -> Sequence[tuple[str, str | None]]:
    found = [item for item in walk(json.loads(json.dumps(made.blocks))) if item.get("type") == "button"]
    return [(item["text"]["text"], item.get("style")) for item in found]


def window(of: CardView) -> Block:
    to_read = card.to_read(of)
    assert to_read is not None
    return confirmation.form(of.unnamed, FormCard(value="q.n", channel="D1", ts="1.0", read=True), to_read)


def test_both_ends_stand_on_the_card() -> None:
    """At most 500 characters of each, cut at a word, and between them how many are left out: all are accounted for."""
    blocks = json.loads(json.dumps(card.card(view(LETTER)).blocks))
    quotes = [item["elements"][0]["text"] for item in walk(blocks) if item.get("type") == "rich_text_quote"]
    begins, ends = quotes
    assert begins.startswith("FIRST words.")
    assert ends.endswith("The LAST words.")
    assert LETTER.startswith(begins)
    assert LETTER.endswith(ends)
    assert all(450 < len(text) <= 500 for text in quotes)
    said = re.search(r"… ([\d,]+) characters left out here …", str(blocks))
    assert said is not None
    assert int(said[1].replace(",", "")) == len(LETTER) - len(begins) - len(ends)


def test_lines_count_as_well() -> None:
    """Of many short lines the first eight and the last eight stand there; sixteen fit."""
    lines = [f"line {n}" for n in range(40)]
    made = str(card.card(view("\n".join(lines), is_long=False)).blocks)
    assert [n for n, line in enumerate(lines) if re.search(rf"{line}\b", made)] == [*range(8), *range(32, 40)]
    assert "left out" not in str(card.card(view("\n".join(lines[:16]), is_long=False)).blocks)


def test_the_way_to_yes_is_the_window() -> None:
    """It stands first and is what is suggested; there is no Approve, and one button at most shows all."""
    assert buttons(card.card(view(LETTER))) == [
        ("Read and approve…", "primary"),
        ("Reject", "danger"),
        ("Edit", None),
        ("Save draft", None),
    ]


def test_nobody_named_it_either() -> None:
    """“No” comes first then, and the same window has the text and the fields."""
    checked = view(LETTER, unnamed=[Unnamed(rule="guard.link", value="v", shown="v")])
    assert buttons(card.card(checked))[:2] == [("Reject", "primary"), ("Check and approve…", None)]
    assert [block["type"] for block in blocks_of(window(checked))][-2:] == ["input", "context"]
    assert LETTER in joined(window(checked))


def test_all_of_it_stands_in_the_window() -> None:
    """Every character, with nothing to fill in, and a yes below it."""
    shown = window(view(LETTER))
    assert LETTER in joined(shown)
    assert "input" not in [block["type"] for block in blocks_of(shown)]
    assert (shown["title"], shown["submit"]) == (
        {"type": "plain_text", "text": "Read and approve", "emoji": False},
        {"type": "plain_text", "text": "Approve", "emoji": False},
    )


def test_warnings_stand_above_the_text_in_the_window() -> None:
    """As on the card: whom it reaches, what is to be known about that, then what it says."""
    letter = Field(label="Body", value=LETTER, long=True)
    said = preview(fields=[letter, Field(label="To", value="helen@a.example")], warnings=["You never wrote to Helen."])
    shown = joined(window(view(LETTER, preview=said)))
    assert shown.index("helen@a.example") < shown.index("You never wrote to Helen.") < shown.index("FIRST words.")


@pytest.mark.parametrize("text", ["x" * 300_000, "漢" * 40_000], ids=["characters", "bytes"])
def test_what_no_window_holds_cannot_be_approved(text: str) -> None:
    """The card says so; it can be edited or rejected, and everything that fits can be looked at."""
    made = card.card(view(text))
    assert card.to_read(view(text)) is None
    assert not card.can_be_confirmed(view(text))
    assert [label for label, _ in buttons(made)] == ["Reject", "Edit", "Show everything"]
    assert "says more than a window can show, so it cannot be approved" in str(made.blocks)


def test_whoever_has_to_agree_sees_the_same() -> None:
    """In their turn they have the window; its owner, who agreed, can still look at all of it."""
    theirs = view(LETTER, reader=DANA, deciders=[Deciders(approvers=(Approver(user=DANA),))])
    assert [label for label, _ in buttons(card.card(as_read_by(theirs, DANA)))] == [
        "Read and approve…",
        "Reject",
        "Reject with a reason…",
    ]
    assert [label for label, _ in buttons(card.card(theirs))] == ["Reject", "Edit", "Show everything"]


def blocks_of(shown: Block) -> Sequence[dict[str, Any]]:
    return json.loads(json.dumps(shown["blocks"]))


def joined(shown: Block) -> str:
    return "".join(block["text"]["text"] for block in blocks_of(shown) if block["type"] == "section")
