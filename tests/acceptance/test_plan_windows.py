"""Plans in Slack: begun by command or from a window, refined and edited on their card, watched and stopped there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.plans import MOST_TASKS, PlanTask
from bot.domain.runs import Run
from bot.domain.threads import Message
from bot.runtime.texts import about_plans
from bot.slack.views import ids, plan_forms
from bot.slack.views.blocks import VALUE
from bot.store.unit_of_work import UnitOfWork
from bot.tools import entry_fields
from playground.people import DANA, TEAM_ID, THEO, Person
from tests.acceptance.slack_side import HELEN, SALES, act, call, command, final
from tests.acceptance.world import APPROVE, Json, World, button_ids, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

CONFIRM, DROP = "question_confirm", "question_reject"
TWO = "remember that tea is at 4; remember that the lorry is booked"


async def plan_card(here: World, channel: str, *, but: str = "", words: str = "") -> Json:
    """A card that asks whether this is the plan."""
    return await here.message(
        channel,
        lambda m: CONFIRM in button_ids(m) and m["ts"] != but and words in text_of(m),
        f"the card of a plan with “{words}”",
    )


async def planned(here: World, text: str = TWO) -> Json:
    await here.say(DANA, f"plan: {text}")
    return await plan_card(here, here.dm_of(DANA))


async def window(here: World, callback: str, person: Person = DANA) -> Json:
    """The window on top, once it is there."""

    async def shown() -> Json | None:
        views = (await here.slack.state())["views"].get(person.user_id, [])
        return views[-1] if views and views[-1].get("callback_id") == callback else None

    return await here.until(shown, f"the window {callback}")


async def submit(here: World, view: Json, person: Person = DANA, **values: Json) -> Json:
    return await act(here, "submit", user=person.user_id, view_id=view["id"], values=values)


def typed(text: str) -> Json:
    return {VALUE: {"type": "plain_text_input", "value": text}}


def chosen(at: object) -> Json:
    return {VALUE: {"type": "datetimepicker", "selected_date_time": at}}


def filled(**texts: str) -> Json:
    """Fields of the form of a card; `task_0` is the first task, `more` the field for new ones."""
    names = {name: "tasks.new" if name == "more" else name.replace("task_", "tasks.") for name in texts}
    return {names[name]: {"field": {"type": "plain_text_input", "value": text}} for name, text in texts.items()}


async def tasks(here: World) -> list[PlanTask]:
    """Those of Dana's newest plan."""

    async def looked(work: UnitOfWork) -> list[PlanTask]:
        runs = await work.runs.recent_of(TEAM_ID, DANA.user_id, limit=10)
        plans = [run for run in runs if run.is_plan]
        return list(await work.plans.tasks(plans[0].id)) if plans else []

    return await here.read(looked)


async def asked_last(work: UnitOfWork) -> Message:
    """The message from which Dana's newest request was made."""
    [run] = await work.runs.recent_of(TEAM_ID, DANA.user_id, limit=1)
    [message] = await work.messages.typed(run.thread_id, limit=1)
    return message


async def edited(here: World, card: Json) -> Json:
    """The form, opened by the button of this card."""
    await here.click(DANA, card, ids.EDIT)
    return await window(here, ids.EDIT_FORM)


async def type_plan(here: World) -> None:
    """`/agent plan` alone, which opens a window and says nothing."""
    answer = await act(here, "command", user=DANA.user_id, channel=here.dm_of(DANA), command="/agent", text="plan")
    assert "message" not in answer


# The card ---------------------------------------------------------------------------------------------------------


async def test_its_card_has_its_buttons_and_what_it_may_use(here: World) -> None:
    card = await planned(here)
    assert {CONFIRM, ids.REFINE, ids.EDIT, DROP} <= button_ids(card)
    said = text_of(card)
    assert "Task 1: Remember that tea is at 4." in said
    assert "It may use: at most 6 approvals" in said


