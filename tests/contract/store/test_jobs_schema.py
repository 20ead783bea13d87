"""The job queue on PostgreSQL: its tables come with ours, and each release of procrastinate brings them forward."""

from __future__ import annotations

from importlib.resources import files

from bot.store.schema import migrate
from tests.stores import Opened

MARK = "SELECT value FROM marks WHERE name = 'jobs.schema'"


async def test_the_queue_is_there_once(postgresql: Opened) -> None:
    """A start after the first one changes nothing, and the newest change is written down."""
    await migrate(postgresql.engine)
    assert postgresql.rows("SELECT count(*) AS n FROM procrastinate_jobs") == [{"n": 0}]
    changes = [file.name for file in (files("procrastinate.sql") / "migrations").iterdir()]
    assert postgresql.rows(MARK) == [{"value": max(name for name in changes if name.endswith(".sql"))}]


async def test_what_a_new_release_changes_is_applied(postgresql: Opened) -> None:
    """What is newer than the last change that was applied comes, and only that."""
    made = "procrastinate_trigger_function_status_events_update_v1"
    await postgresql.tamper(f"DROP FUNCTION {made} CASCADE")
    await postgresql.tamper("UPDATE marks SET value = '03.04.00_49' WHERE name = 'jobs.schema'")
    await migrate(postgresql.engine)
    assert postgresql.rows("SELECT count(*) AS n FROM pg_proc WHERE proname = ?", made) == [{"n": 1}]
    assert postgresql.rows(MARK)[0]["value"] > "03.04.00_49"
