"""The Model port over google-genai, for the Gemini Developer API and for Vertex AI.

The history never becomes google-genai's typed models: contents, tools and system instruction are sent in wire form, so
a step costs the same with a long history as with a short one, and answers are read as they were sent. Retries and
timeouts are ours: google-genai's own ignore RetryInfo, and a stream that was cut is not theirs to redo.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import lru_cache
from typing import Self

import structlog

from bot.llm import models
from bot.llm.assembly import Assembly
from bot.llm.chunks import Candidate, Chunk, UsageMetadata
from bot.llm.failures import UnreadableAnswer
from bot.llm.model import (
    CallingMode,
    FinishKind,
    ModelEvent,
    ModelRejected,
    ModelRequest,
    ModelUnavailable,
    Restarted,
    TextDelta,
    ThoughtDelta,
    ToolDeclaration,
    Turn,
    TurnUsage,
)
from bot.llm.output_schema import JsonForm, OutputSchemas, widened
from bot.llm.transport import DeveloperApi, Retries, Timeouts, Transport, VertexAi
from bot.llm.wire import Part, encode, model_text, with_files

log = structlog.get_logger()

_MOST_WRITTEN = 64
"""Agents whose tools, and runs whose instructions, are kept as JSON; each may have some ten thousand characters."""

_HANDS_OVER = "Answer with this: its arguments are the JSON that was asked for."


class Gemini:
    """Gemini's models; inert until `async with`, which keeps one client for its life.

    `retried` is told why each time that the model is asked again.
    """

    def __init__(
        self,
        *,
        access: DeveloperApi | VertexAi,
        timeouts: Timeouts | None = None,
        retries: Retries | None = None,
        retried: Callable[[str], None] | None = None,
    ) -> None:
        self._retries = retries or Retries()
        self._retried = retried
        self._transport = Transport(access=access, timeouts=timeouts or Timeouts())
        self._schemas = OutputSchemas()
        self._tools = _WrittenTools()

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
        """One step; the contract is that of `bot.llm.model.Model.stream`.

        What is refused with an output schema is asked in another form: the API does not always say what it refuses.
        """
        form = self._schemas.form(request)
        body = self._body(request, form)
        started = asyncio.get_running_loop().time()
        spent, attempt = TurnUsage(), 0
        while True:
            attempt += 1
            assembly, shown = Assembly(), False
            try:
                async with aclosing(self._attempt(request.model, body, assembly)) as deltas:
                    async for delta in deltas:
                        shown = True
                        yield delta
                turn = _complete(assembly, request.model, spent)
                yield _as_text(turn, request.output_call) if form is JsonForm.CALL else turn
                return
            except ModelUnavailable as failure:
                delay = self._delay(failure, attempt, started)
                if delay is None:
                    raise
            except ModelRejected as refusal:
                other = self._schemas.refused(request, form, refusal)
                if other is None:
                    raise
                form, delay = other, 0.0
                body = self._body(request, form)
            spent += assembly.usage
            if shown:
                yield Restarted()
            await asyncio.sleep(delay)

    def _body(self, request: ModelRequest, form: JsonForm) -> bytes:
        return _body(request, form, self._tools.text(request.tools))

    def _delay(self, failure: ModelUnavailable, attempt: int, started: float) -> float | None:
        elapsed = asyncio.get_running_loop().time() - started
        delay = self._retries.delay(failure, attempt=attempt, elapsed=elapsed)
        log.warning("model.unavailable", reason=failure.reason, attempt=attempt, wait_seconds=delay)
        if delay is not None and self._retried is not None:
            self._retried(failure.reason)
        return delay

    async def _attempt(
        self, model: str, body: bytes, assembly: Assembly
    ) -> AsyncGenerator[TextDelta | ThoughtDelta, None]:
        """Ask once and fill the assembly. A stream that breaks after its finish reason still counts."""
        try:
            async with aclosing(self._transport.chunks(model, body)) as chunks:
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


def _complete(assembly: Assembly, model: str, spent: TurnUsage) -> Turn:
    assembly.usage += spent
    assembly.model = assembly.model or model
    return assembly.turn()


def _as_text(turn: Turn, function: str) -> Turn:
    """The arguments of the call that was forced, as if the model had written them: nothing has to respond to them."""
    given = next((call for call in turn.calls if call.name == function), None)
    if given is None:
        return turn
    text = given.raw if given.args is None else json.dumps(given.args, ensure_ascii=False)
    return replace(turn, content=model_text(text), text=text, calls=(), finish=FinishKind.STOP)


class _WrittenTools:
    """The JSON of tools, written once: those of an agent are the same in each call, and longer than all else."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Sequence[ToolDeclaration], str]] = {}

    def text(self, tools: Sequence[ToolDeclaration]) -> str:
        """Each as JSON, with commas between them. Only a tuple stays as it is."""
        if not isinstance(tools, tuple):
            return ",".join(map(_declaration, tools))
        known = self._texts.get(id(tools))
        if known is None:  # what is known is kept, so that no other tools come to its place
            if len(self._texts) == _MOST_WRITTEN:
                self._texts.clear()
            known = self._texts[id(tools)] = tools, ",".join(map(_declaration, tools))
        return known[1]


