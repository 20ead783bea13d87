"""The message about agents at work: posted from its row, changed while they work, and right again after a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import ActionMoved, RunMoved, TextStreamed, TextVoided, ThoughtStreamed
from bot.domain.limits import Usage
from bot.domain.runs import RunState
from bot.runtime.core.ports import DeliveryFailed
from bot.slack.outbound.streams import StreamTimings
from tests import builders as make
from tests.unit.bot.slack.cases import MARA, TEAM
from tests.unit.bot.slack.emulated import Slack
from tests.unit.bot.slack.rows import Rows
from tests.unit.bot.slack.stage import SECRET, Stage, staged

CLERK = '{"name": "clerk", "displayName": "Mail clerk"}'
THOUGHT = f"**Reading {SECRET}**\n\n"


async def given_work(stage: Stage, run_id: str = "run_2", *, parent: str = "run_1", **changes: Any) -> None:
    """An agent that works for the request, or for another agent of it."""
    task = f"task_{run_id}"
    await stage.rows.action(task, run_id=parent, tool="clerk", state=ActionState.AWAITING, child=run_id)
    owned = {"team": TEAM, "user": MARA, "thread_id": "thr_run_1", "message_id": "msg_run_1"}
    of = {"parent": parent, "parent_action": task, "root": "run_1", "agent": "clerk", "definition": "hash"}
    values = {"state": RunState.PLANNING, "source_key": f"child:{task}"} | owned | of | changes
    async with stage.rows.base.store.write() as work:
        await work.definitions.keep("hash", name="clerk", canonical=CLERK, at=stage.rows.base.clock.now())
        await work.runs.add(make.run(id=run_id, **values))
        await work.steps.add(make.step(id=f"step_{run_id}", run_id=run_id, seq=1, open=1))


async def shown(stage: Stage) -> None:
    await stage.deliver(DeliveryKind.AGENTS, "run_1")


def of_agents(stage: Stage, channel: str) -> str:
    """The only message that is there about them."""
    [found] = [text for text in stage.texts(channel) if "Mail clerk" in text]
    return found


@pytest.fixture
async def patient(slack: Slack, rows: Rows) -> AsyncIterator[Stage]:
    """As slow as the product is."""
    async with staged(slack, rows, timings=StreamTimings(append=0.05, update=60.0)) as made:
        yield made


async def test_each_agent_has_its_line_and_its_stop(stage: Stage) -> None:
    """Also one that works for another one; the calls, the tokens and the money of that one are its own, too."""
    asked = await stage.asked(in_dm=True)
    await given_work(stage, usage=Usage(prompt=1_000, output=200), cost_micros=30_000)
    await given_work(stage, "run_3", parent="run_2", state=RunState.EXECUTING)
    await stage.rows.action("act_3", run_id="run_3", tool="gmail_search", state=ActionState.EXECUTING)
    await stage.rows.action("act_5", run_id="run_3", state=ActionState.COMPLETED)
    await stage.rows.action("act_4", run_id="run_3", tool="complete_task", state=ActionState.FAILED)
    await shown(stage)
    [message] = stage.slack.ours(asked.channel)
    titles = [block["text"]["text"] for block in message["blocks"] if block["type"] == "section"]
    small = [[part["text"] for part in block["elements"]] for block in message["blocks"] if block["type"] == "context"]
    assert titles == ["*Mail clerk*", "*Mail clerk › Mail clerk*"]
    assert small == [
        ["thinking", "1 action · 1,200 tokens · at most US$\N{NO-BREAK SPACE}0.03"],
        ["Send mail to dana@fernhill.example", "1 action · 0 tokens"],
    ]
    stops = [block["accessory"]["value"] for block in message["blocks"] if "accessory" in block]
    assert stops == ["run_2", "run_3"]


async def test_what_it_thinks_and_does_is_shown_as_it_goes(stage: Stage) -> None:
    """A thought while it thinks, and what is under way: in the message that stands."""
    asked = await stage.asked(in_dm=True)
    await given_work(stage)
    await shown(stage)
    stage.tell(ThoughtStreamed("run_2", THOUGHT, "run_1"))
    await stage.slack.until(lambda: f"Reading {SECRET}" in of_agents(stage, asked.channel))
    await stage.rows.action("act_2", run_id="run_2", state=ActionState.EXECUTING, caption="Search mail")
    await stage.rows.now(run_id="run_2", state=RunState.EXECUTING)
    stage.tell(ActionMoved("run_2", "act_2", "executing", "Search mail", "run_1"))
    await stage.slack.until(lambda: "Search mail" in of_agents(stage, asked.channel))
    assert SECRET not in of_agents(stage, asked.channel)


@pytest.mark.parametrize(
    "over", [RunMoved("run_2", RunState.PLANNING, "run_1"), TextVoided("run_2", "run_1")], ids=["moved", "void"]
)
async def test_a_thought_is_over_when_the_agent_goes_on(stage: Stage, over: RunMoved | TextVoided) -> None:
    asked = await stage.asked(in_dm=True)
    await given_work(stage)
    await shown(stage)
    stage.tell(ThoughtStreamed("run_2", THOUGHT, "run_1"))
    await stage.slack.until(lambda: SECRET in of_agents(stage, asked.channel))
    stage.tell(over)
    await stage.slack.until(lambda: SECRET not in of_agents(stage, asked.channel))


async def test_a_channel_is_never_told_what_an_agent_thinks(stage: Stage) -> None:
    """Neither by the row nor by the bus; it sees that the agent works."""
    asked = await stage.asked()
    await given_work(stage, state=RunState.EXECUTING)
    await stage.rows.action("act_2", run_id="run_2", state=ActionState.EXECUTING, caption=f"Search {SECRET}")
    stage.tell(ThoughtStreamed("run_2", THOUGHT, "run_1"))
    await shown(stage)
    stage.tell(ActionMoved("run_2", "act_2", "executing", f"Search {SECRET}", "run_1"))
    await stage.rows.now(run_id="run_2", state=RunState.AWAITING)
    stage.tell(RunMoved("run_2", RunState.AWAITING, "run_1"))
    await stage.slack.until(lambda: "waits for you" in of_agents(stage, asked.channel))
    assert SECRET not in stage.to_channel()


async def test_what_becomes_private_goes_on_in_direct_messages(stage: Stage) -> None:
    """The message leaves the channel with its next row; until then nothing is written there."""
    asked = await stage.asked()
    await given_work(stage)
    await shown(stage)
    assert "Mail clerk" in of_agents(stage, asked.channel)
    await stage.rows.now(private=True)
    await stage.rows.now(run_id="run_2", private=True)
    stage.tell(ThoughtStreamed("run_2", THOUGHT, "run_1"), RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: stage.slack.calls("agents.sessions.setStatus"))
    await stage.at_rest()
    assert stage.slack.calls("chat.update") == []
    await shown(stage)
    assert stage.texts(asked.channel) == []
    dm = await stage.slack.dm(MARA)
    assert f"Reading {SECRET}" in of_agents(stage, dm)
    assert SECRET not in stage.to_channel()


async def test_it_is_changed_no_faster_than_slack_allows(patient: Stage) -> None:
    """Thoughts come many times a second; the message is changed when its time has come, and once for all of them."""
    await patient.asked(in_dm=True)
    await given_work(patient)
    await shown(patient)
    for n in range(50):
        patient.tell(ThoughtStreamed("run_2", f"**Thought {n}**\n\n", "run_1"))
        await asyncio.sleep(0.005)
    assert patient.slack.calls("chat.update") == []


async def test_a_busy_slack_is_waited_for(stage: Stage) -> None:
    """What was refused for want of room is shown later, and holds nothing else up."""
    asked = await stage.asked(in_dm=True)
    await given_work(stage)
    await shown(stage)
    await stage.slack.fault(kind="rate_limit", match={"path": "chat.update"}, times=1, seconds=3)
    stage.tell(ThoughtStreamed("run_2", THOUGHT, "run_1"))
    await stage.slack.until(lambda: len(stage.slack.calls("chat.update")) == 1)
    stage.tell(TextStreamed("run_1", "Meanwhile"))
    await stage.slack.until(lambda: "Meanwhile" in str(stage.texts(asked.channel)))
    assert SECRET not in of_agents(stage, asked.channel)
    stage.steady.seconds += 4
    await stage.slack.until(lambda: SECRET in of_agents(stage, asked.channel))


async def test_each_end_is_shown_and_costs_no_task(stage: Stage) -> None:
    """The message stays, without buttons, and nothing of it is kept busy."""
    asked = await stage.asked(in_dm=True)
    await given_work(stage)
    await shown(stage)
    await stage.rows.now(run_id="run_2", state=RunState.COMPLETED)
    await stage.rows.now(state=RunState.COMPLETED)
    stage.tell(RunMoved("run_2", RunState.COMPLETED, "run_1"), RunMoved("run_1", RunState.COMPLETED))
    await shown(stage)
    assert "✓ *Mail clerk*" in json.loads(of_agents(stage, asked.channel))[0]["text"]["text"]
    assert "Stop" not in of_agents(stage, asked.channel)
    await stage.at_rest()


async def test_a_request_that_waits_keeps_nothing_going(stage: Stage) -> None:
    """While only people can move it there is no task, whatever its agents did before."""
    asked = await stage.asked(in_dm=True, state=RunState.AWAITING)
    await given_work(stage, state=RunState.AWAITING)
    await shown(stage)
    stage.tell(ThoughtStreamed("run_2", THOUGHT, "run_1"), RunMoved("run_2", RunState.AWAITING, "run_1"))
    stage.tell(RunMoved("run_1", RunState.AWAITING))
    await stage.at_rest()
    assert "waits for you" in of_agents(stage, asked.channel)


async def test_a_restart_shows_what_the_rows_say(stage: Stage, slack: Slack, rows: Rows) -> None:
    """Another process shows it as it is now, in the message that the one before had posted and not noted."""
    asked = await stage.asked(in_dm=True)
    await given_work(stage)
    await shown(stage)
    await rows.forget_posts()
    await rows.now(run_id="run_2", state=RunState.AWAITING)
    async with staged(slack, rows) as again:
        await again.deliver(DeliveryKind.AGENTS, "run_1", attempts=2)
        assert "waits for you" in of_agents(again, asked.channel)


async def test_its_row_comes_before_what_it_changes(stage: Stage) -> None:
    """Nothing is posted by the bus: only its row is, which is noted."""
    asked = await stage.asked(in_dm=True)
    await given_work(stage)
    stage.tell(RunMoved("run_2", RunState.QUEUED, "run_1"), ThoughtStreamed("run_2", THOUGHT, "run_1"))
    await stage.slack.until(lambda: stage.slack.calls("agents.sessions.setStatus"))
    assert stage.texts(asked.channel) == []


async def test_words_that_led_to_it_do_not_count(stage: Stage) -> None:
    """What was streamed above goes with the beginning of an agent's work, so that the answer comes below it."""
    asked = await stage.streaming("I will ask the clerk")
    stage.tell(TextVoided("run_1"), RunMoved("run_2", RunState.QUEUED, "run_1"))
    await stage.slack.until(lambda: not stage.slack.ours(asked.channel))
    await given_work(stage)
    await shown(stage)
    stage.tell(TextStreamed("run_1", "The clerk says"))
    await stage.slack.until(lambda: len(stage.slack.ours(asked.channel)) == 2)
    clerk, answer = stage.texts(asked.channel)
    assert ("Mail clerk" in clerk, "The clerk says" in answer) == (True, True)


async def test_a_request_that_was_deleted_is_no_failure(stage: Stage) -> None:
    """There is no thread any more in which anybody would read it."""
    await stage.asked()
    await given_work(stage)
    await stage.slack.fault(kind="ok_false", match={"path": "chat.postMessage"}, times=1, error="thread_not_found")
    await shown(stage)
    await stage.slack.fault(kind="ok_false", match={"path": "chat.postMessage"}, times=1, error="not_in_channel")
    with pytest.raises(DeliveryFailed):
        await shown(stage)


async def test_nothing_is_shown_where_no_agent_works(stage: Stage) -> None:
    await stage.asked(in_dm=True)
    await shown(stage)
    assert stage.texts(await stage.slack.dm(MARA)) == []
