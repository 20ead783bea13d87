"""The gate: closed while the process starts and while it stops. Requests are then told to come again.

Slack delivers an event again that got a 503 (docs.slack.dev/apis/events-api, "Error handling"), and a balancer asks
another replica; a click shows its person that it did not arrive.
"""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send


class Gate:
    """Shut until `open`; what is inside when it shuts may finish."""

    def __init__(self) -> None:
        self.is_open = False

    def open(self) -> None:
        """Let requests in."""
        self.is_open = True

    def shut(self) -> None:
        """Let no further request in."""
        self.is_open = False

    def before(self, route: Route) -> Route:
        """The same route, behind this door."""
        return Route(route.path, _Behind(self, route.app), methods=list(route.methods or ()))


class _Behind:
    """An app behind the door."""

    def __init__(self, door: Gate, app: ASGIApp) -> None:
        self._door = door
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it in, or answer 503."""
        shut = PlainTextResponse("not now: deliver it again", 503, headers={"retry-after": "10"})
        await (self._app if self._door.is_open else shut)(scope, receive, send)
