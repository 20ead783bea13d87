"""Reminders, through everything: set in words, listed, said once, snoozed once, undone, and needless when answered."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.domain.schedules import ScheduleState
from playground.people import DANA, MARA, Person
from tests.acceptance.due import codes, due_now, planned, said
from tests.acceptance.world import Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOUR, MORNING, DONE = "alarm_hour", "alarm_morning", "alarm_done"
SAID = "You asked me to remind you"


async def reminded(here: World, person: Person, request: str, answer: str = "set for") -> Json:
    """Set by this request, its time has come, and it was said."""
    await here.say(person, request)
    await here.answer_in(here.dm_of(person), answer)
    await due_now(here, person)
    return await here.answer_in(here.dm_of(person), SAID)


async def test_a_reminder_in_words(here: World) -> None:
    """“Remind me at 4 to call Dana”: kept in his zone without a card, listed, and said once with its buttons."""
    await here.say(MARA, "remind me tomorrow at 4 to call Dana")
    await here.answer_in(here.dm_of(MARA), "set for")
    [kept] = await planned(here, MARA)
    assert (kept.zone, kept.text, str(kept.spec["at"])[-5:]) == ("Europe/Stockholm", "call Dana", "16:00")
    listed = await here.command(MARA, "schedule")
    assert "call Dana (reminder) – " in listed
    assert "16:00 (Europe/Stockholm)" in listed
    await due_now(here, MARA)
    alarm = await here.answer_in(here.dm_of(MARA), SAID)
    assert {HOUR, MORNING, DONE} <= button_ids(alarm)
    await asyncio.sleep(1.2)
    assert len(await said(here, MARA, SAID)) == 1
    assert "Nothing is planned" in await here.command(MARA, "schedule")


async def test_undo_takes_a_reminder_back(here: World) -> None:
    """The line under the answer has Undo; after it nothing is planned."""
    await here.say(DANA, "remind me tomorrow at 9 to water the oak")
    line = await here.message(
        here.dm_of(DANA),
        lambda m: "set for" in text_of(m) and any("undo" in name for name in button_ids(m)),
        "the line with Undo",
    )
    await here.click(DANA, line, next(name for name in button_ids(line) if "undo" in name))
    await here.until(lambda: planned(here, DANA), "the end of the reminder", when=lambda left: not left)


async def test_two_presses_on_snooze_are_one(here: World) -> None:
    """Pressed twice at once it comes again once, an hour later, and the other press is told so."""
    alarm = await reminded(here, DANA, "remind me tomorrow at 9 to call <Helen>")
    before = here.base.clock.now()
    await asyncio.gather(*(here.click(DANA, alarm, HOUR) for _ in range(2)))
    await here.answer_in(here.dm_of(DANA), "It comes again")
    [again] = await planned(here, DANA)
    assert again.next_fire is not None
    assert timedelta(minutes=59) < again.next_fire - before < timedelta(minutes=61)
    assert await codes(here, "alarm.answered") == 1
    await due_now(here, DANA)
    await here.until(
        lambda: said(here, DANA, SAID),
        "the second reminder",
        when=lambda said: len([m for m in said if HOUR in button_ids(m)]) == 1,
    )
    assert not await planned(here, DANA)


async def test_done_takes_the_buttons_away(here: World) -> None:
    """What stands there says that it is done."""
    alarm = await reminded(here, DANA, "remind me tomorrow at 9 to call Helen")
    await here.click(DANA, alarm, DONE)
    done = await here.answer_in(here.dm_of(DANA), "Done.")
    assert DONE not in button_ids(done)
    assert not await planned(here, DANA)


async def test_paused_resumed_and_removed_by_number(here: World) -> None:
    """`/agent schedule` says what became of it; what is no number is asked about, with the list."""
    await here.say(DANA, "remind me every weekday at 8 to look at the orders")
    await here.answer_in(here.dm_of(DANA), "every weekday at 08:00")
    assert "Which one?" in await here.command(DANA, "schedule pause 7")
    assert "is paused" in await here.command(DANA, "schedule pause 1")
    assert "every weekday at 08:00, paused" in await here.command(DANA, "schedule")
    assert "Nothing was changed" in await here.command(DANA, "schedule pause 1")
    assert "is resumed: every " in await here.command(DANA, "schedule resume 1")
    assert "is removed" in await here.command(DANA, "schedule remove 1")
    assert "Try: “remind me at 4 to call the bank”" in await here.command(DANA, "schedule")


async def test_app_home_has_buttons_for_schedules(here: World) -> None:
    """Paused and removed there, and shown as it is then."""
    await here.say(DANA, "remind me every day at 8 to look at the orders")
    await here.answer_in(here.dm_of(DANA), "every day at 08:00")
    await here.slack.post("/__act/open_home", {"user": DANA.user_id, "tab": "home"})

    async def shown(action: str) -> Json | None:
        home: Json | None = (await here.slack.state())["homes"].get(DANA.user_id)
        return home if home and action in str(home) else None

    for action, then in (("schedule_pause", "schedule_resume"), ("schedule_resume", "schedule_pause")):
        home = await here.until(lambda name=action: shown(name), action)
        await press_home(here, DANA, home, action)
        await here.until(lambda name=then: shown(name), then)
    home = await here.until(lambda: shown("schedule_remove"), "Remove")
    await press_home(here, DANA, home, "schedule_remove")
    await here.until(lambda: shown("Nothing is planned"), "the empty list")


@pytest.mark.parametrize("answered", [False, True], ids=["nobody answered", "somebody answered"])
async def test_a_reminder_unless_somebody_answers(here: World, answered: bool) -> None:
    """Said when nobody else wrote in that thread until then; else it ends in silence, with an entry in the log."""
    await here.say(DANA, "remind me if nobody has answered Helen's mail by Friday")
    await here.answer_in(here.dm_of(DANA), "unless somebody answers that mail before")
    [kept] = await planned(here, DANA)
    assert kept.unless_answered
    if answered:
        await here.tamper("UPDATE schedules SET created_at = '2020-01-01 00:00:00.000000' WHERE user = ?", DANA)
    await due_now(here, DANA)
    await here.audited("schedule.answered" if answered else "schedule.fired")
    if not answered:
        await here.answer_in(here.dm_of(DANA), SAID)
    assert len(await said(here, DANA, SAID)) == (0 if answered else 1)
    ended = await here.read(lambda work: work.schedules.find(kept.id))
    assert ended is not None
    assert ended.state is ScheduleState.ENDED


async def test_a_reminder_that_cannot_look_reminds(here: World) -> None:
    """Without an account nobody can tell whether there is an answer: it is said all the same, and says so."""
    await here.say(DANA, "remind me if nobody has answered Helen's mail by Friday")
    await here.answer_in(here.dm_of(DANA), "unless somebody answers that mail before")
    await here.disconnect(DANA)
    await due_now(here, DANA)
    alarm = await here.answer_in(here.dm_of(DANA), SAID)
    assert "could not check whether somebody has answered" in text_of(alarm)


async def press_home(here: World, person: Person, home: Json, action: str) -> None:
    """A button of App Home."""
    view = home.get("id") or home.get("view_id")
    await here.slack.post("/__act/click", {"user": person.user_id, "view_id": view, "action_id": action})
