"""The command line on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit.sealer import BATCH, Sealer
from bot.runtime.audit.verify import verified
from bot.secrets import new_key
from bot.store.engine.postgresql import PostgresqlDatabase
from bot.store.engine.postgresql_driver import Begin, PostgresqlConnection, Statement
from bot.store.errors import NotSaved
from tests.acceptance.mortal import BotProcesses, Ended
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer
from tests.stores import opened

FROZEN = "tests.integration.frozen_between_rows"


@pytest.fixture
def key() -> str:
    return new_key()


def variables(url: str, key: str) -> dict[str, str]:
    return {"DATABASE_URL": url, "ENCRYPTION_KEYS": key, "COUNTERSIGN_ENV_FILE": ""}


async def countersign(*arguments: str, **variables: str) -> Result:
    """One command in this process."""
    run = CliRunner().invoke
    return await asyncio.to_thread(run, main, list(arguments), env={"COUNTERSIGN_ENV_FILE": "", **variables})


def complaints(ended: Result) -> list[str]:
    """The lines that say what is to be mended; there is no traceback beside them."""
    assert "Traceback" not in ended.output
    return [line for line in ended.output.splitlines() if line.startswith("✗ ")]


async def test_four_processes_migrate_at_once(
    postgres: PostgresServer, tmp_path: Path, key: str, bot_processes: BotProcesses
) -> None:
    """Of four that start on an empty database one migrates, and the others find it done."""
    with postgres.database(migrated=False) as url:
        four = [bot_processes.command(tmp_path, "migrate", **variables(url, key)) for _ in range(4)]
        assert await asyncio.gather(*four) == [Ended(0, "The database is up to date.\n", "")] * 4
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
            assert connection.execute("SELECT count(*) FROM runs").fetchone() == (0,)


async def test_the_log_is_verified_and_exported(postgres_url: str, tmp_path: Path, key: str) -> None:
    """`audit verify`, `heads` and `export` read beside the replicas, and find what somebody changed."""
    async with opened(tmp_path, postgresql=postgres_url, key=key) as base:
        for code in ("run.queued", "run.completed"):
            async with base.store.write() as work:
                await work.audit.record(AuditEvent(team=TEAM, code=AuditCode(code), actor=DANA, run_id="run_1"))
        assert await Sealer(store=base.store, keyring=base.keyring).seal() == 2
        here = variables(postgres_url, key)
        ended = await countersign("audit", "verify", **here)
        assert (ended.exit_code, ended.stdout) == (
            0,
            "The log verifies: 2 entries, unbroken, unchanged and in order.\n",
        )
        assert (await countersign("audit", "heads", **here)).stdout.startswith(f"{TEAM}:2:")
        assert len((await countersign("audit", "export", **here)).stdout.splitlines()) == 2
        await base.tamper("ALTER TABLE audit DISABLE TRIGGER USER; UPDATE audit SET body = 'gone' WHERE id = 1")
        ended = await countersign("audit", "verify", **here)
    assert ended.exit_code == 1
    assert "its bytes or its MAC were changed" in ended.stdout


async def test_entries_that_were_committed_out_of_order_verify(postgres_url: str, tmp_path: Path) -> None:
    """An entry that was committed, and so sealed, after one with a higher id is in order all the same."""
    async with opened(tmp_path, postgresql=postgres_url) as base:
        sealer = Sealer(store=base.store, keyring=base.keyring)
        async with base.store.write() as slow:
            await slow.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id="run_1"))
            async with base.store.write() as fast:
                await fast.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id="run_2"))
            assert await sealer.seal() == 1
        assert await sealer.seal() == 1
        order = [row["scope"] for row in base.rows("SELECT scope FROM audit ORDER BY id")]
        assert order == ["run_1", "run_2"]
        report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries) == ([], 2)


async def test_two_sealers_make_one_chain(postgres_url: str, tmp_path: Path) -> None:
    """Sealers of two replicas, at the same moment and while entries are written: one chain, and a right count."""
    async with opened(tmp_path, postgresql=postgres_url) as base:
        sealers = [Sealer(store=base.store, keyring=base.keyring) for _ in range(2)]

        async def write(n: int) -> None:
            async with base.store.write() as work:
                await work.audit.record(
                    AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id=f"run_{n % 3}")
                )

        for n in range(10):
            await asyncio.gather(write(3 * n), write(3 * n + 1), *(one.seal() for one in sealers))
        while await sealers[0].seal():
            pass
        report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries, report.unsealed) == ([], 20, 0)


# What is wrong --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["run"], ["migrate"], ["audit", "verify"]], ids=" ".join)
async def test_keys_are_asked_for(postgres_url: str, command: list[str]) -> None:
    """Replicas share no file, so each command names the variable that all of them need."""
    ended = await countersign(*command, DATABASE_URL=postgres_url, COUNTERSIGN_ENV_FILE="")
    assert ended.exit_code == 2
    assert any(line.startswith("✗ ENCRYPTION_KEYS is missing: with PostgreSQL") for line in complaints(ended))


async def test_a_replica_with_other_keys_does_not_start(
    postgres_url: str, tmp_path: Path, key: str, bot_processes: BotProcesses
) -> None:
    """It says which key it lacks, and leaves the log to those who have it."""
    async with opened(tmp_path, postgresql=postgres_url, key=key) as base:
        async with base.store.write() as work:
            await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id="run_1"))
        await Sealer(store=base.store, keyring=base.keyring).seal()
        tokens = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "GEMINI_API_KEY": "k"}
        ended = await bot_processes.command(tmp_path, "run", **variables(postgres_url, new_key()), **tokens)
        assert f"✗ ENCRYPTION_KEYS lacks the key {base.keyring.ids[0]}, and without it 2 heads" in ended.complained
        assert ended.status == 2
        report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries) == ([], 1)


@pytest.mark.parametrize("command", [["migrate"], ["audit", "verify"]], ids=" ".join)
async def test_a_server_that_is_not_there_is_named(tmp_path: Path, key: str, command: list[str]) -> None:
    """The variable, the address without its password, and what to do; status 2."""
    url = f"postgres://dana:hunter22@/x?host={tmp_path}"
    ended = await countersign(*command, **variables(url, key))
    (line,) = complaints(ended)
    assert line.startswith("✗ DATABASE_URL names postgres://dana:***@/x")
    assert "Start the server" in line
    assert "hunter22" not in ended.output
    assert ended.exit_code == 2


async def test_a_database_that_was_never_used_is_told(postgres: PostgresServer, key: str) -> None:
    """A command that only reads makes no tables."""
    with postgres.database(migrated=False) as url:
        ended = await countersign("audit", "verify", **variables(url, key))
    (line,) = complaints(ended)
    assert "has no tables. Start `countersign run` once" in line


async def test_the_doctor_looks_at_the_server(postgres_url: str, tmp_path: Path, key: str) -> None:
    """It has nothing to say of a server that lets us in, and says what is wrong with one that does not."""
    said = (await countersign("doctor", **variables(postgres_url, key))).output
    assert "DATABASE_URL" not in said
    said = (await countersign("doctor", **variables(f"postgresql:///x?host={tmp_path}", key))).output
    assert "✗ DATABASE_URL names postgresql:///x" in said


async def test_the_doctor_says_how_long_a_frozen_replica_holds_its_locks(
    postgres_url: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends its transaction; behind a pooler that forgets our settings it would not, and that is told."""
    said = (await countersign("doctor", **variables(postgres_url, key))).output
    assert "✓ Locks: those of a replica that stands still end after 10 s, and within a statement after 12 s\n" in said

    begin = PostgresqlConnection.begin
    for without, told in (
        ("transaction_timeout", "end after 10 s, but never where it stands within a statement: PostgreSQL 17"),
        ("idle_in_transaction_session_timeout", "never end"),
    ):

        async def begun(connection: PostgresqlConnection, statements: Begin, without: str = without) -> None:
            await begin(connection, [*statements, (f"SET LOCAL {without} = 0", ())])

        monkeypatch.setattr(PostgresqlConnection, "begin", begun)
        said = (await countersign("doctor", **variables(postgres_url, key))).output
        assert f"! Locks: those of a replica that stands still {told}" in said


