"""The stage: the real runtime over a real store, its workers with their lives, people, and time, all moved by hand."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from bot.domain.actions import Action
from bot.domain.ids import effect_key as _key
from bot.domain.runs import Run
from bot.runtime.actions.claim import basis_of, stored_hash
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.backoff import CrashBackoff
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.questions import expiry
from integrations.base import Call
from integrations.errors import IntegrationError
from policies.types import Decision
from tests import builders as make
from tests.dispatchers import Nobody
from tests.stores import Opened
from tests.unit.bot.runtime.runtime_harness import Directory, runner
from tests.verification.explorer.circles import wants_more
from tests.verification.explorer.live.allowed import is_allowed
from tests.verification.explorer.live.fate import MOST_ENTRIES, FatedStore, Life, Traffic
from tests.verification.explorer.live.ground import Ground
from tests.verification.explorer.live.outside import TOOLS, How, Model, Outside, Place, Unapproved, Waiting
from tests.verification.explorer.live.seen import Eyes, Sight, check
from tests.verification.explorer.live.still_loop import StillLoop
from tests.verification.explorer.live.worker import Worker
from tests.verification.explorer.values import MOST_ATTEMPTS, Violation

TAKE_OVER_SECONDS = 31.0
_NEVER_SECONDS = 3600.0
_DAYS_AWAY = timedelta(days=3)


@dataclass(slots=True, kw_only=True)
class Stage:
    """The parts, what they did, and what may be done with them."""

    loop: StillLoop
    base: Opened
    eyes: Eyes
    outside: Outside
    traffic: Traffic
    transactions: TransactionFactory
    sight: Sight = field(default_factory=Sight)
    worker: Worker = field(init=False)
    frozen: Worker | None = None
    effects: bool = True
    found: list[Exception] = field(default_factory=list[Exception])
    moves: Counter[str] = field(default_factory=Counter[str])
    tries: defaultdict[str, int] = field(default_factory=lambda: defaultdict[str, int](int))
    voted: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    agreed: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])
    undone: set[str] = field(default_factory=set[str])
    passed: float = 0.0
    """Seconds, as a monotonic clock counts them: it is never set."""
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    # Workers --------------------------------------------------------------------------------------------------

    def new_worker(self) -> Worker:
        """A process that knows nothing but rows."""
        life, name = Life(), f"worker {next(self._numbers)}"
        store = FatedStore(self.base, life, self.traffic)
        transactions = _transactions(store, self.base.clock)

        async def sleep(seconds: float) -> None:
            await life.lives()
            end = self.base.clock.now().timestamp() + seconds
            await self.outside.wait(Place.PAUSE, name, f"{seconds:g} s")
            await self.passes(max(0.0, end - self.base.clock.now().timestamp()))
            await life.lives()

        made = runner(
            transactions,
            tools=[tool(self.outside, name) for tool in TOOLS],
            model=Model(self.outside, name),
            profiles=Directory(),
            sleep=sleep,
            side_effects_enabled=self.effects,
            max_attempts=MOST_ATTEMPTS,
            holder=name,
            crashes=CrashBackoff(monotonic=lambda: self.passed),
            tick_seconds=_NEVER_SECONDS,
            pause_seconds=0.0,
        )
        return Worker(name=name, life=life, runner=made)

    async def work(self) -> None:
        """Whoever has the thread looks at it."""
        self.worker.works()
        await self.settle()

    async def kill(self, *, reached: bool) -> None:
        """kill -9: what it was doing outside arrived there or not. Another takes its place at once."""
        for waiting in self._of(self.worker):
            if reached and waiting.act is not None:
                _try(waiting.act)
        await self.worker.ends()
        await self.settle()
        await self._take_place()

    async def _take_place(self) -> None:
        self.worker = self.new_worker()
        await self.passes(TAKE_OVER_SECONDS)

    def kill_at_commit(self, n: int, *, kept: bool) -> None:
        """Its n-th commit from now is its last; nobody hears of it, or it is not made any more."""
        self.worker.life.commits, self.worker.life.kept = n, kept

    async def freeze(self) -> None:
        """It stops in the middle of what it does, and another takes the thread over. Only one at a time."""
        self.worker.life.awake.clear()
        self.frozen = self.worker
        await self._take_place()

    async def thaw(self) -> None:
        """It goes on as if nothing had happened."""
        assert self.frozen is not None
        self.frozen.life.awake.set()
        self.frozen.woken.set()
        await self.settle()

    async def nobody_dies_any_more(self) -> None:
        """Whoever is frozen goes on, and no commit is anybody's last."""
        self.worker.life.commits = None
        if self.frozen is not None:
            self.frozen.life.commits = None
            await self.thaw()

    async def settle(self) -> None:
        """Until nothing goes on by itself: everybody waits for the outside, for people, or for time."""
        self.traffic.entered = 0
        await self.loop.quiet()
        must(self.traffic.entered <= MOST_ENTRIES, "somebody goes round and round without a word from outside")
        if (error := self.worker.fault()) is not None:
            raise Violation(f"the worker ended by itself: {error!r}") from error
        if self.worker.life.dead:
            await self.worker.ends()
            await self._take_place()
        if self.found:
            raise self.found[0]

    def _of(self, worker: Worker) -> list[Waiting]:
        return [waiting for waiting in self.outside.waiting if waiting.worker == worker.name]

    def under_way(self) -> list[Waiting]:
        """What waits for the outside. A frozen worker's request may arrive, and it does not hear of it yet."""
        asleep = self.frozen is not None and not self.frozen.life.awake.is_set()
        return [w for w in self.outside.waiting if not (asleep and self.frozen and w.worker == self.frozen.name)]

    async def end(self, waiting: Waiting, how: How) -> None:
        """A call outside ends like this."""
        waiting.ends(how)
        await self.settle()

    # Time -----------------------------------------------------------------------------------------------------

    async def passes(self, seconds: float) -> None:
        """Time passes; the log was sealed all the while."""
        await self.clock_is_set(seconds)
        self.passed += seconds

    async def seal(self) -> None:
        """What the sealer does all the time."""
        with self.traffic.counted():
            while await Sealer(store=self.base.store, keyring=self.base.keyring).seal():
                pass

    async def clock_is_set(self, seconds: float) -> None:
        """What the clock says changes."""
        await self.seal()
        self.base.clock.advance(seconds)

    async def clock_steps(self, seconds: float) -> None:
        """Somebody sets the clock. Whoever works looks at the thread again, as it does every second."""
        await self.clock_is_set(seconds)
        await self.work()

    async def silence(self, seconds: float) -> None:
        """Nobody says anything for so long."""
        await self.passes(seconds)
        await expiry.tick(self.transactions)
        await self.settle()

    # Looking --------------------------------------------------------------------------------------------------

    async def seen(self) -> None:
        """After each commit. What is found is kept: a worker's task would only log it."""
        try:
            self._look()
        except Violation as violation:
            self.found.append(violation)

    def _look(self) -> None:
        """Whether the explored world allows this commit, and whether its properties hold."""
        before, self.sight = self.sight, self.eyes.look()
        for run_id, after in self.sight.worlds.items():
            was = before.worlds.get(run_id)
            if was is not None and was.run.state is not after.run.state:
                self.moves[f"run {was.run.state.value} → {after.run.state.value}"] += 1
            if not is_allowed(was, after):
                raise Violation(f"no move leads from {was} to {after}")
            if self._ends(before, run_id):
                must(self.sight.said.get(run_id, 0) > before.said.get(run_id, 0), "an end was not told")
        for action_id, act in self.sight.acts.items():
            earlier = before.acts.get(action_id)
            if earlier is not None and (earlier.state, earlier.attempt) != (act.state, act.attempt):
                self.moves[f"action {earlier.state.value} → {act.state.value}"] += 1
        check(self.sight, self.outside.did, self.tries)

    def _ends(self, before: Sight, run_id: str) -> bool:
        moved = run_id not in before.runs or before.state(run_id) is not self.sight.state(run_id)
        return moved and not self.sight.state(run_id).is_live()

    async def guard(self, tool: str, call: Call, text: str) -> None:
        """An effect begins: it was allowed as it is, or its owner approved exactly this."""
        with self.traffic.counted():
            action, run = await self._action_of(call)
        if run.id in self.undone:
            self.found.append(Unapproved(f"{tool} began after it was undone"))
        shown = f"{action.args} {dict(basis_of(action).basis)}"
        if not action.is_side_effect:
            return
        verdict = action.verdict
        allowed = action.edition == 1 and verdict is not None and verdict.decision is Decision.ALLOW
        approved = not {(action.id, shown), (run.holds, shown)}.isdisjoint(self.voted)
        deciders = verdict.deciders if verdict is not None else ()
        named = action.approval is not None and (bool(deciders) or action.approval.hash == stored_hash(action))
        yes = {user for user, action_id, what in self.agreed if (action_id, what) == (action.id, shown)}
        if any(wants_more(each, yes) for each in deciders):
            self.found.append(Unapproved(f"{tool} began, and too few agreed: {yes} of {deciders}"))
        if text not in action.args or not (allowed or (approved and named)):
            self.found.append(Unapproved(f"{tool} began with {shown}"))

    async def _action_of(self, call: Call) -> tuple[Action, Run]:
        async with self.transactions.store.read() as work:
            (action,) = [each for each in await work.actions.of_run(call.run_id) if call.key == _key(each.id)]
            return action, await work.runs.find(call.run_id)


