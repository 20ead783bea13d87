"""files.*: what people and the bot upload, and the three steps of an upload."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from playground import people
from playground.slack.call import Call, Method
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.methods.chat import authored, destination, in_thread
from playground.slack.records import File, Json

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

BYTES = 1_000_000_000


def info(workspace: Workspace, call: Call) -> Json:
    file = _file(workspace, call.need("file"))
    return {"file": described(workspace, file), "comments": [], "response_metadata": {"next_cursor": ""}}


def get_upload_url(workspace: Workspace, call: Call) -> Json:
    name, length = call.need("filename"), call.number("length", 0)
    if not 0 < length <= BYTES:
        raise invalid_arguments("length must be the size in bytes")
    file = add(workspace, name=name, mimetype="", content=b"", user=people.BOT_USER_ID)
    file.length = length
    return {"upload_url": f"{workspace.base}upload/v1/{file.id}", "file_id": file.id}


def complete_upload(workspace: Workspace, call: Call) -> Json:
    given: Any = call.json("files")
    if not isinstance(given, list) or not given:
        raise invalid_arguments("missing required field: files")
    files: list[File] = []
    for item in cast("list[Json]", given):
        file = _file(workspace, str(item["id"]))
        if not file.content:
            raise Refused("file_not_found", reason="nothing was uploaded yet")
        file.title = str(item.get("title") or file.name)
        file.shared = True
        files.append(file)
    channel_id = call.text("channel_id") or next(iter(call.items("channels")), "")
    if channel_id:
        asked = Call(method=call.method, args={**call.args, "channel": channel_id}, scopes=call.scopes)
        in_thread(workspace, asked, destination(workspace, asked), {})  # refused at once
        _later(workspace.settings.share_seconds, partial(_share, workspace, asked, files))
    return {"files": [described(workspace, file) for file in files]}


def add(workspace: Workspace, *, name: str, mimetype: str, content: bytes, user: str) -> File:
    file = File(
        id=workspace.world.id("F"),
        name=name,
        title=name,
        mimetype=mimetype or _guess(name),
        content=content,
        user=user,
        created=int(workspace.now()),
        length=len(content),
    )
    workspace.world.files[file.id] = file
    return file


def described(workspace: Workspace, file: File) -> Json:
    """The file object; its private URLs want the token."""
    url = f"{workspace.base}files-pri/{people.TEAM_ID}-{file.id}"
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": file.name.rpartition(".")[2] or "text",
        "pretty_type": file.mimetype,
        "user": file.user,
        "user_team": people.TEAM_ID,
        "size": file.length,
        "mode": "hosted",
        "is_external": False,
        "is_public": False,
        "file_access": "visible",
        "url_private": f"{url}/{file.name}",
        "url_private_download": f"{url}/download/{file.name}",
        "permalink": f"{workspace.base}files/{file.user}/{file.id}/{file.name}",
        "channels": list(file.channels),
    }


def _later(seconds: float, share: Callable[[], None]) -> None:
    if seconds:
        asyncio.get_running_loop().call_later(seconds, share)
    else:
        share()


def _share(workspace: Workspace, call: Call, files: list[File]) -> None:
    channel = destination(workspace, call)
    message = authored(workspace.world.ts(), call.text("initial_comment"))
    message |= {"files": [described(workspace, file) for file in files], "upload": False}
    for file in files:
        file.channels.append(channel.id)
    workspace.post(channel, in_thread(workspace, call, channel, message))


def _file(workspace: Workspace, file_id: str) -> File:
    file = workspace.world.files.get(file_id)
    if file is None:
        raise Refused("file_not_found")
    return file


def _guess(name: str) -> str:
    import mimetypes  # loads the system's table at first use

    return mimetypes.guess_type(name)[0] or "application/octet-stream"


METHODS: dict[str, Method] = {
    "files.info": info,
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
}
