"""Builds and reads `Wire`: one Content in the API's JSON form, as text.

The form is that of the API reference (ai.google.dev/api/caching#Content): `{"role", "parts": [...]}`, camelCase names,
bytes in base64. What came from the model is kept part by part; only what JSON cannot carry (numbers without a value,
lone surrogates) is replaced, so that a Wire can always be stored and sent.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from bot.llm.model import Blob, Wire

Part = dict[str, object]

SKIP_SIGNATURE = b"skip_thought_signature_validator"
"""What stands for another transport's or model's signature (ai.google.dev/gemini-api/docs/thought-signatures)."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Origin(NamedTuple):
    """Which transport and model made a content; signatures mean nothing to any other."""

    transport: str
    model: str


NOBODY = Origin("", "")
"""What no model made: a person's words, or our own."""


_STORED_FILE = "storedFile"
"""A part of our own, never sent: the id of a file, whose content is put in its place for each call."""
_FILE_MARK = f'"{_STORED_FILE}"'


def user_text(*texts: str, files: Sequence[str] = ()) -> Wire:
    """What a person said; several texts are several messages. Before it the files that came with it, by their ids."""
    return content("user", [*({_STORED_FILE: file_id} for file_id in files), *({"text": text} for text in texts)])


def files_in(wires: Sequence[Wire]) -> list[str]:
    """The ids of the files that the contents name, in order, each once."""
    if _FILE_MARK not in ",".join(wires):  # of many contents that is known at once
        return []
    found = [part for wire in wires if _FILE_MARK in wire for part in parts(wire)]
    return list(dict.fromkeys(str(part[_STORED_FILE]) for part in found if _STORED_FILE in part))


def with_files(wires: Sequence[Wire], files: Mapping[str, Sequence[str | Blob]]) -> Sequence[Wire]:
    """The contents to be sent: in the place of each file what is told of it."""
    if not files:
        return wires
    return [content(role(wire), list(_filled(parts(wire), files))) if _FILE_MARK in wire else wire for wire in wires]


def _filled(kept: Iterable[Part], files: Mapping[str, Sequence[str | Blob]]) -> Iterator[Part]:
    for part in kept:
        if _STORED_FILE in part:
            yield from map(_sent, files[str(part[_STORED_FILE])])
        else:
            yield part


def _sent(piece: str | Blob) -> Part:
    """A text, or inline data (ai.google.dev/api/caching#Blob)."""
    if isinstance(piece, str):
        return {"text": piece}
    return {"inlineData": {"mimeType": piece.mime_type, "data": base64.b64encode(piece.data).decode("ascii")}}


def model_text(text: str) -> Wire:
    """What the model said, when only its text is known."""
    return content("model", [{"text": text}])


def function_responses(responses: Iterable[tuple[str, str, bool, Mapping[str, object]]]) -> Wire:
    """The responses to every call of one turn, in call order, in one user content as the API demands.

    Each is the call's id, its name, whether the model gave that id (else it is not sent back), and the response.
    """
    return content("user", [_function_response(*response) for response in responses])


def _function_response(call_id: str, name: str, given_id: bool, response: Mapping[str, object]) -> Part:
    named: Part = {"name": name, "response": response}
    return {"functionResponse": {"id": call_id, **named} if given_id else named}


def content(role: str, parts: Sequence[Part]) -> Wire:
    """One content of these parts, always valid JSON that any UTF-8 store or wire takes."""
    return Wire(encode({"role": role, "parts": parts}))


def encode(value: object) -> str:
    """Compact JSON; numbers without a value become null, lone surrogates U+FFFD."""
    try:
        text = _encode(value)
    except ValueError:
        text = _encode(_finite(value))
    return whole(text)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def whole(text: str) -> str:
    """The text as it is kept: U+FFFD for lone surrogates."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in cast("Mapping[str, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in cast("Sequence[object]", value)]
    return value


def decode(wire: Wire) -> dict[str, object]:
    """The content as the API's JSON object."""
    return cast("dict[str, object]", json.loads(wire))


def role(wire: Wire) -> str:
    """`user` or `model`."""
    return str(decode(wire).get("role", ""))


def parts(wire: Wire) -> list[Part]:
    """Its parts, in order."""
    return cast("list[Part]", decode(wire).get("parts") or [])


def holds_responses(wire: Wire) -> bool:
    """Whether it is what came back for calls."""
    return any("functionResponse" in part for part in parts(wire))


def converted(wire: Wire, *, made_by: Origin, to: Origin) -> Wire:
    """The content for another transport or model: itself when nothing changed.

    Else foreign signatures go: the first call of the content gets the documented stand-in, thoughts and parts that
    carried nothing but a signature are dropped.
    """
    if made_by in {to, NOBODY} or role(wire) != "model":
        return wire
    return content("model", list(_without_signatures(parts(wire))) or [{"text": " "}])


def all_converted(made: Iterable[tuple[Wire, Origin]], *, to: Origin) -> list[Wire]:
    """Many contents, of which most are sent as they are."""
    as_they_are = {to, NOBODY}
    return [wire if by in as_they_are else converted(wire, made_by=by, to=to) for wire, by in made]


def _without_signatures(kept: Iterable[Part]) -> Iterator[Part]:
    first_call = True
    for part in kept:
        bare = {key: value for key, value in part.items() if key not in {"thoughtSignature", "thought"}}
        if part.get("thought") or bare == {"text": ""} or not bare:
            continue
        if "functionCall" in bare and first_call:
            first_call = False
            bare["thoughtSignature"] = to_base64(SKIP_SIGNATURE)
        yield bare


def to_base64(value: bytes) -> str:
    """Bytes as google-genai writes them: URL-safe, padded."""
    return base64.urlsafe_b64encode(value).decode("ascii")
