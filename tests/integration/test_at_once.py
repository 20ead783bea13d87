"""What happens at the moment of a press, over PostgreSQL: once is enough, and whoever is second is told the truth."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.actions import UNDONE, ActionState, Undo
from bot.domain.briefings import Briefing, Item, ItemKind, ItemVerb
from bot.domain.limits import DEFAULT_LIMITS, DailyBudgets, Spent, Today, day_of
from bot.domain.questions import Choice, Question
from bot.domain.runs import Run, RunState
from bot.domain.schedules import BadSchedule, Schedule, ScheduleKind
from bot.llm.model import FinishKind, Turn, TurnUsage
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.delivery.posts import PostService
from bot.runtime.limits.cost import CostTracker
from bot.runtime.operations.retention import Keep, RetentionService
from bot.runtime.people.memories import MemoryService
from bot.runtime.questions import expiry
from bot.runtime.questions.decide import Click, decide
from bot.runtime.runs import stop, undo
from bot.runtime.schedules import briefings
from bot.runtime.schedules import service as schedules
from bot.runtime.schedules.briefings import ASKED, ON_IT, PRESSED_BEFORE, BriefingService
from bot.runtime.schedules.service import NewSchedule, ScheduleService
from bot.runtime.schedules.sources import BriefingSources
from bot.runtime.texts import to_people
from bot.scheduler import CronTimetable
from bot.store.repositories.limits import Spending
from integrations.base import Requester
from integrations.ports import Day, WaitingMailList
from policies.types import Label, TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness

TIMES = 4


class Nothing:
    """Mail and calendar that hold nothing."""

    async def today(self, requester: Requester) -> Day:
        return Day()

    async def waiting(self, requester: Requester) -> WaitingMailList:
        return WaitingMailList(mails=())

    async def others_wrote(self, requester: Requester, thread_id: str, *, since: datetime) -> bool:
        return False


NOTHING = Nothing()


@pytest.fixture
async def here(tmp_path: Path, postgres_url: str) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, postgresql=postgres_url) as made:
        async with made.base.store.write() as work:
            await work.users.seen(make.person())
        yield made


async def test_one_item_of_a_briefing_begins_one_run(here: Harness) -> None:
    """A button that is pressed several times at once begins one run with one request; the other presses are told."""
    mail = Item(kind=ItemKind.MAIL, id="t1", title="Oak", when="today")
    async with here.transactions.write() as tx:
        await briefings.add(tx, "msg_1", TEAM, DANA, Briefing(day="Monday", meetings=(), mails=(mail,)))
    await PostService(store=here.base.store).briefing("msg_1", "D1", "1795.5")
    sources = BriefingSources(clock=here.base.clock, agenda=NOTHING, mails=NOTHING)
    service = BriefingService(transactions=here.transactions, sources=sources, limits=DEFAULT_LIMITS)
    press = ButtonClick(team=TEAM, user=DANA, value="0", channel="D1", message_ts="1795.5")
    told = await asyncio.gather(*(service.click(press, ItemVerb.ANSWER) for _ in range(TIMES)))
    assert Counter(outcome.text for outcome in told) == {ON_IT: 1, PRESSED_BEFORE: TIMES - 1}
    assert len(here.base.rows("SELECT id FROM runs")) == 1
    assert len(here.base.rows("SELECT id FROM messages WHERE text = ?", ASKED[ItemVerb.ANSWER])) == 1


def _wanted(n: int) -> NewSchedule:
    return NewSchedule(
        team=TEAM, user=DANA, channel="D1", is_dm=True, kind=ScheduleKind.REMINDER, title=f"{n}", text=f"{n}",
        spec={"at": "2031-03-03T10:00"}, zone="UTC",
    )  # fmt: skip


async def _add_at_once(here: Harness) -> list[Schedule | BaseException]:
    kept = ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    return await asyncio.gather(*(kept.add(_wanted(n)) for n in range(TIMES)), return_exceptions=True)


async def test_each_schedule_has_its_own_number(here: Harness) -> None:
    """Schedules that are added at the same moment are numbered apart: by the number their owner names them."""
    added = await _add_at_once(here)
    assert sorted(one.number for one in added if isinstance(one, Schedule)) == [1, 2, 3, 4]


async def test_no_more_schedules_than_one_may_have(here: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is room for two more, two of four that are added at the same moment are kept."""
    monkeypatch.setattr(schedules, "MOST", 2)
    added = await _add_at_once(here)
    assert Counter(type(one) for one in added) == {Schedule: 2, BadSchedule: 2}