async def test_a_replica_that_stops_within_a_statement_holds_nothing_for_long(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """The server waits for the rest of what it sends, where no other limit applies; a long transaction has none."""
    with postgres.database(migrated=False) as url:
        others = PostgresqlDatabase(url)
        async with others.writing(None, lambda: None) as connection:
            await connection.run("CREATE TABLE kept AS SELECT 'a' AS text", {})
        async with _half_sent(postgres.folder, tmp_path):
            frozen = PostgresqlDatabase(url.replace(str(postgres.folder), str(tmp_path)), longest_ms=500)
            stopped = asyncio.create_task(_written(frozen, "b" * 2 * _HALF))
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not await _is_locked(others):
                    await asyncio.sleep(0.01)
                await _written(others, "c")
        with pytest.raises(psycopg.Error):
            await stopped
        limited = PostgresqlDatabase(url, longest_ms=500)
        async with limited.writing(None, lambda: None, long=True) as connection:
            await connection.run("SELECT pg_sleep(0.7)", {})
            await connection.run("UPDATE kept SET text = text || 'd'", {})
        async with limited.reading(None, long=True) as connection:
            await connection.run("SELECT pg_sleep(0.7)", {})
            assert (await connection.run("SELECT text FROM kept", {})).rows == [("cd",)]
        for database in (frozen, limited, others):
            await database.dispose()


@pytest.mark.chaos
async def test_a_replica_that_stops_within_a_statement_holds_nothing_for_two_minutes(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """The same with the timeouts of the product: others go on within fifteen seconds of its stop."""
    with postgres.database(migrated=False) as url:
        others = PostgresqlDatabase(url)
        async with others.writing(None, lambda: None) as connection:
            await connection.run("CREATE TABLE kept AS SELECT 'a' AS text", {})
        async with _half_sent(postgres.folder, tmp_path):
            frozen = PostgresqlDatabase(url.replace(str(postgres.folder), str(tmp_path)))
            stopped = asyncio.create_task(_written(frozen, "b" * 2 * _HALF))
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not await _is_locked(others):
                    await asyncio.sleep(0.01)
                while not await _goes_on(others):
                    pass
        with pytest.raises(psycopg.Error):
            await stopped
        async with others.reading(None) as connection:
            assert (await connection.run("SELECT text FROM kept", {})).rows == [("c",)]
        for database in (frozen, others):
            await database.dispose()


async def _goes_on(database: PostgresqlDatabase) -> bool:
    try:
        await _written(database, "c")
    except psycopg.Error:  # the row is still locked
        return False
    return True


async def test_what_was_not_prepared_because_somebody_left_is_prepared_later(postgres: PostgresServer) -> None:
    """Their statement was cut off before the next one, which was to be prepared, came to its turn."""
    with postgres.database(migrated=False) as url:
        database, other = PostgresqlDatabase(url), PostgresqlDatabase(url)
        used = list[int]()

        async def read(*before: Statement) -> Sequence[Any]:
            async with database.reading(None) as connection:
                used.append(connection.libpq.backend_pid)
                await connection.begin([("BEGIN", ()), *before])
                return (await connection.run("SELECT 7", ())).rows

        assert await read() == [(7,)]
        leaving = asyncio.create_task(read(("SELECT pg_sleep(60)", ())))
        async with other.reading(None) as connection, asyncio.timeout(PATIENCE_SECONDS):
            while (await connection.run(_SLEEPING, ())).rows != [(1,)]:
                await asyncio.sleep(0.02)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert await read() == [(7,)]
        assert len({*used}) == 1
        for each in (database, other):
            await each.dispose()


_SLEEPING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
_HALF = 50_000


@asynccontextmanager
async def _half_sent(server: Path, here: Path) -> AsyncGenerator[None]:
    """A way to the server on which nobody's bytes arrive after so many of them."""
    socket = ".s.PGSQL.5432"

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int) -> None:
        while most > 0 and (data := await reader.read(min(most, 4_096))):
            writer.write(data)
            most -= len(data)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, sent = await asyncio.open_unix_connection(server / socket)
        await asyncio.gather(carry(reader, sent, _HALF), carry(answers, writer, 1_000_000))
        for end in (writer, sent):
            end.close()
            await end.wait_closed()

    async with await asyncio.start_unix_server(serve, here / socket):
        yield


async def _written(database: PostgresqlDatabase, text: str) -> None:
    """Lock the only row, then say what it is; another who has it locked is waited for."""
    async with database.writing(None, lambda: None) as connection:
        await connection.run("SELECT * FROM kept FOR UPDATE", {})
        await connection.run("UPDATE kept SET text = $1", [text])


async def _is_locked(database: PostgresqlDatabase) -> bool:
    async with database.writing(None, lambda: None) as connection:
        return not (await connection.run("SELECT * FROM kept FOR UPDATE SKIP LOCKED", {})).rows


@pytest.mark.parametrize("seconds", [0, pytest.param(120, marks=pytest.mark.chaos)])
async def test_a_replica_that_stops_between_rows_holds_nothing_for_long(
    seconds: int, postgres_url: str, tmp_path: Path, key: str
) -> None:
    """Frozen in the middle of sealing it has the chains locked: another one seals while it stands still. What the
    frozen one does when it goes on, after so many seconds or as soon as the other sealed, counts for nothing.
    """
    async with opened(tmp_path, postgresql=postgres_url, key=key) as base:
        async with base.store.write() as work:
            for n in range(BATCH):
                await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id=f"run_{n}"))
        arguments = (sys.executable, "-m", FROZEN, postgres_url, key)
        frozen = await asyncio.create_subprocess_exec(*arguments, stderr=asyncio.subprocess.PIPE)
        try:
            await asyncio.to_thread(_wait_until_stopped, frozen.pid)
            goes_on = time.monotonic() + seconds
            sealer = Sealer(store=base.store, keyring=base.keyring)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not await _seals(sealer):
                    pass
            await asyncio.sleep(goes_on - time.monotonic())
            frozen.send_signal(signal.SIGCONT)
            _, complained = await asyncio.wait_for(frozen.communicate(), PATIENCE_SECONDS)
            assert b"NotSaved" in complained
        finally:
            with suppress(ProcessLookupError):
                frozen.kill()
            await frozen.wait()
        report = await verified(base.store, base.keyring)
    assert (report.problems, report.entries, report.unsealed) == ([], BATCH, 0)


async def _seals(sealer: Sealer) -> bool:
    try:
        return await sealer.seal() == BATCH
    except NotSaved:  # the lock is still held
        return False


def _wait_until_stopped(pid: int) -> None:
    status, deadline = Path(f"/proc/{pid}/status"), time.monotonic() + 30
    while "State:\tT" not in status.read_text():
        assert time.monotonic() < deadline, "it does not stop"
        time.sleep(0.05)
