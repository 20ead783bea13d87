"""`countersign audit`: verify the log or an export of it, print where it stands, export it."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from bot.commands.progress import progress
from bot.commands.terminal import settled, to_its_end
from bot.domain.audit import MARK_CHARACTERS
from bot.progress import Progress, unwatched
from bot.runtime.audit.export import as_json, checkpoint_as_json, checkpoints, entries, signed_places
from bot.runtime.audit.proof import Proof
from bot.runtime.audit.verify import verified
from bot.secrets import KeyRing
from bot.wiring.store import Base, keys_of, opened

_FOLLOW_SECONDS = 0.2
_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
_HEAD = re.compile(rf"([^:\s]+):([1-9][0-9]*:[0-9a-f]{{{MARK_CHARACTERS}}})", re.ASCII)


@click.group()
def audit() -> None:
    """Verify the log, print where it stands, export it."""


@audit.command(short_help="Check every entry of the log.")
@click.option("--kept", multiple=True, help="A line of `audit heads` from earlier, which the log must still hold.")
@click.option("--file", type=_FILE, help="Check this export: with a public key, without database and keys.")
@click.option("--public-key", multiple=True, help="A line of `audit key`: whose checkpoints count.")
@click.option("--checkpoints", "kept_checkpoints", type=_FILE, help="Checkpoints that were kept elsewhere.")
def verify(
    kept: tuple[str, ...], file: Path | None, public_key: tuple[str, ...], kept_checkpoints: Path | None
) -> None:
    """Check every entry of the log: bytes, signature, order, completeness.

    With --file an export is checked by whoever has it and the public key. It names the sequence of the first fault.
    """
    if file is not None:
        if not public_key or kept:
            raise click.UsageError("--file needs --public-key, and takes no --kept.")
        sys.exit(_proven(file, public_key, kept_checkpoints))
    if public_key or kept_checkpoints:
        raise click.UsageError("--public-key and --checkpoints belong to --file.")
    places = [_kept(line.strip()) for line in kept]

    async def work() -> int:
        async with opened(settled(), owner=False) as base:
            with progress() as shown:
                report = await verified(base.store, base.keyring, kept=places, progress=shown)
            async with base.store.read(long=True) as rows:
                uses = await rows.secrets.uses()
        missing = sorted(uses.signed.keys() - set(base.keyring.ids))
        if report.problems and missing:
            click.echo(f"✗ Keys that signed the log are missing: {', '.join(missing)}. Entries that they signed cannot")
            click.echo("  be checked: put them back, last in the list. `countersign keys list` says what needs them.")
        click.echo(report.text())
        return 1 if report.problems else 0

    to_its_end(work())


def _proven(file: Path, public_keys: Sequence[str], kept: Path | None) -> int:
    """Check an export; the status."""
    proof = Proof(public_keys)
    with progress() as shown:
        for path in filter(None, (kept, file)):
            with path.open(encoding="utf-8", errors="replace") as lines:
                for number, line in enumerate(lines, start=1):
                    proof.read(line, f"{path.name}, line {number}")
                    shown("Verifying the export", number)
    report = proof.end()
    click.echo(report.text())
    return 0 if report.is_whole else 1


def _kept(line: str) -> tuple[str, str]:
    """The workspace and the place in a line of `audit heads`. Raises `BadParameter` for any other line."""
    read = _HEAD.fullmatch(line)
    if read is None:
        raise click.BadParameter(f"“{line}” is not a line of `countersign audit heads`.", param_hint="--kept")
    return read[1], read[2]


@audit.command(short_help="Print where the log stands.")
def heads() -> None:
    """Print where the log stands, a line for each workspace.

    Keep the lines elsewhere: with them `verify --kept` finds out whether an older copy replaced the log.
    """

    async def work() -> None:
        async with opened(settled(), owner=False) as base:
            for team, place in await signed_places(base.store, base.keyring):
                click.echo(f"{team}:{place}")

    to_its_end(work())


@audit.command()
def key() -> None:
    """Print the public key that others check exports with, and below it those of older keys."""
    for public_key in KeyRing(keys_of(settled())).public_keys:
        click.echo(public_key)


@audit.command("checkpoints")
def checkpoints_() -> None:
    """Print every signed checkpoint, a line each. Kept elsewhere they show what an export lacks."""

    async def work() -> None:
        async with opened(settled(), owner=False) as base:
            for checkpoint in await checkpoints(base.store):
                click.echo(checkpoint_as_json(checkpoint))

    to_its_end(work())


@audit.command()
@click.option("--follow", is_flag=True, help="Keep printing entries as they are written.")
@click.option("--after", default=0, help="Begin after this entry's id.")
def export(follow: bool, after: int) -> None:
    """Print the log, one JSON object a line: the checkpoints, then the entries. `audit verify --file` checks the whole.

    With --follow an entry is printed again when it is sealed.
    """
    to_its_end(_export(follow=follow, after=after))


async def _export(*, follow: bool, after: int) -> None:
    unsealed: set[int] = set()
    async with opened(settled(), owner=False) as base:
        if not after:
            for checkpoint in await checkpoints(base.store):  # before the entries, so that all that they cover is there
                click.echo(checkpoint_as_json(checkpoint))
        with progress(wanted=not follow and not sys.stdout.isatty()) as shown:
            after = await _printed(base, unsealed, after=after, progress=shown)
        while follow:
            sys.stdout.flush()
            await asyncio.sleep(_FOLLOW_SECONDS)
            after = await _printed(base, unsealed, after=after)


async def _printed(base: Base, unsealed: set[int], *, after: int, progress: Progress = unwatched) -> int:
    """Print what came after this id, and what of the `unsealed` is sealed by now; the newest id."""
    read = 0
    async for entry in entries(base.store, after=min(unsealed, default=after + 1) - 1):
        is_sealed = entry.seq is not None
        if entry.id > after or (is_sealed and entry.id in unsealed):
            click.echo(as_json(entry))
        after = max(after, entry.id)
        if is_sealed:
            unsealed.discard(entry.id)
        else:
            unsealed.add(entry.id)
        progress("Exporting the log", read := read + 1)
    return after
