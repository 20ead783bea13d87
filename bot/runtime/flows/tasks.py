"""What a flow does next, from its definition and from what came of its steps so far (docs/agents.md, “Flows”). Pure.

A step that asks the model, and each round of a loop, is a task for an agent of its own: the flow's definition with one
query and the tools of that step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.agents.definition import (
    AgentStep,
    Definition,
    Input,
    InputType,
    Loop,
    Output,
    Prompt,
    QueryStep,
    RunLimits,
    Sequential,
    Single,
)
from bot.agents.flows import PREVIOUS, title_of_step
from bot.agents.placeholders import fill
from bot.runtime.actions.flow_steps import StepOutput
from bot.runtime.texts import about_agents
from bot.tools.arguments import MAX_BYTES
from integrations.base import MAX_TEXT

MOST_HANDED_ON = 64_000
"""Characters of the text of one step that the next ones are given. The whole text stays with the run that wrote it."""

QUERY, SYSTEM = "query", "system"
_WHOLE = re.compile(r"\$\{([^{}\n]+)\}")
_GIVEN = {
    QUERY: Input(description="The task.", type=InputType.STRING, required=True),
    SYSTEM: Input(description="Who the agent is.", type=InputType.STRING, required=True),
}
_TEXT = Output(name="result", description="What was asked for.", schema={"type": "string"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is done next: the step's name, the agent that does it, and what that is given. The agent is one that is
    known by its name, or a definition made from the flow's.
    """

    step: str
    agent: str | Definition
    inputs: Mapping[str, object]


def step_name(definition: Definition, place: int) -> str:
    """The name of the step at this place, counted from 0."""
    if isinstance(definition.flow, Sequential):
        return definition.flow.steps[place].name
    return f"round {place + 1}"


def next_task(
    definition: Definition, inputs: Mapping[str, object], done: Sequence[StepOutput], *, is_satisfied: bool = False
) -> Task | None:
    """What comes after what is done; None at the end of the flow, as where a loop's last output `is_satisfied`.

    Of each earlier text so much is handed on as the agent of the step can be given.
    """
    most = MOST_HANDED_ON
    while True:
        handed = [replace(each, text=about_agents.handed_on(each.text, most)) for each in done]
        task = _after(definition, inputs, handed, is_satisfied=is_satisfied)
        if task is None or most == 0 or _can_be_given(task.inputs):
            return task
        most //= 2


def _can_be_given(inputs: Mapping[str, object]) -> bool:
    texts = [value for value in inputs.values() if isinstance(value, str)]
    size = len(json.dumps(inputs, ensure_ascii=False).encode())
    return size <= MAX_BYTES and all(len(text) <= MAX_TEXT for text in texts)


def _after(
    definition: Definition, inputs: Mapping[str, object], done: Sequence[StepOutput], *, is_satisfied: bool
) -> Task | None:
    match definition.flow:
        case Sequential(steps=steps) if len(done) < len(steps):
            return _step_of(definition, steps, inputs, done)
        case Loop(max_iterations=most) if len(done) < most and not is_satisfied:
            return _round_of(definition, inputs, done)
        case _:
            return None


def aim_of(definition: Definition) -> Mapping[str, object] | None:
    """The schema that a loop's output is to satisfy, if it has one."""
    until = definition.flow.until if isinstance(definition.flow, Loop) else None
    return until if isinstance(until, Mapping) else None


def result_of(definition: Definition, done: Sequence[StepOutput]) -> object:
    """What the flow hands over: the last output; its text where only a text is asked for."""
    last = done[-1]
    schema = definition.output.schema
    takes_text = isinstance(schema, Mapping) and schema.get("type") == "string"
    return last.text if takes_text else last.output


def so_far(definition: Definition, done: Sequence[StepOutput]) -> str:
    """What the steps handed over, one under the other."""
    return "\n\n".join(f"{step_name(definition, place)}: {each.text}" for place, each in enumerate(done))


def _step_of(
    definition: Definition,
    steps: Sequence[QueryStep | AgentStep],
    inputs: Mapping[str, object],
    done: Sequence[StepOutput],
) -> Task:
    step, is_last = steps[len(done)], len(done) == len(steps) - 1
    values = {**inputs, **{f"steps.{one.name}": each.text for one, each in zip(steps, done, strict=False)}}
    if done:
        values[PREVIOUS] = done[-1].text
    if isinstance(step, AgentStep):
        given = {name: _value(definition, written, values) for name, written in step.inputs.items()}
        known = {name: value for name, value in given.items() if value is not None}
        return Task(step=step.name, agent=step.agent, inputs=known)
    agent = replace(_asked(definition, step.tools), display_name=title_of_step(definition.title, step.name))
    if not is_last:
        agent = replace(agent, output=_TEXT, process_output=None)
    return Task(step=step.name, agent=agent, inputs=_told(definition, fill(step.query, values), inputs))


def _value(definition: Definition, written: object, values: Mapping[str, object]) -> object:
    """An input of a step's agent: one that is only a placeholder of the flow's input keeps that one's type. Each text
    of a list is filled by itself.
    """
    if isinstance(written, list):
        entries = cast("list[object]", written)
        return [fill(entry, values) if isinstance(entry, str) else entry for entry in entries]
    if not isinstance(written, str):
        return written
    whole = _WHOLE.fullmatch(written)
    return values.get(whole[1]) if whole and whole[1] in definition.inputs else fill(written, values)


def _round_of(definition: Definition, inputs: Mapping[str, object], done: Sequence[StepOutput]) -> Task:
    query = fill(definition.prompt.query, inputs)
    if done:
        query = about_agents.next_round(query, done[-1].text)
    step = step_name(definition, len(done))
    agent = replace(_asked(definition, definition.tools), display_name=title_of_step(definition.title, step))
    return Task(step=step, agent=agent, inputs=_told(definition, query, inputs))


def _asked(definition: Definition, tools: Sequence[str]) -> Definition:
    turns = definition.limits and definition.limits.turns
    return replace(
        definition,
        inputs=_GIVEN,
        prompt=Prompt(query=f"${{{QUERY}}}", system=f"${{{SYSTEM}}}"),
        tools=tuple(tools),
        limits=RunLimits(turns=turns) if turns is not None else None,
        flow=Single(),
    )


def _told(definition: Definition, query: str, inputs: Mapping[str, object]) -> Mapping[str, object]:
    return {QUERY: query.strip(), SYSTEM: fill(definition.prompt.system, inputs).strip()}
