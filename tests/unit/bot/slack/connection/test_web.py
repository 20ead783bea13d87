"""Slack's Web API as we call it, and who people are by its directory."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.domain.states import LostRace
from bot.redaction import REDACTED, Redactor
from bot.runtime.core.ports import NoSuchPerson
from bot.slack.connection.directory import FRESH_SECONDS, NobodyInSlack, SlackDirectory, UnknownPerson
from bot.slack.connection.errors import SlackBusy, SlackError, SlackRefused, SlackUnclear, WrongToken, away
from bot.slack.connection.secret_filter import SecretFilter
from bot.slack.connection.web import SlackWeb, installation, slack_client
from bot.slack.views.blocks import Outgoing
from bot.slack.views.notices import refusal
from tests.unit.bot.slack.cases import MARA, SALES, TEAM, THEO, WORKSPACE
from tests.unit.bot.slack.emulated import Slack

CANARY = "a-canary-of-the-installation"
MESSAGE = refusal("Your message had no text.")


async def post(slack: Slack, mark: str = "m", *, channel: str = SALES) -> str:
    return await slack.web.post(channel, MESSAGE, thread_ts=None, mark=mark)


async def test_the_installation(slack: Slack) -> None:
    """auth.test says which workspace this is and who we are in it; a wrong token names its variable."""
    assert await installation(slack.web) == WORKSPACE
    async with slack_client(token="xoxb-wrong", base_url=f"{slack.url}/api") as client:
        with pytest.raises(WrongToken, match="SLACK_BOT_TOKEN"):
            await installation(SlackWeb(client))


async def test_a_refusal_carries_its_code(slack: Slack) -> None:
    """ok: false is a refusal with Slack's own code; some pass by themselves, some mean that a message is gone."""
    with pytest.raises(SlackRefused) as refused:
        await slack.web.update(SALES, "1.000000", MESSAGE)
    assert (refused.value.code, refused.value.is_gone, refused.value.may_heal) == ("message_not_found", True, False)


UNFURLING = {"chat.postMessage", "chat.postEphemeral", "chat.startStream", "chat.update", "response_url"}
"""The methods that take `unfurl_links`, by Slack's reference; `chat.update` ignores it, since it unfurls nothing."""


async def test_nothing_that_is_sent_is_unfurled(slack: Slack) -> None:
    """Every way to send a text says so to Slack: posts, changes, whispers, streams, and answers to a click."""
    ts = await post(slack)
    await slack.web.update(SALES, ts, MESSAGE)
    await slack.web.post_ephemeral(SALES, MARA, "https://evil.example")
    stream = await slack.web.start_stream(SALES, ts, "https://evil.example", user=MARA, team=TEAM)
    await slack.web.append_stream(SALES, stream, "https://evil.example")
    await slack.web.stop_stream(SALES, stream)
    await slack.web.respond(slack.emulator.workspace.response_url(MARA, SALES), "https://evil.example")
    sent: dict[str, Any] = {
        "response_url" if "/response/" in entry["path"] else entry["path"].removeprefix("/api/"): entry["request"]
        for entry in slack.entries()
        if isinstance(entry["request"], dict) and entry["request"].keys() & {"text", "markdown_text", "blocks"}
    }
    assert set(sent) == UNFURLING | {"chat.appendStream"}
    for method in UNFURLING:
        assert (sent[method]["unfurl_links"], sent[method]["unfurl_media"]) == (False, False), method