async def test_once_it_is_confirmed_its_card_has_what_came_of_each_task(here: World) -> None:
    """With how many actions it took, and a way to stop it while it is under way."""
    card = await planned(here, f"remember that tea is at 4; email {HELEN} that Thursday works")
    await here.click(DANA, card, CONFIRM)
    await here.message(here.dm_of(DANA), lambda m: APPROVE in button_ids(m), "the card of the mail")
    under_way = await here.message(here.dm_of(DANA), lambda m: "1 of 2 tasks done" in text_of(m), "a task that is done")
    assert under_way["ts"] == card["ts"]
    assert "✓ 1. Remember that tea is at 4" in text_of(under_way)
    assert "1 action" in text_of(under_way)
    assert "▸ 2. " in text_of(under_way)
    await here.click(DANA, under_way, ids.STOP_RUN)
    stopped = await here.message(
        here.dm_of(DANA), lambda m: m["ts"] == card["ts"] and ids.STOP_RUN not in button_ids(m), "no Stop any more"
    )
    assert "✗ 2. " in text_of(stopped)
    assert not await here.sent(DANA)


async def test_home_and_status_list_it_with_how_it_stands(here: World) -> None:
    """From the moment when it waits for its owner until it ends."""
    card = await planned(here, f"remember that tea is at 4; email {HELEN} that Thursday works")
    assert "waits for you to confirm it" in await command(here, DANA, "status")
    await here.click(DANA, card, CONFIRM)
    await here.message(here.dm_of(DANA), lambda m: APPROVE in button_ids(m), "the card of the mail")
    assert "1 of 2 tasks done, waits for your decision" in await command(here, DANA, "status")
    await act(here, "open_home", user=DANA.user_id, tab="home")

    async def shown() -> bool:
        return "1 of 2 tasks done, waits for your decision" in str((await here.slack.state())["homes"])

    await here.until(shown, "the plan on App Home")
    await here.click(DANA, card, ids.STOP_RUN)
    await final(here, card, "✗ 2. ")
    assert "tasks done" not in (await command(here, DANA, "status")).split("*Lately:*")[0]


async def test_the_channel_of_a_window_may_be_gone(here: World) -> None:
    """Then nothing begins, and what was written stays in the window."""
    await act(here, "command", user=DANA.user_id, channel=SALES, command="/agent", text="plan")
    form = await window(here, ids.PLAN_FORM)
    await here.slack.fault("ok_false", path="conversations.info", error="channel_not_found", times=-1)
    said = await submit(here, form, what=typed(TWO))
    assert said["errors"][plan_forms.WHAT].startswith("I cannot post in that channel now, so nothing began.")
    assert await tasks(here) == []


# Refine -----------------------------------------------------------------------------------------------------------


async def test_what_is_written_in_the_window_changes_the_plan(here: World) -> None:
    """The new card shows the difference; the old one says that there is a newer one."""
    card = await planned(here)
    await here.click(DANA, card, ids.REFINE)
    form = await window(here, ids.REFINE_FORM)
    assert (await submit(here, form, words=typed("  ")))["errors"] == {plan_forms.WORDS: plan_forms.NO_WORDS}
    assert (await submit(here, form, words=typed("Also remember that Priya is away.")))["acked"]
    newer = await plan_card(here, here.dm_of(DANA), but=card["ts"])
    assert "Task 3, new: Remember that Priya is away." in text_of(newer)
    assert "Changed as you said." in text_of(newer)
    old = await final(here, card, "Go to it")
    assert "Changed: see the newer card." in text_of(old)
    assert f"p{newer['ts'].replace('.', '')}" in text_of(old)


async def test_words_that_come_too_late_are_not_lost(here: World) -> None:
    """What became of the plan is said in words, beside what was written."""
    card = await planned(here)
    await here.click(DANA, card, ids.REFINE)
    form = await window(here, ids.REFINE_FORM)
    await here.click(DANA, card, DROP)
    await final(here, card, "Nothing was done.")
    await submit(here, form, words=typed("Also remember that Priya is away."))
    views = (await here.slack.state())["views"][DANA.user_id]
    assert "Also remember that Priya is away." in str(views[-1]["blocks"])
    assert "Already decided: <@U0DANA> said" in str(views[-1]["blocks"])


# Edit -------------------------------------------------------------------------------------------------------------


