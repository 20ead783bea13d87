"""The `/__admin` side that all emulators share: health, log, state, reset, faults, clock and live changes.

An emulator makes one `Admin`, logs what it sends with `admin.log.add(direction="out", …)`, publishes changes with
`admin.changes.publish("mail_delivered", …)`, asks for faults of its own kinds with `admin.faults.take(…)`, and has
`admin.app(routes)` build its Starlette application.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from playground.changes import Changes
from playground.clock import Clock
from playground.faults import Faults, InvalidFault
from playground.guards import guards
from playground.wire_log import WireLog
from playground.wiretap import Wiretap

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import StatelessLifespan

    from playground.faults import Fault

QUIET = ("/__admin/", "/__act/")
"""Paths of the playground itself: not part of the emulated protocol, so neither logged nor disturbed."""


class Admin:
    """The routes beside an emulator's own protocol. `state` shows its world, `reset` seeds it again.

    `fault_at_once` may carry out a fault when it is posted, and says whether it did; such a fault waits for no request.
    """

    def __init__(
        self,
        *,
        state: Callable[[], Mapping[str, Any]],
        reset: Callable[[], None],
        fault_kinds: frozenset[str] = frozenset(),
        fault_at_once: Callable[[Fault], bool] = lambda fault: False,
        quiet: tuple[str, ...] = QUIET,
    ) -> None:
        self.clock = Clock()
        self.changes = Changes()
        self.log = WireLog(self.clock, self.changes)
        self.faults = Faults(fault_kinds, fault_at_once, lambda: self.changes.publish("faults"))
        self._state = state
        self._reset = reset
        self._quiet = quiet

    def app(self, routes: Sequence[BaseRoute], *, lifespan: StatelessLifespan[Starlette] | None = None) -> Starlette:
        """The emulator's application: its routes, the admin routes, and the guards and the wiretap around both."""
        wiretap = Middleware(Wiretap, log=self.log, faults=self.faults, quiet=self._quiet)
        around = [*guards(below=self._quiet), wiretap]
        app = Starlette(routes=[*self.routes(), *routes], middleware=around, lifespan=lifespan)
        app.state.admin = self
        return app

    def routes(self) -> list[Route]:
        return [
            Route("/__admin/health", self._health),
            Route("/__admin/log", self._read_log),
            Route("/__admin/state", self._read_state),
            Route("/__admin/events", self._events),
            Route("/__admin/reset", self._do_reset, methods=["POST"]),
            Route("/__admin/faults", self._do_faults, methods=["GET", "POST", "DELETE"]),
            Route("/__admin/clock", self._do_clock, methods=["GET", "POST"]),
        ]

    async def _health(self, request: Request) -> Response:
        return JSONResponse({"ok": True})

    async def _read_log(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        return JSONResponse({"entries": self.log.after(int(after) if after.isdigit() else 0)})

    async def _read_state(self, request: Request) -> Response:
        return Response(json.dumps(self._state()), media_type="application/json")  # in ASCII: mails hold anything

    async def _events(self, request: Request) -> Response:
        return self.changes.response()

    async def _do_reset(self, request: Request) -> Response:
        self.faults.clear()
        self.log.clear()
        self.clock.ahead = 0.0
        self._reset()
        self.changes.publish("reset")
        return JSONResponse({"ok": True})

    async def _do_faults(self, request: Request) -> Response:
        """`DELETE` with `?id=3` removes that fault, without one all."""
        if request.method == "DELETE":
            one = request.query_params.get("id", "")
            self.faults.remove(int(one)) if one.isdigit() else self.faults.clear()
        if request.method == "POST":
            try:
                self.faults.add(await asked(request))
            except InvalidFault as error:
                return JSONResponse({"ok": False, "error": str(error)}, 400)
        return JSONResponse({"ok": True, "faults": self.faults.all()})

    async def _do_clock(self, request: Request) -> Response:
        """`{"advance": seconds}` moves the emulator's clock forward."""
        if request.method == "POST":
            self.clock.advance(float((await asked(request)).get("advance", 0)))
        return JSONResponse({"ok": True, "now": self.clock.now().isoformat()})


async def asked(request: Request) -> dict[str, Any]:
    """The posted JSON object; anything else counts as an empty one."""
    try:
        body = json.loads(await request.body() or b"{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}
