"""Runs, steps and actions: guarded moves, lists, what was said to them, and threads that nobody serves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.actions import UNDONE, ActionState, Approval, Tally, Undo
from bot.domain.limits import Usage
from bot.domain.questions import QuestionState
from bot.domain.runs import HELD_SOURCE, AttachedContext, RunState
from bot.domain.states import IllegalMove, LostRace
from bot.domain.steps import Sibling
from bot.domain.threads import Speaker
from bot.llm.model import Wire
from bot.llm.wire import NOBODY, Origin
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from policies.types import Decision, EffectClass, Label, Verdict
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM

LATER = NOW + timedelta(hours=1)
EARLIER = NOW - timedelta(hours=1)


async def test_a_run_comes_back_as_it_went_in(work: UnitOfWork) -> None:
    """Every field of a run survives the row: usage, label, attached contexts, moments with their zone."""
    attached = (AttachedContext(type="email", id="e1", title="Oak", snippet="…", meta={"unread": True}),)
    given = make.run(
        usage=Usage(prompt=7, output=5, cached=3), label=Label.MEMBER, attached=attached, woken_at=NOW, stopping="limit"
    )
    assert await work.runs.add(given)
    assert await work.runs.find(given.id) == given


async def test_one_source_key_is_one_run(work: UnitOfWork) -> None:
    """A second run with the same source key is not stored."""
    assert await work.runs.add(make.run(id="run_1", source_key="slack:T1:C1:1"))
    assert not await work.runs.add(make.run(id="run_2", source_key="slack:T1:C1:1"))
    found = await work.runs.by_source("slack:T1:C1:1")
    assert (found and found.id) == "run_1"
    assert await work.runs.by_source("slack:T1:C1:2") is None


async def test_a_run_moves_from_the_state_that_was_read(work: UnitOfWork) -> None:
    """A move from a state that the run has left is a lost race; one that no table names is a defect."""
    queued = make.run()
    await work.runs.add(queued)
    planning = await work.runs.move(queued, RunState.PLANNING, model="gemini", usage=Usage(prompt=1))
    assert (planning.state, planning.model, planning.usage.prompt) == (RunState.PLANNING, "gemini", 1)
    with pytest.raises(LostRace):
        await work.runs.move(queued, RunState.CANCELLED)
    with pytest.raises(IllegalMove):
        await work.runs.move(queued, RunState.COMPLETED)
    assert (await work.runs.find(queued.id)).state is RunState.PLANNING


async def test_what_waits_for_its_moment_is_no_request(work: UnitOfWork) -> None:
    """Its run is newer than the request, and takes no place among them."""
    await work.runs.add(make.run(id="asked", created_at=NOW))
    await work.runs.add(make.run(id="held", thread_id="thr_2", source_key=f"{HELD_SOURCE}act_1", created_at=LATER))
    assert [run.id for run in await work.runs.recent_of(TEAM, DANA, limit=1)] == ["held"]
    assert [run.id for run in await work.runs.recent_requests_of(TEAM, DANA, limit=1)] == ["asked"]


async def test_runs_are_listed_by_what_they_are_for(work: UnitOfWork) -> None:
    """Live runs of a thread in the order asked, of a person the last one asked first, whatever the clock said when they
    were written down; threads with work that needs no person.
    """
    states = {
        "a": RunState.AWAITING,
        "b": RunState.QUEUED,
        "c": RunState.COMPLETED,
        "d": RunState.PAUSED,
        "e": RunState.EXECUTING,
    }
    for n, (name, state) in enumerate(states.items()):
        order = f"{9 - n}"
        thread = "thr_2" if name == "a" else "thr_1"
        await work.runs.add(make.run(id=name, state=state, order_key=order, thread_id=thread))
    await work.runs.add(make.run(id="other", user=MARA, thread_id="thr_3", state=RunState.COMPLETED))
    assert [run.id for run in await work.runs.live("thr_1")] == ["e", "b"]
    marks = await work.runs.marks(["thr_1", "thr_2", "thr_3"])
    assert [tuple(mark[:3]) for mark in marks] == [
        ("thr_2", "a", RunState.AWAITING),
        ("thr_1", "b", RunState.QUEUED),
        ("thr_1", "e", RunState.EXECUTING),
    ]
    assert [run.id for run in await work.runs.live_of(TEAM, DANA)] == ["a", "b", "e"]
    assert [run.id for run in await work.runs.recent_of(TEAM, DANA, limit=2)] == ["e", "d"]
    assert sorted(await work.runs.unfinished_threads()) == ["thr_1"]
    latest = await work.runs.latest_of_thread("thr_1", DANA)
    assert (latest and latest.id) == "b"
    assert await work.runs.latest_of_thread("thr_1", MARA) is None
    assert await work.runs.newest_order(TEAM, DANA) == "9"
    assert await work.runs.newest_order(TEAM, "U9NOBODY") == ""


async def test_a_step_is_open_until_it_is_closed(work: UnitOfWork) -> None:
    """A run has its open step, its steps in order, and its contents in the order in which they were appended."""
    await work.threads.ensure(make.thread())
    await work.runs.add(make.run(id="run_1"))
    first, second = make.step(id="s1", seq=1), make.step(id="s2", seq=2, usage=Usage(prompt=3))
    await work.steps.add(first)
    await work.steps.set_open("s1", 0, closed_at=NOW)
    assert await work.steps.open_of("run_1") is None
    await work.steps.add(second)
    assert await work.steps.open_of("run_1") == second
    assert [step.id for step in await work.steps.of_run("run_1")] == ["s1", "s2"]
    assert await work.steps.lock("s2") == second
    await work.steps.append("run_1", [Wire("1"), Wire("2")])
    await work.steps.append("run_1", [])
    made_by = Origin("gemini", "gemini-3.8-flash")
    await work.steps.append("run_1", [Wire("3")], made_by=made_by)
    found = await work.steps.contents("run_1")
    assert found == [(Wire("1"), NOBODY), (Wire("2"), NOBODY), (Wire("3"), made_by)]
    assert await work.steps.contents("run_2") == []


async def test_an_action_comes_back_as_it_went_in(store: Store) -> None:
    """Every field of an action survives the row, and the changes of a move: verdict, approval, preview, response."""
    approval = Approval(hash="h", by=DANA, at=NOW, expires_at=LATER)
    verdict = Verdict(decision=Decision.ASK, rule="level.supervised", reason="You decide.")
    given = make.action(effect=EffectClass.READ, preview={"title": "?"}, label=Label.EXTERNAL, noted={"draft_id": "d"})
    async with store.write() as work:
        await work.actions.add([])
        await work.actions.add([given])
        assert await work.actions.find(given.id) == given
        moved = await work.actions.move(
            given, ActionState.AWAITING, verdict=verdict, approval=approval, response={"output": 1}, deadline_at=NOW
        )
    want = replace(given, state=ActionState.AWAITING, verdict=verdict, approval=approval, response={"output": 1})
    assert moved == replace(want, deadline_at=NOW)


@pytest.mark.parametrize(
    "stale",
    [{"state": ActionState.APPROVED}, {"attempt": 1}, {"edition": 2}],
    ids=["state", "attempt", "edition"],
)
async def test_an_action_moves_only_as_it_was_read(work: UnitOfWork, stale: dict[str, object]) -> None:
    """Who read another state, attempt or edition of the action has lost the race, and nothing changes."""
    given = make.action(state=ActionState.AWAITING, attempt=2, edition=3)
    await work.actions.add([given])
    with pytest.raises(LostRace):
        await work.actions.move(replace(given, **stale), ActionState.CANCELLED)
    assert await work.actions.find(given.id) == given
    with pytest.raises(IllegalMove):
        await work.actions.move(given, ActionState.EXECUTING)


async def test_a_note_belongs_to_the_attempt_that_runs(work: UnitOfWork) -> None:
    """A note is kept while its attempt executes; an older attempt, or one that ended, is refused."""
    given = make.action(state=ActionState.EXECUTING, attempt=2)
    await work.actions.add([given])
    await work.actions.note(given.id, 2, {"draft_id": "d"})
    with pytest.raises(LostRace):
        await work.actions.note(given.id, 1, {"draft_id": "other"})
    noted = await work.actions.find(given.id)
    assert noted.noted == {"draft_id": "d"}
    await work.actions.move(noted, ActionState.COMPLETED)
    with pytest.raises(LostRace):
        await work.actions.note(given.id, 2, {})


async def test_actions_are_listed_in_call_order(work: UnitOfWork) -> None:
    """By step in call order, by run, and by state in a thread, though the clock went back between two steps."""
    await work.steps.add(make.step(id="step_1", seq=1))
    await work.steps.add(make.step(id="step_2", seq=2))
    await work.actions.add(
        [
            make.action(id="b", tool="second", seq=2, state=ActionState.APPROVED),
            make.action(id="a", seq=1),
            make.action(id="c", tool="third", seq=0, step_id="step_2", created_at=EARLIER, state=ActionState.COMPLETED),
            make.action(id="d", run_id="run_2", thread_id="thr_2", step_id="step_3"),
        ]
    )
    assert [a.id for a in await work.actions.of_step("step_1")] == ["a", "b"]
    assert [a.id for a in await work.actions.of_run("run_1")] == ["a", "b", "c"]
    assert [call.partition(":")[0] for call in await work.actions.calls("run_1", limit=2)] == ["second", "third"]
    answered = await work.actions.answered("run_1", limit=2)
    assert [call.partition(":")[0] for call in answered] == ["second", "third"]
    movable = (ActionState.PLANNED, ActionState.APPROVED)
    assert [a.id for a in await work.actions.in_state("thr_1", movable)] == ["a", "b"]
    marks = await work.actions.marks(["thr_1", "thr_2", "thr_3"], movable)
    assert [tuple(mark[:3]) for mark in marks] == [
        ("thr_1", "a", ActionState.PLANNED),
        ("thr_1", "b", ActionState.APPROVED),
        ("thr_2", "d", ActionState.PLANNED),
    ]


async def test_siblings_tell_what_the_rule_must_know(store: Store) -> None:
    """Of each action of a step: its state, whether a question of it is open, and whether a person decided."""
    async with store.write() as work:
        await work.actions.add(
            [
                make.action(id="asked", seq=1, state=ActionState.AWAITING),
                make.action(id="decided", seq=2, state=ActionState.COMPLETED),
                make.action(id="rejected", seq=3, state=ActionState.REJECTED),
                make.action(id="silent", seq=4, state=ActionState.EXPIRED),
                make.action(id="elsewhere", step_id="step_2"),
            ]
        )
        await work.questions.add(make.question(action_id="asked"))
        await work.questions.add(make.question(action_id="decided", state=QuestionState.DECIDED))
        await work.questions.add(make.question(action_id="silent", state=QuestionState.EXPIRED))
        found = await work.actions.siblings("step_1")
    assert sorted(found, key=lambda sibling: sibling.state.value) == [
        Sibling(state=ActionState.AWAITING, question_open=True),
        Sibling(state=ActionState.COMPLETED, decided_by_person=True),
        Sibling(state=ActionState.EXPIRED),
        Sibling(state=ActionState.REJECTED, decided_by_person=True),
    ]


async def test_the_action_that_left_something_to_be_undone(work: UnitOfWork) -> None:
    """It is found by its person and by what it left, and not any more once that was undone."""
    left = Undo("memory", "mem_1")
    given = make.action(undo=left)
    await work.actions.add([given])
    assert await work.actions.that_left(TEAM, given.user, left) == given
    assert await work.actions.that_left(TEAM, "U0NOBODY", left) is None
    await work.actions.change(given.id, undo=UNDONE)
    assert await work.actions.that_left(TEAM, given.user, left) is None


async def test_threads_that_nobody_serves(work: UnitOfWork) -> None:
    """Those with work whose lease was never taken, was given back, or ran out; one may ask about some of them only."""
    states = {"a": RunState.QUEUED, "b": RunState.EXECUTING, "c": RunState.AWAITING, "d": RunState.PLANNING}
    for thread, state in states.items():
        await work.runs.add(make.run(thread_id=thread, state=state))
    await work.leases.take("thread:b", "x", now=NOW, seconds=30)
    epoch = await work.leases.take("thread:d", "x", now=NOW, seconds=30)
    assert await work.runs.unserved_threads(now=NOW) == ["a"]
    assert sorted(await work.runs.unserved_threads(now=LATER)) == ["a", "b", "d"]
    await work.leases.release("thread:d", "x", epoch or 0)
    assert sorted(await work.runs.unserved_threads(now=NOW)) == ["a", "d"]
    assert await work.runs.unserved_threads(now=NOW, among=["b", "d"]) == ["d"]


async def test_what_was_said_to_a_run(store: Store) -> None:
    """Untaken is what no model call took in, in Slack's order; said to another run, all of it is untaken again."""
    said = [make.message(ts=ts, steers="run_1") for ts in ("2.3", "2.1", "2.2")]
    async with store.write() as work:
        for message in [*said, make.message(ts="2.0"), make.message(ts="2.4", steers="run_2")]:
            await work.messages.add(message)
        await work.messages.change(said[2].id, taken_at=NOW)
    async with store.write() as work:
        assert [message.ts for message in await work.messages.untaken("run_1")] == ["2.1", "2.3"]
        await work.messages.steer_again("run_1", by="run_3")
    async with store.read() as work:
        assert not await work.messages.untaken("run_1")
        assert [message.ts for message in await work.messages.untaken("run_3")] == ["2.1", "2.2", "2.3"]


