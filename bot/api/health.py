"""Health over HTTP: `/healthz` says that the process lives, `/readyz` that it can work. Both name every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bot.runtime.operations.readiness import Readiness


def health_routes(readiness: Readiness) -> Sequence[Route]:
    """The two routes: 200, or 503 with the part that does not work."""

    async def alive(request: Request) -> JSONResponse:
        return _answer(readiness.alive())

    async def ready(request: Request) -> JSONResponse:
        return _answer(await readiness.ready())

    return [Route("/healthz", alive), Route("/readyz", ready)]


def _answer(parts: Mapping[str, bool]) -> JSONResponse:
    works = all(parts.values())
    return JSONResponse({"ok": works, "parts": dict(parts)}, status_code=200 if works else 503)
