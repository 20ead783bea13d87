"""`countersign agents`: checks the files of agents, lists them, and writes them in other forms. It runs none.

What the subcommands work with loads the tools and a JSON Schema library, which takes a second; others need neither.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot.commands.terminal import settled

FORMS = ("yaml", "json", "proto", "textproto", "protojson")


@click.group()
def agents() -> None:
    """Agents that your team wrote: check their files, list them, write them in other forms.

    Running them is not built yet.
    """


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
