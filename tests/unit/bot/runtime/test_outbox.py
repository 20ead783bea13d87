"""The relay: lanes in order and side by side, waits that are waited out, dead letters that are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.deliveries import Delivery, DeliveryKind
from bot.runtime.outbox import Relay
from bot.runtime.ports import DeliveryFailed
from tests.builders import NOW, TEAM
from tests.stores import Opened, opened


@dataclass(slots=True)
class Wall:
    """A surface: what was shown in order, and what goes wrong for a subject."""

    shown: list[str] = field(default_factory=list[str])
    trouble: dict[str, list[Exception]] = field(default_factory=dict[str, list[Exception]])
    gates: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])

    async def deliver(self, delivery: Delivery) -> None:
        if gate := self.gates.get(delivery.subject):
            await gate.wait()
        if errors := self.trouble.get(delivery.subject):
            raise errors.pop(0)
        self.shown.append(delivery.subject)


@dataclass(slots=True)
class Post:
    """A store with a relay that delivers to a wall."""

    base: Opened
    wall: Wall
    relay: Relay

    async def send(self, *subjects: str, lane: str = "a") -> None:
        async with self.base.store.write() as work:
            for subject in subjects:
                await work.outbox.add(lane, DeliveryKind.CARD, subject, team=TEAM, at=NOW)

    def row(self, subject: str) -> dict[str, object]:
        (row,) = self.base.rows("SELECT * FROM outbox WHERE subject = ?", subject)
        return row

    def states(self) -> list[object]:
        return [row["state"] for row in self.base.rows("SELECT state FROM outbox ORDER BY id")]

    @asynccontextmanager
    async def working(self) -> AsyncGenerator[None]:
        task = asyncio.create_task(self.relay.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def post(tmp_path: Path) -> AsyncGenerator[Post]:
    async with opened(tmp_path) as base:
        wall = Wall()
        relay = Relay(store=base.store, clock=base.clock, surface=wall)
        base.store.on_commit(relay.nudge)
        yield Post(base, wall, relay)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.005)


async def test_a_lane_is_delivered_in_order(post: Post) -> None:
    """Rows of one lane are shown one after the other, also those written while it works."""
    await post.send("1", "2")
    async with post.working():
        await until(lambda: post.wall.shown == ["1", "2"])
        await post.send("3")
        await until(lambda: post.wall.shown == ["1", "2", "3"])
        await until(lambda: post.states() == ["delivered"] * 3)


async def test_a_slow_lane_holds_nobody_up(post: Post) -> None:
    """While one lane's delivery takes its time, nothing overtakes it there and other lanes go on."""
    gate = post.wall.gates["1"] = asyncio.Event()
    await post.send("1", "2")
    async with post.working():
        await post.send("3", "4", lane="b")
        await until(lambda: post.wall.shown == ["3", "4"])
        gate.set()
        await until(lambda: post.wall.shown == ["3", "4", "1", "2"])


async def test_what_slack_postpones_is_tried_again_when_it_said(post: Post) -> None:
    """A 429 keeps the row's place until its Retry-After is over, and counts the attempt."""
    post.wall.trouble["1"] = [DeliveryFailed("ratelimited", retry_after=30)]
    await post.send("1", "2")
    async with post.working():
        await until(lambda: post.row("1")["attempts"] == 1)
        post.base.clock.advance(29)
        await asyncio.sleep(0.05)
        assert post.wall.shown == []
        post.base.clock.advance(2)
        post.relay.nudge()
        await until(lambda: post.wall.shown == ["1", "2"])


async def test_pauses_grow(post: Post) -> None:
    """A failure that may heal is tried again after longer and longer pauses, a minute at most."""
    post.wall.trouble["1"] = [DeliveryFailed("internal_error", retry_after=3) for _ in range(8)]
    await post.send("1")
    pauses: list[int] = []
    async with post.working():
        for attempt in range(1, 9):
            await until(lambda attempt=attempt: post.row("1")["attempts"] == attempt)
            (row,) = post.base.rows("SELECT not_before FROM outbox")
            due = NOW.fromisoformat(row["not_before"]).replace(tzinfo=NOW.tzinfo)
            pauses.append(round((due - post.base.clock.now()).total_seconds()))
            post.base.clock.at = due
            post.relay.nudge()
        await until(lambda: post.wall.shown == ["1"])
    assert pauses == [3, 3, 4, 8, 16, 32, 60, 60]


@pytest.mark.parametrize("attempts", [0, 19], ids=["an error that cannot heal", "one attempt too many"])
async def test_what_cannot_be_delivered_becomes_a_dead_letter(post: Post, attempts: int) -> None:
    """It is buried with its reason, the log has it, and its lane goes on."""
    post.wall.trouble["1"] = [DeliveryFailed("channel_not_found", retry_after=1 if attempts else None)]
    await post.send("1", "2")
    await post.base.tamper(f"UPDATE outbox SET attempts = {attempts} WHERE subject = '1'")
    async with post.working():
        await until(lambda: post.wall.shown == ["2"])
    assert (post.row("1")["state"], post.row("1")["error"]) == ("dead", "channel_not_found")
    (entry,) = post.base.rows("SELECT * FROM audit")
    assert entry["code"] == "delivery.dead"
    assert json.loads(entry["body"])["details"]["subject"] == "1"


async def test_a_row_that_cannot_be_rendered_does_not_block_its_lane_for_ever(post: Post) -> None:
    """A defect is tried again as an error that may heal."""
    post.wall.trouble["1"] = [KeyError("a defect")]
    await post.send("1")
    async with post.working():
        await until(lambda: post.row("1")["attempts"] == 1)
        assert post.row("1")["error"] == "KeyError"
        post.base.clock.at += timedelta(seconds=2)
        post.relay.nudge()
        await until(lambda: post.wall.shown == ["1"])


async def test_a_delivery_that_could_not_be_marked_is_made_again(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store refuses the mark, the row stays and is shown again: surfaces show a subject as it is."""
    monkeypatch.setattr("bot.runtime.outbox._FIRST_PAUSE_SECONDS", 0.01)
    await post.send("1")
    await post.base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON outbox BEGIN SELECT RAISE(ABORT, 'disk'); END")
    async with post.working():
        await until(lambda: len(post.wall.shown) > 1)
        await post.base.tamper("DROP TRIGGER broken")
        await until(lambda: post.states() == ["delivered"])
