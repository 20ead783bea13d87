"""What is outside of the real runtime: providers and a model, whose every call waits until the test says how it ends.

What providers really did is kept here by the effect's key, and nobody in the runtime can see it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from bot.llm.model import (
    CallingMode,
    FinishKind,
    ModelCall,
    ModelEvent,
    ModelRequest,
    ModelUnavailable,
    TextDelta,
    Turn,
    TurnUsage,
)
from integrations.base import (
    Call,
    Content,
    Done,
    Field,
    NotDone,
    Option,
    Preview,
    Reconciled,
    Result,
    Tool,
    ToolArgs,
    ToolContext,
    ToolQuestion,
    Unknown,
    Variant,
)
from integrations.errors import Ambiguous, BasisChanged, ToolFailed
from integrations.ports import Clock
from policies.provenance import Impact
from policies.types import Addressing, EffectClass, Label
from tests.verification.explorer.values import Kind

FOUND = Result(data={"found": 1}, summary="Found.", label=Label.EXTERNAL)
OTHERWISE = (LATER := "later", "otherwise")
"""What cards offer besides."""
DEADLINE_SECONDS = 50.0  # of one attempt; less than what the log may lag


class How(Enum):
    """How a call ends."""

    WELL = "well"
    UNHEARD = "done, and the answer lost"
    SILENT = "not done, and no answer"
    REFUSED = "refused"
    CHANGED = "the world changed"
    BROKEN = "a defect of the tool"
    BROKEN_AFTER = "a defect of the tool, after it was done"
    SO_FAR = "not done so far"
    UNSURE = "it cannot tell"
    ONE = "calls one"
    TWO = "calls two"
    EMPTY = "says nothing"
    NOTHING = "has nothing to ask"


class Place(Enum):
    """What waits, with the ways in which it can end; the first is that of a good day."""

    PREVIEW = (How.WELL, How.REFUSED, How.SILENT, How.BROKEN)
    INQUIRE = (How.WELL, How.NOTHING, How.REFUSED, How.SILENT, How.BROKEN)
    EXECUTE = (How.WELL, How.UNHEARD, How.SILENT, How.REFUSED, How.CHANGED, How.BROKEN, How.BROKEN_AFTER)
    RECONCILE = (How.WELL, How.SO_FAR, How.UNSURE, How.SILENT, How.BROKEN)
    MODEL = (How.WELL, How.TWO, How.ONE, How.TWO, How.SILENT, How.EMPTY)
    PAUSE = (How.WELL,)


@dataclass(slots=True)
class Waiting:
    """A call of a worker that is under way. `act` does what it would do outside."""

    place: Place
    worker: str
    about: str
    answer: asyncio.Future[How]
    act: Callable[[], object] | None = None

    def ends(self, how: How) -> None:
        """Let it go on."""
        if not self.answer.done():
            self.answer.set_result(how)


class Unapproved(AssertionError):
    """An effect began that nobody allowed."""


Guard = Callable[[str, Call, str], Awaitable[None]]


@dataclass(slots=True, kw_only=True)
class Outside:
    """The world. `guard` is asked whenever a tool is called: action id, attempt and arguments as they arrive.

    `moment` is what calls name that are for later.
    """

    clock: Clock
    moment: datetime
    waiting: list[Waiting] = field(default_factory=list[Waiting])
    did: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))
    version: defaultdict[str, int] = field(default_factory=lambda: defaultdict[str, int](int))
    guard: Guard | None = None
    asked: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    async def wait(self, place: Place, worker: str, about: str, act: Callable[[], object] | None = None) -> How:
        """Until the test lets it go on."""
        waiting = Waiting(place, worker, about, asyncio.get_running_loop().create_future(), act)
        self.waiting.append(waiting)
        try:
            return await waiting.answer
        finally:
            self.waiting.remove(waiting)

    def do(self, kind: Kind, key: str, args: str) -> None:
        """It happens. What the provider knows by its key happens once with the same arguments."""
        if kind.effect is EffectClass.READ or (kind is not Kind.BARE and args in self.did[key]):
            return
        self.did[key].append(args)


class TextArgs(ToolArgs):
    """One text."""

    text: Content


class Outer(Tool[ToolArgs]):
    """A tool whose every call waits."""

    description = "Does as it is told."
    timeout_seconds = DEADLINE_SECONDS
    args = TextArgs
    kind = Kind.READ

    def __init__(self, outside: Outside, worker: str) -> None:
        self.outside = outside
        self.worker = worker

    def caption(self, args: ToolArgs) -> str:
        return f"Do {args.model_dump()['text']}"

    async def preview(self, args: ToolArgs, ctx: ToolContext) -> Preview:
        text = str(args.model_dump()["text"])
        _look_fails(await self.outside.wait(Place.PREVIEW, self.worker, text))
        about = self._object(text)
        return Preview(
            title="Do it?",
            fields=[Field(label="What", value=text)],
            account="first",
            recipients=("helen@x.example",),
            impact=Impact(is_alone=True),
            basis={"version": self.outside.version[about]},
            variants=[Variant(label=f"Do it {how}", args={"text": f"{about} {how}"}) for how in OTHERWISE],
        )

    def _object(self, text: str) -> str:
        """What the text is about: an edit of it is about the same."""
        return text.partition(" ")[0]

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        text = str(args.model_dump()["text"])
        if self.outside.guard is not None:
            await self.outside.guard(self.name, call, text)

        def act() -> None:
            if self.outside.clock.now() >= call.deadline:
                raise Ambiguous("what was not sent in time")
            self.outside.do(self.kind, call.key, text)

        how = await self.outside.wait(Place.EXECUTE, self.worker, call.key, act)
        return self._ended(how, act, call, text)

    def _ended(self, how: How, act: Callable[[], None], call: Call, text: str) -> Result:
        if how in {How.WELL, How.UNHEARD, How.BROKEN_AFTER}:
            act()
        match how:
            case How.REFUSED:
                raise ToolFailed("refused", "It does not want to.")
            case How.CHANGED if self.kind is Kind.KEYED:
                self._changes(call, text)
                return FOUND
            case How.UNHEARD | How.SILENT:
                raise Ambiguous("it")
            case How.BROKEN | How.BROKEN_AFTER:
                raise RuntimeError("a defect")
            case _:
                if how is How.CHANGED:
                    act()
                return FOUND

    def _changes(self, call: Call, text: str) -> None:
        """A 412, once for each thing; a key that was used already is answered like the first time."""
        key = self._object(text)
        if self.outside.version[key] or call.key in self.outside.did:
            self.outside.do(self.kind, call.key, text)
            return
        self.outside.version[key] += 1
        raise BasisChanged(what="it")

    async def reconcile(self, args: ToolArgs, call: Call) -> Reconciled:
        how = await self.outside.wait(Place.RECONCILE, self.worker, call.key)
        _look_fails(how)
        if how is How.UNSURE:
            return Unknown(where="the sky")
        return Done(FOUND) if self.outside.did[call.key] else NotDone(final=how is not How.SO_FAR)


def _look_fails(how: How) -> None:
    """A look at the outside that ends like this raises, unless it finds something."""
    match how:
        case How.REFUSED:
            raise ToolFailed("not_possible", "It would fail.")
        case How.SILENT:
            raise Ambiguous("the look")
        case How.BROKEN:
            raise RuntimeError("a defect")
        case _:
            return


class Read(Outer):
    """Looks something up."""

    name = "gmail_search"
    effect = EffectClass.READ


class Asks(Outer):
    """Looks something up that only its owner can tell apart."""

    name = "calendar_search"
    effect = EffectClass.READ
    kind = Kind.ANSWER
    asks = True

    async def inquire(self, args: ToolArgs, ctx: ToolContext) -> ToolQuestion | None:
        how = await self.outside.wait(Place.INQUIRE, self.worker, str(args.model_dump()["text"]))
        _look_fails(how)
        if how is How.NOTHING:
            return None
        return ToolQuestion(text="Which one?", options=[Option(value="a", label="A"), Option(value="b", label="B")])


class Own(Outer):
    """Writes to our own store, under a key."""

    name = "save_memory"
    effect = EffectClass.OWN
    kind = Kind.OWN


class Keyed(Outer):
    """Changes something outside; the provider can be asked what became of it."""

    name = "gmail_send"
    effect = EffectClass.EXTERNAL
    addressing = Addressing.LOOKED_UP
    can_reconcile = True
    kind = Kind.KEYED


class Bare(Outer):
    """Changes something outside, and nobody can be asked."""

    name = "calendar_event_create"
    effect = EffectClass.EXTERNAL
    kind = Kind.BARE


class Later(Keyed):
    """The same, held back for a while where nobody approved it; every second call names a moment days away, and so does
    one that is approved for later.
    """

    name = "gmail_reply"
    hold = timedelta(seconds=40)

    def not_before(self, args: ToolArgs, ctx: ToolContext) -> datetime | None:
        text = str(args.model_dump()["text"])
        if ".1" not in text and LATER not in text:
            return None
        if self.outside.clock.now() >= self.outside.moment:
            raise ToolFailed("over", "That time is over.")
        return self.outside.moment


TOOLS = (Read, Own, Keyed, Bare, Asks, Later)
KINDS = {tool.name: tool.kind for tool in TOOLS}
_ORDER = (2, 5, 3, 4, 0, 1)
_PAIRS = [(one, two) for one in _ORDER for two in _ORDER]


class Model:
    """A model that waits, too. What it calls goes through all pairs of tools."""

    transport = "developer"

    def __init__(self, outside: Outside, worker: str) -> None:
        self._outside = outside
        self._worker = worker

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """One step."""
        tools = "off" if request.calling_mode is CallingMode.NONE else "on"
        how = await self._outside.wait(Place.MODEL, self._worker, tools)
        match how:
            case How.SILENT:
                raise ModelUnavailable("network")
            case How.EMPTY:
                yield _turn("", ())
            case How.ONE | How.TWO:
                n = next(self._outside.numbers)
                called = _PAIRS[n * 7 % len(_PAIRS)][: 1 if how is How.ONE else 2]
                yield _turn("", tuple(_call(n, seq, TOOLS[tool].name) for seq, tool in enumerate(called)))
            case _:
                yield TextDelta("Done.")
                yield _turn("Done.", ())


def _call(n: int, seq: int, tool: str) -> ModelCall:
    args = {"text": f"{n}.{seq}"}
    return ModelCall(id=f"call-{n}-{seq}", name=tool, args=args, raw=json.dumps(args))


def _turn(text: str, calls: tuple[ModelCall, ...]) -> Turn:
    finish = FinishKind.CALLS if calls else FinishKind.STOP
    return Turn(content=None, text=text, calls=calls, finish=finish, finish_detail="STOP", usage=TurnUsage(), model="m")
