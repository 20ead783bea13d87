"""The Model port over google-genai, for the Gemini Developer API and for Vertex AI.

The history never becomes google-genai's typed models: contents, tools and system instruction are sent in wire form, so
a step costs the same with a long history as with a short one. Retries and timeouts are ours: google-genai's own ignore
RetryInfo, and a stream that was cut is not theirs to redo.

Answers come as typed models, and are turned back into wire form: unknown fields are dropped by them, and a signature's
text may differ from what was received while its bytes are equal.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import Self, cast

import structlog
from google.genai import types

from bot.llm import models
from bot.llm.assembly import Assembly
from bot.llm.failures import UnreadableAnswer
from bot.llm.model import (
    ModelEvent,
    ModelRequest,
    ModelUnavailable,
    Restarted,
    TextDelta,
    ThoughtDelta,
    Turn,
    Usage,
)
from bot.llm.transport import DeveloperApi, Retries, Timeouts, Transport, VertexAi
from bot.llm.wire import Part, decode_all, to_base64, with_files

log = structlog.get_logger()


class Gemini:
    """A Gemini model; inert until `async with`, which keeps one client for its life.

    `retried` is told why each time that the model is asked again.
    """

    def __init__(
        self,
        *,
        access: DeveloperApi | VertexAi,
        name: str = models.DEFAULT_MODEL,
        timeouts: Timeouts | None = None,
        retries: Retries | None = None,
        retried: Callable[[str], None] | None = None,
    ) -> None:
        self._name = name
        self._generation = models.generation_config(name)
        self._retries = retries or Retries()
        self._retried = retried
        self._transport = Transport(access=access, model=name, timeouts=timeouts or Timeouts())

    @property
    def name(self) -> str:
        """The model's id."""
        return self._name

    @property
    def transport(self) -> str:
        """`developer` or `vertex`."""
        return self._transport.name

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._transport.__aexit__()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """One step; the contract is that of `bot.llm.model.Model.stream`."""
        body = _body(request, self._generation)
        started = asyncio.get_running_loop().time()
        spent, attempt = Usage(), 0
        while True:
            attempt += 1
            assembly, shown = Assembly(), False
            try:
                async with aclosing(self._attempt(body, assembly)) as deltas:
                    async for delta in deltas:
                        shown = True
                        yield delta
                yield self._complete(assembly, spent)
                return
            except ModelUnavailable as failure:
                delay = self._delay(failure, attempt, started)
                if delay is None:
                    raise
            spent += assembly.usage
            if shown:
                yield Restarted()
            await asyncio.sleep(delay)

    def _delay(self, failure: ModelUnavailable, attempt: int, started: float) -> float | None:
        elapsed = asyncio.get_running_loop().time() - started
        delay = self._retries.delay(failure, attempt=attempt, elapsed=elapsed)
        log.warning("model.unavailable", reason=failure.reason, attempt=attempt, wait_seconds=delay)
        if delay is not None and self._retried is not None:
            self._retried(failure.reason)
        return delay

    def _complete(self, assembly: Assembly, spent: Usage) -> Turn:
        assembly.usage += spent
        assembly.model = assembly.model or self._name
        return assembly.turn()

    async def _attempt(
        self, body: dict[str, object], assembly: Assembly
    ) -> AsyncGenerator[TextDelta | ThoughtDelta, None]:
        """Ask once and fill the assembly. A stream that breaks after its finish reason still counts."""
        try:
            async with aclosing(self._transport.chunks(body)) as chunks:
                async for chunk in chunks:
                    for delta in _take_in(chunk, assembly):
                        yield delta
        except UnreadableAnswer:
            assembly.spoil()
        except ModelUnavailable:
            if not assembly.is_finished:
                raise
        if not assembly.is_finished:
            raise ModelUnavailable("network", detail="the stream ended without a finish reason")


def _body(request: ModelRequest, generation: Mapping[str, object]) -> dict[str, object]:
    """The request in wire form; what changes from step to step stands last, which is what implicit caching wants."""
    body: dict[str, object] = {"systemInstruction": {"parts": [{"text": request.instruction}]}}
    if request.tools:
        declared = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.schema}
            for tool in request.tools
        ]
        body["tools"] = [{"functionDeclarations": declared}]
        mode = "NONE" if request.tools_off else "AUTO"
        body["toolConfig"] = {"functionCallingConfig": {"mode": mode}}
    contents = decode_all(request.contents)
    if request.files:
        contents = with_files(contents, request.files)
    return body | {"generationConfig": generation, "contents": contents}


def _take_in(chunk: types.GenerateContentResponse, assembly: Assembly) -> Iterator[TextDelta | ThoughtDelta]:
    """Put one chunk into the assembly; yields what is to be shown."""
    assembly.model = chunk.model_version or assembly.model
    if chunk.usage_metadata is not None:
        assembly.usage = _usage(chunk.usage_metadata)
    feedback = chunk.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        assembly.block_reason = feedback.block_reason.value
    for candidate in (chunk.candidates or [])[:1]:
        for part in (candidate.content and candidate.content.parts) or []:
            delta = assembly.add(_part(part))
            if delta is not None:
                yield delta
        if candidate.finish_reason is not None:
            assembly.finish_reason = candidate.finish_reason.value
            assembly.finish_message = candidate.finish_message or ""


def _usage(told: types.GenerateContentResponseUsageMetadata) -> Usage:
    """A stream tells running totals: the last one counts."""
    return Usage(
        prompt_tokens=(told.prompt_token_count or 0) + (told.tool_use_prompt_token_count or 0),
        output_tokens=(told.candidates_token_count or 0) + (told.thoughts_token_count or 0),
        cached_tokens=told.cached_content_token_count or 0,
    )


def _part(part: types.Part) -> Part:
    if part.model_fields_set <= {"text", "thought", "thought_signature", "function_call"}:
        return _usual(part)
    return cast("Part", json.loads(part.model_dump_json(by_alias=True, exclude_none=True)))


def _usual(part: types.Part) -> Part:
    wire: Part = {}
    if part.text is not None:
        wire["text"] = part.text
    if part.thought:
        wire["thought"] = True
    if part.function_call is not None:
        wire["functionCall"] = _call(part.function_call)
    if part.thought_signature is not None:
        wire["thoughtSignature"] = to_base64(part.thought_signature)
    return wire


def _call(call: types.FunctionCall) -> dict[str, object]:
    fields: dict[str, object] = {"id": call.id, "name": call.name, "args": call.args}
    return {name: value for name, value in fields.items() if value is not None}
