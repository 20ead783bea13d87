"""`countersign audit`: verify the log or an export of it, print where it stands, export it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TextIO, cast

import click

from bot.commands.progress import progress
from bot.commands.terminal import settled, to_its_end
from bot.domain.audit import MARK_CHARACTERS, AuditEntry, Checkpoint, beginnings, begins
from bot.progress import Progress, unwatched
from bot.runtime.audit.explanation import explain as explained
from bot.runtime.audit.export import (
    as_json,
    as_json_in_words,
    checkpoint_as_json,
    checkpoints,
    entries,
    pruned,
    pruned_since,
    signed_places,
)
from bot.runtime.audit.formats import Filter, Ocsf, Personal, as_csv, csv_head
from bot.runtime.audit.personal import Opener, erase
from bot.runtime.audit.proof import Proof
from bot.runtime.audit.verify import verified
from bot.wiring.store import Base, keyring_of, opened
from bot.wiring.tools import agents_of, known_tools, library_of

_FOLLOW_SECONDS = 0.2
_LARGEST_ID = 2**63 - 1
_MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"])
_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
_PASTED = click.File(encoding="utf-8", errors="replace")
_HEAD = re.compile(rf"([^:\s]+):([1-9][0-9]{{0,18}}:[0-9a-f]{{{MARK_CHARACTERS}}})", re.ASCII)


@click.group()
def audit() -> None:
    """Verify the log, print where it stands, export it."""


@audit.command(short_help="Check every entry of the log.")
@click.option("--kept", multiple=True, help="A line of `audit heads` from earlier, which the log must still hold.")
@click.option("--file", type=_FILE, help="Check this export: with a public key, without database and keys.")
@click.option("--public-key", multiple=True, help="A line of `audit key`: whose checkpoints count.")
@click.option(
    "--checkpoints", "kept_checkpoints", type=_PASTED, help="Checkpoints that were kept elsewhere; - reads pasted ones."
)
def verify(
    kept: tuple[str, ...], file: Path | None, public_key: tuple[str, ...], kept_checkpoints: TextIO | None
) -> None:
    """Check every entry of the log: bytes, signature, order, completeness.

    With --file an export is checked by whoever has it and the public key. It names the sequence of the first fault.
    --checkpoints takes what was kept of them: a file, or messages of a Slack channel, with whatever text is around.
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


def _proven(file: Path, public_keys: Sequence[str], kept: TextIO | None) -> int:
    """Check an export; the status. Raises `UsageError` where nothing was kept."""
    proof = Proof(public_keys)
    if kept is not None and not _read_kept(proof, kept):
        raise click.UsageError("--checkpoints was given no checkpoint.")
    with progress() as shown, file.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            proof.read(line, f"{file.name}, line {number}")
            shown("Verifying the export", number)
    report = proof.end()
    click.echo(report.text())
    return 0 if report.is_whole else 1


def _read_kept(proof: Proof, kept: TextIO) -> int:
    """Read the lines of checkpoints, and no text around them; how many there are."""
    count = 0
    for number, line in enumerate(kept, start=1):
        begin, end = line.find("{"), line.rfind("}") + 1
        if begin >= 0:
            proof.read(line[begin:end] or line, f"--checkpoints, line {number}")
            count += 1
    return count


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
            _say_pruned(await pruned(base.store))

    to_its_end(work())


def _say_pruned(found: Sequence[Checkpoint]) -> None:
    """Where logs begin that were pruned, beside what is printed."""
    for one in beginnings(found).values():
        click.echo(begins(one), err=True)


@audit.command()
def key() -> None:
    """Print the public key that others check exports with, and below it those of older keys."""
    for public_key in keyring_of(settled()).public_keys:
        click.echo(public_key)


@audit.command("checkpoints")
def checkpoints_() -> None:
    """Print every signed checkpoint, a line each. Kept elsewhere they show what an export lacks."""

    async def work() -> None:
        async with opened(settled(), owner=False) as base:
            for checkpoint in await checkpoints(base.store):
                click.echo(checkpoint_as_json(checkpoint))

    to_its_end(work())


@audit.command(short_help="Compute the verdict on an action again.")
@click.argument("action")
@click.option("--evidence", type=_FILE, help="The evidence of a step that was forgotten, as JSON, from a backup.")
def explain(action: str, evidence: Path | None) -> None:
    """Compute the verdict on ACTION again from the evidence that is stored, and hold that against what the log names.

    Status 1 where another verdict comes of it, or something was changed. The evidence goes with its step, 30 days after
    the request was over: then only its hash is there.
    """

    settings = settled()
    kept = _evidence_in(evidence) if evidence else None

    async def work() -> int:
        async with opened(settings, owner=False) as base:
            tools = known_tools(agents_of(library_of(settings)))
            found = await explained(base.store, base.keyring, tools, action, evidence=kept)
        click.echo(found.text())
        return 0 if found.is_sound else 1

    to_its_end(work())


def _evidence_in(file: Path) -> Mapping[str, object]:
    """The JSON object of a file. Raises `BadParameter` for any other file."""
    try:
        found: object = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # it is not JSON, or not even UTF-8
        found = None
    if not isinstance(found, dict):
        raise click.BadParameter(f"{file.name} holds no JSON object.", param_hint="--evidence")
    return cast("dict[str, object]", found)


