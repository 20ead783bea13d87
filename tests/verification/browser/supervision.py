"""A supervisor without a bot behind it: serves what the page asks of one, for tests of the page alone."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.audit_feed import AuditFeed
from playground.changes import Changes
from playground.control import SHOWN_ENTRIES


class Supervision:
    """Holds a bot state and audit entries that a test writes."""

    def __init__(self, since: str) -> None:
        self.changes = Changes()
        self.bot: dict[str, Any] = {"state": "running", "since": since, "pid": 4242}
        self._clear()

    def app(self) -> Starlette:
        routes = [
            Route("/state", self._state),
            Route("/events", self._events),
            Route("/bot/{verb}", self._bot, methods=["POST"]),
            Route("/audit/verify", self._verify, methods=["POST"]),
        ]
        return Starlette(routes=routes)

    def reset(self) -> None:
        self._clear()
        self.bot = {**self.bot, "state": "running"}
        self.changes.publish("reset")

    def _clear(self) -> None:
        self.audit = AuditFeed(lambda number, entry: self.changes.publish("audit", n=number))
        self._written = 0
        self.verdict: dict[str, Any] = {"ok": True, "text": "Verified 12 entries of Fernhill, chain whole."}

    def record(self, code: str, at: str, actor: str, run_id: str, said: str = "", **body: Any) -> None:
        self._written = number = self._written + 1
        digest = hashlib.sha256(f"{number}{code}".encode()).hexdigest()
        entry = {"id": number, "number": number, "seq": number, "at": at, "code": code, "actor": actor}
        entry |= {"said": said} if said else {}
        self.audit.hear(json.dumps({**entry, "run_id": run_id, "body": body, "sealed": True, "hash": digest}))

    async def _state(self, request: Request) -> Response:
        model = {"name": "scripted", "scripted": True}
        return JSONResponse({"bot": self.bot, "model": model, "audit": self.audit.shown(SHOWN_ENTRIES)})

    async def _events(self, request: Request) -> Response:
        return self.changes.response()

    async def _bot(self, request: Request) -> Response:
        self.bot = {**self.bot, "state": "stopped" if request.path_params["verb"] == "kill" else "running"}
        self.changes.publish("bot")
        return JSONResponse({"ok": True, "bot": self.bot})

    async def _verify(self, request: Request) -> Response:
        return JSONResponse(self.verdict)
