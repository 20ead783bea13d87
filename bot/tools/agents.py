"""Agents as tools: a call of one queues a run of its own, which does the task (docs/agents.md)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, create_model

from bot.agents.canonical import as_json, digest
from bot.agents.definition import Definition, Input, InputType
from bot.tools.arguments import stored
from integrations.base import Call, Result, Tool, ToolArgs
from policies.types import EffectClass, Role

_CAPTION_SHOWN = 120  # characters of what it is told


def _whole(value: object) -> object:
    """JSON writes a whole number as 3.0, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_Text = Annotated[str, Field(strict=True)]
_Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
_TYPES: Mapping[InputType, Any] = {
    InputType.STRING: _Text,
    InputType.NUMBER: _Number,
    InputType.INTEGER: Annotated[int, BeforeValidator(_whole), Field(strict=True)],
    InputType.BOOLEAN: Annotated[bool, Field(strict=True)],
    InputType.STRINGS: list[_Text],
    InputType.NUMBERS: list[_Number],
}


class AgentTool(Tool[ToolArgs]):
    """An agent to which work is given. It reads nothing and changes nothing itself: its run's calls are judged one by
    one.
    """

    effect = EffectClass.READ
    thing = "agent"

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.hash = digest(definition)
        self.name = definition.name
        self.description = definition.description.strip()
        self.args = arguments_of(definition)

    def caption(self, args: ToolArgs) -> str:
        """Its name, and the first words that it is told; an id is none."""
        words = (" ".join(value.split()) for value in inputs_of(args).values() if isinstance(value, str))
        line = next((each for each in words if " " in each), "")
        short = line if len(line) <= _CAPTION_SHOWN else f"{line[:_CAPTION_SHOWN]}…"
        return f"{self.definition.title}: {short}" if short else self.definition.title

    def inputs(self, text: str) -> Mapping[str, object]:
        """The inputs in an action's arguments."""
        return inputs_of(stored(self, text))

    def canonical(self) -> str:
        """The definition as it is stored."""
        return as_json(self.definition)

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        """Never called: such a call is not claimed, but given to a run."""
        raise NotImplementedError(f"{self.name} is done by a run of its own")


class StepTool(AgentTool):
    """The agent that was made for a step of a flow."""

    def caption(self, args: ToolArgs) -> str:
        """Its title: what it is told was written for a model."""
        return self.definition.title


def arguments_of(definition: Definition) -> type[ToolArgs]:
    """The model of an agent's inputs. The model writes them, so they are content, whatever they say."""
    fields: dict[str, Any] = {name: _field(one) for name, one in definition.inputs.items()}
    with warnings.catch_warnings():
        # An input may be named as a method that pydantic gave up, such as “json”; nothing here calls these.
        warnings.simplefilter("ignore", UserWarning)
        return create_model(definition.name, __base__=ToolArgs, **fields)


def _field(one: Input) -> tuple[Any, Any]:
    kind, described = _TYPES[one.type], Field(description=one.description)
    if one.required:
        return Annotated[kind, Role.CONTENT], described
    return Annotated[kind | None, Role.CONTENT], Field(default=None, description=one.description)


def inputs_of(args: ToolArgs) -> Mapping[str, object]:
    """The inputs that were given."""
    return {name: value for name, value in args.model_dump(mode="json").items() if value is not None}
