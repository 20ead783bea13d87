"""Clicks in Slack, over Socket Mode: what they change in the store, and what the person who clicked is told."""

from __future__ import annotations

import re

import pytest

from bot.domain.actions import UNDONE, ActionState, Undo
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import AnswerOption, AnswerPayload, Choice, QuestionKind, QuestionState
from bot.domain.runs import RunState
from bot.domain.threads import held_back_mark
from bot.runtime.core.ports import Caller
from bot.runtime.people.memories import MemoryService
from bot.runtime.people.sessions import SessionService
from bot.runtime.texts import to_people
from bot.slack.views import command, ids
from integrations.base import Requester, Result
from policies.types import Label
from tests.unit.bot.slack.cases import DANA, MARA, SALES, TEAM, THEO, reminder
from tests.unit.bot.slack.connected import World

ROOT = "1700000000.000100"


def question(world: World) -> str:
    return world.base.rows("SELECT state FROM questions")[0]["state"]


def state(world: World) -> str:
    return world.base.rows("SELECT state FROM runs WHERE id = 'run_1'")[0]["state"]


async def pressed(world: World, action_id: str) -> None:
    """Mara clicks on the card itself."""
    dm, ts = await world.card()
    answer = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=action_id)
    assert answer["acked"]


@pytest.mark.parametrize(
    ("choice", "becomes"), [(Choice.APPROVE, ActionState.APPROVED), (Choice.REJECT, ActionState.REJECTED)]
)
async def test_a_choice(world: World, choice: Choice, becomes: ActionState) -> None:
    """A click on a card decides its question, before Slack is answered."""
    await pressed(world, ids.choice_action(choice))
    assert question(world) == QuestionState.DECIDED.value
    assert world.base.rows("SELECT state FROM actions") == [{"state": becomes.value}]


async def test_a_choice_that_was_not_saved(world: World) -> None:
    """A click that could not be saved changes nothing, and the person who clicked is told to press again."""
    async with world.full("audit"):
        await pressed(world, "question_approve")
        assert (await world.told())["text"] == command.NOT_SAVED
    assert question(world) == QuestionState.OPEN.value


async def test_a_rejected_click_is_explained(world: World) -> None:
    """The person who clicked is told why it does not count, where they clicked, and nobody else; a name stays one."""
    await world.card()
    (value,) = (row["id"] + "." + row["nonce"] for row in world.base.rows("SELECT id, nonce FROM questions"))
    await world.click("question_approve", value, user=DANA, channel=SALES)
    sent = await world.told()
    assert (sent["channel"], sent["user"], sent["text"]) == (SALES, DANA, f"Only <@{MARA}> can decide this.")
    assert (question(world), world.codes()) == (QuestionState.OPEN.value, ["click.wrong_person"])


async def test_show_everything(world: World) -> None:
    """The owner sees the whole card in a modal."""
    await world.card()
    await world.click(ids.SHOW_ALL, value_of(world))
    await world.slack.until(lambda: world.slack.state["views"].get(MARA))
    assert "ten benches, please" in str(world.slack.state["views"][MARA])


def window(world: World) -> str:
    return str(world.slack.state["views"].get(MARA, []))


async def test_on_app_home_everything_has_the_way_to_its_card(world: World) -> None:
    """At once where it stands, and a moment later its address: a click is good for three seconds. On the card itself
    there is nowhere to go.
    """
    await world.card()
    await world.slack.fault(match={"path": "/api/chat.getPermalink"}, kind="delay", seconds=0.5)
    await world.click_at_home(ids.SHOW_ALL, value_of(world))
    await world.slack.until(lambda: "ten benches, please" in window(world))
    assert "Its card stands in " in window(world)
    assert "Go to the card" not in window(world)
    await world.slack.until(lambda: "Go to the card" in window(world))
    await world.click(ids.SHOW_ALL, value_of(world))
    await world.slack.until(lambda: len(world.slack.calls("views.open")) == 2)
    assert "Its card" not in str(world.slack.calls("views.open")[1])


