"""What every tool is made of, and what tools may ask for.

A tool says what it would do (`caption`, `preview`), does it (`execute`) and says afterwards whether a doubtful attempt
happened (`reconcile`). It never decides whether it may: policy does, from the roles that its parameters declare.
What a tool needs of the world (a Google session, Slack's channels, memories, the time) is a Protocol here; `bot.app`
hands the implementation to the toolset's constructor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator

from integrations.errors import IntegrationError
from integrations.hidden import check_no_control
from policies.types import EffectClass, Label, Role

Json = object

Args = TypeVar("Args", bound="ToolArgs")
Value = TypeVar("Value")


class ToolArgs(BaseModel):
    """Base of every tool's argument model: unknown arguments are refused, and so are control characters.

    Every field carries its role: `to: Annotated[list[str], Role.DESTINATION]`. Arguments are people's mails: an error
    about them holds none of them, for errors reach the log.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=200_000, hide_input_in_errors=True)

    @field_validator("*")
    @classmethod
    def _no_control(cls, value: Value) -> Value:
        check_no_control(value)
        return value


class Shape(StrEnum):
    """How a text looks to a person who edits it, where its type does not say; stands in the field's annotation."""

    LOCAL_TIME = "local time"  # 2026-11-23T14:00 or 2026-11-23, in the zone that counts for the call
    LONG_TEXT = "long text"  # of several lines


# Short forms for the fields of argument models.
Destination = Annotated[str, Role.DESTINATION]
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
    is `deadline`, or later while whoever makes the attempt lives and moves it on: a slow call needs no far one.
    `doubt` says that nobody knows what became of an earlier attempt, and that its owner said to try again.
    """

    key: str
    attempt: int
    deadline: datetime
    basis: Mapping[str, Json] = field(default_factory=dict[str, Json])
    account: str | None = None
    noted: Mapping[str, Json] = field(default_factory=dict[str, Json])
    doubt: bool = False
    note: Callable[[Mapping[str, Json]], Awaitable[None]]
    moved_on: Callable[[], datetime] | None = None

    @property
    def until(self) -> datetime:
        """The deadline as it is now: asked for right before something is sent."""
        return self.moved_on() if self.moved_on else self.deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One labelled line of a preview. `before` is given where a value changes. `long` text is folded on cards.

    What is `aside` stands in small print there, unless it changes: it is good to know, and seldom what is decided on.
    """

    label: str
    value: str
    before: str | None = None
    long: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Another way to say yes to a call: with these arguments in the place of its own.

    `asks` names an argument that its owner is asked for first.
    """

    label: str
    args: Mapping[str, Json] = field(default_factory=dict[str, Json])
    asks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What will happen, made by trusted code from the exact arguments and from what the provider says now.

    `title` is a question without a trailing mark of the model ("Send this email?"); `warnings` are what a careful
    colleague would say; `unchecked` is what could not be looked at; `basis` (etag, draft version) is hashed with the
    arguments; `recipients` are the addresses it would reach, where the arguments do not name them; `private` says
    whether it shows things that only the owner may see; `variants` are what can be approved instead.
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

    def as_text(self) -> str:
        """The same in plain text, for notifications and logs of the terminal."""
        lines = [
            self.title,
            *(f"{f.label}: {f.before} → {f.value}" if f.before else f"{f.label}: {f.value}" for f in self.fields),
        ]
        return "\n".join([*lines, *(f"! {w}" for w in self.warnings), *(f"? {u}" for u in self.unchecked)])


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRef:
    """Something a result showed: `kind` is mail_thread, mail, event, channel, memory or draft."""

    kind: str
    id: str
    title: str
    people: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool returns: `data` (compact JSON or text) for the model, `summary` for people, and what it showed.

    `label` is the trust that the text deserves; `private` says that only the owner may see it. `link` opens what was
    made or found. `undo` names what an Undo button would take back, as `<kind>:<id>` ("memory:mem_1"), where there
    is something.
    """

    data: Json
    summary: str
    label: Label
    private: bool = True
    objects: Sequence[ObjectRef] = ()
    link: str | None = None
    undo: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """Reconciled: it happened, with this result."""

    result: Result


