"""`countersign agents`: checks the files of agents, lists them, writes them in other forms, and has one work.

What the subcommands work with loads the tools and a JSON Schema library, which takes a second; others need neither.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import TextIO

import click

from bot.commands.terminal import settled, to_its_end
from bot.domain.limits import LONGEST_WORK, MOST_AGENT_STEPS, SpawnLimits

FORMS = ("yaml", "json", "proto", "textproto", "protojson")
_SECONDS = click.IntRange(1, LONGEST_WORK // timedelta(seconds=1))


@click.group()
def agents() -> None:
    """Agents that your team wrote: check their files, list them, have one work, write them in other forms."""


@agents.command(short_help="Check the files of agents.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="[FILE|FOLDER]...")
def validate(paths: tuple[Path, ...]) -> None:
    """Check FILEs, and those in FOLDERs; without any, the shipped ones and those in AGENTS_DIR.

    Each problem is a line with its file and line, and the status is 1 then. What an agent lacks here, such as a tool,
    is told and is no problem.
    """
    from bot.commands.agents import catalogue

    sys.exit(catalogue.validate(settled(), paths))


@agents.command("list")
def list_() -> None:
    """List the shipped agents and those in AGENTS_DIR, with what each lacks to be used."""
    from bot.commands.agents import catalogue

    catalogue.show(settled())


@agents.command(short_help="Write an agent in another form.")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="The form to write.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
def convert(file: Path, form: str, output: Path | None) -> None:
    """Write the agent in FILE in its canonical form.

    FILE may be YAML, JSON, Gemini CLI's Markdown, or a protobuf message (.binpb, .textproto, .protojson). A schema from
    schemas/ is written inline.
    """
    from bot.commands.agents import conversion

    conversion.convert(file, form, output)


@agents.command(short_help="Have an agent work for a person.")
@click.argument("name")
@click.option("--as", "person", required=True, metavar="TEAM/USER", help="For whom, by their ids in Slack.")
@click.option("--input", "given", multiple=True, metavar="NAME=VALUE", help="An input; again for more of a list.")
@click.option("--inputs", "document", type=click.File(encoding="utf-8"), metavar="FILE|-", help="Inputs as JSON.")
@click.option("--max-steps", type=click.IntRange(1, MOST_AGENT_STEPS), help="Steps, in the place of the definition's.")
@click.option("--timeout", type=_SECONDS, metavar="SECONDS", help="Time, in the place of the definition's.")
def run(
    name: str,
    person: str,
    given: tuple[str, ...],
    document: TextIO | None,
    max_steps: int | None,
    timeout: int | None,
) -> None:
    """Have the agent NAME work for a person, and print the record of its run as JSON.

    The bot that works with this database does it, in the person's direct messages. What it may do there is decided as
    if they had asked, and they are asked as always; none of the inputs count as typed by them. The status is 0 where it
    completed.
    """
    from bot.commands.agents import running

    limits = SpawnLimits(timeout=timedelta(seconds=timeout) if timeout else None, max_steps=max_steps)
    text = document.read() if document else None
    to_its_end(running.run(settled(), name, person=person, given=given, document=text, limits=limits))
