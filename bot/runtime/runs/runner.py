"""The runner: serves a thread while its lease is held (docs/states.md §7).

One run at a time asks the model, a run that a person woke before the queue; approved actions of any run begin at once.
State says what is to be done. What others change is read at every wake-up and at least each second; what this worker
itself commits it knows (`bot.runtime.core.working_set`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import structlog

from bot.agents.problems import InvalidDefinition
from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, is_repeatable, may_act, moment_has_come
from bot.domain.events import JobCrashed
from bot.domain.plans import Phase
from bot.domain.runs import Run, RunState
from bot.domain.states import LostRace
from bot.runtime.actions import defer
from bot.runtime.actions.claim import claim_of
from bot.runtime.actions.evaluate import ActionEvaluator
from bot.runtime.actions.execute import ActionExecutor
from bot.runtime.actions.reconcile import Reconciler
from bot.runtime.core.backoff import MOST_CRASHES, CrashBackoff
from bot.runtime.core.lease import Lease, leased
from bot.runtime.core.priority import Priority
from bot.runtime.core.transaction import AGENT, Transaction, TransactionFactory
from bot.runtime.core.working_set import HeldThreads
from bot.runtime.flows.progress import Flows
from bot.runtime.lifecycle.actions import settle_action
from bot.runtime.lifecycle.progress import finish_run, lock_step
from bot.runtime.lifecycle.runs import live_below, move_run
from bot.runtime.limits.stops import DeadlineMonitor
from bot.runtime.plans.progress import PlanExecution
from bot.runtime.runs.loop import AgentLoop
from bot.runtime.runs.start import RunStarter
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import to_model, to_people
from bot.store.errors import NotRead, NotSaved
from bot.tools.kit import Kits

log = structlog.get_logger()

_MODEL = "model"  # the key of the one job that asks the model
_WATCH = "watch"  # what the keys begin with of jobs that stop a run at its time limit
TICK_SECONDS = 1.0
PAUSE_SECONDS = 1.0
_LATE = datetime.max.replace(tzinfo=UTC)
_BEGUN = (ActionState.EXECUTING, ActionState.UNKNOWN)

Work = Coroutine[object, object, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Does the work of threads."""

    transactions: TransactionFactory
    starter: RunStarter
    loop: AgentLoop
    flows: Flows
    plans: PlanExecution
    evaluator: ActionEvaluator
    executor: ActionExecutor
    reconciler: Reconciler
    deadlines: DeadlineMonitor
    kits: Kits
    holder: str
    crashes: CrashBackoff = field(default_factory=CrashBackoff)
    held: HeldThreads = field(default_factory=HeldThreads)
    tick_seconds: float = TICK_SECONDS
    pause_seconds: float = PAUSE_SECONDS

    async def serve(self, thread_id: str, woken: asyncio.Event) -> None:
        """Work on a thread until nothing of it can move without people. Returns at once when another holds it."""
        if not self.transactions.dispatcher.is_expected(thread_id):
            await self.transactions.priorities.turn(Priority.EFFECT)
        async with leased(self.transactions, thread_id, self.holder) as lease:
            if lease is None:
                woken.clear()
                return
            with self.held.held(lease.working_set, woken.set):
                await _ThreadWorker(runner=self, thread_id=thread_id, lease=lease).serve(woken)


