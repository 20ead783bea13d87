"""Streams: the lines of a request as newline-delimited JSON (runtime contract §4), with a sign of life between them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from bot.api.refusals import Refusal
from bot.runtime.over_http.admission import Taken
from bot.runtime.over_http.transcripts import Begins, Called, Said, Thought

MEDIA_TYPE = "application/x-ndjson"
HEARTBEAT_SECONDS = 15.0
FIRST = "countersign-first-line"
"""The header with the number of the first line. Who lost a stream asks for the lines after that plus those it has."""


def event_of(line: Begins | Said | Thought | Called, *, run_id: str, thread_id: str) -> Mapping[str, Any]:
    """A line as it is sent."""
    match line:
        case Begins():
            return {"type": "status", "status": "planning", "threadId": thread_id, "runId": run_id}
        case Said(text):
            return {"type": "delta", "delta": text}
        case Thought(text):
            return {"type": "thought_delta", "delta": text}
        case Called(tool, caption):
            return {"type": "tool_call", "toolName": tool, "preview": caption}


def error_event(refusal: Refusal, taken: Taken) -> Mapping[str, Any]:
    """The last line of a stream that has no result."""
    return {"type": "error", "error": refusal.message, "code": refusal.code, "runId": taken.run_id}


class LineResponse(StreamingResponse):
    """A stream. `held` is given back when it ends, however it does; `first` is the number of its first line."""

    def __init__(self, texts: AsyncGenerator[str], *, first: int, held: contextlib.ExitStack, heartbeat: float) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", FIRST: str(first)}
        super().__init__(alive(texts, heartbeat), media_type=MEDIA_TYPE, headers=headers)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, until its reader leaves."""
        with self._held:
            await super().__call__(scope, receive, send)


async def alive(texts: AsyncGenerator[str], heartbeat: float) -> AsyncIterator[str]:
    """The texts, and an empty line whenever none came for so many seconds."""
    coming: asyncio.Task[str] | None = None
    async with contextlib.aclosing(texts):
        try:
            while True:
                coming = coming or asyncio.ensure_future(anext(texts))
                done, _ = await asyncio.wait({coming}, timeout=heartbeat)
                if not done:
                    yield "\n"
                    continue
                task, coming = coming, None
                try:
                    yield task.result()
                except StopAsyncIteration:
                    return
        finally:
            if coming is not None:
                coming.cancel()
                await asyncio.gather(coming, return_exceptions=True)
