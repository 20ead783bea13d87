"""The composition root: the only place that builds parts and joins them. Inert until `async with`.

The order of entering is the order of need; leaving it backwards ends intake first, then the work, then the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets as random
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import dataclass

import structlog
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from starlette.routing import BaseRoute

from bot.agents import persona
from bot.api.health import health_routes
from bot.api.server import serve
from bot.clock import SystemClock
from bot.dispatch.local import LocalDispatcher
from bot.domain.threads import Workspace
from bot.errors import BotError
from bot.llm import models
from bot.llm.gemini import Gemini
from bot.llm.transport import DeveloperApi, VertexAi
from bot.runtime import words
from bot.runtime.acting import Actor
from bot.runtime.bus import Bus
from bot.runtime.chain import Sealer
from bot.runtime.connections import Connections
from bot.runtime.evidence import Law
from bot.runtime.intake import Intake
from bot.runtime.judging import Judge
from bot.runtime.leases import Journal
from bot.runtime.loop import Loop
from bot.runtime.memories import MemoryBook
from bot.runtime.outbox import Relay
from bot.runtime.people import People
from bot.runtime.posts import PostBook
from bot.runtime.profiles import ProfileBook
from bot.runtime.queries import Queries
from bot.runtime.questions import Questions
from bot.runtime.requesters import Requesters
from bot.runtime.runner import Runner
from bot.runtime.settling import Settler
from bot.runtime.stops import Stops
from bot.secrets import KeyRing, key_file
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.directory import SlackDirectory
from bot.slack.errands import Errands
from bot.slack.http import slack_routes
from bot.slack.identity import Identity
from bot.slack.installations import installation
from bot.slack.listeners.clicks import ClickListener
from bot.slack.listeners.commands import CommandListener
from bot.slack.listeners.home import HomeListener
from bot.slack.listeners.messages import MessageListener
from bot.slack.listeners.sessions import SessionListener
from bot.slack.publisher import Publisher
from bot.slack.socket import SocketMode
from bot.slack.web import SlackWeb, slack_client
from bot.store.engine import sqlite_engine
from bot.store.file_lock import owned
from bot.store.migrate import migrate
from bot.store.unit_of_work import SqlStore
from bot.tools.registry import Registry
from integrations.calendar.toolset import CalendarToolset
from integrations.gmail.toolset import GmailToolset
from integrations.google.client import GoogleClient
from integrations.google.oauth import GoogleTokens
from integrations.memory.toolset import MemoryToolset
from integrations.slack.client import WebReader
from integrations.slack.toolset import SlackToolset
from policies import loader

log = structlog.get_logger()


class PartDied(BotError):
    """A background part of the process ended, which it never should."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The part “{name}” ended unexpectedly; the process stops so that it is started anew.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The store and what it needs: enough for commands that only read or adopt."""

    settings: Settings
    clock: SystemClock
    keyring: KeyRing
    store: SqlStore


@contextlib.asynccontextmanager
async def opened(settings: Settings, *, owner: bool) -> AsyncGenerator[Base]:
    """The store, migrated. An owner holds the file's lock; a command that only reads does not."""
    path = settings.sqlite_path
    path.parent.mkdir(parents=True, exist_ok=True)
    async with contextlib.AsyncExitStack() as stack:
        if owner:
            stack.enter_context(owned(path))
        clock = SystemClock()
        keyring = KeyRing(_keys(settings))
        engine = sqlite_engine(settings.database_url)
        stack.push_async_callback(engine.dispose)
        if owner:
            await migrate(engine)
        yield Base(
            settings=settings, clock=clock, keyring=keyring, store=SqlStore(engine, keyring=keyring, clock=clock)
        )


def _keys(settings: Settings) -> Sequence[str]:
    if settings.encryption_keys is not None:
        return settings.encryption_keys.get_secret_value().split(",")
    path = settings.sqlite_path
    return [key_file(path.with_name(path.name + ".key"))]


def connections(base: Base) -> Connections:
    """Connected accounts."""
    settings = base.settings
    secret = settings.google_client_secret
    token_url = settings.google_oauth_token_url or "https://oauth2.googleapis.com/token"
    return Connections(
        store=base.store,
        keyring=base.keyring,
        clock=base.clock,
        token_url=token_url,
        refresher=GoogleTokens(
            token_url=token_url,
            client_id=settings.google_client_id or "",
            client_secret=secret.get_secret_value() if secret else "",
        ),
    )


