"""The code of a card: four characters by which people tell one from another, the same wherever it is listed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bot.domain import ids
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.runtime.delivery.card import as_read_by
from bot.runtime.delivery.views import CardView
from bot.slack.views import card, command, connect, tool_question
from bot.slack.views.blocks import Block, Outgoing
from bot.slack.views.home import home
from tests.unit.bot.slack.cases import DANA, card_view, home_view, question_line

CODE = "Card GH2N"
SHOWN: dict[str, tuple[Callable[[CardView], Outgoing], dict[str, Any]]] = {
    "approve": (card.card, {}),
    "settle": (card.card, {"kind": QuestionKind.SETTLE, "choices": [Choice.HAPPENED]}),
    "answer": (tool_question.tool_question, {"kind": QuestionKind.ANSWER}),
    "connect": (connect.card, {"kind": QuestionKind.CONNECT}),
}


def said(blocks: Sequence[Block]) -> str:
    return json.dumps(blocks, ensure_ascii=False)


@pytest.mark.parametrize("kind", SHOWN)
def test_every_card_that_waits_has_its_code(kind: str) -> None:
    """In its small print, until it is decided."""
    make, changes = SHOWN[kind]
    assert CODE in said(make(card_view(**changes)).blocks)
    assert "Card " not in said(make(card_view(**changes, state=QuestionState.WITHDRAWN)).blocks)


def test_app_home_and_an_approver_have_the_same() -> None:
    """Beside the title on App Home, and on the card of whoever has to agree."""
    view = card_view(reader=DANA)
    assert CODE in said(card.card(as_read_by(view, DANA)).blocks)
    shown = home(home_view(questions=[question_line(), question_line(question_id="qst_2")]))
    assert [said([shown]).count(one) for one in (CODE, f"Card {ids.card_code('qst_2')}")] == [1, 1]


def test_the_status_has_the_same() -> None:
    """Beside the title of each card that waits."""
    shown = command.status(home_view(questions=[question_line(), question_line(question_id="qst_2")])).text
    assert [shown.count(one) for one in (" – card GH2N, asked ", f" – card {ids.card_code('qst_2')}, asked ")] == [1, 1]


def test_codes_differ() -> None:
    """Four characters that can be read out; of a thousand cards hardly two have one code."""
    codes = {ids.card_code(ids.named("qst", str(n))) for n in range(1_000)}
    assert len(codes) > 990
    assert {len(code) for code in codes} == {4}
    assert not set("".join(codes)) & set("01OILSZ58B")
