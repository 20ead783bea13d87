"""Limits as people meet them in Slack: a model that is slow, budgets that are used up, and too many requests."""

from __future__ import annotations

import pytest

from bot.domain.runs import RunState
from playground.people import DANA, MARA
from tests.acceptance.request import ask, mode_of
from tests.acceptance.world import World, text_of

SHARED = pytest.mark.asyncio(loop_scope="module")


@SHARED
async def test_a_slow_model_answers_within_the_grace(fresh_idle: World) -> None:
    """What comes after the time limit and within the grace is shown, under the words that the time was up."""
    await fresh_idle.start_bot(agent_max_active_seconds=1)
    await fresh_idle.gemini.fault("hang", seconds=3)
    request = await ask(fresh_idle, DANA, "[[model: text=As far as I came.]]")
    await request.ended(RunState.PAUSED)
    said = await request.answer("As far as I came.")
    assert "I worked on this for 1 second, which is the limit for one request, and stopped here." in said
    assert [mode_of(entry) for entry in await request.to_model()] == ["AUTO"]


@SHARED
async def test_a_model_that_is_silent_is_cut(fresh_idle: World) -> None:
    """When the grace is over nobody waits for the model any more, and the thread is free for the next request."""
    await fresh_idle.start_bot(agent_max_active_seconds=1, agent_grace_seconds=1)
    await fresh_idle.gemini.fault("hang", seconds=60)
    request = await ask(fresh_idle, DANA, "[[model: text=Never said.]]")
    run = await request.ended()
    assert (run.state, run.duration_ms is not None and run.duration_ms < 10_000) == (RunState.PAUSED, True)
    await request.answer("which is the limit for one request, and stopped here. Nothing was changed.")
    again = await ask(fresh_idle, DANA, "[[model: text=Here I am.]]", under=request)
    await again.answer("Here I am.")


@SHARED
async def test_too_many_requests_are_told_once_when_to_come_back(fresh_idle: World) -> None:
    """The first one too many is answered with a time of the person's own day, the next ones are not; each is in the
    log, and others go on.
    """
    await fresh_idle.start_bot(agent_requests_per_minute=2)
    requests = [await ask(fresh_idle, DANA, "[[model: text=Number 0.]]")]
    assert (await requests[0].ended()).state is RunState.COMPLETED
    requests += [await ask(fresh_idle, DANA, f"[[model: text=Number {n}.]]") for n in range(1, 5)]
    assert (await requests[1].ended()).state is RunState.COMPLETED
    refused = await fresh_idle.answer_in(fresh_idle.dm_of(DANA), "I take at most 2 requests a minute from one person")
    assert "Please send it again after" in text_of(refused)
    assert "(Europe/London)" in text_of(refused)
    other = await ask(fresh_idle, MARA, "[[model: text=For Mara.]]")
    await other.answer("For Mara.")
    assert [await request.run() for request in requests[2:]] == [None] * 3
    told = [m for m in await fresh_idle.bot_messages(fresh_idle.dm_of(DANA)) if "requests a minute" in text_of(m)]
    assert (len(told), (await fresh_idle.audit_codes()).count("message.refused")) == (1, 3)


@SHARED
async def test_a_used_up_budget_of_the_day_says_when_it_is_fresh(fresh_idle: World) -> None:
    """The request that uses it up is answered, the next one asks the model nothing and says which budget it was."""
    await fresh_idle.start_bot(agent_daily_tokens_per_user=10)
    first = await ask(fresh_idle, DANA, "[[model: text=The last one.]]")
    assert (await first.ended()).state is RunState.COMPLETED
    second = await ask(fresh_idle, DANA, "[[model: text=Never said.]]")
    assert (await second.ended()).state is RunState.PAUSED
    said = await second.answer("Your budget for today (10 tokens of the language model) is used up")
    assert "A new one starts on" in said
    assert await second.to_model() == []