@pytest.mark.parametrize("where", ["deleted", "not posted"])
async def test_without_an_address_it_says_where_the_card_stands(world: World, where: str) -> None:
    """A message that is gone has no address, and a card that was not posted stands nowhere."""
    await world.card()
    gone = "UPDATE posts SET ts = '1000000000.000001'" if where == "deleted" else "DELETE FROM posts"
    await world.base.tamper(gone)
    await world.click_at_home(ids.SHOW_ALL, value_of(world))
    stands = "Its card stands in " if where == "deleted" else "Its card does not stand in Slack yet."
    await world.slack.until(lambda: stands in window(world))
    assert "Go to the card" not in window(world)


def value_of(world: World) -> str:
    """What the buttons of the card carry."""
    (row,) = world.base.rows("SELECT id, nonce FROM questions")
    return f"{row['id']}.{row['nonce']}"


@pytest.mark.parametrize("button", [ids.SHOW_ALL, ids.CONNECT])
@pytest.mark.parametrize("case", ["somebody else", "a guess", "another card"])
async def test_nobody_else_opens_what_a_card_offers(world: World, button: str, case: str) -> None:
    """Somebody else, or a made-up value, opens nothing and gets no link; that goes into the log."""
    await world.card(kind=QuestionKind.CONNECT)
    value, user = {
        "somebody else": (value_of(world), DANA),
        "a guess": ("qst_1.guess", MARA),
        "another card": ("qst_2.nonce", MARA),
    }[case]
    await world.click(button, value, user=user)
    await world.told()
    assert not world.slack.state["views"].get(user)
    assert world.base.rows("SELECT * FROM connects") == []
    assert world.codes() == ["click.wrong_person" if user == DANA else "click.unknown"]


async def test_a_guest_gets_no_link_to_connect(world: World) -> None:
    """A guest's click on Connect is refused and goes into the log; a member's opens the window with the link."""
    for user in (THEO, MARA):
        await world.click(ids.CONNECT, "google", user=user)
    await world.slack.until(lambda: world.slack.state["views"].get(MARA))
    assert "https://countersign.example" in str(world.slack.state["views"][MARA])
    assert world.base.rows("SELECT user FROM connects") == [{"user": MARA}]
    assert not world.slack.state["views"].get(THEO)
    await world.slack.until(lambda: command.GUESTS in str(world.slack.state["ephemerals"]))


@pytest.mark.parametrize("button", ["older", ids.OPEN_LINK])
async def test_a_button_that_does_nothing_here(world: World, button: str) -> None:
    """A click on one of an older version, or on a link that Slack opens by itself, is acknowledged all the same."""
    assert (await world.click(button, "google"))["acked"]
    assert world.slack.calls("chat.postEphemeral") == []


async def test_a_broken_click_is_told(world: World) -> None:
    """A click that breaks something is acknowledged; the person gets a reference, and nothing of the error."""
    dm, ts = await world.card()
    await world.base.tamper("UPDATE questions SET kind = 'xoxb-secret'")
    answer = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="question_approve")
    assert answer["acked"]
    sent = await world.told()
    assert (sent["channel"], sent["user"]) == (dm, MARA)
    assert "tell your administrator" in sent["text"]
    assert "xoxb" not in sent["text"]


@pytest.mark.parametrize(
    ("button", "value", "codes"),
    [
        (ids.CONTINUE, "run_1", ["run.not_continued"]),
        (ids.TRY_AGAIN, "run_1", ["run.not_tried_again"]),
        (ids.HELD_UNDO, "run_1", ["click.wrong_choice"]),
        (ids.HELD_NOW, "run_1", ["click.wrong_choice"]),
        (ids.STOP_AGENT, "run_1", ["click.wrong_choice"]),
        ("briefing_answer", "0", ["click.unknown"]),
        (ids.DISCONNECT, "google", []),
    ],
)
async def test_a_button_with_nothing_to_do(world: World, button: str, value: str, codes: list[str]) -> None:
    """It reaches the run, briefing or account that it names; the person is told why nothing comes of it here."""
    await world.rows.asked(SALES, ROOT)
    assert (await world.click(button, value))["acked"]
    assert ("No Google account of yours is connected" in (await world.told())["text"]) is (not codes)
    assert world.codes() == codes