async def test_tasks_are_edited_by_hand(here: World) -> None:
    """The first line is the title, an emptied task is taken out, and new ones stand behind; all of it is shown."""
    card = await planned(here)
    form = await edited(here, card)
    values = filled(
        task_0="",
        task_1="Remember that the lorry is booked.\nRemember that the big lorry is booked.",
        more="Remember that Priya is away.\n\nNote the tea\nRemember that tea is at 5.",
    )
    assert (await submit(here, form, **values))["acked"]
    newer = await plan_card(here, here.dm_of(DANA), but=card["ts"])
    said = text_of(newer)
    assert "You changed this." in said
    assert "Task 1, changed:" in said
    assert "Task 2, new: Remember that Priya is away." in said
    assert "Taken out: Remember that tea is at 4." in said
    assert [(task.title, task.goal) for task in await tasks(here)] == [
        ("Remember that the lorry is booked.", "Remember that the big lorry is booked."),
        ("Remember that Priya is away.", "Remember that Priya is away."),
        ("Note the tea", "Remember that tea is at 5."),
    ]


async def test_the_agent_of_a_task_is_named_and_kept(here: World) -> None:
    one = {"title": "Brief me", "goal": "A brief is written.", "agent": "meeting_brief"}
    await here.say(DANA, f"plan: {call('propose_plan', tasks=[one])}")
    card = await plan_card(here, here.dm_of(DANA))
    assert "By the agent meeting_brief." in text_of(card)
    form = await edited(here, card)
    assert "Task 1 (agent meeting_brief)" in str(form["blocks"])
    await submit(here, form, **filled(task_0="Brief me well\nA brief is written."))
    await plan_card(here, here.dm_of(DANA), but=card["ts"])
    assert [(task.title, task.agent) for task in await tasks(here)] == [("Brief me well", "meeting_brief")]


async def test_what_is_wrong_stands_at_its_field(here: World) -> None:
    """No task at all, too many, and what is too long; the plan stays as it is."""
    form = await edited(here, await planned(here))
    none = await submit(here, form, **filled(task_0="", task_1=" ", more=""))
    assert none["errors"] == {"tasks.new": entry_fields.NO_ENTRY}
    many = await submit(here, form, **filled(task_0="Tea", more="\n\n".join(f"Task {n}" for n in range(MOST_TASKS))))
    assert many["errors"] == {"tasks.new": "At most 20 can be taken, and these are 21."}
    long = await submit(here, form, **filled(task_0="", task_1="x" * 121, more=""))
    assert long["errors"] == {"tasks.1": "Title: String should have at most 120 characters"}
    assert [task.title for task in await tasks(here)] == [
        "Remember that tea is at 4",
        "Remember that the lorry is booked",
    ]


# /agent plan ------------------------------------------------------------------------------------------------------


async def test_a_plan_begins_at_once_with_what_stands_behind_the_command(here: World) -> None:
    assert plan_forms.BEGUN_DIRECT in await command(here, DANA, f"plan {TWO}")
    card = await plan_card(here, here.dm_of(DANA))
    assert "Task 2: Remember that the lorry is booked." in text_of(card)


async def test_in_a_channel_it_begins_there(here: World) -> None:
    """The name of who is mentioned is read, and nobody typed it."""
    text = f"plan {TWO} for @{THEO.handle}"
    answer = await act(here, "command", user=DANA.user_id, channel=SALES, command="/agent", text=text)
    assert plan_forms.BEGUN_HERE in answer["message"]["text"]
    card = await plan_card(here, SALES)
    assert card["thread_ts"] != card["ts"]
    asked = await here.read(asked_last)
    assert f"@{THEO.handle}" in asked.text.lower()
    assert asked.typed == f"{TWO} for <@{THEO.user_id}>"


