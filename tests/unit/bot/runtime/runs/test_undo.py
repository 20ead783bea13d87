"""Undo: what was done in our own store is taken back by its owner, once, and the line about it says so."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.actions import UNDONE, Action, ActionState, Undo
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.runs import RunState
from bot.domain.schedules import Schedule, ScheduleKind, ScheduleState
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.people.memories import MemoryService
from bot.runtime.runs import undo
from bot.runtime.schedules.service import ScheduleService
from bot.runtime.texts import to_people
from bot.scheduler import CronTimetable
from integrations.base import Requester
from integrations.ports import Memory
from policies.types import EffectClass, Label
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness

DANA_HERSELF = Requester(team=TEAM, user=DANA)


async def done(here: Harness, undo: str | None) -> Action:
    """An action that left this to be undone."""
    left = Undo.parse(undo) if undo else None
    return await here.standing(here.read, ActionState.COMPLETED, effect=EffectClass.OWN, undo=left)


def memories(here: Harness) -> MemoryService:
    return MemoryService(store=here.base.store, clock=here.base.clock)


async def remembered(here: Harness, text: str = "Helen likes oak") -> Memory:
    return await memories(here).save(DANA_HERSELF, text, key=text, label=Label.OWNER)


async def press(here: Harness, action_id: str, user: str = DANA) -> tuple[bool, str]:
    outcome = await undo.undo(here.transactions, ButtonClick(team=TEAM, user=user, value=action_id))
    return outcome.accepted, outcome.text


async def schedule(here: Harness, **values: Any) -> Schedule:
    given: dict[str, Any] = {"team": TEAM, "user": DANA, "channel": "D1", "kind": ScheduleKind.REMINDER, "title": "x"}
    now = here.base.clock.now()
    made = Schedule(**given, id="sch_1", spec={}, zone="UTC", payload={"text": "x"}, next_fire=now, created_at=now)
    async with here.base.store.write() as work:
        await work.schedules.add(made)
    return made


async def test_a_memory_is_taken_back_by_its_owner_once(here: Harness) -> None:
    """Somebody else's Undo, or a second one, takes nothing back, and its person is told."""
    kept = await remembered(here)
    action = await done(here, f"memory:{kept.id}")
    assert await press(here, action.id, MARA) == (False, to_people.NOT_YOURS_TO_UNDO)
    assert await press(here, action.id) == (True, "")
    assert await press(here, action.id) == (False, to_people.GONE_ALREADY)
    assert list(await memories(here).search(DANA_HERSELF, "oak", limit=5)) == []
    assert here.codes() == ["click.wrong_person", "memory.forgotten", "click.late"]
    after = await here.action(action)
    assert (after.undo, after.summary) == (UNDONE, to_people.FORGOTTEN_MEMORY)
    (delivery,) = here.base.rows("SELECT kind, subject FROM outbox")
    assert (delivery["kind"], delivery["subject"]) == (DeliveryKind.NOTICE.value, action.id)


async def test_a_memory_is_forgotten_from_the_list(here: Harness) -> None:
    """Forget on App Home is Undo without its line: its owner's alone, once, and the line that told of it goes too."""
    kept = await remembered(here)
    action = await done(here, f"memory:{kept.id}")
    for user, accepted in ((MARA, False), (DANA, True), (DANA, False)):
        outcome = await undo.forget(here.transactions, ButtonClick(team=TEAM, user=user, value=kept.id))
        assert (outcome.accepted, outcome.text) == (accepted, "" if accepted else to_people.GONE_ALREADY)
    assert here.codes() == ["click.unknown", "memory.forgotten", "click.unknown"]
    after = await here.action(action)
    assert (after.undo, after.summary) == (UNDONE, to_people.FORGOTTEN_MEMORY)
    assert [row["subject"] for row in here.base.rows("SELECT subject FROM outbox")] == [action.id]


async def test_what_an_old_request_left_can_be_forgotten(here: Harness) -> None:
    """A memory is kept longer than the rows of the request that saved it; without them it is forgotten all the same."""
    kept = await remembered(here)
    assert (await undo.forget(here.transactions, ButtonClick(team=TEAM, user=DANA, value=kept.id))).accepted
    assert list(await memories(here).search(DANA_HERSELF, "", limit=5)) == []


