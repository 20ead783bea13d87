from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from playground.errors import ChildDied, NotReady
from playground.processes import Alarm, Child, Command, run_once
from tests.patience import PATIENCE_SECONDS

STANDIN = str(Path(__file__).with_name("standin.py"))


def command(directory: Path, *arguments: str, name: str | None = None) -> Command:
    return Command(
        name=name or arguments[0],
        arguments=(STANDIN, *arguments),
        environment={"PYTHONUNBUFFERED": "1", "PYTHONPATH": str(Path(__file__).parents[3])},
        directory=directory,
        log=directory / "child.log",
    )


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_child_reports_where_it_listens(tmp_path: Path) -> None:
    """A child is ready when it printed its line, and its address is what it said."""
    async with Child(command(tmp_path, "google", "--die-with-parent")) as child:
        assert (await child.ready()).startswith("http://127.0.0.1:")


async def test_a_child_that_dies_before_it_is_ready(tmp_path: Path) -> None:
    """A child that ends before it is ready is reported with its status and its last lines; its log has all."""
    async with Child(command(tmp_path, "doomed")) as child:
        with pytest.raises(ChildDied, match=r"'doomed' ended with status 3(.|\n)*no more beans"):
            await child.ready()
    assert "it gets worse\nno more beans\n" in (tmp_path / "child.log").read_text()


async def test_a_child_that_never_is_ready(tmp_path: Path) -> None:
    """A child that does not report in time is given up, and stopped."""
    async with Child(command(tmp_path, "stubborn", name="other")) as child:
        with pytest.raises(NotReady, match="'other' was not ready"):
            await child.ready(seconds=0.3)
        pid = child.pid
    assert not is_alive(pid)


async def test_an_unexpected_death_rings_the_alarm(tmp_path: Path) -> None:
    """When a child that nobody stopped is killed from outside, the alarm says who and how."""
    alarm = Alarm()
    async with Child(command(tmp_path, "google"), alarm=alarm) as child:
        await child.ready()
        os.kill(child.pid, 9)
        death = await asyncio.wait_for(alarm.wait(), PATIENCE_SECONDS)
    assert (death.name, death.status) == ("google", -9)
    assert "was ended by signal 9" in str(death)


async def test_a_wanted_death_rings_nothing(tmp_path: Path) -> None:
    """A child that we kill or stop rings no alarm."""
    alarm = Alarm()
    async with Child(command(tmp_path, "google"), alarm=alarm) as child:
        await child.ready()
        await child.kill()
        assert await child.ended() == -9
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(alarm.wait(), 0.05)


async def test_a_child_that_ignores_the_request_to_end(tmp_path: Path) -> None:
    """A child that ignores SIGTERM is ended by force after the grace it was given."""
    async with Child(command(tmp_path, "stubborn")) as child:
        await child.ready()
        await child.stop(seconds=0.2)
        assert await child.ended() == -signal.SIGKILL


async def test_children_end_when_we_are_killed(tmp_path: Path) -> None:
    """When the parent is killed without a chance to clean up, its children end by themselves."""
    holder = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "import subprocess, sys\n"
        "child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(child.pid, flush=True)\n"
        "child.stdout.readline()\n"
        "print('ready', flush=True)\n"
        "child.wait()\n",
        sys.executable,
        STANDIN,
        "google",
        "--die-with-parent",
        stdout=asyncio.subprocess.PIPE,
        cwd=tmp_path,
    )
    assert holder.stdout is not None
    pid = int(await holder.stdout.readline())
    assert await holder.stdout.readline() == b"ready\n"
    holder.kill()
    await holder.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while is_alive(pid):
            await asyncio.sleep(0.05)


async def test_a_command_that_runs_to_its_end(tmp_path: Path) -> None:
    """What a command is given on stdin reaches it; its status and words come back."""
    status, said = await run_once(command(tmp_path, "agent", "audit", "verify"), seconds=PATIENCE_SECONDS)
    assert (status, said) == (0, "1 entry, whole")


async def test_a_command_that_takes_too_long(tmp_path: Path) -> None:
    """A command that does not end in time is given up."""
    with pytest.raises(NotReady):
        await run_once(command(tmp_path, "stubborn"), seconds=0.3)