async def test_the_window_has_a_deadline_that_is_not_over(here: World) -> None:
    """It is shown on the card with its zone; one that is over, or more than a year away, is refused at its field, and
    nothing begins.
    """
    await type_plan(here)
    form = await window(here, ids.PLAN_FORM)
    fields = [block["block_id"] for block in form["blocks"] if block["type"] == "input"]
    assert fields == [plan_forms.WHAT, plan_forms.DEADLINE], "there is no folder with repositories here"
    now = here.base.clock.now()
    over = int((now - timedelta(minutes=5)).timestamp())
    wrong = await submit(here, form, what=typed(" "), deadline=chosen(over))
    assert wrong["errors"] == {plan_forms.WHAT: plan_forms.EMPTY, plan_forms.DEADLINE: plan_forms.OVER}
    too_far = int((now + timedelta(days=400)).timestamp())
    wrong = await submit(here, form, what=typed(TWO), deadline=chosen(too_far))
    assert wrong["errors"] == {plan_forms.DEADLINE: about_plans.TOO_FAR}
    at = int((now + timedelta(hours=5)).timestamp())
    assert (await submit(here, form, what=typed(TWO), deadline=chosen(at)))["acked"]
    card = await plan_card(here, here.dm_of(DANA))
    assert "To be done by " in text_of(card)
    assert "(Europe/London)" in text_of(card)
    runs = await here.read(lambda work: work.runs.recent_of(TEAM_ID, DANA.user_id, limit=10))
    assert [int(run.deadline_at.timestamp()) for run in runs if run.deadline_at] == [at]


async def test_in_a_channel_what_only_its_owner_may_see_is_shown_to_them_alone(here: World) -> None:
    """Planning read mail, so the card stands in direct messages, also once it is confirmed."""
    await here.mention(DANA, SALES, "plan: prepare Thursday's customer visit")
    card = await plan_card(here, here.dm_of(DANA))
    await here.click(DANA, card, CONFIRM)
    await here.message(here.dm_of(DANA), lambda m: APPROVE in button_ids(m), "the card of a task")
    await here.message(here.dm_of(DANA), lambda m: ids.STOP_RUN in button_ids(m), "the card with its tasks")
    assert not [m for m in await here.bot_messages(SALES) if "Helen" in text_of(m)]


async def test_a_plan_that_becomes_private_leaves_the_channel(here: World) -> None:
    """A task read mail: the card that stood in the channel is taken away there."""
    text = "remember that tea is at 4; answer Helen's mail about the benches that Thursday works"
    await here.mention(DANA, SALES, f"plan: {text}")
    card = await plan_card(here, SALES)
    await here.click(DANA, card, CONFIRM)
    await here.message(here.dm_of(DANA), lambda m: APPROVE in button_ids(m), "the card of the mail")
    await here.message(here.dm_of(DANA), lambda m: ids.STOP_RUN in button_ids(m), "the card with its tasks")
    assert not [m for m in await here.bot_messages(SALES) if "Task 1" in text_of(m) or "tea" in text_of(m)]


# After its deadline -----------------------------------------------------------------------------------------------


async def test_continue_after_its_deadline_asks_for_a_new_one(here: World) -> None:
    """In a window with one that is suggested. One that is over is refused there; with another the plan goes on."""
    card = await planned(here, f"email {HELEN} that Thursday works; remember that tea is at 4")
    await here.click(DANA, card, CONFIRM)
    await here.message(here.dm_of(DANA), lambda m: APPROVE in button_ids(m), "the card of the mail")
    run = next(run for run in await here.read(_recent) if run.is_plan)
    now = here.base.clock.now()
    async with here.base.store.write() as work:
        await work.runs.change(run.id, deadline_at=now)
    paused = await here.message(here.dm_of(DANA), lambda m: ids.CONTINUE in button_ids(m), "that it stopped")
    assert "The deadline is over, so I began nothing more. “Continue” asks for a new one." in text_of(paused)
    await here.click(DANA, paused, ids.CONTINUE)
    form = await window(here, ids.DEADLINE_FORM)
    (field,) = [block for block in form["blocks"] if block["type"] == "input"]
    assert timedelta(hours=1) <= _moment(field["element"]["initial_date_time"]) - now <= timedelta(days=1, hours=1)
    wrong = await submit(here, form, deadline=chosen(int((now - timedelta(minutes=5)).timestamp())))
    assert "is over: now it is" in wrong["errors"][plan_forms.DEADLINE]
    assert (await submit(here, form, deadline=chosen(field["element"]["initial_date_time"])))["acked"]
    mail = await here.message(here.dm_of(DANA), lambda m: APPROVE in button_ids(m), "the card of the mail again")
    await here.click(DANA, mail, APPROVE)
    await final(here, card, "2 of 2 tasks done")
    assert len(await here.sent(DANA)) == 1


async def _recent(work: UnitOfWork) -> list[Run]:
    return list(await work.runs.recent_of(TEAM_ID, DANA.user_id, limit=5))


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at, UTC)
