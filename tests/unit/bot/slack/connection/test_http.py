from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import aiohttp
import pytest
from starlette.applications import Starlette
from structlog.testing import capture_logs

from bot.slack.connection.http import BODY_LIMIT, PATH, slack_routes
from bot.slack.views import ids
from playground import people
from playground.serve import Served
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened
from tests.unit.bot.slack.cases import MARA, TEAM
from tests.unit.bot.slack.connected import World, app_running

MESSAGE: dict[str, Any] = {
    "type": "event_callback",
    "team_id": TEAM,
    "api_app_id": people.APP_ID,
    "event_id": "Ev1",
    "event": {"type": "message", "channel": "D1", "channel_type": "im", "user": MARA, "text": "hi", "ts": "1.000100"},
}


@dataclass
class Endpoint:
    url: str
    world: World
    session: aiohttp.ClientSession

    async def send(self, body: bytes, *, age: int = 0, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Sign and send; `headers` replace what a right request has."""
        stamp = str(int(time.time() - age))
        base = b"v0:" + stamp.encode() + b":" + body
        mac = hmac.new(people.SIGNING_SECRET.encode(), base, hashlib.sha256).hexdigest()
        right = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": f"v0={mac}",
            "Content-Type": "application/json",
        }
        async with self.session.post(self.url + PATH, data=body, headers={**right, **(headers or {})}) as answer:
            return answer.status, await answer.text()

    async def send_form(self, payload: str) -> tuple[int, str]:
        """The same for what comes as a form: clicks, and what is filled in."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return await self.send(urlencode({"payload": payload}).encode(), headers=kind)


@pytest.fixture
async def endpoint(base: Opened) -> AsyncIterator[Endpoint]:
    async with (
        app_running(base, socket=False) as world,
        Served(Starlette(routes=slack_routes(world.app, signing_secret=people.SIGNING_SECRET))) as url,
        aiohttp.ClientSession() as session,
    ):
        yield Endpoint(url, world, session)


def said(endpoint: Endpoint) -> list[str]:
    """What is in the store of what people said."""
    return [row["text"] for row in endpoint.world.base.rows("SELECT text FROM messages")]


async def test_a_signed_event(endpoint: Endpoint) -> None:
    """An event that Slack signed is committed, then answered 200."""
    assert (await endpoint.send(json.dumps(MESSAGE).encode()))[0] == 200
    assert said(endpoint) == ["hi"]


async def test_an_event_that_was_not_saved(endpoint: Endpoint) -> None:
    """What could not be written down is answered 500, so that Slack sends it again."""
    async with endpoint.world.full("messages"):
        assert (await endpoint.send(json.dumps(MESSAGE).encode()))[0] == 500
    assert (await endpoint.send(json.dumps(MESSAGE).encode()))[0] == 200


WRONG = {
    "no timestamp": {"X-Slack-Request-Timestamp": ""},
    "a timestamp that is no number": {"X-Slack-Request-Timestamp": "abc"},
    "digits of another script": {"X-Slack-Request-Timestamp": "१७००००००००"},
    "no signature": {"X-Slack-Signature": ""},
    "a signature outside ASCII": {"X-Slack-Signature": "v0=é" + "a" * 63},
    "an upper-case signature": {"X-Slack-Signature": "v0=" + "A" * 64},
    "a wrong signature": {"X-Slack-Signature": "v0=" + "0" * 64},
}


@pytest.mark.parametrize("headers", WRONG.values(), ids=WRONG)
async def test_security_input_28_forged_requests(
    endpoint: Endpoint, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """A request that Slack did not sign is answered 401, and nothing of its body is logged."""
    caplog.set_level(logging.DEBUG, logger="slack_bolt")
    secret = json.dumps(MESSAGE | {"canary": "s3cret-b0dy"}).encode()
    assert (await endpoint.send(secret, headers=headers))[0] == 401
    assert "s3cret-b0dy" not in caplog.text
    assert said(endpoint) == []


@pytest.mark.parametrize("body", [b"[]", b"null", b"not json", b"payload=%7B", b"\x00"])
async def test_unsigned_garbage(endpoint: Endpoint, body: bytes) -> None:
    """Garbage is refused before anybody parses it."""
    assert (await endpoint.send(body, headers={"X-Slack-Signature": "v0=" + "0" * 64}))[0] == 401


@pytest.mark.parametrize(
    ("body", "age", "answer"),
    [
        (json.dumps(MESSAGE).encode(), 3_600, 401),
        (json.dumps(MESSAGE).encode(), -3_600, 401),
        (b"\xff\xfe{}", 0, 401),
        (b" " * (BODY_LIMIT + 1), 0, 413),
    ],
    ids=["an hour ago", "in an hour", "no UTF-8", "too long"],
)
async def test_security_input_28_signed_and_refused(endpoint: Endpoint, body: bytes, age: int, answer: int) -> None:
    """A right signature is not enough: not out of its time, not for bytes that are no text, nor for a megabyte."""
    assert (await endpoint.send(body, age=age))[0] == answer


@pytest.mark.parametrize("age", [3_600, -3_600])
async def test_a_stale_request_is_answered_before_its_body(endpoint: Endpoint, age: int) -> None:
    """Somebody replays old headers and never sends the body: 401 at once, and the connection ends."""
    parts = urlsplit(endpoint.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    stamp = int(time.time() - age)
    signature = f"X-Slack-Request-Timestamp: {stamp}\r\nX-Slack-Signature: v0={'0' * 64}\r\n"
    writer.write(f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\n{signature}Content-Length: 100\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE_SECONDS):
        answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 401")


async def test_url_verification(endpoint: Endpoint) -> None:
    """Slack's check of the URL is answered with its challenge."""
    status, text = await endpoint.send(json.dumps({"type": "url_verification", "challenge": "c123"}).encode())
    assert (status, "c123" in text) == (200, True)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"null", b'{"type":"event_callback"}', b"payload=%7B", b"\x00"])
async def test_signed_garbage(endpoint: Endpoint, body: bytes) -> None:
    """Garbage with a right signature breaks nothing: the next event is taken."""
    for kind in ("application/json", "application/x-www-form-urlencoded"):
        assert (await endpoint.send(body, headers={"Content-Type": kind}))[0] in {400, 404}
    assert (await endpoint.send(json.dumps(MESSAGE).encode()))[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"a":' * 30_000,
        *(json.dumps(MESSAGE | {"event": value}).encode() for value in (None, 5, "x", [], [1])),
        *(json.dumps(MESSAGE | {"authorizations": value}).encode() for value in (5, "x", [5], [None], {"a": 1})),
        *(json.dumps(MESSAGE | {name: 5}).encode() for name in ("team", "user", "enterprise", "type", "event_id")),
    ],
    ids=lambda body: f"{body[:20]!r}…{body[-40:]!r}",
)
async def test_signed_nonsense(endpoint: Endpoint, body: bytes) -> None:
    """JSON that is no request of Slack's is refused, however deep it is and whatever has the wrong type."""
    for status, _ in (await endpoint.send(body), await endpoint.send_form(body.decode())):
        assert status in {200, 400, 404, 413}
    assert (await endpoint.send(json.dumps(MESSAGE).encode()))[0] == 200


