"""`/__act/*`: the human side of Slack, for the page and for tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from playground.admin import asked
from playground.slack.acting import clicks, commands, messages, modals, surroundings
from playground.slack.acting.person import Act
from playground.slack.call import Call
from playground.slack.errors import Refused
from playground.slack.records import Json

if TYPE_CHECKING:
    from starlette.requests import Request

    from playground.slack.workspace import Workspace

ACTS: dict[str, Callable[[Act], Awaitable[Json]]] = {
    "message": messages.message,
    "edit": messages.edit,
    "delete": messages.delete,
    "click": clicks.click,
    "submit": modals.submit,
    "close": modals.close,
    "command": commands.command,
    "shortcut": commands.shortcut,
    "dm": surroundings.dm,
    "open_home": surroundings.open_home,
    "stop_session": surroundings.stop_session,
    "rename_session": surroundings.rename_session,
    "look": surroundings.look,
    "user": surroundings.change_user,
    "uninstall": surroundings.uninstall,
}


class Acting:
    """One route per act. The act's answer gets `ok`; what Slack's client would not allow is HTTP 400."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def routes(self) -> list[Route]:
        return [
            Route("/__act/file", self.file),
            Route("/__act/{name:str}", self.act, methods=["GET", "POST"]),
        ]

    async def act(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ACTS:
            return JSONResponse({"ok": False, "error": "unknown_act", "known": sorted(ACTS)}, 404)
        self._workspace.base = str(request.base_url)
        self._workspace.expire()
        args = {**request.query_params, **await asked(request)}
        try:
            answer = await ACTS[name](Act(workspace=self._workspace, call=Call(method=name, args=args)))
        except Refused as refused:
            return JSONResponse({**refused.body(), "reason": refused.reason}, 400)
        return JSONResponse({"ok": True, **answer})

    async def file(self, request: Request) -> Response:
        """A file's content, as a person sees it."""
        file = self._workspace.world.files.get(request.query_params.get("id", ""))
        if file is None:
            return PlainTextResponse("no such file", 404)
        return Response(
            file.content, media_type="application/octet-stream", headers={"x-content-type-options": "nosniff"}
        )
