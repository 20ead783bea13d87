"""`countersign audit`: verify the log, print where it stands, export it."""

from __future__ import annotations

import asyncio
import re
import sys

import click

from bot.commands.progress import progress
from bot.commands.terminal import settled, to_its_end
from bot.domain.audit import MARK_CHARACTERS
from bot.progress import Progress, unwatched
from bot.runtime.audit.chain import as_json, entries, signed_places, verified
from bot.wiring.store import Base, opened

_FOLLOW_SECONDS = 0.2
_HEAD = re.compile(rf"([^:\s]+):([1-9][0-9]*:[0-9a-f]{{{MARK_CHARACTERS}}})", re.ASCII)


@click.group()
def audit() -> None:
    """Verify the log, print where it stands, export it."""


@audit.command(short_help="Check every entry of the log.")
@click.option("--kept", multiple=True, help="A line of `audit heads` from earlier, which the log must still hold.")
def verify(kept: tuple[str, ...]) -> None:
    """Check every entry of the log: bytes, signature, order, completeness."""
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
@click.option("--follow", is_flag=True, help="Keep printing entries as they are written.")
@click.option("--after", default=0, help="Begin after this entry's id.")
def export(follow: bool, after: int) -> None:
    """Print the log, one JSON object a line. With --follow an entry is printed again when it is sealed."""
    to_its_end(_export(follow=follow, after=after))


async def _export(*, follow: bool, after: int) -> None:
    unsealed: set[int] = set()
    async with opened(settled(), owner=False) as base:
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
