"""The runtime by itself: the real parts over a real store, with tools and a model that do as a test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, cast

from bot.agents.definition import Definition, ModelChoice
from bot.agents.outputs.checks import OutputChecks
from bot.domain.actions import Action, ActionState
from bot.domain.limits import DEFAULT_LIMITS, Limits, Rate
from bot.domain.plans import Phase, Plan
from bot.domain.questions import Choice, Question
from bot.domain.runs import Run, RunState
from bot.domain.threads import Audience, User
from bot.llm import model as llm
from bot.llm import wire
from bot.llm.choice import choose
from bot.runtime.actions.claim import MAX_ATTEMPTS, Claims
from bot.runtime.actions.evaluate import ActionEvaluator
from bot.runtime.actions.execute import ActionExecutor
from bot.runtime.actions.reconcile import Reconciler
from bot.runtime.core.backoff import CrashBackoff
from bot.runtime.core.clicks import ClickOutcome
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.ports import RepositoryView
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.runtime.flows.progress import Flows
from bot.runtime.limits.cost import CostTracker
from bot.runtime.limits.preflight import Preflight
from bot.runtime.limits.rate_limit import ModelThrottle
from bot.runtime.limits.stops import DeadlineMonitor
from bot.runtime.people.profiles import Profiles, ProfileService
from bot.runtime.people.requesters import Requesters
from bot.runtime.plans.progress import PlanExecution
from bot.runtime.policy.service import PolicyService
from bot.runtime.policy.tracer import Tracer
from bot.runtime.questions.decide import Click, decide
from bot.runtime.runs.files import FileReader
from bot.runtime.runs.incoming import Admitted, Incoming
from bot.runtime.runs.intake import Intake
from bot.runtime.runs.loop import AgentLoop
from bot.runtime.runs.runner import Runner
from bot.runtime.runs.start import RunStarter
from bot.tools.agents import AgentTool
from bot.tools.kit import Kit, Kits
from bot.tools.plans import PlanTool
from bot.tools.registry import Registry
from integrations.base import Tool
from integrations.ports import Acquaintances, Clock
from integrations.repository.client import FolderRepositories
from policies import loader
from policies.loader import Policy
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.dispatchers import OneThread
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened, opened
from tests.unit.bot.runtime.scripted import MODEL, Asking, Blind, Effect, Files, Model, Read, Said, Scripted

HURRIED_SECONDS = 0.02  # where the product waits a second before it looks again
NO_REPOSITORIES = FolderRepositories(None)


@dataclass(slots=True)
class Directory:
    """Knows everybody, or this person; or breaks. Some (`people`) it knows better."""

    error: Exception | None = None
    person: User | None = None
    people: dict[str, User] = field(default_factory=dict[str, User])

    async def profile(self, team: str, user: str) -> User:
        if self.error:
            raise self.error
        return self.people.get(user) or self.person or make.person(user=user)


@dataclass(slots=True, kw_only=True)
class Harness:
    """The parts, and what a test does with them."""

    base: Opened
    transactions: TransactionFactory
    runner: Runner
    model: Model
    directory: Directory
    read: Read
    asking: Asking
    effect: Effect
    blind: Blind
    files: Files
    repositories: RepositoryView
    waited: list[float] = field(default_factory=list[float])
    said: count[int] = field(default_factory=lambda: count(1))

    async def request(
        self, *, in_channel: bool = False, repository: str = "", text: str = "please", **values: Any
    ) -> Run:
        """A queued request of Dana, in her thread, which is one of her direct messages or of a channel."""
        self.base.clock.advance(1)
        now = self.base.clock.now()
        audience = Audience.CHANNEL if in_channel else Audience.OWNER
        asked = make.message(text, typed=text, audience=audience, owner=DANA, created_at=now)
        run = make.run(message_id=asked.id, **{"created_at": now} | values)
        async with self.base.store.write() as work:
            await work.threads.ensure(make.thread(is_dm=not in_channel))
            await work.users.seen(make.person())
            await work.messages.add(asked)
            await work.runs.add(run)
            if run.phase is Phase.PROPOSE:
                await work.plans.begin(Plan(run_id=run.id, repository=repository, created_at=now))
        return run

    async def asked(self, *says: Said, level: TrustLevel = TrustLevel.AUTONOMOUS, **values: Any) -> Run:
        """A request that the model answers like this, served until only people can move it."""
        async with self.base.store.write() as work:
            await work.users.set_level(TEAM, DANA, level.value)
        self.model.says = list(says)
        run = await self.request(**values)
        await self.serve()
        return await self.run(run.id)

    async def standing(self, tool: Scripted, state: ActionState, **values: Any) -> Action:
        """A run that executes, with one action in this state, as an earlier process left it."""
        run = await self.request(state=RunState.EXECUTING)
        step = make.step(run_id=run.id, seq=1, open=1)
        given: dict[str, Any] = {"run_id": run.id, "step_id": step.id, "tool": tool.name, "effect": tool.effect}
        action = make.action(state=state, **given | {"args": '{"text":"it"}'} | values)
        async with self.base.store.write() as work:
            await work.steps.add(step)
            await work.actions.add([action])
        return action

    async def trusts(self, level: TrustLevel) -> None:
        """Dana sets her trust level."""
        async with self.base.store.write() as work:
            await work.users.set_level(TEAM, DANA, level.value)

    async def seen(self, person: User) -> None:
        """Slack tells who somebody is by now."""
        async with self.base.store.write() as work:
            await work.users.seen(person)

    async def change_run(self, run_id: str, **changes: Any) -> None:
        """Something changes columns of a run."""
        async with self.base.store.write() as work:
            await work.runs.change(run_id, **changes)

    async def serve(self) -> None:
        """Work on the thread until nothing of it can move without people."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            dispatcher = self.transactions.dispatcher
            assert isinstance(dispatcher, OneThread)
            await self.runner.serve("thr_1", dispatcher.serving)

    @asynccontextmanager
    async def asking_the_model(self) -> AsyncGenerator[asyncio.Task[None]]:
        """The thread is served, and the model was asked and has not answered; at the end it answers."""
        self.model.hold = asyncio.Event()
        serving = asyncio.create_task(self.serve())
        await until(lambda: self.model.requests)
        yield serving
        self.model.hold.set()
        await serving

    async def says(
        self, text: str, *, user: str = DANA, ts: str = "", rate: Rate | None = None, **values: Any
    ) -> Admitted:
        """Somebody writes a message in Dana's thread, a second later."""
        self.base.clock.advance(1)
        ts = ts or f"2.{next(self.said):06}"
        given: dict[str, Any] = {"channel": "D1", "thread_ts": "1.1", "is_dm": True, "mentions_agent": False}
        said = Incoming(event_id=f"Ev{ts}", team=TEAM, ts=ts, user=user, text=text, typed=text, **given | values)
        return await Intake(transactions=self.transactions, limits=Limits(steps=8), rate=rate).message(said)

    def told(self) -> Mapping[str, Any]:
        """What the model was told of its only call."""
        (part,) = wire.parts(self.model.requests[-1].contents[-1])
        return cast("dict[str, Any]", part["functionResponse"])["response"]

    async def run(self, run_id: str) -> Run:
        async with self.base.store.read() as work:
            return await work.runs.find(run_id)

    async def action(self, of: Run | Action) -> Action:
        """The only action of a run, or this one as it is now."""
        async with self.base.store.read() as work:
            if isinstance(of, Action):
                return await work.actions.find(of.id)
            (found,) = await work.actions.of_run(of.id)
            return found

    async def question(self, run_id: str) -> Question | None:
        async with self.base.store.read() as work:
            return next(iter(await work.questions.open_of_run(run_id)), None)

    async def card_of(self, run_id: str) -> Question:
        """The run's open question, which must be there."""
        question = await self.question(run_id)
        assert question is not None
        return question

    async def click(self, question: Question, choice: Choice = Choice.APPROVE, **values: Any) -> ClickOutcome:
        """Dana presses a button of the card."""
        given: dict[str, Any] = {"team": TEAM, "user": DANA, "value": question.button_value(), "choice": choice}
        return await decide(self.transactions, Click(**given | values))

    async def approve(self, run: Run, *, serve: bool = False) -> None:
        """Its owner presses Approve on the run's open card; then it may be served."""
        assert (await self.click(await self.card_of(run.id))).accepted
        if serve:
            await self.serve()

    @property
    def queries(self) -> Queries:
        """What people are shown."""
        return Queries(store=self.base.store, clock=self.base.clock, side_effects_enabled=True)

    @property
    def schedule_views(self) -> ScheduleViews:
        """What people are shown of schedules."""
        return ScheduleViews(store=self.base.store, clock=self.base.clock)

    def codes(self) -> list[str]:
        return [row["code"] for row in self.base.rows("SELECT code FROM audit ORDER BY id")]


