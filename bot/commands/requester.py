"""The person for whom something is begun on the command line, beside the bot that works on it."""

from __future__ import annotations

import re

from bot.commands.sheet import on_one_line
from bot.dispatch.local import LocalDispatcher
from bot.errors import BotError
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.wiring.store import Base

_PERSON = re.compile(r"([TE][A-Z0-9]+)/([UW][A-Z0-9]+)")


def who(person: str) -> tuple[str, str]:
    """Their workspace and user. Raises `BotError` where it names nobody."""
    found = _PERSON.fullmatch(person)
    if found is None:
        raise BotError(f"“{on_one_line(person)}” names no person. Write the ids of workspace and user: T0123/U0456.")
    return found[1], found[2]


async def require_workspace(base: Base, team: str) -> None:
    """Raises `BotError` where no bot would take the request up."""
    async with base.store.read() as work:
        known = await work.users.workspace(team)
    if not known.bot_user:
        raise BotError(f"The bot does not work in the workspace {team}. `countersign doctor` shows in which it does.")


def transactions_of(base: Base) -> TransactionFactory:
    """Rows are written, and the bot's sweep takes them up."""
    return TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=LocalDispatcher(base.store))
