"""The fields that a request may have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import googleapiclient
import pytest

from playground.gemini.errors import ApiError
from playground.gemini.schema import DEVELOPER, SCHEMAS, VERTEX, normalised

DOCUMENT = Path(googleapiclient.__file__).parent / "discovery_cache" / "documents" / "aiplatform.v1beta1.json"
PREFIX = "GoogleCloudAiplatformV1beta1"
SAME_NAME = ("Blob", "Content", "Part", "FunctionCall", "FunctionResponse", "Tool", "FunctionDeclaration", "ToolConfig")


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(DOCUMENT.read_text()))["schemas"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Request", "GenerateContentRequest"),
        ("FunctionCallingConfig", "FunctionCallingConfig"),
        ("GenerationConfig", "GenerationConfig"),
        ("ThinkingConfig", "GenerationConfigThinkingConfig"),
        *((name, name) for name in SAME_NAME),
    ],
)
def test_vertex_fields_are_googles(schemas: dict[str, Any], ours: str, theirs: str) -> None:
    """The table for Vertex AI has exactly the fields of the discovery document."""
    assert set(SCHEMAS[VERTEX][ours]) == set(schemas[PREFIX + theirs]["properties"])


def problems(body: object, transport: str = DEVELOPER) -> list[str]:
    with pytest.raises(ApiError) as caught:
        normalised(body, transport)
    [details] = caught.value.body["error"]["details"]
    return [violation["description"] for violation in details["fieldViolations"]]


def test_names_in_either_case() -> None:
    """proto JSON takes camelCase and snake_case; free objects are left as they are."""
    body = {
        "system_instruction": {"parts": {"text": "x"}},
        "contents": [{"parts": [{"function_call": {"name": "a", "args": {"snake_case": None}}}]}],
        "toolConfig": None,
    }
    assert normalised(body, DEVELOPER) == {
        "systemInstruction": {"parts": [{"text": "x"}]},
        "contents": [{"parts": [{"functionCall": {"name": "a", "args": {"snake_case": None}}}]}],
    }


def test_unknown_names_are_refused_with_their_place() -> None:
    """Every unknown name is listed, with where it stands."""
    body = {"madeUp": 1, "contents": [{"parts": [{"text": "x", "foo": 1}]}]}
    assert problems(body) == [
        'Invalid JSON payload received. Unknown name "madeUp": Cannot find field.',
        "Invalid JSON payload received. Unknown name \"foo\" at 'contents[0].parts[0]': Cannot find field.",
    ]


WRONG: list[object] = [
    [],
    {"contents": ["x"]},
    {"contents": [{"parts": [{"text": 3}]}]},
    {"contents": [{"parts": [{"functionCall": {"name": "a", "args": []}}]}]},
    {"generationConfig": {"maxOutputTokens": True}},
    {"generationConfig": {"temperature": "warm"}},
]


@pytest.mark.parametrize("body", WRONG)
def test_wrong_types_are_refused(body: object) -> None:
    """A value of another type than the field's is refused."""
    assert problems(body)[0].startswith("Invalid value at")


def test_transports_differ() -> None:
    """Streamed arguments exist on Vertex AI only, part metadata on the Developer API only."""
    call = {"contents": [{"parts": [{"functionCall": {"name": "a", "willContinue": True}}]}]}
    metadata = {"contents": [{"parts": [{"text": "a", "partMetadata": {"kept": True}}]}]}
    assert normalised(call, VERTEX)
    assert problems(call, DEVELOPER)
    assert normalised(metadata, DEVELOPER)
    assert problems(metadata, VERTEX)
