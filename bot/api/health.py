"""Health over HTTP: `/healthz` says that the process lives, `/readyz` that it can work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


def health_routes(ready: Callable[[], dict[str, bool]]) -> Sequence[Route]:
    """The two routes; `ready` names each part and whether it works."""

    async def alive(request: Request) -> JSONResponse:
        return JSONResponse({"ok": True})

    async def readiness(request: Request) -> JSONResponse:
        parts = ready()
        works = all(parts.values())
        return JSONResponse({"ok": works, "parts": parts}, status_code=200 if works else 503)

    return [Route("/healthz", alive), Route("/readyz", readiness)]
