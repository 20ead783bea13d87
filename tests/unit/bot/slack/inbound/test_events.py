"""Events from Slack: what is said, App Home, and changes of people."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.connections import Connection
from bot.domain.events import HomeChanged, RunMoved
from bot.domain.runs import RunState
from bot.runtime.runs.incoming import Incoming, SharedFile
from bot.slack.connection.schema import Malformed
from bot.slack.inbound.events import MessageDeleted, MessageEdited, MessageReader
from tests.builders import NOW
from tests.unit.bot.slack.cases import BOT, DANA, MARA, SALES, TEAM, WORKSPACE
from tests.unit.bot.slack.connected import World


def body(**event: Any) -> dict[str, Any]:
    said = {"type": "message", "channel": SALES, "user": MARA, "text": "hi", "ts": "1700000000.000100"}
    return {"team_id": TEAM, "event_id": "Ev1", "event": {**said, **event}}


@pytest.fixture
def reader() -> MessageReader:
    return MessageReader(workspace=WORKSPACE, name_of=lambda team, user: None)


NOBODY: dict[str, dict[str, Any]] = {
    "a bot": {"bot_id": "B1"},
    "an app acting for a person": {"bot_profile": {"id": "B1"}},
    "ourselves": {"user": BOT},
    "slackbot": {"user": "USLACKBOT"},
    "nobody": {"user": ""},
    "an edit": {"subtype": "message_changed", "message": {"ts": "1.0"}},
    "a join": {"subtype": "channel_join"},
    "a bot message": {"subtype": "bot_message"},
    "something hidden": {"hidden": True},
    "no timestamp": {"ts": ""},
    "nulls": {"user": None, "text": None, "bot_id": None, "blocks": None, "files": None},
}


@pytest.mark.parametrize("event", NOBODY.values(), ids=NOBODY)
def test_what_starts_nothing(reader: MessageReader, event: dict[str, Any]) -> None:
    """Bots, edits, our own messages and system lines are none of our business."""
    assert reader.parse(body(**event)) is None


@pytest.mark.parametrize("subtype", ["file_share", "me_message", "thread_broadcast"])
def test_what_is_kept(reader: MessageReader, subtype: str) -> None:
    """A file, a `/me` and a reply that is sent to the channel too are messages; files are named."""
    said = reader.parse(body(subtype=subtype, files=[{"name": "oak.pdf", "id": "F024BE7LH"}, {}, 3], thread_ts="1.0"))
    assert isinstance(said, Incoming)
    assert said.files == [
        SharedFile(name="oak.pdf", id="F024BE7LH", is_own=True),
        SharedFile(name="a file", is_own=True),
    ]
    assert said.thread_ts == "1.0"


def test_deletions(reader: MessageReader) -> None:
    """A deleted message is told, also when a thread keeps a tombstone in its place."""
    gone = MessageDeleted(team=TEAM, channel=SALES, ts="5.0")
    assert reader.parse(body(subtype="message_deleted", deleted_ts="5.0")) == gone
    tombstone = {"subtype": "tombstone", "ts": "5.0"}
    assert reader.parse(body(subtype="message_changed", message=tombstone)) == gone


@pytest.mark.parametrize(
    ("event", "may_ask"),
    [
        ({"text": "hi", "user": MARA}, False),
        ({"text": f"<@{BOT}> hi", "user": MARA}, True),
        ({"text": "hi", "user": MARA, "thread_ts": "1.0"}, True),
        ({"text": f"<@{BOT}> hi", "user": BOT}, False),
        ({"text": f"<@{BOT}> hi", "bot_id": "B1"}, False),
    ],
    ids=["talk", "a mention", "in a thread", "our own", "a bot's"],
)
def test_what_a_deleted_message_may_have_been(reader: MessageReader, event: dict[str, Any], may_ask: bool) -> None:
    """Talk at the top of a channel and posts of bots asked the agent for nothing; in a direct message all may have."""
    told = body(subtype="message_deleted", deleted_ts="5.0", previous_message=event)
    assert reader.parse(told) == MessageDeleted(team=TEAM, channel=SALES, ts="5.0", may_ask=may_ask)
    in_dm = body(subtype="message_deleted", deleted_ts="5.0", previous_message=event, channel="D0MARA")
    mine = event.get("user") == BOT or "bot_id" in event
    assert reader.parse(in_dm) == MessageDeleted(team=TEAM, channel="D0MARA", ts="5.0", may_ask=not mine)


@pytest.mark.parametrize(
    ("sent", "external"),
    [
        (body(user_team="T0OTHER"), True),
        (body(source_team="T0OTHER"), True),
        (body() | {"is_ext_shared_channel": True}, True),
        (body(user_team=TEAM), False),
    ],
)
def test_outsiders_are_marked(reader: MessageReader, sent: dict[str, Any], external: bool) -> None:
    """A shared channel or an author of another workspace is external; our own people are not."""
    said = reader.parse(sent)
    assert isinstance(said, Incoming)
    assert said.external is external


def test_the_installed_team_counts(reader: MessageReader) -> None:
    """In a shared channel the event's own team may be another one; ours is in its authorizations."""
    said = reader.parse(body() | {"team_id": "T0OTHER", "authorizations": [{"team_id": TEAM}]})
    assert isinstance(said, Incoming)
    assert said.team == TEAM


