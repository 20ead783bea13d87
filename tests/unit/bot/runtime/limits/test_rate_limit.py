"""How fast one person may ask, and how fast the model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.limits import Limits, Rate
from bot.domain.runs import RunState
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.queries import Queries
from bot.runtime.limits import rate_limit
from bot.runtime.runs.incoming import Admission, Incoming, SharedMessage
from bot.runtime.runs.intake import Intake
from bot.runtime.runs.stop import cancel
from bot.store.errors import NotSaved
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.stores import Opened, opened
from tests.unit.bot.runtime.runtime_harness import harness


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    async with opened(tmp_path) as made:
        async with made.store.write() as work:
            await work.users.seen(make.person(zone="Europe/Berlin"))
        yield made


@pytest.fixture
def intake(transactions: TransactionFactory) -> Intake:
    return Intake(
        transactions=transactions,
        limits=Limits(steps=8),
        rate=Rate(per_minute=20, burst=20, ahead=timedelta(minutes=1)),
    )


def asked(n: int, *, user: str = DANA, text: str = "please") -> Incoming:
    """A request at the top of somebody's DM."""
    return Incoming(
        event_id=f"Ev{user}{n}",
        team=TEAM,
        channel=f"D{user}",
        ts=f"1700000000.{n:06}",
        thread_ts=None,
        user=user,
        text=text,
        typed=text,
        is_dm=True,
        mentions_agent=False,
    )


async def test_twenty_a_minute_begin_at_once(base: Opened, intake: Intake) -> None:
    """The twenty-first request of a moment waits for its turn, and says when that is; another person's waits for
    nothing. Beyond a minute's worth of waiting ones nothing is taken.
    """
    admitted = [(await intake.message(asked(n))).admission for n in range(42)]
    assert admitted == [Admission.STARTED] * 40 + [Admission.REFUSED] * 2
    moments = [row["not_before"] for row in base.rows("SELECT not_before FROM runs ORDER BY order_key")]
    assert moments[:20] == [None] * 20
    assert moments[20].endswith("09:30:03.000000")
    assert moments[39].endswith("09:31:00.000000")
    waits, *_ = subjects(base)
    view = await Queries(store=base.store, clock=base.clock, side_effects_enabled=True).refusal(waits)
    assert view.text == (
        "I take at most 20 requests a minute from one person. This one begins at 10:30:04 (Europe/Berlin); "
        "“stop” takes it back."
    )
    assert (await intake.message(asked(0, user=MARA))).admission is Admission.STARTED
    assert base.rows("SELECT not_before FROM runs WHERE user = ?", MARA) == [{"not_before": None}]
    base.clock.advance(3)
    assert (await intake.message(asked(50))).admission is Admission.STARTED
    assert (await intake.message(asked(51))).admission is Admission.REFUSED


async def test_what_is_refused_is_told_each_time(base: Opened, intake: Intake) -> None:
    """The first one where it was said, for good; of the others their author alone is told."""
    for n in range(40):
        await intake.message(asked(n))
    asides = [(await intake.message(asked(n))).aside for n in range(40, 43)]
    assert asides[0] == ""
    assert [aside.startswith("I take at most 20 requests a minute") for aside in asides[1:]] == [True, True]


def subjects(base: Opened) -> list[str]:
    """What is said of requests that wait or were refused."""
    return [row["subject"] for row in base.rows("SELECT subject FROM outbox WHERE kind = 'refusal' ORDER BY id")]


def told(base: Opened) -> list[str]:
    """What is said of those that were refused."""
    return [subject for subject in subjects(base) if subject.startswith("too_fast")]


def audited(base: Opened) -> int:
    return len(base.rows("SELECT code FROM audit WHERE code = 'message.refused'"))


async def test_a_burst_is_refused_once_with_the_time(base: Opened, intake: Intake) -> None:
    """Of forty too many each is audited and one is answered: in words, with the moment in the person's own zone."""
    for n in range(80):
        await intake.message(asked(n))
    (subject,) = told(base)
    view = await Queries(store=base.store, clock=base.clock, side_effects_enabled=True).refusal(subject)
    assert view.text == (
        "I take at most 20 requests a minute from one person, so I did not take this one. I do not take "
        "anything new before 10:30:04. At 10:31:04 (Europe/Berlin) I offer it to you again in our direct messages."
    )
    assert audited(base) == 40
    base.clock.advance(121)
    for n in range(100, 150):
        await intake.message(asked(n))
    assert (len(told(base)), audited(base)) == (2, 50)


async def test_after_the_told_moment_a_refusal_is_told_again(base: Opened, intake: Intake) -> None:
    """A person who waited as told and is too fast again hears of the next moment, since it is another one."""
    for n in range(42):
        await intake.message(asked(n))
    assert len(told(base)) == 1
    base.clock.advance(5)
    assert (await intake.message(asked(50))).admission is Admission.STARTED
    assert (await intake.message(asked(51))).admission is Admission.REFUSED
    assert (await intake.message(asked(52))).admission is Admission.REFUSED
    assert (len(told(base)), audited(base)) == (2, 4)


async def test_a_correction_is_not_lost_in_silence(base: Opened, intake: Intake) -> None:
    """A person who knows that they are too fast is told once in the thread of each of their requests under way. While
    there are places a correction is taken at once: it does not wait for its turn.
    """
    for n in range(30):
        await intake.message(asked(n))
    at_once = replace(asked(31, text="no wait: to Mara"), thread_ts=asked(1).ts)
    assert (await intake.message(at_once)).admission is Admission.STEERS
    for n in range(40, 51):
        await intake.message(asked(n))
    for n, root in ((60, 1), (61, 1), (62, 2)):
        correction = replace(asked(n, text="no wait: to Mara"), thread_ts=asked(root).ts)
        assert (await intake.message(correction)).admission is Admission.REFUSED
    views = [
        await Queries(store=base.store, clock=base.clock, side_effects_enabled=True).refusal(subject)
        for subject in told(base)
    ]
    assert [view.root_ts for view in views] == [asked(root).ts for root in (49, 1, 2)]
    assert audited(base) == 5