async def test_app_home_knows_what_was_undone(here: Harness) -> None:
    """It lists what is remembered, newest first, and says of a request that it was undone, not that it was done."""
    facts = [await remembered(here, f"fact {n}") for n in range(10)]
    action = await done(here, f"memory:{facts[9].id}")
    async with here.base.store.write() as work:
        run = await work.runs.find(action.run_id)
        for state in (RunState.PLANNING, RunState.COMPLETED):
            run = await work.runs.move(run, state, summary="I will remember that.")
    before = await here.queries.home(TEAM, DANA)
    assert [one.text for one in before.memories] == [f"fact {n}" for n in range(9, 1, -1)]
    assert before.more_memories
    assert [run.summary for run in before.runs] == ["I will remember that."]
    await undo.forget(here.transactions, ButtonClick(team=TEAM, user=DANA, value=facts[9].id))
    after = await here.queries.home(TEAM, DANA)
    assert [one.text for one in after.memories] == [f"fact {n}" for n in range(8, 0, -1)]
    assert [run.summary for run in after.runs] == [to_people.FORGOTTEN_MEMORY]


async def test_a_schedule_is_taken_back(here: Harness) -> None:
    """Undo of a reminder ends its schedule; its line still names it, and the log says who did it."""
    made = await schedule(here)
    action = await done(here, f"schedule:{made.id}")
    assert await press(here, action.id) == (True, "")
    async with here.base.store.read() as work:
        after = await work.schedules.find(made.id)
    assert after is not None
    assert after.state is ScheduleState.ENDED
    assert (await here.action(action)).summary == f"{action.caption}: {to_people.SCHEDULE_TAKEN_BACK}"
    assert here.codes() == ["schedule.ended"]


async def test_a_schedule_that_is_removed_elsewhere_leaves_no_undo(here: Harness) -> None:
    """Removed on App Home, by `/agent schedule` or by the model: the line that told of it says so, without a button."""
    made = await schedule(here)
    action = await done(here, f"schedule:{made.id}")
    schedules = ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    assert not await schedules.remove(TEAM, MARA, made.id)
    assert (await here.action(action)).undo == action.undo
    assert await schedules.pause(TEAM, DANA, made.id)
    assert (await here.action(action)).undo == action.undo
    assert await schedules.remove(TEAM, DANA, made.id)
    after = await here.action(action)
    assert (after.undo, after.summary) == (UNDONE, f"{action.caption}: {to_people.SCHEDULE_REMOVED}")
    assert [row["subject"] for row in here.base.rows("SELECT subject FROM outbox")] == [action.id]


async def test_what_came_for_the_last_time_leaves_no_undo(here: Harness) -> None:
    """The line of a reminder says what was set, without a button, once nothing of it is to come."""
    made = await schedule(here)
    action = await done(here, f"schedule:{made.id}")
    await ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS).tick()
    after = await here.action(action)
    assert (after.undo, after.summary) == (None, action.summary)
    assert {"kind": DeliveryKind.NOTICE.value, "subject": action.id} in here.base.rows(
        "SELECT kind, subject FROM outbox"
    )


@pytest.mark.parametrize("undo", [None, "mail:1", "memory", "schedule:sch_gone"])
async def test_what_cannot_be_undone(here: Harness, undo: str | None) -> None:
    """A press on what leaves nothing to undo, was taken back by another way or never was changes nothing, is told once
    and is logged: the line of what is gone says so itself, and its button goes.
    """
    action = await done(here, undo)
    said = (await press(here, action.id), (await here.action(action)).summary)
    if undo in {"memory", "schedule:sch_gone"}:
        assert (said, (await here.action(action)).undo) == (((False, ""), to_people.GONE_ALREADY), UNDONE)
    else:
        assert said == ((False, to_people.GONE_ALREADY), action.summary)
    assert not (await press(here, "act_none"))[0]
    assert here.codes() == ["click.late", "click.unknown"]
