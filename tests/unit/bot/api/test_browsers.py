"""The cookies that people's browsers keep for us."""

from __future__ import annotations

from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from bot.api.browsers import Browsers
from bot.api.sign_in import SESSION
from bot.domain.sessions import SESSION_LIFE


@pytest.mark.parametrize(
    ("public_url", "name", "secure"),
    [
        ("https://agent.example.com", "__Host-countersign", True),
        ("http://127.0.0.1:8080", "countersign", ""),
    ],
)
def test_a_session_is_kept_by_our_own_host_alone(public_url: str, name: str, secure: object) -> None:
    """Over https no other host can set it, and it is sent over nothing else; no script reads it, nor does it come along
    from elsewhere. It is dropped under the same name.
    """
    browsers, kept, dropped = Browsers(public_url=public_url), Response(), Response()
    browsers.keep(kept, SESSION, "token", life=SESSION_LIFE, same_site="strict")
    cookie = SimpleCookie(kept.headers["set-cookie"])[name]
    assert (cookie.value, cookie["secure"], cookie["httponly"]) == ("token", secure, True)
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("strict", "/", "")
    assert cookie["max-age"] == str(int(timedelta(hours=12).total_seconds()))
    browsers.drop(dropped, SESSION)
    gone = SimpleCookie(dropped.headers["set-cookie"])[name]
    assert (gone.value, gone["max-age"], gone["path"], gone["secure"]) == ("", "0", "/", secure)


def _form(*messages: dict[str, Any]) -> Request:
    """A form of one of our own pages, as it arrives."""
    arriving = list(messages)

    async def receive() -> Any:
        return arriving.pop(0)

    headers = [(b"origin", b"https://agent.example.com")]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": headers}, receive)


async def test_a_form_that_came_in_part_is_none() -> None:
    """Its browser left, or it is longer than any of our pages sends; one that came whole is read."""
    browsers = Browsers(public_url="https://agent.example.com")
    part = {"type": "http.request", "body": b"next=%2Fhere", "more_body": True}
    assert await browsers.form(_form(part, {"type": "http.disconnect"})) is None
    assert await browsers.form(_form(*[{**part, "body": b"x" * 5_000}] * 2)) is None
    assert await browsers.form(_form({**part, "more_body": False})) == {"next": "/here"}
