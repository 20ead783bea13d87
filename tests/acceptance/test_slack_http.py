"""Slack over HTTP: the same agent behind signed requests, and nothing for what is not signed."""

from __future__ import annotations

import json
import time

import pytest

from playground.people import BOT_USER_ID, DANA, TEAM_ID
from tests.acceptance.slack_side import (
    MAIL_HELEN,
    SALES,
    act,
    at_rest,
    command,
    events_url,
    final,
    home,
    reply_in,
    runs_of,
    signed,
)
from tests.acceptance.world import APPROVE, Json, World

pytestmark = pytest.mark.asyncio(loop_scope="module")

EVENT: Json = {
    "type": "event_callback",
    "team_id": TEAM_ID,
    "event_id": "Ev0FORGED",
    "authorizations": [{"team_id": TEAM_ID, "user_id": BOT_USER_ID, "is_bot": True}],
    "event": {
        "type": "message",
        "channel": "D0DANA",
        "channel_type": "im",
        "user": DANA.user_id,
        "text": "hello",
        "ts": "1700000000.000100",
    },
}


async def test_the_main_job_over_http(over_http: World) -> None:
    """Mention, card, click, command, App Home: everything works with signed requests and no socket."""
    here = over_http
    root = (await here.mention(DANA, SALES, MAIL_HELEN))["ts"]
    (card,) = await here.card_in(here.dm_of(DANA))
    assert "`supervised`" in await command(here, DANA, "status")
    assert (await here.click(DANA, card, APPROVE))["acked"]
    await final(here, card, "✓ Done.")
    await reply_in(here, SALES, root, "privately")
    await act(here, "open_home", user=DANA.user_id, tab="home")
    await here.until(lambda: home(here, DANA), "the tab")
    await at_rest(here, DANA, runs=1)
    assert len(await here.sent(DANA)) == 1
    assert (await here.slack.state())["sockets"] == 0


async def test_what_is_not_signed_is_refused(over_http: World) -> None:
    """Wrong, missing, old or odd signatures get 401, too long a body 413, no JSON 400; and none of it does anything."""
    here = over_http
    body = json.dumps(EVENT)
    now = int(time.time())
    assert [(await signed(here, body, at=now + shift))[0] for shift in (-600, 600, -(10**9))] == [401, 401, 401]
    odd: list[dict[str, str]] = [
        {},
        {"x-slack-request-timestamp": str(now)},
        {"x-slack-request-timestamp": str(now), "x-slack-signature": "v0=" + "0" * 64},
        {"x-slack-request-timestamp": str(now), "x-slack-signature": "v0=schön"},
        {"x-slack-request-timestamp": "soon", "x-slack-signature": "v0=" + "0" * 64},
    ]
    for headers in odd:
        async with here.slack.http.post(events_url(here), data=body.encode(), headers=headers) as answer:
            assert answer.status == 401
    assert (await signed(here, json.dumps({**EVENT, "padding": "x" * 1_100_000})))[0] == 413
    assert (await signed(here, "no json"))[0] == 400
    assert (await signed(here, "[]"))[0] in {200, 400}
    assert (await signed(here, "payload=%7B", kind="application/x-www-form-urlencoded"))[0] in {200, 400}
    assert await runs_of(here, DANA) == []
    dm = (await here.say(DANA, "hello"))["ts"]
    await reply_in(here, here.dm_of(DANA), dm, "Hello Dana")


async def test_a_replayed_request_counts_once(over_http: World) -> None:
    """The same signed event again, by Slack or by somebody who overheard it, is acknowledged and starts nothing."""
    here = over_http
    root = (await here.say(DANA, "hello"))["ts"]
    await reply_in(here, here.dm_of(DANA), root, "Hello Dana")
    log = await here.slack.log()
    heard = next(e["request"] for e in log if e["path"] == "event/message.im" and e["direction"] == "out")
    for _ in range(2):
        assert (await signed(here, json.dumps(heard["body"])))[0] == 200
    assert (await signed(here, json.dumps({**heard["body"], "event_id": "Ev0ANOTHER"})))[0] == 200
    await at_rest(here, DANA, runs=1)
    assert len([m for m in await here.bot_messages(here.dm_of(DANA)) if m.get("thread_ts") == root]) == 1
