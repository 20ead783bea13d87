"""The stage: the real runtime over a real store, its workers with their lives, people, and time, all moved by hand."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.domain.actions import ActionState
from bot.domain.ids import effect_key as _key
from bot.domain.limits import Limit, Limits
from bot.domain.questions import Choice, QuestionKind
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.actions.claim import basis_of, stored_hash
from bot.runtime.audit.chain import verified
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.lifecycle.runs import message_source
from bot.runtime.limits import stops as pauses
from bot.runtime.questions import expiry
from bot.runtime.questions.decide import Click, decide
from bot.runtime.questions.edit import Edit, Editing
from bot.runtime.runs import resume, stop, undo
from bot.runtime.runs.incoming import Incoming
from bot.runtime.runs.intake import Intake
from bot.runtime.runs.runner import Runner
from bot.tools.registry import Registry
from integrations.base import Call
from integrations.errors import IntegrationError
from policies.types import Decision, TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.dispatchers import Nobody
from tests.stores import Opened, opened
from tests.unit.bot.runtime.runtime_harness import Directory, runner
from tests.verification.explorer.live.allowed import is_allowed
from tests.verification.explorer.live.fate import Died, FatedStore, Life, Traffic
from tests.verification.explorer.live.outside import TOOLS, How, Model, Outside, Place, Unapproved, Waiting
from tests.verification.explorer.live.seen import Eyes, Row, Sight, check
from tests.verification.explorer.values import MOST_ATTEMPTS, Violation

THREAD, CHANNEL, ROOT = "thr_1", "D1", "1.1"
TAKE_OVER_SECONDS = 31.0
_QUIET = 25  # turns of the loop without anybody in the store, after which nothing goes on by itself
_MOST_ROUNDS = 200
_NEVER_SECONDS = 3600.0  # of real time, which means nothing here
_DAYS_AWAY = timedelta(days=3)
_UNTIL_EVERY_MOMENT = 4 * 24 * 3600.0


@dataclass(slots=True, kw_only=True)
class Worker:
    """One process that serves the thread."""

    name: str
    life: Life
    runner: Runner
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def works(self) -> None:
        """Serve the thread, or look at it again."""
        self.woken.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._serve(), name=self.name)

    async def _serve(self) -> None:
        try:
            await self.runner.serve(THREAD, self.woken)
        except (Died, LostRace):
            return

    def fault(self) -> BaseException | None:
        """What it ended with, if nobody made it."""
        task = self.task
        return task.exception() if task is not None and task.done() and not task.cancelled() else None

    async def ends(self) -> None:
        """It is killed; where it waits for the outside nothing comes any more."""
        self.life.dead = True
        self.life.awake.set()
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


@dataclass(slots=True, kw_only=True)
class Stage:
    """The parts, what they did, and what may be done with them."""

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
    undone: set[str] = field(default_factory=set[str])
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

    async def settle(self) -> None:
        """Until nothing goes on by itself: everybody waits for the outside, for people, or for time."""
        quiet = entered = 0
        while quiet < _QUIET:
            await asyncio.sleep(0 if not self.traffic.inside else 0.0003)
            entered += quiet > 0 and bool(self.traffic.inside)
            _must(entered < _MOST_ROUNDS, "somebody goes round and round without a word from outside")
            quiet = 0 if self.traffic.inside else quiet + 1
        if (error := self.worker.fault()) is not None:
            raise Violation(f"the worker ended by itself: {error!r}") from error
        if self.worker.life.dead:
            await self.worker.ends()
            await self._take_place()
        await self.seal()
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
        await self.seal()
        self.base.clock.advance(seconds)

    async def seal(self) -> None:
        """What the sealer does all the time."""
        self.traffic.inside += 1
        try:
            while await Sealer(store=self.base.store, keyring=self.base.keyring).seal():
                pass
        finally:
            self.traffic.inside -= 1

    async def clock_steps(self, seconds: float) -> None:
        """The clock is set. Whoever works looks at the thread again, as it does every second."""
        await self.passes(seconds)
        await self.work()

    async def silence(self, seconds: float) -> None:
        """Nobody says anything for so long."""
        await self.passes(seconds)
        await expiry.tick(self.transactions)
        await self.settle()

    # People ---------------------------------------------------------------------------------------------------

    def _next_ts(self) -> str:
        return f"2.{next(self._numbers):06}"

    def said(self, text: str, ts: str) -> Incoming:
        """What Dana writes in her thread."""
        given: dict[str, Any] = {"channel": CHANNEL, "thread_ts": ROOT, "is_dm": True, "mentions_agent": False}
        return Incoming(event_id=f"Ev{ts}", team=TEAM, ts=ts, user=DANA, text=text, typed=text, **given)

    async def says(self, text: str, *, ts: str | None = None) -> str:
        """One message, a second later; its ts."""
        await self.passes(1)
        ts = ts or self._next_ts()
        await Intake(transactions=self.transactions, limits=Limits()).message(self.said(text, ts))
        await self.settle()
        return ts

    async def deleted(self, ts: str) -> None:
        """A message of hers is deleted."""
        await Intake(transactions=self.transactions, limits=Limits()).deleted(TEAM, CHANNEL, ts)
        source = message_source(TEAM, CHANNEL, ts)
        gone = {row["message_id"] for row in self.sight.runs.values() if row["source_key"] == source}
        self._must_hold_nothing_of(gone)
        await self.settle()

    async def edited(self, ts: str) -> None:
        """The text of a message of hers is changed."""
        await Intake(transactions=self.transactions, limits=Limits()).edited(TEAM, CHANNEL, ts)
        await self.settle()

    async def trusts(self, level: TrustLevel) -> None:
        """She sets her trust level."""
        async with self.transactions.store.write() as work:
            await work.users.set_level(TEAM, DANA, level.value)
        await self.settle()

    async def clicks(self, question: Row, choice: Choice, *, times: int = 1) -> None:
        """She presses a button, maybe twice at once; one press counts at the most."""
        value = f"{question['id']}.{question['nonce']}"
        click = Click(team=TEAM, user=DANA, value=value, choice=choice, option=0 if choice is Choice.ANSWER else None)
        was_open = self.sight.questions[question["id"]]["state"] == "open"
        outcomes = await asyncio.gather(*(decide(self.transactions, click) for _ in range(times)))
        counted = sum(outcome.accepted for outcome in outcomes)
        _must(counted <= 1, "two presses counted")
        _must(was_open or not counted, "a press on a closed question counted")
        _must(all(outcome.accepted or outcome.text for outcome in outcomes), "a press was left without a word")
        if counted and choice in {Choice.APPROVE, Choice.TRY_AGAIN}:
            await self._remember_vote(question, again=choice is Choice.TRY_AGAIN)
        await self.settle()

    async def _remember_vote(self, question: Row, *, again: bool) -> None:
        async with self.base.store.read() as work:
            action = await work.actions.find(question["action_id"])
        self.voted.add((action.id, f"{action.args} {dict(action.basis or {})}"))
        self.tries[action.id] += again

    async def changes(self, question: Row, text: str, *, variant: int | None = None) -> None:
        """She edits what a card asks about; with a `variant` of the card she approves it by that."""
        value = f"{question['id']}.{question['nonce']}"
        editing = Editing(transactions=self.transactions, registry=self._registry())
        edit = Edit(team=TEAM, user=DANA, value=value, args={"text": text}, variant=variant)
        outcome = await editing.edit(edit)
        _must(outcome.accepted or bool(outcome.text), "an edit was left without a word")
        if outcome.accepted and variant is not None:
            self.moves["edits with an approval"] += 1
            await self._remember_vote(question, again=False)
        await self.settle()

    def _registry(self) -> Registry:
        return self.worker.runner.loop.registry

    async def stops(self) -> None:
        """She stops everything."""
        stopped = {row["message_id"] for row in self.sight.runs.values() if RunState(row["state"]).is_live()}
        await stop.stop_person(self.transactions, TEAM, DANA)
        self._must_hold_nothing_of(stopped)
        await self.settle()

    def _must_hold_nothing_of(self, messages: set[str]) -> None:
        """What these requests held back will not be done, unless it is happening already."""
        for run_id, row in self.sight.runs.items():
            if self.sight.holds(run_id) and row["message_id"] in messages:
                ended = self.sight.state(run_id).is_final() or bool(row["cancel_requested"])
                _must(ended, "what a stopped request held back still waits for its moment")

    async def holds_no_more(self, run_id: str, *, now: bool) -> None:
        """She presses Undo on what waits, or Send now."""
        press = ButtonClick(team=TEAM, user=DANA, value=run_id)
        began = sum(len(done) for done in self.outside.did.values())
        outcome = await (undo.send_now if now else undo.undo_deferred)(self.transactions, press)
        _must(outcome.accepted or bool(outcome.text), "a press was left without a word")
        if outcome.accepted and not now:
            self.undone.add(run_id)
            _must(sum(len(done) for done in self.outside.did.values()) == began, "it happened while it was undone")
        await self.settle()

    async def presses(self, what: str, value: str) -> None:
        """She presses Continue, Ask again or Try again."""
        deeds = {"continue": resume.continue_run, "ask": resume.ask_again, "try": resume.try_again}
        outcome: ClickOutcome = await deeds[what](self.transactions, ButtonClick(team=TEAM, user=DANA, value=value))
        _must(outcome.accepted or bool(outcome.text), "a press was left without a word")
        await self.settle()

    async def limited(self, run_id: str, *, hard: bool) -> None:
        """A run comes to its limit of active time, or to the end of the grace."""
        async with self.transactions.write() as moves:
            await moves.work.threads.lock(THREAD)
            run = await moves.work.runs.find(run_id)
            if run.state.holds_thread() and run.hard_stop is None:
                await (pauses.hard if hard else pauses.softly)(moves, run, Limit.ACTIVE)
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
                _must(self.sight.said.get(run_id, 0) > before.said.get(run_id, 0), "an end was not told")
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
        async with self.base.store.read() as work:
            found = [each for each in await work.actions.of_run(call.run_id) if call.key == _key(each.id)]
            run = await work.runs.find(call.run_id)
        (action,) = found
        if run.id in self.undone:
            self.found.append(Unapproved(f"{tool} began after it was undone"))
        shown = f"{action.args} {dict(basis_of(action).basis)}"
        if not action.is_side_effect:
            return
        verdict = action.verdict
        allowed = action.edition == 1 and verdict is not None and verdict.decision is Decision.ALLOW
        approved = not {(action.id, shown), (run.holds, shown)}.isdisjoint(self.voted)
        named = action.approval is not None and action.approval.hash == stored_hash(action)
        if text not in action.args or not (allowed or (approved and named)):
            self.found.append(Unapproved(f"{tool} began with {shown}"))

    # The end --------------------------------------------------------------------------------------------------

    async def comes_to_an_end(self) -> None:
        """Without further disturbances everything ends, people answering what they are asked."""
        self.worker.life.commits = None  # nobody dies any more
        if self.frozen is not None:
            self.frozen.life.commits = None
            await self.thaw()
        for _ in range(_MOST_ROUNDS):
            if not await self._goes_on():
                break
        states = [self.sight.state(run_id).value for run_id in self.sight.runs]
        _must(all(self.sight.state(run_id).is_final() for run_id in self.sight.runs), f"it ended in {states}")
        await self.seal()
        report = await verified(self.base.store, self.base.keyring)
        _must(not report.problems, report.text())

    async def _goes_on(self) -> bool:
        await self.work()
        if waiting := self.under_way():
            await self.end(waiting[0], How.WELL)
        elif questions := self.sight.open_questions():
            await self.clicks(questions[0], self.truth(questions[0]))
        elif resting := self.sight.resting():
            await self.presses("continue", resting[0])
        elif self.sight.holding():
            await self.silence(_UNTIL_EVERY_MOMENT)
        elif self._holder() not in {None, self.worker.name}:  # a dead one, by a clock that was set back since
            await self.passes(TAKE_OVER_SECONDS)
        else:
            return False
        return True

    def _holder(self) -> str | None:
        """Who holds the thread's lease, living or not."""
        found = self.base.rows("SELECT holder FROM leases WHERE name = ?", f"thread:{THREAD}")
        return found[0]["holder"] if found else None

    def truth(self, question: Row) -> Choice:
        """What its owner says who looked; to a card he says yes."""
        if question["kind"] == QuestionKind.APPROVE.value:
            return Choice.APPROVE
        if question["kind"] == QuestionKind.ANSWER.value:
            return Choice.ANSWER
        return Choice.HAPPENED if self.outside.did[_key(question["action_id"])] else Choice.DID_NOT

    def may_edit(self, question: Row) -> bool:
        """The explored world edits once."""
        return self.sight.actions[question["action_id"]]["edition"] < 2

    def may_try_again(self, question: Row) -> bool:
        """The explored world tries twice."""
        action = self.sight.actions[question["action_id"]]
        return action["state"] == ActionState.UNKNOWN.value and action["attempt"] < 2


