"""Keeps other web sites out, since any page that a person visits can reach every port of their machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")
"""A DNS name that was rebound to a loopback address is none of these."""


def guards(*, below: tuple[str, ...] = ("/",)) -> list[Middleware]:
    """For programs of the playground only: refuses any other Host, and below these paths every browser."""
    return [Middleware(TrustedHostMiddleware, allowed_hosts=list(HOSTS)), Middleware(NoBrowsers, below=below)]


class NoBrowsers:
    """Refuses requests of web pages: browsers send an Origin, the playground's own processes do not."""

    def __init__(self, app: ASGIApp, below: tuple[str, ...]) -> None:
        self._app = app
        self._below = below

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(self._below):
            named = {name for name, _ in scope["headers"]}
            if named & {b"origin", b"sec-fetch-site"}:
                refusal = JSONResponse({"ok": False, "error": "browsers talk to the playground's page"}, 403)
                return await refusal(scope, receive, send)
        await self._app(scope, receive, send)
