from __future__ import annotations

import asyncio
import os
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from playground.agent_process import AgentProcess, AgentState
from playground.errors import ChildDied
from playground.processes import Alarm, Command
from playground.serve import listen, url_of
from tests.patience import PATIENCE_SECONDS

STANDIN = str(Path(__file__).with_name("standin.py"))


class Watched:
    """An agent's process and the states it went through."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        command = Command(
            name="bot",
            arguments=(STANDIN, *arguments),
            environment={"PYTHONUNBUFFERED": "1", "PYTHONPATH": str(Path(__file__).parents[3])},
            directory=directory,
            log=directory / "bot.log",
        )

        def on_port(port: int) -> Command:
            self.ports.append(port)
            return command

        self.ports: list[int] = []
        self.states: list[AgentState] = []
        self.alarm = Alarm()
        self.process = AgentProcess(
            on_port,
            alarm=self.alarm,
            now=lambda: datetime(2026, 11, 21, tzinfo=UTC),
            changed=lambda: self.states.append(self.process.state),
        )


async def test_starts_and_kills_wait_for_each_other(tmp_path: Path) -> None:
    """However they are pressed, there is never more than one agent, and each press takes effect."""
    watched = Watched(tmp_path, "agent", "run")
    await asyncio.gather(watched.process.start(), watched.process.start(), watched.process.kill())
    assert watched.states == ["starting", "running", "stopped"]
    await watched.process.kill()
    await watched.process.start()
    await watched.process.stop()
    assert watched.states == ["starting", "running", "stopped", "starting", "running"]


async def test_an_agent_that_cannot_start_is_dead(tmp_path: Path) -> None:
    """An agent that ends before it is connected is shown as dead, and the reason is raised."""
    watched = Watched(tmp_path, "doomed")
    with pytest.raises(ChildDied, match="no more beans"):
        await watched.process.start()
    assert watched.states == ["starting", "dead"]
    await watched.process.stop()


async def test_whoever_kills_it_it_can_be_started_again(tmp_path: Path) -> None:
    """`kill -9` from a shell is what the page's button does: the agent is stopped, and the playground goes on."""
    watched = Watched(tmp_path, "agent", "run")
    await watched.process.start()
    assert watched.process.pid is not None
    os.kill(watched.process.pid, signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while watched.process.state is not AgentState.STOPPED:
            await asyncio.sleep(0.01)
    await watched.process.start()
    await watched.process.stop()
    assert watched.states == ["starting", "running", "stopped", "starting", "running"]


async def test_any_other_end_rings_the_alarm(tmp_path: Path) -> None:
    """An agent that ends by itself is a defect: the playground ends with its last lines."""
    watched = Watched(tmp_path, "agent", "run")
    await watched.process.start()
    assert watched.process.pid is not None
    os.kill(watched.process.pid, signal.SIGTERM)
    async with asyncio.timeout(PATIENCE_SECONDS):
        death = await watched.alarm.wait()
    assert death.name == "bot"
    assert watched.process.state is AgentState.DEAD


async def test_a_later_start_keeps_the_port(tmp_path: Path) -> None:
    """An address in somebody's terminal stays true over Kill and Start. If another program took the port meanwhile, the
    agent takes a free one.
    """
    with listen(0) as found:
        port = int(url_of(found).rsplit(":", 1)[1])
    watched = Watched(tmp_path, "agent", "run", str(port))
    await watched.process.start()
    await watched.process.kill()
    await watched.process.start()
    await watched.process.kill()
    with listen(port):
        await watched.process.start()
    await watched.process.stop()
    assert watched.ports == [0, port, 0]
