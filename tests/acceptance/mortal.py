"""A bot that is a process of its own and can be killed, and what must agree afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from bot.runtime.audit.verify import Report, verified
from bot.wiring.store import opened
from playground.environment import for_agent
from playground.people import PEOPLE
from tests.acceptance.world import DATABASE, Json, World, button_ids, text_of
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
_PEOPLE = {person.user_id for person in PEOPLE}
SENDING = {"gmail_send", "gmail_reply"}
PRACTISED = "--practised"
"""With this argument the program plays a scene before it starts bots, which pays for dozens of them."""

QUICK: Mapping[str, float] = {"tool_seconds": 8.0, "hold_seconds": 0.3}
"""How a bot waits less patiently: how long a tool may take, and so how long a doubtful attempt is left alone before
anybody asks what became of it, and how long what nobody approved is held back. On a busy machine a mail takes four
seconds, and an action is given up after three attempts."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int
    said: str
    complained: str


class BotProcesses:
    """The program that forks bots, as a process (`tests.acceptance.bot_process`)."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.acceptance.bot_process", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        try:
            assert "ready" in self._line()
        except BaseException:  # interrupted, too: no process is left behind
            self._process.kill()
            self._process.communicate()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its stdin: that ends it with all its bots."""
        try:
            self._process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def start(
        self, environment: Mapping[str, str], said: Path, *, halt: str, timings: Mapping[str, float] | None = None
    ) -> int:
        """A new bot; its process id. `pace` has fields of `bot.wiring.timings.Timings` that are numbers,
        and those of `QUICK`. With none at all it waits as the product does.
        """
        return self._born(
            {"environment": dict(environment), "said": str(said), "halt": halt, "timings": dict(timings or {})}
        )

    async def command(self, folder: Path, *arguments: str, **variables: str) -> Ended:
        """One command in this folder, with these variables only, from its beginning to its end."""
        with TemporaryDirectory() as name:
            said, complained, ended = (Path(name) / kind for kind in ("said", "complained", "ended"))
            files = {"said": str(said), "complained": str(complained), "ended": str(ended)}
            self._born({"environment": variables, "arguments": arguments, "folder": str(folder), **files})
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not ended.exists():
                    await asyncio.sleep(0.01)
            return Ended(int(ended.read_text()), said.read_text(), complained.read_text())

    def _born(self, wanted: Mapping[str, object]) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        return self._line()["pid"]

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


