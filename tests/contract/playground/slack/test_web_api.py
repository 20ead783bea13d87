"""The emulated Web API, called by slack_sdk's own client."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from google.auth import jwt
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.models.blocks import ButtonElement, HeaderBlock, MarkdownBlock, SectionBlock
from slack_sdk.web.async_client import AsyncWebClient

from playground import people
from tests.contract.playground.slack.clients import Slack

GENERAL = "C0GENERAL"

_jwt: Any = jwt


def section(text: str = "Hello") -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def client(slack: Slack, *handlers: Any) -> Any:
    """A client that tries again as these handlers say, and not at all without."""
    url = f"{slack.url}/api/"
    return AsyncWebClient(token=people.BOT_TOKEN, base_url=url, session=slack.session, retry_handlers=list(handlers))


async def test_auth(slack: Slack) -> None:
    """auth.test says who the bot is."""
    answer = await slack.web.auth_test()
    assert (answer["user_id"], answer["bot_id"], answer["team_id"]) == ("U0CSIGN", "B0CSIGN", "T0FERNHILL")


WRONG_TOKENS = [("xoxb-wrong", "invalid_auth"), (people.APP_TOKEN, "not_allowed_token_type")]


@pytest.mark.parametrize(("token", "error"), WRONG_TOKENS)
async def test_wrong_token(slack: Slack, token: str, error: str) -> None:
    """A token of somebody else, or of the wrong kind, is refused."""
    assert await slack.error(slack.web.auth_test(token=token)) == error


async def test_missing_scope(slack: Slack) -> None:
    """A method whose scope was not granted says which one it needs."""
    await slack.admin("settings", revoked_scopes=["reactions:write"])
    message = await slack.web.chat_postMessage(channel=GENERAL, text="x")
    with pytest.raises(SlackApiError) as caught:
        await slack.web.reactions_add(channel=GENERAL, timestamp=message["ts"], name="eyes")
    answer = cast("Any", caught.value.response)
    assert (answer["error"], answer["needed"]) == ("missing_scope", "reactions:write")


async def test_post_update_delete(slack: Slack) -> None:
    """The bot posts, changes and deletes its own message, and everybody sees it so."""
    posted = await slack.web.chat_postMessage(channel=GENERAL, text="one", blocks=[section("*one*")])
    updated = await slack.web.chat_update(channel=GENERAL, ts=posted["ts"], text="two", blocks=[section("two")])
    assert updated["ts"] == posted["ts"]
    history = await slack.web.conversations_history(channel=GENERAL, limit=1)
    assert [message["text"] for message in history["messages"]] == ["two"]
    await slack.web.chat_delete(channel=GENERAL, ts=posted["ts"])
    history = await slack.web.conversations_history(channel=GENERAL, limit=1)
    assert history["messages"][0]["ts"] != posted["ts"]


async def test_update_with_text_only_removes_blocks(slack: Slack) -> None:
    """chat.update without blocks keeps them only when there is no text either; with text they go and it is edited."""
    posted = await slack.web.chat_postMessage(channel=GENERAL, text="card", blocks=[section()])
    kept = await slack.web.chat_update(channel=GENERAL, ts=posted["ts"], attachments=[{"fallback": "x", "text": "x"}])
    assert kept["message"]["blocks"]
    changed = await slack.web.chat_update(channel=GENERAL, ts=posted["ts"], text="done")
    assert "blocks" not in changed["message"]
    assert changed["message"]["edited"]["user"] == people.BOT_USER_ID


async def test_others_messages(slack: Slack) -> None:
    """Other people's messages can be neither updated nor deleted."""
    theirs = await slack.act("message", user="U0MARA", channel=GENERAL, text="mine")
    assert await slack.error(slack.web.chat_update(channel=GENERAL, ts=theirs["ts"], text="x")) == "cant_update_message"
    assert await slack.error(slack.web.chat_delete(channel=GENERAL, ts=theirs["ts"])) == "cant_delete_message"