@asynccontextmanager
async def harness(
    folder: Path,
    *,
    costs: CostTracker | None = None,
    rate: Rate | None = None,
    postgresql: str | None = None,
    agents: Sequence[Definition] = (),
    repositories: RepositoryView | None = None,
    acquaintances: Acquaintances | None = None,
    **pace: float | timedelta,
) -> AsyncGenerator[Harness]:
    """A runtime over an empty store: a SQLite file in this folder, or the PostgreSQL database of a URL. `pace` holds
    fields of `TransactionFactory`; a machine that is busy with other tests may take longer than Slack waits.
    """
    async with opened(folder, postgresql=postgresql) as base, OutputChecks() as checks:
        made = TransactionFactory(
            store=base.store, clock=base.clock, bus=Bus(), dispatcher=OneThread(), patience_seconds=60.0
        )
        made, costs, known = replace(made, **cast("Any", pace)), costs or CostTracker(), repositories or NO_REPOSITORIES
        yield _built(base, made, costs, rate, agents, checks, known, acquaintances)


def _built(
    base: Opened,
    transactions: TransactionFactory,
    costs: CostTracker,
    rate: Rate | None,
    agents: Sequence[Definition],
    checks: OutputChecks,
    repositories: RepositoryView,
    acquaintances: Acquaintances | None,
) -> Harness:
    read, asking, effect, blind = Read(), Asking(), Effect(), Blind()
    model, directory, files = Model(base.clock), Directory(), Files()
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        base.clock.advance(seconds)
        await asyncio.sleep(0)

    made = runner(
        transactions,
        tools=(read, asking, effect, blind, PlanTool(), *map(AgentTool, agents)),
        model=model,
        profiles=directory,
        sleep=sleep,
        files=files,
        costs=costs,
        rate=rate,
        checks=checks,
        repositories=repositories,
        acquaintances=acquaintances,
    )
    return Harness(
        base=base,
        transactions=transactions,
        runner=made,
        model=model,
        directory=directory,
        read=read,
        asking=asking,
        effect=effect,
        blind=blind,
        files=files,
        repositories=repositories,
        waited=waited,
    )


