"""The record of a run of an agent, as its row says it. It is there before the run begins, until it is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.domain.runs import Run, RunState
from bot.runtime.texts.about_limits import interrupted


class AgentRunStatus(StrEnum):
    """Where it stands, for who called it."""

    RUNNING = "running"
    AWAITING = "awaiting_confirmation"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    PAUSED = "paused"


_STATUSES: Mapping[RunState, AgentRunStatus] = {
    RunState.QUEUED: AgentRunStatus.RUNNING,
    RunState.PLANNING: AgentRunStatus.RUNNING,
    RunState.EXECUTING: AgentRunStatus.RUNNING,
    RunState.AWAITING: AgentRunStatus.AWAITING,
    RunState.COMPLETED: AgentRunStatus.COMPLETED,
    RunState.FAILED: AgentRunStatus.FAILED,
    RunState.CANCELLED: AgentRunStatus.CANCELLED,
    RunState.PAUSED: AgentRunStatus.PAUSED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRun:
    """`definition` is the hash of what the agent was, `input` what it was given, `output` what it handed over.

    `summary` is the text that was made of that; of one that failed or was stopped, what it had written. `duration` is
    in seconds of the wall clock. `stop_reason` names the limit at which it paused, or “silence”. `parent` is the run
    that it works for, if any.

    `completed_at` and `duration` are those of its end, or of its pause; of what works or waits they are None.
    """

    id: str
    agent: str
    definition: str
    status: AgentRunStatus
    input: Mapping[str, object]
    output: object
    summary: str
    error_message: str
    model: str
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    duration: float | None
    stop_reason: str
    parent: str | None
    root: str | None

    @property
    def is_over(self) -> bool:
        """Whether it ended or paused."""
        return self.completed_at is not None

    def as_json(self) -> dict[str, object]:
        """The record as a JSON object."""
        return {
            name: value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(self).items()
        }


def agent_run(run: Run) -> AgentRun:
    """The record of this run. Raises `ValueError` for one that is no agent's."""
    if run.task is None:
        raise ValueError(f"{run.id} is no run of an agent")
    ended = _ended(run)
    return AgentRun(
        id=run.id,
        agent=run.agent,
        definition=run.task.definition,
        status=_STATUSES[run.state],
        input=run.task.inputs,
        output=run.output,
        summary=(run.summary + (interrupted(run.partial) if run.partial else "")).strip(),
        error_message=run.error,
        model=run.model,
        created_at=run.created_at,
        started_at=run.started_at,
        completed_at=ended,
        duration=run.duration_ms / 1000 if ended and run.duration_ms is not None else None,
        stop_reason=run.stop_code if run.state is RunState.PAUSED else "",
        parent=run.parent,
        root=run.root,
    )


def _ended(run: Run) -> datetime | None:
    """When it ended, or paused: a paused request may go on, so its row has only how long it took until then."""
    if run.state.is_live() or run.duration_ms is None:
        return None
    return run.completed_at or run.created_at + timedelta(milliseconds=run.duration_ms)
