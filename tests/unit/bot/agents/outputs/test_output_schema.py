"""What an agent returns: the check against its schema, and the text that is made of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from bot.agents.outputs import output_schema
from bot.agents.problems import DefinitionFault
from bot.agents.processors import as_markdown, in_order, processed
from tests.unit.bot.agents.test_reader import SCOUT

SCHEMA: dict[str, object] = {
    "$schema": output_schema.DIALECT,
    "type": "object",
    "properties": {"findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}}, "done": {"type": "boolean"}},
    "required": ["findings"],
    "$defs": {
        "finding": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "inside": {"$ref": "#/$defs/finding"}},
            "required": ["text"],
        }
    },
}


def test_a_schema_may_refer_to_itself():
    """References to places in the schema are followed, also in a circle that ends with the value."""
    assert output_schema.read(SCHEMA, None) == SCHEMA
    assert output_schema.errors(SCHEMA, {"findings": [{"text": "a", "inside": {"text": "b"}}]}) == []


def test_what_is_wrong_with_an_output_has_its_path():
    """Each error says where the value is wrong."""
    found = output_schema.errors(SCHEMA, {"findings": [{"text": "a", "inside": {"text": 7}}], "done": "yes"})
    assert sorted(found) == [
        "$.done: 'yes' is not of type 'boolean'",
        "$.findings[0].inside.text: 7 is not of type 'string'",
    ]


def test_few_errors_are_told():
    """Of many errors the first five are told."""
    assert len(output_schema.errors(SCHEMA, {"findings": [7] * 50})) == 5


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"items": {"allOf": [{}, {"not": {"$ref": "#/items"}}]}},
        {"dependentSchemas": {"a": {"if": {"$dynamicRef": "#"}}}},
        {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"oneOf": [{"$ref": "#/$defs/a"}]}}},
    ],
)
def test_a_schema_without_end_is_refused(schema: dict[str, object]):
    """No part leads back to itself at the same place of a value, wherever that would be met."""
    with pytest.raises(DefinitionFault, match="refers to itself without end"):
        output_schema.read(schema, None)


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"items": {"$ref": "#"}}},
        {"x-kinds": {"a": {"not": {}}}, "allOf": [{"$ref": "#/x-kinds/a"}, {"$ref": "#/x-kinds/a/not"}]},
        {"definitions": {"a": {}}, "items": {"$ref": "#/definitions/a"}},
        {"properties": {"not": {"$ref": "#"}, "allOf": {"prefixItems": [{"$ref": "#"}]}}},
        {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}},
    ],
)
def test_a_schema_that_ends_with_its_value_is_read(schema: dict[str, object]):
    """A part may lead back to itself below a key, and two parts to the same one."""
    assert output_schema.read(schema, None) == schema


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "https://x.example/a.json"}}},
        {"$defs": {"a": {"anyOf": [{"$dynamicRef": "https://x.example/a.json"}]}}},
        {"items": {"$id": "https://x.example/", "$ref": "a.json"}},
        {"x-kinds": {"a": {"$ref": "file:///etc/passwd"}}, "items": {"$ref": "#/x-kinds/a"}},
        {"const": {"$ref": "file:///etc/passwd"}, "not": {"items": {"$dynamicRef": "#/const"}}},
        {"x-kinds": {"a": {"$id": "https://x.example/"}}, "items": {"$ref": "#/x-kinds/a"}},
    ],
)
def test_nothing_is_fetched(schema: dict[str, object]):
    """A reference that leads out of the schema is refused wherever it stands, so none is ever followed."""
    with pytest.raises(DefinitionFault):
        output_schema.read(schema, None)


AWAY = {"$ref": "https://x.example/a.json", "$id": "https://x.example/"}


DATA: list[tuple[dict[str, object], object, object]] = [
    ({"const": AWAY}, AWAY, {"$ref": "#"}),
    ({"const": {"$ref": "#"}}, {"$ref": "#"}, AWAY),
    ({"enum": [AWAY, [AWAY], "$ref"]}, [AWAY], 7),
    ({"type": "object", "default": AWAY, "examples": [AWAY, {"$dynamicRef": "#/none"}]}, AWAY, 7),
    ({"properties": {"$ref": {"type": "string"}, "$id": {"type": "null"}}}, {"$ref": "a", "$id": None}, {"$ref": 7}),
    ({"properties": {"$ref": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "null"}}}, {"$ref": None}, {"$ref": "a"}),
    ({"dependentRequired": {"$ref": ["$id"]}, "required": ["$ref"]}, AWAY, {"$ref": ""}),
    ({"items": {"not": {"enum": [{"not": {"$ref": "#/items"}}]}}}, [7], [{"not": {"$ref": "#/items"}}]),
    ({"x-note": AWAY, "type": "string"}, "a", 7),
]
"""Schemas, with a value that satisfies each and one that does not."""


@pytest.mark.parametrize(("schema", "good", "bad"), DATA)
def test_what_looks_like_a_reference_and_is_data_is_data(schema: dict[str, object], good: object, bad: object):
    """Values of `const` and `enum`, defaults, examples, names of properties, and keys that are not JSON Schema's."""
    assert output_schema.read(schema, None) == schema
    assert output_schema.errors(schema, good) == []
    assert output_schema.errors(schema, bad) != []


