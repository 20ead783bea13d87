"""The ground that every command stands on: the store, migrated and locked, and what is read and kept in it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clock import SyncedClock, SystemClock
from bot.domain.seals import KeyUses
from bot.errors import BadSettings, BotError, Misconfigured
from bot.log import redact_from_now_on
from bot.progress import Progress, unwatched
from bot.redaction import Redactor
from bot.runtime.connections.accounts import ConnectionService
from bot.runtime.core.lock import DistributedLock, NullLock
from bot.runtime.operations.clock_sync import ClockSync
from bot.runtime.operations.database_copy import DatabaseCopy
from bot.secrets import KeyRing, key_file
from bot.settings import NO_KEYS, Settings
from bot.store.engine.database import database_for
from bot.store.file_lock import is_owned, owned
from bot.store.repositories.leases import RELAY
from bot.store.schema import migrate
from bot.store.store import Store
from integrations.google.auth.tokens import GoogleTokens
from integrations.google.scopes import lacking
from integrations.text import counted

_PLAYGROUND = ".playground"
"""The mark of a folder that a playground made (`playground/data_directory.py`), and empties."""

NO_FILE = "and there is no such file"

_SQLITE = b"SQLite format 3\x00"
"""What every SQLite file begins with (sqlite.org/fileformat.html)."""


class DatabaseUnusable(Misconfigured):
    """The file cannot be made, opened or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"DATABASE_URL names {path}, which cannot be used: {why}. Let this user write there, or name another file."
        )


class ServerUnusable(Misconfigured):
    """The database server cannot be reached, lets nobody in, or refuses to be written."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"DATABASE_URL names {without_password(url)}, which cannot be used: {why}. Start the server, or mend host, "
            "database, user and password; the user must be allowed to make tables there."
        )


class NoDatabase(Misconfigured):
    """There is nothing to read yet: no such file, or no tables."""

    def __init__(self, place: object, lack: str) -> None:
        super().__init__(
            f"DATABASE_URL names {place}, {lack}. Start `countersign run` once, or name the database that it uses."
        )


class NoBot(BotError):
    """No bot works with this database, so nothing was begun. Start one: `countersign run`."""

    def __init__(self) -> None:
        super().__init__(self.__doc__ or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The store and what it needs: enough for commands that only read or adopt.

    A `shared` database may have other replicas at work, and with an `agreement` they go by one clock; without it the
    file's lock proves that there are none.
    """

    settings: Settings
    shared: bool
    clock: SystemClock
    keyring: KeyRing
    store: Store
    agreement: ClockSync | None = None

    @property
    def address(self) -> str:
        """Where a shared database is, as PostgreSQL's own programs take it."""
        address = make_url(self.settings.database_url).set(drivername="postgresql")
        return address.render_as_string(hide_password=False)

    @property
    def secrets(self) -> Sequence[str]:
        """Every secret of this installation, for redaction filters: the settings' ones, and keys that lie in a file."""
        return (*self.settings.secrets(), *self.keyring.texts)

    def redactor(self) -> Redactor:
        """What takes them out of stored texts before a command prints these."""
        return Redactor(self.secrets)


@contextlib.asynccontextmanager
async def opened(
    settings: Settings, *, owner: bool, make: bool = True, progress: Progress = unwatched
) -> AsyncGenerator[Base]:
    """The store, migrated. An owner of a file holds its lock, and makes the database unless told not to `make` one; a
    command that only reads migrates nothing.
    """
    async with contextlib.AsyncExitStack() as stack:
        must_exist = not (owner and make)
        if not settings.uses_postgresql:
            _take(settings.sqlite_path, stack, owner=owner, must_exist=must_exist)
        keys = keys_of(settings, make=owner and not _is_database(settings.sqlite_path))
        if settings.uses_postgresql and must_exist and not await _has_tables(settings):
            raise NoDatabase(without_password(settings.database_url), "which has no tables")
        agreed = SyncedClock() if settings.uses_postgresql else None
        clock, keyring = agreed or SystemClock(), KeyRing(keys)
        database = database_for(settings.database_url)
        stack.push_async_callback(database.dispose)
        if owner:
            await _migrate(database.engine, settings, progress)
        store = Store(database, keyring=keyring, clock=clock, server_time=settings.uses_postgresql)
        agreement = ClockSync(store=store, clock=agreed) if agreed else None
        if agreement:
            await agreement.look()
        base = Base(
            settings=settings,
            shared=settings.uses_postgresql,
            clock=clock,
            keyring=keyring,
            store=store,
            agreement=agreement,
        )
        redact_from_now_on(base.redactor())
        yield base


