"""Deliveries: what must reach a person, as outbox rows that hold no blocks (docs/states.md §6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from bot.domain.runs import RunState
from bot.domain.states import State
from bot.domain.threads import Surface


class DeliveryKind(StrEnum):
    """What is delivered; the subject's id says about what."""

    CARD = "card"  # a question's card, or its final form when it is not open any more; subject: question
    ANSWER = "answer"  # the final answer of a run or its honest substitute; subject: run
    RESUMED = "resumed"  # what was said at a pause that its owner ended: without its button; subject: message
    HELD = "held"  # what waits for its moment, or what came of it; subject: the run that it waits in
    STUB = "stub"  # the line without content in a channel's thread; subject: run
    LOG = "log"  # everything that was done for a plan, as a file; subject: its run
    AGENTS = "agents"  # what the agents do that work for a request; subject: its run
    NOTICE = "notice"  # a line about a run's action, such as a memory with its Undo; subject: action
    REFUSAL = "refusal"  # why a message started no run; subject: message
    REMINDER = "reminder"  # to whoever it waits for, that a question is still open; subject: question, and who that is
    OPENING = "opening"  # the message whose thread a scheduled request is answered in; subject: run
    ALARM = "alarm"  # what a person asked to be reminded of; subject: schedule and moment
    BRIEFING = "briefing"  # the daily briefing, in its owner's direct messages; subject: message
    CONNECTED = "connected"  # that an account was connected; subject: the attempt, and the person who is told
    LINK = "link"  # in the window with a connect link, that it is over; subject: the attempt, and what came of it
    CHECKPOINT = "checkpoint"  # that a place of the log was signed; subject: the channel, and which one
    LOSS = "loss"  # to its owner, that something could not be delivered; subject: that delivery's kind and subject

    @property
    def has_owner(self) -> bool:
        """Whether somebody is told that it could not be delivered."""
        return self not in {DeliveryKind.CHECKPOINT, DeliveryKind.LINK, DeliveryKind.LOSS}