@pytest.mark.parametrize("key", ["$ref", "$dynamicRef", "pattern", "patternProperties", "unevaluatedItems"])
def test_a_costly_keyword_is_found_at_any_depth(key: str) -> None:
    assert not output_schema.is_plain({"properties": {"a": {"anyOf": [{"items": {key: "x"}}]}}})
    assert output_schema.is_plain({"properties": {"a": {"anyOf": [{"items": {"minLength": 1}}]}}})


def test_a_long_chain_of_references_is_followed():
    """Each leads to a place that only the one before leads to, and the last one to none."""
    chain = {f"a{n}": {"$ref": f"#/x/a{n + 1}"} for n in range(2_000)}
    with pytest.raises(DefinitionFault, match="refers to “#/x/a2000”, which is not there"):
        output_schema.read({"items": {"$ref": "#/x/a0"}, "x": chain}, None)


@pytest.mark.parametrize("depth", [65, 400, 5000])
def test_a_deep_schema_is_refused(depth: int):
    """A schema that is nested without end is no schema, as a text and as what was read of one."""
    deep: object = {}
    for _ in range(depth):
        deep = {"not": deep}
    for written in ('{"not": ' * depth + "{}" + "}" * depth, deep, {"const": deep}):
        with pytest.raises(DefinitionFault, match="nested deeper than 64 levels"):
            output_schema.read(written, None)


@pytest.mark.parametrize("how", ["keys", "text", "name"])
def test_a_schema_of_a_megabyte_is_refused(tmp_path: Path, how: str):
    """However it is written."""
    large: dict[str, object] = {"enum": list(range(150_000))}
    (tmp_path / "large.json").write_text(json.dumps(large))
    with pytest.raises(DefinitionFault, match="bytes; at most 65,536 are read"):
        output_schema.read({"keys": large, "text": json.dumps(large), "name": "large"}[how], tmp_path)


REPORT = {"summary": "All is well.", "open_points": ["one\ntwo", {"a": "ü"}], "sure": True}


@pytest.mark.parametrize(
    ("process", "output", "text"),
    [
        (None, {"a": ["ü", 1]}, '{"a":["ü",1]}'),
        (None, "a text", "a text"),
        (None, 7, "7"),
        ("json", REPORT, '{"summary":"All is well.","open_points":["one\\ntwo",{"a":"ü"}],"sure":true}'),
        (
            "markdown",
            REPORT,
            "## Summary\n\nAll is well.\n\n## Open points\n\n- one two\n- a: ü\n\n## Sure\n\ntrue",
        ),
        ("markdown", {"a": {"b_c": []}, "d": "", "e": None, "f": {"g": 0}}, "## F\n\n\n### G\n\n0"),
        ("markdown", "a text", "a text"),
    ],
)
def test_an_output_becomes_a_text(process: str | None, output: object, text: str):
    """JSON unless the definition names another function; a text stays as it is."""
    assert processed(replace(SCOUT, process_output=process), output) == text


LETTER = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "title": "The reply"},
        "files": {"type": "array", "items": {"properties": {"name": {"title": "File"}, "at": {}}}},
        "draft": {"type": "string"},
    },
}


def test_people_read_an_output_in_the_order_and_with_the_titles_of_its_schema():
    """Whatever order the model gave it in. What the schema does not know comes last, and what is empty is left out."""
    output = {"draft": "Saved.", "extra": 1, "files": [{"at": "2", "name": "a"}], "text": "Yes."}
    definition = replace(SCOUT, process_output="markdown", output=replace(SCOUT.output, schema=LETTER))
    assert processed(definition, output) == (
        "## The reply\n\nYes.\n\n## Files\n\n- file: a; at: 2\n\n## Draft\n\nSaved.\n\n## Extra\n\n1"
    )
    assert list(cast("dict[str, object]", in_order(output, LETTER))) == ["text", "files", "draft", "extra"]
    assert as_markdown(output, "letter").startswith("## Draft")
