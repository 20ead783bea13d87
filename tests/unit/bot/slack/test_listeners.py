from __future__ import annotations

import asyncio

import pytest

from bot.domain.events import HomeChanged, RunMoved
from bot.domain.questions import Choice, QuestionKind
from bot.domain.runs import RunState
from bot.runtime.core.clicks import ClickOutcome
from bot.runtime.runs.intake import Admission
from bot.runtime.runs.stop import Halt
from bot.runtime.texts import to_people
from bot.slack.views import blocks as kit
from bot.slack.views import command
from bot.slack.views.blocks import Outgoing
from bot.slack.views.card import card
from bot.slack.views.notice import notice
from bot.store.errors import NotRead, NotSaved
from policies.types import TrustLevel
from tests.unit.bot.slack.cases import DANA, MARA, SALES, TEAM, THEO, card_view, notice_view, place
from tests.unit.bot.slack.world import World

BOT = "<@U0CSIGN>"


async def card_in_dm(world: World) -> tuple[str, str]:
    """A card of Mara's in her DM, as the publisher posts it."""
    dm = await world.slack.dm(MARA)
    view = card_view(place=place(channel=dm, is_dm=True))
    world.behind.queries.cards[view.question_id] = view
    return dm, await world.slack.web.post(dm, card(view), thread_ts=None, mark="x")


async def test_a_mention_is_one_message(world: World) -> None:
    """A mention arrives as two events; both carry the same words, and neither is delivered again."""
    ts = await world.slack.say(MARA, SALES, f"{BOT} write to <@{DANA}> about `code` & <https://x.example|oak>")
    await world.slack.until(lambda: world.behind.intake.tries == 2)
    [said] = world.behind.intake.said
    assert (said.team, said.channel, said.user, said.ts, said.thread_ts) == (TEAM, SALES, MARA, ts, None)
    assert said.text == f"write to <@{DANA}> about `code` & oak (https://x.example)"
    assert said.typed == f"write to <@{DANA}> about  & oak"
    assert said.mentions_agent
    assert not said.is_dm


async def test_a_direct_message(world: World) -> None:
    """What is written in the DM arrives as such."""
    dm = await world.slack.dm(MARA)
    await world.slack.say(MARA, dm, "Hello\n> quoted words\nthere")
    await world.slack.until(lambda: world.behind.intake.said)
    [said] = world.behind.intake.said
    assert said.is_dm
    assert said.typed == "Hello\nthere"


async def test_a_word_about_oneself(world: World) -> None:
    """What is said with `/me` is said, and has no blocks."""
    dm = await world.slack.dm(MARA)
    await world.slack.say(MARA, dm, "wonders what is on tomorrow", me=True)
    await world.slack.until(lambda: world.behind.intake.said)
    [said] = world.behind.intake.said
    assert (said.text, said.elements) == ("wonders what is on tomorrow", [])


async def test_what_was_not_saved_comes_again(world: World) -> None:
    """An event whose commit failed is not acknowledged, and Slack's second delivery is taken."""
    world.behind.disk.failures = 1
    await world.slack.say(MARA, await world.slack.dm(MARA), "once")
    await world.slack.until(lambda: world.behind.intake.said)
    assert world.behind.intake.tries == 2


async def test_a_request_that_is_edited_or_deleted(world: World) -> None:
    """A message whose text is changed, or that is taken back, is told to intake as that; an edit is no new message."""
    dm = await world.slack.dm(MARA)
    ts = await world.slack.say(MARA, dm, "once")
    await world.slack.act("edit", user=MARA, channel=dm, ts=ts, text="once")
    await world.slack.act("edit", user=MARA, channel=dm, ts=ts, text="twice")
    await world.slack.act("delete", user=MARA, channel=dm, ts=ts)
    await world.slack.until(lambda: world.behind.intake.gone)
    assert world.behind.intake.changed == [(TEAM, dm, ts)]
    assert world.behind.intake.gone == [(TEAM, dm, ts)]
    assert len(world.behind.intake.said) == 1


async def test_what_steers_is_heard(world: World) -> None:
    """Who says something to a run at work is told, in the thread and nobody else, that it goes on with this."""
    dm = await world.slack.dm(MARA)
    root = await world.slack.say(MARA, dm, "write to Dana")
    await world.slack.until(lambda: world.behind.intake.said)
    world.behind.intake.admission = Admission.STEERS
    await world.slack.say(MARA, dm, "and to Theo", thread_ts=root)
    await world.slack.until(lambda: world.slack.calls("chat.postEphemeral"))
    [sent] = world.slack.calls("chat.postEphemeral")
    assert (sent["user"], sent["thread_ts"], sent["text"]) == (MARA, root, to_people.HEARD)