async def test_what_a_run_said_last(store: Store) -> None:
    """Of several ends and pauses of a run it is the newest, though the clock went back."""
    told = [
        make.message(f"{n}", speaker=Speaker.AGENT, run_id="run_1", created_at=NOW - timedelta(seconds=n))
        for n in range(3)
    ]
    async with store.write() as work:
        for message in told:
            await work.messages.add(message)
    async with store.read() as work:
        last = await work.messages.said_last("thr_1", "run_1")
        assert (last and last.id) == told[-1].id
        assert await work.messages.said_last("thr_1", "run_2") is None


async def test_the_runs_of_a_request(store: Store) -> None:
    """A request that was tried again has several runs; the newest is the one that it is known by."""
    first = make.run(message_id="msg_9", state=RunState.FAILED)
    second = make.run(message_id="msg_9", retry_of=first.id, created_at=first.created_at - timedelta(hours=1))
    async with store.write() as work:
        for run in (second, first, make.run()):
            assert await work.runs.add(run)
    async with store.read() as work:
        assert {run.id for run in await work.runs.of_request("msg_9")} == {first.id, second.id}
        assert await work.runs.by_requests(["msg_9", "msg_none"]) == {"msg_9": second.id}


async def test_work_for_a_request_is_no_request(store: Store) -> None:
    """An agent's run shares the message, the person and the thread of the run that it works for, which is listed alone:
    in any state, and also where it is the newer one.
    """
    for state in (RunState.COMPLETED, RunState.AWAITING, RunState.PAUSED):
        about = {"message_id": f"msg_{state}", "thread_id": f"thr_{state}", "user": f"U_{state}", "state": state}
        root = make.run(**about)
        child = make.run(**about, root=root.id, parent=root.id)
        async with store.write() as work:
            assert await work.runs.add(root)
            assert await work.runs.add(child)
        async with store.read() as work:
            assert [run.id for run in await work.runs.of_request(root.message_id)] == [root.id]
            assert await work.runs.by_requests([root.message_id]) == {root.message_id: root.id}
            assert [run.id for run in await work.runs.recent_of(root.team, root.user, limit=9)] == [root.id]
            live, paused = (
                await work.runs.live_of(root.team, root.user),
                await work.runs.paused_of(root.team, root.user),
            )
            assert [run.id for run in (*live, *paused)] == [root.id] * (state is not RunState.COMPLETED)
            assert await work.runs.latest_of_thread(root.thread_id, root.user) == root
            assert [run.id for run in await work.runs.below(root.id)] == [child.id]


