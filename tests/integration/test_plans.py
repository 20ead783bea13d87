"""`countersign plan` on a real file: what it refuses, each with status 1 and a sentence, and what it prints."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from bot.agents import canonical
from bot.domain.deliveries import Post, card_slot
from bot.domain.plans import Phase, Plan, PlanTask, Round, TaskStatus
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.domain.threads import Workspace
from bot.runtime.plans import tasks
from bot.store.file_lock import owned
from bot.wiring.store import opened
from tests import builders as make
from tests.builders import DANA, NOW, TEAM
from tests.integration.shell import Shell
from tests.patience import PATIENCE_SECONDS

WHO = f"{TEAM}/{DANA}"
TASKS = (
    PlanTask(id="1", title="Find the mail", goal="The mail of Anna is found."),
    PlanTask(id="2", title="Answer Anna", goal="Anna has an answer.", agent="writer"),
)


@pytest.fixture
def installed(shell: Shell) -> Shell:
    asyncio.run(_a_database(shell))
    return shell


async def _a_database(shell: Shell) -> None:
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.users.installed(Workspace(team=TEAM, name="Fernhill", bot_user="U9BOT", bot_id="B9BOT"))
        await work.users.seen(make.person(zone="Europe/London"))


@pytest.fixture
def works(installed: Shell) -> Generator[Shell]:
    """The same, while a process has the database, as a bot does."""
    with owned(installed.path):
        yield installed


def refused(shell: Shell, *arguments: str) -> str:
    """What it says; nothing began."""
    done = shell.run("plan", *arguments)
    assert (done.exit_code, done.stdout, "Traceback" in done.output) == (1, "", False), done.output
    assert shell.rows("SELECT id FROM runs") == []
    return done.stderr


@pytest.mark.parametrize("command", [["start", "Answer Anna"], ["refine", "run_1", "Less."], ["execute", "run_1"]])
def test_without_a_bot_nothing_begins(installed: Shell, command: list[str]) -> None:
    said = refused(installed, *command, "--as", WHO)
    assert said == "✗ No bot works with this database, so nothing was begun. Start one: `countersign run`.\n"


def test_confirming_needs_a_bot_too(installed: Shell) -> None:
    assert "No bot works with this database" in refused(installed, "confirm", "run_1", "--revision", "1", "--as", WHO)


@pytest.mark.parametrize("person", ["dana", "T1", "\x1b[31mT1/U1"])
def test_nobody(works: Shell, person: str) -> None:
    said = refused(works, "start", "Answer Anna", "--as", person)
    assert "names no person. Write the ids of workspace and user: T0123/U0456." in said
    assert "\x1b" not in said


def test_another_workspace(works: Shell) -> None:
    assert "The bot does not work in the workspace T9." in refused(works, "start", "It", "--as", f"T9/{DANA}")


def test_a_plan_that_there_is_not(works: Shell) -> None:
    assert refused(works, "show", "run_1", "--as", WHO) == "✗ There is no plan run_1 of this person.\n"


def test_an_empty_prompt(works: Shell) -> None:
    assert refused(works, "start", " ", "--as", WHO) == "✗ Say what the plan is to reach.\n"


DEADLINES = {
    ("soon",): "“soon” is no date and time.",
    ("2026-11-27",): "“2026-11-27” is no date and time.",
    ("2031-03-30 01:30",): "does not exist in Europe/London, where the clocks go forward.",
    ("2031-10-26 01:30",): "comes twice in Europe/London, where the clocks go back.",
    ("2031-03-30 01:30", "--zone", "UTC"): "That deadline is more than a year away.",
    ("2020-01-01 12:00",): "The deadline Wed 1 Jan 2020, 12:00 (Europe/London) is over",
    ("2031-01-01 12:00", "--zone", "Europe/Lundon"): "There is no time zone “Europe/Lundon”.",
}


@pytest.mark.parametrize(("deadline", "why"), DEADLINES.items())
def test_a_deadline_that_cannot_be_one(works: Shell, deadline: tuple[str, ...], why: str) -> None:
    """It is by the person's clocks, unless a zone is named."""
    assert why in refused(works, "start", "Answer Anna", "--as", WHO, "--deadline", *deadline)


