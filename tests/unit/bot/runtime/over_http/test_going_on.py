"""Going on over HTTP with what stopped: Continue and Try again, and agents that are begun by name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.agents import reader
from bot.agents.catalog import AgentCatalog, AgentInfo
from bot.domain.limits import DEFAULT_LIMITS, Limits, Rate, SpawnLimits
from bot.domain.runs import FollowUp, RunState
from bot.domain.threads import Surface
from bot.runtime.agents.requests import AgentRequests
from bot.runtime.over_http.admission import NotTaken, Refused, Taken, Turned
from bot.runtime.over_http.triggers import Triggers
from bot.runtime.texts import about_plans, to_people
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.over_http.desk import LOOK, Desk, desk, key

MINE: dict[str, Any] = {"team": TEAM, "user": DANA}


async def refusal(at: Desk, what: str, run_id: str, **values: object) -> Refused:
    """Going on in this way is refused."""
    with pytest.raises(NotTaken) as caught:
        await getattr(at.going_on, what)(run_id, **MINE | values)
    return caught.value.refused


async def paused(at: Desk) -> Taken:
    """A request that is at the limit of its steps."""
    at.limits = Limits(steps=1)
    return await at.asked(LOOK)


# Continue -------------------------------------------------------------------------------------------------------------


async def test_what_paused_goes_on(at: Desk) -> None:
    """With one fresh allowance, in the same run; whoever continued it follows what comes of it now."""
    taken = await paused(at)
    assert (await at.outcome(taken)).offered is FollowUp.CONTINUE
    at.here.model.says = ["It goes on Friday."]
    again = await at.going_on.continued(taken.run_id, **MINE, key=key())
    assert (again.run_id, again.thread_id) == (taken.run_id, taken.thread_id)
    followed = await at.following.join(again.run_id, **MINE)
    assert not followed.transcript.is_over
    await at.serve(taken)
    outcome = await at.following.outcome(followed)
    assert outcome is not None
    assert outcome.text == "It goes on Friday."
    assert await at.going_on.continued(taken.run_id, **MINE, key=key()) == again
    assert at.here.codes().count("run.continued") == 1


async def test_what_did_not_pause_is_not_continued(at: Desk) -> None:
    """It is refused in words, and the key is free again."""
    taken = await at.asked()
    refused = await refusal(at, "continued", taken.run_id, key=key())
    assert (refused.why, refused.words) == (Turned.NOT_NOW, to_people.NOT_PAUSED)
    assert at.count("http_requests") == 0
    assert "run.not_continued" in at.here.codes()
    assert "message.refused" not in at.here.codes()
    async with at.at_work() as works:
        assert (await refusal(at, "continued", works.run_id)).words == to_people.GOES_ON


async def test_a_request_that_waits_for_its_owner_says_so(at: Desk) -> None:
    """It does not go on by itself, as one that works does."""
    taken = await at.asked()
    await at.here.change_run(taken.run_id, state=RunState.AWAITING)
    assert (await refusal(at, "continued", taken.run_id)).words == to_people.WAITS


async def test_with_its_deadline_over_it_needs_a_new_one(at: Desk) -> None:
    """One in the future; without it, it stays paused."""
    taken = await at.says()
    await at.here.change_run(taken.run_id, deadline_at=at.now + timedelta(seconds=1))
    at.here.base.clock.advance(5)
    await at.serve(taken)
    assert await at.state(taken) is RunState.PAUSED
    assert (await refusal(at, "continued", taken.run_id)).words == about_plans.SEND_DEADLINE
    over = await refusal(at, "continued", taken.run_id, until=at.now - timedelta(hours=1))
    assert over.why is Turned.NOT_NOW
    assert over.words != about_plans.SEND_DEADLINE
    until = at.now + timedelta(hours=2)
    at.here.model.says = [LOOK]
    at.limits = Limits(steps=1)
    other = await at.says()
    await at.serve(other)
    assert (await refusal(at, "continued", other.run_id, until=until)).words == about_plans.KEEPS_DEADLINE
    assert (await at.run(other)).deadline_at is None
    await at.going_on.continued(taken.run_id, **MINE, until=until)
    await at.serve(taken)
    assert ((run := await at.run(taken)).state, run.deadline_at) == (RunState.COMPLETED, until)


# Try again ------------------------------------------------------------------------------------------------------------


async def test_what_failed_is_tried_again(at: Desk) -> None:
    """In a run of its own, once, whoever asks; it stands in the same conversation and is not shown in Slack."""
    taken = await at.says()
    await at.fails(taken)
    again = await at.going_on.again(taken.run_id, **MINE)
    assert again.run_id != taken.run_id
    assert again.thread_id == taken.thread_id
    assert (await at.outcome(taken)).offered is FollowUp.TRIED_AGAIN
    await at.serve(again)
    assert (await at.outcome(again)).text == "Done."
    async with at.here.base.store.read() as work:
        assert not (await work.runs.place(again.run_id)).is_in_slack
    refused = await refusal(at, "again", taken.run_id)
    assert refused.why is Turned.NOT_NOW
    assert refused.words


async def test_what_did_not_fail_is_not_tried_again(at: Desk) -> None:
    taken = await at.asked()
    assert (await refusal(at, "again", taken.run_id)).why is Turned.NOT_NOW


@pytest.mark.parametrize("what", ["continued", "again"])
async def test_going_on_counts(at: Desk, what: str) -> None:
    """As a request does: refused, it may come again at a time that is told, and counts then. What is not possible at
    all does not count.
    """
    taken = await (paused(at) if what == "continued" else at.says())
    if what == "again":
        await at.fails(taken)
    over = await at.says()
    await at.serve(over)
    at.rate = Rate(per_minute=1)
    assert (await refusal(at, what, over.run_id)).why is Turned.NOT_NOW
    await at.says()
    refused = await refusal(at, what, taken.run_id, key=key())
    assert (refused.why, bool(refused.words)) == (Turned.TOO_FAST, True)
    assert at.here.codes()[-1] == "message.refused"
    assert refused.again_at is not None
    at.here.base.clock.at = refused.again_at
    await getattr(at.going_on, what)(taken.run_id, **MINE, key=key())
    assert (await at.refused()).why is Turned.TOO_FAST


@pytest.mark.parametrize("what", ["continued", "again"])
async def test_it_is_nobody_elses(at: Desk, what: str) -> None:
    """Neither another person's, nor one that was asked in Slack, nor one that never was."""
    taken, in_slack = await paused(at), await at.here.request()
    for refused in (
        await refusal(at, what, taken.run_id, user=MARA),
        await refusal(at, what, taken.run_id, team="T2"),
        await refusal(at, what, in_slack.id),
        await refusal(at, what, "run_none"),
    ):
        assert refused.why is Turned.NOT_FOUND
    assert await at.state(taken) is RunState.PAUSED


