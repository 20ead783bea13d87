"""What is served over HTTP: health from the start, Slack's requests while they have a handler and the gate is open."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from slack_bolt.async_app import AsyncApp
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.api.gate import Gate
from bot.api.health import health_routes
from bot.api.metrics import Metrics
from bot.api.oauth import FOLDER
from bot.api.server import Serving, serve
from bot.runtime.core.heartbeat import Heartbeat
from bot.runtime.operations.readiness import Readiness
from bot.settings import Settings
from bot.slack.connection.http import PATH, slack_routes
from bot.wiring.store import Base


@dataclass(slots=True)
class _Later:
    """An app that comes later; behind a shut door nobody reaches it before."""

    app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None, "the door was opened with nobody behind it"
        await self.app(scope, receive, send)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """Where the process is asked how it is, and where Slack's requests come in."""

    settings: Settings
    door: Gate
    vitals: Readiness
    routes: Sequence[BaseRoute]
    slack: _Later = field(default_factory=_Later)
    accounts: _Later = field(default_factory=_Later)

    def served(self) -> contextlib.AbstractAsyncContextManager[Serving]:
        """The server."""
        return serve(self.routes, host=self.settings.http_host, port=self.settings.http_port)

    def lead_to(
        self,
        app: AsyncApp,
        heartbeats: Mapping[str, Heartbeat],
        jobs: Mapping[str, Heartbeat],
        pages: Sequence[BaseRoute] = (),
    ) -> None:
        """There is somebody behind it now, with loops and jobs that can be watched. The door stays shut."""
        self.accounts.app = Router(pages)
        self.vitals.heartbeats |= heartbeats
        self.vitals.jobs = jobs
        secret = self.settings.slack_signing_secret
        (signed,) = slack_routes(app, signing_secret=secret.get_secret_value() if secret else secrets.token_hex(32))
        self.slack.app = signed.app


def entrance(base: Base, metrics: Metrics) -> Entrance:
    """The entrance of this process, its door shut."""
    settings, door, slack, accounts = base.settings, Gate(), _Later(), _Later()
    vitals = Readiness(store=base.store, keyring=base.keyring, clock=base.clock, parts={"open": lambda: door.is_open})
    routes: list[BaseRoute] = [*health_routes(vitals), *metrics.routes()]
    routes += [door.before(Route(f"{FOLDER}/{{page}}", accounts, methods=["GET", "POST"]))]
    if not settings.uses_socket_mode:
        routes.append(door.before(Route(PATH, slack, methods=["POST"])))
    return Entrance(settings=settings, door=door, vitals=vitals, routes=routes, slack=slack, accounts=accounts)
