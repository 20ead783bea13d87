"""`countersign migrate`; `backup` and `restore` for SQLite, which for PostgreSQL name its own tools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from bot.clock import SystemClock
from bot.commands.progress import progress
from bot.commands.terminal import settled, to_its_end
from bot.dispatch.local import LocalDispatcher
from bot.domain.audit import EVERY_TEAM, Head, beginnings, mark
from bot.errors import BotError, Misconfigured
from bot.progress import Progress
from bot.runtime.audit.chain import is_signed
from bot.runtime.audit.verify import VERIFYING, Report, Verifier, sealed_entries
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.secrets import KeyRing
from bot.settings import Settings
from bot.store import backup as copies
from bot.store.file_lock import owned
from bot.store.schema import is_too_new
from bot.wiring.store import (
    NO_FILE,
    NoDatabase,
    keyring_of,
    keys_place,
    opened,
    origin_of,
    require_keys,
    without_password,
)
from integrations.text import counted


class CannotWrite(BotError):
    """The file cannot be made."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(f"{path} cannot be written: {error.strerror or error}.")


@click.command(short_help="Bring the database to the newest schema.")
def migrate() -> None:
    """Bring the database to the newest schema (a start of the bot does it too); where there is none, make it."""

    async def work() -> None:
        settings = settled()
        is_new = not settings.uses_postgresql and not settings.sqlite_path.exists()
        with progress() as shown:
            async with opened(settings, owner=True, progress=shown):
                pass
        if is_new:
            click.echo(f"There was no database, so a new one was made: {settings.sqlite_path.absolute()}")
            click.echo(f"Its keys: {keys_place(settings)}")
        click.echo("The database is up to date.")

    to_its_end(work())