class DeliveryState(State):
    """Where a delivery stands."""

    PENDING = ("pending", "to be delivered")
    DELIVERED = ("delivered", "Slack has it")
    DEAD = ("dead", "an error that cannot heal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One outbox row: rendered from current rows when it is delivered, so late rows coalesce.

    `attempts` counts the claims, each committed before anything is shown. A claimed delivery says in `through` which is
    the newest row about the same subject that was there: what is shown then shows that row too.
    """

    id: int
    lane: str
    kind: DeliveryKind
    subject: str
    team: str
    state: DeliveryState
    attempts: int = 0
    not_before: datetime | None = None
    created_at: datetime
    through: int = 0

    @property
    def in_doubt(self) -> bool:
        """Whether an earlier attempt may have shown it without writing that down."""
        return self.attempts > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryOutcome:
    """What became of a delivery so far; `error` is that of its last attempt."""

    kind: DeliveryKind
    subject: str
    state: DeliveryState
    attempts: int
    error: str
    created_at: datetime
    ended_at: datetime | None


class RefusalReason(StrEnum):
    """Why a message started no run, or none yet, or changed nothing."""

    EMPTY = "empty"
    OUTSIDER = "outsider"
    NOTHING_TO_STOP = "nothing_to_stop"
    BUTTONS = "buttons"
    EDITED = "edited"
    TAKEN_BACK = "taken_back"  # a “stop” that took back what waited; how much of it
    WAITS = "waits"  # it was taken, for later: how many requests a minute may bring, and the second at which it begins
    TOO_FAST = "too_fast"  # so many a minute; the second from which on the next is taken, and at which it is offered
    OFFERED = "offered"  # what came too fast is offered again; since which second
    DROPPED = "dropped"  # a “stop” after which so many are not offered again


@dataclass(frozen=True, slots=True)
class RefusalSubject:
    """The subject of a `REFUSAL`: why, with the `figures` that its words need and no row holds, and the message."""

    why: RefusalReason
    message_id: str
    figures: tuple[int, ...] = ()

    @property
    def code(self) -> str:
        """Why, as the log notes it."""
        return ".".join([self.why.value, *map(str, self.figures)])

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.code}:{self.message_id}"

    @classmethod
    def parse(cls, subject: str) -> RefusalSubject:
        """The value of such a text."""
        code, _, message_id = subject.partition(":")
        why, *figures = code.split(".")
        return cls(RefusalReason(why), message_id, tuple(map(int, figures)))


@dataclass(frozen=True, slots=True)
class Connected:
    """The subject of a `CONNECTED`: the attempt that connected an account, and the person who is told."""

    attempt_id: str
    reader: str

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.attempt_id}@{self.reader}"

    @classmethod
    def parse(cls, subject: str) -> Connected:
        """The value of such a text."""
        attempt_id, _, reader = subject.partition("@")
        return cls(attempt_id, reader)


class LinkOutcome(StrEnum):
    """What came of an attempt to connect an account; `DISCONNECTED`: its owner disconnected meanwhile, or since."""

    CONNECTED = "connected"
    REFUSED = "refused"
    DISCONNECTED = "disconnected"


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """The subject of a `LINK`: the attempt that is over, and what came of it."""

    attempt_id: str
    outcome: LinkOutcome

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.attempt_id}:{self.outcome}"

    @classmethod
    def parse(cls, subject: str) -> LinkEnd:
        """The value of such a text."""
        attempt_id, _, outcome = subject.partition(":")
        return cls(attempt_id, LinkOutcome(outcome))


@dataclass(frozen=True, slots=True)
class CardReminder:
    """The subject of a `REMINDER`: the question that waits, and who is reminded of it, "" for its owner."""

    question_id: str
    reader: str = ""

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.question_id}@{self.reader}" if self.reader else self.question_id

    @classmethod
    def parse(cls, subject: str) -> CardReminder:
        """The value of such a text."""
        question_id, _, reader = subject.partition("@")
        return cls(question_id, reader)


@dataclass(frozen=True, slots=True)
class Announced:
    """The subject of a `CHECKPOINT`: the channel where it is posted, and its workspace and sequence."""

    channel: str
    team: str
    seq: int

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.channel}:{self.team}:{self.seq}"

    @classmethod
    def parse(cls, subject: str) -> Announced:
        """The value of such a text."""
        channel, team, seq = subject.split(":")
        return cls(channel, team, int(seq))


@dataclass(frozen=True, slots=True)
class Loss:
    """The subject of a `LOSS`: the kind and the subject of what could not be delivered."""

    kind: DeliveryKind
    subject: str

    def __str__(self) -> str:
        """The text of its column."""
        return f"{self.kind.value}:{self.subject}"

    @classmethod
    def parse(cls, subject: str) -> Loss:
        """The value of such a text."""
        kind, _, about = subject.partition(":")
        return cls(DeliveryKind(kind), about)


ANSWER = "answer"
"""The slot of the answer."""


OPENING = "opening"
"""The slot of a first message of ours, below which a request is answered."""


HELD = "held"
"""The slot of what waits for its moment."""


AGENTS = "agents"
"""The slot of what the agents do that work for a request."""


def log_slot(end: str) -> str:
    """The slot of the file with everything that was done for a plan until this end."""
    return f"log:{end}"


def card_slot(question_id: str) -> str:
    """The slot of a question's card."""
    return f"card:{question_id}"


READER = "reader:"
"""How the slots of cards begin that somebody besides the owner of a question has."""


def reader_slot(question_id: str, user: str) -> str:
    """The slot of the card that this person has of somebody else's question. It is none of the owner's thread: what is
    written below it is its reader's.
    """
    return f"{READER}{question_id}:{user}"


def reminder_slot(question_id: str, reader: str = "") -> str:
    """The slot of the line that a question still waits, for its owner or for this reader, whose it is as their card
    is.
    """
    return f"{reader_slot(question_id, reader)}:reminder" if reader else f"reminder:{question_id}"


def deleted_slot(question_id: str, reader: str = "") -> str:
    """The slot that notes which card of a question somebody deleted while it waited: its owner's, or this reader's."""
    return f"{reader_slot(question_id, reader)}:deleted" if reader else f"deleted:{question_id}"


def said_slot(ts: str) -> str:
    """The slot of something that was said before a card or before a pause, and stays above what comes."""
    return f"said:{ts}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message of ours in Slack: `slot` names its place in the run (`answer`, `card:<question>`, `stub`, `root`)."""

    run_id: str
    slot: str
    channel: str
    ts: str
    streaming: bool = False

    @property
    def card(self) -> tuple[str, str]:
        """The question whose card it is, and the reader who has this one, "" for its owner's; ("", "") for every other
        message.
        """
        match self.slot.split(":"):
            case ["card", question_id]:
                return question_id, ""
            case ["reader", question_id, reader]:
                return question_id, reader
            case _:
                return "", ""

    @property
    def is_answer(self) -> bool:
        """Whether it is the answer, or a further part of it."""
        return self.slot == ANSWER or self.slot.startswith(f"{ANSWER}:")

    @property
    def said(self) -> Post:
        """The same as something that was said before, and stays: what is written in its slot is another message."""
        return replace(self, slot=said_slot(self.ts), streaming=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a run lives, and whether its content may be shown there.

    `private` and not `is_dm` means: content goes to the owner's DM, and the thread gets a stub. A reply to something
    that a channel's run showed in the DM lives in the DM, though it belongs to the channel's thread. `root_ts` is empty
    until the first message of a scheduled request stands. `epoch` is that of the thread's lease, 0 before the first;
    `has_begun` says that somebody took the run up. What is asked over HTTP is answered there: Slack shows only what its
    owner is asked, and what they can undo, in their DM.
    """

    run_id: str
    team: str
    user: str
    channel: str
    root_ts: str
    request_ts: str
    is_dm: bool
    private: bool
    state: RunState
    thread_id: str
    epoch: int
    has_begun: bool
    surface: Surface = Surface.SLACK

    @property
    def is_in_slack(self) -> bool:
        """Whether it was asked in Slack, and is answered there."""
        return self.surface is Surface.SLACK

    @property
    def elsewhere(self) -> bool:
        """Whether the content must go to the owner's DM instead of the thread."""
        return not self.is_in_slack or (self.private and not self.is_dm)


def certainly_before(moment: datetime) -> str:
    """A timestamp of Slack's that is older than this moment of ours, even if our clock is wrong by a time zone."""
    return f"{(moment - timedelta(days=1)).timestamp():.6f}"
