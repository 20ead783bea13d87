"""Builds what works on a request: the model, the loop, evaluation, execution, and reconciliation."""

from __future__ import annotations

from functools import partial

from bot.agents import persona
from bot.agents.outputs.checks import OutputChecks
from bot.llm import models
from bot.llm.gemini import Gemini
from bot.runtime.actions.claim import Claims
from bot.runtime.actions.evaluate import ActionEvaluator
from bot.runtime.actions.execute import ActionExecutor
from bot.runtime.actions.reconcile import Reconciler
from bot.runtime.core.ports import RepositoryView
from bot.runtime.flows.progress import Flows
from bot.runtime.limits.cost import CostTracker
from bot.runtime.limits.preflight import Preflight
from bot.runtime.limits.rate_limit import ModelThrottle
from bot.runtime.limits.stops import DeadlineMonitor
from bot.runtime.people.profiles import Profiles, ProfileService
from bot.runtime.people.requesters import Requesters
from bot.runtime.plans.progress import PlanExecution
from bot.runtime.policy.tracer import Tracer
from bot.runtime.runs.files import FileReader
from bot.runtime.runs.loop import AgentLoop
from bot.runtime.runs.runner import Runner
from bot.runtime.runs.start import RunStarter
from bot.tools.kit import Kit, Kits
from bot.tools.registry import Registry
from bot.wiring.accounts import Accounts
from bot.wiring.core import Core
from bot.wiring.limits import chat_limits, daily_budgets, grace, guard, model_rate
from bot.wiring.model import model_name, model_of
from integrations.grants import GoogleGrants
from integrations.ports import Acquaintances, SlackFiles


def runner_of(
    core: Core,
    *,
    directory: Profiles,
    files: SlackFiles,
    registry: Registry,
    acquaintances: Acquaintances,
    model: Gemini,
    own: Accounts,
    grants: GoogleGrants,
    checks: OutputChecks,
    repositories: RepositoryView,
) -> Runner:
    """Who serves a thread."""
    store, clock, policy = core.base.store, core.base.clock, core.policy_service.policy
    kits = Kits(
        assistant=Kit.of([*policy.tools, *policy.agents], registry, model=model_name(core.base.settings)),
        planner=Kit.of_planner(policy.tools, registry, model=model_name(core.base.settings)),
        registry=registry,
        model_of=partial(model_of, core.base.settings, clock),
        allowed=policy.allowed_tools,
    )
    requesters = Requesters(store=store)
    profiles = ProfileService(store=store, profiles=directory)
    claims = _claims(core, kits, registry, profiles)
    reconciler = _reconciler(core, claims, requesters)
    costs = CostTracker(pricing=models.cost_micros, daily=daily_budgets(core.base.settings))
    preflight = Preflight(clock=clock, costs=costs)
    return Runner(
        transactions=core.transactions,
        starter=RunStarter(
            store=store,
            clock=clock,
            model=model,
            kits=kits,
            policy_service=core.policy_service,
            profiles=profiles,
            repositories=repositories,
            persona=persona.assistant(),
        ),
        loop=_loop(core, files, kits, registry, model, preflight, checks),
        flows=Flows(
            store=store,
            kits=kits,
            registry=registry,
            policy_service=core.policy_service,
            preflight=preflight,
            checks=checks,
            guard=guard(core.base.settings),
        ),
        plans=PlanExecution(
            registry=registry,
            policy_service=core.policy_service,
            preflight=preflight,
            tools=policy.tools,
            limits=chat_limits(core.base.settings),
        ),
        evaluator=ActionEvaluator(
            claims=claims,
            requesters=requesters,
            tracer=Tracer(store=store, registry=registry, acquaintances=acquaintances),
            connects=own.connecting is not None,
        ),
        executor=ActionExecutor(
            claims=claims,
            requesters=requesters,
            reconciler=reconciler,
            connects=own.connecting is not None,
            grants=grants,
        ),
        reconciler=reconciler,
        kits=kits,
        deadlines=DeadlineMonitor(clock=clock, grace=grace(core.base.settings)),
        holder=core.holder,
        pause_seconds=core.timings.trouble_pause,
    )


def _claims(core: Core, kits: Kits, registry: Registry, profiles: ProfileService) -> Claims:
    return Claims(
        store=core.base.store,
        clock=core.base.clock,
        kits=kits,
        registry=registry,
        policy_service=core.policy_service,
        profiles=profiles,
        longest_hold=core.timings.longest_hold,
        daily=daily_budgets(core.base.settings),
    )


def _reconciler(core: Core, claims: Claims, requesters: Requesters) -> Reconciler:
    return Reconciler(
        claims=claims,
        requesters=requesters,
        pauses=core.timings.settling_pauses,
        sleep=core.timings.settling_sleep,
    )


def _loop(
    core: Core,
    files: SlackFiles,
    kits: Kits,
    registry: Registry,
    model: Gemini,
    preflight: Preflight,
    checks: OutputChecks,
) -> AgentLoop:
    base = core.base
    return AgentLoop(
        store=base.store,
        clock=base.clock,
        bus=core.bus,
        model=model,
        kits=kits,
        registry=registry,
        policy_service=core.policy_service,
        preflight=preflight,
        costs=preflight.costs,
        throttle=ModelThrottle(rate=model_rate(base.settings)),
        files=FileReader(store=base.store, slack=files),
        checks=checks,
        guard=guard(base.settings),
    )
