"""The scripted model answers in the form that the request demands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.playground.gemini.conversation import Conversation, Json

REPORT: Json = {"type": "object", "properties": {"report": {"type": "string"}}, "required": ["report"]}


def said(text: str, schema: Json) -> Any:
    answer = Conversation(text=text, mode="NONE", schema=schema).answer()
    assert not answer.calls
    return json.loads(answer.text)


def test_a_text_becomes_json() -> None:
    """What it would say stands where the schema has a text."""
    plain = Conversation(text="anything unread?", mode="NONE").answer().text
    assert said("anything unread?", REPORT) == {"report": plain}


def test_json_by_the_schema_stays_as_it_is() -> None:
    """So a test can say exactly what comes; other JSON is a text like any."""
    assert said('[[model: text={"report": "All well."}]]', REPORT) == {"report": "All well."}
    assert said('[[model: text={"rapport": 1}]]', REPORT) == {"report": '{"rapport": 1}'}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "Yes."),
        ({}, "Yes."),
        ({"type": ["integer", "null"], "minimum": 3}, 3),
        ({"type": "number", "maximum": -2}, -2),
        ({"type": "boolean"}, False),
        ({"type": "null"}, None),
        ({"enum": ["low", "high"]}, "low"),
        ({"oneOf": [{"type": "array", "items": {"type": "string"}, "minItems": 2}, {}]}, ["Yes.", "Yes."]),
        ({"type": "array", "items": {}, "maxItems": 0}, []),
        ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "boolean"}}}, {"a": False}),
        (
            {"properties": {"a": {"type": "object", "properties": {"b": {}, "c": {}}, "required": ["c"]}}},
            {"a": {"c": "Yes."}},
        ),
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, {"a": "Yes."}),
    ],
)
def test_a_value_of_each_kind(schema: Json, value: object) -> None:
    """Whatever the schema asks for can be said."""
    assert said("[[model: text=Yes.]]", schema) == value


def test_a_schema_without_end() -> None:
    """One that nothing can satisfy ends all the same."""
    endless = {"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]}}}
    assert said("[[model: text=Yes.]]", endless)


def test_calls_stay_calls() -> None:
    """Where it may call, a schema changes the final text only."""
    conversation = Conversation(text="anything unread?", schema=REPORT)
    assert "report" in json.loads(conversation.run())
    assert conversation.steps[0][0][0] == "gmail_search"


def test_a_call_that_is_demanded() -> None:
    """It ends the task where it can, with what it had to say."""
    tools = ("gmail_search", "complete_task")
    (call,) = Conversation(text="[[model: text=Yes.]]", tools=tools, mode="ANY").answer().calls
    assert (call.name, call.args) == ("complete_task", {"report": "Yes.", "sure": False})
    answer = Conversation(text="[[model: text=Yes.]]", tools=("gmail_search",), mode="ANY").answer()
    assert ([call.name for call in answer.calls], answer.text) == (["gmail_search"], "")


def test_a_text_that_is_the_arguments_of_a_demanded_call_stands_for_these() -> None:
    text = '[[model: text={"report": "Yes.", "sure": true}]]'
    (call,) = Conversation(text=text, tools=("complete_task",), mode="ANY").answer().calls
    assert call.args == {"report": "Yes.", "sure": True}


def test_only_what_is_allowed_is_called() -> None:
    """Of what it would call, the allowed stays; with none of that it calls what it may."""
    text = "[[call: gmail_search]] [[call: slack_channels]]"
    two = Conversation(text=text, mode="ANY", allowed=("slack_channels", "slack_read")).answer()
    assert [call.name for call in two.calls] == ["slack_channels"]
    other = Conversation(text=text, mode="ANY", allowed=("slack_read",)).answer()
    assert [call.name for call in other.calls] == ["slack_read"]


def test_a_deaf_model_heeds_nothing() -> None:
    """So a test can see what comes of it."""
    orders = "[[model: deaf; text=Yes.]]"
    assert Conversation(text=orders, mode="ANY").answer().text == "Yes."
    assert Conversation(text=orders, mode="NONE", schema=REPORT).answer().text == "Yes."


@pytest.mark.parametrize("directive", ["max_tokens", "safety", "nothing", "block", "garbage"])
def test_what_is_cut_has_no_form(directive: str) -> None:
    """An answer that ends before its end is no JSON and no call."""
    plain = Conversation(text=f"[[model: {directive}]]").answer()
    assert Conversation(text=f"[[model: {directive}]]", mode="ANY", schema=REPORT).answer() == plain
