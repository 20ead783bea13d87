"""What the model is told of a tool's arguments: their names, types and meaning, in as few tokens as that takes.

Declarations go along with every call of the model. What they leave out (lengths, titles, defaults but for a choice or a
text) is checked and filled in when a call comes in, by the arguments' own model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from bot.tools import arguments
from integrations.base import AnyTool

_LEFT_OUT = frozenset(
    {
        *("title", "additionalProperties", "pattern"),
        *("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"),
    }
)


def schema_of(tool: AnyTool) -> dict[str, Any]:
    """The JSON schema of the tool's arguments for a declaration."""
    schema = _brief(arguments.schema_of(tool))
    schema.pop("description", None)  # the tool's own description tells more
    return schema


def _brief(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what says nothing to a model."""
    default = schema.get("default")
    left_out = _LEFT_OUT if default and isinstance(default, str) else _LEFT_OUT | {"default"}
    kept = {key: value for key, value in schema.items() if key not in left_out}
    return _one_kind({key: _within(key, value) for key, value in kept.items()})


def _within(key: str, value: Any) -> Any:
    """A schema's value: the schemas by name or in a list that it holds, too."""
    if key in {"properties", "$defs"}:
        return {name: _brief(each) for name, each in cast("dict[str, Any]", value).items()}
    if key in {"anyOf", "allOf", "oneOf"}:
        return [_brief(each) for each in cast("list[dict[str, Any]]", value)]
    return _brief(cast("dict[str, Any]", value)) if key == "items" else value


def _one_kind(schema: dict[str, Any]) -> dict[str, Any]:
    """What may be null is what need not be given: then only the other kind is told, if there is one."""
    kinds = [each for each in schema.get("anyOf", []) if each != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    del schema["anyOf"]
    return {**kinds[0], **schema}
