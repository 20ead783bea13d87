from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import aiohttp
import pytest

from playground.serve import listen
from tests.patience import PATIENCE_SECONDS

PLAYGROUND = str(Path(__file__).with_name("standin_playground.py"))
ROOT = str(Path(__file__).parents[3])
ROLES = ("slack", "google", "gemini", "page", "agent-run", "agent-audit")


class Started:
    """A playground of stand-ins in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, data: Path) -> None:
        self.process = process
        self.data = data
        self.said: list[str] = []

    async def says(self, pattern: str) -> str:
        """Reads on until a line has the pattern."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            while line := (await self.process.stdout.readline()).decode():
                self.said.append(line)
                if re.search(pattern, line):
                    return line
        raise AssertionError(f"it never said {pattern!r}:\n{''.join(self.said)}")

    async def ended(self) -> tuple[int, str]:
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            self.said.append((await self.process.stdout.read()).decode())
            return await self.process.wait(), "".join(self.said)

    def child(self, role: str) -> dict[str, Any]:
        return cast("dict[str, Any]", json.loads((self.data / f"{role}.json").read_text()))

    def supervisor(self) -> str:
        argv = self.child("page")["argv"]
        return argv[argv.index("--supervisor") + 1]


@asynccontextmanager
async def started(data: Path, *arguments: str, **person: str) -> AsyncGenerator[Started]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        PLAYGROUND,
        "--no-browser",
        "--data",
        str(data),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": ROOT, **person},
    )
    try:
        yield Started(process, data)
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)


@pytest.fixture
async def it(tmp_path: Path) -> AsyncGenerator[Started]:
    """A playground that has started everything."""
    async with started(tmp_path / "demo") as it:
        await it.says("Ctrl\\+C stops everything")
        yield it


@pytest.fixture
async def http() -> AsyncGenerator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def answered(request: AbstractAsyncContextManager[aiohttp.ClientResponse]) -> dict[str, Any]:
    """The body of the answer."""
    async with request as answer:
        return await answer.json()


def alive(pids: list[int]) -> list[int]:
    def is_alive(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True

    return [pid for pid in pids if is_alive(pid)]


@pytest.mark.deep
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.deep)])
async def test_a_signal_stops_everything(it: Started, number: signal.Signals) -> None:
    """Ctrl+C or SIGTERM ends every process, and the playground with status 0."""
    pids = [it.child(role)["pid"] for role in ROLES]
    assert alive(pids) == pids
    it.process.send_signal(number)
    status, said = await it.ended()
    assert (status, alive(pids)) == (0, [])
    assert said.endswith("Stopped.\n")


async def test_a_signal_while_it_starts(tmp_path: Path) -> None:
    """Ctrl+C before everything runs ends what was started so far."""
    async with started(tmp_path / "demo") as it:
        await it.says("Starting Slack")
        while not (tmp_path / "demo" / "slack.json").exists():
            await asyncio.sleep(0.02)
        it.process.send_signal(signal.SIGINT)
        status, _ = await it.ended()
        pids = [it.child(role)["pid"] for role in ROLES if (tmp_path / "demo" / f"{role}.json").exists()]
    assert (status, alive(pids)) == (0, [])
    assert pids


async def test_a_taken_port_is_said_at_once(tmp_path: Path) -> None:
    """When the page's port is taken nothing is started, and the message says what to do."""
    with listen(0) as taken:
        port = taken.getsockname()[1]
        async with started(tmp_path / "demo", "--port", str(port)) as it:
            status, said = await it.ended()
    assert status == 1
    assert f"cannot listen on port {port}" in said
    assert "--port" in said
    assert not (tmp_path / "demo" / "slack.json").exists()


@pytest.mark.deep
async def test_nothing_outlives_a_killed_playground(it: Started) -> None:
    """When the playground itself is killed, its processes end by themselves."""
    pids = [it.child(role)["pid"] for role in ROLES]
    it.process.kill()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while alive(pids):
            await asyncio.sleep(0.05)


async def test_it_says_where_and_who_answers_and_what_to_try(tmp_path: Path) -> None:
    """The terminal shows the page's address, that a scripted model answers, and numbered things to try."""
    async with started(tmp_path / "demo") as it:
        page = re.search("http://127.0.0.1:\\d+", await it.says("Countersign is running"))
        assert page
        assert json.loads(it.child("slack-settings")["given"]) == {"window": page[0]}  # where its messages are read
        await it.says("scripted model answers")
        await it.says("  1\\. ")
        await it.says("  2\\. ")