CLICK: dict[str, Any] = {
    "type": "block_actions",
    "team": {"id": TEAM},
    "api_app_id": people.APP_ID,
    "user": {"id": MARA},
    "container": {},
    "actions": [{"action_id": "question_approve", "value": "q_x.y"}],
}
FORM: dict[str, Any] = {
    "type": "view_submission",
    "team": {"id": TEAM},
    "api_app_id": people.APP_ID,
    "user": {"id": MARA},
}


NO_ACTIONS: list[Any] = [None, [], {}, [None], [{}], "x", [{"action_id": 5}]]
NOBODY: list[Any] = [None, [], {}, 5, {"id": None}]
BAD: list[Any] = [
    *((CLICK | {"actions": value}, 400) for value in NO_ACTIONS),
    *((CLICK | {"user": value}, 400) for value in NOBODY),
    ({name: value for name, value in CLICK.items() if name != "actions"}, 400),
    (CLICK | {"type": "dialog_submission"}, 404),
    (CLICK | {"type": None}, 404),
    (FORM, 400),
    (FORM | {"view": None}, 400),
    (FORM | {"view": {"callback_id": "card_edit_form"}}, 400),
    (FORM | {"view": {"callback_id": "card_edit_form", "private_metadata": "", "state": None}}, 400),
    ({"type": "shortcut", "callback_id": "x", "team": {"id": TEAM}, "user": {"id": MARA}}, 200),
    ({"type": "shortcut", "callback_id": 5, "team": {"id": TEAM}, "user": {"id": MARA}}, 400),
    ({"command": "/agent", "team_id": TEAM, "api_app_id": people.APP_ID}, 400),
    (MESSAGE | {"event": MESSAGE["event"] | {"user": 7}}, 400),
    (MESSAGE | {"event": {"type": "app_home_opened", "tab": "home"}}, 400),
    (MESSAGE | {"event": {"type": "user_change", "user": "U1"}}, 400),
    (MESSAGE | {"event": {"type": "agent_session_stopped"}}, 400),
]


@pytest.mark.parametrize(("sent", "answer"), BAD, ids=str)
async def test_bad_input_is_refused(endpoint: Endpoint, sent: dict[str, object], answer: int) -> None:
    """What has another shape than Slack documents is refused and logged as that: no traceback, no delivery again."""
    with capture_logs() as logged:
        status, text = await endpoint.send_form(json.dumps(sent))
    assert status == answer
    assert "Traceback" not in text
    assert not [entry for entry in logged if entry["log_level"] == "error"]
    assert endpoint.world.codes() == []