@dataclass(slots=True)
class Mortal:
    """The world with a bot that lives in another process."""

    here: World
    folder: Path
    bot_processes: BotProcesses
    pid: int | None = None
    births: int = 0
    timings: Mapping[str, float] = field(default_factory=lambda: QUICK)
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    _rows: sqlite3.Connection | None = field(default=None, repr=False)

    # Life and death -------------------------------------------------------------------------------------------

    async def start(self, *, halt: str = "", ready: bool = True) -> None:
        """Start the bot; wait until it says that it is ready."""
        self.births += 1
        said = self.folder / f"bot-{self.births}.log"
        self.pid = self.bot_processes.start(self.environment(), said, halt=halt, timings=self.timings)
        if ready:
            await self.here.until(lambda: says_ready(said, self.pid), f"a ready bot ({said})")

    async def kill(self) -> None:
        """SIGKILL, and wait until the kernel has taken everything back."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGKILL)
        pid, self.pid = self.pid, None
        await self.here.until(lambda: is_gone(pid), "the end of the bot")

    async def restart(self) -> None:
        """SIGKILL, and start it again."""
        await self.kill()
        await self.start()

    async def stop(self) -> None:
        """Kill it, and let go of its database."""
        if self.pid is not None:
            await self.kill()
        if self._rows is not None:
            self._rows.close()
            self._rows = None

    def environment(self) -> Mapping[str, str]:
        """The variables of the bot, and of commands about its database."""
        database = self.folder / DATABASE
        return {**for_agent(os.environ, root=ROOT, addresses=self.here.addresses, database=database), **self.variables}

    # Rows, read past the bot's own code -----------------------------------------------------------------------

    def rows(self, query: str, *values: object) -> list[Json]:
        if self._rows is None:
            self._rows = sqlite3.connect(f"file:{self.folder / DATABASE}?mode=ro", uri=True, isolation_level=None)
            self._rows.row_factory = sqlite3.Row
        return [dict(row) for row in self._rows.execute(query, values)]

    async def row(self, query: str, *values: object, times: int = 1) -> None:
        """Wait until this finds a row, or so many."""

        async def found() -> bool:
            return len(self.rows(query, *values)) >= times

        await self.here.until(found, f"a row of {query} {values}")

    async def audited(self, code: str, *, times: int = 1) -> None:
        await self.row("SELECT id FROM audit WHERE code = ?", code, times=times)

    async def at_rest(self) -> None:
        """Wait until every run has ended and everything is delivered and sealed."""

        async def resting() -> bool:
            busy = self.rows("SELECT id FROM runs WHERE state IN ('queued', 'planning', 'executing')")
            pending = self.rows("SELECT id FROM outbox WHERE state = 'pending'")
            unsealed = self.rows("SELECT id FROM audit WHERE seq IS NULL")
            return not (busy or pending or unsealed)

        await self.here.until(resting, "rest")

    # Consistency ----------------------------------------------------------------------------------------------

    async def settle_accounts(self) -> None:
        """What the emulators saw and what the rows say is the same: nothing lost, nothing doubled."""
        await self.at_rest()
        await self._requests_are_runs()
        await self.completed_sends_are_mails()
        await self._ended_runs_are_answers()
        await self._questions_are_cards()
        report = await self.verified()
        assert not report.problems, report.text()

    async def _requests_are_runs(self) -> None:
        """Every message that Slack delivered to the agent is one run."""
        log = await self.here.slack.log()
        delivered = [e for e in log if e["direction"] == "out" and e["path"].startswith("/link/event/message")]
        events = [entry["request"]["payload"]["event"] for entry in delivered]
        asked = {(event["channel"], event["ts"]) for event in events if event.get("user") in _PEOPLE}
        runs = Counter(row["source_key"] for row in self.rows("SELECT source_key FROM runs WHERE root IS NULL"))
        assert {f"slack:T0FERNHILL:{channel}:{ts}" for channel, ts in asked} == runs.keys()
        assert set(runs.values()) <= {1}

    async def completed_sends_are_mails(self) -> None:
        """Every mail that left belongs to one completed action, and the other way round."""
        people = (await self.here.google.state())["people"].values()
        mails = [mail for person in people for mail in person["sent"] if mail["id"] not in self.here.seeded]
        done = [row for row in self.rows("SELECT * FROM actions WHERE state = 'completed'") if row["tool"] in SENDING]
        sent = sorted(mail["subject"] for mail in mails)
        assert sent == sorted(json.loads(row["args"])["subject"] for row in done)
        assert len({mail["message_id"] for mail in mails}) == len(mails)
        assert not [draft for person in people for draft in person["drafts"] if draft["subject"] in sent]

    async def _ended_runs_are_answers(self) -> None:
        """Every run that ended is told once, in one message, and nothing is left half written."""
        state = await self.here.slack.state()
        said = [message for messages in state["messages"].values() for message in messages if message.get("bot_id")]
        assert not [message for message in said if message.get("streaming_state") == "in_progress"]
        ended = "state IN ('completed', 'failed', 'cancelled', 'paused')"
        for run in self.rows(f"SELECT * FROM runs WHERE root IS NULL AND {ended}"):
            last = (run["summary"] or run["error"]).strip().splitlines()[-1]
            words = json.dumps(last, ensure_ascii=False)[1:-1].replace("`", "")
            told = [message for message in said if words in text_of(message).replace("`", "")]  # addresses are code
            assert len(told) == 1, (last, told)

    async def _questions_are_cards(self) -> None:
        """Every question has one card, with buttons exactly as long as it is open."""
        messages = (await self.here.slack.state())["messages"]
        for question in self.rows("SELECT * FROM questions"):
            posts = self.rows("SELECT * FROM posts WHERE slot = ?", f"card:{question['id']}")
            assert len(posts) == 1, question
            here = [m for m in messages[posts[0]["channel"]] if m["ts"] == posts[0]["ts"]]
            assert len(here) == 1
            assert bool(button_ids(here[0])) == (question["state"] == "open")
        marks = Counter(
            str(message["metadata"]["event_payload"])
            for said in messages.values()
            for message in said
            if message.get("metadata")
        )
        assert set(marks.values()) <= {1}, marks

    async def verified(self) -> Report:
        """The log, once it was verified and is sealed to its end."""
        async with opened(self.here.settings, owner=False) as base, asyncio.timeout(PATIENCE_SECONDS):
            while (report := await verified(base.store, base.keyring)).unsealed:
                await asyncio.sleep(0.1)
        return report


async def says_ready(said: Path, pid: int | None) -> bool:
    """Whether the bot that speaks into this file is ready; fails when it died."""
    text = await asyncio.to_thread(_text_of, said)
    assert pid is None or not await is_gone(pid), text
    return any(line.startswith('{"ready"') for line in text.splitlines())


def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


async def is_gone(pid: int) -> bool:
    """Whether there is no process with this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
