"""`countersign agents run` on a real file: what it refuses, each with status 1, a sentence and nothing begun."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from bot.domain.limits import Limits, Usage
from bot.domain.runs import SILENCE, RunState
from bot.domain.threads import Workspace
from bot.store.file_lock import owned
from bot.wiring.store import opened
from policies import loader
from tests import builders as make
from tests.builders import DANA, NOW, TEAM
from tests.integration.shell import Shell
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.agents.test_bad_files import GOOD

WHO = f"{TEAM}/{DANA}"
TOPIC = ("--input", "topic=benches")


@pytest.fixture
def installed(shell: Shell, tmp_path: Path) -> Shell:
    """An installation with an agent that may be used, one that lacks a tool, and one that is not listed."""
    agents, policies = tmp_path / "agents", tmp_path / "policies"
    agents.mkdir()
    policies.mkdir()
    (agents / "scout.yaml").write_text(GOOD, encoding="utf-8")
    (agents / "miner.yaml").write_text(
        GOOD.replace("name: scout", "name: miner").replace("gmail_search", "dig"), encoding="utf-8"
    )
    (agents / "ghost.yaml").write_text(GOOD.replace("name: scout", "name: ghost"), encoding="utf-8")
    shipped = (loader.SHIPPED / "constitution.md").read_text(encoding="utf-8")
    listed = shipped.replace("agents:\n", "agents:\n  - scout\n  - miner\n", 1)
    (policies / "constitution.md").write_text(listed, encoding="utf-8")
    shell.environment.update(AGENTS_DIR=str(agents), POLICIES_DIR=str(policies))
    asyncio.run(_a_database(shell))
    return shell


async def _a_database(shell: Shell) -> None:
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.users.installed(Workspace(team=TEAM, name="Fernhill", bot_user="U9BOT", bot_id="B9BOT"))


@pytest.fixture
def works(installed: Shell) -> Generator[Shell]:
    """The same, while a process has the database, as a bot does."""
    with owned(installed.path):
        yield installed


def refused(shell: Shell, *arguments: str, stdin: str = "") -> str:
    """What it says; nothing began."""
    done = shell.run("agents", "run", *arguments, stdin=stdin)
    assert (done.exit_code, done.stdout, "Traceback" in done.output) == (1, "", False), done.output
    assert shell.rows("SELECT id FROM runs") == []
    return done.stderr


def test_without_a_bot_nothing_begins(installed: Shell) -> None:
    said = refused(installed, "scout", "--as", WHO, *TOPIC)
    assert said == "✗ No bot works with this database, so nothing was begun. Start one: `countersign run`.\n"


UNUSABLE = {
    "spy": "There is no agent “spy”.",
    "scuot": "There is no agent “scuot”. Did you mean “scout”?",
    "miner": "The agent “miner” cannot be used here: it lacks the tool dig.",
    "ghost": "The agent “ghost” cannot be used here: it lacks an entry under “agents” in constitution.md.",
}


@pytest.mark.parametrize(("name", "said"), UNUSABLE.items())
def test_an_agent_that_cannot_be_used(works: Shell, name: str, said: str) -> None:
    """The sentence says why, and which command shows all."""
    cure = "`countersign agents list` shows every agent and what it lacks."
    assert refused(works, name, "--as", WHO, *TOPIC) == f"✗ {said} {cure}\n"


@pytest.mark.parametrize(
    ("unset", "said"),
    [(("AGENTS_DIR", "POLICIES_DIR"), "AGENTS_DIR and POLICIES_DIR are"), (("AGENTS_DIR",), "AGENTS_DIR is")],
)
def test_a_folder_that_only_the_bot_knows_is_named(works: Shell, unset: tuple[str, ...], said: str) -> None:
    for name in unset:
        del works.environment[name]
    expected = f"{said} not set here: give this command what the bot has."
    assert expected in refused(works, "scout", "--as", WHO, *TOPIC)


WRONG = {
    (): "The inputs of scout are wrong: topic is missing. Nothing began.",
    ("--input", "topic"): "“topic” is no input. Write --input name=value.",
    (*TOPIC, "--input", "most=3"): "The inputs of scout are wrong: most is not an input. Nothing began.",
    ("--input", "topic=a\x07b"): "The inputs of scout are wrong: topic has a control character (U+0007); leave it out. "
    "Nothing began.",
}


@pytest.mark.parametrize(("inputs", "said"), WRONG.items())
def test_wrong_inputs(works: Shell, inputs: tuple[str, ...], said: str) -> None:
    assert refused(works, "scout", "--as", WHO, *inputs) == f"✗ {said}\n"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "The inputs are no JSON: "),
        ("[]", "The inputs are no JSON object. Write {“name”: value, …}."),
        ('{"topic": 3}', "The inputs of scout are wrong: topic must be a text. Nothing began."),
    ],
)
def test_a_document_of_inputs(works: Shell, document: str, said: str) -> None:
    assert said in refused(works, "scout", "--as", WHO, "--inputs", "-", stdin=document)


@pytest.mark.parametrize("person", ["dana", "T1", "T1/dana", "T1/U1DANA/more", "\x1b[31mT1/U1"])
def test_nobody(works: Shell, person: str) -> None:
    said = refused(works, "scout", "--as", person, *TOPIC)
    assert "names no person. Write the ids of workspace and user: T0123/U0456." in said
    assert "\x1b" not in said


def test_another_workspace(works: Shell) -> None:
    """Its bot would never take the request up."""
    assert "The bot does not work in the workspace T9." in refused(works, "scout", "--as", f"T9/{DANA}", *TOPIC)


async def _line(process: asyncio.subprocess.Process) -> str:
    """The next line that it says beside its output."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE_SECONDS):
        return (await process.stderr.readline()).decode()


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("completed", 0),
        *(pytest.param(state, 1, marks=pytest.mark.deep) for state in ("failed", "cancelled", "paused")),
    ],
)
async def test_it_waits_for_the_end_and_prints_the_record(works: Shell, state: str, status: int) -> None:
    """That a person is asked meanwhile is said once; the status tells whether the run completed."""
    async with works.process("agents", "run", "scout", "--as", WHO, *TOPIC) as process:
        assert "began. `countersign runs show run_" in await _line(process)
        works.tamper("UPDATE runs SET state = 'awaiting_confirmation'")
        assert await _line(process) == "It waits for the person: what it asks stands in Slack.\n"
        works.tamper(f"UPDATE runs SET state = '{state}', summary = 'So far.', duration_ms = 1500")
        said, complained = await process.communicate()
    assert (process.returncode, complained) == (status, b"")
    record = json.loads(said)
    assert (record["status"], record["summary"], record["duration"]) == (state, "So far.", 1.5)
    assert (record["agent"], record["input"]) == ("scout", {"topic": "benches"})
    assert works.rows("SELECT json_extract(body, '$.details.by') FROM audit") == [("operator",)]


