"""Backups and restores on real files, with the bot at work and stopped: nothing is lost, and no copy acts by itself."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.runtime.audit.verify import verified
from bot.runtime.operations.database_copy import IsACopy
from bot.store import backup as copies
from bot.wiring.app import running
from bot.wiring.store import opened, origin_of
from tests import builders as make
from tests.builders import NOW, TEAM
from tests.integration.shell import Shell, record, written


@pytest.fixture
def copy(shell: Shell, tmp_path: Path) -> Path:
    """A backup of a log with two entries."""
    asyncio.run(written(shell, "run.queued", "run.completed"))
    file = tmp_path / "elsewhere" / "copy.db"
    file.parent.mkdir()
    done = shell.run("backup", str(file))
    assert done.exit_code == 0, done.output
    return file


async def _with_a_card(shell: Shell) -> None:
    """A run that waits for its owner, as it stands in the database."""
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.threads.ensure(make.thread())
        await work.messages.add(make.message(id="msg_1"))
        await work.runs.add(make.run(id="run_1", state=RunState.AWAITING))
        await work.steps.add(make.step(id="step_1", open=1))
        await work.actions.add([make.action(id="act_1", state=ActionState.AWAITING)])
        await work.questions.add(make.question(id="q_1", action_id="act_1"))
        await work.outbox.add("thr_1", DeliveryKind.CARD, "q_1", team=TEAM, at=NOW)


# Backing up -----------------------------------------------------------------------------------------------------


def test_a_backup_is_one_file_for_its_owner(shell: Shell, copy: Path) -> None:
    """Readable by nobody else, without a log or a draft beside it, and with everything in it."""
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]
    other = Shell(path=copy, environment=shell.environment)
    assert other.rows("SELECT count(*) FROM audit") == [(2,)]


def test_a_backup_says_what_it_holds(shell: Shell, copy: Path) -> None:
    """Size, rows, whether the log verifies and where it stands, and where the keys are, which are not in it."""
    told = shell.run("backup", str(copy.with_name("second.db"))).stdout
    assert "kB, whole." in told
    assert "  0 runs, 0 actions, 0 questions, 0 messages, 0 memories, 0 connections, 2 log entries" in told
    assert "The log verifies: 2 entries" in told
    (head,) = shell.run("audit", "heads").stdout.splitlines()
    assert f"head of the log: {head}" in told
    assert f"The keys are not in it: keep {shell.path}.key" in told


def test_nothing_is_overwritten(shell: Shell, copy: Path) -> None:
    """A file that is there stays as it is, and the command fails."""
    before = copy.read_bytes()
    assert "is there already" in shell.fails("backup", str(copy))
    assert copy.read_bytes() == before


def test_a_folder_that_is_not_there_is_told(shell: Shell, copy: Path) -> None:
    """An error of the file system is a sentence."""
    assert "cannot be written" in shell.fails("backup", str(copy.parent / "no" / "where.db"))


async def test_a_backup_is_made_while_the_bot_writes(shell: Shell, tmp_path: Path) -> None:
    """Nobody waits for it, and what it holds is one moment: each transaction wholly or not at all."""
    async with opened(shell.settings(), owner=True) as base:
        stop = asyncio.Event()

        async def write() -> int:
            count = 0
            while not stop.is_set():
                await record(base, "run.queued", "run.started")
                count += 1
            return count

        writing = asyncio.create_task(write())
        for number in range(3):
            done = await asyncio.to_thread(shell.run, "backup", str(tmp_path / f"{number}.db"))
            assert done.exit_code == 0, done.output
        stop.set()
        assert await writing > 3
    counts = [
        Shell(path=tmp_path / f"{n}.db", environment={}).rows("SELECT count(*) FROM audit")[0][0] for n in range(3)
    ]
    assert counts == sorted(counts)
    assert counts[-1] > 0
    assert all(count % 2 == 0 for count in counts)


def test_a_large_database_is_copied_as_it_was_at_one_moment(tmp_path: Path) -> None:
    """Its pages are copied by and by; what is written between two of them is not in the copy, and holds nothing up."""
    source, target, told = tmp_path / "large.db", tmp_path / "copy.db", list[int]()
    with closing(sqlite3.connect(source, isolation_level=None)) as live:
        live.executescript("PRAGMA journal_mode=WAL; CREATE TABLE numbers (n, filling)")
        live.execute(
            "WITH RECURSIVE up (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM up WHERE n < 4000)"
            " INSERT INTO numbers SELECT n, zeroblob(3000) FROM up"
        )

        def written(doing: str, done: int = 0, of: int = 0, /) -> None:
            live.execute("UPDATE numbers SET n = -1")
            told.append(done)

        copies.copy(source, target, progress=written)
        assert live.execute("SELECT max(n) FROM numbers").fetchone() == (-1,)
    assert len(told) > 2
    assert told == sorted(told)
    with closing(sqlite3.connect(target)) as made:
        assert made.execute("SELECT min(n), max(n), count(*) FROM numbers").fetchone() == (1, 4000, 4000)


# Restoring ------------------------------------------------------------------------------------------------------


def test_a_restore_keeps_what_was_there(shell: Shell, copy: Path) -> None:
    """The copy is the database now, and the old one lies whole beside it under a name with the time."""
    asyncio.run(written(shell, "run.queued"))
    done = shell.run("restore", str(copy))
    assert done.exit_code == 0, done.output
    assert shell.rows("SELECT count(*) FROM audit") == [(2,)]
    (aside,) = shell.path.parent.glob("countersign.db.before-*")
    assert str(aside) in done.stdout
    assert Shell(path=aside, environment={}).rows("SELECT count(*) FROM audit") == [(3,)]
    assert shell.path.stat().st_mode & 0o777 == 0o600
    assert not list(shell.path.parent.glob("*.restoring"))


def test_what_was_there_is_kept_although_it_is_damaged(shell: Shell, copy: Path) -> None:
    """A restore is for bad days: a database that cannot be read is put aside byte by byte, with its log."""
    shell.path.write_bytes(b"SQLite format 3\x00" + b"garbage" * 1000)
    shell.path.with_name("countersign.db-wal").write_bytes(b"half of a log")
    assert shell.run("restore", str(copy)).exit_code == 0
    (aside,) = [path for path in shell.path.parent.glob("countersign.db.before-*") if path.name.endswith("Z")]
    assert aside.read_bytes().endswith(b"garbage")
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"half of a log"
    assert shell.run("audit", "verify").exit_code == 0


def test_a_backup_that_is_put_into_place_by_hand_does_nothing(shell: Shell, tmp_path: Path) -> None:
    """Over the database that it was made of, beside that one's id, it is a copy until somebody confirms it."""

    async def begin() -> None:
        async with opened(shell.settings(), owner=True) as base:
            await origin_of(base).claim()

    asyncio.run(begin())
    copy = tmp_path / "copy.db"
    assert shell.run("backup", str(copy)).exit_code == 0
    asyncio.run(begin())
    for part in ("-wal", "-shm"):
        shell.path.with_name(shell.path.name + part).unlink(missing_ok=True)
    shutil.copy(copy, shell.path)
    with pytest.raises(IsACopy, match="a backup of"):
        asyncio.run(begin())
    assert shell.run("restore", "--original-is-gone").exit_code == 0
    asyncio.run(begin())


