"""What a person does on the page, forwarded to the process that it concerns."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.page.sources import EMULATORS, Sources
from playground.page.upstream import JsonObject, Unreachable, Upstream
from playground.page.wire import Wire

VERBS = frozenset(
    {"message", "click", "submit", "close", "command", "open_home", "edit", "delete", "stop_session", "shortcut"}
)
BOT_VERBS = frozenset({"kill", "start"})
FAULTS = "/__admin/faults"
NOT_ALLOWED = 400
"""What the emulated Slack answers where its client would not let a person do this."""


class Acts:
    """The page's routes below `/api`."""

    def __init__(self, *, upstreams: Mapping[str, Upstream], sources: Sources, wire: Wire) -> None:
        self._upstreams = upstreams
        self._sources = sources
        self._wire = wire

    def routes(self) -> list[Route]:
        return [
            Route("/act/{verb}", self._act, methods=["POST"]),
            Route("/dm", self._dm),
            Route("/read", self._read, methods=["POST"]),
            Route("/faults", self._restore, methods=["DELETE"]),
            Route("/faults/{name}", self._arm, methods=["POST"]),
            Route("/faults/{name}/{id}", self._disarm, methods=["DELETE"]),
            Route("/bot/{verb}", self._bot, methods=["POST"]),
            Route("/audit/verify", self._verify, methods=["POST"]),
            Route("/wire/{key}", self._exchange),
            Route("/file/{id}", self._file),
        ]

    async def _act(self, request: Request) -> Response:
        verb = request.path_params["verb"]
        if verb not in VERBS:
            return _refused("a person cannot do this", 404)
        answer = await self._hand_on("slack", "POST", f"/__act/{verb}", await _body(request))
        if answer.status_code == NOT_ALLOWED:
            answer.status_code = 200  # its words say no; as an error it would stand on the browser's console, too
        return answer

    async def _dm(self, request: Request) -> Response:
        query = {"user": request.query_params.get("user", "")}
        return await self._hand_on("slack", "GET", "/__act/dm", None, query)

    async def _read(self, request: Request) -> Response:
        said = await _body(request)
        self._sources.read(str(said.get("user")), str(said.get("channel")), str(said.get("ts")))
        return JSONResponse({"ok": True})

    async def _restore(self, request: Request) -> Response:
        for name in self._emulators():
            with contextlib.suppress(Unreachable):
                await self._upstreams[name].request("DELETE", FAULTS)
        return JSONResponse({"ok": True})

    async def _arm(self, request: Request) -> Response:
        return await self._fault(request, "POST", await _body(request), None)

    async def _disarm(self, request: Request) -> Response:
        return await self._fault(request, "DELETE", None, {"id": request.path_params["id"]})

    async def _fault(
        self, request: Request, method: str, body: JsonObject | None, query: dict[str, str] | None
    ) -> Response:
        name = request.path_params["name"]
        if name not in self._emulators():
            return _refused("faults are for the emulators", 404)
        return await self._hand_on(name, method, FAULTS, body, query)

    def _emulators(self) -> list[str]:
        return [name for name in EMULATORS if name in self._upstreams]

    async def _bot(self, request: Request) -> Response:
        verb = request.path_params["verb"]
        if verb not in BOT_VERBS:
            return _refused("the bot can be killed and started", 404)
        return await self._hand_on("supervisor", "POST", f"/bot/{verb}", {})

    async def _verify(self, request: Request) -> Response:
        return await self._hand_on("supervisor", "POST", "/audit/verify", {})

    async def _exchange(self, request: Request) -> Response:
        found = self._wire.entry(request.path_params["key"])
        return JSONResponse(found) if found else _refused("this exchange is no longer kept", 404)

    async def _file(self, request: Request) -> Response:
        """A file that somebody shared in Slack. A text is shown as one, whatever it says that it is; all else is saved:
        nothing that a stranger wrote becomes a page of this origin.
        """
        try:
            content = await self._upstreams["slack"].bytes_at("/__act/file", id=request.path_params["id"])
        except Unreachable:
            return _refused("the slack process does not answer", 502)
        if content is None:
            return _refused("there is no such file", 404)
        if _is_text(content):
            return Response(content, media_type="text/plain")
        saved = {"Content-Disposition": "attachment"}
        return Response(content, media_type="application/octet-stream", headers=saved)

    async def _hand_on(
        self, name: str, method: str, path: str, body: JsonObject | None, query: dict[str, str] | None = None
    ) -> Response:
        try:
            status, answer = await self._upstreams[name].request(method, path, body=body, query=query)
        except Unreachable:
            return _refused(f"the {name} process does not answer", 502)
        return JSONResponse(answer, status)


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


async def _body(request: Request) -> JsonObject:
    try:
        value: object = json.loads(await request.body() or b"{}")
    except ValueError:
        return {}
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _refused(why: str, status: int) -> JSONResponse:
    return JSONResponse({"ok": False, "error": why}, status)
