"""What the agent's routes take and give (runtime contract §2 and §3), as pydantic models; the OpenAPI document is made
of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, PydanticCustomError, to_json

from bot.api.refusals import HttpRefusal
from bot.domain.questions import QuestionKind
from bot.domain.runs import MAX_ATTACHED, AttachedContext, FollowUp
from bot.domain.threads import Speaker
from bot.runtime.over_http.outcomes import Outcome, WaitingQuestion
from bot.runtime.over_http.prompts import PastMessage
from policies.characters import shows_something

MAX_CONVERSATION = 40
MAX_PROMPT = 40_000
"""Characters of a prompt, and of one message of a conversation."""

MAX_CONTEXT = 20_000
"""Characters of an attached context’s `snippet`, and of its `meta` as JSON, together."""


class _Strict(BaseModel):
    """What is sent: of exactly these types, and with no name that is not known."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _with_few_strangers(cls, value: object) -> object:
        """Of the names that are not known one is enough to refuse it: telling 90,000 of them takes a second."""
        if not isinstance(value, dict):
            return value
        given = cast("dict[str, object]", value)
        if len(given) <= len(cls.model_fields):
            return given
        known = {to_camel(name) for name in cls.model_fields}
        stranger = next(name for name in given if name not in known)
        return {name: item for name, item in given.items() if name in known or name == stranger}


_S = TypeVar("_S", bound=_Strict)


def _not_blank(text: str) -> str:
    if not shows_something(text):
        raise PydanticCustomError("blank", "blank")
    return text


_Words = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PROMPT), AfterValidator(_not_blank)]
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d")
_Id = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_T = TypeVar("_T")
_Each = Annotated[list[_T], Field(fail_fast=True)]
"""One fault is enough: half a million of them take seconds to tell, in which nothing else is done."""


_META = f"Its JSON and the snippet have up to {MAX_CONTEXT:,} characters together."


class ConversationMessage(_Strict):
    """Something that was said before. It counts as nobody's typed words."""

    role: Literal["user", "assistant"]
    text: Annotated[str, StringConstraints(max_length=MAX_PROMPT)]


class ContextItem(_Strict):
    """Something that is attached: data for the model, no instructions. A prompt with any is a request of its own: it
    answers no question, and is said to no request that works.
    """

    type: Literal["email", "calendar_event", "briefing"]
    id: _Id
    title: Annotated[str, StringConstraints(max_length=1_000)] | None = None
    snippet: Annotated[str, StringConstraints(max_length=MAX_CONTEXT)] | None = None
    meta: Annotated[dict[str, Any] | None, Field(description=_META)] = None

    def length(self) -> int:
        """Characters of what has no limit of its own, or only that of both together."""
        meta = "" if self.meta is None else to_json(self.meta).decode()
        return len(self.snippet or "") + len(meta)

    def attached(self) -> AttachedContext:
        """As a run begins with it."""
        return AttachedContext(
            type=self.type, id=self.id, title=self.title or "", snippet=self.snippet or "", meta=self.meta or {}
        )


def _first_contexts(value: object) -> object:
    """What does not count is not judged either."""
    return cast("list[object]", value)[:MAX_ATTACHED] if isinstance(value, list) else value


def _newest_messages(value: object) -> object:
    """The same of a conversation: a body has room for tens of thousands, which take a tenth of a second to judge."""
    return cast("list[object]", value)[-MAX_CONVERSATION:] if isinstance(value, list) else value


class RunRequest(_Strict):
    """A prompt. Of a conversation the newest 40 messages count, of attached contexts the first 12; the conversation is
    the past of a new thread, and a thread that is named has its own.
    """

    prompt: _Words
    thread_id: _Id | None = None
    conversation: Annotated[_Each[ConversationMessage], BeforeValidator(_newest_messages)] | None = None
    attached_context: Annotated[_Each[ContextItem], BeforeValidator(_first_contexts)] | None = None

    def said(self) -> Sequence[PastMessage]:
        """The part of the conversation that counts."""
        speakers = {"user": Speaker.PERSON, "assistant": Speaker.AGENT}
        return [
            PastMessage(speaker=speakers[one.role], text=one.text)
            for one in self.conversation or []
            if one.text.strip()
        ]

    def attached(self) -> Sequence[AttachedContext]:
        """The contexts that count. Raises `HttpRefusal` for one that is too long."""
        kept = self.attached_context or []
        for place, item in enumerate(kept):
            if item.length() > MAX_CONTEXT:
                words = f"it is too long: {MAX_CONTEXT:,} characters are taken of its snippet and the JSON of its meta"
                raise unfit(f"attachedContext.{place}", words)
        return [item.attached() for item in kept]


