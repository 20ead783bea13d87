"""The gate: shut, open, and shut again, without a word to what is inside."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router
from starlette.testclient import TestClient

from bot.api.server import Gate


async def _inside(request: Request) -> PlainTextResponse:
    return PlainTextResponse("in")


def test_requests_at_a_shut_gate_are_told_to_come_again() -> None:
    """503 before it opens and after it shuts; between them the route is what it was, its methods included."""
    gate = Gate()
    client = TestClient(Starlette(routes=[Route("/events", gate, methods=["POST"])]))
    assert client.post("/events").status_code == 503
    gate.app = Router([Route("/events", _inside, methods=["POST"])])
    assert client.post("/events").headers["retry-after"] == "10"
    with gate.opened():
        assert (client.post("/events").status_code, client.post("/events").text) == (200, "in")
        assert client.get("/events").status_code == 405
    assert client.post("/events").status_code == 503


def test_people_at_a_shut_gate_see_a_page() -> None:
    """It says what to do; a program is told in the API's form, and Slack in its own."""
    client = TestClient(Gate())
    for path in ("/auth/slack", "/auth/slack/callback", "/oauth/google/start"):
        shown = client.get(path)
        assert (shown.status_code, shown.headers["content-type"]) == (503, "text/html; charset=utf-8")
        assert "Load this page again in a minute." in shown.text
    told = client.get("/api/openapi.json").json()["error"]
    assert (told["code"], "cannot reach Slack yet" in told["message"]) == ("unavailable", True)
    assert "this request did nothing" in told["message"], "one that was sent before under its key may go on"
    assert client.post("/slack/events").text == "not now: deliver it again"
