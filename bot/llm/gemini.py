"""The Model port over google-genai, for the Gemini Developer API and for Vertex AI.

The history never becomes google-genai's typed models: contents, tools and system instruction are sent in wire form, so
a step costs the same with a long history as with a short one. Retries and timeouts are ours: google-genai's own ignore
RetryInfo, and a stream that was cut is not theirs to redo.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Self

import structlog

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
    ToolDeclaration,
    Turn,
    Usage,
)
from bot.llm.patience import Retries, Timeouts
from bot.llm.received import take_in
from bot.llm.transport import DeveloperApi, Form, Transport, VertexAi
from bot.llm.wire import decode_all

log = structlog.get_logger()


class Gemini:
    """A Gemini model; inert until `async with`, which keeps one client for its life.

    `thinking_level` None takes the model's own from `bot.llm.models`. `retried` is told why each time that the model is
    asked again.
    """

    def __init__(
        self,
        *,
        access: DeveloperApi | VertexAi,
        name: str = models.DEFAULT_MODEL,
        thinking_level: models.ThinkingLevel | None = None,
        timeouts: Timeouts | None = None,
        retries: Retries | None = None,
        form: Form = Form.WIRE,
        retried: Callable[[str], None] | None = None,
    ) -> None:
        self._name = name
        self._generation = models.generation_config(name, level=thinking_level)
        self._retries = retries or Retries()
        self._retried = retried
        self._transport = Transport(access=access, model=name, timeouts=timeouts or Timeouts(), form=form)

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
                    for delta in take_in(chunk, assembly):
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
        body["tools"] = [{"functionDeclarations": [_declaration(tool) for tool in request.tools]}]
        mode = "NONE" if request.tools_off else "AUTO"
        body["toolConfig"] = {"functionCallingConfig": {"mode": mode}}
    return body | {"generationConfig": generation, "contents": decode_all(request.contents)}


def _declaration(tool: ToolDeclaration) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.schema}
