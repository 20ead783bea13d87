"""Whom an action reaches: a card shows everybody, or it cannot be approved."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from bot.slack.views import card
from bot.slack.views.blocks import Outgoing
from integrations.base import DESTINATIONS_LIMIT, Field, Variant
from tests.unit.bot.slack.cases import card_view, preview

LAST = "last@evil.example"


def many(characters: int, *, last: str = LAST) -> str:
    """So many characters of recipients, each on a line, the one that matters at the end."""
    line = "somebody.with.a.name@fernhill.example (Somebody With A Name)\n"
    return (line * (characters // len(line) + 1))[: characters - len(last) - 1].rpartition("\n")[0] + f"\n{last}"


def said(made: Outgoing) -> str:
    return json.dumps(made.blocks, ensure_ascii=False)


def labels(made: Outgoing) -> Sequence[str]:
    blocks = json.loads(json.dumps(made.blocks))
    return [item["text"]["text"] for block in blocks if block["type"] == "actions" for item in block["elements"]]


@pytest.mark.parametrize("before", [None, "dana@fernhill.example"], ids=["new", "edited"])
def test_every_destination_stands_on_a_card_that_can_be_approved(before: str | None) -> None:
    """Whoever is named last stands there as whoever is first does, also on a card that was edited."""
    fields = [
        *(Field(label=f"Field {number}", value="x") for number in range(30)),
        Field(label="Bcc", value=many(DESTINATIONS_LIMIT), before=before, destination=True, aside=True),
    ]
    made = card.card(card_view(preview=preview(fields=fields)))
    assert LAST in said(made)
    assert "Approve" in labels(made)


@pytest.mark.parametrize("value", [many(DESTINATIONS_LIMIT + 100), "\u200b" * 1_001], ids=["long", "invisible"])
def test_what_has_more_cannot_be_approved_in_any_way(value: str) -> None:
    """There is neither Approve nor Send later, and the card says why; it can be edited or rejected."""
    fields = [Field(label="To", value=value, destination=True)]
    shown = preview(fields=fields, variants=[Variant(label="Send later", asks="send_at")])
    assert not shown.shows_destinations()
    made = card.card(card_view(preview=shown, editable=True, choices=card_view().choices[1:]))
    assert [label for label in labels(made) if label != "Show everything"] == ["Reject", "Edit"]
    assert "cannot show everybody whom this reaches" in said(made)
