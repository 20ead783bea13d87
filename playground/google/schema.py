"""Checks JSON values against the schemas of a discovery document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, cast

from playground.google.discovery import JsonObject

Schemas = Mapping[str, JsonObject]

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}


def problems(schemas: Schemas, name: str, value: object) -> Iterator[str]:
    """One line for everything in `value` that the schema called `name` does not allow, unknown fields included."""
    return _check(schemas, {"$ref": name}, value, name)


def known(schemas: Schemas, name: str, value: JsonObject) -> JsonObject:
    """`value` without the fields that the schema called `name` does not have, at any depth."""
    return _known(schemas, {"$ref": name}, value)


def _known(schemas: Schemas, schema: JsonObject, value: object) -> Any:
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    if isinstance(value, list):
        return [_known(schemas, schema.get("items", {}), item) for item in cast("list[object]", value)]
    if schema.get("type") != "object" or not isinstance(value, dict):
        return cast("Any", value)
    fields: JsonObject = schema.get("properties", {})
    others: JsonObject | None = schema.get("additionalProperties")
    item = cast("JsonObject", value)
    inner = {name: fields.get(name, others) for name in item}
    return {name: _known(schemas, kind, item[name]) for name, kind in inner.items() if kind is not None}


def _check(schemas: Schemas, schema: JsonObject, value: object, where: str) -> Iterator[str]:
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    kind = schema.get("type", "any")
    if kind == "any":
        return
    if not isinstance(value, _TYPES[kind]) or (kind in {"integer", "number"} and isinstance(value, bool)):
        yield f"{where}: {type(value).__name__} instead of {kind}"
    elif isinstance(value, dict):
        yield from _check_object(schemas, schema, cast("JsonObject", value), where)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from _check(schemas, schema["items"], item, f"{where}[{index}]")
    elif isinstance(value, str):
        yield from _check_text(schema, value, where)


def _check_object(schemas: Schemas, schema: JsonObject, value: JsonObject, where: str) -> Iterator[str]:
    known: JsonObject = schema.get("properties", {})
    others: JsonObject | None = schema.get("additionalProperties")
    for name, item in value.items():
        inner = known.get(name, others)
        if inner is None:
            yield f"{where}.{name}: unknown field"
        elif item is not None:
            yield from _check(schemas, inner, item, f"{where}.{name}")


def _check_text(schema: JsonObject, value: str, where: str) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {schema['enum']}"
    if not _has_format(schema.get("format", ""), value):
        yield f"{where}: {value!r} is no {schema['format']}"


def _has_format(form: str, value: str) -> bool:
    match form:
        case "int64" | "uint64":
            return re.fullmatch(r"-?\d+" if form == "int64" else r"\d+", value) is not None
        case "byte":
            return re.fullmatch(r"[A-Za-z0-9_\-+/]*={0,2}", value) is not None
        case "date":
            return _parses(date.fromisoformat, value)
        case "date-time":
            return _parses(datetime.fromisoformat, value)
        case _:
            return True


def _parses(parse: Any, value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True
