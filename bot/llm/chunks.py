"""One chunk of a streamed answer, in the API's JSON form (ai.google.dev/api/generate-content#GenerateContentResponse).

What is read here is checked. Any other field stays as it was sent, because a part goes back with the history.
"""

from __future__ import annotations

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict  # pydantic takes the standard library's from Python 3.12 on

_KEEPS_OTHERS = ConfigDict(extra="allow")


class CalledFunction(TypedDict, total=False):
    """ai.google.dev/api/caching#FunctionCall."""

    id: str | None
    name: str | None
    args: dict[str, object] | None


@with_config(_KEEPS_OTHERS)
class ChunkPart(TypedDict, total=False):
    """ai.google.dev/api/caching#Part."""

    text: str | None
    thought: bool | None
    thoughtSignature: str | None
    functionCall: CalledFunction | None


class ChunkContent(TypedDict, total=False):
    """The model's content; its role is known."""

    parts: list[ChunkPart] | None


class Candidate(TypedDict, total=False):
    """One answer; only the first one is used."""

    content: ChunkContent | None
    finishReason: str | None
    finishMessage: str | None


class PromptFeedback(TypedDict, total=False):
    """Why the prompt was blocked."""

    blockReason: str | None


class UsageMetadata(TypedDict, total=False):
    """Tokens so far: a stream tells running totals."""

    promptTokenCount: int | None
    toolUsePromptTokenCount: int | None
    candidatesTokenCount: int | None
    thoughtsTokenCount: int | None
    cachedContentTokenCount: int | None


class Chunk(TypedDict, total=False):
    """Everything in one event of the stream."""

    candidates: list[Candidate] | None
    promptFeedback: PromptFeedback | None
    usageMetadata: UsageMetadata | None
    modelVersion: str | None


_CHUNK = TypeAdapter(Chunk)


def read_chunk(event: object) -> Chunk:
    """The chunk that an event's JSON is. Raises pydantic's ValueError for what is none."""
    return _CHUNK.validate_python(event)
