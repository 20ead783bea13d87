"""Socket Mode, events and interactivity, received by an unchanged bolt app."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any

import aiohttp
import pytest

from playground import people
from playground.slack.settings import WATCHED_PAUSES, Settings
from tests.contract.playground.slack.clients import Bot, Slack, eventually
from tests.patience import PATIENCE_SECONDS

GENERAL = "C0GENERAL"
DM = "D0MARA"
MENTION = f"<@{people.BOT_USER_ID}>"


def kinds(bodies: list[dict[str, Any]]) -> list[str]:
    return [body["event"]["type"] for body in bodies]


async def test_mention_comes_twice(slack: Slack, bot: Bot) -> None:
    """One mention is an app_mention and a message.channels with the same ts and different event ids."""
    said = await slack.act("message", user="U0MARA", channel=GENERAL, text=f"{MENTION} hello")
    heard = await bot.until(2)
    assert sorted(kinds(heard)) == ["app_mention", "message"]
    assert {body["event"]["ts"] for body in heard} == {said["ts"]}
    assert len({body["event_id"] for body in heard}) == 2
    assert {body["authorizations"][0]["user_id"] for body in heard} == {people.BOT_USER_ID}
    assert bot.retries == ["0", "0"]


async def test_direct_message(slack: Slack, bot: Bot) -> None:
    """A direct message arrives once, as message.im, escaped as Slack escapes, with the rich text that was typed."""
    text = "Write to dana@acme.example & <friends>: *today*"
    await slack.act("message", user="U0MARA", channel=DM, text=text)
    event = (await bot.until(1))[0]["event"]
    assert event["channel_type"] == "im"
    assert event["text"] == "Write to <mailto:dana@acme.example|dana@acme.example> &amp; &lt;friends&gt;: *today*"
    parts = event["blocks"][0]["elements"][0]["elements"]
    assert parts[1] == {"type": "link", "url": "mailto:dana@acme.example", "text": "dana@acme.example"}
    assert parts[-1] == {"type": "text", "text": "today", "style": {"bold": True}}


async def test_own_messages_echo(slack: Slack, bot: Bot) -> None:
    """The bot's own messages come back as events, which bolt keeps from its listeners but acknowledges."""
    await slack.web.chat_postMessage(channel=GENERAL, text="I said this")
    await slack.act("message", user="U0MARA", channel=DM, text="after")
    await bot.until(1)
    envelopes = await slack.entries("/link/event/message.channels")
    sent, acked = envelopes[0], envelopes[1]
    assert sent["request"]["payload"]["event"]["bot_id"] == people.BOT_ID
    assert acked["request"]["envelope_id"] == sent["request"]["envelope_id"]
    assert kinds(bot.heard) == ["message"]


async def test_redelivery(slack: Slack, bot: Bot) -> None:
    """An event that was not acknowledged comes again with its number and reason, under the same event id."""
    await slack.admin("settings", ack_seconds=1.0)
    bot.broken = 2
    await slack.act("message", user="U0MARA", channel=DM, text="hello")
    await eventually(lambda: len(bot.retries) == 2)
    await slack.admin("settings", ack_seconds=PATIENCE_SECONDS)
    await bot.until(1)
    assert bot.retries == ["0", "1", "2"]
    sent = [entry["request"] for entry in await slack.entries("/link/event") if entry["direction"] == "out"]
    assert [(one["retry_attempt"], one["retry_reason"]) for one in sent] == [(0, ""), (1, "timeout"), (2, "timeout")]
    assert len({one["payload"]["event_id"] for one in sent}) == 1
    assert len({one["envelope_id"] for one in sent}) == 3


async def test_gives_up(slack: Slack, bot: Bot) -> None:
    """After three retries Slack gives up, and the log says so."""
    await slack.admin("settings", ack_seconds=0.05)
    bot.broken = 99
    await slack.act("message", user="U0MARA", channel=DM, text="hello")
    await eventually(lambda: len(bot.retries) == 4)
    assert await slack.noted("GAVE UP")


async def test_retries_come_after_pauses(slack: Slack, bot: Bot) -> None:
    """Each retry waits as long as its number says, and the last pause counts for all that follow."""
    await slack.admin("settings", ack_seconds=0.05, retry_seconds=None, retry_pauses=[0.0, 0.1, 0.3])
    bot.broken = 99
    await slack.act("message", user="U0MARA", channel=DM, text="hello")
    await eventually(lambda: len(bot.retries) == 4)
    at = [datetime.fromisoformat(one["at"]) for one in await slack.entries("/link/event") if one["direction"] == "out"]
    first, second, third = (after - before for before, after in pairwise(at))
    assert first < second < third
    assert third.total_seconds() >= 0.3