def test_edits(reader: MessageReader) -> None:
    """A person's message with another text was edited; one whose links unfolded, and a bot's, were not."""

    def edit(**after: Any) -> dict[str, Any]:
        return body(subtype="message_changed", message={"ts": "5.0", "user": MARA, "text": "b", **after},
                    previous_message={"ts": "5.0", "text": "a"})  # fmt: skip

    assert reader.parse(edit()) == MessageEdited(team=TEAM, channel=SALES, ts="5.0")
    assert reader.parse(edit(text="a")) is None
    assert reader.parse(edit(bot_id="B1")) is None


WRONG: list[Any] = [
    ({"user": 7}, "event.user"),
    ({"ts": {}}, "event.ts"),
    ({"blocks": "x"}, "event.blocks"),
    ({"files": 5}, "event.files"),
    ({"files": [{"name": []}]}, "event.files.0.name"),
    ({"message": "x"}, "event.message"),
    ({"hidden": "yes"}, "event.hidden"),
    ({"blocks": [{"type": "rich_text", "elements": [{"type": "text", "text": {}}]}]},
     "event.blocks.0.elements.0.text"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "field"), WRONG)
def test_a_wrong_type_is_refused(reader: MessageReader, event: dict[str, Any], field: str) -> None:
    """What is wrong is named by its place, and never quoted."""
    with pytest.raises(Malformed) as refused:
        reader.parse(body(**event))
    assert refused.value.fields == [field]


@pytest.mark.parametrize("nothing", [{}, {"event": None}, {"event": []}])
def test_no_event(reader: MessageReader, nothing: dict[str, Any]) -> None:
    """A body without an event is refused."""
    with pytest.raises(Malformed):
        reader.parse({"team_id": TEAM, **nothing})


# App Home ----------------------------------------------------------------------------------------------------------


async def test_home(world: World) -> None:
    """The tab is there when it is opened, and is published again when something on it changed."""
    await world.rows.asked(SALES, "1700000000.000100")
    await world.slack.act("open_home", user=MARA, tab="messages")
    await world.slack.act("open_home", user=MARA, tab="home")
    await world.slack.until(lambda: world.slack.state["homes"].get(MARA))
    for event in (HomeChanged(TEAM, MARA), RunMoved("run_1", RunState.PLANNING)):
        before = len(world.slack.calls("views.publish"))
        world.core.bus.publish(HomeChanged(TEAM, DANA))  # who did not open it
        world.core.bus.publish(event)
        await world.slack.until(lambda before=before: len(world.slack.calls("views.publish")) > before)
    assert [call["user_id"] for call in world.slack.calls("views.publish")] == [MARA] * 3


# Changes of people -------------------------------------------------------------------------------------------------


async def connected(world: World) -> None:
    """Mara has an account connected."""
    account = Connection(
        team=TEAM,
        user=MARA,
        provider="google",
        account="a1",
        email="mara@fernhill.example",
        secret="s",
        scopes=frozenset(),
    )
    async with world.base.store.write() as work:
        await work.connections.save(account, at=NOW)


async def test_a_person_who_left_is_known_at_once(world: World) -> None:
    """Their requests stop and their account goes, though a profile is kept for five minutes."""
    await connected(world)
    await world.rows.asked(SALES, "1700000000.000100", state=RunState.QUEUED)
    await world.base.tamper("UPDATE steps SET open = 0, closed_at = started_at")
    await world.slack.act("user", user=MARA, deleted=True)
    await world.slack.until(lambda: world.base.rows("SELECT state FROM runs") == [{"state": "cancelled"}])
    assert world.base.rows("SELECT * FROM connections") == []


async def test_the_bot_was_removed(world: World) -> None:
    """Every account of the workspace goes with the app."""
    await connected(world)
    await world.slack.act("uninstall")
    await world.slack.until(lambda: world.slack.acknowledged() >= 2)
    assert world.base.rows("SELECT * FROM connections") == []
    assert "connection.disconnected" in world.codes()


async def test_a_persons_token_is_not_the_bots(world: World) -> None:
    """A token of a person that is revoked takes nothing away."""
    await connected(world)
    event = {"type": "tokens_revoked", "tokens": {"oauth": [MARA]}, "event_ts": "1.0"}
    world.slack.emulator.workspace.tell(event)
    await world.slack.until(lambda: world.slack.acknowledged() >= 1)
    assert len(world.base.rows("SELECT * FROM connections")) == 1


def test_files_of_what_was_forwarded_or_chosen_are_not_its_senders_own(reader: MessageReader) -> None:
    """A person forwards a message, or chooses one: neither is their word."""
    forwarded = {"is_share": True, "channel_id": "C1", "ts": "1.0", "files": [{"name": "tea.txt", "id": "F2"}]}
    said = body(files=[{"name": "oak.pdf", "id": "F1"}], attachments=[forwarded])
    incoming = reader.parse(said)
    assert isinstance(incoming, Incoming)
    assert [(file.id, file.is_own) for file in incoming.files] == [("F1", True), ("F2", False)]
    chosen = reader.chosen(
        {
            "type": "message_action",
            "team": {"id": TEAM},
            "user": {"id": DANA},
            "channel": {"id": "C1"},
            "message_ts": "1.0",
            "trigger_id": "1.1",
            "response_url": "https://slack.example/answer",
            "message": said["event"],
        }
    )
    assert [(file.id, file.is_own) for file in chosen.files] == [("F1", False), ("F2", False)]
