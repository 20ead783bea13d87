"""What happened, as frozen events in the past tense. They travel over the bus, best effort, and carry little.

What a run says or does that works for another one carries the `root` of both: people see it as part of that request.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState


@dataclass(frozen=True, slots=True)
class RunMoved:
    """A run reached a state. `begun_in` is the epoch of the lease under which it was begun, in that event alone."""

    run_id: str
    state: RunState
    root: str | None = None
    begun_in: int | None = None


@dataclass(frozen=True, slots=True)
class TextStreamed:
    """The model said a piece of text."""

    run_id: str
    text: str
    root: str | None = None


@dataclass(frozen=True, slots=True)
class ThoughtStreamed:
    """The model thought a piece of text."""

    run_id: str
    text: str
    root: str | None = None


@dataclass(frozen=True, slots=True)
class TextVoided:
    """What was streamed since the step began is to be replaced: the step is redone, or it was not the answer."""

    run_id: str
    root: str | None = None


@dataclass(frozen=True, slots=True)
class ActionMoved:
    """An action reached a state; `caption` is its one line for people."""

    run_id: str
    action_id: str
    state: str
    caption: str
    root: str | None = None


@dataclass(frozen=True, slots=True)
class HomeChanged:
    """What App Home shows of a person changed."""

    team: str
    user: str


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """One step of the model ended: `finish` is how, or the reason why there is no answer."""

    run_id: str
    model: str
    finish: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelRetried:
    """The model is asked again, because of this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """One attempt of a tool ended: `outcome` is `ok`, or the kind of what it raised."""

    tool: str
    outcome: str
    attempt: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ThreadServed:
    """This process serves a thread from now on, under this epoch of its lease."""

    thread_id: str
    epoch: int


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """Somebody is asked by a card; one of kind `approve` wants their yes to an action."""

    run_id: str
    kind: QuestionKind


@dataclass(frozen=True, slots=True)
class LeaseTakenOver:
    """A lease was taken from a holder that had not given it back."""

    name: str


@dataclass(frozen=True, slots=True)
class JobCrashed:
    """A defect of ours broke off a job of this kind: `model`, `action` or `watch`."""

    kind: str


Event = (
    RunMoved
    | TextStreamed
    | ThoughtStreamed
    | TextVoided
    | ActionMoved
    | HomeChanged
    | ModelAnswered
    | ModelRetried
    | ToolAnswered
    | QuestionAsked
    | LeaseTakenOver
    | ThreadServed
    | JobCrashed
)