@dataclass(frozen=True, slots=True)
class NotDone:
    """Reconciled: it certainly did not happen."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """It cannot be told. `where` tells the owner where to look, `link` opens it."""

    where: str = ""
    link: str | None = None


Reconciled = Done | NotDone | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One possible answer: `value` is what the tool gets back, `label` and `detail` are what people read."""

    value: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What only the owner can say: a question with the answers to choose from, as buttons.

    `private` says whether the question or an option shows what only the owner may see.
    """

    text: str
    options: Sequence[Option]
    private: bool = True


class Tool(ABC, Generic[Args]):
    """One tool. Class attributes are its contract; instances hold what the toolset gave them."""

    name: ClassVar[str]
    effect: ClassVar[EffectClass]
    description: str
    provider: ClassVar[str | None] = None
    scopes: ClassVar[frozenset[str]] = frozenset()
    timeout_seconds: ClassVar[float] = 30.0
    can_reconcile: ClassVar[bool] = False
    question_life: ClassVar[timedelta | None] = None
    """How long a question whether this may be done stays open; None as long as any other."""
    asks: ClassVar[bool] = False
    """Whether `inquire` may have a question; only a tool of class `read` has one."""
    hold: ClassVar[timedelta | None] = None
    """How long a call that policy allowed without a card is held back, so that its owner can undo it."""
    args: type[Args]

    @abstractmethod
    def caption(self, args: Args) -> str:
        """One line for people: "Search mail for “invoice”". Never asks anybody; never fails."""

    async def preview(self, args: Args, ctx: ToolContext) -> Preview:
        """What a card shows. Raises `ModelRetry` or `ToolFailed` when the call is certain to fail."""
        raise NotImplementedError(self.name)

    async def inquire(self, args: Args, ctx: ToolContext) -> Inquiry | None:
        """What must be asked before this can be done; None when nothing must. Only where `asks`."""
        return None

    def answered(self, args: Args, option: Option) -> Result:
        """The result once the owner chose. Only where `asks`."""
        return Result(data={"answer": option.value}, summary=option.label, label=Label.OWNER)

    def not_before(self, args: Args, ctx: ToolContext) -> datetime | None:
        """The moment that the arguments name for it ("send it on Monday at 8"), aware; None for at once.

        Raises `ModelRetry` for a moment that is over or cannot be read.
        """
        return None

    @abstractmethod
    async def execute(self, args: Args, call: Call) -> Result:
        """Do it. Raises `ModelRetry` or `ToolFailed` (nothing was done), or `Ambiguous` (it may have been)."""

    async def reconcile(self, args: Args, call: Call) -> Reconciled:
        """Ask the provider whether an earlier attempt happened. Only where `can_reconcile`."""
        return Unknown()


class Toolset(Protocol):
    """The tools of one integration."""

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every tool of this integration, ready to be called."""
        ...


# What tools may ask for -------------------------------------------------------------------------------------------


class Clock(Protocol):
    """The time, injected."""

    def now(self) -> datetime:
        """The current moment, aware, in UTC."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleGrant:
    """What a call to Google needs: the account (`sub`), its address, an access token and the scopes really granted."""

    account: str
    email: str
    access_token: str = field(repr=False)
    scopes: frozenset[str]


class GoogleGrants(Protocol):
    """Where Google credentials come from."""

    async def grant(self, requester: Requester, scopes: frozenset[str], *, refused: str | None = None) -> GoogleGrant:
        """A fresh grant that covers the scopes; raises `NotConnected`, whose message says how to connect.

        `refused` is an access token that Google just answered 401 to: that one is not handed out again.
        """
        ...

    async def refused(self, requester: Requester, account: str) -> None:
        """Google answered 401: the connection is marked as not working until somebody connects again."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshedToken:
    """A new access token with its end, and the refresh token that counts from now on."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What of an account a person may let the agent use, as it is offered to him."""

    id: str
    label: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Where a browser goes to be asked, and the PKCE verifier that proves afterwards that it was us who sent it."""

    url: str
    verifier: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """Whose account it is, by the provider's signed word, and what was really granted.

    `account` is the provider's own id of it; `domain` the organisation that it belongs to, empty for a private one.
    """

    account: str
    email: str
    domain: str
    scopes: frozenset[str]
    token: RefreshedToken


class ConsentFailed(IntegrationError):
    """What a browser brought back from the provider is no consent that can be used.

    `why` is `code` (not accepted, or used before), `identity` (whose account it is was not said credibly),
    `not_lasting` (no refresh token) or `unavailable` (the provider could not be asked). `unkept` is what was granted
    all the same, to be given back; of it only the account and the token count.
    """

    def __init__(self, why: str, *, unkept: Granted | None = None) -> None:
        super().__init__(f"The consent cannot be used: {why}.")
        self.why = why
        self.unkept = unkept


class TokenRefresher(Protocol):
    """Gets new access tokens."""

    async def refresh(self, refresh_token: str) -> RefreshedToken:
        """A new token. Raises `GrantGone`, or another `IntegrationError` when later may work."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A Slack conversation that a person may see."""

    id: str
    name: str
    topic: str = ""
    is_private: bool = False
    is_member: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackMessage:
    """One message of Slack, with its author's name and whether he is a full member of the workspace."""

    channel: str
    ts: str
    author: str
    text: str
    by_member: bool = True
    thread_ts: str | None = None
    reply_count: int = 0


