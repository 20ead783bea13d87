"""One SQLAlchemy dialect for all engines of a test process, with one cache of what was compiled.

Every engine compiles its statements anew, because each has a dialect of its own; with an engine for every test that is
a third of what a test of the store costs. A process of the product has one engine and loses nothing.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from sqlalchemy import URL, Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialectAsync_psycopg
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


class SharedPostgresql(PGDialectAsync_psycopg):
    """The same for PostgreSQL."""

    supports_statement_cache = True
    _one: ClassVar[dict[str, SharedPostgresql]] = {}
    _compiled: ClassVar[dict[Any, Any]] = {}

    def __new__(cls, **options: Any) -> SharedPostgresql:
        return cls._one.setdefault(repr(sorted(options)), super().__new__(cls))

    def __init__(self, **options: Any) -> None:
        if "paramstyle" not in self.__dict__:
            cast("Any", super()).__init__(**options)  # it carries no types

    @classmethod
    def get_async_dialect_cls(cls, url: URL) -> type[SharedPostgresql]:
        """Psycopg's own is another one without asyncio than with it; here there is only this."""
        del url
        return cls

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """SQLAlchemy's hook for a new engine."""
        engine.update_execution_options(compiled_cache=cls._compiled)


def share() -> None:
    """From now on every engine for aiosqlite, and every one for psycopg, has the one."""
    registry.register("sqlite.aiosqlite", __name__, SharedSqlite.__name__)
    registry.register("postgresql.psycopg", __name__, SharedPostgresql.__name__)
