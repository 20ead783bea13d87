"""`response_url`: what an app says after a click or a command."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, cast

from starlette.responses import JSONResponse, PlainTextResponse, Response

from playground.slack.call import Call
from playground.slack.errors import Refused
from playground.slack.methods.chat import show_ephemeral, written

if TYPE_CHECKING:
    from starlette.requests import Request

    from playground.slack.records import Json, ResponseUrl
    from playground.slack.workspace import Workspace


class ResponseUrls:
    """The endpoint behind every `response_url`: five uses, thirty minutes."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def endpoint(self, request: Request) -> Response:
        made = self._workspace.world.response_urls.get(request.path_params["id"])
        try:
            body: Any = json.loads(await request.body())
        except ValueError:
            return PlainTextResponse("invalid_payload", 400)
        try:
            if made is None or self._workspace.now() >= made.expires:
                raise Refused("expired_url", status=404)
            if made.uses <= 0:
                raise Refused("used_url", status=404)
            made.uses -= 1
            respond(self._workspace, made, cast("Json", body))
        except Refused as refused:
            request.state.note = refused.reason
            return JSONResponse(refused.body(), refused.status if refused.status != 200 else 400)
        return PlainTextResponse("ok")


def respond(workspace: Workspace, made: ResponseUrl, body: Json) -> Json | None:
    """Posts, replaces or deletes, as the body asks; the message that the person sees now."""
    call = Call(method="response_url", args=body)
    if call.flag("delete_original"):
        _delete_original(workspace, made)
        return None
    message = written(workspace, call)
    if made.thread_ts or call.text("thread_ts"):
        message["thread_ts"] = call.text("thread_ts") or made.thread_ts
    if call.flag("replace_original") and made.message_ts:
        return _replace_original(workspace, made, message)
    if call.text("response_type") == "in_channel":
        return workspace.post(workspace.world.channel(made.channel), message)
    return show_ephemeral(workspace, made.channel, made.user, message)["message"]


def _original(workspace: Workspace, made: ResponseUrl) -> Json:
    if made.ephemeral:
        for shown in workspace.world.ephemerals:
            if shown["channel"] == made.channel and shown["message"]["ts"] == made.message_ts:
                return shown["message"]
    return workspace.world.message(made.channel, made.message_ts)


def _replace_original(workspace: Workspace, made: ResponseUrl, fresh: Json) -> Json:
    message = _original(workspace, made)
    previous = copy.deepcopy(message)
    for name in ("blocks", "attachments"):
        message.pop(name, None)
    message |= {name: fresh[name] for name in ("text", "blocks", "attachments") if name in fresh}
    if made.ephemeral:
        workspace.admin.changes.publish("ephemeral", channel=made.channel, user=made.user, message=message)
    else:
        workspace.changed(workspace.world.channel(made.channel), message, previous)
    return message


def _delete_original(workspace: Workspace, made: ResponseUrl) -> None:
    message = _original(workspace, made)
    if made.ephemeral:
        kept = [shown for shown in workspace.world.ephemerals if shown["message"] is not message]
        workspace.world.ephemerals[:] = kept
        workspace.admin.changes.publish("ephemeral_deleted", channel=made.channel, user=made.user, ts=made.message_ts)
    else:
        previous = copy.deepcopy(workspace.world.remove(made.channel, made.message_ts))
        workspace.deleted(workspace.world.channel(made.channel), previous)
