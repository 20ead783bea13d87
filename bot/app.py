"""The composition root: the only place that builds parts and joins them. Inert until `async with`.

The order of entering is the order of need; leaving it backwards ends intake first, then the work, then the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets as random
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.accounts import Accounts, accounts, are_offered
from bot.agents import persona
from bot.allowances import chat_limits, daily_budgets, model_rate, request_rate
from bot.api.metrics import Metrics
from bot.delegation import google_grants
from bot.dispatch.local import SWEEP_SECONDS, LocalDispatcher
from bot.dispatch.serving import GRACE_SECONDS
from bot.domain.events import ModelRetried
from bot.domain.threads import Workspace
from bot.entrance import Entrance, entrance
from bot.errors import BotError
from bot.foundation import Base, opened, origin_of
from bot.llm import models
from bot.llm.gemini import Gemini
from bot.llm.patience import Retries, Timeouts
from bot.llm.transport import DeveloperApi
from bot.model_access import access_of
from bot.runtime import words
from bot.runtime.acting import Actor
from bot.runtime.beginning import Beginning
from bot.runtime.bus import Bus
from bot.runtime.chain import Sealer
from bot.runtime.checkpoint import Checkpoint
from bot.runtime.claims import Claims
from bot.runtime.duties import DUTY_SECONDS, Duty, Sole
from bot.runtime.editing import Editing
from bot.runtime.evidence import Law
from bot.runtime.exclusion import LONGEST_SECONDS, Exclusion, LeasedExclusion, NobodyElse
from bot.runtime.expiry import Expiry
from bot.runtime.held import Held
from bot.runtime.intake import SECOND_LOOK_SECONDS, Intake
from bot.runtime.judging import Judge
from bot.runtime.leases import LEASE_SECONDS, Journal
from bot.runtime.loop import Loop
from bot.runtime.memories import MemoryBook
from bot.runtime.outbox import Relay
from bot.runtime.pacing import Pacer
from bot.runtime.people import People
from bot.runtime.posts import PostBook
from bot.runtime.profiles import ProfileBook
from bot.runtime.queries import Queries
from bot.runtime.questions import Questions
from bot.runtime.requesters import Requesters
from bot.runtime.resuming import Resuming
from bot.runtime.retention import Keep, Retention
from bot.runtime.runner import Runner
from bot.runtime.schedules import Schedules
from bot.runtime.settling import PAUSES, Settler
from bot.runtime.spending import Purse
from bot.runtime.stops import Stops
from bot.runtime.timely import Timely
from bot.runtime.undoing import Undoing
from bot.runtime.watching import Watch
from bot.scheduler import Scheduler
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
from bot.timekeeping import Timekeeping, timekeeping
from bot.tools.registry import Registry
from integrations.calendar.toolset import CalendarToolset
from integrations.gmail.history import MailHistory
from integrations.gmail.toolset import GmailToolset
from integrations.google.client import GoogleClient, Sleep
from integrations.grants import GoogleGrants
from integrations.memory.toolset import MemoryToolset
from integrations.people.google_contacts import GoogleContacts
from integrations.people.toolset import PeopleToolset
from integrations.slack.client import WebReader
from integrations.slack.contacts import WebContacts
from integrations.slack.files import WebFiles
from integrations.slack.toolset import SlackToolset
from policies import loader
from policies.loader import Policy

if TYPE_CHECKING:
    from bot.dispatch.procrastinate import ProcrastinateDispatcher

log = structlog.get_logger()

_TICK_SECONDS = 1.0
_CONNECT_SECONDS = 5.0  # what a connection answers is answered when it is made; this is for what broke off then
_PRUNE_SECONDS = 60.0  # it is done once an hour, by whoever comes first
_OUTSIDE_SECONDS = 900.0  # a round that looks outside a hundred times, while nobody answers there
_FORGETTING_SECONDS = 3600.0  # all that came together before anything was forgotten


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
    lease_seconds: float = LEASE_SECONDS
    duty_seconds: float = DUTY_SECONDS
    exclusion_seconds: float = LONGEST_SECONDS
    sweep_seconds: float = SWEEP_SECONDS
    longest_hold: timedelta = timedelta.max


def build_model(settings: Settings, pace: Pace, *, retried: Callable[[str], None] | None = None) -> Gemini:
    """The language model; Vertex AI variables win over the key. `retried` hears why it is asked again."""
    name = settings.gemini_model or models.DEFAULT_MODEL
    access = access_of(settings) or DeveloperApi(api_key="", base_url=settings.google_gemini_base_url)
    return Gemini(access=access, name=name, timeouts=pace.model_timeouts, retries=pace.model_retries, retried=retried)


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
        await origin_of(base).claim()
        if not base.shared:  # other replicas may hold theirs
            async with base.store.write() as work:
                await work.leases.void_all()
        core = _core(base, pace or Pace(), policy or loader.load())
        bot = await _join(core, stack)
        log.info("bot.ready", url=bot.url, model=bot.model, holder=core.holder)
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
    dispatcher: LocalDispatcher | ProcrastinateDispatcher
    journal: Journal
    law: Law
    queries: Queries
    metrics: Metrics
    holder: str

    def duty(self, name: str) -> Duty | Sole:
        """What one process does for all that share the database."""
        if not self.base.shared:
            return Sole()
        return Duty(name=name, journal=self.journal, holder=self.holder, seconds=self.pace.duty_seconds)

    def exclusion(self) -> Exclusion:
        """What no two of the processes that share the database may do at the same moment."""
        if not self.base.shared:
            return NobodyElse()
        store, clock, seconds = self.base.store, self.base.clock, self.pace.exclusion_seconds
        return LeasedExclusion(store=store, clock=clock, holder=self.holder, seconds=seconds)

    def model_retried(self, reason: str) -> None:
        """The model is asked again."""
        self.bus.publish(ModelRetried(reason))


async def _join(core: _Core, stack: contextlib.AsyncExitStack) -> Bot:
    base = core.base
    way_in = entrance(base, core.metrics)
    served = await stack.enter_async_context(way_in.served())
    slack = await _slack(base, stack)
    own = accounts(base, core.journal, exclusion=core.exclusion(), url=served.url)
    grants = google_grants(base.settings, clock=base.clock, own=own.connections)
    google = await _google(core, stack, grants)
    times = timekeeping(core.journal, google, limits=chat_limits(base.settings), rate=request_rate(base.settings))
    registry = _registry(core, google, slack, times)
    model = await stack.enter_async_context(build_model(base.settings, core.pace, retried=core.model_retried))
    publisher = _publisher(core, slack)
    to_relay, to_seal = core.duty("relay"), core.duty("sealer")
    relay = Relay(store=base.store, clock=base.clock, surface=publisher, fence=to_relay.fence, pulse=to_relay.pulse)
    sealer = Sealer(store=base.store, keyring=base.keyring, fence=to_seal.fence, pulse=to_seal.pulse)
    scheduler = Scheduler()
    base.store.on_commit(relay.committed)
    core.dispatcher.serve_with(_runner(core, slack, registry, model, own, grants).serve)
    await stack.enter_async_context(publisher)
    relaying = await _background(stack, "relay", to_relay.keep(relay.run))
    sealing = await _background(stack, "sealer", to_seal.keep(sealer.run))
    app, home = await _listeners(core, stack, slack, times, own, registry)
    scheduler.every(core.pace.sweep_seconds, "sweep", core.dispatcher.sweep, within=0.0)
    pulses = {"relay": relay.pulse, "sealer": sealer.pulse, "scheduler": scheduler.pulse}
    pulses["sweep"] = scheduler.pulses["sweep"]
    way_in.lead_to(app, pulses, scheduler.pulses, own.routes())
    await stack.enter_async_context(core.dispatcher)
    _keep_time(core, scheduler, times.schedules)
    scheduler.every(_CONNECT_SECONDS, "accounts", own.questions.tick)
    scheduler.every(_CONNECT_SECONDS, "revocations", own.revoking.tick, within=_OUTSIDE_SECONDS)
    await stack.enter_async_context(scheduler)
    hearing = await _hear(base.settings, stack, app, slack.client, way_in)
    tasks = [relaying, sealing, publisher.task, home.task, scheduler.task, *hearing, served.task]
    tasks += core.dispatcher.tasks
    return Bot(url=served.url, model=model.name, base=base, tasks=tasks)


def _publisher(core: _Core, slack: _Slack) -> Publisher:
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


def _keep_time(core: _Core, scheduler: Scheduler, schedules: Schedules) -> None:
    """What happens because it is time. Every replica ticks: rows say that a thing happened already."""
    settings, journal = core.base.settings, core.journal
    scheduler.every(_TICK_SECONDS, "questions", Expiry(journal=journal).tick)
    scheduler.every(_TICK_SECONDS, "schedules", schedules.tick)
    scheduler.every(_TICK_SECONDS, "reminders", schedules.look_at_mail, within=_OUTSIDE_SECONDS)
    scheduler.every(_TICK_SECONDS, "briefings", schedules.look_at_days, within=_OUTSIDE_SECONDS)
    forgetting = Retention(journal=journal, keep=_keep(settings))
    scheduler.every(_PRUNE_SECONDS, "retention", forgetting.tick, within=_FORGETTING_SECONDS)


def _keep(settings: Settings) -> Keep:
    """For how long what people said and did is kept; no days are for ever."""
    steps, messages, runs = (
        timedelta(days=days) if days else None
        for days in (settings.retention_steps_days, settings.retention_messages_days, settings.retention_runs_days)
    )
    return Keep(steps=steps, messages=messages, runs=runs)


def _dispatcher(base: Base, pace: Pace) -> LocalDispatcher | ProcrastinateDispatcher:
    """Who finds somebody to serve a thread: other replicas may, where the database is shared."""
    if not base.shared:
        return LocalDispatcher(base.store, grace=pace.leaving)
    from bot.dispatch.procrastinate import ProcrastinateDispatcher  # it takes a while to load

    return ProcrastinateDispatcher(base.store, clock=base.clock, url=base.address, grace=pace.leaving)


def _core(base: Base, pace: Pace, policy: Policy) -> _Core:
    bus, dispatcher = Bus(), _dispatcher(base, pace)
    enabled = base.settings.agent_side_effects_enabled
    metrics = Metrics(store=base.store, clock=base.clock)
    metrics.follow(bus)
    return _Core(
        base=base,
        pace=pace,
        bus=bus,
        dispatcher=dispatcher,
        journal=Journal(
            store=base.store, clock=base.clock, bus=bus, dispatcher=dispatcher, lease_seconds=pace.lease_seconds
        ),
        law=Law(policy=policy, side_effects_enabled=enabled),
        queries=Queries(
            store=base.store,
            side_effects_enabled=enabled,
            accounts_offered=are_offered(base.settings),
            delegated_domains=base.settings.delegated_domains,
        ),
        metrics=metrics,
        holder=random.token_hex(8),
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


async def _google(core: _Core, stack: contextlib.AsyncExitStack, grants: GoogleGrants) -> GoogleClient:
    base = core.base
    return await stack.enter_async_context(
        GoogleClient(
            grants=grants,
            clock=base.clock,
            connect_help=words.NOT_CONNECTED,
            api_root_url=base.settings.google_api_root_url,
            sleep=core.pace.google_sleep,
        )
    )


def _registry(core: _Core, google: GoogleClient, slack: _Slack, times: Timekeeping) -> Registry:
    base, client = core.base, slack.client
    rooms = WebReader(client=client, clock=base.clock)
    members = WebContacts(client=client, clock=base.clock)
    places = [members, GoogleContacts(google), MailHistory(google)]
    return Registry(
        [
            GmailToolset(google=google, files=WebFiles(client=client, rooms=rooms)),
            PeopleToolset(places),
            CalendarToolset(google=google, zones=members),
            MemoryToolset(MemoryBook(store=base.store, clock=base.clock)),
            SlackToolset(rooms),
            *times.toolsets(),
        ]
    )


def _runner(
    core: _Core, slack: _Slack, registry: Registry, model: Gemini, own: Accounts, grants: GoogleGrants
) -> Runner:
    base = core.base
    requesters = Requesters(store=base.store)
    profiles = ProfileBook(store=base.store, profiles=slack.directory)
    claims = Claims(
        store=base.store,
        clock=base.clock,
        registry=registry,
        law=core.law,
        profiles=profiles,
        longest_hold=core.pace.longest_hold,
    )
    settler = Settler(
        store=base.store,
        clock=base.clock,
        registry=registry,
        claims=claims,
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
    purse = Purse(tariff=partial(models.cost_micros, model.name), daily=daily_budgets(base.settings))
    loop = Loop(
        store=base.store,
        clock=base.clock,
        bus=core.bus,
        model=model,
        registry=registry,
        law=core.law,
        checkpoint=Checkpoint(store=base.store, clock=base.clock, purse=purse),
        purse=purse,
        pacer=Pacer(model=model.name, rate=model_rate(base.settings)),
    )
    actor = Actor(
        clock=base.clock,
        registry=registry,
        claims=claims,
        requesters=requesters,
        settler=settler,
        connect=own.ask,
        grants=grants,
    )
    life = timedelta(hours=float(base.settings.agent_question_hours))
    judge = Judge(registry=registry, claims=claims, requesters=requesters, question_life=life, connect=own.ask)
    return Runner(
        journal=core.journal,
        beginning=beginning,
        loop=loop,
        judge=judge,
        actor=actor,
        settler=settler,
        watch=Watch(clock=base.clock),
        holder=core.holder,
    )


async def _listeners(
    core: _Core, stack: contextlib.AsyncExitStack, slack: _Slack, times: Timekeeping, own: Accounts, registry: Registry
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


async def _hear(
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
