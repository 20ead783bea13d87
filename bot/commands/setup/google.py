"""The OAuth client through which people connect their own Google accounts."""

from __future__ import annotations

import click

from bot.api.oauth import redirect_uri
from bot.commands.doctor.google import CLIENTS
from bot.commands.setup.answers import CLIENT_ID, CLIENT_SECRET, PUBLIC_URL, Answers, local_by_default
from bot.commands.setup.checks import Checks
from bot.commands.setup.links import GOOGLE_APIS
from bot.commands.terminal import title
from integrations.google.auth.access import ASKED_FOR


def ask_google(answers: Answers, checks: Checks) -> None:
    """Ask for a client, which may also come later."""
    if not answers.asks and not answers.has(CLIENT_ID.variable):
        return
    title("Google accounts")
    click.echo("For Gmail and Calendar people connect their own accounts, through an OAuth client of yours.")
    click.echo(f"1. Enable the APIs: {GOOGLE_APIS}")
    click.echo(f"2. Make a client of type “Web application”: {CLIENTS}")
    click.echo("   Audience “Internal” needs no review by Google, and connections do not end after seven days.")
    click.echo("   “Data access” needs the scopes that people may choose:")
    for scope in sorted(ASKED_FOR):
        click.echo(f"   {scope}")
    client_id = answers.take(CLIENT_ID, _taken)
    if not client_id:
        answers.taken[CLIENT_SECRET.variable] = ""
        return
    if PUBLIC_URL.variable not in answers.taken:
        answers.take(local_by_default(PUBLIC_URL, answers), checks.public_url)
    url = answers.taken[PUBLIC_URL.variable]
    click.echo("3. Add exactly this authorised redirect URI to the client, and save:")
    click.echo(f"   {redirect_uri(url)}")

    def known_to_google(known_as: str, secret: str) -> str:
        return checks.google_client(known_as, secret, url)

    answers.take_together({CLIENT_ID: _taken, CLIENT_SECRET: _taken}, known_to_google, first=client_id)


def _taken(_: str) -> str:
    """Only Google can tell whether it is right."""
    return ""
