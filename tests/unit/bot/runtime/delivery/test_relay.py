"""The relay: lanes in order and side by side, waits that are waited out, dead letters that are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

import pytest
from structlog.testing import capture_logs

from bot.domain.deliveries import Delivery, DeliveryKind
from bot.domain.states import LostRace
from bot.runtime.core.ports import DeliveryFailed
from bot.runtime.core.priority import Priorities, Priority
from bot.runtime.delivery.relay import Relay
from bot.store.errors import NotSaved
from bot.store.unit_of_work import UnitOfWork
from tests.builders import NOW, TEAM
from tests.stores import Opened
from tests.unit.bot.runtime.runtime_harness import until

REFUSE_UPDATES = "CREATE TRIGGER broken BEFORE UPDATE ON outbox BEGIN SELECT RAISE(ABORT, 'disk'); END"


@dataclass(slots=True)
class Wall:
    """A surface: what was tried, in doubt or not, and shown, in order; and what goes wrong for a subject."""

    tried: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    shown: list[str] = field(default_factory=list[str])
    trouble: dict[str, list[Exception]] = field(default_factory=dict[str, list[Exception]])
    gates: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])

    async def deliver(self, delivery: Delivery) -> None:
        self.tried.append((delivery.subject, delivery.in_doubt))
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

    async def send(self, *subjects: str, lane: str = "a", kind: DeliveryKind = DeliveryKind.CARD) -> None:
        async with self.base.store.write() as work:
            for subject in subjects:
                await work.outbox.add(lane, kind, subject, team=TEAM, at=NOW)

    def row(self, subject: str) -> dict[str, object]:
        (row,) = self.base.rows("SELECT * FROM outbox WHERE subject = ?", subject)
        return row

    def due(self, subject: str) -> datetime:
        """When it is to be tried again."""
        written = datetime.fromisoformat(str(self.row(subject)["not_before"] or NOW))
        return written.replace(tzinfo=NOW.tzinfo)

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
def post(base: Opened) -> Post:
    wall = Wall()
    relay = Relay(store=base.store, clock=base.clock, surface=wall)
    base.store.on_commit(relay.committed)
    return Post(base, wall, relay)


@pytest.fixture
def hurried(post: Post) -> None:
    """A store in trouble is asked again soon."""
    post.relay.first_pause_seconds = 0.01


async def test_a_lane_is_delivered_in_order(post: Post) -> None:
    """Rows of one lane are shown one after the other, also those written while it works."""
    await post.send("1", "2")
    async with post.working():
        await until(lambda: post.wall.shown == ["1", "2"])
        await post.send("3")
        await until(lambda: post.wall.shown == ["1", "2", "3"])
        await until(lambda: post.states() == ["delivered"] * 3)


async def test_who_relays_no_more_delivers_nothing(post: Post) -> None:
    """Another replica has the lease: not even the attempt is counted here, for the other makes it."""

    async def fence(work: UnitOfWork) -> None:
        raise LostRace("lease", "outbox", "nobody's", "held")

    relay = Relay(store=post.base.store, clock=post.base.clock, surface=post.wall, fence=fence)
    await post.send("1")
    with capture_logs() as logged:
        async with replace(post, relay=relay).working():
            await until(lambda: "outbox.fenced" in [entry["event"] for entry in logged])
    assert (post.wall.tried, post.row("1")["attempts"]) == ([], 0)


async def test_a_delivery_waits_for_what_people_wait_for(post: Post) -> None:
    """Not even the attempt is counted while an effect begins."""
    post.relay.priorities = Priorities(longest=30.0)
    async with post.working():
        with post.relay.priorities.work(Priority.EFFECT):
            await post.send("1")
            await asyncio.sleep(0.05)
            assert post.row("1")["attempts"] == 0
        await until(lambda: post.wall.shown == ["1"])


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
        await until(lambda: post.row("1")["error"] == "ratelimited")
        assert post.row("1")["attempts"] == 1
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
        for _ in range(8):
            await until(lambda: post.row("1")["not_before"] and post.due("1") > post.base.clock.now())
            pauses.append(round((post.due("1") - post.base.clock.now()).total_seconds()))
            post.base.clock.at = post.due("1")
            post.relay.nudge()
        await until(lambda: post.wall.shown == ["1"])
    assert pauses == [3, 3, 4, 8, 16, 32, 60, 60]


async def test_what_may_heal_is_never_given_up(post: Post) -> None:
    """However long Slack is away, what waits for it arrives in the end."""
    post.wall.trouble["1"] = [DeliveryFailed("it is not known", retry_after=3)]
    await post.send("1")
    await post.base.tamper("UPDATE outbox SET attempts = 100000")
    async with post.working():
        await until(lambda: post.row("1")["error"])
        assert post.row("1")["state"] == "pending"
        post.base.clock.advance(60)
        post.relay.nudge()
        await until(lambda: post.wall.shown == ["1"])


async def test_what_cannot_be_delivered_becomes_a_dead_letter(post: Post) -> None:
    """It is buried with its reason, the log has it, its owner is told, and its lane goes on."""
    post.wall.trouble["1"] = [DeliveryFailed("channel_not_found", retry_after=None)]
    await post.send("1", "2")
    async with post.working():
        await until(lambda: sorted(post.wall.shown) == ["2", "card:1"])
    assert (post.row("1")["state"], post.row("1")["error"]) == ("dead", "channel_not_found")
    assert post.row("card:1")["kind"] == "loss"
    (entry,) = post.base.rows("SELECT * FROM audit")
    assert entry["code"] == "delivery.dead"
    assert json.loads(entry["body"])["details"]["subject"] == "1"


async def test_a_loss_that_cannot_be_told_ends_there(post: Post) -> None:
    """When the word about a loss is refused too, it is buried and nothing more is sent about it."""
    post.wall.trouble["1"] = [DeliveryFailed("channel_not_found", retry_after=None)]
    post.wall.trouble["card:1"] = [DeliveryFailed("user_disabled", retry_after=None)]
    await post.send("1", "2")
    async with post.working():
        await until(lambda: sorted(map(str, post.states())) == ["dead", "dead", "delivered"])


async def test_nobody_is_told_of_a_checkpoint_that_is_lost(post: Post) -> None:
    """It is nobody's: the log has it, and the next one is tried."""
    post.wall.trouble["C1:T1:1"] = [DeliveryFailed("not_in_channel", retry_after=None)]
    await post.send("C1:T1:1", "C1:T1:2", kind=DeliveryKind.CHECKPOINT)
    async with post.working():
        await until(lambda: post.states() == ["dead", "delivered"])
    assert post.base.rows("SELECT code FROM audit") == [{"code": "delivery.dead"}]


