"""Keys of requests: asking again under the same key is asking once."""

from __future__ import annotations

from bot.domain.limits import Rate
from bot.domain.retention import Outdated
from bot.domain.runs import RunState
from bot.runtime.operations.retention import Keep, RetentionService
from bot.runtime.over_http.admission import Turned
from bot.runtime.over_http.keys import KEPT, Key
from tests.builders import DANA, MARA
from tests.unit.bot.runtime.over_http.desk import Desk, key

DAY = KEPT.total_seconds()


async def test_the_same_is_asked_once(at: Desk) -> None:
    """While its run waits to begin, while it works and when it is over: the same run each time, and one message."""
    taken = await at.says(key=key())
    assert await at.says(key=key()) == taken
    async with at.serving(taken):
        assert await at.says(key=key()) == taken
    assert await at.state(taken) is RunState.COMPLETED
    at.here.base.clock.advance(DAY - 10)
    assert await at.says(key=key()) == taken
    assert (at.count("runs"), at.count("threads")) == (1, 1)
    assert len(await at.messages(taken.thread_id)) == 2


async def test_it_does_not_count_again(at: Desk) -> None:
    """Who asks again because no answer came is not held back by the rate."""
    at.rate = Rate(per_minute=1)
    taken = await at.says(key=key())
    assert await at.says(key=key()) == taken


async def test_another_body_under_the_same_key(at: Desk) -> None:
    """It is refused, and the key goes on meaning what it meant."""
    taken = await at.says(key=key())
    refused = await at.refused("something else", key=key(body=b"[]"))
    assert refused.why is Turned.KEY_USED
    assert await at.says(key=key()) == taken
    assert at.count("runs") == 1
    assert "message.refused" in at.here.codes()


async def test_other_keys_and_other_people(at: Desk) -> None:
    """Each key is one person's, in one workspace."""
    taken = [
        await at.says(key=key()),
        await at.says(key=key("k2")),
        await at.says(key=key(user=MARA), user=MARA),
        await at.says(key=Key(team="T2", user=DANA, name="k1", body=b"{}")),
    ]
    assert len({one.run_id for one in taken}) == 4


async def test_a_key_is_free_again_after_a_day(at: Desk) -> None:
    """It begins a run of its own then, also for the same body; and is kept for a day again."""
    taken = await at.says(key=key())
    at.here.base.clock.advance(DAY)
    again = await at.says(key=key())
    assert again.run_id != taken.run_id
    assert await at.says(key=key()) == again
    at.here.base.clock.advance(DAY)
    assert (await at.says("something else", key=key(body=b"[]"))).run_id not in {taken.run_id, again.run_id}


async def test_a_refusal_leaves_the_key_free(at: Desk) -> None:
    """What was not taken may be sent again under its key, or something else."""
    at.rate = Rate(per_minute=1)
    await at.says()
    refused = await at.refused(key=key())
    assert refused.why is Turned.TOO_FAST
    assert at.count("http_requests") == 0
    at.here.base.clock.advance(60)
    await at.says("something else", key=key(body=b"[]"))
    assert (await at.refused("stop", key=key("k2"))).why is Turned.NOTHING_TO_STOP
    assert (await at.refused(thread="thr_none", key=key("k2"))).why is Turned.NOT_FOUND
    assert at.count("http_requests") == 1


async def test_a_key_of_what_came_too_late(at: Desk) -> None:
    """Asked again, it is the run that the prompt became, not the one that it was said to."""
    begun = await at.says(key=key())
    said = await at.says("On Friday.", thread=begun.thread_id, key=key("k2"))
    assert said.run_id == begun.run_id
    await at.fails(begun)
    again = await at.says("On Friday.", thread=begun.thread_id, key=key("k2"))
    assert again == said
    following = await at.goes_on_as(again)
    assert following is not None
    assert following.run_id != begun.run_id


async def test_retention_forgets_keys(at: Desk) -> None:
    """After the day for which they mean anything."""
    await at.says(key=key())
    at.here.base.clock.advance(DAY / 2)
    await at.says(key=key("k2"))
    retention = RetentionService(transactions=at.here.transactions, keep=Keep())
    at.here.base.clock.advance(DAY / 2 + 1)
    forgotten = await retention.prune(at.now)
    assert forgotten[Outdated.HTTP_REQUESTS] == 1
    assert at.count("http_requests") == 1
