"""The doctor: looks at everything that a start needs, and says of each whether it works and what to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from bot import settings as configuration
from bot.settings import BadSettings, Settings
from bot.slack.errors import SlackError
from bot.slack.installations import installation
from bot.slack.web import SlackWeb, slack_client
from policies import loader
from policies.errors import PolicyError

Say = Callable[[str], None]


async def examine(settings: Settings | None, problems: Sequence[str], warnings: Sequence[str], say: Say) -> int:
    """Check one thing after the other; 0 when `countersign run` will start."""
    for warning in warnings:
        say(f"! {warning}")
    found = list(problems)
    if settings is not None:
        found += _configuration(settings) + _database(settings)
        found += await _slack(settings)
    found += _policies()
    for problem in found:
        say(f"✗ {problem}")
    say(f"{len(found)} to mend, then run `countersign doctor` again." if found else "✓ Ready: countersign run")
    return 1 if found else 0


def _configuration(settings: Settings) -> list[str]:
    try:
        configuration.require(settings)
    except BadSettings as error:
        return list(error.problems)
    return []


def _database(settings: Settings) -> list[str]:
    folder = settings.sqlite_path.absolute().parent
    if not folder.is_dir():
        return [f"DATABASE_URL names a folder that does not exist: {folder}. Make it first."]
    if not os.access(folder, os.W_OK):
        return [f"DATABASE_URL names a folder that cannot be written: {folder}. Give this user the right to write."]
    return []


async def _slack(settings: Settings) -> list[str]:
    if settings.slack_bot_token is None:
        return []
    token = settings.slack_bot_token.get_secret_value()
    try:
        async with slack_client(token=token, base_url=settings.slack_api_url) as client:
            await installation(SlackWeb(client))
    except SlackError as error:
        return [str(error)]  # its message is written for people
    return []


def _policies() -> list[str]:
    try:
        loader.load()
    except PolicyError as error:
        return [str(error)]
    return []
