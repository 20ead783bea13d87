"""What every command does at its edges: reads the settings, runs to an end with a status, says errors in a line."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine
from typing import Any

import click

from bot import settings as configuration
from bot.errors import BadSettings, BotError, Misconfigured
from bot.log import configure
from bot.secrets import Redactor
from bot.settings import Settings
from integrations.errors import IntegrationError
from policies.errors import PolicyError


def settled(*, complete: bool = False) -> Settings:
    """The settings, or an end with each problem and its cure on a line. `complete`: all that `run` needs is there."""
    for warning in configuration.doubts():
        click.echo(f"! {warning}", err=True)
    try:
        settings = configuration.read()
        if complete:
            configuration.require(settings)
    except BadSettings as error:
        for problem in error.problems:
            click.echo(f"✗ {problem}", err=True)
        sys.exit(2)
    configure(Redactor(settings.secrets()), level=logging.INFO)
    return settings


def to_its_end(work: Coroutine[Any, Any, int | None]) -> None:
    """Run to the end; an error of ours is one line, not a traceback."""
    try:
        sys.exit(asyncio.run(work) or 0)
    except (BotError, IntegrationError, PolicyError) as error:
        click.echo(f"✗ {error}", err=True)
        sys.exit(2 if isinstance(error, Misconfigured) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
