"""How the API answers, by route and status, for whoever watches the process: it writes no log of requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NO_ROUTE = "none"

Count = Callable[[str, int], None]
"""Hears of each answer: the route that gave it, and its status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedAnswers:
    """`app`, a router whose endpoints bear the names of their routes."""

    app: ASGIApp
    count: Count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does."""

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.count(_route(scope.get("endpoint")), message["status"])
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        except HTTPException as refusal:  # of the router, answered further out
            self.count(_route(scope.get("endpoint")), refusal.status_code)
            raise


def _route(endpoint: Any) -> str:
    """The router says in the scope which endpoint it took; of what none takes there is none."""
    return getattr(endpoint, "__name__", NO_ROUTE)