async def test_text_limits(slack: Slack) -> None:
    """40,000 characters may be posted, 4,000 updated, 12,000 of markdown."""
    posted = await slack.web.chat_postMessage(channel=GENERAL, text="x" * 40_000)
    long = slack.web.chat_postMessage(channel=GENERAL, text="x" * 40_001)
    assert await slack.error(long) == "msg_too_long"
    update = slack.web.chat_update(channel=GENERAL, ts=posted["ts"], text="x" * 4_001)
    assert await slack.error(update) == "msg_too_long"
    markdown = slack.web.chat_postMessage(channel=GENERAL, markdown_text="x" * 12_001)
    assert await slack.error(markdown) == "msg_too_long"
    both = slack.web.chat_postMessage(channel=GENERAL, text="x", markdown_text="x")
    assert await slack.error(both) == "markdown_text_conflict"


PLAIN = {"type": "plain_text", "text": "x"}


def actions(*elements: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "actions", "elements": list(elements)}]


def button(text: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": "button", "text": {"type": "plain_text", "text": text}, **more}


def menu(options: int, *, kind: str = "static_select", text: str = "x", value: str = "x") -> list[dict[str, Any]]:
    offered = [{"text": {"type": "plain_text", "text": text}, "value": f"{n}{value}"[-151:]} for n in range(options)]
    return actions({"type": kind, "action_id": "a", "options": offered})


def line(kind: str = "rich_text_section", *elements: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": kind, "elements": list(elements) or [{"type": "text", "text": "x"}]}]


def listed(style: str, kind: str = "rich_text_section") -> list[dict[str, Any]]:
    return [{"type": "rich_text", "elements": [{"type": "rich_text_list", "style": style, "elements": line(kind)}]}]


def rich(*elements: dict[str, Any], kind: str = "rich_text_section") -> list[dict[str, Any]]:
    return [{"type": "rich_text", "elements": line(kind, *elements)}]


def typed_input(**more: Any) -> list[dict[str, Any]]:
    element = {"type": "plain_text_input", "action_id": "a", **more}
    return [{"type": "input", "label": PLAIN, "element": element}]


INVALID: dict[str, list[dict[str, Any]]] = {
    "51 blocks": [section()] * 51,
    "section over 3000": [section("x" * 3001)],
    "empty text": [section("")],
    "header over 150": [{"type": "header", "text": {"type": "plain_text", "text": "x" * 151}}],
    "header in mrkdwn": [{"type": "header", "text": {"type": "mrkdwn", "text": "x"}}],
    "unknown block": [{"type": "hologram"}],
    "no text at all": [{"type": "section"}],
    "empty actions": actions(),
    "unknown element": actions({"type": "lever", "action_id": "a"}),
    "field over 2000": [{"type": "section", "fields": [{"type": "mrkdwn", "text": "x" * 2001}]}],
    "context with a button": [{"type": "context", "elements": [button()]}],
    "same block_id twice": [section() | {"block_id": "a"}, section() | {"block_id": "a"}],
    "button value over 2000": actions(button(value="x" * 2001)),
    "button text over 75": actions(button("x" * 76)),
    "same action_id twice": actions(button(action_id="a"), button(action_id="a")),
    "table with 101 rows": [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]] * 101}],
    "menu without options": menu(0),
    "101 options": menu(101),
    "option text over 75": menu(1, text="x" * 76),
    "option value over 150": menu(1, value="x" * 151),
    "11 radio buttons": menu(11, kind="radio_buttons"),
    "11 checkboxes": menu(11, kind="checkboxes"),
    "rich text without elements": [{"type": "rich_text", "elements": []}],
    "rich text of an unknown kind": rich({"type": "text", "text": "x"}, kind="rich_text_poem"),
    "unknown element in rich text": rich({"type": "lever"}),
    "empty text in rich text": rich({"type": "text", "text": ""}),
    "link to nowhere": rich({"type": "link", "text": "x"}),
    "list of stars": listed("star"),
    "quote in a list": listed("bullet", "rich_text_quote"),
    "long input": typed_input(max_length=3_001),
    "long initial value": typed_input(max_length=2, initial_value="xxx"),
    "audience on a menu": actions({"type": "users_select", "placeholder": PLAIN, "visible_to_user_ids": ["U0MARA"]}),
}


@pytest.mark.parametrize("name", INVALID)
async def test_invalid_blocks(slack: Slack, name: str) -> None:
    """Blocks beyond Slack's rules are refused, and the log says why."""
    call = slack.web.chat_postMessage(channel=GENERAL, text="x", blocks=INVALID[name])
    assert await slack.error(call) == "invalid_blocks"
    assert (await slack.entries("chat.postMessage"))[-1]["note"]