def _written(value: object) -> object:
    """A number would be seconds for one program and milliseconds for another."""
    if isinstance(value, str) and _RFC3339.match(value):
        return value
    raise PydanticCustomError("time", "no time")


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment
    except OverflowError:
        raise PydanticCustomError("datetime_object_invalid", "no such time") from None


class ContinueRequest(_Strict):
    """How a paused request goes on: with a new deadline, in RFC 3339, where its own is over, and only then."""

    deadline: Annotated[datetime, Field(strict=False), BeforeValidator(_written), AfterValidator(_in_utc)] | None = None


class RetryRequest(_Strict):
    """How a failed request is tried again: as it was, so that there is nothing to say."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class Approval(_Answer):
    """Something that its owner may approve in Slack."""

    id: str
    tool: str
    reason: str
    preview: str
    expires_at: datetime
    link: str | None = Field(None, description="The address of its card in Slack.")
    still_to_agree: list[str] | None = Field(
        None, description="By their ids in Slack: who else may still be asked to agree. It may take fewer."
    )


class OpenQuestion(_Answer):
    """Something else that its owner is asked: in words, or in Slack."""

    id: str
    kind: QuestionKind = Field(description="“answer”: the next prompt without contexts answers it. Others: in Slack.")
    text: str
    expires_at: datetime
    link: str | None = Field(None, description="The address of its card in Slack.")


class Output(_Answer):
    """What came of it in detail."""

    text: str
    run_status: str = Field(description="The state of the run, which tells more than `status`.")
    result: Any | None = Field(None, description="What an agent handed over.")
    approvals: list[Approval] | None = None
    questions: list[OpenQuestion] | None = None
    stop_reason: str | None = Field(
        None, description="The limit at which it paused, “silence”, “deadline”, “cancelled”."
    )
    next: Literal["continue", "retry"] | None = Field(None, description="The route that takes it further.")


class FirstApproval(_Answer):
    """The first approval that waits, in the order of the calls."""

    id: str
    tool: str
    reason: str
    preview: str


class RunAnswer(_Answer):
    """A request as it stands. While it works there is no `status` yet; only looking tells of that, with a 202."""

    ok: bool
    run_id: str
    action_id: str
    thread_id: str
    status: Literal["completed", "awaiting_confirmation", "failed"] | None = None
    summary: str
    mode: Literal["assistant_text", "tool_executed", "requires_approval"]
    model: str
    tool: str | None = None
    tool_args: dict[str, Any] | None = None
    approval: FirstApproval | None = None
    output: Output


ErrorCode = Literal[
    "agent_unavailable", "bad_inputs", "bad_json", "bad_request", "behind", "idempotency_key_used", "internal",
    "leaving", "not_allowed", "not_found", "not_json", "not_now", "not_signed_in", "nothing_to_stop",
    "still_working", "too_fast", "too_long", "too_many_open", "unavailable", "unsure", "wrong_host", "wrong_method",
    "wrong_origin",
]  # fmt: skip


class ErrorBody(_Answer):
    """Why a request was not done."""

    code: ErrorCode
    message: str
    field: str | None = None
    run_id: str | None = Field(
        None,
        description="The run that goes on, although this answer does not wait for it; with the code unsure, it may.",
    )


class ErrorAnswer(_Answer):
    """Every refusal."""

    ok: Literal[False] = False
    error: ErrorBody


def read_as(model: type[_S], value: Mapping[str, object]) -> _S:
    """What was sent, as this model has it. Raises `HttpRefusal` with the field at fault."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise unfit(".".join(map(str, _place(first["loc"], value))), _in_words(first)) from None


