"""The Google emulator: Gmail, Calendar and the token endpoint over one seeded world."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from playground.admin import Admin
from playground.changes import Changes
from playground.google.batch import read_batch, write_batch
from playground.google.calendar.routes import calendar_handlers
from playground.google.controls import Controls
from playground.google.errors import ApiError
from playground.google.firebase import FirebaseRoutes
from playground.google.front import FAULT_KINDS, Answer, FrontDoor
from playground.google.gmail.routes import gmail_handlers
from playground.google.incoming import Incoming
from playground.google.oauth.consent_routes import ConsentRoutes
from playground.google.oauth.controls import SignInControls
from playground.google.oauth.identity_routes import IdentityRoutes
from playground.google.oauth.keys import SigningKey
from playground.google.oauth.service_account import ServiceAccount
from playground.google.oauth.sign_in import SignIn
from playground.google.oauth.token_routes import TokenRoutes
from playground.google.people.routes import people_handlers
from playground.google.seed import Seed, shipped
from playground.google.showing import shown
from playground.google.world import World

VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
BATCHES = ("/batch", "/batch/gmail/v1", "/batch/calendar/v3", "/batch/people/v1")
TRICKLES = 10


def build(seed: Seed | None = None) -> Starlette:
    """The application as the playground and the tests serve it; without a seed it has this process's own."""
    return Emulator(seed).app()


class Emulator:
    """One world, its front door, and its routes."""

    def __init__(self, seed: Seed | None = None) -> None:
        self.admin = Admin(state=lambda: shown(self.world), reset=self.reset, fault_kinds=FAULT_KINDS)
        self._seed = seed or shipped()
        self.world = self._seeded()
        handlers = {
            **gmail_handlers(lambda: self.world.post),
            **calendar_handlers(lambda: self.world.agenda),
            **people_handlers(lambda: self.world.books),
        }
        self.front = FrontDoor(handlers=handlers, faults=self.admin.faults)

    def app(self) -> Starlette:
        routes = [
            *Controls(lambda: self.world, self.front).routes(),
            *self._sign_in(),
            *(Route(path, self._batch, methods=["POST"]) for path in BATCHES),
            Route("/{path:path}", self._call, methods=VERBS),
        ]
        app = self.admin.app(routes)
        app.add_middleware(GZipMiddleware, minimum_size=1_000)
        return app

    def _sign_in(self) -> list[Route]:
        key, robot = SigningKey(), ServiceAccount()

        def sign_in() -> SignIn:
            return self.world.sign_in

        parts = (
            SignInControls(sign_in, robot),
            ConsentRoutes(sign_in),
            TokenRoutes(sign_in, key, robot),
            IdentityRoutes(sign_in, key),
            FirebaseRoutes(lambda: self.world.firebase, sign_in),
        )
        return [route for part in parts for route in part.routes()]

    def reset(self) -> None:
        """Seeds a new world around today."""
        self.front.disabled.clear()
        self.world = self._seeded()

    def _seeded(self) -> World:
        world = World(self.admin.clock, Changes())
        self._seed.plant(world)
        world.tell(self.admin.changes)
        return world

    async def _call(self, request: Request) -> Response:
        incoming = Incoming(
            verb=request.method,
            path=request.scope["raw_path"].decode().partition("?")[0],
            query=tuple(parse_qsl(request.scope["query_string"].decode(), keep_blank_values=True)),
            headers=dict(request.headers),
            body=await request.body(),
        )
        return _response(request, self.front.answer(incoming, self.world))

    async def _batch(self, request: Request) -> Response:
        try:
            calls = read_batch(
                request.headers.get("content-type", ""),
                await request.body(),
                request.headers.get("authorization", ""),
            )
        except ApiError as error:
            return Response(error.message, error.status)
        answers = [(content_id, self.front.answer(incoming, self.world)) for content_id, incoming in calls]
        return _response(request, write_batch(answers))


def _response(request: Request, answer: Answer) -> Response:
    state: dict[str, Any] = request.scope.setdefault("state", {})
    state["note"] = answer.note
    headers = dict(answer.headers)
    if answer.seconds:
        return StreamingResponse(_trickle(answer), answer.status, headers)
    return Response(answer.body, answer.status, headers)


async def _trickle(answer: Answer) -> AsyncIterator[bytes]:
    size = len(answer.body) // TRICKLES + 1
    for start in range(0, len(answer.body), size):
        await asyncio.sleep(answer.seconds / TRICKLES)
        yield answer.body[start : start + size]
