"""Our own writes, which are safe to repeat: once more under every condition of a claim, else it is not known."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.runtime.actions.claim import MAX_ATTEMPTS
from integrations.errors import ToolFailed
from policies.provenance import GuardMode
from policies.types import TrustLevel
from tests.builders import NOW, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

OWN = "UPDATE actions SET effect = 'own'"


@pytest.fixture
async def here(here: Harness) -> Harness:
    await here.trusts(TrustLevel.AUTONOMOUS)
    async with here.base.store.write() as work:
        await work.users.set_guard(TEAM, GuardMode.OFF)
    return here


async def broken_off(here: Harness, attempt: int = 1) -> Action:
    """An own write that another process had begun."""
    deadline = NOW + timedelta(seconds=60)
    action = await here.standing(here.blind, ActionState.EXECUTING, attempt=attempt, deadline_at=deadline)
    await here.base.tamper(OWN)
    return action


async def test_an_own_write_is_repeated(here: Harness) -> None:
    """It happens under the same key, without waiting, and nothing is left in doubt."""
    action = await here.action(await broken_off(here))
    await here.serve()
    now = await here.action(action)
    assert (now.state, now.attempt, now.doubt) == (ActionState.COMPLETED, 2, False)
    assert here.waited == []


async def test_a_repeated_write_that_fails_says_that_the_first_may_have_happened(here: Harness) -> None:
    """What the second attempt was told says nothing about the first."""
    here.blind.outcomes = [ToolFailed("gone", "It is gone.")]
    action = await broken_off(here)
    await here.serve()
    now = await here.action(action)
    assert (now.state, now.doubt) == (ActionState.FAILED, True)
    assert "may have happened" in str(now.response)


async def test_an_own_write_of_a_stopped_run_is_not_repeated(here: Harness) -> None:
    """It may have happened: it is unknown, not failed, and the stopped run says so."""
    action = await broken_off(here)
    await here.change_run(action.run_id, cancel_requested=True)
    await here.serve()
    run, now = await here.run(action.run_id), await here.action(action)
    assert (run.state, now.state, now.doubt, here.blind.calls) == (RunState.CANCELLED, ActionState.UNKNOWN, True, [])
    assert await here.question(run.id) is None


async def test_an_own_write_is_not_repeated_for_ever(here: Harness) -> None:
    """After the last attempt its owner is asked."""
    action = await broken_off(here, attempt=MAX_ATTEMPTS)
    await here.serve()
    asked = await here.question(action.run_id)
    assert (await here.action(action)).state is ActionState.UNKNOWN
    assert asked is not None
    assert asked.kind is QuestionKind.SETTLE