async def _line(process: asyncio.subprocess.Process) -> str:
    """The next line that it says beside its output."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE_SECONDS):
        return (await process.stderr.readline()).decode()


@pytest.mark.deep
async def test_it_waits_until_a_plan_is_proposed_and_its_words_are_nobodys(works: Shell) -> None:
    """Here nobody proposes one: planning ends, and says why."""
    at = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d} 17:00"  # noqa: TID251 - the command reads the system's clock
    given = ("--repo", "website", "--deadline", at, "--zone", "UTC")
    async with works.process("plan", "start", "Answer Anna", "--as", WHO, *given) as process:
        session_id = (await _line(process)).split()[0]
        assert works.rows("SELECT phase, deadline_at FROM runs")[0][0] == "propose"
        assert works.rows("SELECT run_id, repository FROM plans") == [(session_id, "website")]
        assert works.rows("SELECT text, typed FROM messages") == [("Answer Anna", "")]
        works.tamper("UPDATE runs SET state = 'failed', error = 'There is nothing to plan.', duration_ms = 15")
        said, complained = await process.communicate()
    assert (process.returncode, said, complained.decode()) == (1, b"", "✗ There is nothing to plan.\n")


# What is printed ----------------------------------------------------------------------------------------------


async def _a_plan(shell: Shell, **values: object) -> None:
    given = {"id": "run_1", "phase": Phase.CARRY_OUT, "state": RunState.EXECUTING, **values}
    run = make.run(**given)
    worker = tasks.worker(TASKS[0], None, confirmed=True, tools=(), steps=8)
    child = make.run(
        id="run_2", parent="run_1", root="run_1", parent_action="act_1", source_key="child:act_1", phase=Phase.REASON,
        state=RunState.COMPLETED, agent="plan_task", definition=worker.hash, inputs={"task": "[TASK] 1", "id": "1"},
    )  # fmt: skip
    async with opened(shell.settings(), owner=False) as base, base.store.write() as work:
        await work.threads.ensure(make.thread())
        await work.messages.add(make.message("Plan: answer Anna", id="msg_1", created_at=NOW, ts="1.1", channel="D1"))
        await work.runs.add(run)
        await work.runs.add(child)
        written = json.dumps(canonical.mapping(worker.definition))
        await work.definitions.keep(worker.hash, name=worker.name, canonical=written, at=NOW)
        plan = Plan(run_id="run_1", repository="website", created_at=NOW)
        await work.plans.begin(plan)
        await work.plans.revise(plan, TASKS, by="gemini", reason="", at=NOW)
        await work.plans.confirm("run_1", 1, by=DANA, at=NOW)
        await work.plans.move_task("run_1", "1", TaskStatus.COMPLETED, child="run_2", summary="Found: mail m1.")
        await work.plans.add_round("run_1", "1", Round(reason="I look for it."), most=8)
        await work.steps.add(make.step(id="step_1", run_id="run_1", seq=1, model=""))
        given_to = {"id": "act_1", "run_id": "run_1", "step_id": "step_1", "child": "run_2", "args": '{"id": "1"}'}
        await work.actions.add([make.action(**given_to, tool="plan_task")])
        await work.steps.add(make.step(id="step_2", run_id="run_2", seq=1))
        await work.actions.add([make.action(id="act_2", run_id="run_2", step_id="step_2", tool="gmail_search")])


def test_a_plan_is_shown_with_its_tasks(installed: Shell) -> None:
    """Without a bot, too."""
    asyncio.run(_a_plan(installed, deadline_at=datetime(2026, 11, 27, 17, tzinfo=UTC)))
    shown = installed.run("plan", "show", "run_1", "--as", WHO)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout == snapshot("""\
run_1  EXECUTING
  revision   1, confirmed
  deadline   Fri 27 Nov 2026, 17:00 (Europe/London)
  repository website

  1. Find the mail  completed
     goal       The mail of Anna is found.
     outcome    Found: mail m1.
  2. Answer Anna (by writer)  pending
     goal       Anna has an answer.
