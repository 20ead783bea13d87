"""The command line on real processes: what is wrong is named with its cure, and one process owns a database."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.runtime.audit.sealer import Sealer
from bot.secrets import new_key
from bot.settings import Settings
from bot.wiring.store import opened
from playground.data_directory import MARK
from playground.people import APP_TOKEN, BOT_TOKEN, DANA
from tests.acceptance.mortal import BotProcesses, Ended
from tests.acceptance.request import ask
from tests.acceptance.world import APPROVE, World, world
from tests.integration.shell import record
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
Command: TypeAlias = Callable[..., Awaitable[Ended]]
PLAIN = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "GEMINI_API_KEY": "k"}


@pytest.fixture
def countersign(bot_processes: BotProcesses) -> Command:
    """Run the command line in a folder, with these variables and nothing of our own environment."""

    def run(folder: Path, *arguments: str, **variables: str) -> Awaitable[Ended]:
        return bot_processes.command(folder, *arguments, PATH=os.environ["PATH"], **variables)

    return run


async def in_a_fresh_interpreter(folder: Path, *arguments: str) -> Ended:
    """The same as a person starts it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.cli",
        *arguments,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            said, complained = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    return Ended(process.returncode or 0, said.decode(), complained.decode())


def complaints(ended: Ended) -> list[str]:
    """The lines that say what is to be mended; there is no traceback beside them."""
    assert "Traceback" not in ended.complained + ended.said
    return [line for line in (ended.complained + ended.said).splitlines() if line.startswith("✗ ")]


def complaint(ended: Ended, *, status: int = 2) -> str:
    """The one line of a command that ended with this status."""
    assert ended.status == status
    (line,) = complaints(ended)
    return line


@pytest.fixture
async def idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[World]:
    """Emulators and a database, without a running bot."""
    (tmp_path / "world").mkdir()
    async with world(tmp_path / "world") as made:
        yield made


def variables(here: World, **more: str) -> dict[str, str]:
    """What a bot in this world is configured with."""
    return {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        "SLACK_API_URL": f"{here.slack.url}/api/",
        "GEMINI_API_KEY": "playground",
        "GOOGLE_GEMINI_BASE_URL": here.gemini.url,
        "DATABASE_URL": here.settings.database_url,
        "HTTP_PORT": "0",
    } | more


# Missing and wrong ---------------------------------------------------------------------------------------------------


async def test_run_names_everything_that_is_missing(tmp_path: Path) -> None:
    """Without a configuration every missing variable stands on a line of its own, and the status is 2."""
    ended = await in_a_fresh_interpreter(tmp_path, "run")
    assert ended.status == 2
    assert [line.split()[1] for line in complaints(ended)] == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "GEMINI_API_KEY"]
    assert os.listdir(tmp_path) == []


async def test_an_unknown_key_in_the_file_is_refused(countersign: Command, tmp_path: Path) -> None:
    """A misspelt key in `.env` keeps every command from running, and is told with the one that was meant; `run` tells
    what is wrong and missing besides.
    """
    (tmp_path / ".env").write_text("GEMINI_KEY=x\n", encoding="utf-8")
    told = "✗ GEMINI_KEY in .env is not a variable of this program. Did you mean GEMINI_API_KEY?"
    ended = await countersign(tmp_path, "audit", "verify")
    assert (ended.status, complaints(ended)) == (2, [told])
    ended = await countersign(tmp_path, "run", HTTP_PORT="many")
    assert ended.status == 2
    missing = [f"✗ {name}" for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "GEMINI_API_KEY")]
    assert [line.partition(" is ")[0] for line in complaints(ended)[1:]] == ["✗ HTTP_PORT", *missing]
    assert complaints(ended)[0] == told


async def test_a_near_miss_is_warned_of(countersign: Command, tmp_path: Path) -> None:
    """A variable that looks like ours is told and does not stop the command."""
    ended = await countersign(tmp_path, "migrate", SLACK_BOT_TOKN="xoxb-1")
    assert ended.status == 0
    assert "! SLACK_BOT_TOKN is not a variable of this program" in ended.complained


