"""A tool of every shape of argument, for tests of what is done with arguments."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from integrations.base import Call, Content, ObjectId, Result, Tool, ToolArgs
from policies.types import Addressing, EffectClass, Label, Role


class NoteArgs(ToolArgs):
    """Roles at every depth: on the field, in a list, in an optional, in an optional list, and said to be none."""

    text: Content
    thread_id: ObjectId | None = None
    to: Annotated[list[str], Role.DESTINATION] = Field(default_factory=list[str])
    links: list[Annotated[str, Role.URL]] | None = None
    limit: Annotated[int, Role.NONE, Field(ge=1, le=25)] = 10
    pinned: Annotated[bool, Role.NONE] = False


class Note(Tool[ToolArgs]):
    """Notes a text."""

    name = "note"
    effect = EffectClass.OWN
    description = "Notes a text."
    timeout_seconds = 7.0
    args = NoteArgs

    def caption(self, args: ToolArgs) -> str:
        return "Note a text"

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        return Result(data={}, summary="Noted.", label=Label.OWNER)


class Look(Note):
    """Another name, another effect."""

    name = "look"
    effect = EffectClass.READ


class Mails(Note):
    """Writes to those whom its arguments name."""

    name = "mails"
    effect = EffectClass.EXTERNAL
    addressing = Addressing.STATED


class Nothing(ToolArgs):
    """No argument at all."""
