"""What pages of other origins are told, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.api.server import Gate, RunningServer, serve
from tests.unit.bot.api.wire import asked

LISTED, OTHER = "https://shop.example", "https://evil.example"
REFUSED = [
    ("GET /api/none", (), "localhost", 404, "not_found"),
    ("DELETE /api/in", (), "localhost", 405, "wrong_method"),
    ("GET /api/shut", (), "localhost", 503, "unavailable"),
    ("GET /api/in", (), "evil.example", 421, "wrong_host"),
    ("POST /api/in", ("content-length: 5", "transfer-encoding: chunked"), "localhost", 400, "bad_request"),
]
"""Refusals that come before any route: what is asked, further headers, the host, and what is answered."""


async def _inside(request: Request) -> Response:
    return PlainTextResponse("in", headers={"vary": "cookie"})


@pytest.fixture
async def served() -> AsyncIterator[RunningServer]:
    """A server with a listed origin."""
    routes = [Route("/api/in", _inside), Route("/api/shut", Gate()), Route("/page", _inside)]
    async with serve(routes, host="127.0.0.1", port=0, origins=frozenset({LISTED})) as serving:
        yield serving


@pytest.mark.parametrize(("what", "headers", "host", "status", "code"), REFUSED)
async def test_every_refusal_can_be_read(
    served: RunningServer, what: str, headers: tuple[str, ...], host: str, status: int, code: str
) -> None:
    """A page of a listed origin is told in the API's own form what is wrong; another page reads nothing."""
    answer = await asked(served, what, f"origin: {LISTED}", *headers, host=host)
    assert (answer.status, answer.error["code"]) == (status, code)
    assert answer.error["message"]
    assert answer.headers["access-control-allow-origin"] == LISTED
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert "retry-after" in answer.headers["access-control-expose-headers"]
    unread = await asked(served, what, f"origin: {OTHER}", *headers, host=host)
    assert (unread.status, unread.error["code"]) == (status, code)
    assert not [name for name in unread.headers if name.startswith("access-control-")]
    assert "Origin" in unread.headers["vary"]


@pytest.mark.parametrize("origin", [LISTED, OTHER])
async def test_an_answer_is_as_it_was(served: RunningServer, origin: str) -> None:
    """Its own headers stay, and no cache gives one origin what was for another."""
    answer = await asked(served, "GET /api/in", f"origin: {origin}")
    assert (answer.status, answer.text, answer.headers["vary"]) == (200, "in", "cookie, Origin")
    assert answer.headers.get("access-control-allow-origin") == (LISTED if origin == LISTED else None)


async def test_a_browser_asks_before(served: RunningServer) -> None:
    """For a listed origin it is told what may be sent; for another one, in the API's own form, that nothing may."""
    asks = ("access-control-request-method: POST", "access-control-request-headers: content-type")
    for path in ("/api/in", "/api/none"):
        leave = await asked(served, f"OPTIONS {path}", f"origin: {LISTED}", *asks)
        assert (leave.status, leave.text, leave.headers["access-control-allow-origin"]) == (204, "", LISTED)
        assert "POST" in leave.headers["access-control-allow-methods"]
        assert "idempotency-key" in leave.headers["access-control-allow-headers"]
    refused = await asked(served, "OPTIONS /api/in", f"origin: {OTHER}", *asks)
    assert (refused.status, refused.error["code"]) == (403, "wrong_origin")
    assert "access-control-allow-origin" not in refused.headers


async def test_our_own_page_asks_before(served: RunningServer) -> None:
    """A program that sends what a browser would is not told that our own pages may not use the API."""
    leave = await asked(served, "OPTIONS /api/in", "origin: http://localhost", "access-control-request-method: POST")
    assert (leave.status, "access-control-allow-origin" in leave.headers) == (204, False)


async def test_a_question_of_two_lengths_is_none(served: RunningServer) -> None:
    """It is checked as every other request is before it is answered, and its connection ends."""
    asks = (f"origin: {LISTED}", "access-control-request-method: POST")
    answer = await asked(served, "OPTIONS /api/in", *asks, "content-length: 5", "transfer-encoding: chunked")
    assert (answer.status, answer.error["code"], answer.headers["connection"]) == (400, "bad_request", "close")


@pytest.mark.parametrize("headers", [(), (f"origin: {LISTED}",), ("access-control-request-method: POST",)])
async def test_other_questions_are_requests(served: RunningServer, headers: tuple[str, ...]) -> None:
    """OPTIONS without what a browser asks goes its usual way."""
    assert (await asked(served, "OPTIONS /api/in", *headers)).error["code"] == "wrong_method"


async def test_pages_for_people_are_not_shared(served: RunningServer) -> None:
    """Only the API is; and what is refused of a page is told in words."""
    page = await asked(served, "GET /page", f"origin: {LISTED}")
    assert (page.text, "access-control-allow-origin" in page.headers) == ("in", False)
    assert page.headers["vary"] == "cookie"
    assert (await asked(served, "GET /page", host="evil.example")).text.startswith("This server has another name.")


async def test_without_a_list_no_page_reads() -> None:
    """There are no such headers at all, and a browser's question is a method that is not taken."""
    async with serve([Route("/api/in", _inside)], host="127.0.0.1", port=0) as served:
        answer = await asked(served, "OPTIONS /api/in", f"origin: {OTHER}", "access-control-request-method: POST")
        assert (answer.status, answer.error["code"]) == (405, "wrong_method")
        assert not [name for name in answer.headers if name.startswith(("access-control-", "vary"))]
