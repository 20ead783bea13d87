"""A kit: what the runs of one agent are given, its tools and the model that they ask."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.agents import reader
from bot.agents.definition import ENDING_TOOL, Definition, ModelChoice, Single
from bot.domain.runs import Run
from bot.llm.model import Parameters, ToolDeclaration
from bot.tools.handover import Handover
from bot.tools.plans import PROPOSE_PLAN
from bot.tools.registry import Registry
from policies.types import EffectClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """`tools` are the names that the agent lists, `declarations` those of them that this installation has, in that
    order and as the model sees them; `model` is the id of the model, `parameters` how it is to answer. An agent that
    was written down has its `definition`, and how its runs hand over what they return.
    """

    tools: frozenset[str]
    declarations: Sequence[ToolDeclaration]
    model: str
    parameters: Parameters = field(default_factory=Parameters)
    definition: Definition | None = None
    handover: Handover | None = None

    @property
    def has_flow(self) -> bool:
        """Whether code says what is done next, and no model."""
        return self.definition is not None and not isinstance(self.definition.flow, Single)

    @classmethod
    def of(cls, tools: Sequence[str], registry: Registry, *, model: str) -> Kit:
        """The kit of an agent that lists these tools."""
        return cls(tools=frozenset(tools), declarations=registry.declarations(tools), model=model)

    @classmethod
    def of_planner(cls, tools: Sequence[str], registry: Registry, *, model: str) -> Kit:
        """The kit of a plan's run: of these tools those that look things up, and the one that proposes."""
        reads = [name for name in tools if name in registry and registry[name].effect is EffectClass.READ]
        return cls.of([*reads, PROPOSE_PLAN], registry, model=model)

    @property
    def last_word(self) -> Mapping[str, object] | None:
        """The schema of a last word without tools; None where that is any text."""
        return None if self.handover is None or self.handover.takes_text else self.handover.schema

    def has(self, name: str, registry: Registry) -> bool:
        """Whether a call of this name can be meant: it is known here, or ends the run."""
        return name in registry or (self.handover is not None and name == ENDING_TOOL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kits:
    """The kit of each run. An agent uses those of its tools that the constitution lists (`allowed`), and the model that
    `model_of` finds for what it wrote of it. The `planner` only looks things up, and proposes.
    """

    assistant: Kit
    planner: Kit
    registry: Registry
    model_of: Callable[[ModelChoice], tuple[str, Parameters]]
    allowed: Collection[str] = ()
    _agents: dict[str, Kit] = field(default_factory=dict[str, Kit])

    def of(self, run: Run) -> Kit:
        """What this run was given; that of an agent was learned before."""
        if run.definition is not None:
            return self._agents[run.definition]
        return self.planner if run.is_plan else self.assistant

    def unknown(self, runs: Iterable[Run]) -> Sequence[str]:
        """The hashes of the definitions of these runs that are still to be learned."""
        return sorted({run.definition for run in runs if run.definition and run.definition not in self._agents})

    def learn(self, hash_: str, canonical: str) -> None:
        """A definition by its hash, in canonical form."""
        self._agents[hash_] = self._kit(reader.read_mapping(json.loads(canonical), hash_).definition)

    def _kit(self, definition: Definition) -> Kit:
        tools = [name for name in definition.tools if name in self.allowed]
        model, parameters = self.model_of(definition.model or ModelChoice())
        handover = Handover(output=definition.output)
        return Kit(
            tools=frozenset(tools),
            declarations=(*self.registry.declarations(tools), handover.declaration),
            model=model,
            parameters=parameters,
            definition=definition,
            handover=handover,
        )
