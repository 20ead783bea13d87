"""Checks of outputs: whatever a schema and a value cost together, a check ends in time, and others go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from functools import reduce

import pytest

from bot.agents.outputs import output_schema
from bot.agents.outputs.checks import MOST_CHARACTERS, MOST_PARTS, TOO_LONG, OutputChecks

_DOUBLED = {"anyOf": [{"properties": {"a": {"$ref": "#/$defs/node"}}}] * 2}
ATTACKS: Mapping[str, tuple[Mapping[str, object], object]] = {
    "a pattern": ({"pattern": "^(a+)+$"}, "a" * 40 + "!"),
    "a pattern of names": ({"patternProperties": {"^(a+)+$": {}}}, {"a" * 40 + "!": 1}),
    "unique items": ({"uniqueItems": True}, [{"a": n, "b": [n]} for n in range(9_000)]),
    "recursion": ({"$ref": "#/$defs/node", "$defs": {"node": _DOUBLED | {"required": ["b"]}}}, 40),
    "length": ({"allOf": [{"items": {"type": "integer"}}] * 300}, list(range(60_000))),
}


def nested(depth: int) -> object:
    return reduce(lambda inner, _: {"a": inner}, range(depth), dict[str, object]())


@pytest.fixture
async def checks() -> AsyncGenerator[OutputChecks]:
    async with OutputChecks() as made:
        yield made


@pytest.mark.parametrize("name", ATTACKS)
async def test_a_check_ends_in_time(checks: OutputChecks, name: str) -> None:
    """What would take minutes is refused, the event loop turns meanwhile, and the next value is checked."""
    schema, value = ATTACKS[name]
    schema = output_schema.read(dict(schema), None)
    assert isinstance(schema, Mapping)
    checking = asyncio.create_task(checks.errors(schema, nested(value) if isinstance(value, int) else value))
    turns, longest, before = 0, 0.0, time.thread_time()
    while not checking.done():
        await asyncio.sleep(0.001)
        longest, before, turns = max(longest, time.thread_time() - before), time.thread_time(), turns + 1
    assert checking.result() == [TOO_LONG]
    assert longest < 0.5
    assert turns > 10
    assert await checks.errors({"pattern": "^a$"}, "b") == ["$: 'b' does not match '^a$'"]


@pytest.mark.parametrize(
    "large", [{"a": [1, "x" * (MOST_CHARACTERS // 50)]}, {"a": [1, *["x"] * MOST_PARTS]}], ids=["long", "many"]
)
async def test_what_costs_as_much_as_it_is_long_needs_no_process(checks: OutputChecks, large: object) -> None:
    """A plain schema is checked at once; what is large goes to the process, with the same result."""
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
    assert await checks.errors(schema, {"a": [1]}) == ["$.a[0]: 1 is not of type 'string'"]
    assert checks.pid is None
    assert await checks.errors(schema, large) == ["$.a[0]: 1 is not of type 'string'"]
    assert checks.pid is not None


@pytest.mark.parametrize("depth", [500, 50_000])
async def test_what_is_nested_too_deep_is_refused(checks: OutputChecks, depth: int) -> None:
    """A value may be nested deeper than a check can follow, or than JSON can be written."""
    schema = {"properties": {"a": {"$ref": "#"}}}
    assert await checks.errors(schema, nested(3)) == []
    assert await checks.errors(schema, nested(depth)) == [TOO_LONG]
