"""`countersign adopt` (hidden): copies the playground's accounts and memories into the database."""

from __future__ import annotations

import json
from typing import Any, TextIO

import click

from bot.commands.terminal import settled, to_its_end
from bot.runtime.people.memories import MemoryService
from bot.wiring.store import Base, connections, opened
from integrations.base import Requester
from integrations.grants import Tokens
from policies.types import Label


@click.command(hidden=True)
@click.option("--from", "source", type=click.File("r"), default="-")
def adopt(source: TextIO) -> None:
    """Copy the playground's accounts and memories, one JSON object a line. Refused unless Google is an emulator."""
    lines = [json.loads(line) for line in source if line.strip()]

    async def work() -> None:
        async with opened(settled(), owner=True) as base:
            for line in lines:
                await _adopt(base, line)

    to_its_end(work())


async def _adopt(base: Base, line: dict[str, Any]) -> None:
    accounts = connections(base)
    accounts.only_for_an_emulator()
    if "memory" in line:
        who = Requester(team=line["team"], user=line["user"])
        memories = MemoryService(store=base.store, clock=base.clock)
        await memories.save(who, line["memory"], key=line["key"], label=Label.OWNER)
        return
    tokens = Tokens(access_token=line["access_token"], refresh_token=line["refresh_token"])
    named = {name: line[name] for name in ("account", "email", "scopes")}
    await accounts.adopt(line["team"], line["user"], **named, tokens=tokens)
