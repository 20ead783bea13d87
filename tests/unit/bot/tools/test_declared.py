"""What the model is told of a tool's arguments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.tools.declared import schema_of
from integrations.base import Call, Content, Result, Tool, ToolArgs
from policies.types import EffectClass, Role


class Args(ToolArgs):
    """Arguments of a tool."""

    title: Annotated[Content, Field(max_length=80, description="Of the event.")]
    people: Annotated[list[str], Role.DESTINATION, Field(default_factory=list)]
    zone: Annotated[str | None, Role.NONE, Field(max_length=40)] = None
    limit: Annotated[int, Role.NONE, Field(ge=1, le=10)] = 5
    notify: Annotated[str, Role.NONE] = "all"
    scope: Annotated[Literal["this", "series"] | None, Role.NONE] = None
    meet: Annotated[bool, Role.NONE] = False


class Sample(Tool[ToolArgs]):
    """A tool that takes them."""

    name = "sample"
    effect = EffectClass.READ
    description = "A sample."
    args = Args

    def caption(self, args: ToolArgs) -> str:
        """Its name."""
        return self.name

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        """Nothing."""
        raise NotImplementedError


def test_what_a_call_needs_and_nothing_else() -> None:
    """Names, types, choices and meaning stay, an argument named as a keyword of JSON Schema too; what is checked when a
    call comes in is left out, and so are null where an argument need not be given, and a number that is filled in then.
    """
    assert schema_of(Sample()) == {
        "type": "object",
        "properties": {
            "title": {"description": "Of the event.", "type": "string"},
            "people": {"items": {"type": "string"}, "type": "array"},
            "zone": {"type": "string"},
            "limit": {"type": "integer"},
            "notify": {"default": "all", "type": "string"},
            "scope": {"enum": ["this", "series"], "type": "string"},
            "meet": {"type": "boolean"},
        },
        "required": ["title"],
    }