async def test_markdown_is_cumulative(slack: Slack) -> None:
    """All markdown blocks of a message together hold 12,000 characters."""
    blocks = [MarkdownBlock(text="x" * 7_000), MarkdownBlock(text="x" * 7_000)]
    call = slack.web.chat_postMessage(channel=GENERAL, text="x", blocks=blocks)
    assert await slack.error(call) == "msg_blocks_too_long"


async def test_models_are_accepted(slack: Slack) -> None:
    """What slack_sdk's models build is accepted, ids are filled in, and hidden buttons keep their audience."""
    button = ButtonElement(text="Approve", action_id="approve", value="q1", visible_to_user_ids=["U0MARA"])
    blocks = [HeaderBlock(text="Card"), SectionBlock(text="*Send* this?", accessory=button)]
    posted = await slack.web.chat_postMessage(channel=GENERAL, text="card", blocks=blocks)
    stored = posted["message"]["blocks"]
    assert all(block["block_id"] for block in stored)
    assert stored[1]["accessory"]["visible_to_user_ids"] == ["U0MARA"]
    assert (await slack.web.blocks_validate(blocks=blocks))["ok"]


async def test_thread(slack: Slack) -> None:
    """Replies count at the root, are in conversations.replies and not in the history."""
    root = await slack.web.chat_postMessage(channel=GENERAL, text="root")
    for number in range(3):
        await slack.web.chat_postMessage(channel=GENERAL, text=f"reply {number}", thread_ts=root["ts"])
    first = await slack.web.conversations_replies(channel=GENERAL, ts=root["ts"], limit=2)
    assert [message["text"] for message in first["messages"]] == ["root", "reply 0"]
    assert first["messages"][0]["reply_count"] == 3
    cursor = first["response_metadata"]["next_cursor"]
    rest = await slack.web.conversations_replies(channel=GENERAL, ts=root["ts"], limit=2, cursor=cursor)
    assert [message["text"] for message in rest["messages"]] == ["reply 1", "reply 2"]
    history = await slack.web.conversations_history(channel=GENERAL, limit=1)
    assert history["messages"][0]["text"] == "root"
    assert await slack.error(slack.web.conversations_replies(channel=GENERAL, ts="1.000001")) == "thread_not_found"


async def test_channels(slack: Slack) -> None:
    """The bot lists channels, sees private ones it is in, and needs im:read for a direct one."""
    listed = await slack.web.conversations_list(types="public_channel,private_channel")
    assert {"general", "finance-private"} <= {channel["name"] for channel in listed["channels"]}
    topics = {channel["name"]: channel["topic"] for channel in listed["channels"]}
    assert (topics["sales"]["value"], topics["sales"]["creator"]) == ("Orders, quotes, customers", "U0MARA")
    mine = await slack.web.users_conversations(user="U0THEO", types="public_channel")
    assert [channel["name"] for channel in mine["channels"]] == ["garden-show"]
    members = await slack.web.conversations_members(channel="C0SALES")
    assert "U0DANA" in members["members"]
    opened = await slack.web.conversations_open(users="U0MARA")
    assert opened["channel"]["id"] == "D0MARA"
    assert await slack.error(slack.web.conversations_info(channel="D0MARA")) == "missing_scope"
    assert await slack.error(slack.web.chat_postMessage(channel="C0NOWHERE", text="x")) == "channel_not_found"


async def test_users(slack: Slack) -> None:
    """A person has zone, address and role; the guest is restricted; somebody who left is deleted."""
    mara = (await slack.web.users_info(user="U0MARA"))["user"]
    assert mara["is_admin"]
    assert (mara["tz"], mara["profile"]["email"]) == ("Europe/Stockholm", "mara@fernhill.example")
    assert (await slack.web.users_info(user="U0THEO"))["user"]["is_restricted"]
    assert (await slack.web.users_info(user="U0OLAF"))["user"]["deleted"]
    assert await slack.error(slack.web.users_info(user="U0NOBODY")) == "user_not_found"
    assert (await slack.web.users_lookupByEmail(email="Mara@fernhill.example"))["user"]["id"] == "U0MARA"
    assert await slack.error(slack.web.users_lookupByEmail(email="nobody@fernhill.example")) == "users_not_found"