@pytest.mark.parametrize(
    ("action", "deed"),
    [("run_continue", "continue"), ("run_try_again", "try again"), ("question_ask_again", "ask again")],
)
async def test_what_stopped_is_taken_up(world: World, action: str, deed: str) -> None:
    """Continue, Try again and Ask again are handed over with the place of the press; a refusal is told."""
    dm = await world.slack.dm(MARA)
    ts = await world.slack.web.post(dm, buttoned(action, "run_1"), thread_ts=None, mark="y")
    world.behind.resuming.outcome = ClickOutcome(accepted=False, text="It goes on already.")
    pressed = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=action)
    assert pressed["acked"]
    [(done, press)] = world.behind.resuming.deeds
    assert (done, press.team, press.user, press.value, press.channel, press.message_ts) == (
        deed, TEAM, MARA, "run_1", dm, ts,
    )  # fmt: skip
    await world.slack.until(lambda: world.slack.calls("chat.postEphemeral"))
    assert world.slack.calls("chat.postEphemeral")[0]["text"] == "It goes on already."


async def test_our_own_messages_start_nothing(world: World) -> None:
    """What we post comes back as an event and is dropped."""
    dm, _ = await card_in_dm(world)
    await world.slack.say(MARA, dm, "after")
    await world.slack.until(lambda: world.behind.intake.said)
    assert [said.text for said in world.behind.intake.said] == ["after"]


@pytest.mark.parametrize("choice", [Choice.APPROVE, Choice.REJECT])
async def test_a_choice(world: World, choice: Choice) -> None:
    """A press on a card is handed over with the place it was pressed in, and acknowledged."""
    dm, ts = await card_in_dm(world)
    pressed = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=f"question_{choice.value}")
    assert pressed["acked"]
    [click] = world.behind.questions.clicks
    assert (click.team, click.user, click.value, click.choice) == (TEAM, MARA, "qst_1.nonce", choice)
    assert (click.channel, click.message_ts) == (dm, ts)


async def test_a_choice_that_was_not_saved(world: World) -> None:
    """A press that could not be written down says so to the one who pressed."""
    dm, ts = await card_in_dm(world)
    world.behind.disk.failures = 1
    pressed = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="question_approve")
    assert pressed["acked"]
    await world.slack.until(lambda: world.slack.state["ephemerals"])
    assert command.NOT_SAVED in str(world.slack.state["ephemerals"])
    assert world.behind.questions.clicks == []


async def test_a_refused_choice_is_explained(world: World) -> None:
    """What the runtime says to a press is shown to the one who pressed, and nobody else."""
    dm, ts = await card_in_dm(world)
    world.behind.questions.outcome = ClickOutcome(accepted=False, text="Only <@U0DANA> can decide <this>.")
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="question_approve")
    await world.slack.until(lambda: world.slack.calls("chat.postEphemeral"))
    [sent] = world.slack.calls("chat.postEphemeral")
    assert (sent["user"], sent["text"]) == (MARA, "Only <@U0DANA> can decide &lt;this&gt;.")


def buttoned(action_id: str, value: str) -> Outgoing:
    return Outgoing(text="x", blocks=[kit.buttons("row", [kit.button("x", action_id, value)])])


async def test_show_everything(world: World) -> None:
    """The owner sees the whole card in a modal."""
    dm, _ = await card_in_dm(world)
    ts = await world.slack.web.post(dm, buttoned("show_all", "qst_1.nonce"), thread_ts=None, mark="y")
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="show_all")
    await world.slack.until(lambda: world.slack.state["views"].get(MARA))
    assert "ten benches, please" in str(world.slack.state["views"][MARA])


@pytest.mark.parametrize(("button", "wanted"), [("show_all", "show_all"), ("account_connect", "connect")])
@pytest.mark.parametrize(("user", "value"), [(DANA, "qst_1.nonce"), (MARA, "qst_1.guess"), (MARA, "qst_2.nonce")])
async def test_nobody_else_opens_what_a_card_offers(
    world: World, user: str, value: str, button: str, wanted: str
) -> None:
    """Somebody else, or a made-up value, opens nothing and gets no link; that goes into the log."""
    world.behind.queries.cards["qst_1"] = card_view(kind=QuestionKind.CONNECT)
    ts = await world.slack.web.post(SALES, buttoned(button, value), thread_ts=None, mark="y")
    await world.slack.act("click", user=user, channel=SALES, message_ts=ts, action_id=button)
    await world.slack.until(lambda: world.slack.state["ephemerals"])
    assert not world.slack.state["views"].get(user)
    assert world.behind.connecting.linked == []
    assert [(press.user, press.value, said) for press, said in world.behind.questions.turned] == [(user, value, wanted)]


