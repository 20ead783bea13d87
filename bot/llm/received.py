"""Turns a chunk of google-genai's typed models back into wire form.

The typed models are all that a stream gives: unknown fields are dropped by them, and a signature's text may differ from
what was received while its bytes are equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from google.genai import types

from bot.llm.assembly import Assembly
from bot.llm.model import TextDelta, ThoughtDelta, Usage
from bot.llm.wire import Part, to_base64


def take_in(chunk: types.GenerateContentResponse, assembly: Assembly) -> Iterator[TextDelta | ThoughtDelta]:
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
        total=told.total_token_count or 0,
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
