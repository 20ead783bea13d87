"""Agent definitions as `gemini.agent.v1` messages (section 6 of the specification): binary, text and JSON.

It works on a definition's canonical mapping. Numbers and presence are those of `agent.proto`, from which
`agent_pb2.py` is made; floats lose what a float32 cannot hold. What has no field there is refused by name, and so are
fields that `agent.proto` does not have.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, cast

from google.protobuf import json_format, text_format
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from integrations.agent_protobuf.agent_pb2 import AgentDefinition
from integrations.errors import IntegrationError

_NO_FIELD = ("processOutput", "flow")
_RENAMED = {"temperature": "temp", "topP": "top_p", "maxTimeMinutes": "max_time_minutes", "maxTurns": "max_turns"}


class MessageForm(StrEnum):
    """How a message is written."""

    BINARY = "proto"
    TEXT = "textproto"
    JSON = "protojson"


class NotRepresentable(IntegrationError):
    """A definition says something that the protobuf form has no place for."""


class NotAnAgent(IntegrationError):
    """Bytes are not a `gemini.agent.v1.AgentDefinition`."""

    def __init__(self, why: str) -> None:
        super().__init__(f"This is no gemini.agent.v1.AgentDefinition: {why}.")


def encode(definition: Mapping[str, object], form: MessageForm) -> bytes:
    """The message of a canonical mapping; raises `NotRepresentable` that names what it cannot hold."""
    _check(definition)
    message = AgentDefinition()
    json_format.ParseDict(_fields(definition), message)
    match form:
        case MessageForm.BINARY:
            return message.SerializeToString(deterministic=True)
        case MessageForm.TEXT:
            return text_format.MessageToString(message, as_utf8=True).encode()
        case MessageForm.JSON:
            return json_format.MessageToJson(message, ensure_ascii=False).encode() + b"\n"


def decode(data: bytes, form: MessageForm) -> dict[str, object]:
    """The canonical mapping of a message; raises `NotAnAgent`. Keys that it leaves out are left out here."""
    message = AgentDefinition()
    try:
        match form:
            case MessageForm.BINARY:
                message.ParseFromString(data)
            case MessageForm.TEXT:
                text_format.Parse(data.decode(), message)
            case MessageForm.JSON:
                json_format.Parse(data.decode(), message)
    except (DecodeError, text_format.ParseError, json_format.ParseError, UnicodeDecodeError) as error:
        raise NotAnAgent(" ".join(str(error).split()).rstrip(".")) from error
    if unknown := next(_unknown_fields(message), None):
        raise NotAnAgent(f"it has {unknown}, which agent.proto does not have")
    return _mapping(message)


def _check(definition: Mapping[str, object]) -> None:
    for key in _NO_FIELD:
        if key in definition:
            raise NotRepresentable(
                f"“{key}” has no field in gemini.agent.v1. Leave it out, or write the definition as YAML or JSON."
            )
    minutes = _section(definition, "runConfig").get("max_time_minutes")
    if isinstance(minutes, float) and not minutes.is_integer():
        raise NotRepresentable(
            f"“runConfig.max_time_minutes” is {minutes:g}, and gemini.agent.v1 has whole minutes only. Round it, or "
            "write the definition as YAML or JSON."
        )


def _section(definition: Mapping[str, object], key: str) -> dict[str, Any]:
    return dict(cast("Mapping[str, Any]", definition.get(key, {})))


def _fields(definition: Mapping[str, object]) -> dict[str, Any]:
    """The message in protobuf's JSON mapping."""
    fields: dict[str, Any] = dict(definition)
    output = _section(definition, "outputConfig")
    if not isinstance(output["schema"], str):
        output["schema"] = json.dumps(output["schema"], ensure_ascii=False)
    fields["outputConfig"] = output
    if "modelConfig" in definition:
        theirs = {ours: name for name, ours in _RENAMED.items()}
        model = _section(definition, "modelConfig")
        fields["modelConfig"] = {theirs.get(key, key): item for key, item in model.items()}
    return fields


def _mapping(message: AgentDefinition) -> dict[str, object]:
    """The canonical mapping. Maps, lists and `required` have no presence: what was not sent is empty, or false."""
    fields = json_format.MessageToDict(message)
    for section in ("modelConfig", "runConfig"):
        if section in fields:
            fields[section] = {_RENAMED.get(key, key): item for key, item in fields[section].items()}
    if message.HasField("input_config"):
        inputs = fields["inputConfig"].setdefault("inputs", {})
        fields["inputConfig"]["inputs"] = {name: {"required": False, **one} for name, one in inputs.items()}
    if message.HasField("tool_config"):
        fields["toolConfig"].setdefault("tools", [])
    if "schema" in fields.get("outputConfig", {}):
        fields["outputConfig"]["schema"] = _schema(fields["outputConfig"]["schema"])
    return fields


def _schema(written: str) -> object:
    """A schema from its JSON text; a name, and what is no JSON or has a key twice, stays as it is."""
    try:
        return json.loads(written, object_pairs_hook=_of_pairs) if written.lstrip().startswith("{") else written
    except (ValueError, RecursionError):
        return written


def _of_pairs(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """The object of these keys; raises `ValueError` where one is there twice."""
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _unknown_fields(message: Message) -> Iterator[str]:
    """The fields of a binary message, at any depth, that its type does not have."""
    for field in cast("Iterator[Any]", iter(cast("Any", UnknownFieldSet(message)))):
        yield f"a field {field.field_number} in {message.DESCRIPTOR.name}"
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        parts = value.values() if descriptor.message_type.GetOptions().map_entry else [value]
        for part in parts:
            yield from _unknown_fields(part)
