"""`countersign plan`: plans from the command line, beside the bot that makes them and carries them out.

What the subcommands work with loads the tools, which takes a second; others need none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bot.commands.terminal import settled, to_its_end

_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.group()
def plan() -> None:
    """Plans: have one made for a person, have it changed, confirm it, have it carried out, look at it.

    The bot that works with this database does it, in the person's direct messages. What it may do there is decided as
    if they had asked, and they are asked as always: a confirmed plan approves nothing. None of the words count as typed
    by them, and the log says that an operator began, changed or confirmed it.
    """


def _for_person(command: _Command) -> _Command:
    named = click.option("--as", "person", required=True, metavar="TEAM/USER", help="For whom, by their ids in Slack.")
    return named(command)


def _as_json(command: _Command) -> _Command:
    return click.option("--json", "is_json", is_flag=True, help="The session as one JSON object.")(command)


def _with_deadline(command: _Command) -> _Command:
    zoned = click.option(
        "--zone", metavar="NAME", help="By whose clocks that is, as Europe/London; the person's, unless given."
    )(command)
    return click.option("--deadline", metavar="TIME", help="When nothing more is begun, as “2026-11-27 17:00”.")(zoned)


@plan.command(short_help="Have a plan made.")
@click.argument("prompt")
@_for_person
@click.option("--repo", default="", metavar="NAME", help="The repository that it is made from, in REPOSITORIES_DIR.")
@_with_deadline
@_as_json
def start(prompt: str, person: str, repo: str, deadline: str | None, zone: str | None, is_json: bool) -> None:
    """Have a plan made for PROMPT, wait until it is proposed, and print it. The status is 0 then."""
    from bot.commands.plans import running

    until = running.Until(deadline=deadline, zone=zone)
    to_its_end(running.start(settled(), person, prompt, repo, until, is_json=is_json))


@plan.command(short_help="Have a proposed plan changed.")
@click.argument("session_id")
@click.argument("words")
@_for_person
@_as_json
def refine(session_id: str, words: str, person: str, is_json: bool) -> None:
    """Have the plan changed as WORDS say, wait for what is proposed then, and print it."""
    from bot.commands.plans import running

    to_its_end(running.refine(settled(), person, session_id, words, is_json=is_json))


@plan.command(short_help="Confirm a plan.")
@click.argument("session_id")
@_for_person
@click.option("--revision", required=True, type=click.IntRange(1), help="The one that was read; a newer one is not.")
def confirm(session_id: str, person: str, revision: int) -> None:
    """Confirm the plan as this revision has it. It is carried out from then on."""
    from bot.commands.plans import running

    to_its_end(running.confirm(settled(), person, session_id, revision))


@plan.command(short_help="Have a plan carried out, and wait for its end.")
@click.argument("session_id")
@_for_person
@_with_deadline
@_as_json
def execute(session_id: str, person: str, deadline: str | None, zone: str | None, is_json: bool) -> None:
    """Have the plan carried out, and print what came of it with every action.

    The revision that is shown now is confirmed, if none was. A plan whose deadline is over goes on with --deadline, a
    new one. The status is 0 where the plan was completed, and 1 where it failed or paused. Interrupting the command
    stops nothing.
    """
    from bot.commands.plans import running

    until = running.Until(deadline=deadline, zone=zone)
    to_its_end(running.execute(settled(), person, session_id, until, is_json=is_json))


@plan.command(short_help="Show a plan as it is.")
@click.argument("session_id")
@_for_person
@_as_json
def show(session_id: str, person: str, is_json: bool) -> None:
    """Show the plan with its tasks; as JSON with every action. No bot has to work."""
    from bot.commands.plans import running

    to_its_end(running.show(settled(), person, session_id, is_json=is_json))
