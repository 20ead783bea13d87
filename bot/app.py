"""The composition root: the only place that builds parts and joins them. Inert until `async with`.

The order of entering is the order of need; leaving it backwards ends intake first, then the work, then the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets as random
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import dataclass, field

import structlog
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from starlette.routing import BaseRoute

from bot.agents import persona
from bot.api.health import health_routes
from bot.api.server import serve
from bot.dispatch.local import GRACE_SECONDS, LocalDispatcher
from bot.domain.limits import resolve_limits
from bot.domain.threads import Workspace
from bot.errors import BotError
from bot.foundation import Base, connections, opened
from bot.llm import models
from bot.llm.gemini import Gemini
from bot.llm.patience import Retries, Timeouts
from bot.llm.transport import DeveloperApi, VertexAi
from bot.runtime import words
from bot.runtime.acting import Actor
from bot.runtime.beginning import Beginning
from bot.runtime.bus import Bus
from bot.runtime.chain import Sealer
from bot.runtime.claims import Claims
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
from bot.runtime.settling import PAUSES, Settler
from bot.runtime.stops import Stops
from bot.scheduler import Scheduler
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.directory import SlackDirectory
from bot.slack.errands import Errands
from bot.slack.http import slack_routes
from bot.slack.identity import Identity
from bot.slack.installations import awaited_installation
from bot.slack.listeners.clicks import ClickListener
from bot.slack.listeners.commands import CommandListener
from bot.slack.listeners.home import HomeListener
from bot.slack.listeners.messages import MessageListener
from bot.slack.listeners.sessions import SessionListener
from bot.slack.publisher import Publisher
from bot.slack.socket import SocketMode
from bot.slack.web import SlackWeb, slack_client
from bot.slack.whispers import Whispers
from bot.tools.registry import Registry
from integrations.calendar.toolset import CalendarToolset
from integrations.gmail.toolset import GmailToolset
from integrations.google.client import GoogleClient, Sleep
from integrations.memory.toolset import MemoryToolset
from integrations.slack.client import WebReader
from integrations.slack.toolset import SlackToolset
from policies import loader
from policies.loader import Policy

log = structlog.get_logger()

_SWEEP_SECONDS = 15.0


class PartDied(BotError):
    """A background part of the process ended, which it never should."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The part “{name}” ended unexpectedly; the process stops so that it is started anew.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long others are waited for, and how a wait is waited. The defaults are the product's; tests hurry."""

    model_timeouts: Timeouts = field(default_factory=Timeouts)
    model_retries: Retries = field(default_factory=Retries)
    google_sleep: Sleep = asyncio.sleep
    settling_pauses: Sequence[float] = PAUSES
    settling_sleep: Sleep = asyncio.sleep
    leaving: float = GRACE_SECONDS


def build_model(settings: Settings, pace: Pace) -> Gemini:
    """The language model; Vertex AI variables win over the key."""
    name = settings.gemini_model or models.DEFAULT_MODEL
    if settings.vertex_ai_project_id:
        vertex = VertexAi(
            project=settings.vertex_ai_project_id,
            location=settings.vertex_ai_location or "global",
            endpoint=settings.vertex_ai_endpoint,
        )
        return Gemini(access=vertex, name=name, timeouts=pace.model_timeouts, retries=pace.model_retries)
    key = settings.gemini_api_key
    developer = DeveloperApi(api_key=key.get_secret_value() if key else "", base_url=settings.google_gemini_base_url)
    return Gemini(access=developer, name=name, timeouts=pace.model_timeouts, retries=pace.model_retries)


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
        error = None if task.cancelled() else task.exception()
        log.error("part.died", part=task.get_name(), exc_info=error)
        raise PartDied(task.get_name()) from error


@contextlib.asynccontextmanager
async def running(settings: Settings, *, pace: Pace | None = None, policy: Policy | None = None) -> AsyncGenerator[Bot]:
    """The bot, connected and working until the block ends. Without a policy the shipped one is in force."""
    async with contextlib.AsyncExitStack() as stack:
        base = await stack.enter_async_context(opened(settings, owner=True))
        async with base.store.write() as work:
            await work.leases.void_all()
        bot = await _join(_core(base, pace or Pace(), policy or loader.load()), stack)
        log.info("bot.ready", url=bot.url, model=bot.model)
        yield bot


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slack:
    """What talks to Slack."""

    client: AsyncWebClient
    web: SlackWeb
    workspace: Workspace
    directory: SlackDirectory


@dataclass(frozen=True, slots=True, kw_only=True)
class _Core:
    """What the runtime's parts share."""

    base: Base
    pace: Pace
    bus: Bus
    dispatcher: LocalDispatcher
    journal: Journal
    law: Law
    queries: Queries


async def _join(core: _Core, stack: contextlib.AsyncExitStack) -> Bot:
    base = core.base
    slack = await _slack(base, stack)
    registry = await _registry(core, stack, slack)
    model = await stack.enter_async_context(build_model(base.settings, core.pace))
    publisher = Publisher(web=slack.web, queries=core.queries, posts=PostBook(store=base.store), bus=core.bus)
    relay = Relay(store=base.store, clock=base.clock, surface=publisher)
    base.store.on_commit(relay.nudge)
    core.dispatcher.serve_with(_runner(core, slack, registry, model).serve)
    await stack.enter_async_context(publisher)
    relaying = await _background(stack, "relay", relay.run())
    sealing = await _background(stack, "sealer", Sealer(store=base.store, keyring=base.keyring).run())
    app, home = await _listeners(core, stack, slack)
    await stack.enter_async_context(core.dispatcher)
    scheduler = Scheduler()
    scheduler.every(_SWEEP_SECONDS, "sweep", core.dispatcher.sweep)
    await stack.enter_async_context(scheduler)
    url, serving = await _serve(base.settings, stack, app, slack.client)
    tasks = [relaying, sealing, publisher.task, home.task, scheduler.task, *serving]
    return Bot(url=url, model=model.name, base=base, tasks=tasks)


