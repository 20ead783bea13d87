"""Streams: the lines of a request as newline-delimited JSON (runtime contract §4), with a sign of life between them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from bot.api.agent.contract import ErrorCode, RunAnswer
from bot.api.refusals import HEADERS, HttpRefusal
from bot.redaction import readable_json
from bot.runtime.over_http.admission import Taken
from bot.runtime.over_http.transcripts import Begins, TextSaid, Thought, ToolCalled

MEDIA_TYPE = "application/x-ndjson"
HEARTBEAT_SECONDS = 15.0
_ENCODER = json.JSONEncoder(ensure_ascii=False)  # made once: there are many lines
FIRST = "countersign-first-line"
"""The header with the number of the first line. Who lost a stream asks for the lines after that plus those it has."""


def written(
    line: Begins | TextSaid | Thought | ToolCalled, redact: Callable[[str], str], *, run_id: str, thread_id: str
) -> str:
    """A line as it is sent, without secrets, halves of characters and other ends of lines. There are many of them, so
    each is written once and read never.
    """
    match line:
        case Begins():
            event = {"type": "status", "status": "planning", "threadId": thread_id, "runId": run_id}
        case TextSaid(text):
            event = {"type": "delta", "delta": redact(text)}
        case Thought(text):
            event = {"type": "thought_delta", "delta": redact(text)}
        case ToolCalled(tool, caption):
            event = {"type": "tool_call", "toolName": redact(tool), "preview": redact(caption)}
    return readable_json(_ENCODER.encode(event)) + "\n"


class _Line(BaseModel):
    """As it is told to others; `written` writes them."""

    model_config = ConfigDict(alias_generator=to_camel, serialize_by_alias=True)


class StatusLine(_Line):
    """The request begins, or its next step does: the deltas before it are not part of the answer."""

    type: Literal["status"]
    status: Literal["planning"]
    thread_id: str
    run_id: str


class DeltaLine(_Line):
    """More of the answer's text."""

    type: Literal["delta"]
    delta: str


class ThoughtLine(_Line):
    """More of what the model thinks."""

    type: Literal["thought_delta"]
    delta: str


class CallLine(_Line):
    """A tool is called."""

    type: Literal["tool_call"]
    tool_name: str
    preview: str


class ResultLine(_Line):
    """The last line."""

    type: Literal["result"]
    result: RunAnswer


class ErrorLine(_Line):
    """The last line of a stream that has no result; the run goes on."""

    type: Literal["error"]
    error: str
    code: ErrorCode
    run_id: str


LINES: Mapping[str, type[BaseModel]] = {
    "status": StatusLine,
    "delta": DeltaLine,
    "thought_delta": ThoughtLine,
    "tool_call": CallLine,
    "result": ResultLine,
    "error": ErrorLine,
}
"""What a line can be, by its type."""


def error_event(refusal: HttpRefusal, taken: Taken) -> Mapping[str, Any]:
    """The last line of a stream that has no result."""
    return {"type": "error", "error": refusal.message, "code": refusal.code, "runId": taken.run_id}


_HEADERS: Mapping[str, str] = {**HEADERS, "x-accel-buffering": "no"}


def no_lines() -> StreamingResponse:
    """What a HEAD is answered: the headers of a stream but for the number of its first line, which nothing was asked
    for. It has no length, as a stream has none.
    """
    return StreamingResponse(iter(()), media_type=MEDIA_TYPE, headers=_HEADERS)


class LineResponse(StreamingResponse):
    """A stream. `held` is given back when it ends, however it does, and `urgent`, which is part of that, as soon as
    something of it was sent; `first` is the number of its first line.
    """

    def __init__(
        self, texts: AsyncGenerator[str], *, first: int, held: contextlib.ExitStack, urgent: contextlib.ExitStack
    ) -> None:
        super().__init__(texts, media_type=MEDIA_TYPE, headers={**_HEADERS, FIRST: str(first)})
        self._held = held
        self._urgent = urgent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, until its reader leaves."""

        async def send_on(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body":
                self._urgent.close()

        with self._held:
            await super().__call__(scope, receive, send_on)
