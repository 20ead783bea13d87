"""The fields of a request and their kinds; an unknown name is refused, as by Google's proto JSON.

Vertex AI's fields are those of the discovery document aiplatform v1beta1 (a test holds the table against it); the
Developer API's differ as `_DEVELOPER_*` say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from playground.gemini.errors import ApiError, invalid

Json = dict[str, Any]

DEVELOPER = "developer"
VERTEX = "vertex"


@dataclass(frozen=True, slots=True)
class Many:
    """A repeated field."""

    kind: str


STRING, NUMBER, BOOLEAN, STRUCT, ANY = "string", "number", "boolean", "struct", "any"
_BUILTIN: Mapping[str, tuple[type, ...]] = {
    STRING: (str,),
    NUMBER: (int, float, str),
    BOOLEAN: (bool,),
    STRUCT: (dict,),
}

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

Fields = Mapping[str, "str | Many"]

_PART: Fields = {
    "text": STRING,
    "thought": BOOLEAN,
    "thoughtSignature": STRING,
    "functionCall": "FunctionCall",
    "functionResponse": "FunctionResponse",
    "inlineData": "Blob",
    "fileData": ANY,
    "executableCode": ANY,
    "codeExecutionResult": ANY,
    "videoMetadata": ANY,
    "mediaResolution": ANY,
    "audioTranscription": ANY,
    "mediaProcessing": ANY,
    "speechMetadata": ANY,
}
_REQUEST: Fields = {
    "contents": Many("Content"),
    "systemInstruction": "Content",
    "tools": Many("Tool"),
    "toolConfig": "ToolConfig",
    "safetySettings": Many(ANY),
    "generationConfig": "GenerationConfig",
    "cachedContent": STRING,
    "continuationToken": STRING,
}
_GENERATION: Fields = {
    "thinkingConfig": "ThinkingConfig",
    **dict.fromkeys(
        ("temperature", "topP", "topK", "maxOutputTokens", "candidateCount", "seed", "presencePenalty"), NUMBER
    ),
    **dict.fromkeys(("frequencyPenalty", "logprobs"), NUMBER),
    "responseLogprobs": BOOLEAN,
    "responseMimeType": STRING,
    "stopSequences": Many(STRING),
    "responseModalities": Many(STRING),
    **dict.fromkeys(
        (
            "responseSchema",
            "responseJsonSchema",
            "responseFormat",
            "speechConfig",
            "mediaResolution",
            "imageConfig",
            "audioTranscriptionConfig",
            "enableAffectiveDialog",
            "translationConfig",
        ),
        ANY,
    ),
}
_TOOL: Fields = {
    "functionDeclarations": Many("FunctionDeclaration"),
    **dict.fromkeys(("codeExecution", "computerUse", "googleMaps", "googleSearch", "urlContext"), ANY),
    "googleSearchRetrieval": ANY,
}

_SHARED: Mapping[str, Fields] = {
    "Content": {"role": STRING, "parts": Many("Part")},
    "Blob": {"mimeType": STRING, "data": STRING},
    "FunctionResponse": {
        "id": STRING,
        "name": STRING,
        "response": STRUCT,
        "parts": Many(ANY),
        "scheduling": STRING,
    },
    "FunctionDeclaration": {
        "name": STRING,
        "description": STRING,
        "parameters": STRUCT,
        "parametersJsonSchema": ANY,
        "response": STRUCT,
        "responseJsonSchema": ANY,
        "behavior": STRING,
    },
    "ThinkingConfig": {"includeThoughts": BOOLEAN, "thinkingBudget": NUMBER, "thinkingLevel": STRING},
}

SCHEMAS: Mapping[str, Mapping[str, Fields]] = {
    DEVELOPER: {
        **_SHARED,
        "Request": {**_REQUEST, "model": STRING, "serviceTier": STRING, "store": BOOLEAN},
        "Part": {**_PART, "toolCall": ANY, "toolResponse": ANY, "partMetadata": STRUCT},
        "FunctionCall": {"id": STRING, "name": STRING, "args": STRUCT},
        "FunctionResponse": {**_SHARED["FunctionResponse"], "willContinue": BOOLEAN},
        "Tool": {**_TOOL, "fileSearch": ANY, "mcpServers": Many(ANY)},
        "ToolConfig": {
            "functionCallingConfig": "FunctionCallingConfig",
            "retrievalConfig": ANY,
            "includeServerSideToolInvocations": BOOLEAN,
        },
        "FunctionCallingConfig": {"mode": STRING, "allowedFunctionNames": Many(STRING)},
        "GenerationConfig": _GENERATION,
    },
    VERTEX: {
        **_SHARED,
        "Request": {**_REQUEST, "labels": STRUCT, "modelArmorConfig": ANY, "outputConfig": ANY},
        "Part": _PART,
        "Blob": {**_SHARED["Blob"], "displayName": STRING},
        "FunctionCall": {
            "id": STRING,
            "name": STRING,
            "args": STRUCT,
            "partialArgs": Many(ANY),
            "willContinue": BOOLEAN,
        },
        "Tool": {**_TOOL, **dict.fromkeys(("retrieval", "enterpriseWebSearch"), ANY)}
        | dict.fromkeys(("exaAiSearch", "parallelAiSearch"), ANY),
        "ToolConfig": {"functionCallingConfig": "FunctionCallingConfig", "retrievalConfig": ANY},
        "FunctionCallingConfig": {
            "mode": STRING,
            "allowedFunctionNames": Many(STRING),
            "streamFunctionCallArguments": BOOLEAN,
        },
        "GenerationConfig": {**_GENERATION, **dict.fromkeys(("audioTimestamp", "modelConfig", "routingConfig"), ANY)},
    },
}


def normalised(body: object, transport: str) -> Json:
    """The request with camelCase names; raises 400 with every violation, as Google lists them."""
    reader = _Reader(SCHEMAS[transport])
    request = reader.message("Request", body, "")
    if reader.problems:
        raise _refusal(reader.problems)
    return request


def _refusal(problems: list[tuple[str, str]]) -> ApiError:
    violations = [{"field": path, "description": problem} for path, problem in problems]
    bad_request = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations}
    return ApiError(400, "\n".join(problem for _, problem in problems), details=[bad_request])


class _Reader:
    """Walks a body along the schema and collects what is wrong with it."""

    def __init__(self, schemas: Mapping[str, Fields]) -> None:
        self._schemas = schemas
        self.problems: list[tuple[str, str]] = []

    def message(self, kind: str, value: object, path: str) -> Json:
        if not isinstance(value, dict):
            return self._wrong(value, path, {})
        fields = self._schemas[kind]
        read: Json = {}
        for name, item in cast("Json", value).items():
            field = _camel(name)
            if field not in fields:
                where = f" at '{path}'" if path else ""
                problem = f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
                self.problems.append((path, problem))
            elif item is not None:
                read[field] = self._field(fields[field], item, f"{path}.{field}" if path else field)
        return read

    def _field(self, kind: str | Many, value: object, path: str) -> object:
        if isinstance(kind, Many):
            # proto JSON takes a single value for a repeated field
            items = cast("list[object]", value) if isinstance(value, list) else [value]
            return [self._field(kind.kind, item, f"{path}[{n}]") for n, item in enumerate(items)]
        if kind in self._schemas:
            return self.message(kind, value, path)
        expected = _BUILTIN.get(kind)
        if expected is None or (isinstance(value, expected) and (kind != NUMBER or _is_number(value))):
            return value
        return self._wrong(value, path, value)

    def _wrong(self, value: object, path: str, instead: Any) -> Any:
        self.problems.append((path, f"Invalid value at '{path}': {str(value)[:80]}"))
        return instead


def _is_number(value: object) -> bool:
    """proto JSON takes a number's text for it."""
    return not isinstance(value, bool) and _NUMBER.fullmatch(str(value)) is not None


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


def declarations(request: Json) -> Iterator[Json]:
    """Every function declaration of a normalised request."""
    for tool in request.get("tools", []):
        yield from tool.get("functionDeclarations", [])


def mode(request: Json) -> str:
    """The function calling mode: AUTO, ANY, VALIDATED or NONE."""
    return str(calling(request).get("mode", "AUTO")).upper()


def calling(request: Json) -> Json:
    """The function calling config, empty where there is none."""
    return request.get("toolConfig", {}).get("functionCallingConfig", {})


def demanded(request: Json) -> list[Json]:
    """The declarations of which the model has to call one; none where it need not call."""
    if mode(request) != "ANY":
        return []
    allowed = calling(request).get("allowedFunctionNames", [])
    return [each for each in declarations(request) if not allowed or each["name"] in allowed]


def require_contents(request: Json) -> list[Json]:
    """The contents, which must not be empty."""
    contents: list[Json] = request.get("contents", [])
    if not contents:
        raise invalid("* GenerateContentRequest.contents: contents is not specified\n")
    return contents
