"""What a body may be."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

import pytest
from starlette.requests import Request

from bot.api.agent.bodies import DEEPEST, LIMIT, json_body, json_value
from bot.api.refusals import HttpRefusal


def request(body: bytes, *, kind: str = "application/json", coding: str = "", pieces: int = 1) -> Request:
    """A request that brings this body in so many pieces."""
    size = max(1, -(-len(body) // pieces))
    sent = [body[start : start + size] for start in range(0, len(body), size)] or [b""]
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in sent]
    messages[-1]["more_body"] = False

    async def receive() -> Any:
        return messages.pop(0)

    headers = [(b"content-type", kind.encode("latin-1"))] if kind else []
    headers += [(b"content-encoding", coding.encode())] if coding else []
    return Request({"type": "http", "method": "POST", "path": "/", "headers": headers}, receive)


async def refused(body: bytes, **more: Any) -> HttpRefusal:
    """How this body is refused, before the test is given up: what takes quadratic time takes hours."""
    with pytest.raises(HttpRefusal) as caught:
        await json_body(request(body, **more))
    return caught.value


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": [1, -2, 3.5, None, True, "é🪑"], "b": {"a": {"a": 1}}},
        {"brackets": 100 * '[{"\\'},
        {"long": 10**39, "small": 1e-300},
    ],
)
@pytest.mark.parametrize("pieces", [1, 3])
async def test_an_object_is_read_as_it_was_sent(value: dict[str, Any], pieces: int) -> None:
    """In whatever pieces it comes."""
    body = json.dumps(value).encode()
    assert await json_body(request(body, pieces=pieces)) == (value, body)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b'{"prompt": hi}', "no JSON: see line 1, column 12."),
        (b'{"a": 1} {"b": 2}', "no JSON"),
        (b"{'a': 1}", "no JSON"),
        (b'\xef\xbb\xbf{"a": 1}', "no JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
        (b"[]", "is JSON, and must be an object"),
        (b"null", "an object"),
        (b'"text"', "an object"),
        (b'{"a": NaN}', "no NaN"),
        (b'{"a": [-Infinity]}', "no -Infinity"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": ' + b"1" * 5_000 + b"}", "digits"),
        (b'{"a": ' + b"1" * 5_000 + b".5}", "too large or too long"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": {"b": 1, "\\u0062": 2}}', "twice"),
        (b'{"a": "\\ud800"}', "half"),
        (b'{"\\udfff": 1}', "half"),
        (b'{"a": [["\\ud83d"]]}', "half"),
        (b'{"a": [{"\\udfff": 1}]}', "half"),
        (b'{"a":' * (DEEPEST + 1) + b"1" + b"}" * (DEEPEST + 1), "nested"),
        (b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "nested"),
    ],
)
async def test_what_cannot_be_read_is_refused(body: bytes, words: str) -> None:
    """A 400 that says why."""
    refusal = await refused(body)
    assert (refusal.status, refusal.code) == (HTTPStatus.BAD_REQUEST, "bad_json")
    assert words in refusal.message


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"kind": "application/json; charset=latin-1"}, "UTF-8"),
        ({"kind": 'application/json; x=1; Charset="UTF-16"'}, "UTF-8"),
        ({"coding": "gzip"}, "Content-Encoding"),
    ],
)
async def test_a_body_in_another_form_is_refused(said: dict[str, str], words: str) -> None:
    """Who announces what is not read is told so, and not that it is no JSON."""
    refusal = await refused(b"{}", **said)
    assert (refusal.status, refusal.code) == (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not_json")
    assert words in refusal.message


@pytest.mark.parametrize("said", [{"kind": 'application/json;charset="utf-8"'}, {"coding": "identity"}])
async def test_a_body_that_says_what_it_is_is_read(said: dict[str, Any]) -> None:
    """UTF-8, as it is."""
    assert await json_body(request(b"{}", **said)) == ({}, b"{}")


async def test_both_halves_of_a_character_are_one() -> None:
    """An escaped pair is how JSON writes a character beyond the first plane."""
    assert (await json_body(request(b'{"a": "\\ud83e\\ude91"}')))[0] == {"a": "🪑"}


async def test_what_is_nested_as_deeply_as_allowed_is_read() -> None:
    body = b'{"a":' * DEEPEST + b"1" + b"}" * DEEPEST
    assert (await json_body(request(body)))[1] == body


async def test_a_text_is_a_value() -> None:
    """Where a route takes any JSON."""
    assert (await json_value(request(b'"text"')))[0] == "text"
    with pytest.raises(HttpRefusal, match="half"):
        await json_value(request(b'"\\ud800"'))


@pytest.mark.parametrize(
    "body",
    [
        b'"' + b'\\"' * (LIMIT // 2 - 1),
        b'{"a": "' + b"\\\\" * (LIMIT // 2 - 10),
        b"[" * LIMIT,
        b"{" + b",".join([b'"a":1'] * (LIMIT // 6 - 1)) + b"}",
        b'{"a":' + b"1" * (LIMIT - 10) + b"}",
        b'{"a":[' + b'"\\ud800",' * 100_000 + b"1]}",
    ],
    ids=["unended", "backslashes", "brackets", "twice", "digits", "halves"],
)
async def test_a_body_that_is_as_long_as_allowed_is_refused_soon(body: bytes) -> None:
    """Whatever it is made of: nothing else is done meanwhile."""
    assert len(body) <= LIMIT
    assert (await refused(body)).code == "bad_json"


async def test_a_body_that_is_too_long_is_refused() -> None:
    """Nothing more of it is read, so its connection ends."""
    refusal = await refused(b" " * (LIMIT + 1), pieces=100)
    assert (refusal.status, refusal.code) == (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long")
    assert refusal.close


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "text/json", "application/jsonx"]
)
async def test_only_json_is_read(kind: str) -> None:
    """A page elsewhere can have a browser send other types without asking first."""
    refusal = await refused(b"{}", kind=kind)
    assert (refusal.status, refusal.code) == (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not_json")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON ; charset=utf-8"])
async def test_json_may_name_its_charset(kind: str) -> None:
    """In whatever case."""
    assert (await json_body(request(b"{}", kind=kind)))[0] == {}
