"""What is served over HTTP: health from the start, Slack's requests and people's pages while the gate is open."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from slack_bolt.async_app import AsyncApp
from starlette.routing import BaseRoute, Route, Router

from bot.api.health import health_routes
from bot.api.metrics import Metrics
from bot.api.oauth import FOLDER as OAUTH
from bot.api.server import Gate, RunningServer, serve
from bot.api.sign_in import FOLDER as SIGN_IN
from bot.runtime.core.heartbeat import Heartbeat
from bot.runtime.operations.readiness import Readiness
from bot.settings import Settings
from bot.slack.connection.http import PATH, slack_routes
from bot.urls import at_port
from bot.wiring.accounts import ways_in
from bot.wiring.agent_api import reached_at
from bot.wiring.store import Base


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """Where the process is asked how it is, and where Slack's requests come in."""

    settings: Settings
    gate: Gate
    readiness: Readiness
    routes: Sequence[BaseRoute]

    def served(self) -> contextlib.AbstractAsyncContextManager[RunningServer]:
        """The server."""
        settings = self.settings
        hosts = frozenset({settings.http_host.lower(), urlsplit(settings.public_url or "").hostname or ""})
        return serve(
            self.routes,
            host=settings.http_host,
            port=settings.http_port,
            hosts=hosts,
            signed=frozenset({PATH}),
            origins=settings.origins,
            proxies=settings.proxies,
        )

    def lead_to(
        self,
        app: AsyncApp,
        heartbeats: Mapping[str, Heartbeat],
        jobs: Mapping[str, Heartbeat],
        pages: Sequence[BaseRoute] = (),
        api: Sequence[BaseRoute] = (),
    ) -> None:
        """There is somebody behind the gate now, with loops and jobs that can be watched. It stays shut."""
        self.readiness.heartbeats |= heartbeats
        self.readiness.jobs = jobs
        secret = self.settings.slack_signing_secret
        signed = slack_routes(app, signing_secret=secret.get_secret_value()) if secret else ()
        self.gate.app = Router([*pages, *signed, *api])


def entrance(base: Base, metrics: Metrics) -> Entrance:
    """The entrance of this process, its gate shut. Nothing is behind it where the settings keep something off: that is
    not found while the gate is shut, too.
    """
    settings, gate = base.settings, Gate()
    parts = {"open": lambda: gate.is_open}
    readiness = Readiness(store=base.store, keyring=base.keyring, clock=base.clock, parts=parts)
    routes: list[BaseRoute] = [*health_routes(readiness), *metrics.routes()]
    ways = ways_in(settings)
    pages = [f"{OAUTH}/{{page}}", *([SIGN_IN, f"{SIGN_IN}/{{page}}"] if "session" in ways else [])]
    routes += [Route(path, gate, methods=["GET", "POST"]) for path in pages]
    if ways and reached_at(settings, at_port(settings.http_host, settings.http_port)):
        routes.append(Route("/api/{rest:path}", gate))
    if not settings.uses_socket_mode:
        routes.append(Route(PATH, gate, methods=["POST"]))
    return Entrance(settings=settings, gate=gate, readiness=readiness, routes=routes)
