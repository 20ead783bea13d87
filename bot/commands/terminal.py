"""What every command shares: read the settings, run to the end with a status, print errors as one line."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

import click

from bot import settings as configuration
from bot.errors import BadSettings, BotError, Misconfigured
from bot.log import configure
from bot.redaction import Redactor
from bot.settings import Settings
from integrations.errors import IntegrationError
from policies.errors import PolicyError

_SETUP = "Not set up yet? `countersign setup` asks for all of it, checks the answers and writes .env."


def settled(*, complete: bool = False) -> Settings:
    """The settings; or exit, with each problem and its cure on a line. `complete` requires all that `run` needs."""
    for warning in configuration.doubts():
        click.echo(f"! {warning}", err=True)
    lacks = configuration.lacking() if complete else []
    try:
        settings = configuration.read()
        if lacks:
            raise BadSettings(lacks)
    except BadSettings as error:
        fail(BadSettings(dict.fromkeys([*error.problems, *lacks])), then=_SETUP if lacks else "")
    configure(Redactor(settings.secrets()))
    return settings


def to_its_end(
    work: Coroutine[Any, Any, int | None], *, loop: Callable[[], asyncio.AbstractEventLoop] | None = None
) -> NoReturn:
    """Run and exit with the status; an error of ours is one line, not a traceback. `loop` makes the event loop."""
    try:
        with asyncio.Runner(loop_factory=loop) as runner:
            sys.exit(runner.run(work) or 0)
    except (BotError, IntegrationError, PolicyError) as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)


def fail(error: Exception, *, then: str = "") -> NoReturn:
    """Print each problem on a line, and what to do `then`; exit, with status 2 where the configuration is wrong."""
    problems = error.problems if isinstance(error, BadSettings) else [error]
    for problem in problems:
        click.echo(f"✗ {problem}", err=True)
    if then:
        click.echo(then, err=True)
    sys.exit(2 if isinstance(error, Misconfigured) else 1)


def title(text: str) -> None:
    """What follows, after an empty line."""
    click.echo()
    click.secho(text, bold=True)