async def test_what_the_runs_of_a_request_did_is_counted(store: Store) -> None:
    """Looks that were taken, and what was done or may be; not what failed, was only asked about, or given to others."""
    root = make.run()
    child = make.run(root=root.id, parent=root.id)
    read, states = {"effect": EffectClass.READ}, ActionState
    made = [
        *(read | {"state": state} for state in (states.COMPLETED, states.COMPLETED, states.FAILED)),
        *({"state": state} for state in (states.COMPLETED, states.UNKNOWN, states.AWAITING, states.CANCELLED)),
        {"state": states.FAILED, "doubt": True},
        {"state": states.COMPLETED, "child": "run_x"},
        {"state": states.COMPLETED, "tool": "complete_task"},
    ]
    async with store.write() as work:
        assert await work.runs.add(root)
        assert await work.runs.add(child)
        await work.actions.add([make.action(run_id=child.id, **values) for values in made])
    async with store.read() as work:
        used = await work.actions.used(root.id, apart_from="complete_task")
        assert used[child.id].tally == Tally(lookups=2, actions=3)


async def test_what_began_later(store: Store) -> None:
    """Late is what was said before a request of its thread that has begun, not one that still waits."""
    begun = make.run(order_key="1795287237.000200", started_at=NOW, state=RunState.COMPLETED)
    waits = make.run(order_key="1795287237.000400")
    async with store.write() as work:
        assert await work.runs.add(begun)
        assert await work.runs.add(waits)
    async with store.read() as work:
        assert await work.runs.has_begun_later("thr_1", "1795287237.000100")
        assert not await work.runs.has_begun_later("thr_1", "1795287237.000300")
        assert not await work.runs.has_begun_later("thr_2", "1795287237.000100")
