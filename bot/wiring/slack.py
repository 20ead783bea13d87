"""Slack, joined up: what talks to it, what hears it, and what people see of the work there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.domain.threads import Workspace
from bot.runtime.core.lock import IsHeld
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.runtime.people.people import People
from bot.runtime.people.requesters import Requesters
from bot.runtime.questions.decide import Questions
from bot.runtime.questions.edit import Editing
from bot.runtime.questions.edit_forms import EditForms
from bot.runtime.runs.deferred import DeferredActions
from bot.runtime.runs.intake import SECOND_LOOK_SECONDS, Intake
from bot.runtime.runs.resume import Resuming
from bot.runtime.runs.stop import Stops
from bot.runtime.runs.undo import Undoing
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.directory import SlackDirectory
from bot.slack.errands import Errands
from bot.slack.identity import Identity
from bot.slack.installations import awaited_installation
from bot.slack.listeners.clicks import ClickListener
from bot.slack.listeners.commands import CommandListener
from bot.slack.listeners.connecting import ConnectListener
from bot.slack.listeners.edits import EditListener
from bot.slack.listeners.home import HomeListener
from bot.slack.listeners.messages import MessageListener
from bot.slack.listeners.people import PeopleListener
from bot.slack.listeners.schedules import ScheduleListener
from bot.slack.listeners.sessions import SessionListener
from bot.slack.publisher import Publisher
from bot.slack.socket import SocketMode
from bot.slack.web import SlackWeb, slack_client
from bot.slack.whispers import Whispers
from bot.tools.registry import Registry
from bot.wiring.accounts import Accounts
from bot.wiring.core import Core
from bot.wiring.http import Entrance
from bot.wiring.jobs import Timekeeping
from bot.wiring.limits import chat_limits, request_rate
from bot.wiring.store import Base


@dataclass(frozen=True, slots=True, kw_only=True)
class Slack:
    """What talks to Slack."""

    client: AsyncWebClient
    web: SlackWeb
    workspace: Workspace
    directory: SlackDirectory


async def slack_of(base: Base, stack: contextlib.AsyncExitStack) -> Slack:
    """Connect the client, and learn which workspace the token belongs to."""
    settings = base.settings
    token = settings.slack_bot_token
    client = await stack.enter_async_context(
        slack_client(token=token.get_secret_value() if token else None, base_url=settings.slack_api_url)
    )
    web = SlackWeb(client)
    workspace = await awaited_installation(web)
    async with base.store.write() as work:
        await work.users.installed(workspace)
    return Slack(client=client, web=web, workspace=workspace, directory=SlackDirectory(web=web))


def publisher_of(core: Core, slack: Slack, *, is_held: IsHeld) -> Publisher:
    """What shows people the work, before it is entered; `ours` says whether this process relays."""
    store, clock = core.base.store, core.base.clock
    timely = ScheduleViews(store=store, clock=clock)
    return Publisher(
        web=slack.web,
        queries=core.queries,
        timely=timely,
        posts=PostService(store=store),
        bus=core.bus,
        agent=slack.workspace.bot_user,
        lock=core.lock(),
        is_held=is_held,
    )


async def listeners(
    core: Core, stack: contextlib.AsyncExitStack, slack: Slack, times: Timekeeping, own: Accounts, registry: Registry
) -> tuple[AsyncApp, HomeListener]:
    """What hears Slack, once a connection is served; its errands outlive the connection and the work."""
    errands = await stack.enter_async_context(Errands())
    ears = _Ears(core=core, slack=slack, errands=errands, whispers=Whispers(web=slack.web, errands=errands))
    home = await stack.enter_async_context(ears.home())
    schedules, connect, secret = ears.schedules(times), ears.accounts(own), core.base.settings.slack_signing_secret
    app = build_app(
        client=slack.client,
        workspace=slack.workspace,
        whispers=ears.whispers,
        signing_secret=secret.get_secret_value() if secret else None,
        listeners=[
            ears.messages(),
            ears.clicks(),
            ears.edits(registry),
            ears.commands(schedules, connect),
            connect,
            schedules,
            ears.sessions(),
            PeopleListener(directory=slack.directory, stops=ears.stops, left=connect.left),
            home,
        ],
    )
    return app, home


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ears:
    """Makes the listeners from what they share."""

    core: Core
    slack: Slack
    errands: Errands
    whispers: Whispers

    @property
    def stops(self) -> Stops:
        return Stops(transactions=self.core.transactions)

    @property
    def identity(self) -> Identity:
        return Identity(workspace=self.slack.workspace, name_of=self.slack.directory.name)

    def home(self) -> HomeListener:
        return HomeListener(
            queries=self.core.queries,
            identity=self.identity,
            web=self.slack.web,
            bus=self.core.bus,
            errands=self.errands,
        )

    def messages(self) -> MessageListener:
        settings = self.core.base.settings
        intake = Intake(
            transactions=self.core.transactions,
            limits=chat_limits(settings),
            rate=request_rate(settings),
            second_look=SECOND_LOOK_SECONDS if self.core.base.shared else 0.0,
        )
        return MessageListener(intake=intake, identity=self.identity, whispers=self.whispers)

    def clicks(self) -> ClickListener:
        transactions = self.core.transactions
        return ClickListener(
            questions=Questions(transactions=transactions),
            resuming=Resuming(transactions=transactions, rate=request_rate(self.core.base.settings)),
            undoing=Undoing(transactions=transactions),
            held=DeferredActions(transactions=transactions),
            stops=self.stops,
            queries=self.core.queries,
            web=self.slack.web,
            errands=self.errands,
            whispers=self.whispers,
        )

    def edits(self, registry: Registry) -> EditListener:
        editing = Editing(transactions=self.core.transactions, registry=registry)
        requesters = Requesters(store=self.core.base.store)
        return EditListener(
            forms=EditForms(editing=editing, requesters=requesters),
            web=self.slack.web,
            errands=self.errands,
            whispers=self.whispers,
        )

    def commands(self, schedules: ScheduleListener, accounts: ConnectListener) -> CommandListener:
        return CommandListener(
            people=People(transactions=self.core.transactions),
            stops=self.stops,
            queries=self.core.queries,
            directory=self.slack.directory,
            schedules=schedules,
            accounts=accounts,
        )

    def schedules(self, times: Timekeeping) -> ScheduleListener:
        return ScheduleListener(
            schedules=times.schedules,
            alarms=times.alarms,
            desk=times.desk,
            web=self.slack.web,
            errands=self.errands,
            whispers=self.whispers,
        )

    def accounts(self, own: Accounts) -> ConnectListener:
        return ConnectListener(
            connecting=own.connecting,
            disconnecting=own.disconnecting,
            queries=self.core.queries,
            questions=Questions(transactions=self.core.transactions),
            people=People(transactions=self.core.transactions),
            directory=self.slack.directory,
            web=self.slack.web,
            errands=self.errands,
            whispers=self.whispers,
        )

    def sessions(self) -> SessionListener:
        return SessionListener(stops=self.stops, identity=self.identity, web=self.slack.web, errands=self.errands)


async def hear(
    settings: Settings, stack: contextlib.AsyncExitStack, app: AsyncApp, client: AsyncWebClient, way_in: Entrance
) -> Sequence[asyncio.Task[None]]:
    """Let Slack in, by Socket Mode where there is an app token, else over HTTP. It ends before everything else does."""
    tasks: list[asyncio.Task[None]] = []
    if settings.slack_app_token is not None:
        token = settings.slack_app_token.get_secret_value()
        socket = await stack.enter_async_context(SocketMode(app=app, client=client, app_token=token))
        way_in.vitals.parts["slack"] = lambda: socket.ready
        await socket.wait_ready()
        tasks.append(socket.task)
    stack.callback(way_in.door.shut)
    way_in.door.open()
    return tasks
