"""chat.startStream, appendStream, stopStream: messages that grow while a person reads them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast

from playground import people
from playground.slack.blocks import MARKDOWN_CHARACTERS, checked, parsed
from playground.slack.call import Call, Method
from playground.slack.errors import Refused
from playground.slack.methods.agents import set_session
from playground.slack.methods.chat import authored, destination, in_thread
from playground.slack.records import Json, Stream, StreamState

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

MODES = frozenset({"timeline", "plan", "dense"})
TASK_STATUSES = frozenset({"pending", "in_progress", "complete", "error"})
TITLE_CHARACTERS = 256


def start(workspace: Workspace, call: Call) -> Json:
    channel = destination(workspace, call)
    if not channel.is_im:
        for name in ("recipient_team_id", "recipient_user_id"):
            if not call.text(name):
                raise Refused(f"missing_{name}")
    elif not call.text("thread_ts"):
        raise Refused("invalid_thread_ts", reason="a stream in a direct conversation is a reply")
    mode = call.text("task_display_mode", "timeline")
    if mode not in MODES:
        raise Refused("invalid_arguments", reason=f"task_display_mode={mode}")
    chunks = _chunks(call)
    message = in_thread(workspace, call, channel, authored(workspace.world.ts(), ""))
    message |= {"blocks": [], "streaming_state": "in_progress"}
    stream = Stream(channel=channel.id, ts=message["ts"], started=workspace.now(), mode=mode)
    workspace.world.streams[channel.id, stream.ts] = stream
    _append(stream, message, chunks)
    workspace.post(channel, message)
    workspace.world.statuses.pop((channel.id, message.get("thread_ts", stream.ts)), None)
    return {"channel": channel.id, "ts": stream.ts}


def append(workspace: Workspace, call: Call) -> Json:
    stream, message = _running(workspace, call)
    chunks = _chunks(call)
    if not chunks:
        raise Refused("no_text")
    _append(stream, message, chunks)
    workspace.admin.changes.publish("message_changed", channel=stream.channel, message=message)
    return {"channel": stream.channel, "ts": stream.ts}


def stop(workspace: Workspace, call: Call) -> Json:
    stream, message = _running(workspace, call)
    chunks = _chunks(call)
    blocks: list[Json] = []
    if call.args.get("blocks") is not None:
        blocks = checked(parsed(call.args["blocks"]), prefix=f"s{stream.ts[-6:]}")
    previous = copy.deepcopy(message)
    if call.text("session_status"):
        thread_ts = message.get("thread_ts", stream.ts)
        set_session(workspace, stream.channel, thread_ts, call.text("session_status"))
    _append(stream, message, chunks)
    message["blocks"] = [*message["blocks"], *blocks]
    if metadata := call.json("metadata", "invalid_metadata_format"):
        message["metadata"] = metadata
    workspace.end_stream(stream.channel, stream.ts, StreamState.STOPPED)
    workspace.changed(workspace.world.channels[stream.channel], message, previous)
    return {"channel": stream.channel, "ts": stream.ts, "message": copy.deepcopy(message)}


def _running(workspace: Workspace, call: Call) -> tuple[Stream, Json]:
    """The stream and its message, if it may still be written to."""
    workspace.expire()
    channel = workspace.world.channel(call.need("channel"))
    message = workspace.world.message(channel.id, call.need("ts"))
    if message.get("bot_id") != people.BOT_ID:
        raise Refused("message_not_owned_by_app")
    stream = workspace.world.streams.get((channel.id, message["ts"]))
    if stream and stream.state is StreamState.STOPPED_BY_USER:
        raise Refused("stopped_by_user")
    if stream is None or stream.state is not StreamState.STREAMING:
        raise Refused("message_not_in_streaming_state")
    return stream, message


def _chunks(call: Call) -> list[Json]:
    """`markdown_text` and `chunks` as chunks, checked; each text within the limit of one call."""
    given: Any = call.json("chunks", "invalid_chunks") or []
    if not isinstance(given, list):
        raise Refused("invalid_chunks")
    chunks = cast("list[Json]", given)
    if text := call.text("markdown_text"):
        if chunks:
            raise Refused("markdown_text_conflict")
        chunks = [{"type": "markdown_text", "text": text}]
    return [_checked(chunk) for chunk in chunks]


def _checked(chunk: Any) -> Json:
    match chunk:
        case {"type": "markdown_text", "text": str(text)}:
            if len(text) > MARKDOWN_CHARACTERS:
                raise Refused("msg_too_long")
        case {"type": "task_update", "id": str(), "title": str(title), "status": status}:
            if status not in TASK_STATUSES or not 0 < len(title) <= TITLE_CHARACTERS:
                raise Refused("invalid_chunks", reason=f"task_update with status {status!r}, title {title!r}")
        case {"type": "plan_update", "title": str(title)} if len(title) <= TITLE_CHARACTERS:
            pass
        case {"type": "blocks", "blocks": given}:
            return {"type": "blocks", "blocks": checked(parsed(given))}
        case _:
            raise Refused("invalid_chunks", reason=f"unknown or incomplete chunk {str(chunk)[:200]}")
    return cast("Json", chunk)


def _append(stream: Stream, message: Json, chunks: list[Json]) -> None:
    for chunk in chunks:
        match chunk["type"]:
            case "markdown_text":
                _append_text(message, chunk["text"])
            case "task_update":
                _append_task(stream, message, chunk)
            case "plan_update":
                _plan(message)["title"] = chunk["title"]
            case _:
                message["blocks"] += [
                    {**block, "block_id": f"c{len(message['blocks']) + place}-{block['block_id']}"}
                    for place, block in enumerate(chunk["blocks"])
                ]


def _append_text(message: Json, text: str) -> None:
    """Appends text to the last text, or below what came in between."""
    message["text"] += text
    blocks: list[Json] = message["blocks"]
    if blocks and blocks[-1]["type"] == "markdown":
        blocks[-1]["text"] += text
    else:
        blocks.append({"type": "markdown", "block_id": f"m{len(blocks)}", "text": text})


def _append_task(stream: Stream, message: Json, chunk: Json) -> None:
    """Replaces a task's title, status and output; appends its details."""
    tasks = _plan(message)["tasks"] if stream.mode == "plan" else message["blocks"]
    task = next((block for block in tasks if block.get("task_id") == chunk["id"]), None)
    if task is None:
        task = {"type": "task_card", "block_id": f"t-{chunk['id']}", "task_id": chunk["id"]}
        tasks.append(task)
    task |= {"title": chunk["title"], "status": chunk["status"]}
    if details := chunk.get("details"):
        stream.details[chunk["id"]] = stream.details.get(chunk["id"], "") + details
        task["details"] = _rich(stream.details[chunk["id"]])
    if output := chunk.get("output"):
        task["output"] = _rich(output)
    if sources := chunk.get("sources"):
        task["sources"] = [*task.get("sources", ()), *sources]


def _plan(message: Json) -> Json:
    plan: Json | None = next((block for block in message["blocks"] if block["type"] == "plan"), None)
    if plan is None:
        plan = {"type": "plan", "block_id": "plan", "title": "", "tasks": []}
        message["blocks"].insert(0, plan)
    return plan


def _rich(text: str) -> Json:
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}],
    }


METHODS: dict[str, Method] = {
    "chat.startStream": start,
    "chat.appendStream": append,
    "chat.stopStream": stop,
}
