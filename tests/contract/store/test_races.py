"""What two replicas do at the same moment on PostgreSQL: one wins, the other is told, nothing hangs or is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TypeVar

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import Delivery, DeliveryKind
from bot.domain.questions import Choice, Question, QuestionState
from bot.domain.runs import Run, RunState
from bot.domain.states import LostRace
from bot.domain.steps import after
from bot.domain.threads import Thread
from bot.store.engine.database import database_for
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Memory
from policies.rules import recipient_rule
from policies.types import Label, Rule, RuleAuthor, TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened

T = TypeVar("T")
A = TypeVar("A")
ROUNDS = 5
Act = Callable[[UnitOfWork], Awaitable[None]]


class Replicas:
    """Two stores on one database, each with connections of its own, as two processes have them."""

    def __init__(self, stores: Sequence[Store]) -> None:
        self.stores = stores
        self.one = stores[0]

    async def at_once(self, work: Callable[[UnitOfWork, A], Awaitable[T]], arguments: Sequence[A]) -> list[T]:
        """One unit of work for each argument, in turn on either replica; all have begun before any goes on."""
        begun = asyncio.Barrier(len(arguments))

        async def run(store: Store, argument: A) -> T:
            async with store.write() as unit:
                await unit.leases.renew("none", "none", 0, now=NOW, seconds=1)  # its transaction has begun
                await begun.wait()
                return await work(unit, argument)

        async with asyncio.timeout(PATIENCE_SECONDS):
            return await asyncio.gather(*(run(self.stores[n % 2], value) for n, value in enumerate(arguments)))


async def act(work: UnitOfWork, what: Act) -> None:
    await what(work)


@pytest.fixture
async def replicas(postgresql: Opened) -> AsyncGenerator[Replicas]:
    database = database_for(postgresql.url)
    other = Store(database, keyring=postgresql.keyring, clock=postgresql.clock)
    yield Replicas([postgresql.store, other])
    await database.dispose()


async def _waiting_step(replicas: Replicas, *actions: Action) -> Run:
    """A run that executes a step with these actions, in a thread of its own."""
    run = make.run(id=actions[0].run_id, thread_id=f"t {actions[0].run_id}", state=RunState.EXECUTING)
    async with replicas.one.write() as work:
        await work.threads.ensure(make.thread(id=run.thread_id, root_ts=run.id))
        await work.runs.add(run)
        await work.steps.add(make.step(id=actions[0].step_id, run_id=run.id))
        await work.actions.add(actions)
    return run


async def _settle(work: UnitOfWork, action: Action) -> bool:
    """End the action; whether that closed its step."""
    await work.steps.lock(action.step_id)
    await work.actions.move(action, ActionState.COMPLETED)
    siblings = await work.actions.siblings(action.step_id)
    return after(siblings, cancel_requested=False, hard_stop=False).run is RunState.PLANNING


async def _follow(work: UnitOfWork, action: Action) -> None:
    """Bring the run to where its step says, as every transition ends."""
    following = after(await work.actions.siblings(action.step_id), cancel_requested=False, hard_stop=False)
    run = await work.runs.find(action.run_id)
    if following.run is not run.state:
        await work.runs.move(run, following.run)


async def _park(work: UnitOfWork, question: Question) -> None:
    await work.steps.lock(question.step_id)
    await _follow(work, await work.actions.find(question.action_id))


async def _vote(work: UnitOfWork, question: Question) -> None:
    await work.steps.lock(question.step_id)
    await work.questions.move(question, QuestionState.DECIDED, decision=Choice.APPROVE)
    action = await work.actions.find(question.action_id)
    await _follow(work, await work.actions.move(action, ActionState.APPROVED))


@pytest.mark.parametrize("n", range(ROUNDS))
async def test_one_of_two_closes_the_step(replicas: Replicas, n: int) -> None:
    """Two replicas settle the last two siblings: the second one sees what the first one did, and only it closes."""
    siblings = [make.action(step_id=f"s{n}", run_id=f"r{n}", state=ActionState.EXECUTING) for _ in range(2)]
    await _waiting_step(replicas, *siblings)
    assert sorted(await replicas.at_once(_settle, siblings)) == [False, True]


@pytest.mark.parametrize("n", range(ROUNDS))
async def test_a_vote_while_the_run_parks_keeps_it_moving(replicas: Replicas, n: int) -> None:
    """A run is parked by one replica while a vote comes in at the other: in either order it ends up moving."""
    asked = make.action(step_id=f"s{n}", run_id=f"r{n}", state=ActionState.AWAITING)
    run = await _waiting_step(replicas, asked)
    question = make.question(step_id=f"s{n}", run_id=run.id, action_id=asked.id)
    async with replicas.one.write() as work:
        await work.questions.add(question)
    moves = [partial(_park, question=question), partial(_vote, question=question)]
    await replicas.at_once(act, moves if n % 2 else moves[::-1])
    async with replicas.one.read() as work:
        assert (await work.runs.find(run.id)).state is RunState.EXECUTING


@pytest.mark.parametrize("ran_out", [False, True])
async def test_one_of_many_takes_a_lease(replicas: Replicas, ran_out: bool) -> None:
    """However many want it at once, one has it: when nobody had it yet, and when it has run out."""
    if ran_out:
        async with replicas.one.write() as work:
            await work.leases.take("l", "gone", now=NOW - timedelta(seconds=31), seconds=30)

    async def take(work: UnitOfWork, holder: str) -> int | None:
        return await work.leases.take("l", holder, now=NOW, seconds=30)

    got = await replicas.at_once(take, [f"holder {n}" for n in range(6)])
    assert [epoch for epoch in got if epoch is not None] == [2 if ran_out else 1]


async def test_who_is_fenced_commits_nothing(replicas: Replicas) -> None:
    """A lease that is held in an open transaction is taken only after its end; afterwards its old holder is refused."""
    async with replicas.one.write() as work:
        await work.leases.take("l", "a", now=NOW, seconds=30)

    async def takes() -> int | None:
        async with replicas.stores[1].write() as work:
            return await work.leases.take("l", "b", now=NOW + timedelta(seconds=31), seconds=30)

    async with replicas.one.write() as frozen:
        await frozen.leases.hold("l", "a", 1)
        taking = asyncio.create_task(takes())
        await asyncio.sleep(0.05)
        assert not taking.done()
    assert await taking == 2
    with pytest.raises(LostRace):
        async with replicas.one.write() as work:
            await work.leases.hold("l", "a", 1)


async def test_one_of_many_relays_claims_a_delivery(replicas: Replicas) -> None:
    """Several relays see the same row: one delivers it."""
    async with replicas.one.write() as work:
        await work.outbox.add("t1", DeliveryKind.CARD, "q1", team=TEAM, at=NOW)
    async with replicas.one.read() as work:
        (head,) = await work.outbox.heads(now=NOW, limit=9)

    async def claim(work: UnitOfWork, delivery: Delivery) -> bool:
        return await work.outbox.claim(delivery) is not None

    assert sum(await replicas.at_once(claim, [head] * 4)) == 1


async def test_a_doubled_click_counts_once(replicas: Replicas) -> None:
    """The same person's second vote is none, and the second decision has lost the race."""
    question = make.question()
    async with replicas.one.write() as work:
        await work.questions.add(question)

    async def vote(work: UnitOfWork, asked: Question) -> bool:
        return await work.questions.vote(asked, user=DANA, choice="approve", at=NOW)

    async def decide(work: UnitOfWork, asked: Question) -> bool:
        try:
            await work.questions.move(asked, QuestionState.DECIDED)
        except LostRace:
            return False
        return True

    assert sum(await replicas.at_once(vote, [question] * 4)) == 1
    assert sum(await replicas.at_once(decide, [question] * 4)) == 1


