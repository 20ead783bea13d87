"""Definitions that stand side by side: no two of one name, no circle among them, and what each lacks to be used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.agents import documents, flows, reader
from bot.agents.definition import ENDING_TOOL, PLAN_TASK, AgentStep, Definition, Loop, Schema, Sequential
from bot.agents.problems import InvalidDefinition, Problem
from bot.agents.reader import DefinitionSource

SHIPPED = Path(__file__).parent / "shipped"
"""The folder of the definitions that come with the program."""

_NOT_READ = ("_", ".", "README")
"""How the names of files begin that stand in a folder of definitions and are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A definition with what it lacks: tools, agents and schemas by their names. It can be used where nothing is."""

    source: DefinitionSource
    lacks: Sequence[str] = ()

    @property
    def definition(self) -> Definition:
        """What was read."""
        return self.source.definition

    @property
    def file(self) -> str:
        """Where it was read from."""
        return self.source.document.name

    @property
    def is_available(self) -> bool:
        """Whether it lacks nothing."""
        return not self.lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """All definitions by their names, and everything that is wrong with the files."""

    entries: Mapping[str, Entry]
    problems: Sequence[Problem]


def files_of(folder: Path) -> Sequence[Path]:
    """The files of a folder that are definitions, by name."""
    found = (path for path in folder.iterdir() if path.suffix.lower() in documents.SUFFIXES and path.is_file())
    return sorted(path for path in found if not path.name.startswith(_NOT_READ))


def load(files: Iterable[Path], tools: Collection[str]) -> Library:
    """Read these files. `tools` are the names of all tools there are."""
    sources, problems = _read(files)
    by_name: dict[str, DefinitionSource] = {}
    for source in sources:
        wrong = _wrong_name(source, by_name, tools)
        if wrong is None:
            by_name[source.definition.name] = source
        else:
            problems.append(wrong)
    problems += _wrong_together(by_name, tools)
    lacks = _lacks(by_name, tools)
    entries = {name: Entry(source=source, lacks=lacks[name]) for name, source in by_name.items()}
    return Library(entries=entries, problems=sorted(problems))


def _read(files: Iterable[Path]) -> tuple[list[DefinitionSource], list[Problem]]:
    sources: list[DefinitionSource] = []
    problems: list[Problem] = []
    for path in files:
        try:
            sources.append(reader.read_file(path))
        except InvalidDefinition as error:
            problems += error.problems
    return sources, problems


def _wrong_name(
    source: DefinitionSource, known: Mapping[str, DefinitionSource], tools: Collection[str]
) -> Problem | None:
    name = source.definition.name
    if name in tools or name == ENDING_TOOL:
        return source.problem(("name",), f"“{name}” is the name of a tool.", "Give the agent another name.")
    if name == PLAN_TASK:
        what = f"“{name}” is whoever does a task of a plan that names no agent."
        return source.problem(("name",), what, "Give the agent another name.")
    if name in known:
        other = known[name].document
        what = f"There is an agent “{name}” in {other.name}:{other.line(('name',))} already."
        return source.problem(("name",), what, "Give one of them another name.")
    return None


def _wrong_together(sources: Mapping[str, DefinitionSource], tools: Collection[str]) -> Iterator[Problem]:
    """What no definition shows by itself: circles, too many levels, and steps that do not fit the agent they name."""
    uses = {name: _agents_of(source.definition, sources) for name, source in sources.items()}
    chains = flows.ways(uses)
    for name, source in sources.items():
        if circle := flows.cycle(name, uses):
            what = f"The agent would call itself: {' → '.join(circle)}."
            yield source.problem(("toolConfig", "tools"), what, "Take one of them out of toolConfig.tools.")
        elif len(chain := chains[name]) > flows.MOST_LEVELS:
            what = f"Agents are nested deeper than {flows.MOST_LEVELS} levels: {' → '.join(chain)}."
            yield source.problem(("toolConfig", "tools"), what, "Take one of them out of toolConfig.tools.")
        for place, step in enumerate(_steps(source.definition)):
            path = ("flow", "steps", place)
            if isinstance(step, AgentStep) and step.agent in tools:
                what = f"“{step.agent}” is a tool, and no agent."
                yield source.problem((*path, "agent"), what, "Write a step with a query, and list the tool there.")
            if isinstance(step, AgentStep) and step.agent in sources:
                agent = sources[step.agent].definition
                yield from (source.problem(*each) for each in flows.misfits(step, path, agent))


def _steps(definition: Definition) -> Sequence[object]:
    return definition.flow.steps if isinstance(definition.flow, Sequential) else ()


def _agents_of(definition: Definition, known: Collection[str]) -> Sequence[str]:
    return [name for name in definition.tools if name in known]


def _lacks(sources: Mapping[str, DefinitionSource], tools: Collection[str]) -> Mapping[str, Sequence[str]]:
    """What each definition lacks. An agent that lacks something is lacking itself, to those that use it."""
    lacks = {name: [*_own_lacks(source.definition, sources, tools)] for name, source in sources.items()}
    for _ in range(flows.MOST_LEVELS):
        for name, source in sources.items():
            if not lacks[name]:
                used = _agents_of(source.definition, sources)
                lacks[name] = [f"the agent {other} (not available)" for other in used if lacks[other]]
    return lacks


def _own_lacks(definition: Definition, agents: Collection[str], tools: Collection[str]) -> Iterator[str]:
    yield from (f"the tool {name}" for name in definition.tools if name not in tools and name not in agents)
    schemas: list[Schema | None] = [definition.output.schema]
    if isinstance(definition.flow, Loop):
        schemas.append(definition.flow.until)
    yield from (f"the schema {name}" for name in schemas if isinstance(name, str))