async def test_ephemeral(slack: Slack) -> None:
    """An ephemeral message is shown to one person, is in no history and cannot be updated."""
    sent = await slack.web.chat_postEphemeral(channel=GENERAL, user="U0MARA", text="psst")
    state = await slack.read("state")
    assert [(shown["user"], shown["message"]["text"]) for shown in state["ephemerals"]] == [("U0MARA", "psst")]
    update = slack.web.chat_update(channel=GENERAL, ts=sent["message_ts"], text="x")
    assert await slack.error(update) == "message_not_found"
    guest = slack.web.chat_postEphemeral(channel=GENERAL, user="U0THEO", text="psst")
    assert await slack.error(guest) == "user_not_in_channel"


async def test_reactions(slack: Slack) -> None:
    """A reaction is added once and removed once."""
    target: dict[str, Any] = {"channel": GENERAL, "timestamp": None, "name": "eyes"}
    target["timestamp"] = (await slack.web.chat_postMessage(channel=GENERAL, text="x"))["ts"]
    await slack.web.reactions_add(**target)
    assert await slack.error(slack.web.reactions_add(**target)) == "already_reacted"
    await slack.web.reactions_remove(**target)
    assert await slack.error(slack.web.reactions_remove(**target)) == "no_reaction"


async def test_files(slack: Slack) -> None:
    """The three steps of an upload share a file, and only the token downloads it."""
    uploaded = await slack.web.files_upload_v2(
        channel=GENERAL, filename="minutes.txt", content="first line", initial_comment="Minutes"
    )
    file = (await slack.web.files_info(file=uploaded["files"][0]["id"]))["file"]
    async with slack.session.get(file["url_private"]) as answer:
        assert "Sign in" in await answer.text()
    headers = {"Authorization": f"Bearer {people.BOT_TOKEN}"}
    async with slack.session.get(file["url_private_download"], headers=headers) as answer:
        assert await answer.text() == "first line"
    history = await slack.web.conversations_history(channel=GENERAL, limit=1)
    assert history["messages"][0]["files"][0]["name"] == "minutes.txt"


async def test_permalink(slack: Slack) -> None:
    """A permalink names channel and timestamp."""
    posted = await slack.web.chat_postMessage(channel=GENERAL, text="x")
    link = await slack.web.chat_getPermalink(channel=GENERAL, message_ts=posted["ts"])
    assert link["permalink"].endswith(f"/archives/{GENERAL}/p{posted['ts'].replace('.', '')}")


async def test_a_permalink_leads_to_where_people_read(slack: Slack) -> None:
    """In a browser: to the message on the page, as the person whose conversation it is in. Without one it says so."""
    dm = str((await slack.act("dm", user=people.DANA.user_id))["channel"])
    posted = await slack.web.chat_postMessage(channel=dm, text="x")
    link = str((await slack.web.chat_getPermalink(channel=dm, message_ts=posted["ts"]))["permalink"])
    async with slack.session.get(link) as answer:
        assert "no window of its own" in await answer.text()
    await slack.admin("settings", window="http://127.0.0.1:8100")
    async with slack.session.get(link, allow_redirects=False) as answer:
        assert answer.status == 303
        there = urlsplit(answer.headers["location"])
    assert f"{there.scheme}://{there.netloc}{there.path}" == "http://127.0.0.1:8100/"
    shown = {"user": [people.DANA.user_id], "channel": [dm], "show": [f"message:{dm}:{posted['ts']}"]}
    assert parse_qs(there.fragment) == shown
    async with slack.session.get(link.replace(dm, "D0NOBODY")) as answer:
        assert "no window of its own" in await answer.text()


async def test_unknown_method(slack: Slack) -> None:
    """A method that is not emulated is an error, never a silent success."""
    assert await slack.error(slack.web.api_call("dnd.setSnooze")) == "unknown_method"


async def test_form_and_json(slack: Slack) -> None:
    """Arguments may come as a form, with blocks as JSON text."""
    data = {"channel": GENERAL, "text": "x", "blocks": '[{"type":"divider"}]'}
    answer = await slack.web.api_call("chat.postMessage", data=data)
    assert answer["message"]["blocks"][0]["type"] == "divider"
    data["blocks"] = "not json"
    assert await slack.error(slack.web.api_call("chat.postMessage", data=data)) == "invalid_blocks_format"


