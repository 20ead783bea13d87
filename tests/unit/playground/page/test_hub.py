from __future__ import annotations

from playground.page.hub import BACKLOG, Hub


async def test_a_window_gets_a_snapshot_and_then_changes() -> None:
    """Who opens the stream receives the whole state once, then only what differs."""
    hub = Hub()
    hub.publish("slack", {"a": 1})
    changes = hub.changes(beat=5)
    assert await anext(changes) == {"snapshot": {"slack": {"a": 1}}}
    hub.publish("slack", {"a": 1})
    hub.publish("slack", {"a": 2})
    assert await anext(changes) == {"set": [[["slack", "a"], 2]]}


async def test_an_idle_stream_beats() -> None:
    """Without changes there is a heartbeat, so that a dead window is noticed."""
    changes = Hub().changes(beat=0.01)
    await anext(changes)
    assert await anext(changes) is None


async def test_a_window_that_does_not_read_is_dropped() -> None:
    """A window too far behind loses its stream, and starts over from a snapshot when it reconnects."""
    hub = Hub()
    changes = hub.changes(beat=5)
    await anext(changes)
    for number in range(BACKLOG + 5):
        hub.publish("slack", {"a": number})
    received = [change async for change in changes]
    assert len(received) == BACKLOG