def build_model(settings: Settings) -> Gemini:
    """The language model; Vertex AI variables win over the key."""
    name = settings.gemini_model or models.DEFAULT_MODEL
    if settings.vertex_ai_project_id:
        vertex = VertexAi(
            project=settings.vertex_ai_project_id,
            location=settings.vertex_ai_location or "global",
            endpoint=settings.vertex_ai_endpoint,
        )
        return Gemini(access=vertex, name=name)
    key = settings.gemini_api_key
    developer = DeveloperApi(api_key=key.get_secret_value() if key else "", base_url=settings.google_gemini_base_url)
    return Gemini(access=developer, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """The running bot: where it serves HTTP, its store, and what runs in the background, by name."""

    url: str
    model: str
    base: Base
    tasks: Sequence[asyncio.Task[None]]

    async def until_a_part_dies(self) -> None:
        """Wait for the first background part to end, which is an error: raises `PartDied`."""
        done, _ = await asyncio.wait(self.tasks, return_when=asyncio.FIRST_COMPLETED)
        task = next(iter(done))
        log.error("part.died", part=task.get_name(), exc_info=task.exception())
        raise PartDied(task.get_name())


@contextlib.asynccontextmanager
async def running(settings: Settings) -> AsyncGenerator[Bot]:
    """The bot, connected and working until the block ends."""
    async with contextlib.AsyncExitStack() as stack:
        base = await stack.enter_async_context(opened(settings, owner=True))
        async with base.store.write() as work:
            await work.leases.void_all()
        bot = await _join(base, stack)
        log.info("bot.ready", url=bot.url, model=bot.model)
        yield bot


async def _join(base: Base, stack: contextlib.AsyncExitStack) -> Bot:
    settings, clock, store = base.settings, base.clock, base.store
    bus = Bus()
    dispatcher = LocalDispatcher(store)
    journal = Journal(store=store, clock=clock, bus=bus, dispatcher=dispatcher)
    token = settings.slack_bot_token
    client = await stack.enter_async_context(
        slack_client(token=token.get_secret_value() if token else None, base_url=settings.slack_api_url)
    )
    web = SlackWeb(client)
    workspace = await installation(web)
    async with store.write() as work:
        await work.users.installed(workspace)
    law = Law(policy=loader.load(), side_effects_enabled=settings.agent_side_effects_enabled)
    queries = Queries(store=store, side_effects_enabled=law.side_effects_enabled)
    directory = SlackDirectory(web=web)
    registry = await _registry(base, stack, client)
    model = await stack.enter_async_context(build_model(settings))
    publisher = Publisher(web=web, queries=queries, posts=PostBook(store=store), bus=bus, clock=clock)
    relay = Relay(store=store, clock=clock, surface=publisher)
    store.on_commit(relay.nudge)
    requesters = Requesters(store=store)
    settler = Settler(clock=clock, registry=registry, requesters=requesters)
    runner = Runner(
        journal=journal,
        loop=Loop(
            store=store,
            clock=clock,
            bus=bus,
            model=model,
            registry=registry,
            law=law,
            profiles=ProfileBook(store=store, profiles=directory),
            persona=persona.assistant(),
        ),
        judge=Judge(store=store, registry=registry, law=law, requesters=requesters),
        actor=Actor(store=store, clock=clock, registry=registry, law=law, requesters=requesters, settler=settler),
        settler=settler,
        holder=random.token_hex(8),
    )
    dispatcher.serve_with(runner.serve)
    await stack.enter_async_context(publisher)
    tasks = [
        await _background(stack, "relay", relay.run()),
        await _background(stack, "sealer", Sealer(store=store).run()),
    ]
    await stack.enter_async_context(dispatcher)
    app = await _listen(base, stack, journal, web, client, workspace, queries, directory, bus)
    url = await _serve(settings, stack, app, client)
    return Bot(url=url, model=model.name, base=base, tasks=tasks)


async def _registry(base: Base, stack: contextlib.AsyncExitStack, client: AsyncWebClient) -> Registry:
    google = await stack.enter_async_context(
        GoogleClient(
            grants=connections(base),
            clock=base.clock,
            connect_help=words.NOT_CONNECTED,
            api_root_url=base.settings.google_api_root_url,
        )
    )
    return Registry(
        [
            GmailToolset(google=google),
            CalendarToolset(google=google),
            MemoryToolset(MemoryBook(store=base.store, clock=base.clock)),
            SlackToolset(WebReader(client=client, clock=base.clock)),
        ]
    )


async def _listen(
    base: Base,
    stack: contextlib.AsyncExitStack,
    journal: Journal,
    web: SlackWeb,
    client: AsyncWebClient,
    workspace: Workspace,
    queries: Queries,
    directory: SlackDirectory,
    bus: Bus,
) -> AsyncApp:
    settings = base.settings
    people, stops = People(journal=journal), Stops(journal=journal)
    identity = Identity(workspace=workspace, name_of=directory.name)
    errands = await stack.enter_async_context(Errands())
    home = HomeListener(queries=queries, identity=identity, web=web, bus=bus, errands=errands)
    secret = settings.slack_signing_secret
    app = build_app(
        client=client,
        workspace=workspace,
        signing_secret=secret.get_secret_value() if secret else None,
        listeners=[
            MessageListener(intake=Intake(journal=journal, max_steps=settings.agent_max_loop_steps), identity=identity),
            ClickListener(
                questions=Questions(journal=journal),
                people=people,
                stops=stops,
                queries=queries,
                web=web,
                errands=errands,
            ),
            CommandListener(people=people, stops=stops, queries=queries, directory=directory),
            SessionListener(stops=stops, identity=identity, web=web, errands=errands),
            home,
        ],
    )
    await stack.enter_async_context(home)
    return app


async def _serve(settings: Settings, stack: contextlib.AsyncExitStack, app: AsyncApp, client: AsyncWebClient) -> str:
    """Socket Mode where there is an app token; Slack over HTTP otherwise; health in any case."""
    socket: SocketMode | None = None
    routes: list[BaseRoute] = []
    if settings.slack_app_token is not None:
        token = settings.slack_app_token.get_secret_value()
        socket = await stack.enter_async_context(SocketMode(app=app, client=client, app_token=token))
        await socket.wait_ready()
    else:
        routes += slack_routes(app)
    connected = socket
    routes += health_routes(lambda: {"slack": connected.ready if connected else True})
    return await stack.enter_async_context(serve(routes, host=settings.http_host, port=settings.http_port))


async def _background(
    stack: contextlib.AsyncExitStack, name: str, work: Coroutine[object, object, None]
) -> asyncio.Task[None]:
    """A named task that ends with the stack."""
    task = asyncio.create_task(work, name=name)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)
    return task
