"""What every tool is made of.

A tool says what it would do (`caption`, `preview`), does it (`execute`) and says afterwards whether a doubtful attempt
happened (`reconcile`). It never decides whether it may: policy does, from the roles that its parameters declare.
What a tool needs of the world (a Google session, Slack's channels, memories, the time) is a Protocol in
`integrations.ports`; `bot.wiring.app` hands the implementation to the toolset's constructor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator

from integrations.text import check_fit
from policies.provenance import Impact
from policies.types import Addressing, EffectClass, Label, Role

Json = object

Args = TypeVar("Args", bound="ToolArgs")
Value = TypeVar("Value")


MAX_TEXT = 200_000
"""Characters of one text in arguments."""


class ToolArgs(BaseModel):
    """Base of every tool's argument model: unknown arguments are refused, and so are control characters and fences.

    Every field carries its role: `to: Annotated[list[str], Role.DESTINATION]`; a tool with one that says none, not even
    `Role.NONE`, is refused at the start. Arguments are people's mails: an error about them holds none of them, for
    errors reach the log.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=MAX_TEXT, hide_input_in_errors=True)

    @field_validator("*")
    @classmethod
    def _fit(cls, value: Value) -> Value:
        check_fit(value)
        return value


class Shape(StrEnum):
    """How a text looks to a person who edits it, where its type does not say; stands in the field's annotation."""

    LOCAL_TIME = "local time"  # 2026-11-23T14:00 or 2026-11-23, in the zone that counts for the call
    LONG_TEXT = "long text"  # of several lines
    ZONE = "zone"  # that of the call's local times
    RECURRENCE = "recurrence"  # an RRULE; `Wording.choices[""]` says what none means
    ENTRIES = "entries"  # a list of objects, each edited as a text of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How an argument speaks to a person who edits it; stands in the field's annotation, and no model sees it.

    `hint` says what an empty field means, or how one is filled in; `choices` what each choice is called; `yes` what a
    flag says.
    """

    label: str = ""
    hint: str = ""
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    yes: str = "Yes"


# Short forms for the fields of argument models.
ObjectId = Annotated[str, Role.OBJECT]
Content = Annotated[str, Role.CONTENT]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requester:
    """The person a run belongs to. Everything personal is keyed by (team, user). `zone` is an IANA name."""

    team: str
    user: str
    name: str = ""
    email: str | None = None
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """Where a call comes from: who asks, and the Slack conversation the run lives in (None outside Slack).

    `label` is the worst label that the run has read so far; what is made from now on deserves no better one. `due` says
    that its moment (`Tool.not_before`) has come, or that its owner wants it now: what the arguments say of it is over.
    """

    requester: Requester
    run_id: str
    channel: str | None = None
    is_dm: bool = True
    label: Label = Label.EXTERNAL
    due: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(ToolContext):
    """One attempt to execute an action.

    `key` is derived from the action's id and is the same in every attempt; `attempt` counts from 1; `basis` is what the
    preview was made from; `account` is the provider's account id it was approved for; `noted` is what an earlier
    attempt noted; `note(value)` is committed before it returns; `until` is the moment after which nothing is sent. It
    is `deadline`, or later while the attempt's process lives and moves it on, so a slow call needs no far one.
    `doubt` says that nobody knows what became of an earlier attempt, and that its owner said to try again. `forgotten`
    says that attempts may have been made, and noted, after the copy of the database that this one is. `ahead` is what
    `Tool.look_ahead` found just before this attempt.
    """

    key: str
    attempt: int
    deadline: datetime
    basis: Mapping[str, Json] = field(default_factory=dict[str, Json])
    account: str | None = None
    noted: Mapping[str, Json] = field(default_factory=dict[str, Json])
    doubt: bool = False
    forgotten: bool = False
    note: Callable[[Mapping[str, Json]], Awaitable[None]]
    moved_on: Callable[[], datetime] | None = None
    ahead: object = None

    @property
    def until(self) -> datetime:
        """The deadline as it is now: asked for right before something is sent."""
        return self.moved_on() if self.moved_on else self.deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One labelled line of a preview. `before` is given where a value changes. `long` text is folded on cards.

    What is `aside` stands in small print there, unless it changes: it is good to know, and seldom what is decided on.
    A `destination` says who it reaches, one line for each: no card folds it, whatever else there is no room for.
    """

    label: str
    value: str
    before: str | None = None
    long: bool = False
    aside: bool = False
    destination: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Another way to say yes to a call: with these arguments in the place of its own.

    `asks` names an argument that its owner is asked for first.
    """

    label: str
    args: Mapping[str, Json] = field(default_factory=dict[str, Json])
    asks: str = ""


DESTINATIONS_LIMIT = 10_000
"""Characters of all destinations that one card shows; what has more cannot be approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What will happen, made by trusted code from the exact arguments and from what the provider says now.

    `title` is a question without a trailing mark of the model ("Send this mail?"); `warnings` are what a careful
    colleague would say; `unchecked` is what could not be looked at; `basis` (etag, draft version) is hashed with the
    arguments; `recipients` are the addresses it would reach, beside those of its impact; `private` says whether it
    shows things that only the owner may see; `variants` are what can be approved instead. `about` names the one thing
    that it is about, in a line. `impact` is what it would do outside, which policy judges; a call without one is asked
    about. For editing the arguments, `present` is what counts now for those that are left out, and `pointless` names
    those that make no difference here. `places` are the ids and names of what somebody else may see it in, such as a
    shared calendar: rules hear of these.
    """

    title: str
    fields: Sequence[Field]
    warnings: Sequence[str] = ()
    unchecked: Sequence[str] = ()
    basis: Mapping[str, Json] = field(default_factory=dict[str, Json])
    account: str | None = None
    recipients: Sequence[str] | None = None
    private: bool = True
    approve_label: str = "Approve"
    variants: Sequence[Variant] = ()
    about: str = ""
    impact: Impact | None = None
    present: Mapping[str, str] = field(default_factory=dict[str, str])
    pointless: Sequence[str] = ()
    places: Sequence[str] = ()

    @property
    def reached(self) -> Sequence[str] | None:
        """Those that it would reach, as limits count them, the log keeps them, and rules hear of them where the
        arguments do not name them; None where that was not looked up.
        """
        destinations = self.impact.destinations if self.impact else ()
        if self.recipients is None and not destinations:
            return None
        return list(dict.fromkeys([*(self.recipients or ()), *destinations]))

    def shows_destinations(self) -> bool:
        """Whether a card has room for everybody it reaches: only then it can be approved."""
        shown = "".join(field.value for field in self.fields if field.destination).replace("\n", " ")
        return len(shown) + sum(_MARKED for each in shown if not each.isprintable()) <= DESTINATIONS_LIMIT


_MARKED = 9
"""How much longer an invisible character is where a card names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRef:
    """Something a result showed: `kind` is mail_thread, mail, event, channel, memory or draft. `is_own` says that it is
    its owner's, so that they chose the `people` in it.
    """

    kind: str
    id: str
    title: str
    people: Sequence[str] = ()
    is_own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool returns: `data` (compact JSON or text) for the model, `summary` for people, and what it showed.

    The summary of a change outside says all of it (“Sent “Hello” to Dana”); that of what is kept here stands behind the
    caption (“Reminder “Call”: set for Monday”). `label` is the trust that the text deserves; `private` says that only
    the owner may see it. `link` opens what was made or found. `undo` names what an Undo button would take back, as
    `<kind>:<id>` ("memory:mem_1"), where there is something. `ids` are what others call by what left, as its
    Message-ID: the audit log keeps them for the owner.
    """

    data: Json
    summary: str
    label: Label
    private: bool = True
    objects: Sequence[ObjectRef] = ()
    link: str | None = None
    undo: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Done:
    """Reconciled: it happened, with this result."""

    result: Result


@dataclass(frozen=True, slots=True)
class Unknown:
    """It cannot be told. `where` tells the owner where to look, `link` opens it."""

    where: str = ""
    link: str | None = None


@dataclass(frozen=True, slots=True)
class NotDone:
    """Reconciled: it did not happen so far. `left` says what it may have left behind, in words for people.

    `final` says that nothing of an attempt was sent, so that nothing can arrive late. Without it the provider may still
    act on what was sent: another attempt does no harm, but nobody may be told that it was not done.
    """

    left: str = ""
    final: bool = False


Reconciled = Done | NotDone | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One possible answer: `value` is what the tool gets back, `label` and `detail` are what people read."""

    value: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolQuestion:
    """What only the owner can say: a question with the answers to choose from, as buttons.

    `private` says whether the question or an option shows what only the owner may see.
    """

    text: str
    options: Sequence[Option]
    private: bool = True


