"""The `fields` parameter: `items(id,summary),nextPageToken` or `a/b/c`, as the "partial response" guides describe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from playground.google.discovery import JsonObject
from playground.google.errors import ApiError

Mask = dict[str, "Mask"]
"""Field names to what is kept inside them; an empty mask keeps everything."""


def read_mask(text: str, schemas: Mapping[str, JsonObject], response: str | None) -> Mask:
    """Parses a mask and refuses fields that the response does not have, as Google does."""
    tokens = re.findall(r"[(),/]|[^(),/\s]+", text)
    mask = _read(tokens)
    if tokens:
        raise _invalid(text)
    if response:
        _refuse_unknown(mask, schemas, {"$ref": response})
    return mask


def masked(value: object, mask: Mask) -> Any:
    """`value` with only the fields that the mask names."""
    if not mask or "*" in mask:
        return value
    if isinstance(value, list):
        return [masked(item, mask) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        item = cast("JsonObject", value)
        return {name: masked(item[name], mask[name]) for name in item if name in mask}
    return value


def _read(tokens: list[str]) -> Mask:
    mask: Mask = {}
    while tokens:
        _read_path(tokens, mask)
        if not tokens or tokens[0] != ",":
            break
        tokens.pop(0)
    return mask


def _read_path(tokens: list[str], mask: Mask) -> None:
    name = tokens.pop(0) if tokens else ""
    if not name or name in "(),/":
        raise _invalid(name)
    inner = mask.setdefault(name, {})
    if tokens and tokens[0] == "/":
        tokens.pop(0)
        _read_path(tokens, inner)
    elif tokens and tokens[0] == "(":
        tokens.pop(0)
        inner.update(_read(tokens))
        if not tokens or tokens.pop(0) != ")":
            raise _invalid(name)


def _refuse_unknown(mask: Mask, schemas: Mapping[str, JsonObject], schema: JsonObject) -> None:
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    if schema.get("type") == "array":
        return _refuse_unknown(mask, schemas, schema["items"])
    known: JsonObject = schema.get("properties", {})
    for name, inner in mask.items():
        if name in known:
            _refuse_unknown(inner, schemas, known[name])
        elif name != "*" and "additionalProperties" not in schema:
            raise _invalid(name)
    return None


def _invalid(text: str) -> ApiError:
    return ApiError(400, "invalidParameter", f"Invalid field selection {text}", location="fields")
