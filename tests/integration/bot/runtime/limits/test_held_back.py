"""What is offered again, where several processes hear the press."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.store.store import Store
from tests.dispatchers import Nobody
from tests.stores import Opened, opened
from tests.unit.bot.runtime.limits.test_held_back import Hasty


async def test_two_presses_at_once_take_each_once(tmp_path: Path, postgres_url: str) -> None:
    """On PostgreSQL the statement that takes the mark away has the message, whichever replica heard the press."""
    async with opened(tmp_path, postgresql=postgres_url) as base:
        first, second = (Hasty(base=base, transactions=_replica(base)) for _ in range(2))
        await first.fills()
        await first.is_refused(40, 41, 42)
        view = await first.offer()
        assert view is not None
        outcomes = await asyncio.gather(*(each.presses(view.value) for each in (first, second)))
        assert sorted(outcome.accepted for outcome in outcomes) == [False, True]
        assert first.begun()[40:] == ["ask 40", "ask 41", "ask 42"]


def _replica(base: Opened) -> TransactionFactory:
    store = Store(base.database, keyring=base.keyring, clock=base.clock)
    return TransactionFactory(store=store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
