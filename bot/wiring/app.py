"""The composition root: parts are built and joined here and in the modules beside it. Inert until `async with`.

The order of entering is the order of need; leaving it backwards ends intake first, then the work, then the store. The
modules beside this one each wire one area, named after it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import dataclass

import structlog

from bot.agents.library import Library
from bot.agents.outputs.checks import OutputChecks
from bot.errors import BotError
from bot.redaction import Redactor
from bot.runtime.operations.clock_sync import LOOK_SECONDS
from bot.runtime.over_http.following import Following
from bot.runtime.people.memories import MemoryService
from bot.runtime.schedules.tool_adapter import ScheduleToolService
from bot.runtime.texts import to_people
from bot.scheduler import Scheduler
from bot.settings import Settings
from bot.store.repositories.leases import RELAY, SEALER
from bot.tools.registry import Registry
from bot.wiring.accounts import accounts, signing_in
from bot.wiring.agent_api import agent_routes
from bot.wiring.core import Core, core_of, relay_of, sealer_of, watch_leases
from bot.wiring.google import google_grants
from bot.wiring.http import entrance
from bot.wiring.jobs import Timekeeping, timekeeping
from bot.wiring.limits import chat_limits, request_rate
from bot.wiring.model import build_model, model_name
from bot.wiring.runner import runner_of
from bot.wiring.slack import Slack, hear, listeners, publisher_of, slack_of
from bot.wiring.store import Base, opened, origin_of, require_keys
from bot.wiring.timings import Timings
from bot.wiring.tools import (
    acquaintances_of,
    agents_of,
    catalog_of,
    library_of,
    policy_of,
    registry_of,
    repositories_of,
    slack_files_of,
)
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.google.client import GoogleClient
from integrations.grants import GoogleGrants
from integrations.slack.people import WebContacts
from policies import loader
from policies.loader import Policy

log = structlog.get_logger()


class PartDied(BotError):
    """A background part of the process ended, which it never should."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The part “{name}” ended unexpectedly; the process stops so that it is started anew.")


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
async def running(
    settings: Settings, *, timings: Timings | None = None, policy: Policy | None = None
) -> AsyncGenerator[Bot]:
    """The bot, connected and working until the block ends. Without a policy the shipped one is in force."""
    async with contextlib.AsyncExitStack() as stack:
        base = await stack.enter_async_context(opened(settings, owner=True))
        await require_keys(base)
        await origin_of(base).claim()
        if not base.shared:  # other replicas may hold theirs
            async with base.store.write() as work:
                await work.leases.void_all()
        core = core_of(base, timings or Timings(), policy or policy_of(settings))
        bot = await _join(core, stack)
        log.info("bot.ready", url=bot.url, model=bot.model, holder=core.holder)
        yield bot


async def _join(core: Core, stack: contextlib.AsyncExitStack) -> Bot:
    base = core.base
    way_in = entrance(base, core.metrics)
    served = await stack.enter_async_context(way_in.served())
    slack = await slack_of(base, stack)
    own = accounts(base, core.transactions, lock=core.lock(), url=served.url)
    people = signing_in(
        base, core.transactions, web=slack.web, team=slack.workspace.team, directory=slack.directory, url=served.url
    )
    grants = google_grants(base.settings, clock=base.clock, own=own.connections)
    google = await _google(core, stack, grants)
    times = timekeeping(core.transactions, google, limits=chat_limits(base.settings), rate=request_rate(base.settings))
    html = await stack.enter_async_context(HtmlReader())
    definitions = library_of(base.settings)
    members = WebContacts(client=slack.client, clock=base.clock)
    registry = _registry(core, google, html, slack, members, times, definitions)
    loader.refuse_idle(core.policy_service.policy, registry.contracts)
    model = await stack.enter_async_context(build_model(base.settings, core.timings, retried=core.model_retried))
    to_relay, to_seal = core.duty(RELAY), core.duty(SEALER)
    publisher = publisher_of(core, slack, is_held=to_relay.is_held)
    relay, sealer = relay_of(core, publisher, to_relay), sealer_of(core, to_seal)
    scheduler = Scheduler()
    files = slack_files_of(slack.client, base.clock)
    repositories = await stack.enter_async_context(repositories_of(base.settings))
    runner = runner_of(
        core,
        directory=slack.directory,
        files=files,
        registry=registry,
        acquaintances=acquaintances_of(google, members),
        model=model,
        own=own,
        grants=grants,
        checks=await stack.enter_async_context(OutputChecks()),
        repositories=repositories,
    )
    core.dispatcher.serve_with(runner.serve)
    await stack.enter_async_context(publisher)
    relaying = await _background(stack, "relay", to_relay.keep(relay.run))
    sealing = await _background(stack, "sealer", to_seal.keep(sealer.run))
    catalog = catalog_of(definitions, core.policy_service.policy)
    app, home = await listeners(core, stack, slack, times, own, registry, catalog, repositories)
    scheduler.every(core.timings.sweep_seconds, "sweep", core.dispatcher.sweep, within=0.0)
    if base.agreement:
        scheduler.every(LOOK_SECONDS, "clock", base.agreement.look)
    heartbeats = {"relay": relay.heartbeat, "sealer": sealer.heartbeat, "scheduler": scheduler.heartbeat}
    heartbeats["sweep"] = scheduler.heartbeats["sweep"]
    told_until = Redactor(base.secrets).told_until
    following = await stack.enter_async_context(Following(store=base.store, bus=core.bus, told_until=told_until))
    api = agent_routes(core, slack.web, catalog, following, people.callers, url=served.url)
    way_in.lead_to(app, heartbeats, scheduler.heartbeats, [*own.routes(), *people.routes()], api)
    await stack.enter_async_context(core.dispatcher)
    times.keep(scheduler, base)
    own.keep(scheduler)
    watch_leases(scheduler, to_relay, to_seal)
    await stack.enter_async_context(scheduler)
    hearing = await hear(base.settings, stack, app, slack.client, way_in)
    tasks = [relaying, sealing, publisher.task, home.task, scheduler.task, following.task, *hearing, served.task]
    tasks += core.dispatcher.tasks
    return Bot(url=served.url, model=model_name(base.settings), base=base, tasks=tasks)


async def _google(core: Core, stack: contextlib.AsyncExitStack, grants: GoogleGrants) -> GoogleClient:
    base = core.base
    return await stack.enter_async_context(
        GoogleClient(
            grants=grants,
            clock=base.clock,
            connect_help=to_people.NOT_CONNECTED,
            api_root_url=base.settings.google_api_root_url,
            sleep=core.timings.google_sleep,
        )
    )


def _registry(
    core: Core,
    google: GoogleClient,
    html: HtmlReader,
    slack: Slack,
    members: WebContacts,
    times: Timekeeping,
    known: Library,
) -> Registry:
    base = core.base
    return registry_of(
        google=google,
        html=html,
        client=slack.client,
        members=members,
        memories=MemoryService(store=base.store, clock=base.clock),
        schedules=ScheduleToolService(schedules=times.schedules),
        briefings=times.briefings,
        clock=base.clock,
        agents=agents_of(known),
    )


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
