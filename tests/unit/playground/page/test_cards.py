""""""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bot.domain.audit import AuditCode
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


# Sentences of the audit pane ---------------------------------------------------------------------------------------


ROOT = Path(__file__).parents[4]
_REJECTED = re.compile(
    r"click\..*|alarm\.not_put_off|question\.not_asked_again|run\.not_(continued|sent_now|tried_again|undone)"
)
"""Clicks that change nothing: the page has one sentence for all of them."""


def test_every_code_is_said_in_a_sentence() -> None:
    """No entry of the log is shown by its bare code, and no sentence is about a code that nobody writes."""
    said = set(re.findall(r'^  "([a-z_.]+)": \(', _text("playground/page/static/world/sentences.js"), re.M))
    codes = {code.value for code in AuditCode}
    assert said <= codes
    assert [code for code in sorted(codes - said) if not _REJECTED.fullmatch(code)] == []


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
