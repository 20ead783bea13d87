"""What is sent of an output schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot.llm.output_schema import widened

Json = Mapping[str, Any]


CASES: list[tuple[Json, Json | None]] = [
    ({"type": ["string", "null"], "title": "T", "description": "D"}, None),
    (
        {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "minItems": 1, "maxItems": 3},
        None,
    ),
    ({"properties": {"a": {}}, "required": ["a"], "additionalProperties": False, "propertyOrdering": ["a"]}, None),
    ({"enum": ["a", 1, 2.5]}, None),
    ({"enum": ["a", None]}, {}),
    ({"enum": [True]}, {}),
    ({"const": "a"}, {"enum": ["a"]}),
    ({"const": None}, {}),
    ({"oneOf": [{"type": "string"}, True]}, {"anyOf": [{"type": "string"}, {}]}),
    ({"anyOf": [{}], "oneOf": [{"type": "string"}]}, {"anyOf": [{}]}),
    (
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "C", "default": 1, "examples": [1]},
        {},
    ),
    ({"type": "string", "pattern": "^a", "minLength": 1, "format": "email"}, {"type": "string"}),
    ({"type": "string", "format": "date-time"}, None),
    ({"allOf": [{"type": "string"}], "not": {"type": "null"}, "if": {}, "then": {}}, {}),
    ({"prefixItems": [{"const": 1}], "items": False}, {"prefixItems": [{"enum": [1]}]}),
    ({"properties": {"a": True, "b": False}}, {"properties": {"a": {}, "b": {}}}),
    ({"additionalProperties": {"const": 1}}, {"additionalProperties": {"enum": [1]}}),
    ({"additionalProperties": False, "patternProperties": {"^a": {}}}, {}),
    (
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string", "pattern": "a"}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}},
    ),
    (
        {"items": {"$ref": "#/$defs/a", "title": "A"}, "$defs": {"a": {}}},
        {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {}}},
    ),
    ({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/properties/a"}}}, {"properties": {"a": {}, "b": {}}}),
]


@pytest.mark.parametrize(("schema", "sent"), CASES)
def test_what_is_sent(schema: Json, sent: Json | None) -> None:
    """What the API takes goes as it is (None), the rest is respelled or left out."""
    assert widened(schema) == (schema if sent is None else sent)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=5,
)
TYPES = st.sampled_from(["object", "array", "string", "integer", "boolean", "null"])


def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of a few keywords, those that the API takes and others."""
    named = st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    some = st.lists(inner, min_size=1, max_size=2)
    numbers = st.integers(0, 3)
    optional: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "const": VALUES,
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        **dict.fromkeys(("minimum", "maximum", "minItems", "maxItems", "minLength", "exclusiveMaximum"), numbers),
        **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), some),
        **dict.fromkeys(("items", "not", "contains", "if", "then", "else", "additionalProperties"), inner),
        **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), named),
        "unevaluatedProperties": inner,
        "required": st.lists(st.sampled_from(["a", "b"]), unique=True),
        "$ref": st.sampled_from(["#/$defs/a", "#/$defs/b", "#/$defs/a/items"]),
    }
    return st.fixed_dictionaries({}, optional=optional)


SCHEMAS = st.recursive(st.booleans() | st.just(cast("Any", {})), keywords, max_leaves=6)
DEFINITIONS = {
    "a": {"type": "string", "pattern": "a", "items": {"const": 1}},
    "b": {"minItems": 1, "uniqueItems": True},
}


def is_valid(schema: Json, value: object) -> bool:
    return cast("Any", Draft202012Validator(schema)).is_valid(value)


@given(SCHEMAS.filter(lambda schema: isinstance(schema, dict)), VALUES)
def test_what_satisfies_the_schema_satisfies_what_is_sent(schema: Json, value: object) -> None:
    """A model that obeys is never kept from a right answer."""
    schema = {**schema, "$defs": DEFINITIONS}
    if is_valid(schema, value):
        assert is_valid(widened(schema), value)
