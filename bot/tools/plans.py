"""Proposing a plan, as a tool: a call waits until its owner confirms the plan, wants it changed, or drops it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bot.domain.plans import MOST_TASKS, PlanTask
from integrations.base import Call, Result, Tool, ToolArgs
from policies.types import EffectClass, Role

PROPOSE_PLAN = "propose_plan"

_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
_Goal = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class TaskArgs(BaseModel):
    """One task as the model writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: _Title = Field(description="What is done, in a few words.")
    goal: _Goal = Field(description="What is to be true when the task is done, and what it needs to know for that.")
    agent: str = Field(default="", max_length=64, description="The agent that does it; leave it out for yourself.")


class PlanArgs(ToolArgs):
    """The whole plan."""

    tasks: Annotated[
        list[TaskArgs],
        Role.CONTENT,
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

    async def execute(self, args: PlanArgs, call: Call) -> Result:
        """Never called: its owner answers it."""
        raise NotImplementedError(f"{self.name} is answered by a person")


def tasks_of(args: ToolArgs) -> Sequence[PlanTask]:
    """The tasks of a proposed plan, numbered from 1."""
    if not isinstance(args, PlanArgs):
        raise TypeError(f"{type(args).__name__} has no tasks")
    return [
        PlanTask(id=str(number), title=task.title, goal=task.goal, agent=task.agent)
        for number, task in enumerate(args.tasks, start=1)
    ]
