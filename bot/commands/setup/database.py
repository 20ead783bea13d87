"""Where the data lie, and the key that their secrets are encrypted with."""

from __future__ import annotations

import click

from bot import settings as configuration
from bot.commands.setup.answers import DATABASE, Answers
from bot.commands.setup.checks import Checks, database_url
from bot.env_file import ENV_FILE_VARIABLE
from bot.secrets import new_key
from bot.wiring.store import key_path

_KEYS = "ENCRYPTION_KEYS"


def ask_database(answers: Answers, checks: Checks) -> None:
    """Ask for the database. A key that is there already stays; else one is made."""
    answer = answers.take(DATABASE, checks.database)
    answers.taken[DATABASE.variable] = url = database_url(answer)
    settings = configuration.read({"DATABASE_URL": url, ENV_FILE_VARIABLE: ""})
    key = None if settings.uses_postgresql else key_path(settings)
    if answers.has(_KEYS):
        answers.taken[_KEYS] = answers.known[_KEYS]
        click.echo(f"{_KEYS} has a key already, which stays.")
    elif key and key.exists():
        click.echo(f"The key is in {key}, and stays there.")
    elif key and settings.sqlite_path.exists():
        click.echo(f"{settings.sqlite_path} exists, but its key does not: put {key.name} back beside it.")
    else:
        answers.taken[_KEYS] = new_key()
        click.echo(f"A key was made: {_KEYS}. Keep a copy of it apart from the database. Without it the")
        click.echo("accounts and the log in the database cannot be read.")
