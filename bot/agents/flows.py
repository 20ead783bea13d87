"""What a flow must keep to: names, placeholders and tools of its steps; and among agents, no cycle and three levels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from bot.agents import inputs, placeholders
from bot.agents.definition import AgentStep, Definition, Input, Loop, QueryStep, Sequential, Step
from integrations.base import MAX_TEXT
from integrations.text import check_fit
from policies.strict_yaml import KeyPath

MOST_LEVELS = 3
"""An agent, the agents that it uses, and those that they use."""

PREVIOUS = "previous"
"""The placeholder of the output of the step before."""

_MARK = " · "

Finding = tuple[KeyPath, str, str]
"""Where something is wrong, what, and the cure."""


def title_of_step(flow: str, step: str) -> str:
    """The title of a step where it stands alone, as on a card."""
    return f"{flow}{_MARK}{step}"


def title_below(title: str, above: str) -> str:
    """A title where that of the run above stands beside it: a step of a flow has its own name only."""
    return title.removeprefix(f"{above}{_MARK}")


def findings(definition: Definition) -> Iterator[Finding]:
    """What is wrong with the steps of one definition."""
    yield from _unfit(definition)
    if not isinstance(definition.flow, Sequential):
        return
    known = set(definition.inputs)
    if PREVIOUS in known:
        what = f"The input “{PREVIOUS}” has the name of the placeholder for the step before."
        yield ("inputConfig", "inputs", PREVIOUS), what, "Give it another name."
    names: set[str] = set()
    for place, step in enumerate(definition.flow.steps):
        path: KeyPath = ("flow", "steps", place)
        if step.name in names:
            yield (*path, "name"), f"Two steps are named “{step.name}”.", "Give one of them another name."
        yield from _unknown_placeholders(step, path, known)
        yield from _unlisted_tools(step, path, definition.tools)
        names.add(step.name)
        known |= {PREVIOUS, f"steps.{step.name}"}


def _unknown_placeholders(step: Step, path: KeyPath, known: Collection[str]) -> Iterator[Finding]:
    for key, template in _templates(step):
        for written in placeholders.unknown(template, known):
            what = f"There is no value for “{written}” in this step."
            cure = "Use an input, ${previous} or ${steps.NAME} of a step before, or write $${ for a literal ${."
            yield (*path, *key), what, cure
        if what := placeholders.too_many(template):
            yield (*path, *key), what, "Name each value once, and refer to it in words."


def _unfit(definition: Definition) -> Iterator[Finding]:
    """Texts that no run of a step can be given as an input of it."""
    for path, text in _given(definition):
        try:
            check_fit(text)
        except ValueError as error:
            yield path, f"The steps of a flow cannot be given this text: it {error}.", "Correct it there."
        if len(text) > MAX_TEXT:
            what = f"The steps of a flow cannot be given this text: it has more than {MAX_TEXT:,} characters."
            yield path, what, "Make it shorter."


def _given(definition: Definition) -> Iterator[tuple[KeyPath, str]]:
    """The texts of which the inputs of the steps' runs are made."""
    flow = definition.flow
    steps = flow.steps if isinstance(flow, Sequential) else ()
    if isinstance(flow, Loop):
        yield ("promptConfig", "query"), definition.prompt.query
    if isinstance(flow, Loop) or any(isinstance(step, QueryStep) for step in steps):
        yield ("promptConfig", "systemPrompt"), definition.prompt.system
    for place, step in enumerate(steps):
        yield from ((("flow", "steps", place, *key), text) for key, text in _templates(step))


def _templates(step: Step) -> Iterator[tuple[KeyPath, str]]:
    match step:
        case QueryStep():
            yield ("query",), step.query
        case AgentStep():
            for name, value in step.inputs.items():
                entries = enumerate(cast("list[object]", value)) if isinstance(value, list) else ()
                texts: list[tuple[KeyPath, object]] = [((), value), *(((place,), entry) for place, entry in entries)]
                yield from ((("inputs", name, *key), text) for key, text in texts if isinstance(text, str))


def _unlisted_tools(step: Step, path: KeyPath, listed: Sequence[str]) -> Iterator[Finding]:
    """`toolConfig.tools` lists all that an agent may use, its steps included."""
    used = [(("tools", place), tool) for place, tool in enumerate(step.tools)] if isinstance(step, QueryStep) else []
    if isinstance(step, AgentStep):
        used = [(("agent",), step.agent)]
    for key, name in used:
        if name not in listed:
            yield (*path, *key), f"The step uses “{name}”, which is not listed.", "List it in toolConfig.tools, too."


def misfits(step: AgentStep, path: KeyPath, agent: Definition) -> Iterator[Finding]:
    """What is wrong with the inputs that a step gives to an agent. The types of those with placeholders are checked
    once the values are known.
    """
    for name, value in step.inputs.items():
        if name not in agent.inputs:
            takes = ", ".join(agent.inputs) or "none"
            yield (*path, "inputs", name), f"{agent.name} has no input “{name}”.", f"Its inputs are: {takes}."
        elif value is not None and not _may_fit(value, agent.inputs[name]):
            what = f"The input “{name}” of {agent.name} must be {inputs.called(agent.inputs[name])}."
            yield (*path, "inputs", name), what, "Correct it there."
    lacking = [name for name, one in agent.inputs.items() if one.required and step.inputs.get(name) is None]
    if lacking:
        yield path, f"{agent.name} needs the input “{lacking[0]}”.", "Add it to the inputs of the step."


def _may_fit(written: object, one: Input) -> bool:
    """Whether it fits, or has a placeholder, whose value decides."""
    return _has_placeholder(written) or inputs.fits(written, one)


def _has_placeholder(written: object) -> bool:
    texts = cast("list[object]", written) if isinstance(written, list) else [written]
    return any(isinstance(text, str) and "${" in text for text in texts)


def cycle(name: str, uses: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The way from this agent back to itself, if there is one."""
    seen: set[str] = set()
    ways: list[tuple[str, ...]] = [(name,)]
    while ways:
        way = ways.pop()
        for used in uses.get(way[-1], ()):
            if used == name:
                return (*way, used)
            if used not in seen:
                seen.add(used)
                ways.append((*way, used))
    return ()


def ways(uses: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """The longest chain that begins with each agent, cut behind the first one too many."""
    found: dict[str, tuple[str, ...]] = {name: (name,) for name in uses}
    for _ in range(MOST_LEVELS):
        found = {
            name: (name, *max((found[other] for other in used if other in found), key=len, default=()))
            for name, used in uses.items()
        }
    return found