@click.command(short_help="Copy the database into a file while the bot works.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy the database into FILE while the bot works.

    FILE holds everything as it is at one moment: people's requests, memories, connected accounts (encrypted) and the
    log. Only you can read it, and it never overwrites another file. The keys are NOT in it: keep them elsewhere.
    """
    to_its_end(_back_up(settled(), file.absolute()))


async def _back_up(settings: Settings, file: Path) -> int:
    if settings.uses_postgresql:
        url = without_password(settings.database_url)
        raise Misconfigured(
            f"DATABASE_URL names PostgreSQL, which has its own tool: pg_dump --format=custom --file={file} '{url}'\n"
            "The keys (ENCRYPTION_KEYS) are not in the dump: keep them elsewhere."
        )
    path = settings.sqlite_path.absolute()
    if not path.is_file():
        raise NoDatabase(path, NO_FILE)
    keyring = keyring_of(settings)
    with progress() as shown:
        await asyncio.to_thread(_copied, path, file, shown)
        contents = await asyncio.to_thread(copies.inspect, file, progress=shown)
        report, heads = await asyncio.to_thread(_verified, file, keyring, shown)
    click.echo(f"{file}: {_size(contents.size)}, whole.")
    click.echo("  " + ", ".join(counted(count, *_NOUNS[name]) for name, count in contents.rows.items()))
    _say_log(report, heads)
    click.echo(f"  The keys are not in it: keep {keys_place(settings)}. Without them nobody can use the copy.")
    return 1 if report.problems else 0


_NOUNS = {
    "runs": ("run",),
    "actions": ("action",),
    "questions": ("question",),
    "messages": ("message",),
    "memories": ("memory", "memories"),
    "connections": ("connection",),
    "audit": ("log entry", "log entries"),
}


def _copied(source: Path, target: Path, shown: Progress) -> None:
    """Copy the database. Raises `CannotWrite`."""
    try:
        why = f"a backup of {SystemClock().now():%Y-%m-%d %H:%M} UTC"
        copies.copy(source, target, why=why, progress=shown)
    except OSError as error:
        raise CannotWrite(target, error) from error


def _verified(file: Path, keyring: KeyRing, shown: Progress) -> tuple[Report, Sequence[Head]]:
    """Verify the log of a copy, as `countersign audit verify` does; and the signed heads of its chains."""
    with copies.log_of(file) as log:
        verifier, sealed = Verifier(keyring, beginnings(log.checkpoints)), sealed_entries(log.heads)
        for entry in log.entries:
            verifier.check(entry)
            shown(VERIFYING, verifier.passed, sealed)
        verifier.check_attempts(log.attempted)
        verifier.check_ends(log.ended)
    heads = [head for head in log.heads if head.team != EVERY_TEAM and is_signed(keyring, head)]
    return verifier.end(log.heads, checkpoints=log.checkpoints), heads


def _say_log(report: Report, heads: Sequence[Head]) -> None:
    click.echo("  " + report.text().replace("\n", "\n  "))
    for head in heads:
        click.echo(f"  head of the log: {head.team}:{mark(head.seq, head.hash)}")


def _size(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size >= 1_000_000 else f"{size / 1_000:,.0f} kB"


@click.command(short_help="Put a backup in the place of the database.")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--original-is-gone", is_flag=True, help="The database that was copied never starts again.")
def restore(file: Path | None, original_is_gone: bool) -> None:
    """Put FILE, made by `countersign backup`, in the place of the database.

    FILE is checked first: every page, and the whole log with the keys. The old database stays beside it under another
    name. Stop a bot that uses it before.

    Two bots on two copies would do the same things twice. So no bot starts on a restored database until you say that
    the original is gone: with --original-is-gone, now or later without FILE. Requests that were not finished when the
    copy was made are stopped then. Their owners are told, and can ask again.
    """
    if file is None and not original_is_gone:
        raise click.UsageError("Name the FILE to restore, or say --original-is-gone.")
    to_its_end(_restore(settled(), file.absolute() if file else None, original_is_gone=original_is_gone))


async def _restore(settings: Settings, file: Path | None, *, original_is_gone: bool) -> None:
    if file is not None:
        if settings.uses_postgresql:
            url = without_password(settings.database_url)
            raise Misconfigured(
                "DATABASE_URL names PostgreSQL, which has its own tool. Into an empty database, with every replica "
                f"stopped, run: pg_restore --dbname='{url}' {file}\n"
                "No bot starts on it until you say that the original is gone: countersign restore --original-is-gone"
            )
        await asyncio.to_thread(_put_back, settings, file)
    if original_is_gone:
        await _confirm(settings)
    else:
        click.echo("No bot starts on it yet. When the original is gone: countersign restore --original-is-gone")


def _put_back(settings: Settings, file: Path) -> None:
    """Copy the file beside the database, check the copy, then put it in the place of the database."""
    path = settings.sqlite_path.absolute()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with owned(path):
            draft = path.with_name(path.name + ".restoring")
            draft.unlink(missing_ok=True)
            try:
                _checked(settings, file, draft)
                aside = copies.put_in_place(draft, path, at=SystemClock().now())
            finally:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise CannotWrite(path, error) from error
    click.echo(f"{path} is now the copy from {file}.")
    if aside is not None:
        click.echo(f"The old database is kept as {aside}.")


def _checked(settings: Settings, file: Path, draft: Path) -> None:
    with progress() as shown:
        copies.copy(file, draft, progress=shown)
        contents = copies.inspect(draft, progress=shown)
        if is_too_new(copies.revision_of(draft)):
            raise BotError(f"{file} was written by a newer countersign: install that one. Nothing was changed.")
        report, heads = _verified(draft, keyring_of(settings), shown)
    if report.problems:
        raise BotError(f"{file} is not used. {report.text()}\nNothing was changed.")
    click.echo(f"{file}: {_size(contents.size)}, whole.")
    _say_log(report, heads)
    copies.mark_as_copy(draft, f"restored from {file.name} at {SystemClock().now():%Y-%m-%d %H:%M} UTC")


async def _confirm(settings: Settings) -> None:
    """Make the copy the database from now on."""
    async with opened(settings, owner=True, make=False) as base:
        await require_keys(base)
        transactions = TransactionFactory(
            store=base.store, clock=base.clock, bus=Bus(), dispatcher=LocalDispatcher(base.store)
        )
        stopped = await origin_of(base).original_is_gone(transactions)
    click.echo("This is the database from now on; the log says so.")
    if stopped:
        unfinished = counted(stopped, "run")
        click.echo(f"Stopped, because not finished: {unfinished}. Their owners are told when the bot starts.")
    click.echo("Next: countersign run")