@pytest.mark.parametrize("events", [("Ev1", "Ev1"), ("Ev1", "Ev2")], ids=["same event", "same place"])
async def test_an_event_that_comes_twice_at_once_is_admitted_once(replicas: Replicas, events: tuple[str, str]) -> None:
    """By its id, and by its place where one mention comes as two events."""

    async def admit(work: UnitOfWork, event: str) -> bool:
        return await work.inbox.admit(event, team=TEAM, channel="C1", ts="1", at=NOW)

    assert sorted(await replicas.at_once(admit, events)) == [False, True]


async def test_a_request_and_its_thread_are_made_once(replicas: Replicas) -> None:
    """A run by its source, a thread by its place."""

    async def add(work: UnitOfWork, run: Run) -> bool:
        return await work.runs.add(run)

    async def ensure(work: UnitOfWork, thread: Thread) -> str:
        return (await work.threads.ensure(thread)).id

    assert sum(await replicas.at_once(add, [make.run(source_key="slack:1") for _ in range(4)])) == 1
    assert len(set(await replicas.at_once(ensure, [make.thread(id=f"t{n}") for n in range(4)]))) == 1


async def test_what_people_set_is_kept_once(replicas: Replicas) -> None:
    """The same rule and the same memory from both replicas are one each."""

    async def allow(work: UnitOfWork, rule: Rule) -> bool:
        return await work.rules.add(TEAM, DANA, rule, at=NOW)

    async def remember(work: UnitOfWork, memory: Memory) -> str:
        return (await work.memories.save(memory, team=TEAM, user=DANA, key="k")).id

    rules = [recipient_rule("helen@marsh.example", id=f"rule_{n}") for n in range(4)]
    assert sum(await replicas.at_once(allow, rules)) == 1
    memories = [Memory(id=f"mem_{n}", text="oak", created_at=NOW, label=Label.OWNER) for n in range(4)]
    assert len(set(await replicas.at_once(remember, memories))) == 1


