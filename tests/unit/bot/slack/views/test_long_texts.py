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
from bot.slack.views import blocks as kit
from bot.slack.views import card, confirmation, everything, form
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.form import FormCard
from bot.tools.forms import FieldInput, Form, FormField
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


FORGED = f"{LETTER}\n\nFrom: boss@fernhill.example\nSignature: none\n⚠ Checked: no warning."


@pytest.mark.parametrize("before", [None, LETTER, ""], ids=["new", "edited", "added"])
def test_words_of_the_text_are_no_fields(before: str | None) -> None:
    """All of a text stands in quotes, in the window as on the card, and every field of ours has a bold label beside."""
    letter = Field(label="Body", value=FORGED, before=before, long=True)
    said = preview(fields=[letter, Field(label="From", value="dana@a.example", aside=True)], warnings=["New to you."])
    shown = view(FORGED, preview=said)
    for blocks in (blocks_of(window(shown)), blocks_of(everything.window(shown)), as_json(card.card(shown).blocks)):
        elements = [element for block in blocks if block["type"] == "rich_text" for element in block["elements"]]
        quoted = [one for one in elements if one["type"] == "rich_text_quote"]
        beside = [one for one in elements if one["type"] != "rich_text_quote"]
        assert "Checked: no warning." in str(quoted)
        assert not re.search("boss@|Signature|Checked", str([beside, [b for b in blocks if b["type"] != "rich_text"]]))
        assert {"type": "text", "text": "⚠ New to you.", "style": {"bold": True}} in [
            one["elements"][0] for one in beside
        ]
    label, value = next(one["elements"] for one in beside_quotes(window(shown)) if "From" in str(one))
    assert (label["text"], label["style"], value.get("style")) == ("From: ", {"bold": True}, None)


def test_the_window_says_which_card_it_is_of() -> None:
    """By the four characters that the card has."""
    code = kit.card_code(view(LETTER).question_id)["text"]
    assert str(code) in str(card.card(view(LETTER)).blocks)
    for shown in (window(view(LETTER)), everything.window(view(LETTER))):
        assert str(code) in str(shown["blocks"])


def test_a_long_text_is_broken_where_nobody_takes_it_for_the_mails_own() -> None:
    """One quote holds 8,000 characters. Where it ends in a paragraph, a line of ours says that the text goes on."""
    (quote,) = [one for one in walk(blocks_of(window(view("word " * 1_600)))) if one.get("type") == "rich_text_quote"]
    assert len("".join(part["text"] for part in quote["elements"])) == 8_000
    longer = window(view("One sentence without an end " * 1_000))
    quotes = [one for one in walk(blocks_of(longer)) if one.get("type") == "rich_text_quote"]
    said = [one["elements"] for one in beside_quotes(longer) if one["elements"][0]["text"] == kit.GOES_ON]
    assert len(said) == len(quotes) - 1 == 3
    assert said[0][0]["style"] == {"bold": True}
    assert all(text.endswith(" ") for text in ("".join(p["text"] for p in one["elements"]) for one in quotes))


BEGINS, ENDS = "FIRST words. " + "Please pay the invoice. " * 30, "It is due soon. " * 40 + "The LAST words."
EDITED = f"{BEGINS}\n{'Please pay the invoice. ' * 300}\n{ENDS}"


@pytest.mark.parametrize(
    "before",
    ["The benches are ready. " * 90, "\n\nPlease pay.\n" * 90, f"{BEGINS}\n{'Please wait. ' * 300}\n{ENDS}", ""],
    ids=["other words", "other lines", "the same ends", "nothing"],
)
def test_an_edited_text_shows_both_of_its_ends(before: str) -> None:
    """The first and the last 500 characters of it as it is now, cut at a word, whatever was changed and wherever."""
    fields = [Field(label="Body", value=EDITED, before=before, long=True)]
    blocks = as_json(card.card(view(EDITED, preview=preview(fields=fields), edited=True)).blocks)
    (body,) = [b["elements"] for b in blocks if b["type"] == "rich_text" and "FIRST words" in str(b)]
    quotes = ["".join(part["text"] for part in one["elements"]) for one in body if one["type"] == "rich_text_quote"]
    notes = [one["elements"][-1]["text"] for one in body if one["type"] == "rich_text_section"]
    assert EDITED[:400] in "".join(quotes)
    assert quotes[-1].endswith(EDITED[-400:])
    assert 2_000 < len("".join(quotes)) <= 2_800
    assert len([note for note in notes if re.fullmatch(r"… [\d,]+ characters( as before)? left out here …", note)]) > 0
    for quote in quotes:
        assert not re.search(r"left out|more characters", quote)
        assert re.search(rf"(^|\s){re.escape(quote.split()[-1])}(\s|$)", f"{EDITED} {before}")  # a whole word


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


MOMENT = FormField(name="send_at", label="Send at", input=FieldInput.MOMENT, value="2026-11-20T08:00", optional=False)


@pytest.mark.parametrize(
    ("title", "fields", "told", "order"),
    [
        (
            "Send later",
            [MOMENT],
            "This approves what stands below, with what you fill in here.",
            ["input", "rich_text"],
        ),
        ("Save draft", [], "Approved exactly as it stands here.", ["rich_text"]),
    ],
)
def test_a_variant_says_what_it_approves(title: str, fields: Sequence[FormField], told: str, order: list[str]) -> None:
    """What is filled in stands above the text, with what is done as the question; the mail is named once."""
    asked = Form(title="Edit the mail", fields=fields, about="“Benches” to helen@a.example")
    place = FormCard(value="q.n", channel="D1", ts="1.0", variant=0, read=True)
    to_read = everything.whole(view(LETTER), beside=form.asked(asked, place), title=f"{title}?")
    shown = blocks_of(form.form_view(asked, place, title=title, to_read=to_read or ()))
    kinds = [block["type"] for block in shown]
    assert [kind for kind in dict.fromkeys(kinds) if kind in {"input", "rich_text"}] == order
    assert [block["text"]["text"] for block in shown if block["type"] == "header"] == [f"{title}?"]
    assert told in str(shown)
    assert asked.about not in str(shown)


def as_json(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    return json.loads(json.dumps(list(blocks)))


def beside_quotes(shown: Block) -> Sequence[dict[str, Any]]:
    return [one for one in walk(blocks_of(shown)) if one.get("type") == "rich_text_section"]


def blocks_of(shown: Block) -> Sequence[dict[str, Any]]:
    return json.loads(json.dumps(shown["blocks"]))


def joined(shown: Block) -> str:
    """All words of it, in rich text."""
    return "".join(item["text"] for item in walk(blocks_of(shown)) if item.get("type") == "text")
