"""The command line. Each command is in `bot.commands`, ends with a status, and says what to do next if it fails."""

from __future__ import annotations

import os
import sys

import click

from bot.commands.adoption import adopt
from bot.commands.agents.command import agents
from bot.commands.audit import audit
from bot.commands.backup import backup, migrate, restore
from bot.commands.keys import keys
from bot.commands.plans.command import plan
from bot.commands.runs import runs
from bot.commands.service import run
from bot.commands.setup.command import setup
from bot.commands.terminal import to_its_end


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="countersign-agent", prog_name="countersign")
def main() -> None:
    """Countersign: a Slack agent that asks before it acts."""


@main.command(
    short_help="Try it with everything emulated: no account needed.",
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def playground(arguments: tuple[str, ...]) -> None:
    """Try it with Slack, Google and Gemini emulated: no account needed. See `countersign playground --help`."""
    os.execv(sys.executable, [sys.executable, "-m", "playground", *arguments])


@main.command(short_help="Check everything, and say the next step.")
def doctor() -> None:
    """Check configuration, database, log, policies and Slack, and say the next step."""
    from bot.commands.doctor.examination import examine  # loads Slack's library, which takes a second

    to_its_end(examine(click.echo))


for command in (setup, run, migrate, runs, agents, plan, audit, backup, restore, keys, adopt):
    main.add_command(command)


if __name__ == "__main__":
    main()
