"""The steps of a flow that were taken, from rows: what their runs handed over, and what tried the next one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.actions import Action
from bot.domain.runs import Run, RunState
from bot.runtime.limits import usage
from bot.store.unit_of_work import UnitOfWork
from integrations.text import made_fit


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutput:
    """What a step handed over: its output, and that as a text that later steps can be given."""

    output: object
    text: str


class TakenStep(NamedTuple):
    """A step that was taken: its action, and the run that did the work, if it came to one."""

    action: Action
    child: Run | None

    @property
    def is_done(self) -> bool:
        """Whether the work was done."""
        return self.child is not None and self.child.state is RunState.COMPLETED

    @property
    def was_left(self) -> bool:
        """Whether it stopped at a limit, and can be taken again."""
        return self.child is not None and self.child.state is RunState.PAUSED

    @property
    def mark(self) -> str:
        """The mark of a flow that was continued behind this step."""
        return usage.continued_behind(self.action.id)


class FlowStanding(NamedTuple):
    """What the steps handed over, in their order; the last one taken, where it is not done; and the newest run that
    tried the next one before.
    """

    done: Sequence[StepOutput]
    last: TakenStep | None = None
    tried: str | None = None


async def standing_of(work: UnitOfWork, run: Run) -> FlowStanding:
    """As its rows say it. One that is tried again goes on with what the failed one had done."""
    done, last, tried = await _before(work, run)
    for one in await _taken(work, run):
        if one.child is not None and one.is_done:
            done, last, tried = (
                [*done, StepOutput(output=one.child.output, text=made_fit(one.child.summary))],
                None,
                None,
            )
        else:
            last, tried = one, one.action.child or tried
    return FlowStanding(done, last, tried)


async def _before(work: UnitOfWork, run: Run) -> FlowStanding:
    """Where the run that is tried again stood. What the steps of another definition did stands for nothing; where all
    was done it was the last output that did not fit, and that step is taken again.
    """
    tried = await work.runs.find(run.retry_of) if run.retry_of else None
    if tried is None or tried.definition != run.definition:
        return FlowStanding((), tried=tried.id if tried else None)
    before, taken = await standing_of(work, tried), await _taken(work, tried)
    if before.last is None and taken and tried.state is RunState.FAILED:
        return FlowStanding(before.done[:-1], tried=taken[-1].action.child)
    return before._replace(last=None)


async def _taken(work: UnitOfWork, run: Run) -> Sequence[TakenStep]:
    actions = await work.actions.of_run(run.id)
    return [TakenStep(action, await work.runs.find(action.child) if action.child else None) for action in actions]