def test_slacks_own_pauses() -> None:
    """At once, after one minute, after five; whoever watches the page waits less, and a test as long as it says."""
    assert [Settings().pause(retry) for retry in (1, 2, 3, 4)] == [0, 60, 300, 300]
    assert [Settings(retry_pauses=WATCHED_PAUSES).pause(retry) for retry in (1, 2, 3)] == [1, 5, 15]
    assert Settings(retry_seconds=0.2).pause(3) == 0.2


async def test_offline_events_arrive_as_retries(slack: Slack) -> None:
    """What happened while nobody was connected arrives on connection, as a retry."""
    await slack.act("message", user="U0MARA", channel=DM, text="are you there?")
    async with Bot(slack) as bot:
        await bot.until(1)
    assert bot.retries == ["1"]


async def test_lost_connection(slack: Slack) -> None:
    """An event that a dying bot took but never acknowledged goes to the next one."""
    async with Bot(slack) as dying:
        dying.broken = 1
        await slack.act("message", user="U0MARA", channel=DM, text="hello")
        await eventually(lambda: bool(dying.retries))
    async with Bot(slack) as next_one:
        await next_one.until(1)
    assert next_one.retries == ["1"]


async def test_a_ticket_is_good_for_one_connection(slack: Slack) -> None:
    """Whoever comes with a ticket that was used, or with none, is turned away."""
    opened = await slack.web.apps_connections_open(app_token=people.APP_TOKEN)
    async with slack.session.ws_connect(opened["url"]) as first:
        assert (await first.receive_json())["type"] == "hello"
        for url in (opened["url"], opened["url"].partition("?")[0]):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await slack.session.ws_connect(url)


async def test_two_sockets_share(slack: Slack) -> None:
    """With several connections each event goes to one of them."""
    async with Bot(slack) as one, Bot(slack) as other:
        for number in range(4):
            await slack.act("message", user="U0MARA", channel=DM, text=f"{number}")
        await eventually(lambda: len(one.heard) + len(other.heard) == 4)
        assert one.heard
        assert other.heard


async def test_refresh(slack: Slack, bot: Bot) -> None:
    """Told to refresh, the client comes back by itself and loses nothing."""
    await slack.admin("disconnect", reason="refresh_requested")
    await slack.act("message", user="U0MARA", channel=DM, text="hello")
    await bot.until(1)
    assert len(await slack.entries("apps.connections.open")) == 2


async def test_abrupt_disconnect(slack: Slack, bot: Bot) -> None:
    """A fault cuts the connection just before a delivery, which arrives after the client came back."""
    await slack.admin("faults", kind="disconnect", match={"path": "message.im"})
    await slack.act("message", user="U0MARA", channel=DM, text="hello")
    await bot.until(1)


@pytest.mark.parametrize(("fault", "retries"), [("duplicate_event", ["0", "0"]), ("lose_ack", ["0", "1"])])
async def test_an_event_comes_twice(slack: Slack, bot: Bot, fault: str, retries: list[str]) -> None:
    """A duplicated event has one event id and no mark of a retry; one whose acknowledgement is lost comes again."""
    await slack.admin("settings", ack_seconds=1.0)
    await slack.admin("faults", kind=fault, match={"path": "message.im"})
    await slack.act("message", user="U0MARA", channel=DM, text="hello")
    await bot.until(1)
    await slack.admin("settings", ack_seconds=PATIENCE_SECONDS)
    heard = await bot.until(2)
    assert heard[0]["event_id"] == heard[1]["event_id"]
    assert bot.retries == retries


async def test_reorder(slack: Slack, bot: Bot) -> None:
    """A reordered event is overtaken by the next."""
    await slack.admin("faults", kind="reorder_events", match={"path": "message.im"}, seconds=PATIENCE_SECONDS)
    await slack.act("message", user="U0MARA", channel=DM, text="first")
    await slack.act("message", user="U0MARA", channel=DM, text="second")
    heard = await bot.until(2)
    assert [body["event"]["text"] for body in heard] == ["second", "first"]


async def test_edit_delete_and_threads(slack: Slack, bot: Bot) -> None:
    """Edits, deletions, replies and broadcasts arrive in Slack's forms."""
    said = await slack.act("message", user="U0MARA", channel=GENERAL, text="one")
    where = {"user": "U0MARA", "channel": GENERAL, "ts": said["ts"]}
    await slack.act("edit", **where, text="two")
    await slack.act("message", user="U0DANA", channel=GENERAL, text="re", thread_ts=said["ts"])
    await slack.act("message", user="U0DANA", channel=GENERAL, text="all", thread_ts=said["ts"], broadcast=True)
    await slack.act("delete", **where)
    heard = [body["event"] for body in await bot.until(5)]
    by_subtype = {event.get("subtype", "reply" if "thread_ts" in event else ""): event for event in heard}
    assert by_subtype["message_changed"]["message"]["text"] == "two"
    assert by_subtype["message_changed"]["previous_message"]["text"] == "one"
    assert by_subtype["reply"]["parent_user_id"] == "U0MARA"
    assert by_subtype["thread_broadcast"]["root"]["ts"] == said["ts"]
    assert by_subtype["message_deleted"]["deleted_ts"] == said["ts"]
    assert (await slack.act("edit", **(where | {"user": "U0DANA"}), text="x"))["ok"] is False


