"""What a definition says of its agent, once it was read: frozen values. `bot.agents.reader` makes them.

The keys are those of the agent definition format (`docs/agents.md`); `flow` is ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.limits import SpawnLimits

ENDING_TOOL = "complete_task"
"""The tool with which an agent hands over its output; its one argument is `Output.name`."""

PLAN_TASK = "plan_task"
"""The name of whoever does a task of a plan that names no agent."""

DEFAULT_ITERATIONS, MOST_ITERATIONS = 3, 20
DEFAULT_PROCESS = "json"

Schema = Mapping[str, object] | str
"""A JSON Schema; or only its name, where there is no file of that name in `schemas/`."""


class InputType(StrEnum):
    """What an input may be."""

    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    STRINGS = "string[]"
    NUMBERS = "number[]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One argument of the agent's task."""

    description: str
    type: InputType
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What the agent returns: the argument of the tool that ends its work."""

    name: str
    description: str
    schema: Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What the agent is told: who it is (`system`), and its task. Both may have placeholders."""

    query: str
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """What was written about the model, as it was written; None is not written. `bot.llm.choice` says what is sent."""

    model: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    thinking_budget: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """How long the agent may work, and how many steps it may take; None is not written."""

    minutes: float | None = None
    turns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryStep:
    """A step that asks the model, with some of the agent's tools. `limits` win over those of the agent."""

    name: str
    query: str
    tools: Sequence[str] = ()
    limits: SpawnLimits = field(default_factory=SpawnLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStep:
    """A step that another agent takes. A text among the inputs may have placeholders. `limits` win over those of that
    agent's definition.
    """

    name: str
    agent: str
    inputs: Mapping[str, object] = field(default_factory=dict[str, object])
    limits: SpawnLimits = field(default_factory=SpawnLimits)


Step = QueryStep | AgentStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """The agent works once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequential:
    """The steps are taken one after another."""

    steps: Sequence[Step]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """The agent works again until its output satisfies `until`, or `max_iterations` times."""

    until: Schema | None = None
    max_iterations: int = DEFAULT_ITERATIONS


Flow = Single | Sequential | Loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A whole definition. `process_output` names a function of `bot.agents.processors`. `model` and `limits` are None
    where their section is not written, and stand without a value where it is empty.
    """

    name: str
    description: str
    inputs: Mapping[str, Input]
    output: Output
    prompt: Prompt
    tools: Sequence[str]
    display_name: str | None = None
    process_output: str | None = None
    model: ModelChoice | None = None
    limits: RunLimits | None = None
    flow: Flow = Single()

    @property
    def title(self) -> str:
        """The name for people."""
        return self.display_name or self.name

    @property
    def purpose(self) -> str:
        """What people read of the description: its first paragraph, on one line. The others tell the model more."""
        first, *_ = re.split(r"\n\s*\n", self.description.strip())
        return " ".join(first.split())