@pytest.mark.deep
async def test_accounts_are_connected_before_the_agent_runs(tmp_path: Path) -> None:
    """Everybody but the guest has a Google account and a memory adopted; the tokens come from the emulator."""
    async with started(tmp_path / "demo") as it:
        await it.says("Countersign is running")
        rows = [json.loads(line) for line in it.child("agent-adopt")["given"].splitlines()]
        ran = it.child("agent-run")["environment"]
    assert {row["user"] for row in rows} == {"U0MARA", "U0DANA", "U0JONAS", "U0PRIYA", "U0LUIS"}
    accounts = [row for row in rows if "memory" not in row]
    assert {row["token_url"] for row in accounts} == {ran["GOOGLE_OAUTH_TOKEN_URL"]}
    assert rows[1]["refresh_token"] == "1//playground-dana"


async def test_a_real_key_replaces_only_the_model(tmp_path: Path) -> None:
    """With GEMINI_API_KEY set no Gemini emulator runs, the agent has the key, and the terminal names the model."""
    async with started(tmp_path / "demo", GEMINI_API_KEY="k", GEMINI_MODEL="gemini-x", SLACK_BOT_TOKEN="real") as it:
        await it.says("gemini-x answers, with your key")
        ran = it.child("agent-run")["environment"]
    assert not (tmp_path / "demo" / "gemini.json").exists()
    assert (ran["GEMINI_API_KEY"], ran["SLACK_BOT_TOKEN"]) == ("k", "xoxb-playground-bot")


@pytest.mark.deep
async def test_a_death_ends_the_playground_with_the_last_lines(it: Started) -> None:
    """When a process dies unexpectedly the playground ends with status 1, says which, and stops the others."""
    pids = [it.child(role)["pid"] for role in ROLES]
    os.kill(it.child("google")["pid"], signal.SIGKILL)
    status, said = await it.ended()
    assert (status, alive(pids)) == (1, [])
    assert "The process 'google' was ended by signal 9" in said


@pytest.mark.deep
async def test_a_second_start_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """A second playground on the same data ends with status 1, and the first goes on."""
    async with started(tmp_path / "demo") as first:
        await first.says("Ctrl\\+C stops everything")
        async with started(tmp_path / "demo") as second:
            status, said = await second.ended()
        assert status == 1
        assert f"Another playground (process {first.process.pid}) is running" in said
        assert first.process.returncode is None


async def test_the_page_kills_and_starts_the_agent(it: Started, http: aiohttp.ClientSession) -> None:
    """Kill ends the agent's process and nothing else; Start brings another up; the state tells it each time."""
    url, first = it.supervisor(), it.child("agent-run")["pid"]
    before = await answered(http.get(f"{url}/state"))
    killed = await answered(http.post(f"{url}/bot/kill"))
    assert alive([first]) == []
    again = await answered(http.post(f"{url}/bot/start"))
    assert it.process.returncode is None
    second = it.child("agent-run")["pid"]
    assert alive([second]) == [second]
    assert (before["bot"]["state"], before["bot"]["pid"]) == ("running", first)
    assert (killed["bot"]["state"], killed["bot"]["pid"]) == ("stopped", None)
    assert (again["bot"]["state"], again["bot"]["pid"]) == ("running", second)


@pytest.mark.deep
async def test_the_page_sees_the_audit_log(it: Started, http: aiohttp.ClientSession) -> None:
    """The export's lines are there by number, the newest form of each entry in the state, and verify says its word."""
    url = it.supervisor()
    late = await answered(http.get(f"{url}/audit", params={"after": "1"}))
    state = await answered(http.get(f"{url}/state"))
    verdict = await answered(http.post(f"{url}/audit/verify"))
    assert late == {"entries": [{"id": 1, "code": "run.created", "hash": "ab", "n": 2}], "last": 2}
    assert state["audit"]["entries"] == [{"id": 1, "code": "run.created", "hash": "ab"}]
    assert state["model"] == {"name": "scripted", "scripted": True}
    assert verdict == {"ok": True, "text": "1 entry, whole"}


async def test_browsers_and_other_hosts_are_refused(it: Started, http: aiohttp.ClientSession) -> None:
    """A web page cannot reach the supervisor: neither with an Origin nor under a name of its own."""
    url = it.supervisor()
    async with http.post(f"{url}/bot/kill", headers={"origin": "http://evil.example"}) as answer:
        assert answer.status == 403
    async with http.get(f"{url}/state", headers={"host": "evil.example"}) as answer:
        assert answer.status == 400
    assert alive([it.child("agent-run")["pid"]])


def _told(line: bytes) -> dict[str, Any]:
    return json.loads(line[5:]) if line.startswith(b"data:") else {}


@pytest.mark.deep
async def test_changes_are_told_as_they_happen(it: Started, http: aiohttp.ClientSession) -> None:
    """Whoever listens is told when the agent was killed."""
    url = it.supervisor()
    async with http.get(f"{url}/events") as events:
        assert await events.content.readline() == b": open\n"
        async with http.post(f"{url}/bot/kill"):
            pass
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (told := _told(await events.content.readline())).get("kind") != "bot":
                pass
    assert told["state"] == "stopped"