async def test_a_database_in_use_is_not_replaced(shell: Shell, copy: Path) -> None:
    """While a bot owns it the restore is refused, and nothing changes."""
    async with opened(shell.settings(), owner=True) as base:
        await record(base, "run.queued")
        told = await asyncio.to_thread(shell.fails, "restore", str(copy))
    assert "Stop it first" in told
    assert shell.rows("SELECT count(*) FROM audit") == [(3,)]


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("DROP TRIGGER audit_insert_only; UPDATE audit SET body = 'gone' WHERE id = 1", "does NOT verify"),
        ("DELETE FROM audit_heads", "does NOT verify"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer countersign"),
        ("DROP TABLE marks", "no database of countersign"),
    ],
)
def test_what_does_not_check_out_is_not_restored(shell: Shell, copy: Path, harm: str, told: str) -> None:
    """Status 1, the reason, and the database that is there goes on as before."""
    asyncio.run(written(shell, "run.queued"))
    Shell(path=copy, environment={}).tamper(harm)
    said = shell.fails("restore", str(copy))
    assert told in said
    assert "Nothing was changed" in said
    assert shell.rows("SELECT count(*) FROM audit") == [(3,)]
    assert not list(shell.path.parent.glob("countersign.db.before-*"))


def _overwritten(raw: bytes) -> bytes:
    pages = range(2, len(raw) // 4096)
    return raw[: 2 * 4096] + b"".join(b"\xff" * 64 + raw[page * 4096 + 64 : (page + 1) * 4096] for page in pages)


def _cut_off(raw: bytes) -> bytes:
    return raw[: 5 * 4096]


@pytest.mark.parametrize("harm", [_overwritten, _cut_off])
def test_a_damaged_file_is_found(shell: Shell, copy: Path, harm: Callable[[bytes], bytes]) -> None:
    """Every page is looked at before anything is replaced, and the next step is told."""
    copy.write_bytes(harm(copy.read_bytes()))
    told = shell.fails("restore", str(copy))
    assert "it is damaged, or no database (" in told
    assert "take another backup. Nothing was changed." in told


def test_a_copy_needs_its_keys(shell: Shell, copy: Path) -> None:
    """Without the keys, or with others, its log cannot be verified: it is not restored."""
    key = shell.path.with_name("countersign.db.key")
    kept = key.read_text()
    key.unlink()
    assert "Put it back" in shell.run("restore", str(copy)).stderr
    key.write_text(kept)
    other = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="
    assert "its key is missing" in shell.fails("restore", str(copy), ENCRYPTION_KEYS=other)


def test_a_machine_that_knows_nothing_is_restored_to(shell: Shell, copy: Path, tmp_path: Path) -> None:
    """On a new machine the file and the key are enough."""
    path = tmp_path / "new" / "countersign.db"
    path.parent.mkdir()
    shutil.copy(f"{shell.path}.key", f"{path}.key")
    other = Shell(path=path, environment=shell.environment | {"DATABASE_URL": f"sqlite+aiosqlite:///{path}"})
    assert other.run("restore", str(copy), "--original-is-gone").exit_code == 0
    assert other.run("audit", "verify").exit_code == 0


@pytest.mark.parametrize(("command", "tool"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_postgresql_has_its_own_tools(shell: Shell, copy: Path, command: str, tool: str) -> None:
    """They are named, without the password, and nothing is done."""
    url = "postgresql://me:secret@db.example/countersign"
    file = copy if command == "restore" else copy.with_name("new.db")
    told = shell.fails(command, str(file), DATABASE_URL=url, status=2)
    assert tool in told
    assert "secret" not in told
    assert not copy.with_name("new.db").exists()


# Copies -----------------------------------------------------------------------------------------------------------


async def _acts(shell: Shell) -> bool:
    """Whether a bot would work on this database."""
    async with opened(shell.settings(), owner=True) as base:
        try:
            await origin_of(base).claim()
        except IsACopy:
            return False
    return True


async def test_a_restored_database_does_nothing_before_its_original_is_gone(shell: Shell, copy: Path) -> None:
    """The bot refuses to start and names the cure; once it is said, the log tells of it and the bot starts."""
    assert (await asyncio.to_thread(shell.run, "restore", str(copy))).exit_code == 0
    with pytest.raises(IsACopy, match=r"restored from copy\.db.*--original-is-gone"):
        async with running(shell.settings()):
            pass
    done = await asyncio.to_thread(shell.run, "restore", "--original-is-gone")
    assert (done.exit_code, "Next: countersign run" in done.stdout) == (0, True), done.output
    assert await _acts(shell)
    codes = shell.rows("SELECT code, body LIKE '%operator%' FROM audit ORDER BY id")
    assert codes[2:] == [("database.restored", 1)]


async def test_what_was_under_way_in_a_copy_is_stopped(shell: Shell, tmp_path: Path) -> None:
    """Its card is withdrawn and it is cancelled. The original may have done it afterwards, so it counts as attempted
    until the bot has looked.
    """
    await _with_a_card(shell)
    file = tmp_path / "copy.db"
    await asyncio.to_thread(shell.run, "backup", str(file))
    done = await asyncio.to_thread(shell.run, "restore", str(file), "--original-is-gone")
    assert "not finished: 1 run. Their owners are told" in done.stdout, done.output
    async with opened(shell.settings(), owner=True) as base, base.store.read() as work:
        run, action = await work.runs.find("run_1"), await work.actions.find("act_1")
        (question,) = await work.records.questions("run_1")
        assert (run.state, run.cancel_requested, question.state) == (RunState.EXECUTING, True, QuestionState.WITHDRAWN)
        assert (action.state, action.doubt) == (ActionState.EXECUTING, True)
        heads = await work.outbox.heads(now=NOW, limit=10)
        assert [(row.kind, row.attempts) for row in heads] == [(DeliveryKind.CARD, 1)]
    async with opened(shell.settings(), owner=False) as base:
        assert not (await verified(base.store, base.keyring)).problems


@pytest.mark.parametrize(("action_state", "question_state"), [("approved", "decided"), ("expired", "expired")])
async def test_what_was_paused_in_a_copy_is_stopped_too(
    shell: Shell, tmp_path: Path, action_state: str, question_state: str
) -> None:
    """Its original may have been continued since, and have done what is approved or expired here."""
    await _with_a_card(shell)
    with closing(sqlite3.connect(shell.settings().sqlite_path)) as database, database:
        database.execute("UPDATE runs SET state = 'paused'")
        database.execute("UPDATE actions SET state = ?", (action_state,))
        database.execute("UPDATE questions SET state = ?", (question_state,))
    file = tmp_path / "copy.db"
    await asyncio.to_thread(shell.run, "backup", str(file))
    await asyncio.to_thread(shell.run, "restore", str(file), "--original-is-gone")
    async with opened(shell.settings(), owner=True) as base, base.store.read() as work:
        run, action = await work.runs.find("run_1"), await work.actions.find("act_1")
        assert (run.state, run.cancel_requested) == (RunState.EXECUTING, True)
        assert (action.state, action.doubt) == (ActionState.EXECUTING, True)


async def test_nobody_is_told_that_nothing_was_changed(shell: Shell, tmp_path: Path) -> None:
    """What had asked for nothing yet when the copy was made may have changed something since."""
    async with opened(shell.settings(), owner=True) as base, base.store.write() as work:
        await work.threads.ensure(make.thread())
        await work.messages.add(make.message(id="msg_1"))
        await work.runs.add(make.run(id="run_1", state=RunState.PLANNING))
    file = tmp_path / "copy.db"
    await asyncio.to_thread(shell.run, "backup", str(file))
    await asyncio.to_thread(shell.run, "restore", str(file), "--original-is-gone")
    ((state, said),) = shell.rows("SELECT state, summary FROM runs")
    assert state == "cancelled"
    assert "What was done for this request after that is not known here." in said
    assert "Nothing was changed" not in said


async def test_an_original_is_not_confirmed(shell: Shell) -> None:
    """Without a copy there is nothing to say, and what is under way goes on."""
    await _with_a_card(shell)
    assert "no copy" in await asyncio.to_thread(shell.fails, "restore", "--original-is-gone")
    assert shell.rows("SELECT state FROM runs") == [("awaiting_confirmation",)]


async def test_a_copied_file_is_noticed(shell: Shell, tmp_path: Path) -> None:
    """A database that was copied by other means lacks the file with its id; the original is not affected."""
    assert await _acts(shell)
    path = tmp_path / "cp" / "countersign.db"
    path.parent.mkdir()
    shutil.copy(shell.path, path)
    shutil.copy(f"{shell.path}.key", f"{path}.key")
    other = Shell(path=path, environment=shell.environment | {"DATABASE_URL": f"sqlite+aiosqlite:///{path}"})
    assert not await _acts(other)
    assert (await asyncio.to_thread(other.run, "restore", "--original-is-gone")).exit_code == 0
    assert await _acts(other)
    assert await _acts(shell)


def test_a_restore_wants_to_know_what(shell: Shell) -> None:
    """Without a file and without a word it says how it is used."""
    assert "Name the FILE" in shell.fails("restore", status=2)
