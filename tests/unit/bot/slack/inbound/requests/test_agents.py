"""`/agent agents` and `/agent run` over Socket Mode: the list, the windows, and the thread in which an agent works."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import pytest

from bot.agents.catalog import AgentInfo
from bot.agents.definition import Input, InputType
from bot.agents.library import SHIPPED
from bot.agents.reader import read_file
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import DEFAULT_LIMITS
from bot.slack.inbound.requests.agents import LOOK_SECONDS
from bot.slack.views import agents, command
from bot.slack.views.blocks import VALUE
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.slack.cases import MARA, SALES, THEO
from tests.unit.bot.slack.connected import World

BRIEF = read_file(SHIPPED / "meeting_brief.yaml").definition
EVERY_KIND = {
    kind.name.lower(): Input(description=f"As {kind.value}.", type=kind, required=False) for kind in InputType
}


def info(name: str = "meeting_brief", *, lacks: str = "", **changes: Any) -> AgentInfo:
    definition = replace(BRIEF, name=name, **changes)
    return AgentInfo(definition=definition, tools=["gmail_search"], lacks=[lacks] if lacks else [])


MINER = info("a_miner", lacks="the tool dig", display_name="A miner")


def hired(world: World, *agents: AgentInfo) -> None:
    """These are the agents that there are."""
    known = cast("dict[str, AgentInfo]", world.catalog.agents)
    known.clear()
    known.update({one.definition.name: one for one in agents})


async def window(world: World, *, user: str = MARA) -> dict[str, Any]:
    """The window on top, once there is one."""
    await world.slack.until(lambda: world.slack.state["views"].get(user))
    return world.slack.state["views"][user][-1]


async def submit(world: World, view: Mapping[str, Any], **fields: str | None) -> dict[str, Any]:
    """Mara fills the window in and sends it."""
    kinds = {block["block_id"]: block["element"]["type"] for block in view["blocks"] if block["type"] == "input"}
    values = {
        name: {VALUE: {"selected_option": {"value": value}} if "select" in kinds[name] else {"value": value}}
        for name, value in fields.items()
    }
    return await world.slack.act("submit", user=MARA, view_id=view["id"], values=values)


async def typed_in(world: World, channel: str, text: str) -> str:
    return str(await world.slack.act("command", user=MARA, channel=channel, command="/agent", text=text))


# The list -------------------------------------------------------------------------------------------------------


async def test_the_list_says_what_each_does_and_what_it_lacks(world: World) -> None:
    listed = await world.command("agents")
    assert "*Reply polisher* (`reply_polisher`)" in listed
    assert "*Meeting brief* (`meeting_brief`): Prepares for one meeting" in listed
    assert "Tools: calendar_search, gmail_search, gmail_thread_read, search_memory." in listed
    assert "At most 12 steps and 5 minutes." in listed
    assert agents.HOW in listed
    hired(world, info(), MINER)
    listed = await world.command("agents")
    assert "Cannot be used here: it lacks the tool dig." in listed
    assert listed.index("Meeting brief") < listed.index("A miner"), "those that can be used come first"


async def test_no_agents_are_said_to_be_none(world: World) -> None:
    hired(world)
    assert agents.NOTHING in await world.command("agents")
    assert agents.NOTHING in await world.command("run")


async def test_a_long_list_has_pages_that_slack_takes(world: World) -> None:
    """Whatever the files say: every page is shorter than what a message holds, and has its way to the next."""
    hostile = {"display_name": "<!channel> &" * 20, "description": "<@U0DANA> & " * 500}
    lack = "the tool <x>" * 100
    hired(world, *(info(f"agent_{n}", lacks=lack if n % 2 else "", **hostile) for n in range(20)))
    pages = [agents.listed(list(world.catalog.agents.values()), page=page) for page in range(1, 22)]
    assert max(map(len, pages)) < 3_000
    assert not {mark for mark in ("<!channel>", "<@U0DANA>", "<x>") if mark in "".join(pages)}
    assert all(f"`agent_{n}`" in "".join(pages) for n in range(20))
    most = len(set(pages))
    assert f"Page 2 of {most}; `/agent agents page 3` shows another." in await world.command("agents page 2")
    assert pages[-1] == pages[most - 1], "behind the last there is none"
    assert f"Page 1 of {most}" in await world.command(f"agents page {'9' * 5_000}")


# The windows ----------------------------------------------------------------------------------------------------


async def test_a_window_has_a_field_for_each_input_and_begins_the_work(world: World) -> None:
    assert "message" not in await world.command("run meeting_brief"), "nothing stays in the conversation"
    view = await window(world)
    fields = [block for block in view["blocks"] if block["type"] == "input"]
    assert [(block["block_id"], block["label"]["text"], block["optional"]) for block in fields] == [
        ("meeting", "Meeting", False),
        ("focus", "Focus", True),
    ]
    (purpose, *_) = view["blocks"]
    assert purpose["text"]["text"].endswith("what to have ready. It only reads."), "what the model is told is left out"
    assert "in our direct messages" in json.dumps(view["blocks"])
    assert (await submit(world, view, meeting="Weekly sync"))["acked"]
    (run,) = world.base.rows("SELECT id, agent, inputs, user, limits, message_id FROM runs")
    assert (run["agent"], json.loads(run["inputs"]), run["user"]) == ("meeting_brief", {"meeting": "Weekly sync"}, MARA)
    assert json.loads(run["limits"])["tokens"] == DEFAULT_LIMITS.tokens
    (message,) = world.base.rows("SELECT typed, audience FROM messages")
    assert message == {"typed": "Weekly sync", "audience": "owner"}


async def test_its_thread_begins_in_the_persons_direct_messages(world: World) -> None:
    """With whose it is and what was filled in; replies below it and everything that is shown belong to it."""
    await world.command("run meeting_brief")
    await submit(world, await window(world), meeting="Weekly <!channel> sync")
    (run,) = world.base.rows("SELECT id FROM runs")
    await world.publisher.deliver(world.rows.delivery(DeliveryKind.OPENING, run["id"]))
    dm = await world.slack.dm(MARA)
    (said,) = world.slack.ours(dm)
    assert "Agent: Meeting brief" in json.dumps(said["blocks"])
    assert "Meeting: Weekly <!channel> sync" in json.dumps(said["blocks"])
    (thread,) = world.base.rows("SELECT channel, root_ts, is_dm FROM threads")
    assert thread == {"channel": dm, "root_ts": said["ts"], "is_dm": 1}
    (message,) = world.base.rows("SELECT channel, ts FROM messages")
    assert message == {"channel": dm, "ts": said["ts"]}


@pytest.mark.parametrize(("channel", "begins_in"), [(SALES, SALES), ("C0SHARED", ""), ("C0NOBODY", "")])
async def test_typed_in_a_channel_it_works_there_where_the_bot_is(world: World, channel: str, begins_in: str) -> None:
    """Else, and in a channel that others share, in direct messages."""
    rooms = {"C0SHARED": {"is_ext_shared": True}, "C0NOBODY": {"members": {MARA}}}
    for name, changes in rooms.items():
        room = world.slack.emulator.workspace.world.channel(SALES)
        world.slack.emulator.workspace.world.channels[name] = replace(room, id=name, **changes)
    await typed_in(world, channel, "run meeting_brief")
    view = await window(world)
    assert ("in this channel" if begins_in else "in our direct messages") in json.dumps(view["blocks"])
    await submit(world, view, meeting="Weekly sync")
    (thread,) = world.base.rows("SELECT channel, is_dm FROM threads")
    assert (thread["channel"], bool(thread["is_dm"])) == (begins_in, not begins_in)
    (message,) = world.base.rows("SELECT audience FROM messages")
    assert message["audience"] == ("channel" if begins_in else "owner")


@pytest.mark.parametrize("since", [{"is_ext_shared": True}, {"members": [MARA]}, {"is_archived": True}])
async def test_a_channel_that_cannot_be_used_any_more_is_told_and_nothing_is_lost(
    world: World, since: dict[str, object]
) -> None:
    """It was shared or archived, or the bot was removed, while the window was open: what was filled in stays there."""
    await typed_in(world, SALES, "run meeting_brief")
    view = await window(world)
    channels = world.slack.emulator.workspace.world.channels
    before = channels[SALES]
    channels[SALES] = replace(before, **since)
    said = await submit(world, view, meeting="Weekly sync")
    assert said["errors"] == {"meeting": agents.NOT_THERE_NOW}
    assert world.base.rows("SELECT id FROM runs") == []
    channels[SALES] = before
    assert (await submit(world, view, meeting="Weekly sync"))["acked"]
    assert len(world.base.rows("SELECT id FROM runs")) == 1


async def test_where_slack_does_not_say_it_works_in_direct_messages(world: World) -> None:
    await world.slack.fault(match={"path": "/api/conversations.info"}, kind="delay", seconds=LOOK_SECONDS + 0.3)
    assert "message" not in await typed_in(world, SALES, "run meeting_brief")
    assert "in our direct messages" in json.dumps((await window(world))["blocks"])


async def test_every_kind_of_input_is_filled_in(world: World) -> None:
    hired(world, info(inputs=EVERY_KIND))
    await world.command("run meeting_brief")
    view = await window(world)
    await submit(
        world,
        view,
        string=" a text ",
        number="2.5",
        integer="3",
        boolean="false",
        strings="one\n\n two \n",
        numbers="1\n2.5",
    )
    (run,) = world.base.rows("SELECT inputs FROM runs")
    assert json.loads(run["inputs"]) == {
        "string": "a text",
        "number": 2.5,
        "integer": 3,
        "boolean": False,
        "strings": ["one", "two"],
        "numbers": [1, 2.5],
    }


async def test_what_is_left_empty_is_not_given(world: World) -> None:
    hired(world, info(inputs=EVERY_KIND))
    await world.command("run meeting_brief")
    await submit(world, await window(world), string="  ")
    (run,) = world.base.rows("SELECT inputs FROM runs")
    assert json.loads(run["inputs"]) == {}


async def test_what_is_wrong_stands_at_its_field_and_nothing_begins(world: World) -> None:
    required = {name: replace(one, required=name == "string") for name, one in EVERY_KIND.items()}
    hired(world, info(inputs=required))
    await world.command("run meeting_brief")
    wrong = {"number": "two", "integer": "2.5", "numbers": "1\ntwo", "strings": "a\x00b"}
    answer = await submit(world, await window(world), string=" ", **wrong)
    assert answer["errors"] == {
        "string": "This is missing.",
        "number": "This must be a number.",
        "integer": "This must be a whole number.",
        "numbers": "This must be a list of numbers.",
    }
    answer = await submit(world, await window(world), string="x", number="", integer="", numbers="", strings="a\x00b")
    assert answer["errors"] == {"strings": "This has a control character (U+0000); leave it out."}
    assert world.base.rows("SELECT id FROM runs") == []


async def test_without_a_name_there_is_a_choice(world: World) -> None:
    assert "message" not in await world.command("run")
    view = await window(world)
    (menu,) = [block for block in view["blocks"] if block["type"] == "input"]
    assert [option["value"] for option in menu["element"]["options"]] == [
        "meeting_brief",
        "reply_polisher",
        "week_review",
    ]
    await submit(world, view, agent="week_review")
    form = await window(world)
    assert form["title"]["text"] == "Week review"
    await submit(world, form, first_day="2026-11-23")
    (run,) = world.base.rows("SELECT agent, inputs FROM runs")
    assert (run["agent"], json.loads(run["inputs"])) == ("week_review", {"first_day": "2026-11-23"})


async def test_a_choice_of_many_says_how_to_have_the_others(world: World) -> None:
    hired(world, *(info(f"agent_{n:03}") for n in range(120)))
    await world.command("run")
    view = await window(world)
    assert len(view["blocks"][0]["element"]["options"]) == 100
    assert "20 more" in json.dumps(view["blocks"])


UNUSABLE = {
    "run scout": "There is no agent “scout”. Nothing began. `/agent agents` lists them.",
    "run meeting brif": "Did you mean “meeting_brief”? Nothing began.",
    "run <!channel>": "There is no agent “&lt;!channel&gt;”.",
    "run a_miner": "cannot be used here: it lacks the tool dig. Nothing began. `/agent agents`",
}


@pytest.mark.parametrize(("text", "said"), UNUSABLE.items())
async def test_an_agent_that_cannot_be_used_is_said_to_be_so(world: World, text: str, said: str) -> None:
    """And what to do next; no window opens."""
    hired(world, info(), MINER)
    assert said in await world.command(text)
    assert world.slack.calls("views.open") == []


async def test_an_agent_that_is_gone_meanwhile_begins_nothing(world: World) -> None:
    await world.command("run meeting_brief")
    view = await window(world)
    hired(world, info(lacks="the tool ls"))
    await submit(world, view, meeting="Weekly sync")
    assert "it lacks the tool ls. Nothing began." in json.dumps((await window(world))["blocks"])
    hired(world)
    assert world.base.rows("SELECT id FROM runs") == []


async def test_a_window_sent_twice_begins_one(world: World) -> None:
    """Slack sends it again where the first answer was lost."""
    await world.command("run meeting_brief")
    view = await window(world)
    await world.slack.settings(ack_seconds=0.0)
    await submit(world, view, meeting="Weekly sync")
    await world.slack.settings(ack_seconds=PATIENCE_SECONDS)
    await submit(world, view, meeting="Weekly sync")
    assert len(world.base.rows("SELECT id FROM runs")) == 1


async def test_what_was_not_saved_says_so(world: World) -> None:
    await world.command("run meeting_brief")
    async with world.full("runs"):
        answer = await submit(world, await window(world), meeting="Weekly sync")
    assert answer["errors"] == {"meeting": command.NOT_SAVED}
    await submit(world, await window(world), meeting="Weekly sync")
    assert len(world.base.rows("SELECT id FROM runs")) == 1


async def test_an_agent_without_inputs_begins_with_a_press(world: World) -> None:
    """And where that is not saved, the window says so in the place of a field."""
    hired(world, info(inputs={}))
    await world.command("run meeting_brief")
    view = await window(world)
    async with world.full("runs"):
        await submit(world, view)
    assert command.NOT_SAVED in json.dumps((await window(world))["blocks"])
    assert world.base.rows("SELECT id FROM runs") == []
    await world.command("run meeting_brief")
    await submit(world, world.slack.state["views"][MARA][-1])
    assert len(world.base.rows("SELECT id FROM runs")) == 1


async def test_guests_have_no_agents(world: World) -> None:
    assert command.GUESTS in await world.command("run meeting_brief", user=THEO)
    assert command.GUESTS in await world.command("agents", user=THEO)


async def test_who_became_a_guest_meanwhile_begins_nothing(world: World) -> None:
    await world.command("run meeting_brief")
    view = await window(world)
    before = world.slack.acknowledged()
    await world.slack.act("user", user=MARA, is_restricted=True)
    await world.slack.until(lambda: world.slack.acknowledged() > before)
    await submit(world, view, meeting="Weekly sync")
    assert command.GUESTS in json.dumps((await window(world))["blocks"])
    assert world.base.rows("SELECT id FROM runs") == []


async def test_a_window_that_did_not_open_in_time_is_told(world: World) -> None:
    await world.slack.fault(match={"path": "/api/views.open"}, kind="ok_false", error="expired_trigger_id")
    await world.command("run meeting_brief")
    await world.slack.until(lambda: agents.NOT_OPENED in json.dumps(world.slack.entries(), ensure_ascii=False))
