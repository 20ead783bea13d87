"""A kit: what the runs of one agent are given, its tools and the model that they ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.runs import Run
from bot.llm.model import ToolDeclaration
from bot.tools.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """`tools` are the names that the agent lists, `declarations` those of them that this installation has, in that
    order and as the model sees them; `model` is the id of the model.
    """

    tools: frozenset[str]
    declarations: Sequence[ToolDeclaration]
    model: str

    @classmethod
    def of(cls, tools: Sequence[str], registry: Registry, *, model: str) -> Kit:
        """The kit of an agent that lists these tools."""
        return cls(tools=frozenset(tools), declarations=registry.declarations(tools), model=model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kits:
    """The kit of each run."""

    assistant: Kit

    def of(self, run: Run) -> Kit:
        """What this run was given."""
        del run  # every run is one of the assistant
        return self.assistant
