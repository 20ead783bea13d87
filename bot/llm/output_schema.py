"""The schema of a request's answer: what of it is sent, to which models, and in which form.

The API takes a part of JSON Schema (ai.google.dev/api/generate-content#GenerationConfig, `responseJsonSchema`). Some of
the rest it ignores and some it refuses, and it does not always say what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import cast

import structlog

from bot.llm.model import ModelRejected, ModelRequest
from bot.llm.models import settings_of

log = structlog.get_logger()

_DEFINITION = re.compile(r"#/\$defs/[\w.-]+", re.ASCII)
_FORMATS = frozenset({"date-time", "date", "time"})
_BESIDE_TOOLS = ("with a response mime type", "instead of populating 'response_mime_type'")
"""How the Developer API and Vertex AI say that a model gives no JSON where functions are declared."""


class JsonForm(StrEnum):
    """How JSON is asked for."""

    SCHEMA = "schema"  # as a text by a response schema
    CALL = "call"  # as the arguments of a call that is forced
    TEXT = "text"  # in words alone


class OutputSchemas:
    """Knows in which form each request is asked. Models that refuse a schema beside tools are remembered."""

    def __init__(self) -> None:
        self._refusing: set[str] = set()

    def form(self, request: ModelRequest) -> JsonForm:
        """The form in which a request is asked first."""
        if request.output_schema is None:
            return JsonForm.TEXT
        takes = settings_of(request.model).takes_output_schema
        if takes and not (request.tools and request.model in self._refusing):
            return JsonForm.SCHEMA
        return _without_schema(request)

    def refused(self, request: ModelRequest, form: JsonForm, refusal: ModelRejected) -> JsonForm | None:
        """The form in which a request is asked that was refused in this one; None where there is no other. Learns
        whether it is the model that takes no schema.
        """
        if form is JsonForm.TEXT:
            return None
        log.warning("model.schema_refused", model=request.model, form=form, detail=refusal.detail)
        if form is JsonForm.CALL:
            return JsonForm.TEXT
        if request.tools and any(words in refusal.detail for words in _BESIDE_TOOLS):
            self._refusing.add(request.model)
        return _without_schema(request)


def _without_schema(request: ModelRequest) -> JsonForm:
    return JsonForm.CALL if request.output_call else JsonForm.TEXT


def widened(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema in keywords that the API takes: whatever satisfies the one satisfies the other, and more may.

    Other keywords are left out. `const` becomes an `enum`, `oneOf` an `anyOf`, which is how the API understands it. A
    reference stands alone and leads into the outermost `$defs`; any other lets everything pass.
    """
    definitions = schema.get("$defs")
    return _node(schema) | ({} if definitions is None else {"$defs": _each_named(definitions)})


def _node(schema: object) -> dict[str, object]:
    if not isinstance(schema, Mapping):
        return {}
    written = cast("Mapping[str, object]", schema)
    if (reference := written.get("$ref")) is not None:
        return {"$ref": reference} if _DEFINITION.fullmatch(str(reference)) else {}
    sent = {key: _TAKEN[key](value) for key, value in _respelled(written).items() if key in _TAKEN}
    if "patternProperties" in written:
        sent.pop("additionalProperties", None)  # it speaks of those that no pattern fits
    return {key: value for key, value in sent.items() if value is not None}


def _respelled(written: Mapping[str, object]) -> dict[str, object]:
    either = {"anyOf": written["oneOf"]} if "oneOf" in written else {}
    only = {"enum": [written["const"]]} if "const" in written else {}
    return {**either, **written, **only}


def _itself(value: object) -> object:
    return value


def _one(value: object) -> object:
    return None if isinstance(value, bool) else _node(value)


def _one_or_bool(value: object) -> object:
    return value if isinstance(value, bool) else _node(value)


def _each(value: object) -> object:
    return [_node(each) for each in cast("Sequence[object]", value)]


def _each_named(value: object) -> object:
    return {name: _node(each) for name, each in cast("Mapping[str, object]", value).items()}


def _values(value: object) -> object:
    """Texts and numbers only."""
    values = cast("Sequence[object]", value)
    taken = all(isinstance(each, (str, int, float)) and not isinstance(each, bool) for each in values)
    return list(values) if taken else None


def _format(value: object) -> object:
    return value if value in _FORMATS else None


_TAKEN: Mapping[str, Callable[[object], object]] = {
    **dict.fromkeys(("type", "title", "description", "required", "propertyOrdering"), _itself),
    **dict.fromkeys(("minItems", "maxItems", "minimum", "maximum"), _itself),
    **dict.fromkeys(("anyOf", "prefixItems"), _each),
    "enum": _values,
    "format": _format,
    "items": _one,
    "properties": _each_named,
    "additionalProperties": _one_or_bool,
}
