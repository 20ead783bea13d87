"""What an agent takes: its tool, and the check of values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from bot.agents.definition import Input, InputType
from bot.agents.inputs import InvalidInputs, checked, declaration, schema_of
from tests.unit.bot.agents.test_reader import SCOUT

TYPES = {
    "topic": InputType.STRING,
    "share": InputType.NUMBER,
    "most": InputType.INTEGER,
    "strict": InputType.BOOLEAN,
    "people": InputType.STRINGS,
    "shares": InputType.NUMBERS,
}
AGENT = replace(
    SCOUT,
    inputs={
        name: Input(description=f"The {name}.", type=kind, required=name == "topic") for name, kind in TYPES.items()
    },
)


def test_an_agent_is_a_typed_tool():
    """The tool has the agent's name and description, and an argument for each input, of its type."""
    tool = declaration(AGENT)
    assert (tool.name, tool.description) == ("scout", "Finds a mail.")
    assert tool.schema == {
        "type": "object",
        "properties": {
            "topic": {"type": "string", "description": "The topic."},
            "share": {"type": "number", "description": "The share."},
            "most": {"type": "integer", "description": "The most."},
            "strict": {"type": "boolean", "description": "The strict."},
            "people": {"type": "array", "items": {"type": "string"}, "description": "The people."},
            "shares": {"type": "array", "items": {"type": "number"}, "description": "The shares."},
        },
        "required": ["topic"],
        "additionalProperties": False,
    }
    Draft202012Validator.check_schema(tool.schema)


def test_an_agent_without_inputs_is_a_tool_without_arguments():
    """No input is no argument."""
    assert schema_of({}) == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


GIVEN = {"topic": "a", "share": 0.5, "most": 3, "strict": False, "people": ["b"], "shares": [1, 2.5]}


def test_values_that_fit_are_taken():
    """Each value is taken in the order of the inputs; one that is None counts as not given, 3.0 is a whole number."""
    assert list(checked(AGENT, dict(reversed(GIVEN.items()))).items()) == list(GIVEN.items())
    assert checked(AGENT, {"topic": "", "share": None, "most": 3.0, "people": []}) == {
        "topic": "",
        "most": 3,
        "people": [],
    }
    assert isinstance(checked(AGENT, {"topic": "a", "most": 3.0})["most"], int)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("topic", None, "is missing"),
        ("topic", 7, "must be a text"),
        ("share", True, "must be a number"),
        ("share", "0.5", "must be a number"),
        ("share", float("nan"), "must be a number"),
        ("most", 2.5, "must be a whole number"),
        ("most", True, "must be a whole number"),
        ("most", float("inf"), "must be a whole number"),
        ("most", 10**400, "must be a whole number"),
        ("share", 2**53, "must be a number"),
        ("strict", 1, "must be true or false"),
        ("strict", "true", "must be true or false"),
        ("people", "b", "must be a list of texts"),
        ("people", ["b", 1], "must be a list of texts"),
        ("shares", [1, True], "must be a list of numbers"),
        ("shares", 1, "must be a list of numbers"),
        ("zone", "UTC", "is not an input"),
    ],
)
def test_values_that_do_not_fit_are_named(name: str, value: object, why: str):
    """A missing, mistyped or unknown input is named with what it must be."""
    with pytest.raises(InvalidInputs) as error:
        checked(AGENT, {**GIVEN, name: value})
    assert error.value.fields == {name: why}
    assert str(error.value) == f"The inputs of scout are wrong: {name} {why}."


def test_all_wrong_values_are_named_at_once():
    """An error names every input that is wrong."""
    with pytest.raises(InvalidInputs) as error:
        checked(AGENT, {"most": "many", "zone": "UTC"})
    assert error.value.fields == {"zone": "is not an input", "topic": "is missing", "most": "must be a whole number"}
