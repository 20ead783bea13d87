"""The command line: `countersign run | playground | doctor | migrate | audit verify | audit heads | audit export`.

Every command ends with a status and, where it fails, with what to do next.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TextIO

import click

from bot import settings as configuration
from bot.errors import BotError, Misconfigured
from bot.foundation import Base, connections, opened
from bot.log import configure
from bot.runtime.chain import as_json, entries, signed_places, verified
from bot.runtime.connections import Tokens
from bot.runtime.memories import MemoryBook
from bot.secrets import Redactor
from bot.settings import BadSettings, Settings
from integrations.base import Requester
from integrations.errors import IntegrationError
from policies.errors import PolicyError
from policies.types import Label

_FOLLOW_SECONDS = 0.2
READY_VARIABLE = "COUNTERSIGN_READY_LINE"


def _settings(*, complete: bool = False) -> Settings:
    """The settings, or an end with each problem and its cure on a line."""
    try:
        settings = configuration.read()
        if complete:
            configuration.require(settings)
    except BadSettings as error:
        for problem in error.problems:
            click.echo(f"✗ {problem}", err=True)
        sys.exit(2)
    for warning in configuration.near_misses():
        click.echo(f"! {warning}", err=True)
    configure(Redactor(settings.secrets()), level=logging.INFO)
    return settings


def _run(work: Coroutine[Any, Any, int | None]) -> None:
    """Run to the end; an error of ours is one line, not a traceback."""
    try:
        sys.exit(asyncio.run(work) or 0)
    except (BotError, IntegrationError, PolicyError) as error:
        click.echo(f"✗ {error}", err=True)
        sys.exit(2 if isinstance(error, Misconfigured) else 1)
    except KeyboardInterrupt:
        sys.exit(130)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="countersign-agent", prog_name="countersign")
def main() -> None:
    """Countersign: a Slack agent that asks before it acts."""


@main.command()
def run() -> None:
    """Run the bot: connect to Slack and work until it is stopped."""
    settings = _settings(complete=True)
    _run(_until_stopped(_serve(settings, announce=READY_VARIABLE in os.environ)))


async def _serve(settings: Settings, *, announce: bool) -> None:
    from bot.app import running  # the libraries of Slack and Gemini take a second to load; other commands need none

    async with running(settings) as bot:
        if announce:
            click.echo(json.dumps({"ready": "bot", "url": bot.url}))
            sys.stdout.flush()
        await bot.until_a_part_dies()


async def _until_stopped(work: Coroutine[Any, Any, None]) -> int:
    """Run until it ends or a signal asks for the end."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return 0
    return 1


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def playground(arguments: tuple[str, ...]) -> None:
    """Try it with Slack, Google and Gemini emulated: no account needed. See `countersign playground --help`."""
    os.execv(sys.executable, [sys.executable, "-m", "playground", *arguments])


@main.command()
def doctor() -> None:
    """Check configuration, database, policies and Slack, and say the next step."""
    from bot.doctor import examine  # loads Slack's library, as above

    try:
        settings: Settings | None = configuration.read()
        problems: list[str] = []
    except BadSettings as error:
        settings, problems = None, list(error.problems)
    _run(examine(settings, problems, configuration.near_misses(), click.echo))


@main.command()
def migrate() -> None:
    """Bring the database to the newest schema (a start of the bot does it too)."""

    async def work() -> None:
        async with opened(_settings(), owner=True):
            click.echo("The database is up to date.")

    _run(work())


@main.group()
def audit() -> None:
    """The log: verify it, note where it stands, export it."""


@audit.command()
@click.option("--kept", multiple=True, help="A line of `audit heads` from earlier, which the log must still hold.")
def verify(kept: tuple[str, ...]) -> None:
    """Check every entry of the log: bytes, signature, order, completeness."""
    places = [(team, place) for team, _, place in (line.strip().partition(":") for line in kept)]

    async def work() -> int:
        async with opened(_settings(), owner=False) as base:
            report = await verified(base.store, base.keyring, kept=places)
        click.echo(report.text())
        return 1 if report.problems else 0

    _run(work())


@audit.command()
def heads() -> None:
    """Print where the log stands, a line for each workspace: keep it elsewhere, and `verify --kept` finds a log that
    was put back to an older copy.
    """

    async def work() -> None:
        async with opened(_settings(), owner=False) as base:
            for team, place in await signed_places(base.store, base.keyring):
                click.echo(f"{team}:{place}")

    _run(work())


@audit.command()
@click.option("--follow", is_flag=True, help="Go on with what is written from now on.")
@click.option("--after", default=0, help="Begin after this entry's id.")
def export(follow: bool, after: int) -> None:
    """Print the log, one JSON object a line. With --follow an entry comes again when it is sealed."""
    _run(_export(follow=follow, after=after))


async def _export(*, follow: bool, after: int) -> None:
    settings = _settings()
    open_: dict[int, bool] = {}
    async with opened(settings, owner=False) as base:
        while True:
            start = min(open_, default=after + 1) - 1
            async for entry in entries(base.store, after=start):
                fresh = entry.id > after
                sealed = entry.seq is not None
                if fresh or (sealed and entry.id in open_):
                    click.echo(as_json(entry))
                after = max(after, entry.id)
                if sealed:
                    open_.pop(entry.id, None)
                else:
                    open_[entry.id] = True
            if not follow:
                return
            sys.stdout.flush()
            await asyncio.sleep(_FOLLOW_SECONDS)


@main.command(hidden=True)
@click.option("--from", "source", type=click.File("r"), default="-")
def adopt(source: TextIO) -> None:
    """Take over the playground's accounts and memories, one JSON object a line. Refused off an emulator."""
    lines = [json.loads(line) for line in source if line.strip()]

    async def work() -> None:
        async with opened(_settings(), owner=True) as base:
            for line in lines:
                await _adopt(base, line)

    _run(work())


async def _adopt(base: Base, line: dict[str, Any]) -> None:
    book = connections(base)
    book.only_for_an_emulator()
    if "memory" in line:
        who = Requester(team=line["team"], user=line["user"])
        memories = MemoryBook(store=base.store, clock=base.clock)
        await memories.save(who, line["memory"], key=line["key"], label=Label.OWNER)
        return
    tokens = Tokens(access_token=line["access_token"], refresh_token=line["refresh_token"])
    named = {name: line[name] for name in ("account", "email", "scopes")}
    await book.adopt(line["team"], line["user"], **named, tokens=tokens)


if __name__ == "__main__":
    main()
