"""What is said of agents."""

from __future__ import annotations

import pytest

from bot.domain.runs import RunState
from bot.runtime.texts.about_agents import adds_nothing, outcome
from tests import builders as make


@pytest.mark.parametrize(
    ("state", "partial", "nothing"),
    [(RunState.CANCELLED, "", True), (RunState.CANCELLED, "A draft.", False), (RunState.COMPLETED, "", False)],
)
def test_an_agent_that_was_stopped_with_its_request_is_not_told_besides(
    state: RunState, partial: str, nothing: bool
) -> None:
    """That the request was stopped says it; what was handed over by then is told, and so is an agent's own stop."""
    child = make.run(id="run_2", state=RunState.CANCELLED, stopped_by=make.run().user, partial=partial)
    assert adds_nothing(make.run(state=state), make.action(child=child.id, summary=outcome(child))) is nothing
    assert not adds_nothing(make.run(state=state), make.action(summary=outcome(child)))
