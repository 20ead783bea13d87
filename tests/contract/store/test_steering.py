"""What is said to a run at work, and the runs of one request, on each database."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.runs import RunState
from bot.domain.threads import Speaker
from bot.store.store import Store
from tests import builders as make
from tests.builders import NOW


async def test_what_was_said_to_a_run(store: Store) -> None:
    """Untaken is what no model call took in, in Slack's order; said to another run, all of it is untaken again."""
    said = [make.message(ts=ts, steers="run_1") for ts in ("2.3", "2.1", "2.2")]
    async with store.write() as work:
        for message in [*said, make.message(ts="2.0"), make.message(ts="2.4", steers="run_2")]:
            await work.messages.add(message)
        await work.messages.change(said[2].id, taken_at=NOW)
    async with store.write() as work:
        assert [message.ts for message in await work.messages.untaken("run_1")] == ["2.1", "2.3"]
        await work.messages.steer_again("run_1", by="run_3")
    async with store.read() as work:
        assert not await work.messages.untaken("run_1")
        assert [message.ts for message in await work.messages.untaken("run_3")] == ["2.1", "2.2", "2.3"]


async def test_what_a_run_said_last(store: Store) -> None:
    """Of several ends and pauses of a run it is the newest, though the clock went back."""
    told = [
        make.message(f"{n}", speaker=Speaker.AGENT, run_id="run_1", created_at=NOW - timedelta(seconds=n))
        for n in range(3)
    ]
    async with store.write() as work:
        for message in told:
            await work.messages.add(message)
    async with store.read() as work:
        last = await work.messages.said_last("thr_1", "run_1")
        assert last is not None
        assert last.id == told[-1].id
        assert await work.messages.said_last("thr_1", "run_2") is None


async def test_the_runs_of_a_request(store: Store) -> None:
    """A request that was tried again has several runs; the newest is the one that it is known by."""
    first = make.run(message_id="msg_9", state=RunState.FAILED)
    second = make.run(message_id="msg_9", retry_of=first.id, created_at=first.created_at - timedelta(hours=1))
    async with store.write() as work:
        for run in (second, first, make.run()):
            assert await work.runs.add(run)
    async with store.read() as work:
        assert {run.id for run in await work.runs.of_request("msg_9")} == {first.id, second.id}
        assert await work.runs.by_requests(["msg_9", "msg_none"]) == {"msg_9": second.id}


async def test_what_began_later(store: Store) -> None:
    """Late is what was said before a request of its thread that has begun, not one that still waits."""
    begun = make.run(order_key="1795287237.000200", started_at=NOW, state=RunState.COMPLETED)
    waits = make.run(order_key="1795287237.000400")
    async with store.write() as work:
        assert await work.runs.add(begun)
        assert await work.runs.add(waits)
    async with store.read() as work:
        assert await work.runs.has_begun_later("thr_1", "1795287237.000100")
        assert not await work.runs.has_begun_later("thr_1", "1795287237.000300")
        assert not await work.runs.has_begun_later("thr_2", "1795287237.000100")
