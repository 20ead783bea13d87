"""The work on a request, joined up: the model, the loop, who judges, who acts, and who settles what is in doubt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from bot.accounts import Accounts
from bot.agents import persona
from bot.allowances import daily_budgets, grace, guard, model_rate
from bot.core import Core
from bot.llm import models
from bot.llm.gemini import Gemini
from bot.llm.transport import DeveloperApi
from bot.model_access import access_of
from bot.pace import Pace
from bot.runtime.acting import Actor
from bot.runtime.beginning import Beginning
from bot.runtime.checkpoint import Checkpoint
from bot.runtime.claims import Claims
from bot.runtime.judging import Judge
from bot.runtime.loop import Loop
from bot.runtime.pacing import Pacer
from bot.runtime.profiles import ProfileBook
from bot.runtime.requesters import Requesters
from bot.runtime.runner import Runner
from bot.runtime.settling import Settler
from bot.runtime.spending import Purse
from bot.runtime.watching import Watch
from bot.settings import Settings
from bot.slack.directory import SlackDirectory
from bot.tools.registry import Registry
from integrations.grants import GoogleGrants


def build_model(settings: Settings, pace: Pace, *, retried: Callable[[str], None] | None = None) -> Gemini:
    """The language model; Vertex AI variables win over the key. `retried` hears why it is asked again."""
    name = settings.gemini_model or models.DEFAULT_MODEL
    access = access_of(settings) or DeveloperApi(api_key="", base_url=settings.google_gemini_base_url)
    return Gemini(access=access, name=name, timeouts=pace.model_timeouts, retries=pace.model_retries, retried=retried)


def runner_of(
    core: Core, directory: SlackDirectory, registry: Registry, model: Gemini, own: Accounts, grants: GoogleGrants
) -> Runner:
    """Who serves a thread."""
    store, clock = core.base.store, core.base.clock
    requesters = Requesters(store=store)
    profiles = ProfileBook(store=store, profiles=directory)
    claims = _claims(core, registry, profiles)
    settler = _settler(core, registry, claims, requesters)
    life = timedelta(hours=float(core.base.settings.agent_question_hours))
    return Runner(
        journal=core.journal,
        beginning=Beginning(
            store=store, clock=clock, model=model, law=core.law, profiles=profiles, persona=persona.assistant()
        ),
        loop=_loop(core, registry, model),
        judge=Judge(registry=registry, claims=claims, requesters=requesters, question_life=life, connect=own.ask),
        actor=Actor(
            clock=clock,
            registry=registry,
            claims=claims,
            requesters=requesters,
            settler=settler,
            connect=own.ask,
            grants=grants,
        ),
        settler=settler,
        watch=Watch(clock=clock, grace=grace(core.base.settings)),
        holder=core.holder,
    )


def _claims(core: Core, registry: Registry, profiles: ProfileBook) -> Claims:
    return Claims(
        store=core.base.store,
        clock=core.base.clock,
        registry=registry,
        law=core.law,
        profiles=profiles,
        longest_hold=core.pace.longest_hold,
    )


def _settler(core: Core, registry: Registry, claims: Claims, requesters: Requesters) -> Settler:
    return Settler(
        store=core.base.store,
        clock=core.base.clock,
        registry=registry,
        claims=claims,
        requesters=requesters,
        pauses=core.pace.settling_pauses,
        sleep=core.pace.settling_sleep,
    )


def _loop(core: Core, registry: Registry, model: Gemini) -> Loop:
    base = core.base
    purse = Purse(tariff=partial(models.cost_micros, model.name), daily=daily_budgets(base.settings))
    return Loop(
        store=base.store,
        clock=base.clock,
        bus=core.bus,
        model=model,
        registry=registry,
        law=core.law,
        checkpoint=Checkpoint(store=base.store, clock=base.clock, purse=purse),
        purse=purse,
        pacer=Pacer(model=model.name, rate=model_rate(base.settings)),
        guard=guard(base.settings),
    )
