"""Builds what speaks with Slack: the listeners, the publisher, and the surfaces that show the work."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.agents.catalog import AgentCatalog
from bot.domain.threads import Workspace
from bot.redaction import Redactor
from bot.runtime.agents.requests import AgentRequests
from bot.runtime.core.lock import IsHeld
from bot.runtime.core.ports import RepositoryView
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.runtime.operations.withheld_secrets import record_withheld
from bot.runtime.people.decider_rules import DeciderRules
from bot.runtime.people.people import People
from bot.runtime.people.profiles import ProfileService
from bot.runtime.people.requesters import Requesters
from bot.runtime.people.sessions import SessionService
from bot.runtime.plans.requests import PlanRequests
from bot.runtime.questions.edit import Editing
from bot.runtime.questions.edit_forms import EditForms
from bot.runtime.runs.intake import SECOND_LOOK_SECONDS, Intake
from bot.runtime.runs.message_requests import MessageRequests
from bot.settings import Settings
from bot.slack.connection.app import build_app
from bot.slack.connection.directory import SlackDirectory
from bot.slack.connection.secret_filter import SecretFilter
from bot.slack.connection.socket import SocketMode, refuse_another_app
from bot.slack.connection.web import SlackWeb, app_of, awaited_installation, slack_client
from bot.slack.inbound.accounts import AccountListener
from bot.slack.inbound.buttons import Buttons
from bot.slack.inbound.cards import CardListener
from bot.slack.inbound.commands import CommandListener
from bot.slack.inbound.events import MessageReader
from bot.slack.inbound.forms import FormListener
from bot.slack.inbound.home import HomeListener
from bot.slack.inbound.lists import ListListener
from bot.slack.inbound.messages import MessageListener
from bot.slack.inbound.people import Members, PeopleListener
from bot.slack.inbound.requests.agents import LOOK_SECONDS, AgentListener
from bot.slack.inbound.requests.plans import PlanListener
from bot.slack.inbound.requests.shortcuts import ShortcutListener
from bot.slack.inbound.router import Listener, listen
from bot.slack.inbound.rules import RuleListener
from bot.slack.inbound.schedules import ScheduleListener
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.outbound.publisher import Publisher
from bot.slack.outbound.replies import Replies
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
    secrets: SecretFilter
    workspace: Workspace
    app_id: str
    directory: SlackDirectory


async def slack_of(base: Base, stack: contextlib.AsyncExitStack) -> Slack:
    """Connect the client, and learn which workspace the token belongs to."""
    settings = base.settings
    token = settings.slack_bot_token
    client = await stack.enter_async_context(
        slack_client(token=token.get_secret_value() if token else None, base_url=settings.slack_api_url)
    )
    workspace = await awaited_installation(SlackWeb(client))
    redact = Redactor(base.secrets)
    secrets = SecretFilter(redact, partial(record_withheld, base.store, workspace.team))
    web = SlackWeb(client, secrets=secrets)
    app_id = await app_of(web, workspace)
    if settings.slack_app_token is not None:
        refuse_another_app(settings.slack_app_token.get_secret_value(), app_id)
    async with base.store.write() as work:
        await work.users.installed(workspace)
    return Slack(
        client=client,
        web=web,
        secrets=secrets,
        workspace=workspace,
        app_id=app_id,
        directory=SlackDirectory(web=web),
    )


def _queries(core: Core, slack: Slack) -> Queries:
    """The read side, without secrets: before any text is cut."""
    return replace(core.queries, clear=slack.secrets.view)


def publisher_of(core: Core, slack: Slack, *, is_held: IsHeld) -> Publisher:
    """What shows people the work, before it is entered; `ours` says whether this process relays."""
    store, clock = core.base.store, core.base.clock
    timely = ScheduleViews(store=store, clock=clock, clear=slack.secrets.view)
    return Publisher(
        web=slack.web,
        queries=_queries(core, slack),
        timely=timely,
        posts=PostService(store=store),
        bus=core.bus,
        agent=slack.workspace.bot_user,
        redact=Redactor(core.base.secrets),
        application=core.base.settings.application,
        lock=core.lock(),
        is_held=is_held,
        priorities=core.transactions.priorities,
    )


async def listeners(
    core: Core,
    stack: contextlib.AsyncExitStack,
    slack: Slack,
    times: Timekeeping,
    own: Accounts,
    registry: Registry,
    catalog: AgentCatalog,
    repositories: RepositoryView,
) -> tuple[AsyncApp, HomeListener]:
    """What hears Slack, once a connection is served; its tasks outlive the connection and the work."""
    background = await stack.enter_async_context(BackgroundTasks())
    made = _Listeners(core=core, slack=slack, background=background, catalog=catalog, repositories=repositories)
    home = await stack.enter_async_context(made.home())
    secret = core.base.settings.slack_signing_secret
    app = build_app(
        client=slack.client,
        workspace=slack.workspace,
        signing_secret=secret.get_secret_value() if secret else None,
    )
    listen(
        app,
        team=slack.workspace.team,
        app_id=slack.app_id,
        replies=made.replies,
        listeners=made.all(times, own, registry, home),
    )
    return app, home


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listeners:
    """Makes the listeners from what they share."""

    core: Core
    slack: Slack
    background: BackgroundTasks
    catalog: AgentCatalog
    repositories: RepositoryView

    @property
    def queries(self) -> Queries:
        return _queries(self.core, self.slack)

    @property
    def replies(self) -> Replies:
        return Replies(web=self.slack.web, background=self.background)

    @property
    def members(self) -> Members:
        return Members(directory=self.slack.directory, people=People(transactions=self.core.transactions))

    @property
    def reader(self) -> MessageReader:
        return MessageReader(workspace=self.slack.workspace, name_of=self.slack.directory.name)

    def all(self, times: Timekeeping, own: Accounts, registry: Registry, home: HomeListener) -> Sequence[Listener]:
        forms, schedules, accounts = self.forms(registry), self.schedules(times), self.accounts(own)
        people = PeopleListener(directory=self.slack.directory, revoking=own.revoking)
        agents, plans, cards, rules = self.agents(), self.plans(), self.cards(), self.rules(registry)
        return [
            self.messages(),
            self.buttons(cards, forms, schedules, accounts, plans, rules),
            cards,
            forms,
            rules,
            self.commands(schedules, accounts, agents, plans, rules),
            agents,
            plans,
            people,
            home,
            self.shortcuts(),
        ]

    def home(self) -> HomeListener:
        return HomeListener(
            queries=self.queries,
            members=self.members,
            web=self.slack.web,
            bus=self.core.bus,
            background=self.background,
        )

    def messages(self) -> MessageListener:
        settings = self.core.base.settings
        intake = Intake(
            transactions=self.core.transactions,
            limits=chat_limits(settings),
            rate=request_rate(settings),
            second_look=SECOND_LOOK_SECONDS if self.core.base.shared else 0.0,
        )
        return MessageListener(
            intake=intake,
            reader=self.reader,
            replies=self.replies,
        )

    def shortcuts(self) -> ShortcutListener:
        settings = self.core.base.settings
        return ShortcutListener(
            requests=MessageRequests(
                transactions=self.core.transactions, limits=chat_limits(settings), rate=request_rate(settings)
            ),
            reader=self.reader,
            members=self.members,
            directory=self.slack.directory,
            web=self.slack.web,
            replies=self.replies,
        )

    def cards(self) -> CardListener:
        return CardListener(
            transactions=self.core.transactions,
            queries=self.queries,
            replies=self.replies,
        )

    def buttons(
        self,
        cards: CardListener,
        forms: FormListener,
        schedules: ScheduleListener,
        accounts: AccountListener,
        plans: PlanListener,
        rules: RuleListener,
    ) -> Buttons:
        return Buttons(
            cards=cards,
            forms=forms,
            accounts=accounts,
            schedules=schedules,
            plans=plans,
            rules=rules,
            lists=ListListener(queries=self.queries, web=self.slack.web, background=self.background),
            transactions=self.core.transactions,
            rate=request_rate(self.core.base.settings),
            replies=self.replies,
        )

    def forms(self, registry: Registry) -> FormListener:
        agents = self.core.policy_service.policy.agents
        editing = Editing(transactions=self.core.transactions, registry=registry, agents=agents)
        return FormListener(
            forms=EditForms(editing=editing, requesters=Requesters(store=self.core.base.store)),
            queries=self.queries,
            replies=self.replies,
        )

    def rules(self, registry: Registry) -> RuleListener:
        known, listed = self.core.base.store, self.core.policy_service.policy.tools
        tools = [registry[name] for name in listed if name in registry and registry[name].effect.is_side_effect()]
        return RuleListener(
            rules=DeciderRules(
                transactions=self.core.transactions,
                profiles=ProfileService(store=known, profiles=self.slack.directory, patience_seconds=LOOK_SECONDS),
                tools={tool.name: registry.contracts[tool.name] for tool in tools},
            ),
            tools=[tool.name for tool in tools],
            queries=self.queries,
            members=self.members,
            directory=self.slack.directory,
            replies=self.replies,
        )

    def commands(
        self,
        schedules: ScheduleListener,
        accounts: AccountListener,
        agents: AgentListener,
        plans: PlanListener,
        rules: RuleListener,
    ) -> CommandListener:
        return CommandListener(
            people=People(transactions=self.core.transactions, cap=self.core.base.settings.agent_trust_cap),
            queries=self.queries,
            members=self.members,
            schedules=schedules,
            accounts=accounts,
            agents=agents,
            plans=plans,
            rules=rules,
            replies=self.replies,
        )

    def agents(self) -> AgentListener:
        settings = self.core.base.settings
        return AgentListener(
            requests=AgentRequests(
                transactions=self.core.transactions,
                catalog=self.catalog,
                limits=chat_limits(settings),
                rate=request_rate(settings),
            ),
            members=self.members,
            web=self.slack.web,
            replies=self.replies,
        )

    def plans(self) -> PlanListener:
        settings = self.core.base.settings
        return PlanListener(
            requests=PlanRequests(
                transactions=self.core.transactions, limits=chat_limits(settings), rate=request_rate(settings)
            ),
            reader=self.reader,
            members=self.members,
            web=self.slack.web,
            replies=self.replies,
            repositories=self.repositories,
        )

    def schedules(self, times: Timekeeping) -> ScheduleListener:
        return ScheduleListener(
            schedules=times.schedules,
            reminders=times.reminders,
            briefings=times.briefings,
            replies=self.replies,
        )

    def accounts(self, own: Accounts) -> AccountListener:
        return AccountListener(
            connecting=own.connecting,
            revoking=own.revoking,
            sessions=SessionService(transactions=self.core.transactions),
            queries=self.queries,
            transactions=self.core.transactions,
            members=self.members,
            replies=self.replies,
        )


async def hear(
    settings: Settings, stack: contextlib.AsyncExitStack, app: AsyncApp, client: AsyncWebClient, way_in: Entrance
) -> Sequence[asyncio.Task[None]]:
    """Let Slack in, by Socket Mode where there is an app token, else over HTTP. It ends before everything else does."""
    tasks: list[asyncio.Task[None]] = []
    if settings.slack_app_token is not None:
        token = settings.slack_app_token.get_secret_value()
        socket = await stack.enter_async_context(SocketMode(app=app, client=client, app_token=token))
        way_in.readiness.parts["slack"] = lambda: socket.ready
        await socket.wait_ready()
        tasks.append(socket.task)
    stack.enter_context(way_in.gate.opened())
    return tasks
