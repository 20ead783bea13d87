"""The ground that every command stands on: the store, migrated and locked, and what is read and kept in it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clock import SystemClock
from bot.errors import Misconfigured
from bot.runtime.connections import Connections
from bot.secrets import KeyRing, key_file
from bot.settings import Settings
from bot.store.engine import sqlite_engine
from bot.store.file_lock import owned
from bot.store.unit_of_work import SqlStore
from integrations.google.oauth import GoogleTokens

_SQLITE = b"SQLite format 3\x00"
"""What every SQLite file begins with (sqlite.org/fileformat.html)."""


class DatabaseUnusable(Misconfigured):
    """The file cannot be made, opened or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"DATABASE_URL names {path}, which cannot be used: {why}. Let this user write there, or name another file."
        )


class NoDatabase(Misconfigured):
    """There is nothing to read yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"DATABASE_URL names {path}, and there is no such file. Start `countersign run` once, or name the file "
            "that it uses."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The store and what it needs: enough for commands that only read or adopt."""

    settings: Settings
    clock: SystemClock
    keyring: KeyRing
    store: SqlStore


@contextlib.asynccontextmanager
async def opened(settings: Settings, *, owner: bool) -> AsyncGenerator[Base]:
    """The store, migrated. An owner holds the file's lock; a command that only reads does not."""
    path = settings.sqlite_path
    async with contextlib.AsyncExitStack() as stack:
        _found(path, stack, owner=owner)
        clock = SystemClock()
        keyring = KeyRing(_keys(settings, make=owner and not _is_database(path)))
        engine = sqlite_engine(settings.database_url)
        stack.push_async_callback(engine.dispose)
        if owner:
            await _migrate(engine)
        yield Base(
            settings=settings, clock=clock, keyring=keyring, store=SqlStore(engine, keyring=keyring, clock=clock)
        )


def _found(path: Path, stack: contextlib.AsyncExitStack, *, owner: bool) -> None:
    """Make the folder and take the lock, or see that there is something to read."""
    try:
        if owner:
            path.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(owned(path))
        elif not path.is_file():
            raise NoDatabase(path)
    except OSError as error:
        raise DatabaseUnusable(path, error.strerror or str(error)) from error


def _is_database(path: Path) -> bool:
    """Whether something was written there, and so with a key: the key is made before the database."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _keys(settings: Settings, *, make: bool) -> Sequence[str]:
    if settings.encryption_keys is not None:
        return settings.encryption_keys.get_secret_value().split(",")
    path = settings.sqlite_path.with_name(settings.sqlite_path.name + ".key")
    try:
        return [key_file(path, make=make)]
    except OSError as error:
        raise DatabaseUnusable(path, str(error)) from error


def connections(base: Base) -> Connections:
    """Connected accounts."""
    settings = base.settings
    secret = settings.google_client_secret
    token_url = settings.google_oauth_token_url or "https://oauth2.googleapis.com/token"
    return Connections(
        store=base.store,
        keyring=base.keyring,
        clock=base.clock,
        token_url=token_url,
        refresher=GoogleTokens(
            token_url=token_url,
            client_id=settings.google_client_id or "",
            client_secret=secret.get_secret_value() if secret else "",
        ),
    )


async def _migrate(engine: AsyncEngine) -> None:
    from bot.store.migrate import migrate  # alembic takes a while to load, and commands that only read need none

    try:
        await migrate(engine)
    except DBAPIError as error:
        raise DatabaseUnusable(Path(engine.url.database or ""), str(error.orig)) from error