async def test_a_row_that_cannot_be_rendered_does_not_block_its_lane_for_ever(post: Post) -> None:
    """A defect is tried again as an error that may heal; after five times the row is a dead letter."""
    post.wall.trouble["1"] = [KeyError("a defect") for _ in range(5)]
    await post.send("1", "2")
    async with post.working():
        for crash in range(1, 5):
            await until(lambda crash=crash: len(post.wall.trouble["1"]) == 5 - crash)
            await until(lambda: post.due("1") > post.base.clock.now())
            assert (post.row("1")["state"], post.row("1")["error"]) == ("pending", "KeyError")
            assert post.wall.shown == []
            post.base.clock.at = post.due("1")
            post.relay.nudge()
        await until(lambda: sorted(post.wall.shown) == ["2", "card:1"])
    assert post.row("1")["state"] == "dead"


async def test_what_is_not_ours_to_show_is_left_as_it_is(post: Post) -> None:
    """That is no failure of the delivery: nothing is marked, and the one who relays then looks for what was shown."""
    post.wall.trouble["1"] = [LostRace("call", "chat.postMessage", "our hands", "Slack")]
    await post.send("1")
    async with post.working():
        await until(lambda: post.states() == ["delivered"])
    assert post.wall.tried == [("1", False), ("1", True)]
    assert (post.row("1")["not_before"], post.row("1")["error"]) == (None, "")