@lru_cache(_MOST_WRITTEN)
def _instruction(text: str) -> str:
    """As the first field of a request; that of a run is the same in each call."""
    return encode({"systemInstruction": {"parts": [{"text": text}]}}).removeprefix("{").removesuffix("}")


def _declaration(tool: ToolDeclaration) -> str:
    return encode({"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.schema})


def _body(request: ModelRequest, form: JsonForm, tools: str) -> bytes:
    """The request as JSON; what changes from step to step stands last, which is what implicit caching wants. Its
    `tools` and contents are JSON already, so neither is read or written again.
    """
    body: dict[str, object] = {}
    if (handover := _handover(request, form)) is not None:
        tools = ",".join([*([tools] if tools else []), _declaration(handover)])
    if tools or request.calling_mode is CallingMode.ANY:  # which the API refuses without tools
        body["toolConfig"] = {"functionCallingConfig": _calling(request, form)}
    generation = models.generation_config(request.model, request.parameters)
    if form is JsonForm.SCHEMA and request.output_schema is not None:
        schema = widened(request.output_schema)
        generation |= {"responseMimeType": "application/json", "responseJsonSchema": schema}
    declared = f',"tools":[{{"functionDeclarations":[{tools}]}}]' if tools else ""
    more = encode(body | {"generationConfig": generation}).removeprefix("{").removesuffix("}")
    contents = ",".join(with_files(request.contents, request.files))
    return f'{{{_instruction(request.instruction)}{declared},{more},"contents":[{contents}]}}'.encode()


def _handover(request: ModelRequest, form: JsonForm) -> ToolDeclaration | None:
    """The function by which a model hands over that takes no schema."""
    if form is not JsonForm.CALL or request.output_schema is None:
        return None
    return ToolDeclaration(name=request.output_call, description=_HANDS_OVER, schema=widened(request.output_schema))


def _calling(request: ModelRequest, form: JsonForm) -> dict[str, object]:
    """Whether it calls, and what."""
    if form is JsonForm.CALL:
        return {"mode": CallingMode.ANY, "allowedFunctionNames": [request.output_call]}
    allowed = {"allowedFunctionNames": list(request.allowed_tools)} if request.allowed_tools else {}
    return {"mode": request.calling_mode, **allowed}


def _take_in(chunk: Chunk, assembly: Assembly) -> Iterator[TextDelta | ThoughtDelta]:
    """Put one chunk into the assembly; yields what is to be shown."""
    assembly.model = chunk.get("modelVersion") or assembly.model
    if (told := chunk.get("usageMetadata")) is not None:
        assembly.usage = _usage(told)
    if (feedback := chunk.get("promptFeedback")) is not None:
        assembly.block_reason = feedback.get("blockReason") or assembly.block_reason
    for candidate in (chunk.get("candidates") or [])[:1]:
        for part in _parts(candidate):
            delta = assembly.add(part)
            if delta is not None:
                yield delta
        if (reason := candidate.get("finishReason")) is not None:
            assembly.finish_reason = reason
            assembly.finish_message = candidate.get("finishMessage") or ""


def _usage(told: UsageMetadata) -> TurnUsage:
    """A stream tells running totals: the last one counts."""
    return TurnUsage(
        prompt_tokens=(told.get("promptTokenCount") or 0) + (told.get("toolUsePromptTokenCount") or 0),
        output_tokens=(told.get("candidatesTokenCount") or 0) + (told.get("thoughtsTokenCount") or 0),
        cached_tokens=told.get("cachedContentTokenCount") or 0,
    )


def _parts(candidate: Candidate) -> Iterator[Part]:
    for part in (candidate.get("content") or {}).get("parts") or []:
        yield {name: value for name, value in part.items() if value is not None}