async def test_a_guest_gets_no_link_to_connect(world: World) -> None:
    """A guest's press on Connect is refused and goes into the log; a member's opens the window with the link."""
    for user in (THEO, MARA):
        dm = await world.slack.dm(user)
        ts = await world.slack.web.post(dm, buttoned("account_connect", "google"), thread_ts=None, mark=user)
        await world.slack.act("click", user=user, channel=dm, message_ts=ts, action_id="account_connect")
    await world.slack.until(lambda: world.slack.state["views"].get(MARA))
    assert [person.user for person in world.behind.connecting.linked] == [MARA]
    assert world.behind.people.turned == [THEO]


async def test_a_button_that_nobody_knows(world: World) -> None:
    """A press on a button of an older version is acknowledged all the same."""
    ts = await world.slack.web.post(SALES, buttoned("older", "x"), thread_ts=None, mark="y")
    pressed = await world.slack.act("click", user=MARA, channel=SALES, message_ts=ts, action_id="older")
    assert pressed["acked"]


COMMANDS = {
    "": "I show you a card",
    "help": "I show you a card",
    "nonsense <!channel>": "I do not know “nonsense”",
    "status": "Your trust level is `supervised`",
    "trust": "Your trust level is `supervised`",
    "trust high": "There is no trust level “high”. Choose one of: supervised, delegated, autonomous.",
    "trust autonomous": "Mind what you do.",
    "allow": "Tell me one address",
    "allow dana": "is not a mail address",
    "allow dana@fernhill.example": "is on your list",
    "allow remove": "`/agent disallow` takes one off the list",
    "allow remove x@y.example": "is not on your list; /agent allow shows it. Nothing was changed",
    "disallow": "Your list:*\\n• dana@fernhill.example",
    "disallow <!channel>": "is not on your list; /agent allow shows it. Nothing was changed",
    "stop": "Stopping at the next safe point",
}


@pytest.mark.parametrize(("text", "expected"), COMMANDS.items())
async def test_commands(world: World, text: str, expected: str) -> None:
    """Every command answers whoever typed it, bad input too, and says what to do."""
    world.behind.stops.live = ["run_1"]
    answered = await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text=text)
    assert expected in str(answered)
    assert "<!channel>" not in str(answered.get("text"))


async def test_commands_take_effect(world: World) -> None:
    """Trust and allow are handed over."""
    await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text="trust delegated")
    await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text="allow dana@fernhill.example")
    assert world.behind.people.level is TrustLevel.DELEGATED
    assert "dana@fernhill.example" in world.behind.people.allowed[0]


@pytest.mark.parametrize("word", ["disallow", "Allow Remove"])
async def test_an_address_is_taken_off_the_list(world: World, word: str) -> None:
    """What was allowed is taken back by either word."""
    world.behind.people.allowed = ["dana@fernhill.example"]
    text = f"{word} dana@fernhill.example"
    answered = await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text=text)
    assert "is not on your list any more" in str(answered)
    assert world.behind.people.allowed == []


async def test_nothing_to_stop(world: World) -> None:
    """/agent stop says so when nothing runs."""
    answered = await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text="stop")
    assert "Nothing of yours is running" in str(answered)


async def test_a_command_that_was_not_saved(world: World) -> None:
    """A setting that could not be written down is answered so, and can be sent again."""
    world.behind.disk.failures = 1
    answered = await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text="trust delegated")
    assert command.NOT_SAVED_COMMAND in str(answered)


async def test_guests_have_no_commands(world: World) -> None:
    """A guest's command changes nothing."""
    answered = await world.slack.act("command", user=THEO, channel="C0SHOW", command="/agent", text="trust autonomous")
    assert command.GUESTS in str(answered)
    assert world.behind.people.level is TrustLevel.SUPERVISED


async def test_a_broken_listener_shows_no_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """When something breaks, a person gets a reference, and nothing of the error."""

    async def broken(team: str, user: str) -> None:
        raise RuntimeError("xoxb-secret")

    monkeypatch.setattr(world.behind.queries, "home", broken)
    answered = await world.slack.act("command", user=MARA, channel=SALES, command="/agent", text="status")
    assert "tell your administrator" in str(answered)
    assert "xoxb" not in str(answered)


