"""The doctor: checks everything that a start needs, and says what to do about each problem."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bot import settings as configuration
from bot.commands.doctor import gemini, google
from bot.commands.doctor.condition import condition
from bot.commands.doctor.findings import Findings
from bot.errors import BadSettings, Misconfigured
from bot.secrets import BadKey, KeyRing
from bot.settings import Settings
from bot.slack.connection.errors import SlackError, WrongToken, away
from bot.slack.connection.http import is_signing_secret
from bot.slack.connection.installations import installation
from bot.slack.connection.socket import check_app_token
from bot.slack.connection.web import SlackWeb, slack_client
from bot.store.engine.factory import engine_for
from bot.store.errors import NotRead
from bot.wiring.limits import unpriced
from bot.wiring.store import (
    DatabaseUnusable,
    NoDatabase,
    NoTables,
    ServerUnusable,
    database_has_tables,
    is_beginning_well,
    missing_keys,
    opened,
    refuse_a_playgrounds,
)
from bot.wiring.tools import known_arguments
from policies import loader
from policies.errors import PolicyError

Say = Callable[[str], None]

_NO_SIGNING_SECRET = (
    "SLACK_SIGNING_SECRET is wrong: it has 32 hexadecimal digits. Copy it again from “Basic Information” of your app's "
    "settings."
)
_SQLITE_HEADER = b"SQLite format 3\x00"


async def examine(settings: Settings | None, problems: Sequence[str], warnings: Sequence[str], say: Say) -> int:
    """Check one thing after the other; 0 when `countersign run` will start."""
    for warning in [*warnings, *(unpriced(settings) if settings else ())]:
        say(f"! {warning}")
    found = list(problems)
    if settings is not None:
        found += _configuration(settings) + _keys(settings)
        found += await database_problems(settings)
        found += await _slack(settings)
        found += _told(await gemini.examine_model(settings), say)
        found += _told(await google.examine_settings(settings), say)
        found += await _state(settings, say)
    found += policy_problems()
    found = list(dict.fromkeys(found))
    for problem in found:
        say(f"✗ {problem}")
    is_new = settings is not None and not settings.slack_bot_token
    asks = " `countersign setup` asks for tokens and keys one after the other." if is_new else ""
    say(f"{len(found)} to fix, then run `countersign doctor` again.{asks}" if found else "✓ Ready: countersign run")
    return 1 if found else 0


def _configuration(settings: Settings) -> list[str]:
    try:
        configuration.require(settings)
    except BadSettings as error:
        return list(error.problems)
    return []


def _keys(settings: Settings) -> list[str]:
    if settings.encryption_keys is None:
        return []
    try:
        KeyRing(settings.encryption_keys.get_secret_value().split(","))
    except BadKey as error:
        return [str(error)]
    return []


async def database_problems(settings: Settings) -> list[str]:
    """What keeps the database from being used."""
    return await _server(settings) if settings.uses_postgresql else _database(settings)


def _database(settings: Settings) -> list[str]:
    """Problems of the file: it cannot be made, or is no database that can be written."""
    path = settings.sqlite_path.absolute()
    try:
        refuse_a_playgrounds(settings)
        if not path.exists():
            is_beginning_well(path)
    except Misconfigured as error:
        return [str(error)]
    if path.exists():
        return [] if path.is_file() and _is_sqlite(path) else [str(DatabaseUnusable(path, "it is no SQLite database"))]
    if os.access(path.parent, os.W_OK):
        return []
    return [str(DatabaseUnusable(path, f"nothing can be written in {path.parent}"))]


async def _server(settings: Settings) -> list[str]:
    """Problems of the server: it refuses the connection, or has no tables."""
    engine = engine_for(settings.database_url)
    try:
        await database_has_tables(engine, settings)
    except ServerUnusable as error:
        return [str(error)]
    finally:
        await engine.dispose()
    return []


async def _state(settings: Settings, say: Say) -> list[str]:
    """Print the condition of the database, if there is one; its problems."""
    try:
        async with opened(settings, owner=False) as base:
            found = await condition(base)
            google_found = await google.examine_rows(base)
            key_problems = await missing_keys(base)
    except (NoDatabase, NoTables):
        return []
    except Misconfigured as error:
        return [str(error)]
    except NotRead as error:
        say(f"! {error} If it has an old schema: `countersign migrate`.")
        return []
    for line in found.lines:
        say(line)
    return [*found.problems, *key_problems, *_told(google_found, say)]


def _told(found: Findings, say: Say) -> list[str]:
    """Print the remarks; the problems."""
    for remark in found.remarks:
        say(f"! {remark}")
    return found.problems


def _is_sqlite(path: Path) -> bool:
    """By the header of the file format (sqlite.org/fileformat.html); an empty file becomes one."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE_HEADER)) in {b"", _SQLITE_HEADER}


async def _slack(settings: Settings) -> list[str]:
    token, app_token = settings.slack_bot_token, settings.slack_app_token
    problems = _signing_secret(settings)
    async with slack_client(
        token=token.get_secret_value() if token else None, base_url=settings.slack_api_url
    ) as client:
        checks: list[Awaitable[object]] = [installation(SlackWeb(client))] if token else []
        checks += [check_app_token(client, app_token.get_secret_value())] if app_token else []
        for check in checks:
            try:
                await check
            except WrongToken as error:
                problems.append(str(error))
            except SlackError as error:
                problems.append(away(error))
    return list(dict.fromkeys(problems))


def _signing_secret(settings: Settings) -> list[str]:
    """Check the form; only a call by Slack shows whether it is right."""
    secret = settings.slack_signing_secret
    if secret is None or is_signing_secret(secret.get_secret_value()):
        return []
    return [_NO_SIGNING_SECRET]


def policy_problems(folder: Path | None = None) -> list[str]:
    """What is wrong with the policy of a folder (default: the shipped one), which a start would refuse."""
    try:
        loader.refuse_idle(loader.load(folder), known_arguments())
    except PolicyError as error:
        return [str(error)]
    return []
