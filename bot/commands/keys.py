"""`countersign keys`: make a key, list which are needed, and encrypt every secret with the newest one."""

from __future__ import annotations

from collections.abc import Iterator

import click

from bot.commands.progress import progress
from bot.commands.terminal import settled, to_its_end
from bot.domain.seals import KeyUses
from bot.errors import Misconfigured
from bot.runtime.operations.key_rotation import KeyRotation
from bot.secrets import add_to_key_file, new_key
from bot.wiring.store import Base, key_path, keys_place, opened
from integrations.text import counted

_MOST_WALKS = 5
_WHERE = """\
Put it into ENCRYPTION_KEYS, with a comma between the keys:
  one process, or all are stopped meanwhile: put it first
  several replicas that go on working: put it last everywhere and restart each of them, then move it to the front
docs/how-to/keys.md has the steps."""
"""A replica that was not restarted yet cannot decrypt with a key that another one encrypts with already."""


@click.group()
def keys() -> None:
    """The keys that encrypt secrets in the database and sign the log.

    A key is named by its id, the beginning of its SHA-256. Only `new` prints a key.
    """


@keys.command()
@click.option("--add", is_flag=True, help="Put it into the key file beside the SQLite database instead of printing it.")
def new(add: bool) -> None:
    """Make a key and print it; it is stored nowhere."""
    if not add:
        click.echo(new_key())
        click.echo(_WHERE, err=True)
        return

    async def work() -> None:
        settings = settled()
        if settings.uses_postgresql or settings.encryption_keys is not None:
            raise Misconfigured(
                "ENCRYPTION_KEYS holds the keys, so put the new one there yourself: `countersign keys new` prints one "
                "and says where it goes."
            )
        add_to_key_file(key_path(settings))
        click.echo(f"A new key is the first in {key_path(settings)}. Copy the file to where you keep its copy, then:")
        click.echo("  stop the bot, run `countersign keys rotate`, start the bot")

    to_its_end(work())


@keys.command("list")
def list_() -> None:
    """List every key by its id, newest first, and what needs it. Status 1 when a needed key is missing."""

    async def work() -> int:
        async with opened(settled(), owner=False) as base:
            uses = await _uses(base)
        for line in _listed(base.keyring.ids, uses):
            click.echo(line)
        return 1 if uses.missing(base.keyring.ids) else 0

    to_its_end(work())


@keys.command()
def rotate() -> None:
    """Encrypt every secret, and sign the heads of the log, with the newest key.

    With PostgreSQL the bot may go on meanwhile, if every replica was started with the new key. You can stop this at
    any moment and start it again: it goes on with what is left.
    """

    async def work() -> int:
        async with opened(settled(), owner=True, make=False) as base:
            shut = await _resealed(base)
            uses = await _uses(base)
        for line in _told(base.keyring.ids, uses, keys_place(base.settings)):
            click.echo(line)
        left = uses.sealed.keys() - {base.keyring.ids[0]}
        if shut:
            click.echo(f"✗ {shut:,} cannot be decrypted with any key here; their owners must connect again.", err=True)
        return 1 if left else 0

    to_its_end(work())


async def _resealed(base: Base) -> int:
    """Repeat until a pass changes nothing, since a running bot writes meanwhile; how many cannot be decrypted."""
    shut, newest = 0, base.keyring.ids[0]
    walk = KeyRotation(store=base.store, keyring=base.keyring, current=newest)
    sealed = (await _uses(base)).sealed
    with progress() as shown:
        for _ in range(_MOST_WALKS):
            shut = moved = changed = 0
            async for batch in walk.batches():
                shut, moved, changed = shut + batch.shut, moved + batch.resealed, changed + batch.changed
                shown("Encrypting again", moved, sum(sealed.values()) - sealed.get(newest, 0))
            if not changed:
                break
    await walk.sign_heads()
    return shut


async def _uses(base: Base) -> KeyUses:
    async with base.store.read() as work:
        return await work.secrets.uses()


def _listed(ids: tuple[str, ...], uses: KeyUses) -> Iterator[str]:
    for key_id in (*ids, *uses.missing(ids)):
        rank = "newest " if key_id == ids[0] else "older  " if key_id in ids else "MISSING"
        secrets, signatures = uses.sealed.get(key_id, 0), uses.signed.get(key_id, 0)
        yield f"{key_id}  {rank}  {counted(secrets, 'secret')}, {counted(signatures, 'signature')}"


def _told(ids: tuple[str, ...], uses: KeyUses, where: str) -> Iterator[str]:
    """What the newest key encrypts now, and whether each other key is still needed."""
    yield f"✓ {counted(uses.sealed.get(ids[0], 0), 'secret')} encrypted with the newest key, {ids[0]}."
    for key_id in (*ids[1:], *sorted(uses.sealed.keys() - set(ids))):
        if uses.sealed.get(key_id):
            yield f"✗ {counted(uses.sealed.get(key_id, 0), 'secret')} still encrypted with {key_id}: it must stay."
        elif uses.signed.get(key_id):
            signed = counted(uses.signed.get(key_id, 0), "signature")
            yield f"! {key_id} decrypts nothing any more; the log has {signed} of it. Keep it, last in"
            yield f"  {where}, or `countersign audit verify` cannot check them."
        else:
            yield f"✓ {key_id} is not needed any more. Once every process was started with the newest key,"
            yield f"  remove it from {where}."
