"""What happened, as frozen events in the past tense. They travel over the bus, best effort, and carry little."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.runs import RunState


@dataclass(frozen=True, slots=True)
class RunMoved:
    """A run reached a state."""

    run_id: str
    state: RunState


@dataclass(frozen=True, slots=True)
class TextStreamed:
    """The model said a piece of text."""

    run_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ThoughtStreamed:
    """The model thought a piece of text."""

    run_id: str
    text: str


@dataclass(frozen=True, slots=True)
class TextVoided:
    """What was streamed since the step began is to be replaced: the step is redone, or it was not the answer."""

    run_id: str


@dataclass(frozen=True, slots=True)
class ActionMoved:
    """An action reached a state; `caption` is its one line for people."""

    run_id: str
    action_id: str
    state: str
    caption: str


@dataclass(frozen=True, slots=True)
class HomeChanged:
    """What App Home shows of a person changed."""

    team: str
    user: str


Event = RunMoved | TextStreamed | ThoughtStreamed | TextVoided | ActionMoved | HomeChanged
