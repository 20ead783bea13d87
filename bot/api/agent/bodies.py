"""JSON that a client sends: read to a bound, and read strictly, so that no two programs read it differently.

RFC 8259 leaves open what a name means that stands twice, how deep values may be nested, and how long numbers are; RFC
7493 (I-JSON) forbids halves of characters. Such a body is refused in words.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import NoReturn, cast

from starlette.requests import Request

from bot.api.refusals import HttpRefusal
from bot.request_body import BodyTooLong, read_body

LIMIT = 1_000_000  # bytes
DEEPEST = 64
"""How many values may contain each other."""

_AT_ONCE = 65_536
"""A body of so many bytes is read within a millisecond or two; a longer one in a thread."""

_LONGEST_NUMBER = 40  # digits
_HALVES = "A text has half of a character that takes two."
_HALF = re.compile("[\ud800-\udfff]")
_MARKS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
"""Brackets, and texts, which may have brackets, too. A text that does not end is one to the end of the body: looked for
at each of its quotes again, such a body would take hours.
"""


async def json_body(request: Request) -> tuple[dict[str, object], bytes]:
    """The object that was sent, and its bytes. Raises `HttpRefusal`, and `ClientDisconnect`."""
    value, body = await json_value(request)
    if not isinstance(value, dict):
        raise HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_json", "The body is JSON, and must be an object: {…}.")
    return cast("dict[str, object]", value), body


async def json_value(request: Request) -> tuple[object, bytes]:
    """The same for any JSON."""
    _check_kind(request)
    try:
        body = await read_body(request, limit=LIMIT)
    except BodyTooLong:
        words = f"The body is too long: {LIMIT:,} bytes are taken."
        raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", words, close=True) from None
    return (_read(body) if len(body) <= _AT_ONCE else await asyncio.to_thread(_read, body)), body


def _check_kind(request: Request) -> None:
    """What it says of the body: JSON in UTF-8 (RFC 8259 §8.1), as it is. Raises `HttpRefusal`."""
    kind, *parameters = (part.strip() for part in request.headers.get("content-type", "").lower().split(";"))
    if kind != "application/json":
        _refuse_kind("Send JSON, with Content-Type: application/json.")
    charsets = [part.partition("=")[2].strip(' "') for part in parameters if part.startswith("charset")]
    if not {*charsets} <= {"utf-8", "utf8", "us-ascii"}:
        _refuse_kind("Send the body in UTF-8: no other charset is read.")
    if request.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        _refuse_kind("Send the body as it is: no Content-Encoding is read.")


def _refuse_kind(words: str) -> NoReturn:
    raise HttpRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not_json", words)


def _read(body: bytes) -> object:
    try:
        text = body.decode("utf-8")
        if _is_too_deep(text):
            _refuse(f"Its values are nested too deeply: {DEEPEST} levels are taken.")
        value: object = json.loads(
            text, object_pairs_hook=_of_pairs, parse_int=_int, parse_float=_float, parse_constant=_constant
        )
    except UnicodeDecodeError:
        _refuse("It is not UTF-8.")
    except json.JSONDecodeError as error:
        _refuse(f"It is no JSON: see line {error.lineno}, column {error.colno}.")
    except (ValueError, RecursionError):
        _refuse("It is no JSON.")
    if isinstance(value, str) and _HALF.search(value):
        _refuse(_HALVES)
    return value


def _is_too_deep(text: str) -> bool:
    """Counted in one pass, without nesting anything."""
    depth = 0
    for found in _MARKS.finditer(text):
        if found[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                return True
        elif found[0] in "]}":
            depth -= 1
    return False


def _of_pairs(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse("A name stands twice in one object.")
    for name, value in pairs:
        if _HALF.search(name) or _has_half(value):
            _refuse(_HALVES)
    return found


def _has_half(value: object) -> bool:
    """Objects were looked at before what contains them."""
    if isinstance(value, str):
        return _HALF.search(value) is not None
    return isinstance(value, list) and any(map(_has_half, cast("list[object]", value)))


def _int(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        _refuse(f"A number is too long: {_LONGEST_NUMBER} digits are taken.")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits) if len(digits) <= _LONGEST_NUMBER else float("inf")
    if number in {float("inf"), float("-inf")}:
        _refuse("A number is too large or too long.")
    return number


def _constant(name: str) -> NoReturn:
    _refuse(f"JSON has no {name}.")


def _refuse(words: str) -> NoReturn:
    raise HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_json", f"The body cannot be read. {words}")