@pytest.mark.parametrize(("who", "said"), [(DANA, "Signed out there"), (MARA, "had ended already")])
async def test_a_session_is_ended_on_app_home(world: World, who: str, said: str) -> None:
    """By the person whose it is, and by nobody else."""
    sessions = SessionService(transactions=world.core.transactions)
    await sessions.begin(Caller(team=TEAM, user=DANA), state="s", browser="Firefox")
    (row,) = world.base.rows("SELECT id FROM sessions")
    await world.click(ids.SIGN_OUT, row["id"], user=who)
    assert said in (await world.told())["text"]
    (row,) = world.base.rows("SELECT ended_at FROM sessions")
    assert (row["ended_at"] is not None) is (who == DANA)


async def test_what_came_too_fast_is_taken(world: World) -> None:
    """The button takes it once, and stands there no more; a second press says that nothing is left."""
    dm = await world.slack.dm(MARA)
    await world.rows.asked(dm, await world.slack.say(MARA, dm, "please"), is_dm=True, state=RunState.COMPLETED)
    async with world.base.store.write() as work:
        await work.messages.change("msg_run_1", steers=held_back_mark(TEAM, MARA))
    world.base.clock.advance(3_600)
    second = int(world.base.clock.now().timestamp())
    await world.publisher.deliver(world.rows.delivery(DeliveryKind.REFUSAL, f"offered.{second}:msg_run_1"))
    [offer] = [message for message in world.slack.ours(dm) if "faster than I take it" in str(message)]
    at: dict[str, object] = {"channel": dm, "message_ts": offer["ts"], "action_id": ids.TAKE_HELD_BACK}
    assert (await world.slack.act("click", user=MARA, **at))["acked"]
    await world.slack.until(lambda: "each is answered where you said it" in str(world.slack.ours(dm)))
    assert ids.TAKE_HELD_BACK not in str(world.slack.ours(dm))
    assert len(world.base.rows("SELECT id FROM runs")) == 2
    await world.click(ids.TAKE_HELD_BACK, str(second), user=MARA)
    assert (await world.told())["text"].startswith("Nothing is left of this to take")
    assert len(world.base.rows("SELECT id FROM runs")) == 2


async def test_a_paused_run_is_continued(world: World) -> None:
    """Continue lets the run go on; a second click is told that it does."""
    await world.rows.asked(SALES, ROOT, state=RunState.PAUSED)
    await world.base.tamper("UPDATE steps SET open = 0, closed_at = started_at")
    await world.click(ids.CONTINUE, "run_1")
    assert state(world) == RunState.PLANNING.value
    await world.click(ids.CONTINUE, "run_1", channel=SALES)
    assert (await world.told())["text"] == to_people.GOES_ON


async def test_what_expired_is_asked_again(world: World) -> None:
    """Ask again on a card that expired puts its action back to be judged."""
    dm, ts = await world.card(state=QuestionState.EXPIRED, action=ActionState.EXPIRED)
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=ids.ASK_AGAIN)
    assert world.base.rows("SELECT state FROM actions") == [{"state": ActionState.PLANNED.value}]


async def test_undo(world: World) -> None:
    """Undo takes back what the line is about, once: a second click is told that it is gone."""
    book = MemoryService(store=world.base.store, clock=world.base.clock)
    kept = await book.save(Requester(team=TEAM, user=MARA), "Dana likes oak", key="k", label=Label.OWNER)
    await world.rows.asked(SALES, ROOT)
    await world.rows.action(undo=Undo("memory", kept.id), state=ActionState.COMPLETED)
    await world.click(ids.UNDO, "act_1")
    assert world.base.rows("SELECT undo FROM actions") == [{"undo": str(UNDONE)}]
    await world.click(ids.UNDO, "act_1", channel=SALES)
    assert (await world.told())["text"] == to_people.GONE_ALREADY