# Agents ---------------------------------------------------------------------------------------------------------------

SCOUT = """
name: meeting_brief
description: Finds what was said about a topic.
inputConfig: {inputs: {topic: {description: What., type: string, required: true}}}
outputConfig: {outputName: report, description: What was found., schema: {type: string}}
promptConfig: {query: "Find ${topic}.", systemPrompt: You look.}
toolConfig: {tools: [gmail_search]}
runConfig: {max_turns: 4}
"""


@pytest.fixture
async def with_agent(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with desk(tmp_path, agents=[reader.read(SCOUT, "an agent", suffix=".yaml").definition]) as made:
        yield made


def triggers(at: Desk) -> Triggers:
    definition = reader.read(SCOUT, "an agent", suffix=".yaml").definition
    agent = AgentInfo(definition=definition, tools=definition.tools, lacks=[])
    requests = AgentRequests(
        transactions=at.here.transactions,
        catalog=AgentCatalog(agents={definition.name: agent}),
        limits=DEFAULT_LIMITS,
        rate=at.rate,
    )
    return Triggers(transactions=at.here.transactions, following=at.following, requests=requests, rate=at.rate)


async def begun(at: Desk, inputs: Mapping[str, object] | None = None, **values: Any) -> Taken:
    """Dana begins the agent."""
    given: dict[str, Any] = {"limits": SpawnLimits(), **MINE}
    name = values.pop("agent", "meeting_brief")
    return await triggers(at).begin(name, {"topic": "benches"} if inputs is None else inputs, **given | values)


async def not_begun(at: Desk, inputs: Mapping[str, object] | None = None, **values: Any) -> Refused:
    with pytest.raises(NotTaken) as caught:
        await begun(at, inputs, **values)
    return caught.value.refused


async def test_an_agent_is_begun(with_agent: Desk) -> None:
    """It works as the caller, in a conversation of its own, of which Slack shows nothing; its result is told."""
    at = with_agent
    at.here.model.says = [[("complete_task", {"report": "two benches"})]]
    taken = await begun(at)
    run = await at.run(taken)
    assert (run.agent, run.inputs, run.user) == ("meeting_brief", {"topic": "benches"}, DANA)
    async with at.here.base.store.read() as work:
        thread, place = await work.threads.find(taken.thread_id), await work.runs.place(taken.run_id)
    assert (thread.surface, thread.owner, place.is_in_slack) == (Surface.HTTP, DANA, False)
    assert not at.sent_to_slack()
    await at.serve(taken)
    outcome = await at.outcome(taken)
    assert (outcome.state, outcome.result, bool(outcome.text)) == (RunState.COMPLETED, "two benches", True)
    assert "opening" not in at.sent_to_slack()
    more = await at.says("And chairs?", thread=taken.thread_id)
    assert more.run_id != taken.run_id


async def test_an_agent_is_begun_once_for_each_key(with_agent: Desk) -> None:
    """Another body under the same key is refused."""
    at = with_agent
    taken = await begun(at, key=key())
    assert await begun(at, key=key()) == taken
    assert (await not_begun(at, key=key(body=b"[]"))).why is Turned.KEY_USED
    assert at.count("runs") == 1


async def test_an_agent_has_the_limits_that_are_asked_for(with_agent: Desk) -> None:
    """They win over those of its definition where they are lower, and raise nothing."""
    at = with_agent
    assert (await at.run(await begun(at))).limits.steps == 4
    taken = await begun(at, limits=SpawnLimits(max_steps=2, timeout=timedelta(seconds=5)))
    assert ((run := await at.run(taken)).limits.steps, run.limits.active_ms) == (2, 5_000)
    usual = (await at.run(await begun(at))).limits
    more = await begun(at, limits=SpawnLimits(max_steps=1_000, timeout=timedelta(days=1)))
    assert (await at.run(more)).limits.steps == usual.steps == 4


UNREAD = Refused(Turned.BAD_INPUTS, "It must be an object.")
NO_LIMITS = Refused(Turned.BAD_REQUEST, "timeout: it must be a number.", field="timeout")


async def test_what_was_begun_under_a_key_stands(with_agent: Desk) -> None:
    """Also where what was sent cannot be read any more, because the agent was changed."""
    at = with_agent
    taken = await begun(at, key=key())
    begin = partial(triggers(at).begin, "meeting_brief", UNREAD, team=TEAM, user=DANA, limits=SpawnLimits())
    assert await begin(key=key()) == taken
    assert await begun(at, limits=NO_LIMITS, key=key()) == taken
    with pytest.raises(NotTaken) as caught:
        await begin()
    assert caught.value.refused == UNREAD
    assert await not_begun(at, {"strange": 1}, limits=NO_LIMITS) == NO_LIMITS
    assert at.here.codes()[-1] == "message.refused"
    nobody = await not_begun(at, agent="n" * 3_000, limits=NO_LIMITS)
    assert nobody.why is Turned.NOT_FOUND
    assert len(nobody.words) < 300
    assert at.count("runs") == 1


async def test_what_cannot_be_begun(with_agent: Desk) -> None:
    """No such agent, inputs that do not fit, too fast: refused with nothing taken, and the key is free."""
    at = with_agent
    assert (await not_begun(at, agent="nobody", key=key())).why is Turned.NOT_FOUND
    for inputs in ({}, {"topic": 5}, {"topic": "a", "more": "b"}):
        assert (await not_begun(at, inputs, key=key())).why is Turned.BAD_INPUTS
    at.rate = Rate(per_minute=1)
    await begun(at)
    refused = await not_begun(at, key=key())
    assert (refused.why, bool(refused.words), bool(refused.again_at)) == (Turned.TOO_FAST, True, True)
    assert (at.count("runs"), at.count("http_requests"), at.count("threads")) == (1, 0, 1)
    assert at.here.codes().count("message.refused") == 5
