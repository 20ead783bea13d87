"""Our loop as the product joins it, without Slack: what is delivered goes nowhere, and there is one tool."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass, replace
from typing import Annotated, cast

from pydantic import Field
from slack_sdk.web.async_client import AsyncWebClient

from bot.agents.outputs.checks import OutputChecks
from bot.domain.deliveries import Delivery
from bot.domain.limits import Limits
from bot.domain.threads import User
from bot.settings import Settings
from bot.tools.plans import PlanTool
from bot.tools.registry import Registry
from bot.wiring.accounts import accounts
from bot.wiring.core import Core, core_of, relay_of, sealer_of
from bot.wiring.google import google_grants
from bot.wiring.model import build_model
from bot.wiring.runner import runner_of
from bot.wiring.store import opened
from bot.wiring.timings import Timings
from bot.wiring.tools import repositories_of, slack_files_of
from integrations.base import AnyTool, Call, Result, Tool, ToolArgs
from integrations.people.acquaintances import KnownPeople
from integrations.slack.people import WebContacts
from policies import loader
from policies.types import EffectClass, Label, Role
from tests import builders
from tests.verification.benchmarks.contestants.serving import lookup


class LookupArgs(ToolArgs):
    """What to look up."""

    i: Annotated[int, Role.NONE, Field(description="Its number.")]


class Lookup(Tool[LookupArgs]):
    """Looks something up."""

    name = "lookup"
    description = "Looks up."
    effect = EffectClass.READ
    args = LookupArgs
    timeout_seconds = 5.0

    def caption(self, args: LookupArgs) -> str:
        return f"Look up number {args.i}"

    async def execute(self, args: LookupArgs, call: Call) -> Result:
        return Result(data=lookup(args.i), summary="Found.", label=Label.OWNER)


@dataclass(frozen=True, slots=True)
class Nowhere:
    """A surface that shows nothing to nobody."""

    async def deliver(self, delivery: Delivery) -> None:
        """Done."""
        del delivery


@dataclass(frozen=True, slots=True)
class Everybody:
    """A directory that knows whoever is asked about."""

    async def profile(self, team: str, user: str) -> User:
        return builders.person(team=team, user=user)


@contextlib.asynccontextmanager
async def assembled(settings: Settings) -> AsyncGenerator[Core]:
    """The parts, at work until the block ends."""
    async with contextlib.AsyncExitStack() as stack:
        base = await stack.enter_async_context(opened(settings, owner=True))
        core = core_of(base, Timings(), replace(loader.load(), tools=("lookup",)))
        own = accounts(base, core.transactions, lock=core.lock(), url="http://127.0.0.1:0")
        grants = google_grants(settings, clock=base.clock, own=own.connections)
        model = await stack.enter_async_context(build_model(settings, core.timings, retried=core.model_retried))
        to_relay, to_seal = core.duty("relay"), core.duty("sealer")
        relay, sealer = relay_of(core, Nowhere(), to_relay), sealer_of(core, to_seal)
        registry = Registry([cast("AnyTool", Lookup()), cast("AnyTool", PlanTool())])
        slack = AsyncWebClient()  # nobody sends a file, and nothing goes to anybody, so nothing is asked of it
        files, members = slack_files_of(slack, base.clock), WebContacts(client=slack, clock=base.clock)
        runner = runner_of(
            core,
            directory=Everybody(),
            files=files,
            acquaintances=KnownPeople(places=[], members=members),
            registry=registry,
            model=model,
            own=own,
            grants=grants,
            checks=OutputChecks(),  # no agent hands anything over
            repositories=repositories_of(settings),  # no plan names one
        )
        rounds = replace(runner.plans, limits=Limits(steps=1_000))  # of a task
        core.dispatcher.serve_with(replace(runner, plans=rounds).serve)
        for work in (to_relay.keep(relay.run), to_seal.keep(sealer.run)):
            _in_background(stack, work)
        await stack.enter_async_context(core.dispatcher)
        yield core


def _in_background(stack: contextlib.AsyncExitStack, work: Coroutine[object, object, None]) -> None:
    task = asyncio.create_task(work)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)
