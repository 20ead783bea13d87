"""Proposing a plan, as a tool: a call waits until its owner confirms the plan, wants it changed, or drops it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bot.domain.plans import MOST_TASKS, PlanTask
from integrations import base
from integrations.base import Call, Preview, Result, Shape, Tool, ToolArgs, ToolContext, Wording
from policies.types import EffectClass, Role

PROPOSE_PLAN = "propose_plan"
TASKS = "tasks"
"""Its argument."""

_BY_NONE = "By no agent."
_NAMES_AGENT = re.compile(r"^[\W_]*by\s+(the\s+)?agent\b", re.IGNORECASE | re.MULTILINE)
"""Words at the beginning of a line that read like the name of who does it."""

_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
_Goal = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class TaskArgs(BaseModel):
    """One task as the model writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: _Title = Field(description="What is done, in a few words.")
    goal: _Goal = Field(description="What is to be true when the task is done, and what it needs to know for that.")
    agent: str = Field(default="", max_length=64, description="The agent that does it; leave it out for yourself.")
    id: str = Field(
        default="",
        max_length=8,
        repr=False,
        description="Of a pending task that it still is, in other words or not; leave it out for a new one.",
    )


class PlanArgs(ToolArgs):
    """The whole plan."""

    tasks: Annotated[
        list[TaskArgs],
        Role.CONTENT,
        Shape.ENTRIES,
        Wording(label="Task", hint="The first line is its title, the rest its goal. An emptied task is taken out."),
        Field(min_length=1, max_length=MOST_TASKS, description="The tasks, in the order in which they are done."),
    ]


class PlanTool(Tool[PlanArgs]):
    """What a model in planning calls. It reads and changes nothing: what comes of it, its owner says."""

    name = PROPOSE_PLAN
    effect = EffectClass.READ
    thing = "plan"
    description = (
        "Propose a plan to the person: the tasks, one after another. They confirm it, or say what is to be different; "
        "then call this again with the whole plan. Nothing is done before they confirm."
    )
    args = PlanArgs

    def caption(self, args: PlanArgs) -> str:
        """How many tasks it has."""
        count = len(args.tasks)
        return f"Plan of {count} task{'s' if count > 1 else ''}: {args.tasks[0].title}"

    async def preview(self, args: PlanArgs, ctx: ToolContext) -> Preview:
        """The tasks alone; what the plan may use is said where it is asked about."""
        return Preview(title=self.caption(args), fields=as_fields(tasks_of(args)))

    async def execute(self, args: PlanArgs, call: Call) -> Result:
        """Never called: its owner answers it."""
        raise NotImplementedError(f"{self.name} is answered by a person")


def named_in(args: PlanArgs) -> Sequence[str]:
    """The id that each task has by the words of who proposes it: that of a task of before, or none."""
    return [task.id.strip() for task in args.tasks]


def tasks_of(args: ToolArgs) -> Sequence[PlanTask]:
    """The tasks of a proposed plan, numbered from 1."""
    if not isinstance(args, PlanArgs):
        raise TypeError(f"{type(args).__name__} has no tasks")
    return [
        PlanTask(id=str(number), title=task.title, goal=task.goal, agent=task.agent)
        for number, task in enumerate(args.tasks, start=1)
    ]


def as_fields(tasks: Sequence[PlanTask]) -> Sequence[base.Field]:
    """The tasks as a card shows them: the title is the first line."""
    return [base.Field(label=f"Task {task.id}", value=_told(task)) for task in tasks]


def differing(new: Sequence[base.Field], old: Sequence[base.Field]) -> Sequence[base.Field]:
    """The tasks, each with what it was on the card before; those that were taken out stand behind them.

    A task is the same where its title is, or else its goal, so that taking one out changes none of those behind it.
    """
    left = [field for field in old if field.value]
    before: dict[str, str] = {}
    for sameness in (_whole, _title, _rest):
        for field in new:
            same = next((one for one in left if sameness(one.value) == sameness(field.value)), None)
            if field.label not in before and same is not None:
                before[field.label] = same.value
                left.remove(same)
    changed = [replace(field, before=_was(before.get(field.label, ""), field.value)) for field in new]
    return [*changed, *(replace(one, value="", before=one.value) for one in left)]


def _was(before: str, now: str) -> str | None:
    return None if before == now else before


def _whole(text: str) -> str:
    return text


def _title(text: str) -> str:
    return text.partition("\n")[0]


def _rest(text: str) -> str:
    return text.partition("\n")[2] or text


def _told(task: PlanTask) -> str:
    """Below the title stands which agent does it, or that none does, where the words read as if one did. A goal in the
    words of the title is said once.
    """
    if task.agent:
        return "\n".join([_on_one_line(task.title), f"By the agent {task.agent}.", task.goal])
    if _NAMES_AGENT.search(f"{task.title}\n{task.goal}"):
        return "\n".join([_on_one_line(task.title), _BY_NONE, task.goal])
    return task.goal if task.goal.rstrip(". ") == task.title.rstrip(". ") else f"{task.title}\n{task.goal}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