async def test_rate_limit(slack: Slack) -> None:
    """A 429 names its Retry-After, and slack_sdk's retry handler gets over it."""
    await slack.admin("faults", kind="rate_limit", match={"path": "users.info"}, times=1, seconds=1)
    patient = client(slack, AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    assert (await patient.users_info(user="U0MARA"))["ok"]
    entries = await slack.entries("users.info")
    assert [entry["status"] for entry in entries] == [429, 200]


async def test_tiers(slack: Slack) -> None:
    """With the tiers on, one post a second goes into a channel, and 20 streams a minute can be started."""
    await slack.admin("settings", rate_limits=True)
    await slack.web.chat_postMessage(channel=GENERAL, text="one")
    assert await slack.error(slack.web.chat_postMessage(channel=GENERAL, text="two")) == "ratelimited"
    await slack.web.chat_postMessage(channel="C0SALES", text="elsewhere")
    await slack.admin("clock", advance=1.1)
    await slack.web.chat_postMessage(channel=GENERAL, text="three")


async def test_ok_false(slack: Slack) -> None:
    """Any method can be made to fail with any error, so often."""
    await slack.admin("faults", kind="ok_false", match={"path": "chat.update"}, error="edit_window_closed", times=1)
    posted = await slack.web.chat_postMessage(channel=GENERAL, text="x")
    update: dict[str, Any] = {"channel": GENERAL, "ts": posted["ts"], "text": "y"}
    assert await slack.error(slack.web.chat_update(**update)) == "edit_window_closed"
    assert (await slack.web.chat_update(**update))["ok"]


async def test_session(slack: Slack) -> None:
    """A session's status is one of four words; its title counts at creation and is changed by rename."""
    root = await slack.act("message", user="U0MARA", channel="D0MARA", text="hello")
    where = {"channel_id": "D0MARA", "thread_ts": root["ts"]}
    answer = await slack.web.agents_sessions_setStatus(**where, status="processing", title="First")
    assert (answer["status"], answer["title"]) == ("processing", "First")
    answer = await slack.web.agents_sessions_setStatus(**where, status="suspended", title="Second")
    assert answer["title"] == "First"
    await slack.web.agents_sessions_rename(**where, title="Third")
    assert (await slack.read("state"))["sessions"][0]["title"] == "Third"
    free = slack.web.agents_sessions_setStatus(**where, status="thinking hard")
    assert await slack.error(free) == "invalid_arguments"


async def test_thread_status_vanishes(slack: Slack) -> None:
    """An assistant status disappears after two minutes, or with the next message."""
    root = await slack.act("message", user="U0MARA", channel="D0MARA", text="hello")
    where = {"channel_id": "D0MARA", "thread_ts": root["ts"]}
    await slack.web.assistant_threads_setStatus(**where, status="is thinking…")
    assert (await slack.read("state"))["statuses"][0]["status"] == "is thinking…"
    await slack.admin("clock", advance=121)
    assert (await slack.read("state"))["statuses"] == []


@pytest.mark.filterwarnings("ignore:BasicAuth is deprecated")  # slack_sdk's use of aiohttp
async def test_oauth(slack: Slack) -> None:
    """A code is exchanged for the bot token, with the right client secret only."""
    anonymous: Any = AsyncWebClient(base_url=f"{slack.url}/api/", session=slack.session)
    asked = {"client_id": "playground-slack-client", "code": "playground-code-1"}
    granted = await anonymous.oauth_v2_access(**asked, client_secret="playground-slack-secret")
    assert granted["access_token"] == people.BOT_TOKEN
    assert await slack.error(anonymous.oauth_v2_access(**asked, client_secret="guess")) == "bad_client_secret"


async def test_drop_after_accept(slack: Slack) -> None:
    """A dropped answer looks like a failure, but the message is there: who sends again, sends twice."""
    hasty = client(slack)
    await slack.admin("faults", kind="drop_after", match={"path": "chat.postMessage"})
    with pytest.raises(aiohttp.ClientError):
        await hasty.chat_postMessage(channel=GENERAL, text="once")
    messages = (await slack.read("state"))["messages"][GENERAL]
    assert [message["text"] for message in messages].count("once") == 1


async def test_log_holds_channel_payloads(slack: Slack) -> None:
    """Whatever the bot sent into a channel can be found in the log, blocks and all."""
    blocks = [section(f"{'x' * 2_000} canary-4711")]
    await slack.web.chat_postMessage(channel=GENERAL, text="card", blocks=blocks)
    entry = (await slack.entries("chat.postMessage"))[-1]
    assert "canary-4711" in entry["request"]["blocks"][0]["text"]["text"]
    assert (entry["direction"], entry["status"], entry["response"]["ok"]) == ("in", 200, True)


async def test_reset(slack: Slack) -> None:
    """Reset brings the seeded workspace back."""
    seeded = (await slack.read("state"))["messages"]
    await slack.web.chat_postMessage(channel=GENERAL, text="x")
    await slack.admin("reset")
    restored = (await slack.read("state"))["messages"]
    assert {channel: len(talk) for channel, talk in restored.items()} == {
        channel: len(talk) for channel, talk in seeded.items()
    }


async def test_sign_in(slack: Slack) -> None:
    """From the page to an id_token signed by the published key, and to userInfo."""
    asked = {
        "client_id": "playground-slack-client", "response_type": "code", "scope": "openid email profile", "state": "s",
        "nonce": "n", "redirect_uri": "http://127.0.0.1:9/auth/slack/callback",
    }  # fmt: skip
    page = f"{slack.url}/openid/connect/authorize"
    async with slack.session.get(page, params=asked) as shown:
        assert people.DANA.name in (html := await shown.text())
        assert '<link rel="icon" href="data:,">' in html  # or a browser asks for /favicon.ico, which is not there
    codes = [await agreed(slack, page, asked, people.DANA.user_id) for _ in range(2)]
    client: dict[str, Any] = {"client_id": "playground-slack-client", "client_secret": "playground-slack-secret"}
    client |= {"redirect_uri": asked["redirect_uri"]}
    web: Any = AsyncWebClient(base_url=f"{slack.url}/api/", session=slack.session)
    given = await web.api_call("openid.connect.token", data={"code": codes[0], **client})
    async with slack.session.get(f"{slack.url}/openid/connect/keys") as keys:
        (key,) = (await keys.json())["keys"]
    assert key["kid"] == _jwt.decode_header(given["id_token"])["kid"]
    claims = _jwt.decode(given["id_token"], verify=False)
    assert (claims["iss"], claims["aud"], claims["nonce"]) == ("https://slack.com", "playground-slack-client", "n")
    assert claims["https://slack.com/team_id"] == people.TEAM_ID
    person: Any = AsyncWebClient(token=given["access_token"], base_url=f"{slack.url}/api/", session=slack.session)
    told = await person.openid_connect_userInfo()
    assert (told["sub"], told["email"]) == (people.DANA.user_id, people.DANA.email)
    for code, more, error in (
        (codes[0], {}, "code_already_used"),
        ("x", {}, "invalid_code"),
        (codes[1], {"redirect_uri": "http://127.0.0.1:9/"}, "bad_redirect_uri"),
        (codes[1], {"client_secret": "guess"}, "bad_client_secret"),
        (codes[1], {"client_id": "guess"}, "invalid_client_id"),
    ):
        assert await slack.error(web.api_call("openid.connect.token", data={"code": code, **client, **more})) == error


async def agreed(slack: Slack, page: str, asked: dict[str, str], user: str) -> str:
    """A code that somebody agreed to."""
    async with slack.session.post(page, params=asked, data={"person": user}, allow_redirects=False) as back:
        assert back.status == 302
        (code,) = parse_qs(urlsplit(back.headers["location"]).query)["code"]
        return code


@pytest.mark.parametrize(
    "wrong",
    [{"client_id": "x"}, {"redirect_uri": "https://evil.example/"}, {"response_type": "token"}, {"scope": "email"}],
)
async def test_sign_in_sends_nobody_elsewhere(slack: Slack, wrong: dict[str, str]) -> None:
    """What is not as it was registered gets a page, and no way back."""
    asked = {
        "client_id": "playground-slack-client", "response_type": "code", "scope": "openid",
        "redirect_uri": "http://127.0.0.1:9/auth/slack/callback",
    }  # fmt: skip
    url = f"{slack.url}/openid/connect/authorize"
    async with slack.session.post(url, params=asked | wrong, data={"person": "U0DANA"}, allow_redirects=False) as back:
        assert back.status == 400
