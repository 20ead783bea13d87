"""The Slack emulator with our Bolt app on it, over real sockets; behind the app stand fakes of the runtime."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, cast

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lock import DistributedLock, IsHeld
from bot.slack.app import build_app
from bot.slack.directory import SlackDirectory
from bot.slack.errands import Errands
from bot.slack.identity import Identity
from bot.slack.installations import installation
from bot.slack.listeners.clicks import ClickListener
from bot.slack.listeners.commands import CommandListener
from bot.slack.listeners.connecting import ConnectListener
from bot.slack.listeners.home import HomeListener
from bot.slack.listeners.messages import MessageListener
from bot.slack.listeners.people import PeopleListener
from bot.slack.listeners.sessions import SessionListener
from bot.slack.publisher import Publisher
from bot.slack.socket import SocketMode
from bot.slack.web import SlackWeb, slack_client
from bot.slack.whispers import Whispers
from playground import people
from playground.serve import Served
from playground.slack.emulator import Emulator
from playground.slack.settings import Settings
from tests import slack_methods
from tests.unit.bot.slack.fakes import (
    Disk,
    FakeConnecting,
    FakeHeld,
    FakeIntake,
    FakePeople,
    FakePosts,
    FakeQueries,
    FakeQuestions,
    FakeResuming,
    FakeStops,
    FakeTimely,
    FakeUndoing,
)

PATIENCE_SECONDS = 5


@dataclass(kw_only=True)
class Slack:
    """The emulator, the human side of it, and a façade as the bot has one."""

    url: str
    emulator: Emulator
    session: aiohttp.ClientSession
    client: AsyncWebClient
    web: SlackWeb

    @property
    def state(self) -> dict[str, Any]:
        return self.emulator.state()

    async def act(self, name: str, **what: object) -> dict[str, Any]:
        async with self.session.post(f"{self.url}/__act/{name}", json=what) as answer:
            return cast("dict[str, Any]", await answer.json())

    async def fault(self, **fault: object) -> None:
        async with self.session.post(f"{self.url}/__admin/faults", json=fault) as answer:
            answer.raise_for_status()

    async def settings(self, **changes: object) -> None:
        async with self.session.post(f"{self.url}/__admin/settings", json=changes) as answer:
            answer.raise_for_status()

    async def say(self, user: str, channel: str, text: str, **more: object) -> str:
        said = await self.act("message", user=user, channel=channel, text=text, **more)
        return said["message"]["ts"] if "message" in said else said["ts"]

    async def dm(self, user: str) -> str:
        return (await self.act("dm", user=user))["channel"]

    def messages(self, channel: str) -> list[dict[str, Any]]:
        return self.emulator.workspace.world.messages.get(channel, [])

    def is_held(self, channel: str) -> list[dict[str, Any]]:
        return [message for message in self.messages(channel) if message.get("bot_id") == people.BOT_ID]

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The bodies of the bot's calls of a method, in order."""
        entries = self.entries()
        return [entry["request"] for entry in entries if entry["path"].partition("?")[0] == f"/api/{method}"]

    def entries(self) -> list[dict[str, Any]]:
        return self.emulator.admin.log.after(0)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something is so."""
        for _ in range(PATIENCE_SECONDS * 100):
            if holds():
                return
            await asyncio.sleep(0.01)
        raise TimeoutError


@dataclass(kw_only=True)
class Behind:
    """What stands behind the app."""

    disk: Disk = field(default_factory=Disk)
    bus: Bus = field(default_factory=Bus)
    queries: FakeQueries = field(default_factory=FakeQueries)
    timely: FakeTimely = field(default_factory=FakeTimely)
    posts: FakePosts = field(default_factory=FakePosts)
    later: float = 0.0

    def __post_init__(self) -> None:
        self.intake = FakeIntake(self.disk)
        self.questions = FakeQuestions(self.disk)
        self.resuming = FakeResuming(self.disk)
        self.stops = FakeStops(self.disk)
        self.people = FakePeople(self.disk)
        self.undoing = FakeUndoing(self.disk)
        self.held = FakeHeld(self.disk)
        self.connecting = FakeConnecting(self.disk)


@dataclass(kw_only=True)
class World:
    """Everything together, connected."""

    slack: Slack
    behind: Behind
    app: AsyncApp
    errands: Errands
    socket: SocketMode | None = None


@contextlib.asynccontextmanager
async def slack_running() -> AsyncGenerator[Slack]:
    """The emulator alone."""
    emulator = Emulator(Settings(ack_seconds=1.5, retry_seconds=0.0))
    async with (
        Served(emulator.app) as url,
        aiohttp.ClientSession() as session,
        slack_client(token=people.BOT_TOKEN, base_url=f"{url}/api/") as client,
    ):
        slack = Slack(url=url, emulator=emulator, session=session, client=client, web=SlackWeb(client))
        yield slack
        slack_methods.remember(slack.entries())


@contextlib.asynccontextmanager
async def app_running(*, socket: bool = True) -> AsyncGenerator[World]:
    """The emulator with the app connected by Socket Mode."""
    async with slack_running() as slack, Errands() as errands:
        behind, whispers = Behind(), Whispers(web=slack.web, errands=errands)
        workspace = await installation(slack.web)
        directory = SlackDirectory(web=slack.web)
        identity = Identity(workspace=workspace, name_of=directory.name)
        untyped: dict[str, Any] = {
            "queries": behind.queries,
            "stops": behind.stops,
            "people": behind.people,
            "undoing": behind.undoing,
            "held": behind.held,
            "questions": behind.questions,
            "resuming": behind.resuming,
            "intake": behind.intake,
            "connecting": behind.connecting,
        }
        home = HomeListener(
            queries=untyped["queries"], identity=identity, web=slack.web, bus=behind.bus, errands=errands, pause=0.01
        )
        clicks = ClickListener(
            questions=untyped["questions"],
            resuming=untyped["resuming"],
            undoing=untyped["undoing"],
            held=untyped["held"],
            stops=untyped["stops"],
            queries=untyped["queries"],
            web=slack.web,
            errands=errands,
            whispers=whispers,
        )
        commands = CommandListener(
            people=untyped["people"], stops=untyped["stops"], queries=untyped["queries"], directory=directory
        )
        accounts = ConnectListener(
            connecting=untyped["connecting"],
            disconnecting=untyped["connecting"],
            queries=untyped["queries"],
            questions=untyped["questions"],
            people=untyped["people"],
            directory=directory,
            web=slack.web,
            errands=errands,
            whispers=whispers,
        )
        app = build_app(
            client=slack.client,
            workspace=workspace,
            whispers=whispers,
            signing_secret=people.SIGNING_SECRET,
            listeners=[
                MessageListener(intake=untyped["intake"], identity=identity, whispers=whispers),
                SessionListener(stops=untyped["stops"], identity=identity, web=slack.web, errands=errands),
                PeopleListener(directory=directory, stops=untyped["stops"]),
                clicks,
                commands,
                accounts,
                home,
            ],
        )
        world = World(slack=slack, behind=behind, app=app, errands=errands)
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(home)
            if socket:
                world.socket = SocketMode(
                    app=app, client=slack.client, app_token=people.APP_TOKEN, look_every=0.1, ping_every=0.5
                )
                await stack.enter_async_context(world.socket)
                await world.socket.wait_ready()
            yield world


@contextlib.asynccontextmanager
async def publishing(
    slack: Slack, behind: Behind, *, is_held: IsHeld = lambda: True, lock: DistributedLock | None = None
) -> AsyncGenerator[Publisher]:
    """A publisher on the emulator."""
    untyped: dict[str, Any] = {"queries": behind.queries, "timely": behind.timely, "posts": behind.posts}

    def monotonic() -> float:
        return time.monotonic() + behind.later

    async with Publisher(
        web=SlackWeb(slack.client, monotonic=monotonic),
        queries=untyped["queries"],
        timely=untyped["timely"],
        posts=untyped["posts"],
        bus=behind.bus,
        agent=people.BOT_USER_ID,
        lock=lock,
        is_held=is_held,
        monotonic=monotonic,
    ) as publisher:
        yield publisher
