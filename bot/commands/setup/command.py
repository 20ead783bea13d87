"""`countersign setup`: make a working configuration, question by question or by flags alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from bot.commands.setup.answers import HTTP, OVER_HTTP, PLAIN, SECRETS, SOCKET
from bot.commands.terminal import fail
from bot.errors import BotError, Misconfigured


def _secret_options(command: Callable[..., None]) -> Callable[..., None]:
    for wanted in reversed(SECRETS):
        name = wanted.flag.removesuffix("-file")
        command = click.option(wanted.flag, metavar="FILE", help=f"{wanted.what}: a file with it; - is stdin.")(command)
        command = click.option(name, metavar="TEXT", help=f"{wanted.what}; other users of the machine can see it.")(
            command
        )
    return command


def _options_over_http(command: Callable[..., None]) -> Callable[..., None]:
    for wanted in reversed(OVER_HTTP):
        command = click.option(wanted.flag, metavar="TEXT", help=f"HTTP API: {wanted.what}.")(command)
    return command


@click.command(short_help="Connect a real workspace, step by step.")
@click.option(
    "--slack", "mode", type=click.Choice([SOCKET, HTTP]), help="How Slack reaches the bot: Socket Mode, or HTTP."
)
@click.option("--public-url", metavar="URL", help="Where people, Google and (over HTTP) Slack reach this server.")
@click.option("--google-client-id", metavar="ID", help="The Google OAuth client of type “Web application”.")
@click.option("--without-google", is_flag=True, help="Skip Google accounts for now.")
@click.option("--database", metavar="FILE|URL", help="A file for SQLite, or postgresql://user:password@host/database.")
@_options_over_http
@_secret_options
@click.option("--env-file", metavar="FILE", help="The file to write (default: .env).")
@click.option("--no-checks", is_flag=True, help="Do not check the answers with Slack, Gemini and Google.")
@click.option("--no-input", is_flag=True, help="Ask nothing: flags, environment and file must be enough.")
def setup(**options: Any) -> None:
    """Connect a real workspace: make the Slack app, enter tokens and keys, check each, write .env.

    A flag or the environment can give every answer, so it also runs without a terminal. Run it again to change an
    answer: Enter keeps the earlier one, and lines that it does not know stay as they are.
    """
    try:
        from bot.commands.setup.walk import Walk  # loads Slack's and Gemini's libraries, which takes a second

        Walk(
            given=_given(options),
            flags=_flags(options),
            env_file=options["env_file"],
            mode=options["mode"],
            with_google=not options["without_google"],
            online=not options["no_checks"],
            may_ask=not options["no_input"] and "-" not in _files(options),
        ).run()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        click.echo("✗ Ended before the last question. Nothing was written; run `countersign setup` again.", err=True)
        sys.exit(130)
    except BotError as error:
        fail(error)


def _files(options: Mapping[str, Any]) -> list[str]:
    return [path for wanted in SECRETS if (path := options[_name(wanted.flag)])]


def _given(options: Mapping[str, Any]) -> dict[str, str]:
    """The answers that flags give."""
    if _files(options).count("-") > 1:
        raise Misconfigured("Only one of the files can be -, which is standard input. Nothing was written.")
    given = {wanted.variable: options[_name(wanted.flag)] for wanted in PLAIN}
    for wanted in SECRETS:
        flag = wanted.flag.removesuffix("-file")
        path, text = options[_name(wanted.flag)], options[_name(flag)]
        if path and text:
            raise Misconfigured(f"Give {flag} or {flag}-file, not both. Nothing was written.")
        given[wanted.variable] = _read(wanted.flag, path) if path else text
    return {name: value.strip() for name, value in given.items() if value is not None}


def _flags(options: Mapping[str, Any]) -> dict[str, str]:
    """The flags that were typed, by the variables of their answers."""
    wordings = [
        (wanted.variable, flag) for wanted in SECRETS for flag in (wanted.flag.removesuffix("-file"), wanted.flag)
    ]
    wordings += [(wanted.variable, wanted.flag) for wanted in PLAIN]
    return {variable: flag for variable, flag in wordings if options[_name(flag)] is not None}


def _read(flag: str, path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise Misconfigured(f"{flag} names {path}, which cannot be read: {why}. Nothing was written.") from error


def _name(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")