class SlackReader(Protocol):
    """Slack as one person may see it: public channels, and those he is a member of (checked at every call)."""

    async def channels(self, requester: Requester) -> Sequence[Channel]:
        """The channels he may see. Raises `ToolFailed` when Slack refuses."""
        ...

    async def messages(
        self, requester: Requester, channel: str, *, thread_ts: str | None, limit: int
    ) -> Sequence[SlackMessage]:
        """The newest messages, oldest first. Raises `ModelRetry` for a channel that is unknown or not his to see."""
        ...

    async def seen_by_all(self, channel: str, *, readers_of: str | None) -> bool:
        """Whether every reader of `readers_of` could also read `channel`; a DM of the requester is None."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackFile:
    """A file that somebody shared in Slack, as it is now. `size` is in bytes."""

    id: str
    name: str
    mime_type: str
    size: int


class SlackFiles(Protocol):
    """Slack's files as one person may see them: his own, and those in conversations that he can read."""

    async def file(self, requester: Requester, file_id: str) -> SlackFile:
        """What it is. Raises `ModelRetry` for a file that is unknown or not his to see."""
        ...

    async def content(self, requester: Requester, file_id: str, *, limit: int) -> bytes:
        """What is in it; as `file`. Raises `ToolFailed` when it is larger than the limit or cannot be fetched."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """Somebody who can be written to. `known_from` says in words where the address stands."""

    name: str
    email: str
    known_from: str
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Whom a place knows by a name. `unseen` says in a sentence what of it was not looked at; empty: nothing."""

    people: Sequence[Contact] = ()
    unseen: str = ""


class Contacts(Protocol):
    """One of the places where a person's contacts stand."""

    async def named(self, requester: Requester, name: str) -> Known:
        """Those whose name or address has the words of `name`. Raises `ToolError` when it cannot be looked at."""
        ...


class Zones(Protocol):
    """Where people are."""

    async def zones(self, requester: Requester, emails: Sequence[str]) -> Mapping[str, str]:
        """The IANA zones of those whose are known, by address. Raises `ToolError` when it cannot be looked at."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered fact."""

    id: str
    text: str
    created_at: datetime
    label: Label


class Memories(Protocol):
    """One person's memories."""

    async def save(self, requester: Requester, text: str, *, key: str, label: Label) -> Memory:
        """Remember; the same key twice is one memory."""
        ...

    async def search(self, requester: Requester, query: str, *, limit: int) -> Sequence[Memory]:
        """The best matches first; an empty query lists the newest."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One of a person's schedules. `number` is short and stays the same while it lives; `what` is reminder, briefing or
    request; `when` says its time in words; `next_at` is None while it is paused. `label` is how far its title can be
    trusted.
    """

    id: str
    number: int
    what: str
    title: str
    when: str
    zone: str
    next_at: datetime | None
    is_paused: bool = False
    label: Label = Label.MEMBER


class Schedules(Protocol):
    """One person's schedules: what is said to him, in his direct messages, when its time comes.

    `spec` is `{"at": "2026-11-23T16:00"}` in his local time, or the fields of a cron line by name.
    """

    async def remind(
        self,
        requester: Requester,
        text: str,
        spec: Mapping[str, Json],
        *,
        key: str,
        label: Label,
        unless_answered: str | None = None,
    ) -> Planned:
        """Keep a reminder; the same key twice is one. With `unless_answered`, a mail thread, it is said only if nobody
        else has written there since. Raises `ModelRetry` with the reason, or another `ToolError` when the thread cannot
        be looked at.
        """
        ...

    async def brief(self, requester: Requester, spec: Mapping[str, Json], *, key: str) -> Planned:
        """Keep a repeating briefing; the same key twice is one. Raises `ModelRetry` with the reason."""
        ...

    async def of(self, requester: Requester) -> Sequence[Planned]:
        """What has not ended, by number."""
        ...

    async def remove(self, requester: Requester, schedule_id: str) -> bool:
        """End it; False when he has no such one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """One event of a day. `when` is in words in the person's zone; `conflicts` are the titles of what overlaps it."""

    id: str
    title: str
    when: str
    where: str = ""
    link: str = ""
    people: Sequence[str] = ()
    conflicts: Sequence[str] = ()


class Agenda(Protocol):
    """What is on a person's calendar today."""

    async def today(self, requester: Requester) -> Sequence[Meeting]:
        """Today's events in his zone that he has not declined, in order. Raises `ToolError`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingMail:
    """A mail thread whose newest message waits for the person's answer. `sender` is a name, or an address."""

    thread_id: str
    subject: str
    sender: str
    address: str
    snippet: str
    sent_at: datetime
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The mails that wait. `unseen` says in a sentence what was not looked at; empty: nothing."""

    mails: Sequence[WaitingMail] = ()
    unseen: str = ""


class WaitingMails(Protocol):
    """A person's mail threads, as far as somebody waits for an answer."""

    async def waiting(self, requester: Requester) -> Waiting:
        """Those of the last days that somebody wrote to him directly, and to which he has not answered; newest first.

        What lists and machines send is left out. Raises `ToolError`.
        """
        ...

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        """Whether anybody but him has written in the thread since. Raises `ToolError` when it cannot be looked at."""
        ...


class Briefings(Protocol):
    """The daily briefing, sent to the person's direct messages."""

    async def send(self, requester: Requester, *, key: str) -> Sequence[str]:
        """Look, and send it; the same key twice is one. What it holds, and what could not be looked at, in words."""
        ...