async def test_a_memory_on_app_home_is_forgotten(world: World) -> None:
    """Forget erases it."""
    book = MemoryService(store=world.base.store, clock=world.base.clock)
    mara = Requester(team=TEAM, user=MARA)
    kept = await book.save(mara, "Dana likes oak", key="k", label=Label.OWNER)
    await world.click(ids.FORGET, kept.id)
    assert list(await book.search(mara, "oak", limit=5)) == []


async def test_everything_is_stopped_from_app_home(world: World) -> None:
    """Stop what is under way ends the person's runs."""
    await world.rows.asked(SALES, ROOT, state=RunState.QUEUED)
    await world.base.tamper("UPDATE steps SET open = 0, closed_at = started_at")
    await world.click(ids.STOP_MINE, "all")
    assert state(world) == RunState.CANCELLED.value


async def test_a_schedule_is_paused_and_another_ones_is_not(world: World) -> None:
    """Pause reaches the schedule of the person who clicked; somebody else's click changes nothing and is told."""
    due = world.base.clock.now()
    async with world.base.store.write() as work:
        await work.schedules.add(reminder(due, next_fire=due))
    await world.click(ids.SCHEDULE_PAUSE, "sch_1", user=DANA)
    assert "Nothing was changed" in (await world.told())["text"]
    await world.click(ids.SCHEDULE_PAUSE, "sch_1")
    assert world.base.rows("SELECT state FROM schedules") == [{"state": "paused"}]


async def test_a_reminder_is_done(world: World) -> None:
    """Done is kept, and the message says so; its buttons are gone."""
    due = world.base.clock.now()
    async with world.base.store.write() as work:
        await work.schedules.add(reminder(due))
    await world.click("alarm_done", f"sch_1@{due.isoformat()}")
    assert world.codes() == ["alarm.answered"]
    dm = await world.slack.dm(MARA)
    await world.slack.until(lambda: "Done." in str(world.slack.ours(dm)))
    assert "button" not in str(world.slack.ours(dm))


@pytest.mark.parametrize(
    ("action_id", "value", "expected"),
    [
        ("question_option_2", "q_1.n", ("q_1.n", 2)),
        ("question_option", "q_1.n.12", ("q_1.n", 12)),
        ("question_option", "q_1.n.x", ("q_1.n", None)),
        ("question_option_x", "q_1.n", ("q_1.n", None)),
        ("question_option_9999", "q_1.n", ("q_1.n", None)),
    ],
)
def test_an_option_is_read(action_id: str, value: str, expected: tuple[str, int | None]) -> None:
    """A button names its answer by its action's id, a menu by its value; what we never made names none."""
    assert ids.option_of(action_id, value) == expected
    assert re.fullmatch(ids.OPTION_ACTION, action_id) is not None or expected[1] is None


async def test_a_tools_question_is_answered(world: World) -> None:
    """The option that was chosen is the answer."""
    result = Result(data={"found": 1}, summary="It is her.", label=Label.OWNER)
    options = [AnswerOption(label=name, value=name, detail="", result=result) for name in ("Helen Ito", "H. Marsh")]
    payload = AnswerPayload(text="Which one?", private=False, options=options)
    await world.card(kind=QuestionKind.ANSWER, payload=payload)
    dm = await world.slack.dm(MARA)
    (card,) = world.slack.ours(dm)
    await world.slack.act("click", user=MARA, channel=dm, message_ts=card["ts"], action_id="question_option_1")
    (decided,) = world.base.rows("SELECT state, reason FROM questions")
    assert decided == {"state": QuestionState.DECIDED.value, "reason": "H. Marsh"}
