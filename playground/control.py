"""The supervisor's own small HTTP side: what the page asks about the agent and its audit log. Loopback only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.agent_process import AgentProcess
from playground.audit_feed import AuditFeed, Entry
from playground.changes import Changes
from playground.guards import guards

SHOWN_ENTRIES = 500


class Supervised(Protocol):
    """What is controlled here: the running playground."""

    @property
    def agent(self) -> AgentProcess: ...
    @property
    def audit(self) -> AuditFeed: ...
    @property
    def changes(self) -> Changes: ...
    @property
    def urls(self) -> Mapping[str, str]: ...
    @property
    def model(self) -> Mapping[str, object]: ...
    async def verify_audit(self) -> tuple[bool, str]: ...


class Control:
    """The routes; `app()` is the application."""

    def __init__(self, supervised: Supervised) -> None:
        self._of = supervised

    def app(self) -> Starlette:
        routes = [
            Route("/state", self._state),
            Route("/bot/kill", self._act(self._of.agent.kill), methods=["POST"]),
            Route("/bot/start", self._act(self._of.agent.start), methods=["POST"]),
            Route("/audit", self._audit),
            Route("/audit/verify", self._verify, methods=["POST"]),
            Route("/events", self._events),
        ]
        return Starlette(routes=routes, middleware=guards())

    async def _state(self, request: Request) -> Response:
        return JSONResponse(
            {
                "bot": self._of.agent.shown(),
                "model": dict(self._of.model),
                "urls": dict(self._of.urls),
                "audit": self._of.audit.shown(SHOWN_ENTRIES),
            }
        )

    def _act(self, act: Callable[[], Awaitable[None]]) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            await act()
            return JSONResponse({"ok": True, "bot": self._of.agent.shown()})

        return handle

    async def _audit(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        lines = self._of.audit.after(int(after) if after.isdigit() else 0)
        entries = [numbered(number, entry) for number, entry in lines]
        return JSONResponse({"entries": entries, "last": lines[-1][0] if lines else None})

    async def _verify(self, request: Request) -> Response:
        ok, text = await self._of.verify_audit()
        return JSONResponse({"ok": ok, "text": text})

    async def _events(self, request: Request) -> Response:
        return self._of.changes.response()


def numbered(number: int, entry: Entry) -> dict[str, object]:
    """The entry with `n`, the number of the line it came in."""
    return {**entry, "n": number}
