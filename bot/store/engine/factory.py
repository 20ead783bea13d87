"""The engine on the database that a URL names."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.engine.sqlite import sqlite_engine


def engine_for(url: str) -> AsyncEngine:
    """An engine on the database that this URL names, SQLite or PostgreSQL."""
    if url.startswith("sqlite"):
        return sqlite_engine(url)
    from bot.store.engine.postgresql import postgresql_engine  # the driver takes a while to load

    return postgresql_engine(url)


def is_postgresql(engine: AsyncEngine) -> bool:
    """Whether several processes may share this database."""
    return engine.dialect.name == "postgresql"
