"""The bus: everybody hears everything, and nobody waits."""

from __future__ import annotations

from bot.domain.events import HomeChanged
from bot.runtime.core import event_bus
from bot.runtime.core.event_bus import Bus


async def test_everybody_hears_what_happens_while_he_listens() -> None:
    """Each subscriber has its own queue, from the beginning of its block to its end."""
    told = Bus()
    told.publish(HomeChanged("T1", "before"))
    async with told.subscribe() as one:
        async with told.subscribe() as two:
            told.publish(HomeChanged("T1", "both"))
        told.publish(HomeChanged("T1", "one"))
    told.publish(HomeChanged("T1", "after"))
    assert [one.get_nowait() for _ in range(one.qsize())] == [HomeChanged("T1", "both"), HomeChanged("T1", "one")]
    assert [two.get_nowait() for _ in range(two.qsize())] == [HomeChanged("T1", "both")]


async def test_who_falls_behind_loses_the_oldest() -> None:
    """Publishing never waits: a full queue drops its oldest event."""
    told = Bus()
    async with told.subscribe() as queue:
        for n in range(event_bus.QUEUE_LIMIT + 3):
            told.publish(HomeChanged("T1", str(n)))
        assert queue.qsize() == event_bus.QUEUE_LIMIT
        assert queue.get_nowait() == HomeChanged("T1", "3")