@audit.command("erase", short_help="Destroy a person's key.")
@click.argument("team")
@click.argument("person")
def erase_(team: str, person: str) -> None:
    """Destroy the key under which the log keeps what is personal of PERSON in the workspace TEAM.

    Nobody opens it any more: the accounts that were used for them, and whom their actions reached. The entries stay, as
    ciphertexts, and verify. Copies of the database have the key still.
    """

    async def work() -> int:
        async with opened(settled(), owner=False) as base:
            erased = await erase(base.store, team, person)
        click.echo("Erased; the log says so." if erased else f"There is no key of {person} in {team}.")
        return 0 if erased else 1

    to_its_end(work())


@audit.command()
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv", "ocsf"]), default="jsonl", help="jsonl is verified."
)
@click.option("--person", default="", help="Only what this person did or asked for, by their id.")
@click.option("--tool", default="", help="Only what is about this tool.")
@click.option("--since", type=_MOMENT, help="Only from this moment on, as in 2026-11-01 or 2026-11-01T09:30; UTC.")
@click.option("--until", type=_MOMENT, help="Only before this moment.")
@click.option("--open", "opens", is_flag=True, help="With what is personal, where its key was not destroyed.")
@click.option("--in-words", is_flag=True, help="With a sentence (said) in each line of jsonl; it is not verified.")
@click.option("--follow", is_flag=True, help="Keep printing entries as they are written.")
@click.option("--after", type=click.IntRange(0, _LARGEST_ID), default=0, help="Begin after this entry's id.")
def export(
    *,
    form: str,
    person: str,
    tool: str,
    since: datetime | None,
    until: datetime | None,
    opens: bool,
    in_words: bool,
    follow: bool,
    after: int,
) -> None:
    """Print the log: as JSON, one object a line, as a table (csv), or as OCSF events for a SIEM.

    As JSON it is the checkpoints, then the entries; `audit verify --file` checks the whole. With --follow an entry is
    printed again when it is sealed; as table or events it is printed then only.
    """
    if in_words and form != "jsonl":
        raise click.UsageError("--in-words belongs to --format jsonl.")
    since, until = (moment and moment.replace(tzinfo=UTC) for moment in (since, until))
    wanted = Filter(person=person, tool=tool, since=since, until=until)
    to_its_end(
        _export(_Printer.of(form, wanted, in_words=in_words, follow=follow), opens=opens, follow=follow, after=after)
    )


@dataclass(slots=True, kw_only=True)
class _Printer:
    """Prints the `wanted` entries. `unsealed` are the ids of those that are not sealed yet; they come only `once` where
    each is to be printed once, sealed.
    """

    line: Callable[[AuditEntry, Personal], str]
    wanted: Filter
    head: str = ""
    has_checkpoints: bool = False
    once: bool = False
    opener: Opener | None = None
    unsealed: set[int] = field(default_factory=set[int])

    @classmethod
    def of(cls, form: str, wanted: Filter, *, in_words: bool, follow: bool) -> _Printer:
        """That of a format."""
        if form == "csv":
            return cls(line=as_csv, wanted=wanted, head=csv_head(), once=follow)
        if form == "ocsf":
            return cls(
                line=Ocsf(product_version=version("countersign-agent"), filtered=str(wanted)).event,
                wanted=wanted,
                once=follow,
            )
        return cls(line=as_json_in_words if in_words else as_json, wanted=wanted, has_checkpoints=wanted.is_all)

    async def printed(self, entry: AuditEntry) -> str:
        """Its line."""
        return self.line(entry, await self.opener.open(entry) if self.opener else None)

    def is_due(self, entry: AuditEntry, *, after: int) -> bool:
        """Whether this one is to be printed now: it is new, or it is sealed by now."""
        is_sealed = entry.seq is not None
        if self.once and not is_sealed:
            return False
        return entry.id > after or (is_sealed and entry.id in self.unsealed)


async def _export(printer: _Printer, *, opens: bool, follow: bool, after: int) -> None:
    async with opened(settled(), owner=False) as base:
        printer.opener = Opener(store=base.store) if opens else None
        if printer.head:
            click.echo(printer.head)
        began = await pruned(base.store)
        is_whole = printer.has_checkpoints and not after
        if is_whole:
            for checkpoint in await checkpoints(base.store):  # before the entries, so that all that they cover is there
                click.echo(checkpoint_as_json(checkpoint))
        with progress(wanted=not follow and not sys.stdout.isatty()) as shown:
            after = await _printed(base, printer, after=after, progress=shown)
        if is_whole:
            for checkpoint in await pruned_since(base.store, began):
                click.echo(checkpoint_as_json(checkpoint))
        _say_pruned(await pruned(base.store))
        while follow:
            sys.stdout.flush()
            await asyncio.sleep(_FOLLOW_SECONDS)
            after = await _printed(base, printer, after=after)


async def _printed(base: Base, printer: _Printer, *, after: int, progress: Progress = unwatched) -> int:
    """Print what came after this id, and what of the unsealed is sealed by now; the newest id."""
    read, unsealed = 0, printer.unsealed
    begin = min(unsealed, default=after + 1) - 1
    async for entry, is_wanted in entries(base.store, after=begin, wanted=printer.wanted):
        if is_wanted and printer.is_due(entry, after=after):
            click.echo(await printer.printed(entry))
        after = max(after, entry.id)
        if entry.seq is not None:
            unsealed.discard(entry.id)
        else:
            unsealed.add(entry.id)
        progress("Exporting the log", read := read + 1)
    return after