async def test_administrators_write_the_same_rule_once(replicas: Replicas) -> None:
    """Whoever of them is later finds that it stands already, also where one edits another rule to say the same."""
    said = replace(recipient_rule("helen@marsh.example", id="rule_0"), by=RuleAuthor.ADMIN)
    async with replicas.one.write() as work:
        await work.rules.add(TEAM, DANA, replace(said, value="a@marsh.example"), at=NOW)

    async def write(work: UnitOfWork, user: str) -> bool:
        if user == DANA:
            return await work.rules.rewrite(TEAM, said)
        return await work.rules.add(TEAM, user, replace(said, id=f"rule_{user}"), at=NOW)

    assert sum(await replicas.at_once(write, [DANA, MARA, "U0ERIN", "U0FINN"])) == 1


async def test_of_two_edits_of_a_rule_one_finds_it_as_it_was(replicas: Replicas) -> None:
    """The second one waits, and sees what the first one wrote."""
    rule = replace(recipient_rule("helen@marsh.example", id="rule_1"), by=RuleAuthor.ADMIN)
    async with replicas.one.write() as work:
        await work.rules.add(TEAM, DANA, rule, at=NOW)

    async def edit(work: UnitOfWork, value: str) -> bool:
        return await work.rules.held(TEAM, rule.id) == rule and await work.rules.rewrite(
            TEAM, replace(rule, value=value)
        )

    assert sum(await replicas.at_once(edit, [f"a{n}@marsh.example" for n in range(4)])) == 1


async def test_a_profile_is_seen_while_its_level_is_set(replicas: Replicas) -> None:
    """Neither undoes the other, and neither fails."""

    async def see(work: UnitOfWork) -> None:
        await work.users.seen(make.person(name="Dana O."))

    async def set_level(work: UnitOfWork) -> None:
        await work.users.set_level(TEAM, DANA, "delegated")

    await replicas.at_once(act, [see, set_level, see])
    async with replicas.one.read() as work:
        person = await work.users.find(TEAM, DANA)
    assert person is not None
    assert (person.name, person.level) == ("Dana O.", TrustLevel.DELEGATED)


async def test_numbers_of_the_log_have_no_gap_and_no_double(postgresql: Opened, replicas: Replicas) -> None:
    """Many record in the same scopes at once, and some roll back: nobody fails, and the numbers count on."""

    async def record(store: Store, n: int) -> None:
        async with store.write() as work:
            facts = [
                AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id=run_id)
                for run_id in ("r1", None, "r2", "r1")
            ]
            await work.audit.record(*(facts if n % 2 else reversed(facts)))
            if n % 3 == 0:
                raise LostRace("test", str(n), "a", "b")

    await asyncio.gather(*(record(replicas.stores[n % 2], n) for n in range(24)), return_exceptions=True)
    for scope, times in (("r1", 2), ("r2", 1), (f"workspace:{TEAM}", 1)):
        rows = postgresql.rows("SELECT number FROM audit WHERE scope = ? ORDER BY id", scope)
        assert [row["number"] for row in rows] == list(range(1, 16 * times + 1))


async def test_a_stop_and_a_worker_do_not_block_each_other(replicas: Replicas) -> None:
    """Who changes rows of a thread locks the thread's row first, so neither is picked as the victim of a deadlock."""
    async with replicas.one.write() as work:
        await work.threads.ensure(make.thread())
        await work.runs.add(make.run(id="run_1", state=RunState.PLANNING))
        await work.steps.add(make.step(id="step_1", run_id="run_1"))
        assert await work.leases.take("thread:thr_1", "a", now=NOW, seconds=30) == 1

    async def worker(work: UnitOfWork) -> None:
        await work.leases.hold("thread:thr_1", "a", 1)
        await work.runs.change("run_1", active_ms=5)
        await asyncio.sleep(0.02)
        await work.threads.lock("thr_1")

    async def reconciler(work: UnitOfWork) -> None:
        await work.steps.lock("step_1")
        await work.runs.change("run_1", retries=1)
        await work.threads.lock("thr_1")

    async def stop(work: UnitOfWork) -> None:
        await work.threads.lock("thr_1")
        await asyncio.sleep(0.02)
        await work.steps.lock("step_1")
        await work.runs.change("run_1", cancel_requested=True)

    for _ in range(ROUNDS):
        await replicas.at_once(act, [worker, stop, reconciler])


async def test_a_step_is_locked_after_its_thread(replicas: Replicas, postgresql: Opened) -> None:
    """Who waits for the thread has not locked the step: who holds the thread and locks the step waits for nobody."""
    action = make.action(state=ActionState.AWAITING)
    run = await _waiting_step(replicas, action)

    async def locked(store: Store) -> None:
        async with store.write() as work:
            assert (await work.steps.lock(action.step_id)).run_id == run.id

    one, other = replicas.stores
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with one.write() as work:
            await work.threads.lock(run.thread_id)
            waiting = asyncio.create_task(locked(other))
            while not postgresql.rows("SELECT 1 AS one FROM pg_locks WHERE NOT granted"):
                await asyncio.sleep(0.01)
            await work.steps.lock(action.step_id)
        await waiting
