"""Gemini's rules for a request beyond its fields: turns, function calls and their responses, signatures.

The wording is that of the API's messages, so that people can search for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from playground.gemini import generation, inline_data, schema
from playground.gemini.catalogue import KnownModel
from playground.gemini.errors import invalid
from playground.gemini.schema import Json
from playground.gemini.signatures import Signer

_FUNCTION_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
_DATA = frozenset(
    {
        "text",
        "functionCall",
        "functionResponse",
        "inlineData",
        "fileData",
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
    }
)
RESTRICTED_MODES = frozenset({"ANY", "VALIDATED"})
MODES = RESTRICTED_MODES | {"AUTO", "NONE", "MODE_UNSPECIFIED"}


def check(request: Json, *, model: KnownModel, signer: Signer) -> None:
    """Raises 400 for the first rule that the request breaks."""
    contents = schema.require_contents(request)
    for index, content in enumerate(contents):
        _check_content(content, f"contents[{index}]")
    _check_declarations(request)
    _check_calling(request)
    generation.check(request, model=model, transport=signer.transport)
    _check_turns(contents)
    _check_responses(contents)
    _check_tools_are_declared(request)
    _check_signatures(contents, signer)


def calls(content: Json) -> list[Json]:
    return [part["functionCall"] for part in content.get("parts", []) if "functionCall" in part]


def responses(content: Json) -> list[Json]:
    return [part["functionResponse"] for part in content.get("parts", []) if "functionResponse" in part]


def current_turn(contents: Sequence[Json]) -> int:
    """The index of the content that began the current turn: the last user content that is more than responses."""
    for index in range(len(contents) - 1, -1, -1):
        content = contents[index]
        if _role(content) == "user" and any("functionResponse" not in part for part in content["parts"]):
            return index
    return 0


def _role(content: Json) -> str:
    return str(content.get("role", "user"))


def _check_content(content: Json, path: str) -> None:
    if _role(content) not in {"user", "model"}:
        raise invalid("Please use a valid role: user, model.")
    parts = content.get("parts", [])
    if not parts:
        raise invalid(f"* GenerateContentRequest.{path}.parts: contents.parts must not be empty.\n")
    for index, part in enumerate(parts):
        data = part.keys() & _DATA
        if len(data) != 1:
            what = "required oneof field 'data' must have one initialized field"
            raise invalid(f"* GenerateContentRequest.{path}.parts[{index}].data: {what}\n")
        if "inlineData" in part:
            inline_data.check(part["inlineData"], f"{path}.parts[{index}].inline_data")
        for name in ("functionCall", "functionResponse"):
            if name in part and not part[name].get("name"):
                raise invalid(f"* GenerateContentRequest.{path}.parts[{index}].{name}.name: Name cannot be empty.\n")


def _check_declarations(request: Json) -> None:
    names: set[str] = set()
    for number, declaration in enumerate(schema.declarations(request)):
        name = str(declaration.get("name", ""))
        path = f"GenerateContentRequest.tools[0].function_declarations[{number}]"
        if not _FUNCTION_NAME.fullmatch(name):
            raise invalid(
                f"* {path}.name: Invalid function name. Must start with a letter or an underscore. Must be "
                "alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum "
                "length of 128.\n"
            )
        if "parameters" in declaration and "parametersJsonSchema" in declaration:
            raise invalid(f"* {path}: only one of parameters and parameters_json_schema may be set.\n")
        if name in names:
            raise invalid(f"Duplicate function declaration found: {name}")
        names.add(name)


def _check_calling(request: Json) -> None:
    mode, config = schema.mode(request), schema.calling(request)
    names = {str(declaration["name"]) for declaration in schema.declarations(request)}
    if mode not in MODES:
        raise invalid(f"Invalid value at 'tool_config.function_calling_config.mode': {mode}")
    if not names and config:
        raise invalid("Function calling config is set without function_declarations.")
    allowed = config.get("allowedFunctionNames", [])
    if allowed and mode not in RESTRICTED_MODES:
        raise invalid("Allowed function names may only be set when the function calling mode is ANY or VALIDATED.")
    if unknown := [name for name in allowed if name not in names]:
        raise invalid(f"Allowed function name {unknown[0]} is not in function_declarations.")


def _check_turns(contents: Sequence[Json]) -> None:
    if _role(contents[-1]) != "user":
        raise invalid("Please ensure that multiturn requests end with a user role or a function response.")
    for content in contents:
        if _role(content) == "user" and calls(content):
            raise invalid("Please ensure that function calls are in a turn of the role model.")
        if _role(content) == "model" and responses(content):
            raise invalid("Please ensure that function responses are in a turn of the role user.")
    for before, content in _steps(contents):
        if calls(content) and (before is None or _role(before) != "user"):
            raise invalid(
                "Please ensure that function call turn comes immediately after a user turn or after a function "
                "response turn."
            )


def _check_responses(contents: Sequence[Json]) -> None:
    for before, content in _steps([*contents, {"role": "user", "parts": []}]):
        asked, answered = calls(before or {}), responses(content)
        if answered and not asked:
            raise invalid(
                "Please ensure that function response turn comes immediately after a function call turn. And the "
                "number of function response parts should be equal to number of function call parts of the function "
                "call turn."
            )
        if len(asked) != len(answered):
            raise invalid(
                "Please ensure that the number of function response parts is equal to the number of function call "
                "parts of the function call turn."
            )
        for call, answer in zip(asked, answered, strict=True):
            _check_pair(call, answer)


def _check_pair(call: Json, answer: Json) -> None:
    if call["name"] != answer["name"]:
        raise invalid(
            f"Please ensure that function responses are in the order of the calls: expected {call['name']}, got "
            f"{answer['name']}."
        )
    if "id" in answer and answer["id"] != call.get("id"):
        raise invalid(f"The id of the function response {answer['id']} does not match any function call.")
    if "response" not in answer:
        raise invalid("* GenerateContentRequest.contents.parts.function_response.response: required.\n")


def _check_tools_are_declared(request: Json) -> None:
    contents = request["contents"]
    called = any(calls(content) for content in contents[current_turn(contents) :])
    if called and not any(schema.declarations(request)):
        raise invalid("Function calls in the current turn need their function declarations in tools.")


def _check_signatures(contents: Sequence[Json], signer: Signer) -> None:
    begin = current_turn(contents)
    for index, content in enumerate(contents):
        first_call = True
        for part in content["parts"]:
            if "thoughtSignature" in part and not signer.is_valid(part):
                raise invalid("Thought signature is not valid.")
            if "functionCall" in part and first_call:
                first_call = False
                if index > begin and "thoughtSignature" not in part:
                    raise invalid(_missing(part["functionCall"]["name"], index))


def _missing(name: str, index: int) -> str:
    return (
        f"Function call is missing a thought_signature in functionCall parts. This is required for tools to work "
        f"correctly, and missing thought_signature may lead to degraded model performance. Additional data, function "
        f"call `default_api:{name}` , position {index + 1}. Please refer to "
        "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
    )


def _steps(contents: Sequence[Json]) -> Iterator[tuple[Json | None, Json]]:
    yield None, contents[0]
    yield from pairwise(contents)
