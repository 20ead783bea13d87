"""Statuses: what is being done, and for whose eyes."""

from __future__ import annotations

import asyncio

from bot.domain.actions import ActionState
from bot.domain.events import ActionMoved, RunMoved, TextStreamed
from bot.domain.runs import RunState
from bot.slack.outbound.statuses import Statuses
from tests.unit.bot.slack.stage import SECRET, Stage


async def test_the_status_says_what_is_done(stage: Stage) -> None:
    """The line under the conversation names the action that runs, and goes with the answer."""
    await stage.asked(in_dm=True)
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, "Search mail for “oak”"))
    await stage.slack.until(lambda: stage.slack.state["statuses"])
    assert stage.slack.state["statuses"][0]["status"] == "is working: Search mail for “oak”"
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer()
    assert stage.slack.state["statuses"] == []


async def test_the_status_in_a_channel_says_nothing_of_what_is_done(stage: Stage) -> None:
    """A caption quotes arguments, a memory's text for example; everybody in the channel sees the line."""
    await stage.asked()
    stage.tell(ActionMoved("run_1", "act_1", ActionState.EXECUTING.value, f"Remember “{SECRET}”"))
    await stage.slack.until(lambda: stage.slack.state["statuses"])
    assert stage.slack.state["statuses"][0]["status"] == "is working on it…"
    assert SECRET not in stage.to_channel()


async def test_a_status_that_slack_takes_later(stage: Stage) -> None:
    """A rate limit on the status holds up neither text nor answer, and the last status is shown when Slack takes it."""

    def asked_for(times: int) -> bool:
        return len(stage.slack.calls("agents.sessions.setStatus")) == times

    asked = await stage.asked(in_dm=True)
    await stage.slack.fault(match={"path": "agents.sessions.setStatus"}, kind="rate_limit", seconds=30, times=2)
    stage.tell(RunMoved("run_1", RunState.PLANNING), TextStreamed("run_1", "Hello"))
    await stage.slack.until(lambda: stage.slack.ours(asked.channel) and asked_for(1))
    await stage.rows.now(state=RunState.COMPLETED)
    await stage.answer("Hello.")
    assert "Hello." in str(stage.texts(asked.channel))
    assert stage.slack.state["sessions"] == []

    def later() -> bool:
        """Half a minute went by, and something is heard of the run."""
        stage.steady.seconds += 31
        stage.tell(RunMoved("run_1", RunState.COMPLETED))
        return bool(stage.slack.state["sessions"])

    await stage.slack.until(later)
    assert asked_for(3)
    assert stage.slack.state["sessions"][0]["status"] == "active"


async def test_a_line_that_a_dead_process_left_goes_with_the_run(stage: Stage) -> None:
    """Nobody here wrote it, and an answer that takes the place of a message does not take it away by itself."""
    asked = await stage.asked(in_dm=True)
    await stage.slack.web.thread_status(asked.channel, asked.root_ts, "is working on it…")
    await Statuses(web=stage.slack.web).show(asked, RunState.CANCELLED, "")
    assert stage.slack.state["statuses"] == []


async def test_a_waiting_run_costs_no_task(stage: Stage) -> None:
    """While people are asked nothing of the run is kept running."""
    await stage.asked(in_dm=True)
    stage.tell(RunMoved("run_1", RunState.PLANNING), RunMoved("run_1", RunState.AWAITING))
    await stage.slack.until(lambda: "suspended" in str(stage.slack.state["sessions"]))
    await stage.rows.now(state=RunState.AWAITING)
    await stage.slack.until(lambda: not [task for task in asyncio.all_tasks() if "slack-update" in task.get_name()])