async def test_files_guests_and_bots(slack: Slack, bot: Bot) -> None:
    """A shared file is a file_share; a guest's message looks like anybody's; other bots have a bot_id."""
    files = [{"name": "plan.txt", "mimetype": "text/plain", "content": "hall 3"}]
    await slack.act("message", user="U0THEO", channel="C0SHOW", text="the plan", files=files)
    event = (await bot.until(1))[0]["event"]
    assert (event["subtype"], event["user"], event["files"][0]["size"]) == ("file_share", "U0THEO", 6)
    state = await slack.read("state")
    assert next(user for user in state["users"] if user["id"] == "U0THEO")["is_restricted"]


async def test_bot_stays_out_of_foreign_channels(slack: Slack, bot: Bot) -> None:
    """People post only where they are members."""
    refused = await slack.act("message", user="U0THEO", channel=GENERAL, text="hello")
    assert (refused["ok"], refused["error"]) == (False, "not_in_channel")


async def test_deactivated(slack: Slack, bot: Bot) -> None:
    """Somebody who is deactivated is deleted in users.info; what he wrote just before still arrives."""
    await slack.act("user", user="U0LUIS", deleted=True)
    await slack.act("message", user="U0LUIS", channel=GENERAL, text="bye")
    await bot.until(1)
    assert (await slack.web.users_info(user="U0LUIS"))["user"]["deleted"]


async def test_home_and_stop(slack: Slack, bot: Bot) -> None:
    """Opening the home and pressing Stop are events; Stop ends the thread's streams."""
    await slack.act("open_home", user="U0MARA", tab="messages")
    root = await slack.act("message", user="U0MARA", channel=DM, text="work")
    where = {"channel_id": DM, "thread_ts": root["ts"]}
    assert (await slack.act("stop_session", user="U0MARA", channel=DM, thread_ts=root["ts"]))["ok"] is False
    await slack.web.agents_sessions_setStatus(**where, status="processing")
    stream = await slack.web.chat_startStream(channel=DM, thread_ts=root["ts"], markdown_text="Working")
    await slack.act("stop_session", user="U0MARA", channel=DM, thread_ts=root["ts"])
    await eventually(lambda: "agent_session_stopped" in kinds(bot.heard))
    stopped = next(body["event"] for body in bot.heard if body["event"]["type"] == "agent_session_stopped")
    assert stopped["streaming_message_ts"] == [stream["ts"]]
    append = slack.web.chat_appendStream(channel=DM, ts=stream["ts"], markdown_text="more")
    assert await slack.error(append) == "stopped_by_user"
    assert bot.heard[0]["event"]["tab"] == "messages"


async def test_uninstall(slack: Slack, bot: Bot) -> None:
    """When the app is removed it hears of it, and its token is dead."""
    await slack.act("uninstall")
    await eventually(lambda: "tokens_revoked" in kinds(bot.heard))
    assert await slack.error(slack.web.auth_test()) == "token_revoked"


async def test_manifest(slack: Slack, bot: Bot) -> None:
    """Installed with a manifest, the app gets only the events and scopes that it names."""
    manifest: dict[str, Any] = {
        "features": {"slash_commands": []},
        "oauth_config": {"scopes": {"bot": ["chat:write", "im:history"]}},
        "settings": {"event_subscriptions": {"bot_events": ["app_mention", "message.im"]}},
    }
    await slack.admin("manifest", **manifest)
    await slack.act("message", user="U0MARA", channel=GENERAL, text=f"{MENTION} hello")
    said = await slack.act("message", user="U0MARA", channel=DM, text="hello")
    assert sorted(kinds(await bot.until(2))) == ["app_mention", "message"]
    assert await slack.error(slack.web.users_info(user="U0MARA")) == "missing_scope"
    where = {"channel_id": DM, "thread_ts": said["ts"]}
    answer = await slack.web.agents_sessions_setStatus(**where, status="processing")
    assert answer["warning"] == "missing_agent_session_stopped_event_subscription"
    refused = await slack.act("command", user="U0MARA", channel=DM, command="/agent", text="help")
    assert refused["error"] == "invalid_command"
