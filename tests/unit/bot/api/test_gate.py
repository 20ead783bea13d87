"""The door: shut, open, and shut again, without a word to what is inside."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from bot.api.gate import Gate


async def _inside(request: Request) -> PlainTextResponse:
    return PlainTextResponse("in")


def test_who_knocks_at_a_shut_door_is_told_to_come_again() -> None:
    """503 before it opens and after it shuts; between them the route is what it was, its methods included."""
    door = Gate()
    client = TestClient(Starlette(routes=[door.before(Route("/events", _inside, methods=["POST"]))]))

    def knock() -> int:
        return client.post("/events").status_code

    assert knock() == 503
    assert client.post("/events").headers["retry-after"] == "10"
    door.open()
    assert (knock(), client.post("/events").text) == (200, "in")
    assert client.get("/events").status_code == 405
    door.shut()
    assert knock() == 503