async def test_a_broken_click_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A press that breaks something is acknowledged, and the one who pressed gets a reference, nothing of the error."""
    dm, ts = await card_in_dm(world)

    async def broken(click: object) -> None:
        raise RuntimeError("xoxb-secret")

    monkeypatch.setattr(world.behind.questions, "click", broken)
    pressed = await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="question_approve")
    assert pressed["acked"]
    await world.slack.until(lambda: world.slack.calls("chat.postEphemeral"))
    [sent] = world.slack.calls("chat.postEphemeral")
    assert (sent["channel"], sent["user"]) == (dm, MARA)
    assert "tell your administrator" in sent["text"]
    assert "xoxb" not in sent["text"]


@pytest.mark.parametrize("trouble", [NotSaved(), NotRead()])
async def test_an_undo_that_was_not_saved(world: World, trouble: Exception) -> None:
    """Whatever the store could not do, the one who pressed is told to press again."""
    ts = await world.slack.web.post(SALES, buttoned("undo", "act_1"), thread_ts=None, mark="y")
    world.behind.undoing.trouble = trouble
    assert (await world.slack.act("click", user=MARA, channel=SALES, message_ts=ts, action_id="undo"))["acked"]
    await world.slack.until(lambda: command.NOT_SAVED in str(world.slack.state["ephemerals"]))


async def test_home(world: World) -> None:
    """The tab is there when it is opened, and is published again when something on it changed."""
    await world.slack.act("open_home", user=MARA, tab="home")
    await world.slack.until(lambda: world.slack.state["homes"].get(MARA))
    world.behind.queries.put(place())
    for event in (HomeChanged(TEAM, MARA), RunMoved("run_1", RunState.PLANNING)):
        before = len(world.slack.calls("views.publish"))
        world.behind.bus.publish(event)
        await world.slack.until(lambda before=before: len(world.slack.calls("views.publish")) > before)
    count = len(world.slack.calls("views.publish"))
    world.behind.bus.publish(HomeChanged(TEAM, DANA))
    await asyncio.sleep(0.05)
    assert len(world.slack.calls("views.publish")) == count


async def test_the_stop_button(world: World) -> None:
    """Slack's Stop ends the person's runs of the thread and the session's status; a stranger's is refused.

    When the run had just ended by itself, that is said, and the status goes too.
    """
    ts = await world.slack.say(MARA, SALES, f"{BOT} work")
    await world.slack.web.session_status(SALES, ts, "processing")
    world.behind.stops.live = ["run_1"]
    await world.slack.act("stop_session", user=MARA, channel=SALES, thread_ts=ts)
    await world.slack.until(lambda: world.slack.state["sessions"][0]["status"] == "active")
    assert world.behind.stops.threads == [(TEAM, MARA, SALES, ts)]
    await world.slack.web.session_status(SALES, ts, "processing")
    await world.slack.act("stop_session", user=DANA, channel=SALES, thread_ts=ts)
    await world.slack.until(lambda: world.slack.state["ephemerals"])
    assert "Nothing is running" in str(world.slack.state["ephemerals"])
    await world.slack.until(lambda: world.slack.state["sessions"][0]["status"] == "active")
    await world.slack.web.session_status(SALES, ts, "processing")
    world.behind.stops.otherwise = Halt.NOT_YOURS
    await world.slack.act("stop_session", user=DANA, channel=SALES, thread_ts=ts)
    await world.slack.until(lambda: "Only the person who asked" in str(world.slack.state["ephemerals"]))
    assert world.slack.state["sessions"][0]["status"] != "active"


async def test_undo(world: World) -> None:
    """Undo is asked of the action that the line is about, once: a second press says that it is gone."""
    dm = await world.slack.dm(MARA)
    shown = notice(notice_view(place=place(channel=dm, is_dm=True)))
    ts = await world.slack.web.post(dm, shown, thread_ts=None, mark="x")
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="undo")
    assert [press.value for press in world.behind.undoing.pressed] == ["act_1"]
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="undo")
    await world.slack.until(lambda: "gone" in str(world.slack.state["ephemerals"]))


async def test_a_person_who_changed_is_known_at_once(world: World) -> None:
    """Slack tells of it, so that nobody acts for somebody who left within the five minutes that a profile is kept."""
    await world.slack.act("user", user=THEO, deleted=True)
    await world.slack.until(lambda: world.behind.stops.changed)
    [changed] = world.behind.stops.changed
    assert (changed.team, changed.user, changed.is_deleted) == (TEAM, THEO, True)


async def test_an_answer_is_chosen(world: World) -> None:
    """A button names its answer by its action's id, a menu by its value; both reach the runtime as that option."""
    dm = await world.slack.dm(MARA)
    ts = await world.slack.web.post(dm, buttoned("question_option_2", "q_1.n"), thread_ts=None, mark="x")
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id="question_option_2")
    [click] = world.behind.questions.clicks
    assert (click.choice, click.option, click.value) == (Choice.ANSWER, 2, "q_1.n")


@pytest.mark.parametrize(("action", "deed"), [("held_undo", "undo"), ("held_now", "now")])
async def test_what_waits_is_pressed(world: World, action: str, deed: str) -> None:
    """Undo and Send now reach the runtime with the run that waits."""
    dm = await world.slack.dm(MARA)
    ts = await world.slack.web.post(dm, buttoned(action, "run_1"), thread_ts=None, mark="x")
    await world.slack.act("click", user=MARA, channel=dm, message_ts=ts, action_id=action)
    assert world.behind.held.deeds == [(deed, "run_1")]
