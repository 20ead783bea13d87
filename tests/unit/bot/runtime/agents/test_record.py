"""The record of a run of an agent: what each state of its row says to who called it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.runs import SILENCE, Run, RunState
from bot.runtime.agents.record import AgentRunStatus, agent_run
from tests import builders as make
from tests.builders import NOW

STATUSES = {
    RunState.QUEUED: AgentRunStatus.RUNNING,
    RunState.PLANNING: AgentRunStatus.RUNNING,
    RunState.EXECUTING: AgentRunStatus.RUNNING,
    RunState.AWAITING: AgentRunStatus.AWAITING,
    RunState.COMPLETED: AgentRunStatus.COMPLETED,
    RunState.FAILED: AgentRunStatus.FAILED,
    RunState.CANCELLED: AgentRunStatus.CANCELLED,
    RunState.PAUSED: AgentRunStatus.PAUSED,
}
ENDED = NOW + timedelta(seconds=75)


def of_agent(**values: Any) -> Run:
    given: dict[str, Any] = {
        "agent": "scout",
        "definition": "0" * 64,
        "inputs": {"topic": "benches"},
        "created_at": NOW,
    }
    return make.run(**given | values)


@pytest.mark.parametrize("state", RunState)
def test_every_state_is_a_status(state: RunState) -> None:
    assert agent_run(of_agent(state=state)).status is STATUSES[state]


@pytest.mark.parametrize("state", [state for state in RunState if state.is_live()])
def test_what_works_or_waits_has_no_end(state: RunState) -> None:
    """Also one that was continued, whose row still says how long it took until its pause."""
    record = agent_run(of_agent(state=state, duration_ms=75_000))
    assert (record.completed_at, record.duration, record.is_over) == (None, None, False)


@pytest.mark.parametrize("state", [RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED])
def test_an_end_has_its_time_and_its_duration(state: RunState) -> None:
    record = agent_run(of_agent(state=state, completed_at=ENDED, duration_ms=75_000))
    assert (record.completed_at, record.duration, record.is_over) == (ENDED, 75.0, True)


def test_a_pause_is_an_end_until_somebody_continues_it() -> None:
    """The row of a request has no time of its end then, as it may go on."""
    record = agent_run(of_agent(state=RunState.PAUSED, duration_ms=75_000, stop_code=SILENCE, summary="So far."))
    assert (record.completed_at, record.duration, record.stop_reason) == (ENDED, 75.0, "silence")


def test_only_a_pause_has_a_reason_to_stop() -> None:
    assert agent_run(of_agent(state=RunState.PLANNING, stop_code="steps")).stop_reason == ""


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.CANCELLED])
def test_what_was_written_by_then_is_in_the_summary(state: RunState) -> None:
    record = agent_run(of_agent(state=state, partial="one bench", error="It broke.", summary="Stopped."))
    assert record.summary == "Stopped.\n\nWhat I had written by then:\n> one bench"
    assert record.error_message == "It broke."


def test_it_is_json() -> None:
    record = agent_run(
        of_agent(
            id="run_1",
            state=RunState.COMPLETED,
            output={"found": 1},
            summary="## Found",
            model="gemini-3",
            started_at=NOW,
            completed_at=ENDED,
            duration_ms=75_000,
            parent="run_0",
            root="run_0",
        )
    )
    assert json.loads(json.dumps(record.as_json())) == {
        "id": "run_1",
        "agent": "scout",
        "definition": "0" * 64,
        "status": "completed",
        "input": {"topic": "benches"},
        "output": {"found": 1},
        "summary": "## Found",
        "error_message": "",
        "model": "gemini-3",
        "created_at": NOW.isoformat(),
        "started_at": NOW.isoformat(),
        "completed_at": ENDED.isoformat(),
        "duration": 75.0,
        "stop_reason": "",
        "parent": "run_0",
        "root": "run_0",
    }


def test_a_run_of_the_assistant_has_none() -> None:
    with pytest.raises(ValueError, match="no run of an agent"):
        agent_run(make.run())
