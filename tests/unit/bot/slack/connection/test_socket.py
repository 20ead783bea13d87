from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from structlog.testing import capture_logs

from bot.slack.connection.app import build_app
from bot.slack.connection.errors import WrongToken
from bot.slack.connection.socket import SocketMode, SocketTimings
from playground import people
from playground.slack.envelopes import Delivery, Kind
from tests.stores import Opened
from tests.unit.bot.slack.cases import MARA, WORKSPACE
from tests.unit.bot.slack.connected import World, app_running


def _socket(
    world: World,
    *,
    token: str = people.APP_TOKEN,
    connect: float = 120.0,
    steady: Callable[[], float] = time.monotonic,
) -> SocketMode:
    timings = SocketTimings(look=0.02, ping=0.1, connect=connect)
    return SocketMode(app=world.app, client=world.slack.client, app_token=token, timings=timings, steady=steady)


async def test_a_wrong_token_is_said_at_once(base: Opened) -> None:
    """An app token that Slack does not know ends the start and names its variable."""
    async with app_running(base, socket=False) as world:
        with pytest.raises(WrongToken, match="SLACK_APP_TOKEN"):
            async with _socket(world, token="xapp-wrong"):
                pass


async def test_a_start_asks_for_one_address(base: Opened) -> None:
    """The address that came with the check of the token is the one that is used: Slack gives out few in a minute."""
    async with app_running(base, socket=False) as world:
        async with _socket(world) as socket:
            await socket.wait_ready()
        assert len(world.slack.calls("apps.connections.open")) == 1


@pytest.mark.parametrize("reason", ["refresh_requested", "abrupt"])
async def test_a_refreshed_connection(world: World, reason: str) -> None:
    """Slack closes connections as a routine; what is said meanwhile arrives afterwards."""
    slack = world.slack
    async with slack.session.post(f"{slack.url}/__admin/disconnect", json={"reason": reason}) as told:
        assert (await told.json())["sockets"] == 1
    await slack.say(MARA, await slack.dm(MARA), "still there?")
    await slack.until(lambda: world.base.rows("SELECT * FROM messages"))
    await slack.until(lambda: world.socket and world.socket.ready)


async def test_a_deaf_connection_is_made_anew(base: Opened) -> None:
    """When no pong came for too long the connection is replaced, though it calls itself connected."""
    now, step = 0.0, 0.0

    def steady() -> float:
        nonlocal now
        now += step
        return now

    async with app_running(base, socket=False) as world, _socket(world, steady=steady) as socket:
        await socket.wait_ready()
        before = len(world.slack.calls("apps.connections.open"))
        step = 40.0  # so many seconds with every look, of which there are several from one pong to the next
        await world.slack.until(lambda: len(world.slack.calls("apps.connections.open")) > before)
        step = 0.0
        await world.slack.say(MARA, await world.slack.dm(MARA), "heard?")
        await world.slack.until(lambda: world.base.rows("SELECT * FROM messages"))


async def test_an_address_that_does_not_work_is_not_kept(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that Slack does not take any more is given up for a new one; slack_sdk would keep to it for ever."""
    async with app_running(base, socket=False) as world:
        sockets = world.slack.emulator.workspace.deliveries.sockets
        fresh, given = sockets.ticket, iter(["used", "used"])
        monkeypatch.setattr(sockets, "ticket", lambda: next(given, None) or fresh())
        async with _socket(world, connect=0.5) as socket:
            await socket.wait_ready()
            assert world.slack.state["sockets"] == 1


async def test_closing(base: Opened) -> None:
    """After the end nothing is connected any more, and nothing is ready."""
    async with app_running(base) as world:
        socket = world.socket
        assert socket
        assert world.slack.state["sockets"] == 1
    assert not socket.ready


async def test_what_bolt_cannot_read_is_refused(world: World) -> None:
    """A click without its actions is refused before Bolt raises; the next event is taken."""
    with capture_logs() as logged:
        world.slack.emulator.workspace.deliveries.event(
            Delivery(kind=Kind.INTERACTIVE, name="broken", payload={"type": "block_actions", "actions": None})
        )
        await world.slack.until(lambda: "slack.malformed" in [entry["event"] for entry in logged])
    await world.slack.say(MARA, await world.slack.dm(MARA), "still there?")
    await world.slack.until(lambda: world.base.rows("SELECT * FROM messages"))
    assert not [entry for entry in logged if entry["log_level"] == "error"]


async def test_what_cannot_be_read_is_not_acknowledged(world: World) -> None:
    """An event of another shape than Slack's is not taken for saved."""
    said = {"type": "message", "channel": "D0MARA", "user": MARA, "text": "hi", "ts": "1.0", "files": 5}
    ours = {"team_id": people.TEAM_ID, "api_app_id": people.APP_ID}
    payload = {"type": "event_callback", "event_id": "Ev1", "event": said, **ours}
    before = world.slack.acknowledged()
    with capture_logs() as logged:
        world.slack.emulator.workspace.deliveries.event(Delivery(kind=Kind.EVENT, name="broken", payload=payload))
        await world.slack.until(lambda: "slack.malformed" in [entry["event"] for entry in logged])
    await asyncio.sleep(0.2)  # many times as long as an acknowledgement takes
    assert world.slack.acknowledged() == before


def test_a_start_says_nothing_about_tokens(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Token and client stand in the environment, where Bolt looks for them by itself: it does not complain of that."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", people.BOT_TOKEN)
    monkeypatch.setenv("SLACK_CLIENT_ID", "1.2")
    monkeypatch.setenv("SLACK_CLIENT_SECRET", "secret")
    build_app(client=AsyncWebClient(token=people.BOT_TOKEN), workspace=WORKSPACE)
    assert caplog.messages == []
