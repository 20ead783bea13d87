"""Limits as people meet them in Slack: a model that is slow, budgets that are used up, and too many requests."""

from __future__ import annotations

import pytest

from bot.domain.runs import RunState
from playground.people import DANA, MARA
from tests.acceptance.request import ask, mode_of
from tests.acceptance.slack_side import whispered
from tests.acceptance.world import Json, World, text_of

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
async def test_requests_beyond_the_rate_wait_for_their_turn(fresh_idle: World) -> None:
    """Each says when it begins, and begins then; “stop” takes one back. Beyond a minute's worth the first one is
    answered with a time of the person's own day, the others are told to their author alone; each is in the log.
    """
    await fresh_idle.start_bot(agent_requests_per_minute=6)
    requests = [await ask(fresh_idle, DANA, f"[[model: text=Number {n}.]]") for n in range(14)]
    dm = fresh_idle.dm_of(DANA)

    async def waiting() -> list[Json]:
        return [m for m in await fresh_idle.bot_messages(dm) if "This one begins at" in text_of(m)]

    await fresh_idle.until(waiting, "six that wait", when=lambda found: len(found) == 6)
    refused = await fresh_idle.answer_in(dm, "I offer it to you again in our direct messages")
    assert "(Europe/London)" in text_of(refused)
    await whispered(fresh_idle, DANA, "I take at most 6 requests a minute from one person")
    assert [await request.run() for request in requests[12:]] == [None] * 2
    await fresh_idle.say(DANA, "stop", thread_ts=requests[7].ts)
    assert (await requests[7].ended()).state is RunState.CANCELLED
    other = await ask(fresh_idle, MARA, "[[model: text=For Mara.]]")
    await other.answer("For Mara.")
    begun = await requests[6].ended()
    assert begun.started_at is not None
    assert begun.not_before is not None
    assert begun.started_at >= begun.not_before
    assert (await fresh_idle.audit_codes()).count("message.refused") == 2


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
