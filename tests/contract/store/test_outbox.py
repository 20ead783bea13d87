"""What goes out: lanes in order, deliveries that end once, posts."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.domain.deliveries import Delivery, DeliveryKind, Post
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import NOW, TEAM
from tests.stores import Opened

LATER = NOW + timedelta(minutes=10)


async def _heads(work: UnitOfWork, now: datetime = NOW) -> list[Delivery]:
    return list(await work.outbox.heads(now=now, limit=10))


async def _claimed(work: UnitOfWork, row: Delivery) -> Delivery:
    claimed = await work.outbox.claim(row)
    assert claimed
    return claimed


async def test_lanes_are_delivered_in_order_side_by_side(work: UnitOfWork) -> None:
    """Only the first undelivered row of each lane is to be delivered; its end lets the next one come."""
    for lane, subject in (("a", "1"), ("a", "2"), ("b", "3")):
        await work.outbox.add(lane, DeliveryKind.CARD, subject, team=TEAM, at=NOW)
    assert [row.subject for row in await _heads(work)] == ["1", "3"]
    first, other = [await _claimed(work, row) for row in await _heads(work)]
    await work.outbox.delivered(first, at=NOW)
    await work.outbox.bury(other, at=NOW, error="channel_not_found")
    assert [row.subject for row in await _heads(work)] == ["2"]


async def test_what_waits_holds_up_its_lane_only(work: UnitOfWork) -> None:
    """A row that is to be tried later keeps its place: nothing of its lane overtakes it, other lanes go on."""
    for lane, subject in (("a", "1"), ("a", "2"), ("b", "3")):
        await work.outbox.add(lane, DeliveryKind.ANSWER, subject, team=TEAM, at=NOW)
    (head, _) = await _heads(work)
    first = await _claimed(work, head)
    await work.outbox.retry(first, not_before=LATER, error="ratelimited")
    assert [row.subject for row in await _heads(work)] == ["3"]
    due = await _heads(work, LATER)
    assert [(row.subject, row.attempts) for row in due] == [("1", 1), ("3", 0)]


async def test_a_delivery_ends_once(base: Opened) -> None:
    """What was delivered is not buried, and what was buried is not tried again."""
    async with base.store.write() as work:
        await work.outbox.add("a", DeliveryKind.CARD, "1", team=TEAM, at=NOW)
        (head,) = await _heads(work)
        row = await _claimed(work, head)
        await work.outbox.delivered(row, at=NOW)
        await work.outbox.bury(row, at=NOW, error="late")
        await work.outbox.retry(row, not_before=LATER, error="late")
    (stored,) = base.rows("SELECT state, error, attempts FROM outbox")
    assert stored == {"state": "delivered", "error": "", "attempts": 1}


async def test_a_delivery_is_claimed_by_one(work: UnitOfWork) -> None:
    """The attempt is counted once: who looked at the row before that, or after its end, gets nothing."""
    await work.outbox.add("a", DeliveryKind.CARD, "1", team=TEAM, at=NOW)
    (head,) = await _heads(work)
    first = await _claimed(work, head)
    assert (first.attempts, first.in_doubt) == (1, False)
    assert await work.outbox.claim(head) is None
    (again,) = await _heads(work)
    second = await _claimed(work, again)
    assert (second.attempts, second.in_doubt) == (2, True)
    await work.outbox.delivered(second, at=NOW)
    assert await work.outbox.claim(second) is None


async def test_a_claim_takes_what_waits_about_the_same_subject(base: Opened) -> None:
    """The end of a delivery ends the rows that were there when it was claimed, of its lane, kind and subject only."""
    async with base.store.write() as work:
        rows = [("a", DeliveryKind.CARD, "1"), ("a", DeliveryKind.ANSWER, "1"), ("a", DeliveryKind.CARD, "1")]
        rows += [("b", DeliveryKind.CARD, "1"), ("a", DeliveryKind.CARD, "2")]
        for lane, kind, subject in rows:
            await work.outbox.add(lane, kind, subject, team=TEAM, at=NOW)
        row = await _claimed(work, (await _heads(work))[0])
        await work.outbox.add("a", DeliveryKind.CARD, "1", team=TEAM, at=NOW)
        await work.outbox.delivered(row, at=NOW)
    states = [stored["state"] for stored in base.rows("SELECT state FROM outbox ORDER BY id")]
    assert states == ["delivered", "pending", "delivered", "pending", "pending", "pending"]


async def test_a_post_is_found_by_slot_and_by_place(work: UnitOfWork) -> None:
    """One message per slot of a run; a reply finds the run by the message's place, in its own workspace only."""
    await work.runs.add(make.run(id="run_1"))
    await work.posts.save(Post(run_id="run_1", slot="answer", channel="C1", ts="1", streaming=True))
    await work.posts.save(Post(run_id="run_1", slot="answer", channel="C1", ts="2"), instead_of="1")
    assert await work.posts.find("run_1", "answer") == Post(run_id="run_1", slot="answer", channel="C1", ts="2")
    assert await work.posts.find("run_1", "stub") is None
    assert [post.ts for post in await work.posts.of_run("run_1")] == ["2"]
    assert await work.posts.run_at(TEAM, "C1", "2") == "run_1"
    assert await work.posts.run_at(TEAM, "C1", "1") is None
    assert await work.posts.run_at("T2", "C1", "2") is None


async def test_a_post_that_comes_too_late_replaces_none(work: UnitOfWork) -> None:
    """What was posted by who did not know of the message that stands there is not written down; the same one is."""
    standing = Post(run_id="run_1", slot="card:q", channel="D1", ts="2")
    await work.runs.add(make.run(id="run_1"))
    assert await work.posts.save(standing) == standing
    for known in (None, "1"):
        late = Post(run_id="run_1", slot="card:q", channel="D1", ts="3")
        assert await work.posts.save(late, instead_of=known) == standing
    ended = Post(run_id="run_1", slot="card:q", channel="D1", ts="2", streaming=True)
    assert await work.posts.save(ended) == ended
