"""What a question of each kind says: the JSON in rows is that of 0.1.0, and is read as it was."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from bot.domain.questions import PAYLOADS, AnswerPayload, ConnectPayload, QuestionKind, SettlePayload
from tests import builders as make

CONNECT: dict[str, Any] = {
    "provider": "google",
    "why": "missing_scope",
    "missing": ["a", "b"],
    "account": "",
    "private": False,
    "disbelieved": True,
}
RESULT: dict[str, Any] = {
    "data": {"id": "U1"},
    "summary": "Helen Fox.",
    "label": "member",
    "private": True,
    "objects": [{"kind": "mail", "id": "m1", "title": "Budget", "people": ["a@example.com"], "is_own": False}],
    "link": None,
    "undo": None,
    "ids": {},
}
ANSWER: dict[str, Any] = {
    "text": "Which Helen?",
    "private": True,
    "options": [{"value": "U1", "label": "Helen", "detail": "", "result": RESULT}],
}
ROWS: list[tuple[QuestionKind, dict[str, Any]]] = [
    (QuestionKind.APPROVE, {}),
    (QuestionKind.APPROVE, {"title": "Send this mail?"}),
    (QuestionKind.ANSWER, ANSWER),
    (QuestionKind.SETTLE, {"where": "Gmail", "link": ""}),
    (QuestionKind.CONNECT, CONNECT),
    (QuestionKind.CONNECT, CONNECT | {"quiet": True}),
    (QuestionKind.CONNECT, CONNECT | {"elsewhere": True, "declined": True}),
]


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_row_is_read_and_written_as_it_was(kind: QuestionKind, row: dict[str, Any]) -> None:
    """Names, values and their order."""
    told = PAYLOADS[kind].from_json(row).as_json()
    assert (told, list(told)) == (row, list(row))


def test_an_answer_keeps_its_result() -> None:
    """What an option leads to is a result again, with its label and its objects."""
    (option,) = AnswerPayload.from_json(ANSWER).options
    assert (option.result.label.value, option.result.objects[0].title) == ("member", "Budget")


def test_another_kind_is_a_defect() -> None:
    """Nothing reads from a question what its kind does not say."""
    question = make.question(kind=QuestionKind.SETTLE, payload=SettlePayload(where="Gmail"))
    with pytest.raises(TypeError, match="settle"):
        question.payload_as(ConnectPayload)


def test_a_row_of_before_is_read() -> None:
    """What it shows is nobody's own, and its result has no ids."""
    row = copy.deepcopy(ANSWER)
    for option in row["options"]:
        del option["result"]["ids"]
        for item in option["result"]["objects"]:
            del item["is_own"]
    assert PAYLOADS[QuestionKind.ANSWER].from_json(row).as_json() == ANSWER
