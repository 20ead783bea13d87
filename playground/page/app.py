"""The page's web application: static files, one state, one stream of changes, and what people do."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from playground.page.acts import Acts
from playground.page.guard import Guard
from playground.page.hub import Hub
from playground.page.product import Product
from playground.page.sources import Sources
from playground.page.upstream import Upstream
from playground.page.wire import Wire

STATIC = Path(__file__).parent / "static"
BEAT_SECONDS = 10.0


def build(addresses: Mapping[str, str]) -> Starlette:
    """The application for these processes: `slack`, `google`, `gemini` and `supervisor`, each by its base URL."""
    hub, wire = Hub(), Wire()
    upstreams = {name: Upstream(name=name, url=url) for name, url in addresses.items()}
    sources = Sources(upstreams=upstreams, hub=hub, wire=wire)
    product = Product(upstreams=upstreams)
    acts = Acts(upstreams=upstreams, sources=sources, wire=wire)
    routes = [
        Route("/", _index),
        Mount("/api", routes=[*_reading(hub), *acts.routes(), *product.routes()]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with contextlib.AsyncExitStack() as stack:
            for upstream in upstreams.values():
                await stack.enter_async_context(upstream)
            await stack.enter_async_context(product)
            following = asyncio.create_task(sources.run(), name="page.sources")
            yield
            following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await following

    return Starlette(routes=routes, middleware=[Middleware(Guard)], lifespan=lifespan)


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _reading(hub: Hub) -> list[Route]:
    async def state(request: Request) -> Response:
        return JSONResponse(hub.state)

    async def events(request: Request) -> Response:
        return StreamingResponse(_lines(hub), media_type="text/event-stream")

    return [Route("/state", state), Route("/events", events)]


async def _lines(hub: Hub) -> AsyncIterator[str]:
    async for change in hub.changes(beat=BEAT_SECONDS):
        yield f"data: {json.dumps(change)}\n\n" if change else ": still here\n\n"
