"""Has an agent work for a person, beside the bot that does the work: rows are written, and its sweep takes them up."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import cast

import click

from bot.agents.catalog import AgentCatalog, AgentUnavailable, NoSuchAgent
from bot.agents.inputs import InvalidInputs, typed
from bot.commands import requester
from bot.commands.sheet import on_one_line
from bot.domain.limits import SpawnLimits
from bot.errors import BotError
from bot.redaction import as_json
from bot.runtime.agents.record import AgentRun, AgentRunStatus, agent_run
from bot.runtime.agents.requests import AgentRequest, AgentRequests
from bot.settings import Settings
from bot.wiring.limits import chat_limits
from bot.wiring.store import Base, opened, require_a_bot
from bot.wiring.tools import catalog_of, library_of, policy_of

LOOK_SECONDS = 0.5
_WAITS = "It waits for the person: what it asks stands in Slack."
_LIST = "`countersign agents list` shows every agent and what it lacks."


async def run(
    settings: Settings,
    name: str,
    *,
    person: str,
    given: Sequence[str],
    document: str | None,
    limits: SpawnLimits,
) -> int:
    """Begin it, wait for its end and print its record; the status. Raises `BotError` where nothing began."""
    team, user = requester.who(person)
    async with opened(settings, owner=False) as base:
        await require_a_bot(base)
        await requester.require_workspace(base, team)
        requests = _requests(base)
        source = f"command:{uuid.uuid4()}"
        try:
            inputs = _inputs(requests.catalog, name, given, document)
            begun = await requests.begin(
                AgentRequest(
                    team=team, user=user, agent=name, inputs=inputs, source=source, by_operator=True, limits=limits
                )
            )
        except (NoSuchAgent, AgentUnavailable) as error:
            raise BotError(f"{error} {_unset(settings) or _LIST}") from None
        except InvalidInputs as error:
            raise BotError(f"{on_one_line(str(error))} Nothing began.") from None
        click.echo(f"{begun.run_id} began. `countersign runs show {begun.run_id}` shows how far it is.", err=True)
        record, redact = await _ended(base, begun.run_id), base.redactor()
    click.echo(as_json(record.as_json(), redact, indent=2))
    return 0 if record.status is AgentRunStatus.COMPLETED else 1


def _unset(settings: Settings) -> str:
    """What this command does not know, although the bot may."""
    folders = {"AGENTS_DIR": settings.agents_dir, "POLICIES_DIR": settings.policies_dir}
    missing = [name for name, folder in folders.items() if folder is None]
    verb = "is" if len(missing) == 1 else "are"
    return f"{' and '.join(missing)} {verb} not set here: give this command what the bot has." if missing else ""


def _requests(base: Base) -> AgentRequests:
    settings = base.settings
    return AgentRequests(
        transactions=requester.transactions_of(base),
        catalog=catalog_of(library_of(settings), policy_of(settings)),
        limits=chat_limits(settings),
    )


def _inputs(catalog: AgentCatalog, name: str, given: Sequence[str], document: str | None) -> Mapping[str, object]:
    """Those of the document, and over them the ones that were given one by one."""
    definition = catalog.find(name)
    texts: dict[str, str] = {}
    for one in given:
        key, found, value = one.partition("=")
        if not found:
            raise BotError(f"“{on_one_line(one)}” is no input. Write --input name=value.")
        texts[key] = f"{texts[key]}\n{value}" if key in texts else value
    return {**_parsed(document), **typed(definition, texts)}


def _parsed(document: str | None) -> Mapping[str, object]:
    if document is None:
        return {}
    try:
        value: object = json.loads(document)
    except ValueError as error:
        raise BotError(f"The inputs are no JSON: {error}.") from None
    if not isinstance(value, dict):
        raise BotError("The inputs are no JSON object. Write {“name”: value, …}.")
    return cast("Mapping[str, object]", value)


async def _ended(base: Base, run_id: str) -> AgentRun:
    """Wait for its end; what it waits for is said once."""
    told = False
    while True:
        async with base.store.read() as work:
            record = agent_run(await work.runs.find(run_id))
        if record.is_over:
            return record
        if record.status is AgentRunStatus.AWAITING and not told:
            click.echo(_WAITS, err=True)
            told = True
        await asyncio.sleep(LOOK_SECONDS)