@pytest.mark.parametrize(
    "kind", ["dialog_submission", "dialog_cancellation", "interactive_message", "workflow_step_edit", "message_action"]
)
async def test_a_button_is_pressed_by_a_click_only(endpoint: Endpoint, kind: str) -> None:
    """Another kind of payload that bears a button's name presses nothing, though it holds all that a click does."""
    pressed = CLICK | {"type": kind, "callback_id": "question_approve", "action_ts": "1.0", "message_ts": "1.0"}
    for sent in (pressed, pressed | {"actions": [CLICK["actions"][0] | {"name": "x", "type": "button"}]}):
        assert (await endpoint.send_form(json.dumps(sent)))[0] in {200, 400, 404}
    assert endpoint.world.codes() == []
    assert (await endpoint.send_form(json.dumps(CLICK)))[0] == 200
    assert endpoint.world.codes() == ["click.unknown"]


COMMAND = {
    "command": "/agent",
    "text": "trust delegated",
    "user_id": MARA,
    "team_id": TEAM,
    "api_app_id": people.APP_ID,
}
CHOSEN: dict[str, Any] = FORM | {
    "view": {"type": "modal", "callback_id": ids.TRUST_FORM, "private_metadata": "autonomous"}
}
OTHERS: list[Any] = [
    COMMAND | CLICK | {"actions": [{"action_id": "nothing_of_ours"}]},
    COMMAND | {"type": "shortcut", "callback_id": "nothing_of_ours", "user": {"id": MARA}, "team": {"id": TEAM}},
    CHOSEN | {"view": CHOSEN["view"] | {"type": "home"}},
    CHOSEN | {"type": "view_closed"},
    CHOSEN | {"view": {**CHOSEN["view"], "callback_id": "nothing_of_ours"}} | COMMAND,
]


@pytest.mark.parametrize("sent", OTHERS, ids=str)
async def test_each_request_is_of_one_kind(endpoint: Endpoint, sent: dict[str, object]) -> None:
    """A click that bears a command runs none, and only a window that was sent is a form."""
    assert await endpoint.send_form(json.dumps(sent)) == (200, "")
    assert endpoint.world.codes() == []
    for ours in (COMMAND, CHOSEN):
        assert (await endpoint.send_form(json.dumps(ours)))[1]
    assert endpoint.world.codes() == ["person.trust_level", "person.trust_level"]


@pytest.mark.parametrize("variant", [True, "1", 1.5, [0]])
async def test_the_place_of_a_variant_is_a_number(endpoint: Endpoint, variant: object) -> None:
    """`true` is not the second variant of a card: the form is refused."""
    of = json.dumps({"value": "q_x.y", "channel": "D1", "ts": "1.0", "variant": variant})
    view: dict[str, Any] = {
        "type": "modal",
        "callback_id": "card_edit_form",
        "private_metadata": of,
        "state": {"values": {}},
    }
    assert (await endpoint.send_form(json.dumps(FORM | {"view": view})))[0] == 400
    assert endpoint.world.codes() == []


@pytest.mark.parametrize(
    ("team", "answer"),
    [({}, 404), ({"team_id": None}, 404), ({"team_id": "T0OTHER"}, 200)],
    ids=["none", "null", "another"],
)
async def test_what_is_not_of_this_workspace(endpoint: Endpoint, team: dict[str, object], answer: int) -> None:
    """Nothing is done about a signed event or click of another workspace, or of none; Slack need not send it again."""
    event = {name: value for name, value in MESSAGE.items() if name != "team_id"} | team
    assert (await endpoint.send(json.dumps(event).encode()))[0] == answer
    press = CLICK | {"team": {"id": team.get("team_id")}}
    assert (await endpoint.send_form(json.dumps(press)))[0] == answer
    assert said(endpoint) == []
    assert endpoint.world.codes() == []


@pytest.mark.parametrize(("app", "counts"), [("A0OTHER", False), (people.APP_ID, True), (None, False)])
async def test_what_is_of_another_app(endpoint: Endpoint, app: str | None, counts: bool) -> None:
    """What was sent to another app, with a token or a secret that was mixed up, is ours no more than another
    workspace's, and neither is what names none: nothing is done about it.
    """
    pressed = CLICK | {"api_app_id": app}
    assert (await endpoint.send_form(json.dumps(pressed)))[0] == 200
    assert endpoint.world.codes() == (["click.unknown"] if counts else [])
    assert (await endpoint.send(json.dumps(MESSAGE | {"api_app_id": app}).encode()))[0] == 200
    assert bool(said(endpoint)) is counts


async def test_clicks_and_commands(endpoint: Endpoint) -> None:
    """Over HTTP a person gets the same answers: the emulator signs, and takes what we say."""
    slack = endpoint.world.slack
    async with slack.session.post(f"{slack.url}/__admin/http_delivery", json={"url": endpoint.url + PATH}) as answer:
        assert (await answer.json())["verified"]
    answered = await slack.act("command", user=MARA, channel="C0SALES", command="/agent", text="trust delegated")
    assert "now `delegated`" in str(answered)
    await slack.say(MARA, await slack.dm(MARA), "over http")
    await slack.until(lambda: said(endpoint))