async def test_a_first_run_names_setup(countersign: Command, tmp_path: Path) -> None:
    """A newcomer types `run` before anything is configured: after what is missing stands the command that asks."""
    ended = await countersign(tmp_path, "run")
    assert ended.status == 2
    assert "`countersign setup`" in ended.complained.strip().splitlines()[-1]


async def test_a_near_miss_is_told_beside_what_is_missing(countersign: Command, tmp_path: Path) -> None:
    """When the command cannot run because of it, the misspelt variable is told before what is missing."""
    ended = await countersign(tmp_path, "run", SLACK_BOT_TOKN="xoxb-1")
    assert ended.status == 2
    warned, missing = (
        ended.complained.find(part) for part in ("! SLACK_BOT_TOKN is not", "✗ SLACK_BOT_TOKEN is missing")
    )
    assert 0 <= warned < missing


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "sqlite+aiosqlite:///a_file/countersign.db"),
        ("DATABASE_URL", "sqlite+aiosqlite:///a_file"),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("ENCRYPTION_KEYS", "short"),
        ("AGENT_SIDE_EFFECTS_ENABLED", "perhaps"),
    ],
)
async def test_a_wrong_value_ends_with_its_name(countersign: Command, tmp_path: Path, name: str, value: str) -> None:
    """Whether reading or using it showed that it is wrong: one line with the variable's name, and status 2."""
    (tmp_path / "a_file").write_text("no database, and no folder either", encoding="utf-8")
    ended = await countersign(tmp_path, "migrate", **{name: value})
    assert complaint(ended).startswith(f"✗ {name} ")


@pytest.mark.parametrize(
    ("name", "value"),
    [("SLACK_BOT_TOKEN", "xoxb-of-somebody-else"), ("SLACK_APP_TOKEN", "xapp-of-somebody-else")],
)
async def test_a_token_that_slack_refuses_is_named(
    countersign: Command, idle: World, tmp_path: Path, name: str, value: str
) -> None:
    """A token that only Slack can tell to be wrong is named too."""
    ended = await countersign(tmp_path, "run", **variables(idle, **{name: value}))
    assert name in complaint(ended)
    assert value not in ended.complained


@pytest.mark.parametrize("command", ["run", "doctor"])
async def test_tokens_of_two_apps_are_refused(countersign: Command, idle: World, tmp_path: Path, command: str) -> None:
    """A bot that would hear what people say to another app does not start, and says which token is whose."""
    mixed = variables(idle, SLACK_APP_TOKEN="xapp-1-A0OTHER-1-x")
    ended = await countersign(tmp_path, command, **mixed)
    assert "✗ SLACK_APP_TOKEN is of the app A0OTHER and SLACK_BOT_TOKEN of the app A0CSIGN" in str(ended)


