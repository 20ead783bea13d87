"""What the emulator demands of `generationConfig`, as Google does."""

from __future__ import annotations

from typing import Any

import pytest

from playground.gemini import generation, schema
from playground.gemini.catalogue import find
from playground.gemini.errors import ApiError
from playground.gemini.schema import DEVELOPER, VERTEX

Json = dict[str, Any]
CURRENT, OLDER = "gemini-3.8-flash", "gemini-2.5-flash-lite"
TOOLS: list[Json] = [{"functionDeclarations": [{"name": "a"}]}]
JSON: Json = {"responseMimeType": "application/json"}
NAMES: Json = {"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}}


def check(
    config: Json, *, model: str = CURRENT, transport: str = DEVELOPER, mode: str = "", tools: bool = True
) -> None:
    calling = {"toolConfig": {"functionCallingConfig": {"mode": mode}}} if mode else {}
    request = schema.normalised(
        {"contents": [], "generationConfig": config, "tools": TOOLS if tools else [], **calling}, transport
    )
    generation.check(request, model=find(model, "v1"), transport=transport)


def refused(config: Json, **more: Any) -> str:
    with pytest.raises(ApiError) as caught:
        check(config, **more)
    assert caught.value.code == 400
    return str(caught.value)


@pytest.mark.parametrize("model", [CURRENT, OLDER])
@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"temperature": 2.1}, "temperature must be in the range [0.0, 2.0]"),
        ({"temperature": "-0.1"}, "temperature must be in the range [0.0, 2.0]"),
        ({"topP": 1.1}, "top_p must be in the range [0.0, 1.0]"),
    ],
)
def test_sampling_has_a_range(model: str, config: Json, problem: str) -> None:
    """A model that ignores sampling checks it all the same."""
    assert problem in refused(config, model=model)
    check({"temperature": 2, "topP": "0.0"}, model=model)


@pytest.mark.parametrize(
    ("model", "thinking", "problem"),
    [
        (CURRENT, {"thinkingLevel": "MINIMAL"}, "level MINIMAL is not supported for this model"),
        (OLDER, {"thinkingLevel": "LOW"}, "level LOW is not supported for this model"),
        (CURRENT, {"thinkingLevel": "LOW", "thinkingBudget": 1}, "only one of thinking budget and thinking level"),
        (CURRENT, {"thinkingBudget": 0}, "only works in thinking mode"),
        (OLDER, {"thinkingBudget": 24_577}, "thinking budget (24577) is invalid"),
        (OLDER, {"thinkingBudget": 1}, "thinking budget (1) is invalid"),
    ],
)
def test_thinking(model: str, thinking: Json, problem: str) -> None:
    """A model knows its levels and budgets, and never takes both."""
    assert problem in refused({"thinkingConfig": thinking}, model=model)


@pytest.mark.parametrize(
    ("model", "thinking"),
    [(CURRENT, {"thinkingLevel": "high"}), (CURRENT, {"thinkingBudget": -1}), (OLDER, {"thinkingBudget": 0})],
)
def test_thinking_as_it_may_be(model: str, thinking: Json) -> None:
    """A level in any case, no bounds, and none at all where a model can answer without."""
    check({"thinkingConfig": thinking}, model=model)


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"responseMimeType": "audio/wav"}, "allowed mimetypes are `text/plain`, `application/json`,"),
        ({"responseJsonSchema": NAMES}, "Response_json_schema with a response mime type 'text/plain' is unsupported"),
        ({**JSON, "responseJsonSchema": NAMES, "responseSchema": {}}, "response_schema must not be set when"),
        ({**JSON, "responseJsonSchema": []}, "Request contains an invalid argument."),
        ({**JSON, "responseJsonSchema": {"type": "OBJECT"}}, "Request contains an invalid argument."),
        ({**JSON, "responseJsonSchema": {"$ref": "#/$defs/absent"}}, "Request contains an invalid argument."),
        (
            {**JSON, "responseJsonSchema": {"anyOf": [{"$ref": "#/$defs/x", "title": "X"}], "$defs": {"x": {}}}},
            "Request contains an invalid argument.",
        ),
        (
            {**JSON, "responseJsonSchema": {"items": {"items": {}, "maxItems": 500}, "maxItems": 461}},
            "Request contains an invalid argument.",
        ),
    ],
    ids=["mime type", "text", "two schemas", "list", "other dialect", "no definition", "beside a reference", "long"],
)
def test_the_form_of_an_answer(config: Json, problem: str) -> None:
    """A schema needs JSON, stands alone, and can be served."""
    assert problem in refused(config)


def test_a_schema_that_is_served() -> None:
    """With definitions and lists up to the budget; keywords that are not known are ignored."""
    served = {
        **NAMES,
        "$defs": {"x": {"type": "string", "pattern": "^a"}},
        "additionalProperties": False,
        "required": ["names"],
    }
    served["properties"] = {"names": {"type": "array", "items": {"$ref": "#/$defs/x"}, "maxItems": 960}}
    check({**JSON, "responseJsonSchema": served})


@pytest.mark.parametrize(
    ("transport", "problem"),
    [
        (DEVELOPER, "Function calling with a response mime type: 'application/json' is unsupported"),
        (VERTEX, "instead of populating 'response_mime_type'"),
    ],
)
@pytest.mark.parametrize("mode", ["", "AUTO", "ANY", "VALIDATED"])
def test_an_older_model_gives_no_json_where_it_may_call(transport: str, problem: str, mode: str) -> None:
    """It does without declarations, or with tools off; a current one always does."""
    assert problem in refused(JSON, model=OLDER, transport=transport, mode=mode)
    check(JSON, model=OLDER, transport=transport, mode="NONE")
    check(JSON, model=OLDER, transport=transport, tools=False)
    check(JSON, transport=transport, mode=mode)
