"""The command line on a real file: statuses, what is printed, and what a person is told to do next."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from typing import Any

import pytest

from bot.runtime.audit.sealer import Sealer
from bot.secrets import new_key
from bot.wiring.store import opened
from playground.people import APP_TOKEN, BOT_TOKEN
from playground.serve import Served
from playground.slack.emulator import build as build_slack
from tests.builders import DANA, TEAM
from tests.integration.shell import Shell, record, written
from tests.patience import PATIENCE_SECONDS

ACCOUNT = {
    "team": TEAM,
    "user": DANA,
    "account": "1",
    "email": "dana@fernhill.example",
    "scopes": ["read"],
    "access_token": "ya29.playground-dana",
    "refresh_token": "1//playground-dana",
}
MEMORY = {"team": TEAM, "user": DANA, "memory": "Helen likes oak", "key": "k1"}


def fill(shell: Shell, *codes: str, sealed: bool = True) -> None:
    """Write entries into the log."""
    asyncio.run(written(shell, *codes, sealed=sealed))


# The log --------------------------------------------------------------------------------------------------------


def test_verify_says_that_the_log_is_whole(shell: Shell) -> None:
    """Status 0 and a sentence, which names a tail that is not sealed yet."""
    fill(shell, "run.queued", "run.completed")
    done = shell.run("audit", "verify")
    assert (done.exit_code, done.stdout) == (0, "The log verifies: 2 entries, unbroken, unchanged and in order.\n")
    fill(shell, "run.queued", sealed=False)
    assert "The newest 1 are not sealed yet." in shell.run("audit", "verify").stdout


def test_verify_says_what_was_done_to_the_log(shell: Shell) -> None:
    """Status 1, and each problem with its entry."""
    fill(shell, "run.queued", "run.completed")
    shell.tamper("DROP TRIGGER audit_insert_only; UPDATE audit SET body = 'gone' WHERE id = 1")
    done = shell.run("audit", "verify")
    assert done.exit_code == 1
    assert done.stdout.startswith("The log does NOT verify")
    assert "entry 1 (run.queued): its bytes or its MAC were changed" in done.stdout


def test_heads_are_kept_and_held_against_the_log(shell: Shell) -> None:
    """A line a workspace; `verify --kept` is content with what the log still holds, and misses what it does not."""
    fill(shell, "run.queued", "run.completed")
    (line,) = shell.run("audit", "heads").stdout.splitlines()
    assert line.startswith(f"{TEAM}:2:")
    fill(shell, "run.queued")
    assert shell.run("audit", "verify", "--kept", line).exit_code == 0
    done = shell.run("audit", "verify", "--kept", line, "--kept", f"{TEAM}:9:0123456789abcdef")
    assert (done.exit_code, "does not have the place 9:" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    "line",
    [
        *("rubbish", "", f"{TEAM}:", f"{TEAM}:2", f"{TEAM}:0:", f"{TEAM}:2:0123", "2:0123456789abcdef"),
        *(f"{TEAM}:2:0123456789abcdef0", f"{TEAM}:2:0123456789abcdef {TEAM}"),
    ],
)
def test_what_is_no_line_of_heads_raises_no_alarm(shell: Shell, line: str) -> None:
    """A slip of the hand is an answer that cannot be used, not a log that does not verify."""
    fill(shell, "run.queued", "run.completed")
    done = shell.run("audit", "verify", "--kept", line)
    assert (done.exit_code, "does NOT verify" in done.output) == (2, False)
    assert "is not a line of `countersign audit heads`" in done.output


def test_verify_without_its_key_says_that_first(shell: Shell) -> None:
    """The key is named before the problems that come of it, and the problems that are left out are counted."""
    fill(shell, *["run.queued"] * 30)
    key_id = shell.rows("SELECT DISTINCT key_id FROM audit")[0][0]
    done = shell.run("audit", "verify", ENCRYPTION_KEYS=new_key())
    assert done.exit_code == 1
    first, *_, last = done.stdout.splitlines()
    assert first.startswith(f"✗ Keys that signed the log are missing: {key_id}.")
    assert last.startswith("… and ")
    assert last.endswith(" more")


def test_export_prints_an_object_a_line(shell: Shell) -> None:
    """Every entry after the one that is named, in order."""
    fill(shell, "run.queued", "run.started", "run.completed")
    lines = [json.loads(line) for line in shell.run("audit", "export").stdout.splitlines()]
    assert [(line["code"], line["seq"], line["sealed"]) for line in lines] == [
        ("run.queued", 1, True),
        ("run.started", 2, True),
        ("run.completed", 3, True),
    ]
    (last,) = shell.run("audit", "export", "--after", "2").stdout.splitlines()
    assert json.loads(last)["code"] == "run.completed"


async def test_export_follows_beside_the_owner(shell: Shell) -> None:
    """While another process owns the file, new entries come as they are written, and again when they are sealed."""
    await written(shell, "run.queued")
    async with opened(shell.settings(), owner=True) as base, shell.process("audit", "export", "--follow") as process:
        assert process.stdout is not None
        lines: list[dict[str, Any]] = []

        async def more() -> tuple[str, bool]:
            assert process.stdout is not None
            lines.append(json.loads(await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)))
            return lines[-1]["code"], lines[-1]["sealed"]

        assert await more() == ("run.queued", True)
        await record(base, "run.started", "run.completed")
        assert [await more(), await more()] == [("run.started", False), ("run.completed", False)]
        await Sealer(store=base.store, keyring=base.keyring).seal()
        assert [await more(), await more()] == [("run.started", True), ("run.completed", True)]
        assert [line["id"] for line in lines] == [1, 2, 3, 2, 3]


# The file -------------------------------------------------------------------------------------------------------


def test_migrate_makes_the_database(shell: Shell) -> None:
    """On an empty place, which it says, and again on the same file; the key beside it is for its owner only."""
    made = f"There was no database, so a new one was made: {shell.path}\nIts keys: {shell.path}.key\n"
    for told in (made, ""):
        done = shell.run("migrate")
        assert (done.exit_code, done.stdout) == (0, f"{told}The database is up to date.\n")
    assert shell.rows("SELECT count(*) FROM runs") == [(0,)]
    assert shell.path.with_name("countersign.db.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("command", ["run", "migrate"])
def test_a_newer_schema_is_refused(shell: Shell, command: str) -> None:
    """Status 2, and a line that says which program is needed; the database stays as it is."""
    assert shell.run("migrate").exit_code == 0
    shell.tamper("UPDATE alembic_version SET version_num = '9999'")
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "GEMINI_API_KEY": "k"}
    told = shell.fails(command, **tokens, status=2)
    assert "✗ DATABASE_URL names a database with schema 9999, which a newer countersign wrote" in told
    assert "Install the newer one again" in told
    assert shell.rows("SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.mark.parametrize("command", [["migrate"], ["keys", "rotate"], ["restore", "--original-is-gone"]], ids=" ".join)
async def test_a_second_owner_is_refused(shell: Shell, command: list[str]) -> None:
    """While one process has the file another is told who has it and what to do, with status 1."""
    async with opened(shell.settings(), owner=True):
        told = await asyncio.to_thread(shell.fails, *command)
    assert f"pid {os.getpid()}" in told
    assert "Stop it first" in told


@pytest.mark.parametrize(
    "command",
    [["audit", "verify"], ["keys", "rotate"], ["restore", "--original-is-gone"], ["backup", "copy.db"]],
    ids=" ".join,
)
def test_where_no_database_is_none_is_made(shell: Shell, command: list[str]) -> None:
    """Commands that need a database say that there is none and what to do, with status 2, and make no file."""
    done = shell.run(*command)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"✗ DATABASE_URL names {shell.path}, and there is no such file. Start `countersign")
    assert "Traceback" not in done.output
    assert list(shell.path.parent.iterdir()) == []


# The playground's accounts ----------------------------------------------------------------------------------------


def test_accounts_and_memories_are_adopted(shell: Shell) -> None:
    """From lines of JSON; twice is once, and no token stands in the file."""
    lines = "\n".join(map(json.dumps, (ACCOUNT, MEMORY)))
    for _ in range(2):
        assert shell.run("adopt", stdin=lines + "\n\n").exit_code == 0
    assert shell.rows("SELECT user, account, status FROM connections") == [(DANA, "1", "active")]
    assert shell.rows("SELECT text FROM memories") == [("Helen likes oak",)]
    assert b"ya29.playground" not in shell.path.read_bytes()


@pytest.mark.parametrize("line", [ACCOUNT, MEMORY], ids=["account", "memory"])
def test_nothing_is_adopted_off_an_emulator(shell: Shell, line: dict[str, Any]) -> None:
    """With a token URL that is not loopback nothing is stored."""
    done = shell.run("adopt", stdin=json.dumps(line), GOOGLE_OAUTH_TOKEN_URL="https://oauth2.googleapis.com/token")
    assert done.exit_code != 0
    assert "loopback" in done.stderr
    assert shell.rows("SELECT count(*) FROM connections") == [(0,)]
    assert shell.rows("SELECT count(*) FROM memories") == [(0,)]


# The process ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.deep)])
async def test_a_signal_ends_the_bot_in_order(shell: Shell, number: signal.Signals) -> None:
    """It says when it is ready, ends with status 0 when it is asked to, and leaves the file to the next."""
    async with Served(build_slack()) as url:
        slack = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_API_URL": f"{url}/api/"}
        more = {**slack, "GEMINI_API_KEY": "key", "HTTP_PORT": "0", "COUNTERSIGN_READY_LINE": "1"}
        async with shell.process("run", **more) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)
            assert line, (await process.stderr.read()).decode()
            ready = json.loads(line)
            assert ready["ready"] == "bot"
            assert ready["url"].startswith("http://127.0.0.1:")
            process.send_signal(number)
            assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 0
            assert b"Traceback" not in await process.stderr.read()
    async with opened(shell.settings(), owner=True):
        pass
