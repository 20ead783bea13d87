"""Runs: one request of a user, from message to final answer. The states and moves of docs/states.md §1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypedDict

from bot.domain.limits import Limits, Usage
from bot.domain.plans import Phase
from bot.domain.states import State
from policies.types import Label


class RunState(State):
    """Where a run stands. "State says what is needed, the lease says who does it"."""

    QUEUED = ("queued", "accepted and written down; nobody has begun")
    PLANNING = ("planning", "the model is to be asked")
    EXECUTING = ("executing", "a step is open and something in it can move without people")
    AWAITING = ("awaiting_confirmation", "a question is open and only people can move it")
    COMPLETED = ("completed", "the answer is recorded")
    FAILED = ("failed", "ended by an error that was explained")
    CANCELLED = ("cancelled", "ended by its owner, or its request was withdrawn")
    PAUSED = ("paused", "stopped at a limit or by silence; its owner can continue it")

    def is_final(self) -> bool:
        """Whether nothing moves it any more; paused is not final."""
        return self in FINAL

    def is_live(self) -> bool:
        """Whether it still works or waits."""
        return not self.is_final() and self is not RunState.PAUSED

    def holds_thread(self) -> bool:
        """Whether no other run of the thread may begin."""
        return self in {RunState.PLANNING, RunState.EXECUTING}


FINAL = frozenset({RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED})


class Mode(StrEnum):
    """What a run turned out to be (runtime contract §3)."""

    TEXT = "assistant_text"
    TOOL = "tool_executed"
    APPROVAL = "requires_approval"


RUN_MOVES: Mapping[State, frozenset[State]] = {
    RunState.QUEUED: frozenset({RunState.PLANNING, RunState.CANCELLED}),
    RunState.PLANNING: frozenset(
        {
            RunState.PLANNING,
            RunState.EXECUTING,
            RunState.COMPLETED,
            RunState.FAILED,
            RunState.PAUSED,
            RunState.CANCELLED,
        }
    ),
    RunState.EXECUTING: frozenset(
        {RunState.EXECUTING, RunState.AWAITING, RunState.PLANNING, RunState.PAUSED, RunState.CANCELLED}
    ),
    RunState.AWAITING: frozenset(
        {RunState.EXECUTING, RunState.AWAITING, RunState.PLANNING, RunState.PAUSED, RunState.CANCELLED}
    ),
    RunState.PAUSED: frozenset({RunState.PLANNING, RunState.EXECUTING, RunState.AWAITING, RunState.CANCELLED}),
}


OPERATOR = "operator"
"""The actor of what is done on the command line."""

HELD_SOURCE = "held:"
"""What the source key of a run begins with that waits for the moment of one action; the action that asked follows."""

CHILD_SOURCE = "child:"
"""What that of a run begins with whose agent does the work of one action; the action follows."""

SILENCE = "silence"
"""The stop code of a run that paused because nobody answered; at a limit it is the name of the limit."""


DEADLINE = "deadline"
"""That of one whose deadline was over."""


WITH_REQUEST = "stop:request"
"""The mark, in `hinted`, of a run that stopped at a limit of the request that it works for, and not at its own."""


class FollowUp(StrEnum):
    """What its owner can do with a request that stopped, or did."""

    CONTINUE = "continue"
    TRY_AGAIN = "try_again"
    TRIED_AGAIN = "tried_again"


MAX_ATTACHED = 12  # contexts of one run
SLACK_MESSAGE = "slack_message"
"""The type of an attached context that stands in the conversation where the request does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedContext:
    """Something the requester attached: an email, a calendar event, a briefing or a Slack message."""

    type: str
    id: str
    title: str = ""
    snippet: str = ""
    meta: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTask:
    """What the run of an agent has to do: the agent's name, the hash of its definition, and its inputs."""

    agent: str
    definition: str
    inputs: Mapping[str, object]


class RunChanges(TypedDict, total=False):
    """The columns of a run that may change, with its state or without."""

    mode: Mode
    phase: Phase
    deadline_at: datetime | None
    model: str
    transport: str
    instruction: str
    private: bool
    label: Label
    steps_taken: int
    limits: Limits
    ceiling: Limits
    hinted: Sequence[str]
    retries: int
    usage: Usage
    cost_micros: int
    active_ms: int
    active_since: datetime | None
    stopping: str | None
    stopping_at: datetime | None
    hard_stop: str | None
    stop_code: str
    cancel_requested: bool
    stopped_by: str | None
    request_deleted: bool
    not_before: datetime
    output: object
    summary: str
    partial: str
    error: str
    woken_at: datetime
    started_at: datetime
    completed_at: datetime
    duration_ms: int


