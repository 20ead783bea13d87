"""Who may ask the agent over HTTP: the ways of signing in there, and the pages that may use it (docs/http-api.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from bot.api.sign_in import redirect_uri
from bot.commands.setup.answers import (
    FIREBASE_ACCOUNT,
    FIREBASE_COOKIE,
    FIREBASE_PROJECT,
    HTTP_APPLICATION,
    HTTP_ORIGINS,
    PUBLIC_URL,
    SLACK_CLIENT_ID,
    SLACK_CLIENT_SECRET,
    Answers,
    Check,
    Wanted,
    Wrong,
    local_by_default,
)
from bot.commands.setup.checks import Checks
from bot.commands.terminal import title

NO, SLACK, FIREBASE, BOTH = "no", "slack", "firebase", "both"
_WAYS: Mapping[str, Sequence[Wanted]] = {
    SLACK: [SLACK_CLIENT_ID, SLACK_CLIENT_SECRET],
    FIREBASE: [FIREBASE_PROJECT, FIREBASE_ACCOUNT, FIREBASE_COOKIE],
}
_OWN_ACCOUNT = "GOOGLE_SERVICE_ACCOUNT_FILE"
"""The service account that Firebase is asked with where it has none of its own."""


def required_over_http(answers: Answers) -> Sequence[Wanted]:
    """What the ways that were begun need besides."""
    begun = [way for way, wanted in _WAYS.items() if answers.has(wanted[0].variable)]
    wanted = [SLACK_CLIENT_SECRET, PUBLIC_URL] if SLACK in begun else []
    return [*wanted, *([FIREBASE_ACCOUNT] if FIREBASE in begun and not answers.has(_OWN_ACCOUNT) else [])]


def ask_http_api(answers: Answers, checks: Checks) -> None:
    """Ask how people sign in, which may be not at all; a way that is not chosen is taken out."""
    begun = [way for way, wanted in _WAYS.items() if answers.has(wanted[0].variable)]
    if not answers.asks and not begun:
        return
    title("HTTP API")
    click.echo("A page or a script of yours can ask it over HTTP. How do people sign in there: not at all, with their")
    click.echo("Slack accounts, with a Firebase project of yours, or with both?")
    before = BOTH if len(begun) > 1 else (*begun, NO)[0]
    chosen = answers.choose("Over HTTP?", [NO, SLACK, FIREBASE, BOTH], default=before)
    ways = [way for way in _WAYS if chosen in {way, BOTH}]
    for way in _WAYS:
        if way not in ways:
            answers.taken |= {wanted.variable: "" for wanted in _WAYS[way] if answers.has(wanted.variable)}
    if SLACK in ways:
        _ask_slack(answers, checks)
    if FIREBASE in ways:
        _ask_firebase(answers, checks)
    if ways:
        answers.take(HTTP_APPLICATION, checks.taken_as(HTTP_APPLICATION))
        answers.take(HTTP_ORIGINS, checks.taken_as(HTTP_ORIGINS))


def _ask_slack(answers: Answers, checks: Checks) -> None:
    url = _address(answers, checks.address_for_slack, PUBLIC_URL)
    click.echo("In the settings of your Slack app, “OAuth & Permissions” needs this redirect URL, saved:")
    click.echo(f"   {redirect_uri(url)}")
    click.echo("“Basic Information”, “App Credentials” has the Client ID and the Client Secret.")
    both = {each: checks.taken_as(each) for each in (SLACK_CLIENT_ID, SLACK_CLIENT_SECRET)}

    def known_to_slack(client_id: str, secret: str) -> str:
        return checks.slack_client(client_id, secret, url)

    answers.take_together(both, known_to_slack)


def _ask_firebase(answers: Answers, checks: Checks) -> None:
    _address(answers, checks.public_url, local_by_default(PUBLIC_URL, answers))
    click.echo("It needs a service account of your project with the role “Firebase Authentication Viewer”.")
    if own := answers.has(_OWN_ACCOUNT):
        click.echo(f"Without one it is that of {_OWN_ACCOUNT}.")
    account = replace(FIREBASE_ACCOUNT, optional=own)
    both = {each: checks.taken_as(each) for each in (FIREBASE_PROJECT, account)}
    answers.take_together(both, checks.firebase)
    answers.take(FIREBASE_COOKIE, checks.taken_as(FIREBASE_COOKIE))


def _address(answers: Answers, check: Check, wanted: Wanted) -> str:
    """The address of this server, asked for anew only where the one that was given will not do."""
    given = answers.taken.get(wanted.variable, "")
    try:
        if given:
            check(given)
            return given
    except Wrong as error:
        click.echo(f"✗ {given}: {error}")
    return answers.take(wanted, check)