def _model_of(clock: Clock, written: ModelChoice) -> tuple[str, llm.Parameters]:
    """What an agent's definition says of its model, as far as it counts on this day."""
    chosen = choose(written.model or MODEL, temperature=written.temperature, day=clock.now().date())
    return chosen.model, chosen.parameters


def runner(
    transactions: TransactionFactory,
    *,
    tools: Sequence[Tool[Any]],
    model: llm.Model,
    profiles: Profiles,
    sleep: Callable[[float], Awaitable[None]],
    files: Files | None = None,
    costs: CostTracker | None = None,
    rate: Rate | None = None,
    side_effects_enabled: bool = True,
    max_attempts: int = MAX_ATTEMPTS,
    holder: str = "here",
    crashes: CrashBackoff | None = None,
    tick_seconds: float = HURRIED_SECONDS,
    pause_seconds: float = HURRIED_SECONDS,
    checks: OutputChecks | None = None,
    repositories: RepositoryView | None = None,
    policy: Policy | None = None,
    acquaintances: Acquaintances | None = None,
) -> Runner:
    """A worker's parts, as the product joins them; under the shipped policy, if no other is given."""
    store, clock, costs = transactions.store, transactions.clock, costs or CostTracker()
    registry = Registry(tools)
    policy_service = PolicyService(policy=policy or _policy(), side_effects_enabled=side_effects_enabled)
    requesters, people = Requesters(store=store), ProfileService(store=store, profiles=profiles)
    policy = policy_service.policy
    kits = Kits(
        assistant=Kit.of([*policy.tools, *policy.agents], registry, model=MODEL),
        planner=Kit.of_planner(policy.tools, registry, model=MODEL),
        registry=registry,
        model_of=partial(_model_of, transactions.clock),
        allowed=policy.allowed_tools,
    )
    claims = Claims(
        store=store,
        clock=clock,
        kits=kits,
        registry=registry,
        policy_service=policy_service,
        profiles=people,
        max_attempts=max_attempts,
        pause_seconds=pause_seconds,
        daily=costs.daily,
    )
    reconciler = Reconciler(claims=claims, requesters=requesters, sleep=sleep)
    preflight = Preflight(clock=clock, costs=costs)
    return Runner(
        transactions=transactions,
        starter=RunStarter(
            store=store,
            clock=clock,
            model=model,
            kits=kits,
            policy_service=policy_service,
            profiles=people,
            repositories=repositories or NO_REPOSITORIES,
            persona="You are it.",
        ),
        loop=AgentLoop(
            store=store,
            clock=clock,
            bus=transactions.bus,
            model=model,
            kits=kits,
            registry=registry,
            policy_service=policy_service,
            preflight=preflight,
            costs=costs,
            throttle=ModelThrottle(rate=rate, sleep=sleep),
            files=FileReader(store=store, slack=files or Files()),
            checks=checks or OutputChecks(),
        ),
        flows=Flows(
            store=store,
            checks=checks or OutputChecks(),
            kits=kits,
            registry=registry,
            policy_service=policy_service,
            preflight=preflight,
        ),
        plans=PlanExecution(
            registry=registry,
            policy_service=policy_service,
            preflight=preflight,
            tools=policy.tools,
            limits=DEFAULT_LIMITS,
        ),
        evaluator=ActionEvaluator(
            claims=claims,
            requesters=requesters,
            tracer=Tracer(store=store, registry=registry, acquaintances=acquaintances),
        ),
        executor=ActionExecutor(claims=claims, requesters=requesters, reconciler=reconciler),
        reconciler=reconciler,
        kits=kits,
        deadlines=DeadlineMonitor(clock=clock),
        holder=holder,
        crashes=crashes or CrashBackoff(),
        tick_seconds=tick_seconds,
        pause_seconds=pause_seconds,
    )


@cache
def _policy() -> Policy:
    """The shipped policy, read once."""
    return loader.load()


async def until(condition: Callable[[], object]) -> None:
    """Wait until this holds."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(0.005)