async def test_a_taken_port_is_named(countersign: Command, idle: World, tmp_path: Path) -> None:
    """An address where something else listens is told with the two variables that name it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        ended = await countersign(tmp_path, "run", **variables(idle, HTTP_PORT=port))
    assert f"HTTP_HOST and HTTP_PORT name 127.0.0.1 port {port}" in complaint(ended)


# The doctor ----------------------------------------------------------------------------------------------------------


async def test_the_doctor_says_when_all_is_well(countersign: Command, idle: World, tmp_path: Path) -> None:
    """With a right configuration the doctor says what to type next, changes nothing, and ends with 0."""
    fresh = f"sqlite+aiosqlite:///{tmp_path}/later.db"
    ended = await countersign(tmp_path, "doctor", **variables(idle, DATABASE_URL=fresh))
    *about_the_api, ready = ended.said.splitlines()
    assert (ended.status, ready) == (0, "✓ Ready: countersign run")
    assert [line.partition(",")[0] for line in about_the_api] == ["✓ HTTP API: off"]
    assert not (tmp_path / "later").exists()


async def test_the_doctor_lists_all_that_is_wrong(countersign: Command, idle: World, tmp_path: Path) -> None:
    """Everything that would keep the bot from starting is told at once, also what only Slack can tell."""
    (tmp_path / "a_file").write_text("no database", encoding="utf-8")
    wrong = variables(
        idle,
        SLACK_BOT_TOKEN="xoxb-of-somebody-else",
        SLACK_APP_TOKEN="xapp-of-somebody-else",
        DATABASE_URL="sqlite+aiosqlite:///a_file",
        ENCRYPTION_KEYS="short",
        GEMINI_API_KEY="",
        SLACK_BOT_TOKN="x",
        REPOSITORIES_DIR="none",
    )
    ended = await countersign(tmp_path, "doctor", **wrong)
    lines = complaints(ended)
    of_slack = ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]
    named = ["GEMINI_API_KEY", "ENCRYPTION_KEYS", "DATABASE_URL", *of_slack, "REPOSITORIES_DIR"]
    assert [next(name for name in named if name in line) for line in lines] == named
    assert "! SLACK_BOT_TOKN" in ended.said
    assert ended.status == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"GEMINI_API_KEY": "invalid-1"}, ["does not accept GEMINI_API_KEY (400", "https://aistudio.google.com"]),
        ({"GEMINI_MODEL": "gemini-of-tomorrow"}, ["Gemini knows no model “gemini-of-tomorrow”", "GEMINI_MODEL"]),
        ({"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}, ["Gemini could not be reached", "GOOGLE_GEMINI_BASE_URL"]),
        ({"SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": "short"}, ["SLACK_SIGNING_SECRET is wrong"]),
        ({"SLACK_API_URL": "http://127.0.0.1:9/api/"}, ["Slack could not be reached", "SLACK_API_URL"]),
    ],
)
async def test_the_doctor_asks_everybody(
    countersign: Command, idle: World, tmp_path: Path, wrong: dict[str, str], words: list[str]
) -> None:
    """What no request or event could be answered with is told once, with its variable and no log line, status 1."""
    ended = await countersign(tmp_path, "doctor", **variables(idle, **wrong))
    assert ended.complained == ""
    line = complaint(ended, status=1)
    assert [part for part in words if part not in line] == []


# The database --------------------------------------------------------------------------------------------------------


async def test_one_process_owns_the_file(countersign: Command, idle: World, tmp_path: Path) -> None:
    """While the bot runs a second one is refused and told which process has the file; what only reads is not."""
    await idle.start_bot()
    second = await countersign(tmp_path, "run", **variables(idle))
    line = complaint(second, status=1)
    assert f"in use by another countersign process (pid {os.getpid()})" in line
    assert "another DATABASE_URL" in line
    request = await ask(idle, DANA, "[[model: text=Still working.]]")
    await request.answer("Still working.")

    verified = await countersign(tmp_path, "audit", "verify", **variables(idle))
    assert verified.status == 0, verified
    exported = await countersign(tmp_path, "audit", "export", **variables(idle))
    assert exported.status == 0
    assert '"code":"run.completed"' in exported.said
    checked = await countersign(tmp_path, "doctor", **variables(idle))
    assert checked.status == 0


async def test_a_bot_with_other_keys_does_not_start(countersign: Command, idle: World, tmp_path: Path) -> None:
    """The key file of another database: start and doctor name the file and the key that is to be put back."""
    there = {**variables(idle), "DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/own.db"}
    async with opened(Settings(database_url=there["DATABASE_URL"]), owner=True) as base:
        await record(base, "run.queued")
        await Sealer(store=base.store, keyring=base.keyring).seal()
    file = tmp_path / "own.db.key"
    file.write_text(new_key(), encoding="ascii")
    for command, status in (("run", 2), ("doctor", 1)):
        ended = await countersign(tmp_path, command, **there)
        line = complaint(ended, status=status)
        assert line.startswith(f"✗ {file} lacks the key {base.keyring.ids[0]}, and without it 2 heads of the log")
        assert "Put it back" in line


async def test_a_database_that_was_moved_away_is_no_new_installation(
    countersign: Command, idle: World, tmp_path: Path
) -> None:
    """Where the id of a database stands without it nothing is begun; start and doctor say what to do."""
    there = {**variables(idle), "DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/moved.db"}
    (tmp_path / "moved.db.instance").write_text("0123456789abcdef", encoding="utf-8")
    before = sorted(os.listdir(tmp_path))
    why = "moved.db, and there is no such file any more: moved.db.instance beside it is of the database"
    await _refused(countersign, tmp_path, there, "run", "migrate", "doctor", because=why)
    assert sorted(os.listdir(tmp_path)) == before


async def test_a_folder_that_is_not_there_is_not_made(countersign: Command, idle: World, tmp_path: Path) -> None:
    """A mistyped path is told, by the start and by the doctor, and makes no folders."""
    there = {**variables(idle), "DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/no/such/countersign.db"}
    why = f"there is no folder {tmp_path}/no/such"
    await _refused(countersign, tmp_path, there, "run", "doctor", because=why)
    assert not (tmp_path / "no").exists()


async def test_the_playgrounds_database_is_nobody_elses(countersign: Command, idle: World, tmp_path: Path) -> None:
    """Beside a playground's mark start and doctor refuse a database, for the next playground deletes it; to look into
    it is no harm.
    """
    made = await countersign(tmp_path, "migrate", **variables(idle))
    assert made.status == 0, made
    idle.settings.sqlite_path.with_name(MARK).touch()
    why = "a playground's, which its next start deletes"
    await _refused(countersign, tmp_path, variables(idle), "run", "doctor", because=why)
    assert (await countersign(tmp_path, "audit", "verify", **variables(idle))).status == 0


async def _refused(
    countersign: Command, folder: Path, configured: dict[str, str], *commands: str, because: str
) -> None:
    """Each command names DATABASE_URL on its one line, with the reason."""
    for command in commands:
        ended = await countersign(folder, command, **configured)
        (line,) = complaints(ended)
        assert line.startswith("✗ DATABASE_URL names ")
        assert because in line
        assert ended.status == (1 if command == "doctor" else 2)


def refuse_writes(path: Path, *, refuse: bool) -> None:
    """Make the database refuse whatever is audited, and so every change; or let it through again."""
    statement = (
        "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        if refuse
        else "DROP TRIGGER full"
    )
    with closing(sqlite3.connect(path, timeout=PATIENCE_SECONDS)) as database, database:
        database.execute(statement)


async def test_nothing_is_acknowledged_that_was_not_saved(idle: World) -> None:
    """While nothing can be written no event is acknowledged; Slack sends it again, and it is answered once."""
    await idle.slack.post("/__admin/settings", {"ack_seconds": 0.4, "retries": 20, "retry_seconds": 0.1})
    await idle.start_bot()
    await asyncio.to_thread(refuse_writes, idle.settings.sqlite_path, refuse=True)
    request = await ask(idle, DANA, "[[model: text=Saved at last.]]")

    async def again() -> bool:
        return len(await _deliveries(idle, request.ts)) >= 2

    await idle.until(again, "another delivery")
    assert await request.run() is None
    assert "Not saved, send it again." in await idle.command(DANA, "trust delegated")

    await asyncio.to_thread(refuse_writes, idle.settings.sqlite_path, refuse=False)
    await request.answer("Saved at last.")
    assert len(await request.said()) == 1
    assert "`supervised`" in await idle.command(DANA, "trust")


async def test_a_click_that_was_not_saved_does_not_count(idle: World) -> None:
    """While nothing can be written Approve is answered with “press again”, and nothing is sent until it counts."""
    await idle.start_bot()
    mail = '[[call: gmail_send {"to": ["helen.marsh@marshgardens.example"], "subject": "Hi", "body": "Hello"}]]'
    request = await ask(idle, DANA, mail)
    card = await request.card(APPROVE)
    await asyncio.to_thread(refuse_writes, idle.settings.sqlite_path, refuse=True)
    await idle.click(DANA, card, APPROVE)

    async def told() -> bool:
        return "Not saved, press again." in str((await idle.slack.state())["ephemerals"])

    await idle.until(told, "the words")
    assert await idle.sent(DANA) == []
    await asyncio.to_thread(refuse_writes, idle.settings.sqlite_path, refuse=False)
    await idle.click(DANA, card, APPROVE)
    await request.ended()
    assert len(await idle.sent(DANA)) == 1


async def _deliveries(here: World, ts: str) -> list[object]:
    """Every time that Slack brought this message."""
    entries = await here.slack.log()
    return [entry for entry in entries if entry["direction"] == "out" and ts in str(entry["request"])]