@dataclass(slots=True, kw_only=True)
class _ThreadWorker:
    """One stretch of serving a thread: its jobs, by what they are about. `resting`: one waits after a crash; `looked`:
    rows were just read; `wake_up` ends when somebody wakes it; `ended`: that or a job has ended.
    """

    runner: Runner
    thread_id: str
    lease: Lease
    jobs: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, asyncio.Task[None]])
    resting: bool = False
    looked: bool = False
    wake_up: asyncio.Task[None] | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, woken: asyncio.Event) -> None:
        working_set = self.lease.working_set
        try:
            while True:
                working_set.is_current = working_set.is_current and not woken.is_set()
                woken.clear()
                readable = await self._look()
                if readable and not self.jobs and not self.resting and not woken.is_set():
                    if self.looked or self._leaves():
                        return
                    working_set.is_current = False  # one more look, before this thread is left to others
                else:
                    await self._wait(woken)
        finally:
            looks = [look.task for look in self.lease.looks.values()]
            await self._cancel([*self.jobs.values(), *looks, *([self.wake_up] if self.wake_up else [])])
            self.wake_up = None  # its traceback holds this worker: Python's collector would have to find both

    def _leaves(self) -> bool:
        """Whether nothing new is begun here: the process is about to end, or another serves."""
        return self.runner.transactions.dispatcher.closing or self.lease.lost.is_set()

    async def _look(self) -> bool:
        """Begin what can begin; a store that cannot be read now ends nothing that is under way."""
        try:
            await self._begin_what_can()
        except NotRead as trouble:
            log.error("thread.not_read", thread=self.thread_id, why=str(trouble))
            return False
        return True

    async def _begin_what_can(self) -> None:
        self.resting = self.looked = False
        if self._leaves():
            await self._drop_model_job()  # asking again costs only time: the next holder of the lease asks
            return  # what acts may end
        working_set = self.lease.working_set
        store, seconds = self.runner.transactions.store, self.runner.tick_seconds
        if working_set.is_current and working_set.is_older_than(seconds):
            await self.runner.held.look(store, working_set, seconds=seconds)
        if not working_set.is_current:
            self.looked = await working_set.look(store)
        runs, actions = working_set.runs, list(working_set.actions.values())
        await self._learn(runs.values())
        job = self.jobs.get(_MODEL)
        if job is not None and job.get_name().removeprefix(f"{_MODEL} of ") not in runs:
            await self._drop_model_job()  # its run was ended (one whose run moved on is committing)
        under_way = {action.run_id for action in actions if action.state is ActionState.EXECUTING}
        for action in sorted(actions, key=lambda one: one.seq):
            run = runs.get(action.run_id)
            if run is not None and self._is_to_begin(action, run, awaited=run.id in under_way):
                self._start(action.id, run.id, self._for_action(action, run, actions))
        for run in filter(self.runner.deadlines.is_due, runs.values()):
            if f"{_WATCH} {run.id}" not in self.jobs and self._is_rested(f"{_WATCH} {run.id}", run.id):
                self._start(f"{_WATCH} {run.id}", run.id, self.runner.deadlines.stop(run, self.lease))
        run = next_for_model(list(runs.values()), now=self._now())
        if _MODEL not in self.jobs and run is not None and self._is_rested(_MODEL, run.id):
            self._start(_MODEL, run.id, self._for_model(run))

    async def _learn(self, runs: Iterable[Run]) -> None:
        """What the agents are whose runs these are."""
        kits = self.runner.kits
        if unknown := kits.unknown(runs):
            async with self.runner.transactions.store.read() as work:
                found = await work.definitions.find(unknown)
            for hash_, canonical in found.items():
                try:
                    kits.learn(hash_, canonical)
                except InvalidDefinition as error:  # of an earlier version: its runs fail, and no others
                    log.error("definition.not_read", definition=hash_, why=str(error))

    def _now(self) -> datetime:
        return self.runner.transactions.clock.now()

    def _is_to_begin(self, action: Action, run: Run, *, awaited: bool) -> bool:
        """A read that the model's job has just claimed is not in doubt: that job has yet to say that it is ours. What
        a stopped run has not begun stays as it is while its end is `awaited`, that of what is under way.
        """
        if run.state is not RunState.EXECUTING or action.id in self.jobs:
            return False
        if action.rests(self._now()):
            self.resting = True
            return False
        if awaited and action.state is not ActionState.EXECUTING and not may_act(Standing.of(run)):
            return False
        unclaimed = action.state is ActionState.EXECUTING and claim_of(action) not in self.lease.claims
        return not (unclaimed and self._asks_model(run.id)) and self._is_rested(action.id, run.id)

    def _is_rested(self, key: str, run_id: str) -> bool:
        """Whether this did not crash just now."""
        rests = self.runner.crashes.rests(_name(key, run_id))
        self.resting = self.resting or rests
        return not rests

    def _asks_model(self, run_id: str) -> bool:
        job = self.jobs.get(_MODEL)
        return job is not None and job.get_name() == _name(_MODEL, run_id)

    def _for_action(self, action: Action, run: Run, beside: Sequence[Action]) -> Work:
        runner = self.runner
        match action.state:
            case ActionState.PLANNED:
                return runner.evaluator.evaluate(action, run, self.lease, after=self._judged_before(action, beside))
            case ActionState.APPROVED:
                return self._first(runner.executor.claim(action, run, self.lease))
            case _ if claim_of(action) in self.lease.claims:
                self.lease.claims.discard(claim_of(action))
                return self._first(runner.executor.execute(action, run, self.lease))
            case _:
                return runner.reconciler.doubt(action, run, self.lease)

    async def _first(self, work: Work) -> None:
        """What a person waits for comes before what can wait."""
        with self.runner.transactions.priorities.work(Priority.EFFECT):
            await work

    def _judged_before(self, action: Action, beside: Sequence[Action]) -> Sequence[asyncio.Task[None]]:
        """The jobs that evaluate what the same step proposed before this."""
        earlier = [
            other.id
            for other in beside
            if other.step_id == action.step_id and other.seq < action.seq and other.state is ActionState.PLANNED
        ]
        return [self.jobs[name] for name in earlier if name in self.jobs]

    def _for_model(self, run: Run) -> Work:
        if run.holds is not None:
            return defer.step(run, self.lease)
        if run.state is RunState.QUEUED:
            return self._in_turn(self.runner.starter.begin(run, self.lease))
        return self._step(run)

    async def _step(self, run: Run) -> None:
        if run.phase is Phase.CARRY_OUT:
            await self.runner.plans.step(run, self.lease)
        elif self.runner.kits.of(run).has_flow:
            await self.runner.flows.step(run, self.lease)
        else:
            await self._in_turn(self.runner.loop.step(run, self.lease))

    async def _in_turn(self, work: Work) -> None:
        """What Slack waits for comes before a call of the model."""
        try:
            await self.runner.transactions.priorities.turn(Priority.EFFECT)
        except BaseException:
            work.close()
            raise
        await work

    def _start(self, key: str, run_id: str, work: Work) -> None:
        job = asyncio.create_task(self._guarded(key, run_id, work), name=_name(key, run_id))
        job.add_done_callback(lambda _: work.close())  # one that was cancelled before it began has not awaited it
        self.jobs[key] = job

    async def _guarded(self, key: str, run_id: str, work: Work) -> None:
        """A job's outer edge: a lost race is nothing, a store in trouble is waited for, a defect ends what broke."""
        try:
            await self._done(work)
            self.runner.crashes.worked(_name(key, run_id))
        except LostRace as race:
            log.info("job.lost_race", job=key, run=run_id, race=str(race))
        except (NotSaved, NotRead) as trouble:
            log.error("job.store_in_trouble", job=key, run=run_id, why=str(trouble))
            await asyncio.sleep(self.runner.pause_seconds)
        except Exception:  # the task's outer edge: whatever it was, it ends with an explanation
            crashes = self.runner.crashes.crashed(_name(key, run_id))
            log.exception("job.crashed", job=key, run=run_id, crashes=crashes)
            self.runner.transactions.bus.publish(JobCrashed(_kind(key)))
            await self._give_up(key, run_id, crashes)
        finally:
            self.ended.set()

    async def _done(self, work: Work) -> None:
        """Do it. A job that failed, or committed nothing, has seen something that is not known here."""
        working_set = self.lease.working_set
        commits = working_set.commits
        try:
            await work
        except BaseException:
            working_set.is_current = False
            raise
        working_set.is_current = working_set.is_current and working_set.commits != commits

    async def _give_up(self, key: str, run_id: str, crashes: int) -> None:
        """A defect leaves nothing hanging; what cannot even be given up is tried again after a rest, and in the end its
        run fails.
        """
        given_up = False
        if key == _MODEL:
            given_up = await self._did(self._fail_run(run_id), key, run_id)
        elif not key.startswith(_WATCH):  # the watch looks again
            given_up = await self._did(self.runner.reconciler.give_up(key, self.lease), key, run_id)
        if not given_up and key != _MODEL and crashes >= MOST_CRASHES:
            await self._did(self._fail_run(run_id), key, run_id)

    async def _did(self, end: Work, key: str, run_id: str) -> bool:
        try:
            await end
        except Exception:  # the task's outer edge: giving up may have the same defect
            log.exception("job.not_given_up", job=key, run=run_id)
            return False
        return True

    async def _fail_run(self, run_id: str) -> None:
        """Nothing is left open; only where an effect is under way or in doubt it stays so, and the run with it."""
        async with self.lease.write() as tx:
            run = await tx.work.runs.find(run_id)
            for child in await live_below(tx.work, run):
                await cancel(tx, child, by=AGENT)
            run = await tx.work.runs.find(run_id)
            if run.state is RunState.EXECUTING and not await self._may_fail(run, tx):
                return
            if run.state in {RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING}:
                planning = run if run.state is RunState.PLANNING else await move_run(tx, run, RunState.PLANNING)
                told = to_people.run_failed(run, await tx.work.actions.of_work(run_id))
                await finish_run(tx, planning, RunState.FAILED, error=told)

    async def _may_fail(self, run: Run, tx: Transaction) -> bool:
        """Whether all that is under way are reads: they end here, as what was not begun does with the run."""
        step = await tx.work.steps.open_of(run.id)
        if step is None:
            return True
        await lock_step(tx, step.id)
        actions = await tx.work.actions.of_step(step.id)
        if await live_below(tx.work, run):
            return False
        under_way = [action for action in actions if action.state in _BEGUN]
        if any(action.state is ActionState.UNKNOWN or not is_repeatable(action.effect) for action in under_way):
            return False
        for action in under_way:
            told = to_model.error("internal", to_people.BROKEN, retryable=False)
            await settle_action(
                tx, action, ActionState.FAILED, code=AuditCode.ACTION_FAILED, response=told, summary=to_people.BROKEN
            )
        return True

    async def _wait(self, woken: asyncio.Event) -> None:
        """Until something ends, or for a tick. One event for all takes half of what `asyncio.wait` does for a set."""
        if self.wake_up is None or self.wake_up.done():
            self.wake_up = asyncio.create_task(self._woken(woken), name=f"wake {self.thread_id}")
        tick = asyncio.get_running_loop().call_later(self.runner.tick_seconds, self.ended.set)
        try:
            await self.ended.wait()
        finally:
            tick.cancel()
        self.ended.clear()
        self.jobs = {key: job for key, job in self.jobs.items() if not job.done()}

    async def _woken(self, woken: asyncio.Event) -> None:
        await woken.wait()
        self.ended.set()

    async def _drop_model_job(self) -> None:
        if _MODEL in self.jobs:
            await self._cancel([self.jobs.pop(_MODEL)])

    async def _cancel(self, jobs: Iterable[asyncio.Task[Any]]) -> None:
        stopping = list(jobs)
        for job in stopping:
            job.cancel()
        await asyncio.gather(*stopping, return_exceptions=True)


def _name(key: str, run_id: str) -> str:
    return f"{key} of {run_id}"


def _kind(key: str) -> str:
    if key.startswith(_WATCH):
        return _WATCH
    return _MODEL if key == _MODEL else "action"


def next_for_model(runs: list[Run], *, now: datetime) -> Run | None:
    """Who asks next: a planning run, woken ones first, those that work for one request in turn; else the oldest queued
    one, if nobody holds the thread. Work for a request that holds it begins at once.

    One that is held back until its time stays queued and holds nobody up.
    """
    planning = [run for run in runs if run.state is RunState.PLANNING]
    queued = [run for run in runs if run.state is RunState.QUEUED and moment_has_come(run.not_before, now)]
    if tasks := [run for run in queued if run.is_child]:
        return tasks[0]
    if planning:
        return min(planning, key=lambda run: (run.woken_at or _LATE, run.order_key, run.steps_taken, run.id))
    return None if any(run.state.holds_thread() for run in runs) else next(iter(queued), None)
