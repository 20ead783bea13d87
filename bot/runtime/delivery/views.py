"""What cards, answers, notices and the answers of `/agent` show, as values without any Slack in them.

The modules beside this one make them from rows, `bot.slack.views` makes Block Kit of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from bot.domain.actions import ActionState, Tally, Undo
from bot.domain.briefings import Briefing
from bot.domain.deliveries import DeliveryKind, Place
from bot.domain.plans import PlanTask
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.domain.runs import FollowUp, RunState
from integrations.base import Option, Preview
from policies.deciders import Deciders
from policies.types import Unnamed

T = TypeVar("T")


class Clear(Protocol):
    """Takes secrets out of every text of a view, before a surface cuts any: half of one looks like none."""

    async def __call__(self, view: T, /) -> T:
        """The same view without them."""
        ...


async def as_it_is(view: T) -> T:
    """Where nothing is taken out."""
    return view


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderLine:
    """Somebody who had to agree and was shown a card; `said` is their vote, if they gave one. `reposted`: it is their
    turn, and somebody deleted their card in it.
    """

    user: str
    said: Choice | None
    turn_ends_at: datetime
    reposted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A question as a card shows it, open or in its final form.

    `value` is what its buttons carry. `outcome` is the action's state, `detail` its one-line result or error,
    `needless` says that all was so already, `doubt` that an attempt may have happened all the same, `copied_at` that
    one may have since then, `again_at` when a provider that was busy is tried again. `ask_again`: nobody answered, and
    it can be asked again. `scheduled`: another run does it at its moment. `edited`: its owner changed it, and fields
    with a `before` say how. `options` are the answers that a tool's question offers, `said` the one that was given.
    `missing` is what an account is needed for; `quiet` says that another card of the run asks for it, `elsewhere` that
    one of another run does, and `declined` that “Not now” was said there. `newer` is where the card stands that took
    its place, and `older` the question whose place it took. `asked_again`: another question of its kind came after it.
    `lapsed`: the one before was approved, which does not count any more. `reposted`: somebody deleted it while it
    waited. `held` is what it approved, while that waits for its moment and afterwards, where no message of its own
    shows that. `wanted` says by which agent, or for which task, it is wanted. `plan` is what a question of that kind is
    about. `unnamed` is what a guard asks about: it is confirmed one by one, and no plain yes does, nor where it is so
    long that all of it has to be read (`is_long`). `deciders` have to agree after its owner: `readers` were shown it,
    `reader` is in turn, and `shown_to` is whose card this is of them.
    """

    place: Place
    question_id: str
    kind: QuestionKind
    state: QuestionState
    value: str
    tool: str
    preview: Preview
    card_private: bool
    rule: str
    reason: str
    expires_at: datetime
    zone: str
    decided_by: str | None
    decided_at: datetime | None
    decision: Choice | None
    outcome: ActionState
    doubt: bool
    detail: str
    link: str | None
    choices: Sequence[Choice]
    wanted: str = ""
    needless: bool = False
    scheduled: bool = False
    editable: bool = False
    ask_again: bool = False
    edited: bool = False
    options: Sequence[Option] = ()
    said: str = ""
    missing: frozenset[str] = frozenset()
    quiet: bool = False
    elsewhere: bool = False
    declined: bool = False
    newer: tuple[str, str] | None = None
    older: str = ""
    asked_again: bool = False
    lapsed: bool = False
    again_at: datetime | None = None
    copied_at: datetime | None = None
    reposted: bool = False
    held: HeldView | None = None
    plan: PlanView | None = None
    unnamed: Sequence[Unnamed] = ()
    is_long: bool = False
    deciders: Sequence[Deciders] = ()
    readers: Sequence[ReaderLine] = ()
    reader: str = ""
    shown_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """The plan that a card asks about, or shows once it is confirmed: its tasks, what changed them since and why, and
    what all of it used. `actions` are by task, `unconfirmed` are those that changed. `stopping`: its end was asked for.
    `told`: its answer has what came of each task. `done_before`: titles of the tasks that an earlier try did.
    """

    revision: int
    tasks: Sequence[PlanTask]
    actions: Mapping[str, Tally]
    changes: Sequence[str]
    unconfirmed: Collection[str]
    state: RunState
    deadline_at: datetime | None
    cost_micros: int
    stopping: bool = False
    told: bool = False
    done_before: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLine:
    """One action of a run as a line: its caption, its state and what came of it. `changes` says that it changes
    something outside, `on_card` that a card beside the answer tells what came of it, `scheduled` that another run does
    it, `waits` that it has not done so yet, `by_agent` that an agent was given it, `needless` that all was so already,
    and `beyond_limit` that a limit had no place for it.
    """

    action_id: str
    caption: str
    changes: bool
    state: ActionState
    detail: str
    doubt: bool
    undo: Undo | None
    link: str | None
    on_card: bool = False
    scheduled: bool = False
    waits: bool = False
    by_agent: bool = False
    needless: bool = False
    beyond_limit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """A run's final answer, or its honest substitute: text in the model's Markdown, untrusted.

    `offer` is what its owner can do now when it is not the last word; `plannable`: they can have a plan made, too;
    `asks_again`: how many questions Continue asks again, where that is all that it does.
    """

    place: Place
    text: str
    error: str
    actions: Sequence[ActionLine]
    offer: FollowUp | None = None
    plannable: bool = False
    asks_again: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumedView:
    """What was said at a pause that its owner ended, and where it stands in Slack."""

    place: Place
    channel: str
    ts: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """A line about one action of a run, such as a memory that can be undone."""

    place: Place
    action: ActionLine


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLine:
    """What an agent does that was given work, what it did and used so far, with those that work for it.
    `path` has the titles of the agents from the outermost one to itself, `doing` is the caption of what is under way,
    `error` why it failed. `stopping`: somebody asked for its end. `changes` are those of its actions that would have
    changed something, and `rejected` how many of them somebody said no to.
    """

    run_id: str
    path: Sequence[str]
    state: RunState
    tally: Tally
    tokens: int
    cost_micros: int
    changes: int = 0
    rejected: int = 0
    doing: str = ""
    error: str = ""
    stopping: bool = False

    @property
    def did_nothing(self) -> bool:
        """Whether it is over, and all that it would have changed was rejected."""
        return self.state is RunState.COMPLETED and 0 < self.rejected == self.changes

    @property
    def can_be_stopped(self) -> bool:
        """Whether its owner can end it by itself."""
        return self.state.is_live() and not self.stopping


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsView:
    """The agents that work for a request, or did: each behind the one that it works for, in the order of the calls."""

    place: Place
    agents: Sequence[AgentLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldView:
    """What waits for its moment, or what came of it. `place` is that of the run that it waits in; `rule` and `reason`
    say by what it was allowed, and are empty where a person approved it. `early`: “Send now” was pressed. `card` is the
    question on whose card it was approved, and is shown from then on; empty where nobody was asked.
    """

    place: Place
    state: RunState
    action: ActionState
    preview: Preview
    caption: str
    at: datetime
    wait: timedelta
    zone: str
    rule: str
    reason: str
    detail: str
    link: str | None
    doubt: bool
    can_be_sent_now: bool
    stopped_by: str | None
    again_at: datetime | None = None
    ended_at: datetime | None = None
    early: bool = False
    card: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalView:
    """Why a message started no run, and where to say so."""

    channel: str
    root_ts: str
    request_ts: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UntakenLine:
    """What somebody said too fast; `channel` is where, "" for their direct messages."""

    text: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferView:
    """What was not taken, offered to its author again; `value` is what the button carries, `since` as in `LossView`."""

    team: str
    user: str
    value: str
    untaken: Sequence[UntakenLine]
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointView:
    """A checkpoint of the audit log: its `line` is what is kept of it, and was posted not before `since`."""

    channel: str
    team: str
    seq: int
    line: str
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LossView:
    """What could not be delivered, to whom, and the id to quote: of the run, or of the message that started none."""

    team: str
    user: str
    kind: DeliveryKind
    reference: str
    request_ts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderView:
    """A question of which the person it waits for is to be reminded, unless it `needs_none` any more: it was decided,
    it waits for somebody else, or their time is over. `card` is where their card stands, when it was delivered.
    `reader` is who has to agree, "" for its owner; `passes_on`: at `ends_at` somebody else is asked instead.
    """

    place: Place
    question_id: str
    needs_none: bool
    title: str
    ends_at: datetime
    left: timedelta
    zone: str
    card: tuple[str, str] | None
    reader: str = ""
    passes_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledReminderView:
    """What a person asked to be reminded of; `due` is the moment when it comes late. `since` bounds the look for it.
    `value` is what its buttons carry; `blind` says that it could not be looked up whether it is still needed.
    """

    team: str
    user: str
    text: str
    zone: str
    due: datetime | None
    since: str
    value: str = ""
    blind: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefingView:
    """A briefing as it is posted to its owner; `since` bounds the look for it."""

    team: str
    user: str
    briefing: Briefing
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutMessage:
    """The message that a request is about: whose it is, and where it stands."""

    author: str
    channel: str
    ts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningView:
    """A request as it is posted where it is answered: with a `title` that says what it is, or one `about` a message
    that its owner chose, or one to an agent, with its inputs. `since` bounds the look for it.
    """

    place: Place
    text: str
    since: str
    title: str = ""
    about: AboutMessage | None = None
    agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedView:
    """That `owner` connected an account, told to `reader`; `sharing` others had it already. `since` bounds the look."""

    team: str
    reader: str
    owner: str
    provider: str
    email: str
    sharing: Sequence[str]
    since: str

    @property
    def own(self) -> bool:
        """Whether it is told to the person who connected it."""
        return self.reader == self.owner
