"""The port through which the runtime talks to a language model; no implementation is known here.

A step is one call of `Model.stream`: deltas while the model writes, then exactly one `Turn`, always last. Contents go
in and come out as `Wire`, which is opaque outside `bot.llm`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType, Protocol

from bot.errors import BotError

Wire = NewType("Wire", str)
"""One Content in the API's JSON form, as text (ASCII). Only `bot.llm` builds and reads it."""

DEVELOPER = "developer"
VERTEX = "vertex"


class FinishKind(StrEnum):
    """How a turn ended, as far as the loop cares; `Turn.finish_detail` has the API's own word."""

    STOP = "stop"
    EMPTY = "empty"  # it ended without words and calls
    CALLS = "calls"
    MAX_TOKENS = "max_tokens"
    SAFETY = "safety"
    MALFORMED = "malformed"
    OTHER = "other"

    def is_usable(self) -> bool:
        """Whether the turn's content and calls may be used: a final text, or calls to be evaluated."""
        return self in {FinishKind.STOP, FinishKind.CALLS}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDeclaration:
    """A tool as the model sees it. `schema` is the JSON schema of its arguments, handed on verbatim."""

    name: str
    description: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One function call that the model proposed.

    `id` is the model's own, or one minted here when it gave none (`given_id` false: it is not sent back). `args` is
    None when they were no object. `raw` is the arguments' JSON as text (ASCII); a number or a character that JSON has
    no form for stands in it as Python writes it, so it is a record and nothing to be sent.
    """

    id: str
    name: str
    args: Mapping[str, object] | None
    raw: str
    given_id: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage:
    """Tokens of one turn as they are billed: `output_tokens` counts candidates and thoughts, `cached_tokens` are
    inside `prompt_tokens`. Attempts that were cut are counted as far as they told.
    """

    prompt_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: TurnUsage) -> TurnUsage:
        """Both together."""
        return TurnUsage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the model answered in one step.

    `calls` holds calls only when `finish` is CALLS: those of a response that ended any other way stand in `refused`
    and are never executed. `content` is what may be appended to the history, or None when nothing of the answer may
    (calls that will get no response, a blocked prompt, garbage). `model` is the version that answered.
    """

    content: Wire | None
    text: str
    calls: tuple[ModelCall, ...]
    finish: FinishKind
    finish_detail: str
    usage: TurnUsage
    model: str
    refused: tuple[ModelCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Blob:
    """A file's bytes, as the model takes them."""

    mime_type: str
    data: bytes


class ThinkingLevel(StrEnum):
    """How much the model may think before it answers; these three every current model accepts."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How the model is to answer; None is as the model does by itself. `bot.llm.choice` makes them, with nothing in
    them that their model does not take: a level, or a budget of thinking in tokens (-1 has no bounds).
    """

    level: ThinkingLevel | None = None
    budget: int | None = None
    temperature: float | None = None
    top_p: float | None = None


class CallingMode(StrEnum):
    """Whether the model calls tools (ai.google.dev/gemini-api/docs/function-calling#function_calling_modes)."""

    AUTO = "AUTO"  # it calls or answers
    ANY = "ANY"  # it has to call
    NONE = "NONE"  # it has to answer; the declarations stay


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One step's input, and the id of the model that is asked.

    `files` has, for each file that the contents name, what stands in its place in this call. With `ANY` the model
    calls one of the `allowed_tools`; where none is named, any that is declared. With an `output_schema` (JSON Schema
    2020-12) a text is JSON by it as far as the model takes schemas: whoever asks checks what comes. A model that takes
    none beside tools has to call a function named `output_call`, whose arguments become that text; where this is empty,
    it answers in words. The request is for a text then, so no other call is made.
    """

    model: str
    instruction: str
    contents: Sequence[Wire]
    files: Mapping[str, Sequence[str | Blob]] = field(default_factory=dict[str, "Sequence[str | Blob]"])
    tools: Sequence[ToolDeclaration] = field(default_factory=tuple[ToolDeclaration, ...])
    calling_mode: CallingMode = CallingMode.AUTO
    allowed_tools: Sequence[str] = ()
    parameters: Parameters = field(default_factory=Parameters)
    output_schema: Mapping[str, object] | None = None
    output_call: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """A piece of the model's thought summary; never part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The step was cut and is done again: every delta of this step so far is void and will be replaced."""


ModelEvent = TextDelta | ThoughtDelta | Restarted | Turn


class Model(Protocol):
    """Language models over one transport."""

    @property
    def transport(self) -> str:
        """`developer` or `vertex`: signatures of the one are refused by the other."""
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """One step: deltas, then one `Turn`. Raises `ModelError`s only; bounded retries are done inside.

        Closing the iterator early (or cancelling the task) ends the request.
        """
        ...


class ModelError(BotError):
    """The model could not answer."""


class ModelUnavailable(ModelError):
    """The model cannot be reached or is overloaded; the same request may work later.

    `reason` is rate, overloaded, timeout or network; `retry_after` is the provider's own advice in seconds, if any.
    """

    def __init__(self, reason: str, *, retry_after: float | None = None, detail: str = "") -> None:
        super().__init__(f"The model is unavailable ({reason}){': ' + detail if detail else ''}.")
        self.reason = reason
        self.retry_after = retry_after


class QuotaExhausted(ModelError):
    """The quota is used up: a wait of minutes will not help. `daily` says that it is the one of the day."""

    def __init__(self, *, daily: bool, detail: str = "") -> None:
        kind = "daily quota" if daily else "quota"
        super().__init__(f"The model's {kind} is used up{': ' + detail if detail else ''}.")
        self.daily = daily


class ModelMisconfigured(ModelError):
    """The key was refused, a permission is missing or the model is unknown: somebody must change the configuration.

    `knows_model` is False where it is the model that is not known.
    """

    def __init__(self, detail: str, *, knows_model: bool = True) -> None:
        super().__init__(f"The model's configuration was refused: {detail}")
        self.detail = detail
        self.knows_model = knows_model


class ModelRejected(ModelError):
    """The request itself was refused (400): sending it again will not help."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"The model refused the request: {detail}")
        self.detail = detail