async def test_the_workspaces_hint_is_given_once_whoever_crosses_it(
    here: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people come over 80 % together, neither seeing the other's calls: one of their next answers says so."""
    costs, now = CostTracker(daily=DailyBudgets(workspace_tokens=1_000)), here.base.clock.now()
    runs = [make.run(id=user, user=user, source_key=user) for user in (DANA, MARA)]
    async with here.base.store.write() as work:
        await work.spending.add(TEAM, "U9", day_of(now), Spent(tokens=700))
        for run in runs:
            await work.runs.add(run)
    both, of_day = asyncio.Barrier(2), Spending.of_day

    async def together(self: Spending, team: str, user: str, day: str, *, recipients: bool) -> Today:
        found = await of_day(self, team, user, day, recipients=recipients)
        await both.wait()
        return found

    async def answered(run: Run) -> str:
        async with here.transactions.write() as tx:
            counted = await costs.count(tx, run, turn, asked="any", steps=1)
            return await costs.noted(tx.work, counted, "", now)

    turn = Turn(
        content=None, text="", calls=(), finish=FinishKind.STOP, finish_detail="", model="m",
        usage=TurnUsage(prompt_tokens=60),
    )  # fmt: skip
    monkeypatch.setattr(Spending, "of_day", together)
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await asyncio.gather(*map(answered, runs)) == ["", ""]
        said = await asyncio.gather(*map(answered, runs))
    assert sorted("80 %" in text for text in said) == [False, True]


async def test_undo_pressed_twice_at_once(here: Harness) -> None:
    """One press forgets the memory and the line says so; the other is told that it is gone, and changes no line."""
    dana = Requester(team=TEAM, user=DANA)
    kept = await MemoryService(store=here.base.store, clock=here.base.clock).save(
        dana, "Helen likes oak", key="k", label=Label.OWNER
    )
    action = await here.standing(here.read, ActionState.COMPLETED, undo=Undo("memory", kept.id))
    press = ButtonClick(team=TEAM, user=DANA, value=action.id)
    told = await asyncio.gather(*(undo.undo(here.transactions, press) for _ in range(TIMES)))
    assert Counter(outcome.accepted for outcome in told) == {True: 1, False: TIMES - 1}
    now = await here.action(action)
    assert (now.undo, now.summary) == (UNDONE, to_people.FORGOTTEN_MEMORY)


async def test_what_is_continued_at_that_moment_is_not_forgotten(here: Harness) -> None:
    """A paused run whose time is over, and that its owner continues while it is about to be cancelled, goes on."""
    run = await here.request(state=RunState.PAUSED)
    here.base.clock.advance(timedelta(days=31).total_seconds())
    retention = RetentionService(transactions=here.transactions, keep=Keep())
    async with here.base.store.write() as work:
        await work.threads.lock(run.thread_id)
        await work.runs.move(run, RunState.PLANNING)
        pruning = asyncio.create_task(retention.prune(here.base.clock.now()))
        await _waiting(here, 1)
    await pruning
    assert (await here.run(run.id)).state is RunState.PLANNING
    assert here.codes() == []


# Who is second ----------------------------------------------------------------------------------------------------


async def _card(here: Harness) -> Question:
    """An open card about a mail."""
    run = await here.asked([("gmail_send", {"text": "it"})], "Done.", level=TrustLevel.SUPERVISED)
    asked = await here.question(run.id)
    assert asked is not None
    return asked


async def _click(here: Harness, asked: Question, choice: Choice = Choice.APPROVE) -> ClickOutcome:
    click = Click(team=TEAM, user=DANA, value=asked.button_value(), choice=choice)
    return await decide(here.transactions, click)


async def _one_after_the_other(here: Harness, *deeds: Coroutine[Any, Any, Any]) -> Sequence[Any]:
    """What came of each, where each had begun before the first could go on: the thread is free when all wait for it."""
    async with here.base.store.write() as work:
        await work.threads.lock("thr_1")
        tasks = list[asyncio.Task[Any]]()
        for deed in deeds:
            tasks.append(asyncio.create_task(deed))
            await _waiting(here, len(tasks))
    return await asyncio.gather(*tasks)


async def test_of_two_clicks_the_second_hears_of_the_first(here: Harness) -> None:
    """One decides; the other is told who decided what, and is in the log."""
    asked = await _card(here)
    first, second = await _one_after_the_other(here, _click(here, asked), _click(here, asked, Choice.REJECT))
    assert (first.accepted, second.accepted) == (True, False)
    assert f"<@{DANA}> said “approve”" in second.text
    assert here.codes().count("click.late") == 1


async def test_a_click_behind_a_stop_is_told_of_it(here: Harness) -> None:
    """Nobody decided: the question was withdrawn, and nothing is done."""
    asked = await _card(here)
    _, late = await _one_after_the_other(here, stop.stop_person(here.transactions, TEAM, DANA), _click(here, asked))
    assert "withdrawn" in late.text
    assert here.codes()[-1] == "click.late"


async def test_a_click_behind_expiry_is_told_of_it(here: Harness) -> None:
    """By a clock that is a little behind it was in time: it is over all the same, and nobody decided."""
    asked = await _card(here)
    here.base.clock.at = asked.expires_at - timedelta(seconds=1)
    ahead = replace(here.transactions, clock=make.HandClock(at=asked.expires_at))
    _, late = await _one_after_the_other(here, expiry.tick(ahead), _click(here, asked))
    assert late.text == to_people.EXPIRED
    assert here.codes()[-1] == "click.late"


async def _fired_last(here: Harness, kept: Schedule, press: Coroutine[Any, Any, Any]) -> Any:
    """What comes of a press while the schedule fires for the last time."""
    async with here.base.store.write() as work:
        await work.schedules.fired(kept, at=here.base.clock.now(), next_fire=None)
        pressing = asyncio.create_task(press)
        await _waiting(here, 1)
    return await pressing


async def test_what_fires_for_the_last_time_is_not_paused(here: Harness) -> None:
    """Its owner's press comes too late, and is in the log."""
    schedules = ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    kept = await schedules.add(_wanted(1))
    assert not await _fired_last(here, kept, schedules.pause(TEAM, DANA, kept.id))
    assert here.codes() == ["schedule.added", "click.late"]


async def test_what_fires_for_the_last_time_is_not_undone(here: Harness) -> None:
    """Undo comes too late: its person is told, the line is written anew, and the press is in the log."""
    kept = await ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS).add(
        _wanted(1)
    )
    action = await here.standing(here.read, ActionState.COMPLETED, undo=Undo("schedule", kept.id))
    press = undo.undo(here.transactions, ButtonClick(team=TEAM, user=DANA, value=action.id))
    assert await _fired_last(here, kept, press) == ClickOutcome(accepted=False)
    assert here.codes() == ["schedule.added", "click.late"]
    after = await here.action(action)
    assert (after.undo, after.summary) == (UNDONE, to_people.GONE_ALREADY)


async def _waiting(here: Harness, most: int) -> None:
    """Until so many transactions of this database wait for a lock."""
    query = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(await asyncio.to_thread(here.base.rows, query)) < most:
            await asyncio.sleep(0.01)
