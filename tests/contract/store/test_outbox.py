"""What goes out: lanes in order, deliveries that end once, posts."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.domain.deliveries import Delivery, DeliveryKind, Post
from bot.runtime.ports import UnitOfWork
from bot.store.unit_of_work import SqlStore
from tests import builders as make
from tests.builders import NOW, TEAM
from tests.stores import Opened

LATER = NOW + timedelta(hours=1)


async def _heads(work: UnitOfWork, now: datetime = NOW) -> list[Delivery]:
    return list(await work.outbox.heads(now=now, limit=10))


async def test_lanes_are_delivered_in_order_side_by_side(store: SqlStore) -> None:
    """Only the first undelivered row of each lane is to be delivered; its end lets the next one come."""
    async with store.write() as work:
        for lane, subject in (("a", "1"), ("a", "2"), ("b", "3")):
            await work.outbox.add(lane, DeliveryKind.CARD, subject, team=TEAM, at=NOW)
        assert [row.subject for row in await _heads(work)] == ["1", "3"]
        first, other = await _heads(work)
        await work.outbox.delivered(first, at=NOW)
        await work.outbox.bury(other, at=NOW, error="channel_not_found")
        assert [row.subject for row in await _heads(work)] == ["2"]


async def test_what_waits_holds_up_its_lane_only(store: SqlStore) -> None:
    """A row that is to be tried later keeps its place: nothing of its lane overtakes it, other lanes go on."""
    async with store.write() as work:
        for lane, subject in (("a", "1"), ("a", "2"), ("b", "3")):
            await work.outbox.add(lane, DeliveryKind.ANSWER, subject, team=TEAM, at=NOW)
        (first, _) = await _heads(work)
        await work.outbox.retry(first, not_before=LATER, error="ratelimited")
        assert [row.subject for row in await _heads(work)] == ["3"]
        due = await _heads(work, LATER)
        assert [(row.subject, row.attempts) for row in due] == [("1", 1), ("3", 0)]


async def test_a_delivery_ends_once(base: Opened) -> None:
    """What was delivered is not buried, and what was buried is not tried again."""
    async with base.store.write() as work:
        await work.outbox.add("a", DeliveryKind.CARD, "1", team=TEAM, at=NOW)
        (row,) = await _heads(work)
        await work.outbox.delivered(row, at=NOW)
        await work.outbox.bury(row, at=NOW, error="late")
        await work.outbox.retry(row, not_before=LATER, error="late")
    (stored,) = base.rows("SELECT state, error, attempts FROM outbox")
    assert stored == {"state": "delivered", "error": "", "attempts": 0}


async def test_a_post_is_found_by_slot_and_by_place(store: SqlStore) -> None:
    """One message per slot of a run; a reply finds the run by the message's place, in its own workspace only."""
    async with store.write() as work:
        await work.runs.add(make.run(id="run_1"))
        await work.posts.save(Post(run_id="run_1", slot="answer", channel="C1", ts="1", streaming=True))
        await work.posts.save(Post(run_id="run_1", slot="answer", channel="C1", ts="2"))
        assert await work.posts.find("run_1", "answer") == Post(run_id="run_1", slot="answer", channel="C1", ts="2")
        assert await work.posts.find("run_1", "stub") is None
        assert [post.ts for post in await work.posts.of_run("run_1")] == ["2"]
        assert await work.posts.run_at(TEAM, "C1", "2") == "run_1"
        assert await work.posts.run_at(TEAM, "C1", "1") is None
        assert await work.posts.run_at("T2", "C1", "2") is None
