"""Wire contents: built, read, and converted for another transport."""

from __future__ import annotations

import json

import pytest

from bot.llm.model import Wire
from bot.llm.wire import (
    SKIP_SIGNATURE,
    Origin,
    content,
    converted,
    decode,
    function_responses,
    model_text,
    parts,
    role,
    to_base64,
    user_text,
)

DEVELOPER = Origin("developer", "gemini-3.8-flash")
VERTEX = Origin("vertex", "gemini-3.8-flash")


def test_text_of_a_person() -> None:
    """A person's text is one user content with one part."""
    assert decode(user_text("Grüße 🌿")) == {"role": "user", "parts": [{"text": "Grüße 🌿"}]}


def test_text_of_the_model() -> None:
    """The model's text is a model content that reads back."""
    wire = model_text("Done.")
    assert (role(wire), parts(wire)) == ("model", [{"text": "Done."}])


def test_responses_stand_in_one_user_content_in_call_order() -> None:
    """All responses of a turn go in one user content, and an id that was minted here is not sent."""
    wire = function_responses([("a", "gmail_search", True, {"output": 1}), ("b", "slack_read", False, {})])
    assert decode(wire) == {
        "role": "user",
        "parts": [
            {"functionResponse": {"id": "a", "name": "gmail_search", "response": {"output": 1}}},
            {"functionResponse": {"name": "slack_read", "response": {}}},
        ],
    }


@pytest.mark.parametrize("odd", [float("inf"), float("-inf"), float("nan")])
def test_numbers_without_a_value_become_null(odd: float) -> None:
    """What JSON has no number for is sent as null."""
    wire = content("model", [{"functionCall": {"name": "x", "args": {"n": [odd], "m": (1.5,)}}}])
    assert json.loads(wire)["parts"][0]["functionCall"]["args"] == {"n": [None], "m": [1.5]}


def test_lone_surrogates_are_replaced() -> None:
    """A Wire can always be encoded as UTF-8."""
    wire = user_text("broken \ud800 here")
    assert wire.encode()
    assert parts(wire) == [{"text": "broken \ufffd here"}]


@pytest.mark.parametrize(
    ("wire", "to"),
    [
        (Wire('{"role": "model",  "parts": [{"text": "a", "thoughtSignature": "AA=="}]}'), DEVELOPER),
        (user_text("hello"), VERTEX),
    ],
    ids=["same origin", "user"],
)
def test_what_needs_no_conversion_is_left_alone(wire: Wire, to: Origin) -> None:
    """A content that goes back where it came from is not touched at all, nor what people and tools said."""
    assert converted(wire, made_by=DEVELOPER, to=to) is wire


def test_foreign_signatures_are_replaced() -> None:
    """For another transport the first call gets the documented stand-in; thoughts and bare signatures go."""
    wire = content(
        "model",
        [
            {"text": "thinking", "thought": True},
            {"text": "I look.", "thoughtSignature": "AA=="},
            {"functionCall": {"name": "a", "args": {}}, "thoughtSignature": "BB=="},
            {"functionCall": {"name": "b", "args": {}}},
            {"text": "", "thoughtSignature": "CC=="},
        ],
    )
    assert parts(converted(wire, made_by=DEVELOPER, to=VERTEX)) == [
        {"text": "I look."},
        {"functionCall": {"name": "a", "args": {}}, "thoughtSignature": to_base64(SKIP_SIGNATURE)},
        {"functionCall": {"name": "b", "args": {}}},
    ]


def test_conversion_never_leaves_an_empty_content() -> None:
    """A content of which nothing remains is still one that the API takes."""
    wire = content("model", [{"text": "thinking", "thought": True}])
    assert parts(converted(wire, made_by=DEVELOPER, to=VERTEX)) == [{"text": " "}]
