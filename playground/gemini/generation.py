"""Gemini's rules for `generationConfig`: sampling, thinking, and the form of the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from playground.gemini import schema
from playground.gemini.catalogue import KnownModel
from playground.gemini.errors import ApiError, invalid
from playground.gemini.schema import VERTEX, Json

JSON = "application/json"
_MIME_TYPES = ("text/plain", JSON, "application/xml", "application/yaml", "text/x.enum")
_RANGES = {"temperature": ("temperature", 2.0), "topP": ("top_p", 1.0)}
_DYNAMIC = -1
_SCHEMAS = {"responseSchema": "response_schema", "responseJsonSchema": "response_json_schema"}
MOST_ITEMS = 960
"""The sum of all `maxItems` that a schema may have (github.com/googleapis/python-genai/issues/2170)."""


def check(request: Json, *, model: KnownModel, transport: str) -> None:
    """Raises 400 for the first rule that the request breaks."""
    config = request.get("generationConfig", {})
    _check_sampling(config)
    _check_thinking(config.get("thinkingConfig", {}), model)
    _check_form(config)
    if config.get("responseMimeType") == JSON and not model.answers_json_beside_functions:
        _check_nothing_is_called(request, transport)


def output_schema(request: Json) -> Json | None:
    """The schema by which the model has to answer, in JSON; an empty one where any JSON will do."""
    config = request.get("generationConfig", {})
    if config.get("responseMimeType") != JSON:
        return None
    return cast("Json", config.get("responseJsonSchema", config.get("responseSchema", {})))


def _check_sampling(config: Json) -> None:
    """Models of today accept sampling, and ignore it."""
    for field, (name, most) in _RANGES.items():
        if field in config and not 0 <= float(config[field]) <= most:
            where = f"GenerateContentRequest.generation_config.{name}"
            raise invalid(f"* {where}: {name} must be in the range [0.0, {most}].\n")


def _check_thinking(thinking: Json, model: KnownModel) -> None:
    level, budget = thinking.get("thinkingLevel"), thinking.get("thinkingBudget")
    if level is not None and budget is not None:
        raise invalid("You can only set only one of thinking budget and thinking level.")
    if level is not None and str(level).upper() not in model.levels:
        raise invalid(f"Thinking level {level} is not supported for this model.")
    if budget is None or int(budget) == _DYNAMIC or (int(budget) == 0 and model.can_answer_without_thinking):
        return
    if int(budget) == 0:
        raise invalid("Budget 0 is invalid. This model only works in thinking mode.")
    if int(budget) not in model.budgets:
        raise invalid(f"The thinking budget ({budget}) is invalid.")


def _check_form(config: Json) -> None:
    mime_type = config.get("responseMimeType", "text/plain")
    if mime_type not in _MIME_TYPES:
        *first, last = (f"`{known}`" for known in _MIME_TYPES)
        raise invalid(
            "* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are "
            f"{', '.join(first)} and {last}.\n"
        )
    given = [name for field, name in _SCHEMAS.items() if field in config]
    if len(given) > 1:
        raise invalid("response_schema must not be set when response_json_schema is set.")
    if given and mime_type == "text/plain":
        raise invalid(f"{given[0].capitalize()} with a response mime type '{mime_type}' is unsupported")
    if "responseJsonSchema" in config and not _can_be_served(config["responseJsonSchema"]):
        raise _unspecific()


def _check_nothing_is_called(request: Json, transport: str) -> None:
    if not any(schema.declarations(request)) or schema.mode(request) == "NONE":
        return
    if transport == VERTEX:
        raise invalid(
            "For controlled generation of only function calls (forced function calling), please set "
            "'tool_config.function_calling_config.mode' field to ANY instead of populating 'response_mime_type', "
            "'response_schema' and 'response_json_schema' fields. For more details, see: "
            "https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#tool-config"
        )
    raise invalid(f"Function calling with a response mime type: '{JSON}' is unsupported")


def _can_be_served(written: Any) -> bool:
    """Whether each reference leads to a definition and stands alone, and lists are not too long all together
    (ai.google.dev/api/generate-content#GenerationConfig).
    """
    if not _is_json_schema(written):
        return False
    nodes = list(_nodes(written))
    defined = {f"#/$defs/{name}" for name in written.get("$defs", {})}
    referring = [node for node in nodes if "$ref" in node]
    return (
        all(node["$ref"] in defined and all(key.startswith("$") for key in node) for node in referring)
        and sum(int(node.get("maxItems", 0)) for node in nodes) <= MOST_ITEMS
    )


def _is_json_schema(written: Any) -> bool:
    try:
        Draft202012Validator.check_schema(written)
    except SchemaError:
        return False
    return isinstance(written, dict)


def _nodes(node: Json) -> Iterator[Json]:
    """A schema and every one in it."""
    yield node
    inner = [node.get("items"), node.get("additionalProperties")]
    inner += [each for key in ("anyOf", "oneOf", "prefixItems") for each in node.get(key, [])]
    inner += [each for key in ("properties", "$defs") for each in node.get(key, {}).values()]
    for each in inner:
        if isinstance(each, dict):
            yield from _nodes(cast("Json", each))


def _unspecific() -> ApiError:
    """What Gemini says of a schema that it cannot serve, among other things."""
    return invalid("Request contains an invalid argument.")
