"""What can wait lets what Slack and people wait for go first, for a moment."""

from __future__ import annotations

import asyncio
from unittest.mock import Mock

import pytest

from bot.runtime.core.priority import MOST_SPEAKING, Priorities, Priority
from tests.patience import PATIENCE_SECONDS

LONG = 30.0


async def turn(priorities: Priorities, priority: Priority, told: list[str], name: str) -> None:
    await priorities.turn(priority)
    told.append(name)


async def rounds(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_nothing_waits_while_nothing_else_is_done() -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await Priorities(longest=LONG).turn(Priority.REST)


@pytest.mark.parametrize("urgent", [Priority.REQUEST, Priority.EFFECT])
async def test_what_can_wait_begins_when_what_is_urgent_is_done(urgent: Priority) -> None:
    priorities, told = Priorities(longest=LONG, linger=0), list[str]()
    with priorities.work(urgent):
        waiting = asyncio.create_task(turn(priorities, Priority.REST, told, "rest"))
        await rounds()
        assert told == []
    async with asyncio.timeout(PATIENCE_SECONDS):
        await waiting


async def test_an_effect_waits_for_requests_and_not_for_what_can_wait() -> None:
    priorities, told = Priorities(longest=LONG, linger=0), list[str]()
    with priorities.work(Priority.REST):
        await turn(priorities, Priority.EFFECT, told, "beside the rest")
        with priorities.work(Priority.REQUEST):
            waiting = asyncio.create_task(turn(priorities, Priority.EFFECT, told, "after the request"))
            await rounds()
            assert told == ["beside the rest"]
        async with asyncio.timeout(PATIENCE_SECONDS):
            await waiting


async def test_effects_begin_before_what_waited_longer_and_can_wait() -> None:
    priorities, told = Priorities(longest=LONG, linger=0), list[str]()
    with priorities.work(Priority.REQUEST):
        tasks = [asyncio.create_task(turn(priorities, each, told, each.name)) for each in reversed(Priority)]
        await rounds()
        assert told == ["REQUEST"]
    await asyncio.gather(*tasks)
    assert told == ["REQUEST", "EFFECT", "REST", "WORDS"]


async def test_one_begins_in_each_round_of_the_loop() -> None:
    priorities, told = Priorities(longest=LONG, linger=0), list[str]()
    with priorities.work(Priority.REQUEST):
        tasks = [asyncio.create_task(turn(priorities, Priority.REST, told, str(number))) for number in range(5)]
        await rounds()
    seen: list[int] = []
    while not all(task.done() for task in tasks):
        seen.append(len(told))
        await asyncio.sleep(0)
    assert told == ["0", "1", "2", "3", "4"]
    assert {0, 1, 2, 3, 4} <= set(seen)


async def test_nobody_waits_for_longer_than_a_moment() -> None:
    priorities = Priorities(longest=0.01)
    with priorities.work(Priority.REQUEST):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await priorities.turn(Priority.REST)


async def test_work_that_takes_long_holds_up_nobody_who_comes_later() -> None:
    priorities = Priorities(longest=0.01)
    with priorities.work(Priority.EFFECT):
        await asyncio.sleep(0.02)
        with pytest.raises(StopIteration):  # it does not wait at all
            priorities.turn(Priority.REST).send(None)


async def test_a_next_piece_of_the_same_work_may_follow_before_what_can_wait() -> None:
    priorities, told = Priorities(longest=LONG, linger=5), list[str]()
    with priorities.work(Priority.EFFECT):
        waiting = asyncio.create_task(turn(priorities, Priority.REST, told, "rest"))
        await rounds()
    await rounds()
    with priorities.work(Priority.EFFECT):
        await rounds(20)
        assert told == []
    async with asyncio.timeout(PATIENCE_SECONDS):
        await waiting


async def test_who_comes_at_once_after_a_piece_of_work_waits_for_its_next_one() -> None:
    priorities, told = Priorities(longest=LONG, linger=5, lingers=LONG), list[str]()
    with priorities.work(Priority.EFFECT):
        pass
    waiting = asyncio.create_task(turn(priorities, Priority.REST, told, "rest"))
    await rounds()
    with priorities.work(Priority.EFFECT):
        await rounds(20)
        assert told == []
    async with asyncio.timeout(PATIENCE_SECONDS):
        await waiting


async def test_who_comes_later_does_not_wait() -> None:
    priorities = Priorities(longest=LONG, linger=1_000_000, lingers=0.001)
    with priorities.work(Priority.EFFECT):
        pass
    await asyncio.sleep(0.002)
    with pytest.raises(StopIteration):  # it does not wait at all
        priorities.turn(Priority.REST).send(None)


async def test_where_nobody_waits_the_loop_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_soon", call_soon := Mock(wraps=loop.call_soon))
        with Priorities(longest=LONG).work(Priority.EFFECT):
            pass
    call_soon.assert_not_called()


async def test_one_that_is_cancelled_holds_up_nobody() -> None:
    priorities, told = Priorities(longest=LONG, linger=0), list[str]()
    with priorities.work(Priority.REQUEST):
        gone, stays = (asyncio.create_task(turn(priorities, Priority.REST, told, each)) for each in ("gone", "stays"))
        await rounds()
        gone.cancel()
        await rounds()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await stays
    assert told == ["stays"]


async def test_few_models_speak_in_one_round_of_the_loop() -> None:
    """So a round stays short, and what a request does in several of them comes between."""
    priorities, told = Priorities(longest=LONG), list[int]()

    async def speak(number: int) -> None:
        await priorities.speaking().turn()
        told.append(number)

    tasks = [asyncio.create_task(speak(number)) for number in range(MOST_SPEAKING + 3)]
    await asyncio.sleep(0)
    assert told == list(range(MOST_SPEAKING))
    seen: list[int] = []
    while not all(task.done() for task in tasks):
        seen.append(len(told))
        await asyncio.sleep(0)
    assert told == list(range(MOST_SPEAKING + 3))
    assert {MOST_SPEAKING + more for more in range(3)} <= set(seen)


async def test_all_may_speak_again_in_the_next_round() -> None:
    priorities = Priorities(longest=LONG)
    for _ in range(2):
        for _ in range(MOST_SPEAKING):
            with pytest.raises(StopIteration):  # it does not wait
                priorities.speaking().turn().send(None)
        await asyncio.sleep(0)


@pytest.mark.parametrize(("seconds", "goes_on"), [(LONG, True), (0.0, False)])
async def test_what_came_meanwhile_is_told_together(seconds: float, goes_on: bool) -> None:
    """A model that has its turn keeps it for a moment."""
    priorities = Priorities(longest=LONG, linger=0, speaking=seconds)
    one = priorities.speaking()
    await one.turn()
    with priorities.work(Priority.REQUEST):
        again = asyncio.create_task(one.turn())
        await rounds()
        assert again.done() is goes_on
    await again
