"""The doctor: checks everything that a start needs, and says what to do about each problem."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from bot import settings as configuration
from bot.commands.doctor import gemini, google
from bot.commands.doctor.address import missing_address
from bot.commands.doctor.condition import condition
from bot.commands.doctor.http import http_api
from bot.commands.doctor.policy import examine_policy
from bot.commands.doctor.rules import examine_rules
from bot.commands.doctor.slack import examine_slack
from bot.errors import BadSettings, Misconfigured
from bot.settings import Settings
from bot.store.errors import NotRead
from bot.wiring.limits import unpriced
from bot.wiring.store import NoDatabase, check_database, keyring_of, missing_keys, opened
from bot.wiring.tools import agents_of, known_contracts, library_of, policy_problems, repositories_of

Say = Callable[[str], None]


async def examine(say: Say, environ: Mapping[str, str] | None = None) -> int:
    """Check one thing after the other; 0 when `countersign run` will start."""
    settings: Settings | None = None
    found: list[str] = []
    try:
        settings = configuration.read(environ)
    except BadSettings as error:
        found += error.problems
    found += configuration.lacking(environ)
    for warning in [*configuration.doubts(environ), *(unpriced(settings) if settings else ())]:
        say(f"! {warning}")
    if settings is not None:
        if settings.encryption_keys is not None:
            found += _raised(lambda: keyring_of(settings))
        try:
            await check_database(settings)
        except Misconfigured as error:
            found.append(str(error))
        found += (await examine_slack(settings)).told(say)
        found += (await gemini.examine_model(settings)).told(say)
        found += (await google.examine_settings(settings)).told(say)
        found += missing_address(settings)
        found += (await examine_policy(settings)).told(say)
        found += await _state(settings, say)
        found += _raised(lambda: agents_of(library_of(settings))) + _raised(lambda: repositories_of(settings))
    found += policy_problems(Path(settings.policies_dir) if settings and settings.policies_dir else None)
    found = list(dict.fromkeys(found))
    if settings is not None:
        say(http_api(settings, starts=not found))
    for problem in found:
        say(f"✗ {problem}")
    is_new = settings is not None and not settings.slack_bot_token
    asks = " `countersign setup` asks for tokens and keys one after the other." if is_new else ""
    say(f"{len(found)} to fix, then run `countersign doctor` again.{asks}" if found else "✓ Ready: countersign run")
    return 1 if found else 0


async def _state(settings: Settings, say: Say) -> list[str]:
    """Print the condition of the database, if there is one; its problems."""
    try:
        async with opened(settings, owner=False) as base:
            lines, problems = await condition(base)
            google_found = await google.examine_rows(base)
            key_problems = await missing_keys(base)
            rules_found = await examine_rules(base, {*known_contracts(), *_agents(settings)})
    except NoDatabase:
        return []
    except Misconfigured as error:
        return [str(error)]
    except NotRead as error:
        say(f"! {error} If it has an old schema: `countersign migrate`.")
        return []
    for line in lines:
        say(line)
    return [*problems, *key_problems, *google_found.told(say), *rules_found.told(say)]


def _agents(settings: Settings) -> Collection[str]:
    """The agents' names: each is called as a tool is."""
    try:
        return library_of(settings).entries.keys()
    except Misconfigured:
        return ()  # it is told besides


def _raised(check: Callable[[], object]) -> list[str]:
    try:
        check()
    except BadSettings as error:
        return list(error.problems)
    except Misconfigured as error:
        return [str(error)]
    return []
