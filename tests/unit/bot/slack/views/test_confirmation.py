"""A card that a guard asks for: what nobody named stands on top, and the way to yes leads through a window."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.domain.questions import Choice, QuestionState
from bot.slack.views import blocks as kit
from bot.slack.views import card, confirmation
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.form import FormCard
from integrations.base import Variant
from policies.types import Unnamed
from tests.unit.bot.slack.cases import card_view, preview

EVIL = "x@evil.example"
REASON = f"You did not name “{EVIL}”. It stands in “Invoice” by Kim."
UNNAMED = [
    Unnamed(rule="guard.destination", value=EVIL, shown=EVIL),
    Unnamed(rule="guard.link", value="https://evil.example/", shown="https://evil.example/"),
    Unnamed(rule="guard.destructive"),
]
SHOWN = preview(variants=[Variant(label="Save draft")], warnings=["Outside"])
VIEW = card_view(unnamed=UNNAMED, reason=REASON, choices=[Choice.REJECT], editable=True, preview=SHOWN)


def buttons(made: Outgoing) -> list[tuple[str, str | None]]:
    blocks = json.loads(json.dumps(made.blocks))
    found = [item for block in blocks if block["type"] == "actions" for item in block["elements"]]
    return [(item["text"]["text"], item.get("style")) for item in found]


def test_no_comes_first_and_there_is_no_plain_yes() -> None:
    """Reject stands first and is what is suggested; neither Approve nor a variant stands there, Edit does."""
    assert buttons(card.card(VIEW)) == [("Reject", "primary"), ("Check and approve…", None), ("Edit", None)]


def test_what_was_not_named_and_where_it_was_found_is_the_first_warning() -> None:
    """It stands right below whom it reaches, once: not in the small print as well."""
    blocks = [json.dumps(block, ensure_ascii=False) for block in card.card(VIEW).blocks]
    (warned,) = (block for block in blocks if REASON in block)
    assert warned.index(f"⚠ {REASON}") < warned.index("⚠ Outside")
    assert blocks.index(warned) < next(n for n, block in enumerate(blocks) if '"actions"' in block)


def test_all_that_guards_say_stands_on_the_card() -> None:
    """The last sentence, too; of more than guards say the card counts what it leaves out."""
    told = f"{REASON} " * 40 + "You did not name the address “https://evil.example/steal”."
    assert "https://evil.example/steal" in json.dumps(card.card(replace(VIEW, reason=told)).blocks)
    assert not card.is_folded(replace(VIEW, reason=told))
    beyond = replace(VIEW, reason="x" * 5_500)
    assert " … 500 more characters" in json.dumps(card.card(beyond).blocks, ensure_ascii=False)
    assert card.is_folded(beyond)


def test_a_decided_card_keeps_the_warning_and_has_no_buttons() -> None:
    """What was decided on is still to be seen."""
    made = card.card(card_view(unnamed=UNNAMED, reason=REASON, state=QuestionState.DECIDED, decision=Choice.REJECT))
    assert REASON in json.dumps(made.blocks, ensure_ascii=False)
    assert buttons(made) == []


def window() -> Block:
    return confirmation.form(UNNAMED, FormCard(value="q.n", channel="D1", ts="1.0"))


def test_the_window_says_on_which_card_it_is() -> None:
    asked = card_view(unnamed=UNNAMED, state=QuestionState.OPEN)
    named = [kit.header(asked.preview.title), kit.context(kit.card_code(asked.question_id))]
    assert card.to_read(asked) == named


def test_the_window_has_a_field_for_addresses_and_a_box_for_each_other_value() -> None:
    """The addresses to type do not stand in it; the boxes are empty, and say what they are about."""
    blocks = json.loads(json.dumps(window()["blocks"]))
    inputs = {block["block_id"]: block for block in blocks if block["type"] == "input"}
    assert list(inputs) == ["typed", "tick_1", "tick_2"]
    assert EVIL not in json.dumps(window())
    assert inputs["typed"]["element"]["type"] == "plain_text_input"
    for name, label in (
        ("tick_1", "You did not name the address “https://evil.example/”."),
        ("tick_2", "You did not ask for this in words of your own."),
    ):
        assert inputs[name]["label"]["text"] == label
        assert inputs[name]["element"]["type"] == "checkboxes"
        assert "initial_options" not in inputs[name]["element"]
