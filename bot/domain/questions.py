"""Questions: something people are asked. The kinds and states of docs/states.md §3."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar, Self, TypedDict, TypeVar

from bot.domain.states import State
from integrations.base import ObjectRef, Result
from integrations.errors import Lack
from policies.deciders import Deciders, counts, turns_over
from policies.types import Label

QUESTION_LIFE = timedelta(hours=24)
SETTLE_LIFE = timedelta(days=7)
APPROVAL_LIFE = timedelta(hours=1)  # after the deciding vote, or until the question's expiry, whichever is later


HASTY = timedelta(seconds=2)
"""A person who decides within this time has hardly read the card."""


class QuestionKind(StrEnum):
    """What is asked."""

    APPROVE = "approve"  # may this be done?
    ANSWER = "answer"  # a tool asks its owner for something that only they know
    CONNECT = "connect"  # an account that an action needs
    PLAN = "plan"  # is this what is to be done?
    SETTLE = "settle"  # did this happen? An attempt ended in doubt


class QuestionState(State):
    """Where a question stands."""

    OPEN = ("open", "it waits for an answer")
    DECIDED = ("decided", "somebody answered")
    REPLACED = ("replaced", "what it asked about was edited or judged again")
    EXPIRED = ("expired", "nobody answered in time")
    WITHDRAWN = ("withdrawn", "it needs no answer any more")


QUESTION_MOVES: Mapping[State, frozenset[State]] = {
    QuestionState.OPEN: frozenset(
        {QuestionState.DECIDED, QuestionState.REPLACED, QuestionState.EXPIRED, QuestionState.WITHDRAWN}
    ),
}


class Choice(StrEnum):
    """What its owner says to a question: by a button of its card, where nothing else is noted."""

    # to `approve`
    APPROVE = "approve"
    REJECT = "reject"  # also “Not now” to `connect`, and “Cancel” to `plan`
    # to `plan`
    CONFIRM = "confirm"
    # to `settle`
    HAPPENED = "happened"
    DID_NOT = "did_not"
    TRY_AGAIN = "try_again"
    # to `connect`: by connecting an account
    CONNECTED = "connected"
    OTHER_ACCOUNT = "other_account"  # another one than it was about
    # to `answer`: by a button, or in words
    ANSWER = "answer"
    NONE = "none"  # of what there was to choose from


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPayload:
    """What a question of one kind says, as JSON in its row."""

    kind: ClassVar[QuestionKind]

    def as_json(self) -> dict[str, Any]:
        """As its row has it."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """From its row."""
        return cls(**stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovePayload(QuestionPayload):
    """What its card asks, empty in rows of earlier versions. The rest of the card is the preview of the action, which
    may be another one by now: “Save this as a draft?” in the place of “Send this mail?”. A card that was approved says
    what was: its variant may be another thing than it asked about.
    """

    kind = QuestionKind.APPROVE
    title: str = ""

    def as_json(self) -> dict[str, Any]:
        """As its row has it: a row of an earlier version stays as it is."""
        return {"title": self.title} if self.title else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOption:
    """One possible answer as it was shown, and the result that it leads to."""

    value: str
    label: str
    detail: str
    result: Result

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> AnswerOption:
        """From its row."""
        result: dict[str, Any] = dict(stored["result"])
        result |= {"label": Label(result["label"]), "objects": [ObjectRef(**item) for item in result["objects"]]}
        return cls(value=stored["value"], label=stored["label"], detail=stored["detail"], result=Result(**result))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPayload(QuestionPayload):
    """What a tool asks; `private` says that only the owner may see it."""

    kind = QuestionKind.ANSWER
    text: str
    private: bool
    options: Sequence[AnswerOption]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> AnswerPayload:
        """From its row."""
        options = [AnswerOption.from_json(option) for option in stored["options"]]
        return cls(text=stored["text"], private=stored["private"], options=options)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectPayload(QuestionPayload):
    """The account to connect, and why: `missing` are the scopes that this must bring, `account` the one known so far.

    `disbelieved` says that the provider refused scopes that are stored as granted. `quiet` has no card, as its run has
    one already; `elsewhere` has a line without buttons, as another run has the card; `declined` says that its owner
    said “Not now” there.
    """

    kind = QuestionKind.CONNECT
    provider: str
    why: Lack
    missing: frozenset[str]
    account: str
    private: bool
    disbelieved: bool = False
    quiet: bool = False
    elsewhere: bool = False
    declined: bool = False

    @property
    def has_card(self) -> bool:
        """Whether it asks by itself: no other question asks for the same, or asked."""
        return not (self.quiet or self.elsewhere)

    @property
    def is_lost(self) -> bool:
        """Whether the account was connected, and its provider refuses it now. There is one of each provider."""
        return self.why is Lack.CREDENTIALS

    def as_json(self) -> dict[str, Any]:
        """As its row has it; the last three stand there only when they hold."""
        unset = {name for name in ("quiet", "elsewhere", "declined") if not getattr(self, name)}
        stored = {name: value for name, value in asdict(self).items() if name not in unset}
        return stored | {"why": self.why.value, "missing": sorted(self.missing)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ConnectPayload:
        """From its row."""
        given: dict[str, Any] = {"why": Lack(stored["why"]), "missing": frozenset(stored["missing"])}
        return cls(**{**stored, **given})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPayload(QuestionPayload):
    """The revision of the plan that its card shows."""

    kind = QuestionKind.PLAN
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlePayload(QuestionPayload):
    """Where its owner can look whether it happened, in words and as a link."""

    kind = QuestionKind.SETTLE
    where: str
    link: str = ""


PAYLOADS: Mapping[QuestionKind, type[QuestionPayload]] = {
    payload.kind: payload for payload in (ApprovePayload, AnswerPayload, ConnectPayload, PlanPayload, SettlePayload)
}
"""What each kind of question says."""

Payload = TypeVar("Payload", bound=QuestionPayload)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderTurn:
    """Somebody besides its owner is shown a question: since when, and until when they are waited for."""

    user: str
    began_at: datetime
    ends_at: datetime

    @property
    def half(self) -> datetime:
        """When they are to be reminded."""
        return self.began_at + (self.ends_at - self.began_at) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. `hash` binds it to one edition; `nonce` is the opaque half of its buttons' values.

    `deciders` have to agree once its owner has: `turns` are those of them who were shown it, in order, and `reader` is
    the one whose turn it is; None while its owner's is. At `turn_over_at` the turn goes to the next one; None where
    nobody comes next.

    `remind_at` is when the person it waits for is to be reminded, None once they were (`reminded_at`): a question whose
    reminder was sent is not looked at again, until it waits for somebody else.
    """

    id: str
    kind: QuestionKind
    run_id: str
    step_id: str
    action_id: str
    thread_id: str
    team: str
    user: str
    state: QuestionState
    nonce: str
    edition: int
    hash: str
    payload: QuestionPayload = ApprovePayload()
    created_at: datetime
    expires_at: datetime
    remind_at: datetime | None = None
    reminded_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    decision: Choice | None = None
    reason: str = ""
    deciders: tuple[Deciders, ...] = ()
    turns: tuple[ReaderTurn, ...] = ()
    reader: str | None = None
    turn_over_at: datetime | None = None

    @property
    def waits_for(self) -> str:
        """Whose decision is awaited."""
        return self.reader or self.user

    def is_shown_to(self, user: str) -> bool:
        """Whether this person has a card of it."""
        return user == self.user or any(turn.user == user for turn in self.turns)

    def over(self, agreed: Collection[str]) -> frozenset[str]:
        """Of those who were to agree, whose turn ended without their yes; `agreed` are those who gave theirs."""
        return turns_over(self.deciders, [turn.user for turn in self.turns], agreed)

    def may_say(self, user: str, now: datetime) -> bool:
        """Whether what this person says counts as long as it is their turn: its owner, and who has to agree, or stands
        in for somebody by then.
        """
        return user == self.user or not self.deciders or counts(self.deciders, user, now)

    def shown_since(self, user: str) -> datetime:
        """Since when they are asked."""
        return next((turn.began_at for turn in reversed(self.turns) if turn.user == user), self.created_at)

    def waits_until(self, user: str) -> datetime:
        """Until when they are asked: until their turn ends, or it expires."""
        return next((turn.ends_at for turn in reversed(self.turns) if turn.user == user), self.expires_at)

    def payload_as(self, payload: type[Payload]) -> Payload:
        """What a question of this kind says. Raises `TypeError` for one of another kind."""
        if not isinstance(self.payload, payload):
            raise TypeError(f"question {self.id} is one to {self.kind}")
        return self.payload

    def button_value(self) -> str:
        """What a button carries: opaque, nothing of the arguments."""
        return f"{self.id}.{self.nonce}"


class QuestionChanges(TypedDict, total=False):
    """The columns that change when a question is closed: who decided what, and when."""

    decided_at: datetime
    decided_by: str
    decision: Choice
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One person's answer to an `approve` question."""

    question_id: str
    user: str
    edition: int
    hash: str
    choice: Choice
    at: datetime

    def is_yes_to(self, question: Question) -> bool:
        """Whether it approves exactly what this question asks about."""
        return self.choice is Choice.APPROVE and (self.edition, self.hash) == (question.edition, question.hash)