class Tool(ABC, Generic[Args]):
    """One tool. Class attributes are its contract; instances hold what the toolset gave them."""

    name: str
    effect: ClassVar[EffectClass]
    description: str
    provider: ClassVar[str | None] = None
    scopes: ClassVar[frozenset[str]] = frozenset()
    timeout_seconds: ClassVar[float] = 30.0
    can_reconcile: ClassVar[bool] = False
    question_life: ClassVar[timedelta | None] = None
    """How long a question whether this may be done stays open; None as long as any other."""
    looks_ahead: ClassVar[bool] = False
    """Whether `look_ahead` finds something."""
    asks: ClassVar[bool] = False
    """Whether `inquire` may have a question; only a tool of class `read` has one."""
    hold: ClassVar[timedelta | None] = None
    """How long a call that policy allowed without a card is held back, so that its owner can undo it."""
    thing: ClassVar[str] = ""
    """What its card shows, in a word: “mail”."""
    verbs: ClassVar[Sequence[str]] = ()
    """The verbs with which people ask for what it does, as `policies.guards.verbs` writes them. What destroys something
    has some, or is always asked about; where another tool has none, any verb will do that does not destroy.
    """
    makes: ClassVar[str] = ""
    """The kind of thing that a call makes anew, if it does; its result names it as “<kind>_id”. A change makes none."""
    addressing: ClassVar[Addressing] = Addressing.NONE
    """How it is known to whom it writes mail, if it does."""
    args: type[Args]

    @abstractmethod
    def caption(self, args: Args) -> str:
        """One line for people: "Search mail for “invoice”". Never asks anybody; never fails."""

    def contradictions(self, args: Args) -> Mapping[str, str]:
        """What these arguments cannot mean together, by the one to mend; new ones with any are refused."""
        return {}

    async def preview(self, args: Args, ctx: ToolContext) -> Preview:
        """What a card shows. Raises `ModelRetry` or `ToolFailed` when the call is certain to fail."""
        raise NotImplementedError(self.name)

    async def with_rivals(self, args: Args, ctx: ToolContext, preview: Preview) -> Preview:
        """The preview with what the owner has besides that may be called as this is, in its impact. It is looked up
        only where nobody is asked in any case. Raises `ToolError` where that cannot be told.
        """
        return preview

    async def inquire(self, args: Args, ctx: ToolContext) -> ToolQuestion | None:
        """What must be asked before this can be done; None when nothing must. Only where `asks`."""
        return None

    def answered(self, args: Args, option: Option) -> Result:
        """The result once the owner chose. Only where `asks`."""
        return Result(data={"answer": option.value}, summary=option.label, label=Label.OWNER)

    def words_of_people(self, data: Json) -> Sequence[str]:
        """Of what it returned, the texts that people wrote themselves: links in those of full members count as named.

        Nothing that the model wrote may be among them, so nothing that goes back to an argument, be it of this call or
        of one that saved something.
        """
        return ()

    def not_before(self, args: Args, ctx: ToolContext) -> datetime | None:
        """The moment that the arguments name for it ("send it on Monday at 8"), aware; None for at once.

        Raises `ModelRetry` for a moment that is over or cannot be read.
        """
        return None

    async def look_ahead(self, args: Args, ctx: ToolContext, access: object) -> object:
        """What `execute` is to find out before it changes anything, for its `Call.ahead`: it is asked for while the
        attempt is claimed, so it only reads. `access` is to the account that was approved, as its provider's grants
        gave it. Raises as `execute`.
        """
        return None

    @abstractmethod
    async def execute(self, args: Args, call: Call) -> Result:
        """Do it. Raises `ModelRetry` or `ToolFailed` (nothing was done), or `Ambiguous` (it may have been)."""

    async def reconcile(self, args: Args, call: Call) -> Reconciled:
        """Ask the provider whether an earlier attempt happened. Only where `can_reconcile`."""
        return self.unknown(args)

    def unknown(self, args: Args) -> Unknown:
        """Where its owner can look, when nobody can tell what became of it."""
        return Unknown()


AnyTool = Tool[ToolArgs]

Tools = Sequence[Tool[Any]]
"""The tools of one integration, ready to be called."""
