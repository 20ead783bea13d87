"""The call that ends the run of an agent, as the model sees it."""

from __future__ import annotations

from typing import cast

import pytest

from bot.agents.definition import Output
from bot.agents.outputs import output_schema
from bot.agents.outputs.checks import OutputChecks
from bot.tools.handover import Handover

_NODE = {"type": "object", "properties": {"text": {"type": "string"}, "inside": {"$ref": "#/$defs/node"}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/node", "$defs": {"node": _NODE}},
        {"type": "object", "properties": {"text": {"type": "string"}, "inside": {"$ref": "#"}}},
        {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "inside": {"properties": {"text": {"$ref": "#/properties/text"}}},
            },
        },
        {
            "type": "object",
            "properties": {"text": {"$ref": "#/$defs/a"}, "inside": {"$ref": "#"}},
            "$defs": {"a": {"type": "string"}},
        },
    ],
)
def test_its_references_lead_to_what_they_are_about(schema: dict[str, object]) -> None:
    """Also where they stand below the argument's name; what fits the one fits the other."""
    declared = Handover(output=Output(name="report", description="It.", schema=schema)).declaration.schema
    for value in ({"text": "a", "inside": {"text": "b"}}, {"text": 1}, {"text": "a", "inside": {"text": 1}}):
        alone = output_schema.errors(schema, value)
        below = output_schema.errors(declared, {"report": value})
        assert [error.replace("$.report", "$") for error in below] == alone


async def test_what_is_handed_over_is_in_the_order_of_its_schema() -> None:
    """However the model ordered it: people and records have it as the schema was written."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}, "draft": {"type": "string"}}}
    handover = Handover(output=Output(name="report", description="It.", schema=schema))
    async with OutputChecks() as checks:
        result = await handover.result({"draft": "b", "text": "a"}, checks)
    assert list(cast("dict[str, object]", result.output)) == ["text", "draft"]
