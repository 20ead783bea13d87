""""""

from __future__ import annotations

from typing import Any

from playground.page.cards import Cards

OPEN: dict[str, Any] = {
    "blocks": [
        {"type": "section", "block_id": "random7"},
        {
            "type": "actions",
            "block_id": "card:qst_0001",
            "elements": [{"type": "button", "action_id": "question_approve", "value": "qst_0001.nonce42"}],
        },
    ]
}


def test_a_card_is_known_by_the_ids_of_its_buttons() -> None:
    """Button values and their block's id name a card; other blocks do not."""
    found = Cards().look({"D1": {"1.0": OPEN, "2.0": {"text": "no card"}}})
    assert found == {"D1:1.0": ["nonce42", "qst_0001"]}


def test_a_card_stays_one_in_its_final_form() -> None:
    """When the buttons are gone the message is still known by what they carried."""
    cards = Cards()
    cards.look({"D1": {"1.0": OPEN}})
    assert cards.look({"D1": {"1.0": {"blocks": []}}}) == {"D1:1.0": ["nonce42", "qst_0001"]}


def test_feedback_buttons_make_no_card() -> None:
    """An answer with thumbs under it is no card."""
    thumbs = {"type": "feedback_buttons", "positive_button": {"value": "good-answer-1"}}
    assert Cards().look({"D1": {"1.0": {"blocks": [{"type": "context_actions", "elements": [thumbs]}]}}}) == {}