@pytest.mark.parametrize("trouble", [DeliveryFailed("internal_error", retry_after=1), NotSaved("the post")], ids=repr)
async def test_what_heals_is_no_defect(post: Post, trouble: Exception) -> None:
    """What Slack refused for now, or the store could not keep, is tried again however often, and looked for."""
    post.wall.trouble["1"] = [trouble] * 6
    await post.send("1")
    async with post.working():
        for left in range(5, -1, -1):
            await until(lambda left=left: len(post.wall.trouble["1"]) == left)
            await until(lambda: post.due("1") > post.base.clock.now())
            post.base.clock.at = post.due("1")
            post.relay.nudge()
        await until(lambda: post.wall.shown == ["1"])
    assert [in_doubt for _, in_doubt in post.wall.tried] == [False, *[True] * 6]


async def test_a_store_that_cannot_be_written_posts_nothing(post: Post, hurried: None) -> None:
    """The attempt is committed before it is made, so a full disk keeps everything back and nothing is shown twice."""
    await post.send("1")
    await post.base.tamper(REFUSE_UPDATES)
    async with post.working():
        await asyncio.sleep(0.1)
        assert post.wall.tried == []
        await post.base.tamper("DROP TRIGGER broken")
        await until(lambda: post.states() == ["delivered"])
    assert post.wall.shown == ["1"]


async def test_a_delivery_that_could_not_be_marked_is_looked_for(post: Post, hurried: None) -> None:
    """When the store refuses the mark, the next attempt knows that an earlier one may have shown it."""
    await post.send("1")
    await post.base.tamper(REFUSE_UPDATES.replace("UPDATE", "UPDATE OF state", 1))
    async with post.working():
        await until(lambda: len(post.wall.tried) > 1)
        await post.base.tamper("DROP TRIGGER broken")
        await until(lambda: post.states() == ["delivered"])
    assert [in_doubt for _, in_doubt in post.wall.tried] == [False, *[True] * (len(post.wall.tried) - 1)]


async def test_late_rows_about_the_same_subject_are_one_delivery(post: Post) -> None:
    """What waits together is shown once, as it is now; what is written after the showing began is shown again."""
    gate = post.wall.gates["1"] = asyncio.Event()
    await post.send("1", "2", "1")
    await post.send("1", lane="b")
    async with post.working():
        await until(lambda: [row["attempts"] for row in post.base.rows("SELECT * FROM outbox")] == [1, 0, 0, 1])
        await post.send("1")
        gate.set()
        await until(lambda: post.states() == ["delivered"] * 5)
    assert sorted(post.wall.shown) == ["1", "1", "1", "2"]


async def test_only_so_many_lanes_at_once(post: Post) -> None:
    """However many lanes have something, no more than the limit are delivered at the same time, and all in the end."""
    post.relay.lanes_at_once = 3
    gate = asyncio.Event()
    post.wall.gates = dict.fromkeys("abcdefgh", gate)
    await post.send("a", lane="a")
    async with post.working():
        await until(lambda: len(post.wall.tried) == 1)
        for lane in "bcdefgh":
            await post.send(lane, lane=lane)
        await until(lambda: len(post.wall.tried) >= 3)
        for _ in range(5):
            post.relay.nudge()
            await asyncio.sleep(0.01)
        assert len(post.wall.tried) == 3
        gate.set()
        await until(lambda: sorted(post.wall.shown) == list("abcdefgh"))


async def test_a_store_that_cannot_be_read_is_waited_for(post: Post) -> None:
    """One failed look does not end the relay."""
    post.relay.tick_seconds = 0.01
    await post.base.tamper("ALTER TABLE outbox RENAME TO away")
    async with post.working():
        await asyncio.sleep(0.05)
        await post.base.tamper("ALTER TABLE away RENAME TO outbox")
        await post.send("1")
        await until(lambda: post.wall.shown == ["1"])