# The tree ---------------------------------------------------------------------------------------------------------


async def _a_family(shell: Shell) -> None:
    run = make.run(
        id="run_1", state=RunState.PAUSED, model="gemini-3", steps_taken=3, usage=Usage(prompt=1_000, output=40),
        cost_micros=4_200, stop_code=SILENCE, duration_ms=75_000,
    )  # fmt: skip
    of_agent = {"root": "run_1", "definition": "0" * 64, "inputs": {"topic": "benches"}, "limits": Limits(steps=4)}
    scout = make.run(
        id="run_2", parent="run_1", agent="scout", state=RunState.COMPLETED, steps_taken=1, usage=Usage(prompt=300),
        duration_ms=2_000, **of_agent,
    )  # fmt: skip
    other = make.run(id="run_3", parent="run_1", agent="writer", state=RunState.AWAITING, **of_agent)
    below = make.run(id="run_4", parent="run_2", agent="reader", state=RunState.PAUSED, stop_code="steps", **of_agent)
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.users.seen(make.person())
        await work.threads.ensure(make.thread())
        await work.messages.add(make.message("Look for benches", id="msg_1", created_at=NOW, ts="1.1", channel="D1"))
        for one in (run, scout, other, below):
            await work.runs.add(one)


def test_the_agents_that_work_for_a_request_are_a_tree(shell: Shell) -> None:
    """Each below the run that it works for, with what it used and where it stopped; asked of any of them."""
    asyncio.run(_a_family(shell))
    shown = shell.run("runs", "show", "run_1").stdout
    _, _, tree = shown.partition("Runs of this request\n")
    assert tree == snapshot("""\
  the assistant  run_1  paused, 3 steps, 1,040 tokens, at most US$ 0.0042, 1 min 15 s, stopped: silence
    scout        run_2  completed, 1 step, 300 tokens, 2.00 s
      reader     run_4  paused, 0 steps, 0 tokens, –, stopped: steps
    writer       run_3  awaiting_confirmation, 0 steps, 0 tokens, –
""")
    assert tree.strip() in shell.run("runs", "show", "run_4").stdout
    of_scout = shell.run("runs", "show", "run_2").stdout
    assert "  agent      scout (scout), definition 000000000000" in of_scout
    assert "  works for  run_1" in of_scout
    assert '"topic": "benches"' in of_scout
    listed = shell.run("runs", "list").stdout
    assert [line.split()[-2:] for line in listed.splitlines() if line.startswith("run_2")] == [["for", "run_1"]]
    (brief, *_) = [
        json.loads(line) for line in shell.run("runs", "list", "--json").stdout.splitlines() if "run_4" in line
    ]
    assert (brief["agent"], brief["parent"], brief["root"]) == ("reader", "run_2", "run_1")
    record = json.loads(shell.run("runs", "show", "run_2", "--json").stdout)
    assert [run["id"] for run in record["tree"]] == ["run_1", "run_2", "run_3", "run_4"]
