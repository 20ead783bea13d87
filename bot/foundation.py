"""The ground that every command stands on: the store, migrated and locked, and what is read and kept in it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clock import SystemClock
from bot.runtime.connections import Connections
from bot.secrets import KeyRing, key_file
from bot.settings import Settings
from bot.store.engine import sqlite_engine
from bot.store.file_lock import owned
from bot.store.unit_of_work import SqlStore
from integrations.google.oauth import GoogleTokens


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
    path.parent.mkdir(parents=True, exist_ok=True)
    async with contextlib.AsyncExitStack() as stack:
        if owner:
            stack.enter_context(owned(path))
        clock = SystemClock()
        keyring = KeyRing(_keys(settings))
        engine = sqlite_engine(settings.database_url)
        stack.push_async_callback(engine.dispose)
        if owner:
            await _migrate(engine)
        yield Base(
            settings=settings, clock=clock, keyring=keyring, store=SqlStore(engine, keyring=keyring, clock=clock)
        )


def _keys(settings: Settings) -> Sequence[str]:
    if settings.encryption_keys is not None:
        return settings.encryption_keys.get_secret_value().split(",")
    path = settings.sqlite_path
    return [key_file(path.with_name(path.name + ".key"))]


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

    await migrate(engine)