def without_password(url: str) -> str:
    """The address of a database as it may be shown."""
    return make_url(url).render_as_string(hide_password=True)


def _take(path: Path, stack: contextlib.AsyncExitStack, *, owner: bool, must_exist: bool) -> None:
    """Take the lock as its owner, and make the file unless it `must_exist`."""
    try:
        if must_exist and not path.is_file():
            raise NoDatabase(path, NO_FILE)
        if owner:
            _refuse_a_wrong_place(path)
            stack.enter_context(owned(path))
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite's other files get the same rights
    except OSError as error:
        raise DatabaseUnusable(path, error.strerror or str(error)) from error


def _refuse_a_wrong_place(path: Path) -> None:
    """Make no database where the name is mistyped, nor where another one was moved away."""
    if not path.parent.is_dir():
        raise DatabaseUnusable(path, f"there is no folder {path.parent}")
    if not path.exists() and instance_path(path).exists():
        raise Misconfigured(
            f"DATABASE_URL names {path}, and there is no such file any more: {instance_path(path).name} beside it is "
            "of the database that was there. Put it back, restore a backup (`countersign restore`), or name the file "
            "where it is now. To begin anew without it, move that file away, too."
        )


async def check_database(settings: Settings) -> None:
    """Raises `Misconfigured` for a file that cannot be made or is no database, and for a server that refuses us."""
    if settings.uses_postgresql:
        await _has_tables(settings)
        return
    path = settings.sqlite_path
    refuse_a_playgrounds(settings)
    if not path.exists():
        _refuse_a_wrong_place(path)
        if not os.access(path.parent, os.W_OK):
            raise DatabaseUnusable(path, f"nothing can be written in {path.parent}")
    elif not path.is_file() or (path.stat().st_size and not _is_database(path)):
        raise DatabaseUnusable(path, "it is no SQLite database")


def refuse_a_playgrounds(settings: Settings) -> None:
    """Raise `Misconfigured` for a database that a playground made, and deletes at its next start."""
    if not settings.uses_postgresql and settings.sqlite_path.with_name(_PLAYGROUND).exists():
        raise Misconfigured(
            f"DATABASE_URL names {settings.sqlite_path}, a playground's, which its next start deletes. Name another "
            "file, and take the variable out of this shell if it stands there: unset DATABASE_URL."
        )


def _is_database(path: Path) -> bool:
    """Whether something was written there, and so with a key: the key is made before the database."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def keys_of(settings: Settings, *, make: bool = False) -> Sequence[str]:
    """The keys of the database: as configured, else those of the file beside SQLite's. Replicas share no such file."""
    if settings.encryption_keys is not None:
        return settings.encryption_keys.get_secret_value().split(",")
    if settings.uses_postgresql:
        raise BadSettings([NO_KEYS])
    path = key_path(settings)
    try:
        return key_file(path, make=make)
    except OSError as error:
        raise DatabaseUnusable(path, str(error)) from error


def keyring_of(settings: Settings) -> KeyRing:
    """The keys that are there by now, read. Raises `Misconfigured`."""
    return KeyRing(keys_of(settings))


