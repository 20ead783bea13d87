"""One SQLAlchemy dialect for all engines of a test process, with one cache of what was compiled.

Every engine compiles its statements anew, because each has a dialect of its own; with an engine for every test that is
a third of what a test of the store costs. A process of the product has one engine and loses nothing.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite


class SharedSqlite(SQLiteDialect_aiosqlite):
    """The product's dialect; asked for again it is the same."""

    supports_statement_cache = True
    _one: ClassVar[dict[str, SharedSqlite]] = {}
    _compiled: ClassVar[dict[Any, Any]] = {}

    def __new__(cls, **options: Any) -> SharedSqlite:
        return cls._one.setdefault(repr(sorted(options)), super().__new__(cls))

    def __init__(self, **options: Any) -> None:
        if "paramstyle" not in self.__dict__:
            super().__init__(**options)

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """SQLAlchemy's hook for a new engine."""
        engine.update_execution_options(compiled_cache=cls._compiled)


def share() -> None:
    """From now on every engine for aiosqlite has the one."""
    registry.register("sqlite.aiosqlite", __name__, SharedSqlite.__name__)
