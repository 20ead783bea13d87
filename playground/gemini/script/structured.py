"""Answers in a form: JSON by the request's schema, or a call where one is demanded."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import UnknownType

from playground.gemini.answers import Answer, Call
from playground.gemini.schema import Json
from playground.gemini.script.reading import ENDING_TOOL, MISSED, Reading

_DEEPEST = 20


def formed(given: Answer, reading: Reading) -> Answer:
    """The answer as the request demands it. A text becomes a call's argument, or the strings of a JSON value, unless
    it is JSON by the schema already.
    """
    if given.is_deaf or not given.is_whole():
        return given
    if reading.demanded:
        allowed = {declaration["name"] for declaration in reading.demanded}
        calls = tuple(call for call in given.calls if call.name in allowed)
        return replace(given, text="", calls=calls or (_call(reading.demanded, given.text),))
    if reading.output_schema is not None and not given.calls:
        return replace(given, text=_json(reading.output_schema, given.text))
    return given


def told(given: Answer, reading: Reading) -> Answer:
    """The same of what it says by itself. A form with more than one place for a text is not filled with it, and no form
    with the word that it understood nothing: the text stays a text, and whoever waits for the form sees that.
    """
    calls = any(call.name == each["name"] for call in given.calls for each in reading.demanded)
    is_honest = calls or (not given.text.startswith(MISSED) and _places(_demanded(reading)) == 1)
    return formed(given, reading) if is_honest else given


def _demanded(reading: Reading) -> Json:
    """The schema that is to be filled."""
    if reading.demanded:
        return _arguments(_ending(reading.demanded))
    return reading.output_schema or {}


def _places(schema: Any) -> int:
    """How many values there are to fill in: objects and lists only hold them."""
    known = cast("Json", schema) if isinstance(schema, dict) else {}
    parts = [*known.get("properties", {}).values(), *([known["items"]] if "items" in known else [])]
    return sum(map(_places, parts)) or 1


def _ending(declarations: Sequence[Json]) -> Json:
    """The tool that ends a task, if it may be called."""
    return next((each for each in declarations if each["name"] == ENDING_TOOL), declarations[0])


def _call(declarations: Sequence[Json], text: str) -> Call:
    """A call of the tool that ends a task, if it may be called, with everything that it requires."""
    return called(_ending(declarations), text)


def called(declaration: Json, text: str) -> Call:
    """A call of this tool, with the text wherever it takes one. A text that is its arguments stands for these."""
    schema = _arguments(declaration)
    if _fits(schema, text) and isinstance(given := json.loads(text), dict):
        return Call(declaration["name"], cast("Json", given))
    return Call(declaration["name"], cast("Json", _Filler(schema, text).value(schema | {"type": "object"})))


def _arguments(declaration: Json) -> Json:
    return cast("Json", declaration.get("parametersJsonSchema") or declaration.get("parameters") or {})


def _json(schema: Json, text: str) -> str:
    return text if _fits(schema, text) else json.dumps(_Filler(schema, text).value(schema), ensure_ascii=False)


def _fits(schema: Json, text: str) -> bool:
    """Whether it is JSON by the schema; not by one in the older form, whose types are in capitals."""
    try:
        return cast("Any", Draft202012Validator(schema)).is_valid(json.loads(text))
    except (ValueError, UnknownType):
        return False


class _Filler:
    """Makes a value by a schema: all that the outermost object may have, and what others must have."""

    def __init__(self, root: Json, text: str) -> None:
        self._definitions: Mapping[str, Json] = root.get("$defs", {})
        self._text = text

    def value(self, schema: Any, depth: int = 0) -> Any:
        if depth > _DEEPEST or not isinstance(schema, dict):
            return None
        schema = cast("Json", schema)
        if "$ref" in schema:
            return self.value(self._definitions.get(schema["$ref"].rpartition("/")[2]), depth + 1)
        for key in ("anyOf", "oneOf"):
            if schema.get(key):
                return self.value(schema[key][0], depth + 1)
        return schema["enum"][0] if schema.get("enum") else self._of_type(schema, depth)

    def _of_type(self, schema: Json, depth: int) -> Any:
        match _type(schema):
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "integer" | "number":
                return min(max(0, schema.get("minimum", 0)), schema.get("maximum", math.inf))
            case "boolean":
                return False
            case "null":
                return None
            case _:
                return self._text

    def _object(self, schema: Json, depth: int) -> Json:
        properties: Mapping[str, Any] = schema.get("properties", {})
        wanted = properties if depth == 0 else schema.get("required", ())
        return {name: self.value(properties.get(name), depth + 1) for name in wanted}

    def _array(self, schema: Json, depth: int) -> list[Any]:
        count = max(1, schema.get("minItems", 1))
        return [self.value(schema.get("items", {}), depth + 1)] * min(count, schema.get("maxItems", count))


def _type(schema: Json) -> str:
    """In lower case, as in JSON Schema; of several, the first."""
    written: Any = schema.get("type", "object" if "properties" in schema else "")
    return str(cast("list[str]", written)[0] if isinstance(written, list) else written).lower()