def _try(act: Callable[[], object]) -> None:
    """What was on its way arrives, unless it is too late for it."""
    try:
        act()
    except IntegrationError:
        return


def _transactions(store: FatedStore, clock: make.HandClock) -> TransactionFactory:
    """A lease lasts as long as the clock of the explored world says, and is not renewed because real time passes."""
    return TransactionFactory(store=store, clock=clock, bus=Bus(), dispatcher=Nobody(), renew_seconds=_NEVER_SECONDS)


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise Violation(what)


@asynccontextmanager
async def stage(folder: Path, *, postgresql: str | None = None) -> AsyncGenerator[Stage]:
    """An empty stage with one worker, on which Dana has said nothing yet."""
    async with opened(folder, postgresql=postgresql) as base:
        with Eyes(base) as eyes:
            traffic, outside = Traffic(), Outside(clock=base.clock, moment=base.clock.now() + _DAYS_AWAY)
            store = FatedStore(base, Life(), traffic)
            transactions = _transactions(store, base.clock)
            made = Stage(base=base, eyes=eyes, outside=outside, traffic=traffic, transactions=transactions)
            traffic.seen, outside.guard, made.worker = made.seen, made.guard, made.new_worker()
            async with base.store.write() as work:
                await work.threads.ensure(make.thread())
                await work.users.seen(make.person())
            yield made
            for worker in filter(None, (made.worker, made.frozen)):
                await worker.ends()
