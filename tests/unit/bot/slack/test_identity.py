from __future__ import annotations

from typing import Any

import pytest

from bot.runtime.runs.intake import Incoming
from bot.runtime.runs.shared_files import SharedFile
from bot.slack.identity import Deleted, Identity
from tests.unit.bot.slack.cases import BOT, MARA, SALES, TEAM, WORKSPACE


def body(**event: Any) -> dict[str, Any]:
    said = {"type": "message", "channel": SALES, "user": MARA, "text": "hi", "ts": "1700000000.000100"}
    return {"team_id": TEAM, "event_id": "Ev1", "event": {**said, **event}}


@pytest.fixture
def identity() -> Identity:
    return Identity(workspace=WORKSPACE, name_of=lambda team, user: None)


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
    "a wrong type": {"user": 7, "ts": {}},
}


@pytest.mark.parametrize("event", NOBODY.values(), ids=NOBODY)
def test_what_starts_nothing(identity: Identity, event: dict[str, Any]) -> None:
    """Bots, edits, our own messages and system lines are none of our business."""
    assert identity.incoming(body(**event)) is None


@pytest.mark.parametrize("subtype", ["file_share", "me_message", "thread_broadcast"])
def test_what_is_kept(identity: Identity, subtype: str) -> None:
    """A file, a `/me` and a reply that is sent to the channel too are messages; files are named."""
    said = identity.incoming(
        body(subtype=subtype, files=[{"name": "oak.pdf", "id": "F024BE7LH"}, {}, 3], thread_ts="1.0")
    )
    assert isinstance(said, Incoming)
    assert said.files == [SharedFile(name="oak.pdf", id="F024BE7LH"), SharedFile(name="a file")]
    assert said.thread_ts == "1.0"


def test_deletions(identity: Identity) -> None:
    """A deleted message is told, also when a thread keeps a tombstone in its place."""
    gone = Deleted(team=TEAM, channel=SALES, ts="5.0")
    assert identity.incoming(body(subtype="message_deleted", deleted_ts="5.0")) == gone
    tombstone = {"subtype": "tombstone", "ts": "5.0"}
    assert identity.incoming(body(subtype="message_changed", message=tombstone)) == gone


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
def test_what_a_deleted_message_may_have_been(identity: Identity, event: dict[str, Any], may_ask: bool) -> None:
    """Talk at the top of a channel and posts of bots asked the agent for nothing; in a direct message all may have."""
    told = body(subtype="message_deleted", deleted_ts="5.0", previous_message=event)
    assert identity.incoming(told) == Deleted(team=TEAM, channel=SALES, ts="5.0", may_ask=may_ask)
    in_dm = body(subtype="message_deleted", deleted_ts="5.0", previous_message=event, channel="D0MARA")
    mine = event.get("user") == BOT or "bot_id" in event
    assert identity.incoming(in_dm) == Deleted(team=TEAM, channel="D0MARA", ts="5.0", may_ask=not mine)


def test_outsiders_are_marked(identity: Identity) -> None:
    """A shared channel or an author of another workspace is external; our own people are not."""
    for event in ({"user_team": "T0OTHER"}, {"source_team": "T0OTHER"}):
        said = identity.incoming(body(**event))
        assert isinstance(said, Incoming)
        assert said.external
    shared = identity.incoming(body() | {"is_ext_shared_channel": True})
    assert isinstance(shared, Incoming)
    assert shared.external
    ours = identity.incoming(body(user_team=TEAM))
    assert isinstance(ours, Incoming)
    assert not ours.external


def test_the_installed_team_counts(identity: Identity) -> None:
    """In a shared channel the event's own team may be another one; ours is in its authorizations."""
    said = identity.incoming(body() | {"team_id": "T0OTHER", "authorizations": [{"team_id": TEAM}]})
    assert isinstance(said, Incoming)
    assert said.team == TEAM