""")


def test_as_json_it_is_the_session_with_its_log(installed: Shell) -> None:
    asyncio.run(_a_plan(installed))
    found = json.loads(installed.run("plan", "show", "run_1", "--as", WHO, "--json").stdout)
    assert (found["session_id"], found["status"], found["confirmed"]) == ("run_1", "EXECUTING", 1)
    assert [task["status"] for task in found["tasks"]] == ["completed", "pending"]
    (entry,) = found["log"]
    assert (entry["task"], entry["round"], entry["tool"], entry["reason"]) == ("1", 1, "gmail_search", "I look for it.")


def test_keys_of_the_key_file_stay_out(installed: Shell) -> None:
    """They are secrets that no setting has."""
    asyncio.run(_a_plan(installed))
    key = Path(f"{installed.path}.key").read_text(encoding="ascii").strip().rstrip("=")
    installed.tamper(f"UPDATE plan_tasks SET summary = 'I found {key}.' WHERE id = '1'")
    for options in ([], ["--json"]):
        shown = installed.run("plan", "show", "run_1", "--as", WHO, *options).stdout
        assert "I found [redacted]." in shown
        assert key[:20] not in shown


def test_somebody_elses_plan_is_not_shown(installed: Shell) -> None:
    asyncio.run(_a_plan(installed))
    shown = installed.run("plan", "show", "run_1", "--as", f"{TEAM}/U2JONAS")
    assert (shown.exit_code, shown.stdout) == (1, "")


@pytest.mark.parametrize(
    ("state", "code", "status"),
    [
        ("completed", "", 0),
        *(
            pytest.param(*each, 1, marks=pytest.mark.deep)
            for each in (("failed", ""), ("cancelled", ""), ("paused", "cost"), ("paused", "deadline"))
        ),
    ],
)
async def test_the_status_says_whether_the_plan_was_completed(works: Shell, state: str, code: str, status: int) -> None:
    """Progress goes beside the output, which is the account and the actions."""
    await _a_plan(works)
    async with works.process("plan", "execute", "run_1", "--as", WHO) as process:
        assert await _line(process) == "1. Find the mail is completed: Found: mail m1.\n"
        works.tamper("UPDATE plan_tasks SET status = 'executing' WHERE id = '2'")
        assert await _line(process) == "2. Answer Anna is executing\n"
        works.tamper(f"UPDATE runs SET state = '{state}', stop_code = '{code}', summary = 'So far.' WHERE id = 'run_1'")
        said, complained = await process.communicate()
    assert (process.returncode, complained) == (status, b"")
    assert "So far." in said.decode()
    assert "gmail_search" in said.decode()


@pytest.mark.deep
async def test_it_says_what_a_plan_waits_for_and_where(works: Shell) -> None:
    """The card of a task, and later the question about what the plan added; each once its card stands in Slack."""
    await _a_plan(works)
    works.tamper("UPDATE runs SET state = 'awaiting_confirmation' WHERE id = 'run_2'")
    await _asks(works, "q_1", "run_2", "act_2", channel="D1", kind=QuestionKind.APPROVE)
    async with works.process("plan", "execute", "run_1", "--as", WHO) as process:
        assert await _line(process) == "1. Find the mail is completed: Found: mail m1.\n"
        what = "approve this: Send “Benches” to helen@marsh.example"
        assert await _line(process) == f"Task 1 waits for {WHO} to {what}. Its card stands in direct messages.\n"
        works.tamper("UPDATE questions SET state = 'decided'")
        await _asks(works, "q_2", "run_1", "act_1", channel="C1", kind=QuestionKind.PLAN)
        told = f"The plan waits for {WHO} to confirm the rest of it, revision 3. Its card stands in the channel C1."
        assert await _line(process) == f"{told} Or: countersign plan confirm run_1 --revision 3 --as {WHO}\n"
        works.tamper("UPDATE questions SET state = 'decided'")
        works.tamper("UPDATE runs SET state = 'completed' WHERE id = 'run_1'")
        _, complained = await process.communicate()
    assert (process.returncode, complained) == (0, b"")


async def _asks(shell: Shell, id_: str, run_id: str, action_id: str, *, channel: str, **values: object) -> None:
    """A question whose card stands in this channel."""
    about = {"id": id_, "run_id": run_id, "step_id": f"step_{run_id[-1]}", "action_id": action_id}
    async with opened(shell.settings(), owner=False) as base, base.store.write() as work:
        await work.questions.add(make.question(**about, **values))
        await work.posts.save(Post(run_id=run_id, slot=card_slot(id_), channel=channel, ts="2.1"))


@pytest.mark.deep
async def test_a_plan_whose_deadline_is_over_goes_on_with_a_new_one(works: Shell) -> None:
    """Without one, or with one that is over, it stays as it is; and another plan takes none."""
    await _a_plan(works, state=RunState.PAUSED, stop_code="deadline", hard_stop="Over.", deadline_at=NOW)
    execute = ("plan", "execute", "run_1", "--as", WHO)
    wrong = {(): "Give a new one with --deadline.", ("--deadline", "2020-01-01 12:00"): "is over: now"}
    for more, why in wrong.items():
        assert why in await asyncio.to_thread(works.fails, *execute, *more)
    at = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d} 17:00"  # noqa: TID251 - the command reads the system's clock
    async with works.process(*execute, "--deadline", at, "--zone", "UTC") as process:
        assert await _line(process) == "1. Find the mail is completed: Found: mail m1.\n"
        assert works.rows("SELECT state FROM runs WHERE id = 'run_1'") == [("executing",)]
        works.tamper("UPDATE runs SET state = 'completed' WHERE id = 'run_1'")
        await process.communicate()
    assert process.returncode == 0
    assert "This plan is COMPLETED." in await asyncio.to_thread(works.fails, *execute, "--deadline", at)


def test_a_plan_is_a_tree_of_runs(installed: Shell) -> None:
    asyncio.run(_a_plan(installed))
    shown = installed.run("runs", "show", "run_1").stdout
    _, _, tree = shown.partition("Runs of this request\n")
    assert tree.partition("\n\n")[0] == snapshot("""\
  the plan            run_1  executing, 0 steps, 0 tokens, –
    1. Find the mail  run_2  completed, 0 steps, 0 tokens, –
""")
