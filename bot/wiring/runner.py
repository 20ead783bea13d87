"""The work on a request, joined up: the model, the loop, who judges, who acts, and who settles what is in doubt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from bot.agents import persona
from bot.llm import models
from bot.llm.gemini import Gemini
from bot.llm.transport import DeveloperApi
from bot.runtime.actions.claim import Claims
from bot.runtime.actions.evaluate import ActionEvaluator
from bot.runtime.actions.execute import ActionExecutor
from bot.runtime.actions.reconcile import Reconciler
from bot.runtime.limits.cost import CostTracker
from bot.runtime.limits.deadline import DeadlineMonitor
from bot.runtime.limits.preflight import Preflight
from bot.runtime.limits.throttle import ModelThrottle
from bot.runtime.people.profiles import ProfileService
from bot.runtime.people.requesters import Requesters
from bot.runtime.runs.loop import Loop
from bot.runtime.runs.runner import Runner
from bot.runtime.runs.start import RunStarter
from bot.settings import Settings
from bot.slack.connection.directory import SlackDirectory
from bot.tools.registry import Registry
from bot.wiring.accounts import Accounts
from bot.wiring.core import Core
from bot.wiring.limits import daily_budgets, grace, guard, model_rate
from bot.wiring.model import access_of
from bot.wiring.timings import Timings
from integrations.grants import GoogleGrants


def build_model(settings: Settings, timings: Timings, *, retried: Callable[[str], None] | None = None) -> Gemini:
    """The language model; Vertex AI variables win over the key. `retried` hears why it is asked again."""
    name = settings.gemini_model or models.DEFAULT_MODEL
    access = access_of(settings) or DeveloperApi(api_key="", base_url=settings.google_gemini_base_url)
    return Gemini(
        access=access, name=name, timeouts=timings.model_timeouts, retries=timings.model_retries, retried=retried
    )


def runner_of(
    core: Core, directory: SlackDirectory, registry: Registry, model: Gemini, own: Accounts, grants: GoogleGrants
) -> Runner:
    """Who serves a thread."""
    store, clock = core.base.store, core.base.clock
    requesters = Requesters(store=store)
    profiles = ProfileService(store=store, profiles=directory)
    claims = _claims(core, registry, profiles)
    reconciler = _reconciler(core, registry, claims, requesters)
    life = timedelta(hours=float(core.base.settings.agent_question_hours))
    return Runner(
        transactions=core.transactions,
        starter=RunStarter(
            store=store,
            clock=clock,
            model=model,
            policy_service=core.policy_service,
            profiles=profiles,
            persona=persona.assistant(),
        ),
        loop=_loop(core, registry, model),
        evaluator=ActionEvaluator(
            registry=registry, claims=claims, requesters=requesters, question_life=life, connect=own.ask
        ),
        executor=ActionExecutor(
            clock=clock,
            registry=registry,
            claims=claims,
            requesters=requesters,
            reconciler=reconciler,
            connect=own.ask,
            grants=grants,
        ),
        reconciler=reconciler,
        deadlines=DeadlineMonitor(clock=clock, grace=grace(core.base.settings)),
        holder=core.holder,
        pause_seconds=core.timings.trouble_pause,
    )


def _claims(core: Core, registry: Registry, profiles: ProfileService) -> Claims:
    return Claims(
        store=core.base.store,
        clock=core.base.clock,
        registry=registry,
        policy_service=core.policy_service,
        profiles=profiles,
        longest_hold=core.timings.longest_hold,
    )


def _reconciler(core: Core, registry: Registry, claims: Claims, requesters: Requesters) -> Reconciler:
    return Reconciler(
        store=core.base.store,
        clock=core.base.clock,
        registry=registry,
        claims=claims,
        requesters=requesters,
        pauses=core.timings.settling_pauses,
        sleep=core.timings.settling_sleep,
    )


def _loop(core: Core, registry: Registry, model: Gemini) -> Loop:
    base = core.base
    costs = CostTracker(pricing=partial(models.cost_micros, model.name), daily=daily_budgets(base.settings))
    return Loop(
        store=base.store,
        clock=base.clock,
        bus=core.bus,
        model=model,
        registry=registry,
        policy_service=core.policy_service,
        preflight=Preflight(store=base.store, clock=base.clock, costs=costs),
        costs=costs,
        throttle=ModelThrottle(model=model.name, rate=model_rate(base.settings)),
        guard=guard(base.settings),
    )
