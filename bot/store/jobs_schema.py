"""The tables of the job queue, by the SQL that procrastinate ships: all of it at first, afterwards what is new.

Its documentation ("Migrate the Procrastinate schema") has one SQL file for each change, to be applied in the order of
their names. Which one came last stands among the marks, so that a new release of it brings its changes by itself.
"""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from bot.store.tables.coordination import marks

_MARK = "jobs.schema"


def upgrade_jobs(connection: Connection) -> None:
    """Bring the queue's tables to what the installed procrastinate works with, inside the transaction."""
    newest = connection.execute(select(marks.c.value).where(marks.c.name == _MARK)).scalar_one_or_none()
    changes = _changes()
    if newest is None:
        _run(connection, (files("procrastinate.sql") / "schema.sql").read_text(encoding="utf-8"))
    for name in sorted(changes):
        if newest is not None and name > newest:
            _run(connection, changes[name])
    _remember(connection, max(changes))


def _changes() -> dict[str, str]:
    found = (files("procrastinate.sql") / "migrations").iterdir()
    return {file.name: file.read_text(encoding="utf-8") for file in found if file.name.endswith(".sql")}


def _run(connection: Connection, script: str) -> None:
    """Run a script of many statements, which psycopg takes when there are no parameters."""
    connection.execution_options(no_parameters=True).exec_driver_sql(script)


def _remember(connection: Connection, newest: str) -> None:
    mark = insert(marks).values(name=_MARK, value=newest)
    connection.execute(mark.on_conflict_do_update(index_elements=[marks.c.name], set_={"value": mark.excluded.value}))
