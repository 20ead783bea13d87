"""What one person presses or asks for several times at the same moment, over PostgreSQL: once is enough."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.actions import ActionState
from bot.domain.briefings import Briefing, Item, ItemKind, Verb
from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.runs import Run, RunState
from bot.domain.schedules import BadSchedule, Schedule, ScheduleKind
from bot.domain.spending import DailyBudgets, Spent, Today, day_of
from bot.llm.model import FinishKind, Turn, Usage
from bot.runtime import briefings, schedules, words
from bot.runtime.briefings import ASKED, ON_IT, PRESSED_BEFORE, BriefingDesk
from bot.runtime.lookouts import Lookout
from bot.runtime.memories import MemoryBook
from bot.runtime.posts import PostBook
from bot.runtime.presses import Press
from bot.runtime.retention import Keep, Retention
from bot.runtime.schedules import Schedules, Wanted
from bot.runtime.spending import Purse
from bot.runtime.undoing import UNDONE, Undoing
from bot.scheduler import Timetable
from bot.store.spending import Spending
from integrations.base import Requester
from integrations.ports import Day, Waiting
from policies.types import Label
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.house import House, house

TIMES = 4


class Nothing:
    """Mail and calendar that hold nothing."""

    async def today(self, requester: Requester) -> Day:
        return Day()

    async def waiting(self, requester: Requester) -> Waiting:
        return Waiting(mails=())

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        return False


NOTHING = Nothing()


@pytest.fixture
async def home(tmp_path: Path, postgres_url: str) -> AsyncGenerator[House]:
    async with house(tmp_path, postgresql=postgres_url) as made:
        async with made.base.store.write() as work:
            await work.users.seen(make.person())
        yield made


async def test_one_item_of_a_briefing_begins_one_run(home: House) -> None:
    """A button that is pressed several times at once begins one run with one request; the other presses are told."""
    mail = Item(kind=ItemKind.MAIL, id="t1", title="Oak", when="today")
    async with home.journal.write() as moves:
        await briefings.add(moves, "msg_1", TEAM, DANA, Briefing(day="Monday", meetings=(), mails=(mail,)))
    await PostBook(store=home.base.store).briefing("msg_1", "D1", "1795.5")
    lookout = Lookout(clock=home.base.clock, agenda=NOTHING, mails=NOTHING)
    desk = BriefingDesk(journal=home.journal, lookout=lookout, limits=DEFAULT_LIMITS)
    press = Press(team=TEAM, user=DANA, value="0", channel="D1", message_ts="1795.5")
    told = await asyncio.gather(*(desk.press(press, Verb.ANSWER) for _ in range(TIMES)))
    assert Counter(outcome.text for outcome in told) == {ON_IT: 1, PRESSED_BEFORE: TIMES - 1}
    assert len(home.base.rows("SELECT id FROM runs")) == 1
    assert len(home.base.rows("SELECT id FROM messages WHERE text = ?", ASKED[Verb.ANSWER])) == 1


def _wanted(n: int) -> Wanted:
    return Wanted(
        team=TEAM, user=DANA, channel="D1", is_dm=True, kind=ScheduleKind.REMINDER, title=f"{n}", text=f"{n}",
        spec={"at": "2031-03-03T10:00"}, zone="UTC",
    )  # fmt: skip


async def _add_at_once(home: House) -> list[Schedule | BaseException]:
    kept = Schedules(journal=home.journal, timetable=Timetable(), limits=DEFAULT_LIMITS)
    return await asyncio.gather(*(kept.add(_wanted(n)) for n in range(TIMES)), return_exceptions=True)


async def test_each_schedule_has_its_own_number(home: House) -> None:
    """Schedules that are added at the same moment are numbered apart: by the number their owner names them."""
    added = await _add_at_once(home)
    assert sorted(one.number for one in added if isinstance(one, Schedule)) == [1, 2, 3, 4]


async def test_no_more_schedules_than_one_may_have(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is room for two more, two of four that are added at the same moment are kept."""
    monkeypatch.setattr(schedules, "MOST", 2)
    added = await _add_at_once(home)
    assert Counter(type(one) for one in added) == {Schedule: 2, BadSchedule: 2}


async def test_the_workspaces_hint_is_given_once_whoever_crosses_it(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people come over 80 % together, neither seeing the other's calls: one of their next answers says so."""
    purse, now = Purse(daily=DailyBudgets(workspace_tokens=1_000)), home.base.clock.now()
    runs = [make.run(id=user, user=user, source_key=user) for user in (DANA, MARA)]
    async with home.base.store.write() as work:
        await work.spending.add(TEAM, "U9", day_of(now), Spent(tokens=700))
        for run in runs:
            await work.runs.add(run)
    both, of_day = asyncio.Barrier(2), Spending.of_day

    async def together(self: Spending, team: str, user: str, day: str) -> Today:
        found = await of_day(self, team, user, day)
        await both.wait()
        return found

    async def answered(run: Run) -> str:
        async with home.journal.write() as moves:
            counted = await purse.count(moves, run, turn, steps=1)
            return await purse.noted(moves.work, counted, "", now)

    turn = Turn(
        content=None, text="", calls=(), finish=FinishKind.STOP, finish_detail="", model="m",
        usage=Usage(prompt_tokens=60),
    )  # fmt: skip
    monkeypatch.setattr(Spending, "of_day", together)
    async with asyncio.timeout(20):
        assert await asyncio.gather(*map(answered, runs)) == ["", ""]
        said = await asyncio.gather(*map(answered, runs))
    assert sorted("80 %" in text for text in said) == [False, True]


async def test_undo_pressed_twice_at_once(home: House) -> None:
    """One press forgets the memory and the line says so; the other is told that it is gone, and changes no line."""
    dana = Requester(team=TEAM, user=DANA)
    kept = await MemoryBook(store=home.base.store, clock=home.base.clock).save(
        dana, "Helen likes oak", key="k", label=Label.OWNER
    )
    action = await home.standing(home.read, ActionState.COMPLETED, undo=f"memory:{kept.id}")
    press, undoing = Press(team=TEAM, user=DANA, value=action.id), Undoing(journal=home.journal)
    told = await asyncio.gather(*(undoing.undo(press) for _ in range(TIMES)))
    assert Counter(outcome.accepted for outcome in told) == {True: 1, False: TIMES - 1}
    now = await home.action(action)
    assert (now.undo, now.summary) == (UNDONE, words.FORGOTTEN_MEMORY)


async def test_what_is_continued_at_that_moment_is_not_forgotten(home: House) -> None:
    """A paused run whose time is over, and that its owner continues while it is about to be cancelled, goes on."""
    run = await home.request(state=RunState.PAUSED)
    home.base.clock.advance(timedelta(days=31).total_seconds())
    retention = Retention(journal=home.journal, keep=Keep())
    async with home.base.store.write() as work:
        await work.threads.lock(run.thread_id)
        await work.runs.move(run, RunState.PLANNING)
        pruning = asyncio.create_task(retention.prune(home.base.clock.now()))
        await _somebody_waits(home)
    await pruning
    assert (await home.run(run.id)).state is RunState.PLANNING
    assert home.codes() == []


async def _somebody_waits(home: House) -> None:
    async with asyncio.timeout(10):
        while not home.base.rows("SELECT pid FROM pg_locks WHERE NOT granted"):
            await asyncio.sleep(0.01)
