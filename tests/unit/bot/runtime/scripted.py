"""Tools and a model that do what a test prepared."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from bot.llm.model import FinishKind, ModelCall, ModelEvent, ModelRequest, TextDelta, Turn, TurnUsage
from integrations.base import (
    Call,
    Content,
    Field,
    ObjectRef,
    Option,
    Preview,
    Reconciled,
    Requester,
    Result,
    Tool,
    ToolArgs,
    ToolContext,
    ToolQuestion,
    Unknown,
)
from integrations.errors import ToolError
from integrations.ports import FileTooLarge, SlackFile
from policies.provenance import Impact
from policies.types import Addressing, EffectClass, Label
from tests.builders import HandClock

FOUND = Result(data={"found": 1}, summary="Did it", label=Label.EXTERNAL)
MODEL = "scripted"
"""The id of the model below."""

Thing = TypeVar("Thing")
Said = str | Sequence[tuple[str, Mapping[str, object]]] | Exception


class TextArgs(ToolArgs):
    """One text."""

    text: Content


@dataclass(frozen=True, slots=True)
class Gate:
    """Where a preview waits: `looked` says that it is there, `opened` lets it go on."""

    looked: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Files:
    """What people shared in Slack: the bytes by the file's id, or what its fetching raises; `fetched` in order."""

    shared: dict[str, bytes | ToolError] = field(default_factory=dict[str, "bytes | ToolError"])
    fetched: list[str] = field(default_factory=list[str])

    async def file(self, requester: Requester, file_id: str) -> SlackFile:
        content = await self.content(requester, file_id, limit=1_000_000)
        return SlackFile(id=file_id, name=file_id, mime_type="text/plain", size=len(content))

    async def content(self, requester: Requester, file_id: str, *, limit: int) -> bytes:
        self.fetched.append(file_id)
        match self.shared[file_id]:
            case ToolError() as error:
                raise error
            case content if len(content) > limit:
                raise FileTooLarge(file_id, limit)
            case content:
                return content


class Scripted(Tool[ToolArgs]):
    """Does at each call what comes next: an error is raised, a result returned; in the end it simply works."""

    description = "Does as it is told."
    timeout_seconds = 5.0
    args = TextArgs

    def __init__(self) -> None:
        self.previews: list[Exception | Preview] = []
        self.impacts: list[Exception | Impact] = []
        self.judged = 0
        self.outcomes: list[Exception | Result] = []
        self.settled: list[Exception | Reconciled] = []
        self.moment: datetime | ToolError | None = None
        self.calls: list[Call] = []
        self.gate: Gate | None = None
        self.busy: asyncio.Event | None = None

    def caption(self, args: ToolArgs) -> str:
        return f"Do {args.model_dump()['text']}"

    async def preview(self, args: ToolArgs, ctx: ToolContext) -> Preview:
        if self.gate:
            self.gate.looked.set()
            await self.gate.opened.wait()
        fields = [Field(label="What", value="it")]
        return _next(
            self.previews,
            Preview(
                title="Do it?",
                fields=fields,
                account="a1",
                recipients=("helen@x.example",),
                impact=Impact(is_alone=True),
            ),
        )

    async def with_rivals(self, args: ToolArgs, ctx: ToolContext, preview: Preview) -> Preview:
        self.judged += 1
        return replace(preview, impact=_next(self.impacts, Impact(is_alone=True))) if self.impacts else preview

    def not_before(self, args: ToolArgs, ctx: ToolContext) -> datetime | None:
        if isinstance(self.moment, ToolError):
            raise self.moment
        return self.moment

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        self.calls.append(call)
        if self.busy:
            await self.busy.wait()
        return _next(self.outcomes, FOUND)

    async def reconcile(self, args: ToolArgs, call: Call) -> Reconciled:
        return _next(self.settled, Unknown(where="the sky"))


def _next(prepared: list[Exception | Thing], otherwise: Thing) -> Thing:
    thing = prepared.pop(0) if prepared else otherwise
    if isinstance(thing, Exception):
        raise thing
    return thing


class Read(Scripted):
    """Looks something up."""

    name = "gmail_search"
    effect = EffectClass.READ


class Asking(Scripted):
    """Looks something up that sometimes only its owner can tell apart: asks what is prepared, then knows."""

    name = "calendar_search"
    effect = EffectClass.READ
    asks = True

    def __init__(self) -> None:
        super().__init__()
        self.inquiries: list[Exception | ToolQuestion | None] = []
        self.looks = 0

    async def inquire(self, args: ToolArgs, ctx: ToolContext) -> ToolQuestion | None:
        self.looks += 1
        return _next(self.inquiries, None)

    def answered(self, args: ToolArgs, option: Option) -> Result:
        shown = [ObjectRef(kind="person", id=option.value, title=option.label)]
        return Result(
            data={"address": option.value}, summary=f"It is {option.label}.", label=Label.OWNER, objects=shown
        )


class Effect(Scripted):
    """Changes something outside; the provider can be asked what became of it."""

    name = "gmail_send"
    effect = EffectClass.EXTERNAL
    addressing = Addressing.LOOKED_UP
    can_reconcile = True


class Blind(Scripted):
    """Changes something outside, and nobody can be asked."""

    name = "calendar_event_create"
    effect = EffectClass.EXTERNAL


class Model:
    """Says at each step what comes next, which takes a second; in the end that it is done."""

    transport = "developer"

    def __init__(self, clock: HandClock) -> None:
        self._clock = clock
        self.says: list[Said] = []
        self.before: list[ModelEvent] = []
        self.silent = False
        self.usage = TurnUsage()
        self.requests: list[ModelRequest] = []
        self.hold: asyncio.Event | None = None
        self.hold_after: asyncio.Event | None = None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        self.requests.append(request)
        self._clock.advance(1)
        if self.hold:
            await self.hold.wait()
        for event in self.before:
            yield event
        if self.hold_after:
            await self.hold_after.wait()
        if self.silent:
            return
        said = self.says.pop(0) if self.says else "Done."
        if isinstance(said, Exception):
            raise said
        if said == "":
            yield replace(_turn(usage=self.usage), finish=FinishKind.EMPTY)
            return
        if isinstance(said, str):
            yield TextDelta(said)
            yield _turn(text=said, usage=self.usage)
            return
        calls = [_call(n, name, args) for n, (name, args) in enumerate(said)]
        yield _turn(calls=tuple(calls), usage=self.usage)


def _call(n: int, name: str, args: Mapping[str, object]) -> ModelCall:
    return ModelCall(id=f"call-{n}", name=name, args=args, raw=json.dumps(args))


def _turn(*, usage: TurnUsage, text: str = "", calls: tuple[ModelCall, ...] = ()) -> Turn:
    finish = FinishKind.CALLS if calls else FinishKind.STOP
    return Turn(content=None, text=text, calls=calls, finish=finish, finish_detail="STOP", usage=usage, model="m")