async def test_no_secret_leaves(slack: Slack) -> None:
    """Whatever way a text takes to Slack, a secret in it is replaced; the first in each place is told."""
    told: list[tuple[str, str]] = []

    async def withheld(method: str, place: str) -> None:
        told.append((method, place))

    web = SlackWeb(slack.client, secrets=SecretFilter(Redactor([CANARY]), withheld))
    said = f"It is {CANARY}"
    message = Outgoing(text=said, blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": said}}])
    dm = await web.direct(MARA)
    ts = await web.post(SALES, message, thread_ts=None, mark="m")
    await web.update(SALES, ts, message)
    await web.post_ephemeral(SALES, MARA, said)
    root = await web.post(dm, MESSAGE, thread_ts=None, mark="d")
    stream = await web.start_stream(dm, root, said, user=MARA, team=TEAM)
    await web.append_stream(dm, stream, said)
    await web.stop_stream(dm, stream)
    await web.thread_status(SALES, ts, said)
    await web.publish_home(MARA, {"type": "home", "blocks": [*message.blocks]})
    await web.respond(slack.emulator.workspace.response_url(MARA, SALES), said)
    file = await web.upload(f"{CANARY}.json", b"{}")
    await web.share(file, said, said, SALES, thread_ts=None, is_held=lambda: True)
    sent = json.dumps([entry["request"] for entry in slack.entries()])
    assert CANARY not in sent
    assert sent.count(REDACTED) >= 12
    assert told == [
        ("chat.postMessage", SALES),
        ("chat.startStream", dm),
        ("views.publish", MARA),
        ("response_url", ""),
    ]
    assert web.cleared(f"{said}, {CANARY[:9]}") == f"It is {REDACTED}, "


@pytest.mark.parametrize(
    "said",
    [
        "invalid:\n1//0gLongRefreshToken-x",
        "invalid:\tsk-proj-0123456789_abcdef-XYZ",
        "—1//0gLongRefreshToken-x",
        json.dumps({"state": 'pass"word\\of ours'}),
    ],
)
async def test_no_secret_leaves_that_json_writes_otherwise(said: str) -> None:
    """A line end is letters in JSON, and what a window keeps is JSON within JSON: each text is looked at as it is."""
    secrets = SecretFilter(Redactor(['pass"word\\of ours']))
    view = {"type": "modal", "private_metadata": said, said: [said]}
    sent = await secrets.clear("views.open", {"view": view})
    assert json.dumps(sent).count(REDACTED) == 3


async def test_a_short_rate_limit_is_waited_out(slack: Slack) -> None:
    """One second is waited here; thirty are handed to the caller, with nothing posted."""
    await slack.fault(match={"path": "chat.postMessage"}, kind="rate_limit", seconds=1, times=1)
    await post(slack)
    await slack.fault(match={"path": "chat.postMessage"}, kind="rate_limit", seconds=30, times=1)
    with pytest.raises(SlackBusy) as busy:
        await post(slack)
    assert busy.value.seconds == 30
    assert len(slack.ours(SALES)) == 1


async def test_what_is_not_ours_any_more_is_not_sent(slack: Slack) -> None:
    """It is asked at every repetition as well, and what is ours goes on."""
    ts = await post(slack)
    with pytest.raises(LostRace):
        await slack.web.update(SALES, ts, refusal("Changed."), is_held=lambda: False)
    await slack.fault(match={"path": "chat.postMessage"}, kind="rate_limit", seconds=1, times=1)
    answers = [False, True]
    with pytest.raises(LostRace):
        await slack.web.post(SALES, MESSAGE, thread_ts=None, mark="m", is_held=answers.pop)
    assert answers == []
    assert [message["text"] for message in slack.ours(SALES)] == [MESSAGE.text]
    assert slack.calls("chat.update") == []
    await slack.web.update(SALES, ts, refusal("Changed."), is_held=lambda: True)
    assert len(slack.calls("chat.update")) == 1


async def test_a_rate_limit_stops_the_method(slack: Slack) -> None:
    """Until its time is over nobody posts to that channel; other channels and methods go on, and afterwards all do.
    However long it is to be, Slack is asked again after a minute.
    """
    await slack.fault(match={"path": "chat.postMessage"}, kind="rate_limit", seconds=30, times=1)
    now = [100.0]
    web = SlackWeb(slack.client, monotonic=lambda: now[0])
    for left in (30, 20):
        with pytest.raises(SlackBusy) as busy:
            await web.post(SALES, MESSAGE, thread_ts=None, mark="m")
        assert busy.value.seconds == left
        now[0] += 10
    assert (await web.profile(MARA))["id"] == MARA
    await web.post(await slack.dm(MARA), MESSAGE, thread_ts=None, mark="m")
    now[0] += 10
    await web.post(SALES, MESSAGE, thread_ts=None, mark="m")
    assert len(slack.ours(SALES)) == 1
    await slack.fault(match={"path": "chat.postMessage"}, kind="rate_limit", seconds=3600, times=1)
    with pytest.raises(SlackBusy):
        await web.post(SALES, MESSAGE, thread_ts=None, mark="m")
    now[0] += 60
    await web.post(SALES, MESSAGE, thread_ts=None, mark="m")
    assert len(slack.ours(SALES)) == 2


async def test_a_rate_limit_of_a_change_stops_all_changes(slack: Slack) -> None:
    """Changes are counted for the whole workspace."""
    now = [100.0]
    web = SlackWeb(slack.client, monotonic=lambda: now[0])
    places = [(channel, await post(slack, channel=channel)) for channel in (SALES, await slack.dm(MARA))]
    await slack.fault(match={"path": "chat.update"}, kind="rate_limit", seconds=30, times=1)
    for channel, ts in places:
        with pytest.raises(SlackBusy):
            await web.update(channel, ts, MESSAGE)
    assert len(slack.calls("chat.update")) == 1
    now[0] += 30
    for channel, ts in places:
        await web.update(channel, ts, MESSAGE)


@pytest.mark.parametrize("kind", ["drop_after", "drop_before", "status_after", "status"])
async def test_an_unclear_post_is_not_sent_again(slack: Slack, kind: str) -> None:
    """A broken connection or a 5xx at chat.postMessage is told as unclear, and never repeated by itself."""
    await slack.fault(match={"path": "chat.postMessage"}, kind=kind, status=503, times=1)
    with pytest.raises(SlackUnclear):
        await post(slack)
    assert len(slack.ours(SALES)) == (1 if kind.endswith("after") else 0)


@pytest.mark.parametrize("kind", ["drop_after", "drop_before", "status"])
async def test_a_repeatable_call_is_sent_again(slack: Slack, kind: str) -> None:
    """Looking somebody up survives one broken connection."""
    await slack.fault(match={"path": "users.info"}, kind=kind, status=503, times=1)
    assert (await slack.web.profile(MARA))["id"] == MARA


async def test_a_body_that_is_no_json(slack: Slack) -> None:
    """An answer that nobody can read is unclear, not a crash."""
    await slack.fault(match={"path": "chat.postMessage"}, kind="status_after", status=200, body="<html>", times=1)
    with pytest.raises(SlackUnclear):
        await post(slack)


async def test_a_post_is_found_by_its_mark(slack: Slack) -> None:
    """The metadata tells our message from others, in a conversation and in a thread."""
    await post(slack, "one")
    ts = await post(slack, "two")
    assert await slack.web.posted(SALES, thread_ts=None, mark="two", since="0") == [ts]
    reply = await slack.web.post(SALES, MESSAGE, thread_ts=ts, mark="three")
    assert await slack.web.posted(SALES, thread_ts=ts, mark="three", since="0") == [reply]
    assert await slack.web.posted(SALES, thread_ts=ts, mark="four", since="0") == []


async def test_a_post_is_found_in_a_busy_thread(slack: Slack) -> None:
    """However many replies follow the request, or came before it: only what is newer than it is looked through."""
    root = await slack.say(MARA, SALES, "please")
    await slack.web.post(SALES, MESSAGE, thread_ts=root, mark="same")
    request = await slack.say(MARA, SALES, "again", thread_ts=root)
    assert await slack.web.posted(SALES, thread_ts=root, mark="same", since=request) == []
    replies = slack.messages(SALES)
    for n in range(250):
        replies.append({**replies[-1], "ts": f"{float(request) + n / 1000 + 1:.6f}"})
    late = await slack.web.post(SALES, MESSAGE, thread_ts=root, mark="same")
    assert await slack.web.posted(SALES, thread_ts=root, mark="same", since=request) == [late]
    pages = [call for call in slack.calls("conversations.replies") if call["oldest"] == request]
    assert len(pages) == 3


async def test_who_cannot_be_reached_is_told_with_the_reason_and_what_to_look_at() -> None:
    """A refused connection names the host and the variable, never the method that was called."""
    async with slack_client(token="xoxb-1", base_url="http://127.0.0.1:1/api/") as client:
        with pytest.raises(SlackError) as error:
            await installation(SlackWeb(client))
    said = away(error.value)
    assert said.startswith("Slack could not be reached (Cannot connect to host 127.0.0.1:1")
    assert said.endswith("Check the network, a proxy, and SLACK_API_URL.")
    assert "auth.test" not in said


async def test_what_slack_did_say_is_passed_on() -> None:
    """A rate limit is told as one; an answer that says nothing, without a reason."""
    assert away(SlackBusy("auth.test", 3)) == "Slack is rate limiting auth.test."
    expected = "Slack could not be reached. Check the network, a proxy, and SLACK_API_URL."
    assert away(SlackUnclear("auth.test")) == expected


# The directory -----------------------------------------------------------------------------------------------------


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def directory(slack: Slack, now: list[float]) -> SlackDirectory:
    return SlackDirectory(web=slack.web, monotonic=lambda: now[0])


async def test_profiles(slack: Slack, directory: SlackDirectory) -> None:
    """A person comes with name, address, zone and standing; a guest is one; our bot is a bot."""
    mara = await directory.profile(TEAM, MARA)
    assert (mara.email, mara.zone, mara.is_admin) == ("mara@fernhill.example", "Europe/Stockholm", True)
    assert (mara.is_guest, mara.is_bot, mara.is_deleted) == (False, False, False)
    assert (await directory.profile(TEAM, THEO)).is_guest
    assert (await directory.profile(TEAM, "U0CSIGN")).is_bot
    assert directory.name(TEAM, MARA) == mara.name
    assert directory.name(TEAM, "U0DANA") is None


async def test_profiles_are_kept_for_five_minutes(slack: Slack, directory: SlackDirectory, now: list[float]) -> None:
    """Slack is asked again after five minutes, not before."""
    for after, calls in ((0, 1), (FRESH_SECONDS - 1, 1), (FRESH_SECONDS, 2)):
        now[0] = after
        await directory.profile(TEAM, MARA)
        assert len(slack.calls("users.info")) == calls


async def test_somebody_of_another_workspace_is_a_guest(directory: SlackDirectory) -> None:
    """A person of another workspace has no more rights than a guest."""
    assert (await directory.profile("T0OTHER", MARA)).is_guest


async def test_who_cannot_be_looked_up(slack: Slack, directory: SlackDirectory) -> None:
    """Nobody by that id, which Slack itself says, or a Slack that does not answer."""
    with pytest.raises(NobodyInSlack):
        await directory.profile(TEAM, "U0NOBODY")
    await slack.fault(match={"path": "users.info"}, kind="status", status=500, times=-1)
    with pytest.raises(UnknownPerson) as away:
        await directory.profile(TEAM, MARA)
    assert not isinstance(away.value, NoSuchPerson)


async def test_an_address_that_nobody_confirmed_is_none(slack: Slack, directory: SlackDirectory) -> None:
    """Whose mailbox is whose is told by the address, so one that Slack only was given does not count."""
    profile = {"id": MARA, "team_id": TEAM, "name": "mara", "profile": {"email": "boss@fernhill.example"}}
    for confirmed, email in ((False, None), (True, "boss@fernhill.example")):
        body = json.dumps({"ok": True, "user": profile | {"is_email_confirmed": confirmed}})
        await slack.fault(match={"path": "users.info"}, kind="status", status=200, body=body, times=1)
        assert (await SlackDirectory(web=slack.web).profile(TEAM, MARA)).email == email
