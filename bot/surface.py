"""Slack, joined up: what talks to it, what hears it, and what people see of the work there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.accounts import Accounts
from bot.allowances import chat_limits, request_rate
from bot.core import Core
from bot.domain.threads import Workspace
from bot.entrance import Entrance
from bot.foundation import Base
from bot.runtime.editing import Editing
from bot.runtime.held import Held
from bot.runtime.intake import SECOND_LOOK_SECONDS, Intake
from bot.runtime.people import People
from bot.runtime.posts import PostBook
from bot.runtime.questions import Questions
from bot.runtime.requesters import Requesters
from bot.runtime.resuming import Resuming
from bot.runtime.stops import Stops
from bot.runtime.timely import Timely
from bot.runtime.undoing import Undoing
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
from bot.timekeeping import Timekeeping
from bot.tools.registry import Registry


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


def publisher_of(core: Core, slack: Slack) -> Publisher:
    """What shows people the work, before it is entered."""
    store, clock = core.base.store, core.base.clock
    timely = Timely(store=store, clock=clock, queries=core.queries)
    return Publisher(
        web=slack.web,
        queries=core.queries,
        timely=timely,
        posts=PostBook(store=store),
        bus=core.bus,
        agent=slack.workspace.bot_user,
        exclusion=core.exclusion(),
    )


async def listeners(
    core: Core, stack: contextlib.AsyncExitStack, slack: Slack, times: Timekeeping, own: Accounts, registry: Registry
) -> tuple[AsyncApp, HomeListener]:
    """What hears Slack, once a connection is served; its errands outlive the connection and the work."""
    settings, journal, queries, web = core.base.settings, core.journal, core.queries, slack.web
    people, stops, questions = People(journal=journal), Stops(journal=journal), Questions(journal=journal)
    again = SECOND_LOOK_SECONDS if core.base.shared else 0.0
    intake = Intake(journal=journal, limits=chat_limits(settings), rate=request_rate(settings), second_look=again)
    identity = Identity(workspace=slack.workspace, name_of=slack.directory.name)
    errands = await stack.enter_async_context(Errands())
    home = await stack.enter_async_context(
        HomeListener(queries=queries, identity=identity, web=web, bus=core.bus, errands=errands)
    )
    secret, whispers = settings.slack_signing_secret, Whispers(web=web, errands=errands)
    schedules = ScheduleListener(
        schedules=times.schedules, alarms=times.alarms, desk=times.desk, web=web, errands=errands, whispers=whispers
    )
    connect = ConnectListener(
        connecting=own.connecting,
        disconnecting=own.disconnecting,
        queries=queries,
        directory=slack.directory,
        web=web,
        errands=errands,
        whispers=whispers,
    )
    app = build_app(
        client=slack.client,
        workspace=slack.workspace,
        whispers=whispers,
        signing_secret=secret.get_secret_value() if secret else None,
        listeners=[
            MessageListener(intake=intake, identity=identity, whispers=whispers),
            ClickListener(
                questions=questions,
                resuming=Resuming(journal=journal, rate=request_rate(settings)),
                undoing=Undoing(journal=journal),
                held=Held(journal=journal),
                stops=stops,
                queries=queries,
                web=web,
                errands=errands,
                whispers=whispers,
            ),
            EditListener(
                editing=Editing(journal=journal, registry=registry, requesters=Requesters(store=core.base.store)),
                web=web,
                errands=errands,
                whispers=whispers,
            ),
            CommandListener(
                people=people,
                stops=stops,
                queries=queries,
                directory=slack.directory,
                schedules=schedules,
                accounts=connect,
            ),
            connect,
            schedules,
            SessionListener(stops=stops, identity=identity, web=web, errands=errands),
            PeopleListener(directory=slack.directory, stops=stops, left=connect.left),
            home,
        ],
    )
    return app, home


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
