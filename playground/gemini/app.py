"""The Gemini emulator: the Developer API's and Vertex AI's paths, and the admin routes beside them.

`GET /__admin/state` shows the models and says that a script answers; the emulator has no other state.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from playground.admin import Admin
from playground.gemini import catalogue, faults, service
from playground.gemini.errors import ApiError
from playground.gemini.schema import Json
from playground.gemini.service import Called, Service
from playground.gemini.stream import Exchange

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request

    from playground.faults import Fault

PACE_SECONDS = 0.012
"""The pause between two chunks, so that people see an answer grow."""

_METHOD = "{model}:{method}"
_VERTEX = "/{version}/projects/{project}/locations/{location}/publishers/google/models/"


class GeminiEmulator:
    """Answers requests; keeps nothing between them but the log and the faults."""

    def __init__(self, *, pace_seconds: float) -> None:
        self._pace = pace_seconds
        self._admin = Admin(state=_state, reset=_nothing, fault_kinds=faults.KINDS)
        self._service = Service(self._admin.clock.now)

    def app(self) -> Starlette:
        return self._admin.app(
            [
                Route("/{version}/models", self._list),
                Route("/{version}/models/{model}", self._describe, methods=["GET"]),
                Route(f"/{{version}}/models/{_METHOD}", self._call, methods=["POST"]),
                Route(f"{_VERTEX}{_METHOD}", self._call, methods=["POST"]),
            ]
        )

    async def _list(self, request: Request) -> Response:
        called = _called(request)
        try:
            service.require_key(called)
        except ApiError as error:
            return _error(error)
        return JSONResponse({"models": [model.described() for model in catalogue.available(called.version)]})

    async def _describe(self, request: Request) -> Response:
        try:
            return JSONResponse(self._service.admitted(_called(request)).described())
        except ApiError as error:
            return _error(error)

    async def _call(self, request: Request) -> Response:
        method, body = request.path_params["method"], await request.body()
        try:
            if fault := self._admin.faults.take(
                request.url.path, kinds=faults.BEFORE, body=body.decode(errors="replace")
            ):
                await faults.before(fault, request.receive)
            if method not in {"generateContent", "streamGenerateContent"}:
                raise ApiError(404, f"Method not found: {method}")
            exchange = self._service.generate(_called(request), body)
        except ApiError as error:
            return _error(error)
        if exchange.answer.garbage:
            return Response(exchange.answer.garbage, media_type="text/event-stream")
        if method == "generateContent":
            return Response(_dumped(exchange.response()), media_type="application/json")
        chunks = self._chunks(request, exchange)
        if request.query_params.get("alt") == "sse":
            return StreamingResponse(_events(chunks), media_type="text/event-stream")
        return StreamingResponse(_array(chunks), media_type="application/json")

    def _fault(self, request: Request, body: bytes, kinds: frozenset[str]) -> Fault | None:
        return self._admin.faults.take(request.url.path, kinds=kinds, body=body.decode(errors="replace"))

    async def _chunks(self, request: Request, exchange: Exchange) -> AsyncIterator[Json | str]:
        chunks = exchange.chunks()
        fault = self._fault(request, await request.body(), faults.INSIDE)
        async for chunk in faults.inside(fault, chunks) if fault else _plainly(chunks):
            yield chunk
            await asyncio.sleep(self._pace)


def build(pace_seconds: float = PACE_SECONDS) -> Starlette:
    """The emulator's application."""
    return GeminiEmulator(pace_seconds=pace_seconds).app()


def _called(request: Request) -> Called:
    return Called(
        transport=service.transport_of(request.url.path),
        version=request.path_params["version"],
        model=request.path_params.get("model", ""),
        headers=request.headers,
        query=request.query_params,
    )


async def _plainly(chunks: list[Json]) -> AsyncIterator[Json | str]:
    for chunk in chunks:
        yield chunk


async def _events(chunks: AsyncIterator[Json | str]) -> AsyncIterator[str]:
    async for chunk in chunks:
        yield f"data: {chunk if isinstance(chunk, str) else _dumped(chunk)}\r\n\r\n"


async def _array(chunks: AsyncIterator[Json | str]) -> AsyncIterator[str]:
    opening = "["
    async for chunk in chunks:
        yield f"{opening}{chunk if isinstance(chunk, str) else _dumped(chunk)}"
        opening = ",\r\n"
    yield "]" if opening != "[" else "[]"


def _dumped(body: Json) -> str:
    """JSON as a misbehaving model may send it: a number too large for a double becomes 1e999."""
    try:
        return json.dumps(body, allow_nan=False)
    except ValueError:
        return json.dumps(body).replace("Infinity", "1e999")


def _error(error: ApiError) -> Response:
    return JSONResponse(error.body, error.code)


def _state() -> Mapping[str, Any]:
    return {
        "scripted": True,
        "says": "A program answers here, not a language model.",
        "models": [model.described() for model in catalogue.available("v1beta")],
    }


def _nothing() -> None:
    """Does nothing, since there is nothing to reset."""
