"""A provider that is busy: what it certainly did not do is tried again when it said, and the card says so."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from bot.domain.actions import ActionState
from bot.domain.runs import Run, RunState
from bot.runtime.audit.sealer import Sealer
from bot.runtime.runs import stop
from integrations.errors import Busy
from policies.types import TrustLevel
from tests.builders import DANA, NOW, TEAM
from tests.unit.bot.runtime.runtime_harness import HURRIED_SECONDS, Harness, until

LOOK, SEND = ("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})


def busy(left: str = "") -> Busy:
    error = Busy("rate_limited", f"Google's limit is reached. {left}", seconds=60)
    error.left = left
    return error


async def resting(here: Harness, *outcomes: Exception) -> tuple[Run, asyncio.Task[None]]:
    """A mail that was approved while Google asks to wait, and the worker that serves its thread."""
    here.effect.outcomes = list(outcomes)
    run = await here.asked([SEND], level=TrustLevel.SUPERVISED)
    await here.approve(run)
    serving = asyncio.create_task(here.serve())
    await refused(here)
    return run, serving


async def refused(here: Harness, *, times: int = 1) -> None:
    """Google has refused so often, and the rows say until when it is not asked again: a minute from then."""
    await until(lambda: here.codes().count("action.not_done") == times)


async def minute_over(here: Harness) -> None:
    """A minute passes, and the log is sealed meanwhile."""
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    here.base.clock.advance(61)


async def test_what_a_busy_provider_refused_is_tried_again(here: Harness) -> None:
    """An approved mail that meets 429 is not failed: its card says when it is tried again, not before a minute is
    over, and then it is sent, once, with the approval that it has.
    """
    run, serving = await resting(here, busy("A draft of it stays."))
    await asyncio.sleep(5 * HURRIED_SECONDS)
    action = await here.action(run)
    question = here.base.rows("SELECT id FROM questions")[0]["id"]
    card = await here.queries.card(question)
    assert card is not None
    assert (action.state, action.doubt, len(here.effect.calls)) == (ActionState.APPROVED, False, 1)
    assert card.again_at == here.base.clock.now() + timedelta(seconds=60)
    assert len(here.base.rows(f"SELECT id FROM outbox WHERE kind = 'card' AND subject = '{question}'")) >= 1
    await minute_over(here)
    await serving
    action = await here.action(run)
    assert (action.state, action.attempt, len(here.effect.calls)) == (ActionState.COMPLETED, 2, 2)
    card = await here.queries.card(question)
    assert card is not None
    assert card.again_at is None


async def test_what_rests_can_be_stopped(here: Harness) -> None:
    """A stop wins while a busy provider is waited for: it was not done, and what lies there is told."""
    run, serving = await resting(here, busy("A draft of it stays."))
    await stop.stop_person(here.transactions, TEAM, DANA)
    await serving
    run, action = await here.run(run.id), await here.action(run)
    assert (run.state, action.state, len(here.effect.calls)) == (RunState.CANCELLED, ActionState.CANCELLED, 1)
    assert "not done. A draft of it stays." in run.summary


async def test_a_provider_that_stays_busy_is_given_up(here: Harness) -> None:
    """After three attempts it has failed, without doubt, in the words of the provider."""
    run, serving = await resting(here, *[busy()] * 5)
    await minute_over(here)
    await refused(here, times=2)
    await minute_over(here)
    await serving
    action = await here.action(run)
    assert (action.state, action.doubt, len(here.effect.calls)) == (ActionState.FAILED, False, 3)
    assert "rate_limited" in str(action.response)


async def test_a_clock_that_went_back_does_not_prolong_a_rest(here: Harness) -> None:
    """A moment further away than the longest rest was set by another clock: it is tried at once."""
    action = await here.standing(here.effect, ActionState.APPROVED, attempt=1, deadline_at=NOW + timedelta(days=1))
    await here.trusts(TrustLevel.AUTONOMOUS)
    await here.serve()
    assert (await here.action(action)).state is ActionState.COMPLETED


async def test_a_read_of_a_busy_provider_failed(here: Harness) -> None:
    """Nobody waits a minute for a search: the model is told."""
    here.read.outcomes = [busy()]
    action = await here.action(await here.asked([LOOK]))
    assert (action.state, len(here.read.calls)) == (ActionState.FAILED, 1)