async def test_a_button_does_not_wait_and_takes_no_place_of_those_that_do(
    base: Opened, intake: Intake, transactions: TransactionFactory
) -> None:
    """It is refused with the moment after the last one that waits; what waits keeps its turn."""
    for n in range(30):
        await intake.message(asked(n))
    assert intake.rate is not None
    async with transactions.write() as tx:
        refused = await rate_limit.exceeded(tx, TEAM, DANA, intake.rate)
    assert refused is not None
    assert (refused.again_at - base.clock.now()).total_seconds() == 33
    await intake.message(asked(30))
    (last,) = base.rows("SELECT not_before FROM runs ORDER BY order_key DESC LIMIT 1")
    assert last["not_before"].endswith("09:30:33.000000")


async def test_a_forwarded_message_counts_whatever_is_said_with_it(intake: Intake) -> None:
    """With a “yes” it begins a run like any other request, so it is held back like any other."""
    for n in range(40):
        await intake.message(asked(n))
    forwarded = SharedMessage(channel="C0SALES", ts="1.1", author="Mara", text="Lunch?")
    refused = await intake.message(replace(asked(40, text="yes"), messages=[forwarded]))
    assert refused.admission is Admission.REFUSED


async def test_stop_is_heard_however_fast_it_comes(intake: Intake) -> None:
    """A rate holds requests back, never the word that ends one."""
    for n in range(45):
        await intake.message(asked(n))
    assert (await intake.message(asked(99, text="stop"))).admission is Admission.STOPPED


async def test_what_comes_twice_counts_once(base: Opened, intake: Intake) -> None:
    """A redelivered event takes no place."""
    for _ in range(30):
        await intake.message(asked(1))
    assert (await intake.message(replace(asked(2), event_id="Ev2"))).admission is Admission.STARTED
    assert base.rows("SELECT count(*) AS runs FROM runs") == [{"runs": 2}]


async def test_the_model_is_asked_in_turn(tmp_path: Path) -> None:
    """Calls beyond the pace wait, outside of any transaction, and that wait is no time of the run's own."""
    async with harness(tmp_path, rate=Rate(per_minute=2, ahead=timedelta(minutes=1))) as here:
        here.model.says = [[("gmail_search", {"text": "it"})], "Done."]
        run = await here.request()
        await here.serve()
        after = await here.run(run.id)
        assert after.state is RunState.COMPLETED
        assert here.waited == [29.0]
        assert after.active_ms <= 3_000


async def test_who_finds_no_place_asks_again(tmp_path: Path) -> None:
    """When the places of the next minute are given away a call waits for them to go by, and takes one of its own."""
    async with harness(tmp_path, rate=Rate(per_minute=20, ahead=timedelta(minutes=1))) as here:
        taken = here.base.clock.now() + timedelta(seconds=63.9)  # a request takes a second
        async with here.base.store.write() as work:
            await work.rates.set("model:scripted", taken)
        waits = list[float]()

        async def sleep(seconds: float) -> None:
            waits.append(seconds)
            here.base.clock.advance(seconds)

        throttle = replace(here.runner.loop.throttle, sleep=sleep)
        here.runner = replace(here.runner, loop=replace(here.runner.loop, throttle=throttle))
        run = await here.request()
        await here.serve()
        assert (await here.run(run.id)).state is RunState.COMPLETED
        assert (waits[0], sum(waits)) == (30.0, pytest.approx(62.9))


async def test_a_call_whose_wait_broke_off_is_time_of_the_runs_own(tmp_path: Path) -> None:
    """The store was away while it waited; when its place comes without another wait, its time counts again."""
    async with harness(tmp_path, rate=Rate(per_minute=1, ahead=timedelta(minutes=1))) as here:
        async with here.base.store.write() as work:
            await work.rates.set("model:scripted", here.base.clock.now() + timedelta(seconds=61))

        async def sleep(seconds: float) -> None:
            here.base.clock.advance(3 * seconds)
            raise NotSaved("away")

        here.runner = replace(
            here.runner, loop=replace(here.runner.loop, throttle=replace(here.runner.loop.throttle, sleep=sleep))
        )
        run = await here.request()
        async with here.asking_the_model():
            here.base.clock.advance(20)
        assert (await here.run(run.id)).active_ms >= 20_000


async def test_a_wait_for_the_model_can_be_stopped(tmp_path: Path) -> None:
    """A run that waits for its turn ends at a stop like any other."""
    async with harness(tmp_path) as here:
        never = asyncio.Event()

        async def sleep(seconds: float) -> None:
            del seconds
            never.set()
            await asyncio.Event().wait()

        throttle = replace(here.runner.loop.throttle, rate=Rate(per_minute=1, ahead=timedelta(minutes=1)), sleep=sleep)
        here.runner = replace(here.runner, loop=replace(here.runner.loop, throttle=throttle))
        async with here.base.store.write() as work:
            await work.rates.set("model:scripted", here.base.clock.now() + timedelta(minutes=1))
        run = await here.request()
        serving = asyncio.create_task(here.serve())
        await never.wait()
        async with here.transactions.write() as tx:
            await cancel(tx, await tx.work.runs.find(run.id), by=DANA)
        await serving
        assert ((await here.run(run.id)).state, here.model.requests) == (RunState.CANCELLED, [])