def key_path(settings: Settings) -> Path:
    """Where the keys of a SQLite database lie that nobody configured."""
    return settings.sqlite_path.with_name(settings.sqlite_path.name + ".key")


def keys_place(settings: Settings) -> str:
    """Where the keys of this database are, as people are told."""
    configured = settings.uses_postgresql or settings.encryption_keys is not None
    return "ENCRYPTION_KEYS" if configured else str(key_path(settings))


async def require_a_bot(base: Base) -> None:
    """Raises `NoBot` where no process works with this database."""
    if base.shared:
        async with base.store.read() as work:
            works = await work.leases.is_held(RELAY, now=base.clock.now())
    else:
        works = is_owned(base.settings.sqlite_path)
    if not works:
        raise NoBot


async def missing_keys(base: Base) -> list[str]:
    """A line for each key without which no bot can go on: its secrets would not open, and the chain of the log would
    break. One that only signed older entries is none of them.
    """
    async with base.store.read() as work:
        uses = await work.secrets.goes_on_with()
    return [_missing(base, uses, key_id) for key_id in uses.missing(base.keyring.ids)]


async def require_keys(base: Base) -> None:
    """Raises `BadSettings` where one of them is missing."""
    if problems := await missing_keys(base):
        raise BadSettings(problems)


def _missing(base: Base, uses: KeyUses, key_id: str) -> str:
    sealed, signed = uses.sealed.get(key_id), uses.signed.get(key_id)
    needs = [f"{counted(sealed, 'secret')} cannot be opened"] if sealed else []
    needs += [f"{counted(signed, 'head')} of the log cannot be checked"] if signed else []
    return (
        f"{keys_place(base.settings)} lacks the key {key_id}, and without it {' and '.join(needs)}. Put it back, "
        "behind the others; `countersign keys list` shows which key is which."
    )


def instance_path(path: Path) -> Path:
    """Where the id of a SQLite database stands a second time."""
    return path.with_name(path.name + ".instance")


def origin_of(base: Base) -> DatabaseCopy:
    """Where this database comes from. Beside a file stands its id; PostgreSQL knows the place of its tables."""
    path = base.settings.sqlite_path if not base.shared else None
    return DatabaseCopy(store=base.store, beside=instance_path(path) if path else None)


def connections(base: Base, *, lock: DistributedLock | None = None) -> ConnectionService:
    """Connected accounts; among replicas with the exclusion that lets one of them renew a token."""
    settings = base.settings
    secret = settings.google_client_secret
    token_url = settings.google_oauth_token_url or "https://oauth2.googleapis.com/token"
    return ConnectionService(
        store=base.store,
        keyring=base.keyring,
        clock=base.clock,
        lock=lock or NullLock(),
        lacking=lacking,
        token_url=token_url,
        refresher=GoogleTokens(
            token_url=token_url,
            client_id=settings.google_client_id or "",
            client_secret=secret.get_secret_value() if secret else "",
        ),
    )


async def _has_tables(settings: Settings) -> bool:
    """Whether the database server accepts the connection, and was migrated. Raises `ServerUnusable`."""
    database = database_for(settings.database_url)
    try:
        async with database.engine.connect() as connection:
            found = await connection.execute(text("SELECT to_regclass('alembic_version')"))
            return found.scalar_one() is not None
    except DBAPIError as error:
        raise ServerUnusable(settings.database_url, _reason(error)) from error
    finally:
        await database.dispose()


def _reason(error: DBAPIError) -> str:
    """The driver's words, in one line."""
    return " ".join(str(error.orig).split()).rstrip(".")


async def _migrate(engine: AsyncEngine, settings: Settings, progress: Progress) -> None:
    try:
        await migrate(engine, progress=progress)
    except DBAPIError as error:
        if settings.uses_postgresql:
            raise ServerUnusable(settings.database_url, _reason(error)) from error
        raise DatabaseUnusable(settings.sqlite_path, str(error.orig)) from error
