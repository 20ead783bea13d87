"""A task as work for a run: the agent that does it, what it is told, and the plan as the model reads it. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from bot.agents.definition import PLAN_TASK, Definition, Input, InputType, Output, Prompt, RunLimits
from bot.domain.plans import TASK_ID, PlanTask
from bot.runtime.plans import prompts
from bot.tools.agents import AgentTool
from integrations.fences import fence, harmless, untrusted

TASK = "task"
_AS_IT_IS = f"${{{TASK}}}"
_GIVEN = {
    TASK: Input(description="The task.", type=InputType.STRING, required=True),
    TASK_ID: Input(description="Its number in the plan.", type=InputType.STRING, required=True),
}
_RESULT = Output(name="result", description="What came of the task.", schema={"type": "string"})
_SHOWN = 600  # characters of what came of a task


def worker(
    task: PlanTask, agent: Definition | None, *, confirmed: bool, tools: Sequence[str], steps: int | None
) -> AgentTool:
    """Who does the task: the agent that it names, or the assistant with its own tools; told the task alone. What is not
    `confirmed` as it stands is told behind a fence: a model wrote it after it had read what others wrote.
    """
    base = agent or Definition(
        name=PLAN_TASK,
        description="Does one task of a plan.",
        inputs={},
        output=_RESULT,
        prompt=Prompt(query="", system=prompts.text("worker")),
        tools=tuple(tools),
        limits=RunLimits(turns=steps),
    )
    return AgentTool(
        replace(
            base,
            inputs=_GIVEN,
            output=_RESULT,
            process_output=None,
            prompt=Prompt(query=_AS_IT_IS if confirmed else _fenced(), system=base.prompt.system),
            display_name=f"{task.id}. {task.title}",
        )
    )


def _fenced() -> str:
    begin, end = fence("plan")
    return prompts.text("changed_task", {"begin": begin, "end": end})


def inputs_of(task: PlanTask) -> dict[str, object]:
    """What its run is given. Nothing in it ends a fence."""
    told = prompts.text("task", {"id": task.id, "title": task.title, "goal": task.goal})
    return {TASK: harmless(told), TASK_ID: task.id}


def in_words(tasks: Sequence[PlanTask]) -> str:
    """The plan as JSON lines. What came of its tasks is made from what was read, so it is fenced."""
    lines = [
        json.dumps({**task.shown, **({"result": task.summary[:_SHOWN]} if task.summary else {})}, ensure_ascii=False)
        for task in tasks
    ]
    return untrusted("\n".join(lines), source="plan")