def _try(act: Callable[[], object]) -> None:
    """What was on its way arrives, unless it is too late for it."""
    try:
        act()
    except IntegrationError:
        return


def _transactions(store: FatedStore, clock: make.HandClock) -> TransactionFactory:
    """A lease lasts as long as the clock of the explored world says, and is not renewed because real time passes."""
    return TransactionFactory(store=store, clock=clock, bus=Bus(), dispatcher=Nobody(), renew_seconds=_NEVER_SECONDS)


def must(holds: bool, what: str) -> None:
    if not holds:
        raise Violation(what)


@asynccontextmanager
async def stage(ground: Ground) -> AsyncGenerator[Stage]:
    """An empty stage with one worker, on which Dana has said nothing yet."""
    async with ground.store() as base:
        with Eyes(base) as eyes:
            traffic, outside = Traffic(), Outside(clock=base.clock, moment=base.clock.now() + _DAYS_AWAY)
            loop = asyncio.get_running_loop()
            assert isinstance(loop, StillLoop)
            loop.is_busy = lambda: traffic.inside > 0
            store = FatedStore(base, Life(), traffic)
            transactions = _transactions(store, base.clock)
            made = Stage(loop=loop, base=base, eyes=eyes, outside=outside, traffic=traffic, transactions=transactions)
            traffic.seen, outside.guard, made.worker = made.seen, made.guard, made.new_worker()
            async with base.store.write() as work:
                await work.threads.ensure(make.thread())
                await work.users.seen(make.person())
            yield made
            for worker in filter(None, (made.worker, made.frozen)):
                await worker.ends()
