"""What operators read: figures from partial indexes, marks, and everything about a run."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind, DeliveryState
from bot.domain.questions import Choice, QuestionKind, QuestionState, Vote
from bot.domain.runs import RunState
from bot.domain.statistics import Statistics, WaitingCount
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM
from tests.stores import Opened

OLD = NOW - timedelta(hours=2)


async def test_an_empty_store_has_nothing_waiting(store: Store) -> None:
    """All is zero, and nothing is old."""
    async with store.read() as work:
        figures = await work.statistics.now()
    assert figures == Statistics()
    assert figures.open_questions.age(NOW) == 0


async def test_figures_count_what_waits(base: Opened) -> None:
    """Runs by state, open questions by kind with the oldest, rows to deliver, dead letters, unsealed entries."""
    async with base.store.write() as work:
        for state in (RunState.PLANNING, RunState.AWAITING, RunState.AWAITING, RunState.PAUSED):
            await work.runs.add(make.run(state=state))
        await work.runs.add(make.run(state=RunState.COMPLETED, completed_at=NOW))
        for number in range(3):
            kind = QuestionKind.SETTLE if number == 2 else QuestionKind.APPROVE
            await work.questions.add(make.question(id=f"q_{number}", kind=kind, created_at=OLD))
        asked = await work.questions.find("q_0")
        assert asked
        await work.questions.move(asked, QuestionState.EXPIRED)
        for lane in ("a", "b"):
            await work.outbox.add(lane, DeliveryKind.CARD, "q_1", team=TEAM, at=OLD)
        (first, _) = await work.outbox.heads(now=NOW, limit=2)
        claimed = await work.outbox.claim(first)
        assert claimed
        await work.outbox.bury(claimed, at=NOW, error="channel_not_found")
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA))
    async with base.store.read() as work:
        figures = await work.statistics.now()
    assert figures == Statistics(
        runs={RunState.PLANNING: 1, RunState.AWAITING: 2, RunState.PAUSED: 1},
        questions={
            QuestionKind.APPROVE: WaitingCount(count=1, oldest=OLD),
            QuestionKind.SETTLE: WaitingCount(count=1, oldest=OLD),
        },
        deliveries=WaitingCount(count=1, oldest=OLD),
        dead_letters=1,
        unsealed=WaitingCount(count=1, oldest=NOW),
    )
    assert figures.open_questions == WaitingCount(count=2, oldest=OLD)
    assert figures.open_questions.age(NOW) == 7200


async def test_figures_scan_no_table(sqlite: Opened) -> None:
    """Every count is answered by an index, and so costs the same however much was done before."""
    with sqlite.heard() as said:
        async with sqlite.store.read() as work:
            await work.statistics.now()
    plans = [str(row["detail"]) for each in said for row in sqlite.rows(f"EXPLAIN QUERY PLAN {each[0]}", *each[1])]
    read = [plan for plan in plans if plan.startswith(("SCAN", "SEARCH"))]
    assert len(read) == 5
    assert [plan for plan in read if "INDEX" not in plan] == []


async def test_marks_are_single_facts(work: UnitOfWork) -> None:
    """Set twice is the newer one; dropped is gone; another name is another fact."""
    assert await work.metadata.find("copy") is None
    await work.metadata.set("copy", "a")
    await work.metadata.set("copy", "b")
    await work.metadata.set("instance", "i")
    assert (await work.metadata.find("copy"), await work.metadata.find("instance")) == ("b", "i")
    await work.metadata.drop("copy")
    assert (await work.metadata.find("copy"), await work.metadata.find("instance")) == (None, "i")


async def test_one_moves_a_mark_and_others_find_it_moved(work: UnitOfWork) -> None:
    """To each value once; another value moves it again."""
    assert [await work.metadata.move("hint", day) for day in ("21", "21", "22", "22")] == [True, False, True, False]
    assert await work.metadata.find("hint") == "22"


async def test_runs_are_listed_newest_first(work: UnitOfWork) -> None:
    """All of them, or those in some states, or of one person; no more than are wanted."""
    for number, (state, user) in enumerate(
        [(RunState.COMPLETED, DANA), (RunState.FAILED, MARA), (RunState.COMPLETED, MARA)]
    ):
        await work.runs.add(make.run(id=f"run_{number}", state=state, user=user))

    async def ids(*states: RunState, user: str | None = None, limit: int = 9) -> list[str]:
        return [run.id for run in await work.records.runs(states=states, user=user, limit=limit)]

    assert await ids() == ["run_2", "run_1", "run_0"]
    assert await ids(RunState.COMPLETED) == ["run_2", "run_0"]
    assert await ids(RunState.FAILED, RunState.COMPLETED, user=MARA) == ["run_2", "run_1"]
    assert await ids(limit=1) == ["run_2"]


async def test_everything_about_a_run_is_read(store: Store) -> None:
    """Its request and what was said to it, questions with votes, deliveries, and its entries of the log; no others."""
    async with store.write() as work:
        await work.threads.ensure(make.thread())
        await work.messages.add(make.message("please", id="msg_1"))
        await work.messages.add(make.message("and quickly", id="msg_2", steers="run_1"))
        await work.messages.add(make.message("another", id="msg_3", steers="run_2"))
        await work.runs.add(make.run(id="run_1"))
        asked = make.question(id="q_1", run_id="run_1")
        await work.questions.add(asked)
        await work.questions.add(make.question(id="q_2", run_id="run_2"))
        await work.questions.vote(asked, user=DANA, choice="approve", at=NOW)
        await work.outbox.add("thr_1", DeliveryKind.CARD, "q_1", team=TEAM, at=NOW)
        await work.outbox.add("thr_1", DeliveryKind.CARD, "q_2", team=TEAM, at=NOW)
        await work.audit.record(
            *(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor=DANA, run_id=run) for run in ("run_1", "run_2"))
        )
    async with store.read() as work:
        run = await work.records.run("run_1")
        assert run
        assert await work.records.run("run_9") is None
        assert [message.text for message in await work.records.messages(run)] == ["please", "and quickly"]
        assert [question.id for question in await work.records.questions("run_1")] == ["q_1"]
        assert await work.records.votes(["q_1"]) == [
            Vote(question_id="q_1", user=DANA, edition=1, hash="0" * 64, choice=Choice.APPROVE, at=NOW)
        ]
        (row,) = await work.records.deliveries(["run_1", "q_1"])
        assert (row.subject, row.state, row.attempts) == ("q_1", DeliveryState.PENDING, 0)
        assert [entry.scope for entry in await work.records.entries("run_1")] == ["run_1"]


async def test_whatever_waits_to_be_delivered_can_be_doubted(work: UnitOfWork) -> None:
    """Each pending row counts as tried once, so that its next attempt looks for what an earlier one left."""
    await work.outbox.add("a", DeliveryKind.CARD, "q_1", team=TEAM, at=NOW)
    await work.outbox.doubt_all()
    (row,) = await work.outbox.heads(now=NOW, limit=2)
    claimed = await work.outbox.claim(row)
    assert claimed
    assert claimed.in_doubt


async def test_a_lease_names_its_holder_until_it_is_given_back(work: UnitOfWork) -> None:
    """Also when its time is over: who takes it then takes it over."""
    assert await work.leases.holder("thread:1") is None
    epoch = await work.leases.take("thread:1", "me", now=NOW, seconds=1)
    assert epoch
    assert await work.leases.holder("thread:1") == "me"
    await work.leases.release("thread:1", "me", epoch)
    assert await work.leases.holder("thread:1") is None
