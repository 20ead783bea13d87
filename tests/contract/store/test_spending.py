"""What is counted of days and rates, on every database."""

from __future__ import annotations

import asyncio

from bot.domain.limits import Rate, Spent, Today
from bot.domain.questions import QuestionKind
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM

DAY = "2026-11-21"


async def spend(store: Store, user: str, *, day: str = DAY, tokens: int = 1) -> None:
    async with store.write() as work:
        await work.spending.add(TEAM, user, day, Spent(tokens=tokens, cost_micros=10 * tokens))


async def today(store: Store, user: str) -> Today:
    async with store.read() as work:
        return await work.spending.of_day(TEAM, user, DAY)


async def test_side_by_side_nothing_is_lost(store: Store) -> None:
    """Turns that are counted at the same moment all count, for their person and for the workspace, and their day."""
    assert await today(store, DANA) == Today(user=Spent(), workspace=Spent())
    calls = [spend(store, user) for user in (DANA, MARA) for _ in range(10)]
    await asyncio.gather(*calls, spend(store, DANA, day="2026-11-20", tokens=500))
    assert await today(store, DANA) == Today(
        user=Spent(tokens=10, cost_micros=100), workspace=Spent(tokens=20, cost_micros=200)
    )


async def test_sums_may_be_large(store: Store) -> None:
    """A busy workspace passes what fits into 32 bits."""
    for _ in range(3):
        await spend(store, DANA, tokens=1_000_000_000)
    assert (await today(store, DANA)).workspace == Spent(tokens=3_000_000_000, cost_micros=30_000_000_000)


async def test_whom_a_day_reached_is_one_row_for_each_person(store: Store) -> None:
    """What is done outside stands beside what the model used: numbers add up, and of whom everybody reached each counts
    once for the workspace.
    """
    await spend(store, DANA)
    for user, reached in ((DANA, "a"), (DANA, "ab"), (MARA, "bc")):
        async with store.write() as work:
            await work.spending.hold(TEAM, DAY)
            await work.spending.take(TEAM, user, DAY, Spent(effects=1, recipients=frozenset(reached)))
    await spend(store, MARA)
    async with store.read() as work:
        found = await work.spending.of_day(TEAM, DANA, DAY, recipients=True)
    assert found == Today(
        user=Spent(tokens=1, cost_micros=10, effects=2, recipients=frozenset("ab")),
        workspace=Spent(tokens=2, cost_micros=20, effects=3, recipients=frozenset("abc")),
    )
    assert (await today(store, MARA)).user == Spent(tokens=1, cost_micros=10, effects=1)


async def test_one_place_of_a_day_is_taken_by_one(store: Store) -> None:
    """Who holds the day sees what everybody took before: side by side no place is given twice."""

    async def take(user: str) -> bool:
        async with store.write() as work:
            await work.spending.hold(TEAM, DAY)
            used = await work.spending.of_day(TEAM, user, DAY)
            await asyncio.sleep(0.001)
            if used.workspace.effects < 3:
                await work.spending.take(TEAM, user, DAY, Spent(effects=1))
            return used.workspace.effects < 3

    assert sum(await asyncio.gather(*(take(user) for user in (DANA, MARA) for _ in range(4)))) == 3


async def test_one_place_is_given_to_one(store: Store) -> None:
    """Of requests at the same moment as many are granted as the rate has places, on whichever replica they arrive."""
    rate = Rate(per_minute=5, burst=5)

    async def ask() -> bool:
        async with store.write() as work:
            answer = rate.ask(await work.rates.held("requests:T1:U1DANA"), NOW)
            await asyncio.sleep(0.001)
            if answer.granted:
                await work.rates.set("requests:T1:U1DANA", answer.next_at)
            return answer.granted

    assert sum(await asyncio.gather(*(ask() for _ in range(12)))) == 5


async def test_calls_with_what_came_of_them(store: Store) -> None:
    """The newest calls are equal where tool, arguments and response are, whatever the order of the response's keys."""
    responses = [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2}, None]
    async with store.write() as work:
        await work.steps.add(make.step(id="step_1"))
        await work.actions.add([make.action(run_id="run_1", response=response) for response in responses])
        found = await work.actions.answered("run_1", limit=4)
        assert len(await work.actions.answered("run_1", limit=2)) == 2
    assert [found[0] == other for other in found] == [True, True, False, False]


async def test_who_was_asked_about_counts_once(work: UnitOfWork) -> None:
    """An action that was asked about twice is one; a doubtful one that is settled is none."""
    asked = [("act_1", "approve"), ("act_1", "approve"), ("act_2", "approve"), ("act_3", "settle")]
    for action, kind in asked:
        await work.questions.add(make.question(run_id="run_9", action_id=action, kind=QuestionKind(kind)))
    assert sorted(await work.questions.approvals_of_run("run_9")) == ["act_1", "act_2"]