@dataclass(frozen=True, kw_only=True)
class Run:
    """One request. `private` is true from the moment owner-only content entered its context (docs/architecture.md).

    `woken_at` is set when a person's click made it ready again: such a run goes before the queue. `stopping` is the
    reason of the soft stop, `hard_stop` that of the hard one, `stopped_by` who asked for its end.

    `limits` is one allowance, `ceiling` where the present one ends; `active_since` stands while it works, and what was
    worked before is in `active_ms`. `hinted` names what came near its end, and marks what the model was told.
    `stop_code` names the limit or budget of the day at which it stopped, or `SILENCE`; empty while it never stopped.
    `not_before` holds a run back. `retry_of` is the failed run that is tried again. `partial` is what was streamed when
    it was stopped.

    A run of an agent has its name, the hash of its `definition`, its inputs, and the `output` that it handed over. One
    that a person began is a request as any other. One that does the work of another run's action has these as `parent`
    and `parent_action`, and as `root` the request that all of them belong to.

    The run of a plan, and that of a task of one, has a `phase`: what is next in it. Nothing of a request is begun after
    its `deadline_at`.
    """

    id: str
    thread_id: str
    team: str
    user: str
    source_key: str
    message_id: str
    state: RunState
    mode: Mode = Mode.TEXT
    model: str = ""
    transport: str = ""
    instruction: str = ""
    private: bool = False
    label: Label = Label.OWNER
    steps_taken: int = 0
    limits: Limits
    ceiling: Limits
    hinted: Sequence[str] = ()
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_micros: int = 0
    active_ms: int = 0
    active_since: datetime | None = None
    stopping: str | None = None
    stopping_at: datetime | None = None
    hard_stop: str | None = None
    stop_code: str = ""
    cancel_requested: bool = False
    stopped_by: str | None = None
    request_deleted: bool = False
    retry_of: str | None = None
    parent: str | None = None
    parent_action: str | None = None
    root: str | None = None
    agent: str = ""
    definition: str | None = None
    inputs: Mapping[str, object] | None = None
    output: object = None
    phase: Phase | None = None
    deadline_at: datetime | None = None
    not_before: datetime | None = None
    late: bool = False
    attached: Sequence[AttachedContext] = ()
    summary: str = ""
    partial: str = ""
    error: str = ""
    order_key: str = ""
    created_at: datetime
    woken_at: datetime | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    duration_ms: int | None = None

    @property
    def is_of_copy(self) -> bool:
        """Whether it was under way in a database that was copied, and ended when the copy took its place: what was done
        for it after the copy was made is not known.
        """
        return self.stopped_by == OPERATOR

    @property
    def holds(self) -> str | None:
        """The action that this run was held back for, if it is such a run: no model is asked in it."""
        return self.source_key.removeprefix(HELD_SOURCE) if self.source_key.startswith(HELD_SOURCE) else None

    @property
    def task(self) -> AgentTask | None:
        """What an agent has to do in it; None for the assistant's own runs."""
        if self.definition is None:
            return None
        return AgentTask(agent=self.agent, definition=self.definition, inputs=self.inputs or {})

    @property
    def is_child(self) -> bool:
        """Whether it does the work of another run's action."""
        return self.parent is not None

    @property
    def is_plan(self) -> bool:
        """Whether it proposes a plan and carries it out."""
        return self.phase is not None and not self.phase.is_of_task

    @property
    def is_proposing(self) -> bool:
        """Whether a plan is made or changed in it, or waits to be confirmed."""
        return self.phase is Phase.PROPOSE

    @property
    def is_flow(self) -> bool:
        """Whether code says what is done next: it is of an agent, and began without a model."""
        return self.definition is not None and self.started_at is not None and not self.model

    @property
    def is_led_by_code(self) -> bool:
        """Whether code stands in the model's place: it hears nothing itself, but what works for it does."""
        return self.is_flow or self.phase is Phase.CARRY_OUT

    @property
    def is_over(self) -> bool:
        """Whether nothing moves it any more: a child has handed over at its end, and at a limit, too."""
        return self.state.is_final() or (self.is_child and self.completed_at is not None)

    def is_late(self, now: datetime) -> bool:
        """Whether nothing more of it is begun, because its deadline has passed."""
        return self.deadline_at is not None and self.deadline_at <= now

    def ends_by(self, moment: datetime) -> datetime:
        """The earlier of a moment and its deadline: until then is waited for what is asked for it."""
        return moment if self.deadline_at is None else min(moment, self.deadline_at)

    @property
    def request_run(self) -> str:
        """The id of the run that people see as the request: its root, or itself."""
        return self.root or self.id