def _place(found: Sequence[str | int], value: Mapping[str, object]) -> Sequence[str | int]:
    """Where it stands in what was sent: of a conversation the newest messages alone were judged."""
    match found:
        case ["conversation", int(place), *rest]:
            before = len(cast("list[object]", value["conversation"])) - MAX_CONVERSATION
            return ["conversation", place + max(0, before), *rest]
        case _:
            return found


_FAULTS: Mapping[str, str] = {
    "missing": "it is missing",
    "extra_forbidden": "nothing has this name here",
    "string_type": "it must be a text",
    "list_type": "it must be a list",
    "dict_type": "it must be an object",
    "model_type": "it must be an object",
    "string_too_short": "it must not be empty",
    "string_too_long": "it is too long: {max_length:,} characters are taken",
    "literal_error": "it must be {expected}",
    "blank": "it must say something",
    "time": "it must be a time, as in 2026-01-31T09:00:00Z",
    "datetime_parsing": "there is no such time",
    "datetime_from_date_parsing": "there is no such time",
    "datetime_object_invalid": "there is no such time",
}
"""What is wrong with a value, by pydantic's kind of error, whose own words are for programmers of Python
(docs.pydantic.dev, "Validation Errors").
"""


def _in_words(error: ErrorDetails) -> str:
    return _FAULTS.get(error["type"], "it cannot be taken as it is").format(**error.get("ctx", {}))


def unfit(field: str, words: str) -> HttpRefusal:
    """A field of the body is not as it must be."""
    shown = field if len(field) <= 200 else f"{field[:199]}…"
    return HttpRefusal(HTTPStatus.BAD_REQUEST, "bad_request", f"{shown or 'The body'}: {words}.", field=shown)


_NEXT: Mapping[FollowUp, Literal["continue", "retry"]] = {FollowUp.CONTINUE: "continue", FollowUp.TRY_AGAIN: "retry"}


def answer_of(outcome: Outcome, links: Mapping[str, str]) -> dict[str, Any]:
    """An outcome as it is answered; `links` are the addresses of cards, by question."""
    approvals = [one for one in outcome.waiting if one.is_approval]
    asked = [one for one in outcome.waiting if not one.is_approval]
    tool, arguments = outcome.call or (None, None)
    first = approvals[0] if approvals else None
    answer = RunAnswer(
        ok=outcome.status is None or outcome.status.value != "failed",
        run_id=outcome.run_id,
        action_id=outcome.step,
        thread_id=outcome.thread_id,
        status=outcome.status.value if outcome.status else None,
        summary=outcome.text,
        mode=outcome.mode.value,
        model=outcome.model,
        tool=tool,
        tool_args=dict(arguments) if arguments is not None else None,
        approval=FirstApproval(id=first.id, tool=first.tool, reason=first.reason, preview=first.preview)
        if first
        else None,
        output=Output(
            text=outcome.text,
            run_status=outcome.state.value,
            result=outcome.result,
            approvals=[_approval(one, links) for one in approvals] or None,
            questions=[_question(one, links) for one in asked] or None,
            stop_reason=outcome.stop_reason or None,
            next=_NEXT.get(outcome.offered) if outcome.offered else None,
        ),
    )
    return answer.model_dump(mode="json", exclude_none=True)


def _approval(one: WaitingQuestion, links: Mapping[str, str]) -> Approval:
    return Approval(
        id=one.id,
        tool=one.tool,
        reason=one.reason,
        preview=one.preview,
        expires_at=one.expires_at,
        link=links.get(one.id) or None,
        still_to_agree=list(one.still_to_agree) or None,
    )


def _question(one: WaitingQuestion, links: Mapping[str, str]) -> OpenQuestion:
    return OpenQuestion(
        id=one.id, kind=one.kind, text=one.preview, expires_at=one.expires_at, link=links.get(one.id) or None
    )


class TriggerAnswer(BaseModel):
    """The record of an agent's run."""  # agent-execution, "Agent Run Lifecycle Tracking"

    model_config = ConfigDict(frozen=True)

    id: str
    agent: str
    definition: str
    status: Literal["running", "awaiting_confirmation", "completed", "failed", "cancelled", "paused"]
    input: dict[str, Any]
    output: Any
    summary: str
    error_message: str
    model: str
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    duration: float | None = Field(description="Seconds of the wall clock.")
    stop_reason: str
    parent: str | None
    root: str | None
