"""What was changed in a text, line by line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.views import card
from bot.slack.views.differences import MOST_COMPARED, LeftOut, Mark, left_out, parts, pieces, quotes, shortened
from bot.slack.views.fields import CHANGE_ENDS, CHANGE_LIMIT
from integrations.base import Field
from tests.contract.test_blocks import accepted
from tests.unit.bot.slack.cases import card_view, preview

LETTER = "Hi Helen,\n\nThe benches are ready.\n\nBest regards,"
CHANGED = LETTER.replace("ready.", "ready.\nWe come on Thursday.")
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "long line"]), max_size=12).map("\n".join)


@given(before=TEXTS, after=TEXTS)
def test_nothing_is_lost_and_nothing_invented(before: str, after: str) -> None:
    """Without what is gone it is the text after, without what is new the text before."""
    found = pieces(before, after)
    for out, whole in ((Mark.GONE, after), (Mark.NEW, before)):
        assert "\n".join(line for piece in found if piece.mark is not out for line in piece.lines) == whole


def test_only_what_differs_is_marked() -> None:
    """A line that was added is bold, the letter around it is as it was and stands there once."""
    fields = [Field(label="Body", value=CHANGED, before=LETTER, long=True)]
    made = card.card(card_view(preview=preview(fields=fields), edited=True))
    accepted(made)
    (quote,) = [
        element
        for block in json.loads(json.dumps(made.blocks))
        if block["type"] == "rich_text"
        for element in block["elements"]
        if element["type"] == "rich_text_quote"
    ]
    styles = {part["text"].strip(): part.get("style") for part in quote["elements"]}
    assert styles == {
        "Hi Helen,\n\nThe benches are ready.": None,
        "We come on Thursday.": {"bold": True},
        "Best regards,": None,
    }
    assert "bold lines are new" in str(made.blocks)


@pytest.mark.parametrize("before", ["", "Monday at 08:00"], ids=["new", "changed"])
def test_a_short_field_that_is_new_is_bold(before: str) -> None:
    """As what is new in a text is; what stood there before is struck out, and nothing is said of what there is not."""
    short = Field(label="Leaves", value="Tuesday at 08:00", before=before)
    fields = [short, Field(label="Body", value=CHANGED, before=LETTER, long=True)]
    made = str(card.card(card_view(preview=preview(fields=fields), edited=True)).blocks)
    assert "{'type': 'text', 'text': 'Tuesday at 08:00', 'style': {'bold': True}}" in made
    assert (f"'text': '{before}', 'style': {{'strike': True}}" in made) is bool(before)
    assert "What is struck out was there before, bold lines are new." in made
    alone = str(card.card(card_view(preview=preview(fields=[short]), edited=True)).blocks)
    assert ("struck out" in alone) is bool(before)


def test_several_new_lines_of_a_text_are_not_taken_for_labels() -> None:
    """Their own words never stand there as bold lines."""
    fields = [Field(label="Place", value="Hall\nTo: x@evil.example", before="")]
    made = str(card.card(card_view(preview=preview(fields=fields), edited=True)).blocks)
    assert "{'type': 'text', 'text': 'Hall\\nTo: x@evil.example'}" in made


def test_an_address_that_is_taken_out_is_struck_out() -> None:
    """Whom it still reaches stands there once, on a line of their own."""
    fields = [Field(label="To", value="a@x.example\nc@x.example", before="a@x.example\nb@x.example", destination=True)]
    shown_fields = str(card.card(card_view(preview=preview(fields=fields))).blocks)
    assert shown_fields.count("a@x.example") == 1
    assert "{'type': 'text', 'text': 'b@x.example\\n', 'style': {'strike': True}}" in shown_fields
    assert "{'type': 'text', 'text': 'c@x.example', 'style': {'bold': True}}" in shown_fields


@pytest.mark.parametrize("place", [0, 200, 399])
def test_a_long_text_shows_the_change_wherever_it_is(place: int) -> None:
    """Lines far from it are left out, which the card says and shows behind its button."""
    lines = [f"line number {n}" for n in range(400)]
    changed = [*lines[:place], "something else", *lines[place + 1 :]]
    fields = [Field(label="Body", value="\n".join(changed), before="\n".join(lines), long=True)]
    view = card_view(preview=preview(fields=fields), edited=True)
    assert "something else" in str(card.card(view).blocks)
    assert f"line number {place}" in str(card.card(view).blocks)
    assert "Show everything" in str(card.card(view).blocks)


def test_a_text_with_too_many_changes_is_cut() -> None:
    """What is left out is counted."""
    found = pieces("old line\n" * 500, "new line\n" * 500)
    kept = shortened(found, CHANGE_LIMIT, CHANGE_ENDS)
    shown = sum(len(part.text) for part in kept if not isinstance(part, LeftOut))
    assert CHANGE_LIMIT - 200 < shown <= CHANGE_LIMIT
    assert left_out(kept) == pytest.approx(parts(found)[-1].end - shown, abs=10)  # but for blank lines
    assert "characters left out here" in str(quotes(kept))


def test_texts_of_many_lines_are_not_compared_line_by_line() -> None:
    """That costs the square of their number: what lies between the first and the last difference is all changed."""
    old, new = ["x", *("ab" * MOST_COMPARED), "z"], ["x", *("bc" * MOST_COMPARED), "z"]
    found = pieces("\n".join(old), "\n".join(new))
    assert [piece.mark for piece in found] == [Mark.SAME, Mark.GONE, Mark.NEW, Mark.SAME]
