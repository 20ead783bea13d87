"""How the API refuses: in one form, wherever it is asked."""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest

from bot.api.refusals import HttpRefusal, is_api


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/api", True),
        ("/api/", True),
        ("/API/agent/run", True),
        ("/Api", True),
        ("/api/agent/run", True),
        ("/apis", False),
        ("/", False),
        ("/auth/slack/api", False),
    ],
)
def test_what_is_asked_of_the_api(path: str, asked: bool) -> None:
    """Its folder with or without a slash, in any letters: a program that mistook it reads why."""
    assert is_api(path) is asked


def test_a_refusal_is_written_as_an_answer_is() -> None:
    """With blanks behind colons, and letters as they are."""
    refusal = HttpRefusal(HTTPStatus.BAD_REQUEST, "invalid", "“ä” is too long.", field="prompt")
    told = {"ok": False, "error": {"code": "invalid", "message": "“ä” is too long.", "field": "prompt"}}
    assert bytes(refusal.response().body).decode() == json.dumps(told, ensure_ascii=False)