def _core(base: Base, pace: Pace, policy: Policy) -> _Core:
    bus, dispatcher = Bus(), LocalDispatcher(base.store, grace=pace.leaving)
    enabled = base.settings.agent_side_effects_enabled
    return _Core(
        base=base,
        pace=pace,
        bus=bus,
        dispatcher=dispatcher,
        journal=Journal(store=base.store, clock=base.clock, bus=bus, dispatcher=dispatcher),
        law=Law(policy=policy, side_effects_enabled=enabled),
        queries=Queries(store=base.store, side_effects_enabled=enabled),
    )


async def _slack(base: Base, stack: contextlib.AsyncExitStack) -> _Slack:
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
    return _Slack(client=client, web=web, workspace=workspace, directory=SlackDirectory(web=web))


async def _registry(core: _Core, stack: contextlib.AsyncExitStack, slack: _Slack) -> Registry:
    base = core.base
    google = await stack.enter_async_context(
        GoogleClient(
            grants=connections(base),
            clock=base.clock,
            connect_help=words.NOT_CONNECTED,
            api_root_url=base.settings.google_api_root_url,
            sleep=core.pace.google_sleep,
        )
    )
    return Registry(
        [
            GmailToolset(google=google),
            CalendarToolset(google=google),
            MemoryToolset(MemoryBook(store=base.store, clock=base.clock)),
            SlackToolset(WebReader(client=slack.client, clock=base.clock)),
        ]
    )


def _runner(core: _Core, slack: _Slack, registry: Registry, model: Gemini) -> Runner:
    base = core.base
    requesters = Requesters(store=base.store)
    profiles = ProfileBook(store=base.store, profiles=slack.directory)
    claims = Claims(store=base.store, clock=base.clock, registry=registry, law=core.law, profiles=profiles)
    settler = Settler(
        store=base.store,
        clock=base.clock,
        registry=registry,
        requesters=requesters,
        pauses=core.pace.settling_pauses,
        sleep=core.pace.settling_sleep,
    )
    beginning = Beginning(
        store=base.store,
        clock=base.clock,
        model=model,
        law=core.law,
        profiles=profiles,
        persona=persona.assistant(),
    )
    loop = Loop(store=base.store, clock=base.clock, bus=core.bus, model=model, registry=registry, law=core.law)
    actor = Actor(clock=base.clock, registry=registry, claims=claims, requesters=requesters, settler=settler)
    judge = Judge(registry=registry, claims=claims, requesters=requesters)
    return Runner(
        journal=core.journal,
        beginning=beginning,
        loop=loop,
        judge=judge,
        actor=actor,
        settler=settler,
        holder=random.token_hex(8),
    )


async def _listeners(core: _Core, stack: contextlib.AsyncExitStack, slack: _Slack) -> tuple[AsyncApp, HomeListener]:
    """What hears Slack, once a connection is served; its errands outlive the connection and the work."""
    settings, journal, queries, web = core.base.settings, core.journal, core.queries, slack.web
    people, stops, questions = People(journal=journal), Stops(journal=journal), Questions(journal=journal)
    intake = Intake(journal=journal, limits=resolve_limits({}, {"steps": settings.agent_max_loop_steps}))
    identity = Identity(workspace=slack.workspace, name_of=slack.directory.name)
    errands = await stack.enter_async_context(Errands())
    home = await stack.enter_async_context(
        HomeListener(queries=queries, identity=identity, web=web, bus=core.bus, errands=errands)
    )
    secret, whispers = settings.slack_signing_secret, Whispers(web=web, errands=errands)
    app = build_app(
        client=slack.client,
        workspace=slack.workspace,
        whispers=whispers,
        signing_secret=secret.get_secret_value() if secret else None,
        listeners=[
            MessageListener(intake=intake, identity=identity),
            ClickListener(
                questions=questions,
                people=people,
                stops=stops,
                queries=queries,
                web=web,
                errands=errands,
                whispers=whispers,
            ),
            CommandListener(people=people, stops=stops, queries=queries, directory=slack.directory),
            SessionListener(stops=stops, identity=identity, web=web, errands=errands),
            home,
        ],
    )
    return app, home


async def _serve(
    settings: Settings, stack: contextlib.AsyncExitStack, app: AsyncApp, client: AsyncWebClient
) -> tuple[str, Sequence[asyncio.Task[None]]]:
    """Socket Mode where there is an app token, else Slack over HTTP; health in any case. The URL, and what serves."""
    tasks: list[asyncio.Task[None]] = []
    if settings.slack_app_token is not None:
        token = settings.slack_app_token.get_secret_value()
        socket = await stack.enter_async_context(SocketMode(app=app, client=client, app_token=token))
        await socket.wait_ready()
        tasks.append(socket.task)
        routes: Sequence[BaseRoute] = health_routes(lambda: {"slack": socket.ready})
    else:
        secret = settings.slack_signing_secret
        signed = slack_routes(app, signing_secret=secret.get_secret_value() if secret else random.token_hex(32))
        routes = [*signed, *health_routes(lambda: {"slack": True})]
    served = await stack.enter_async_context(serve(routes, host=settings.http_host, port=settings.http_port))
    return served.url, [*tasks, served.task]


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
