"""Serving a thread: what comes between two looks at the rows, and ends that nobody wished for."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import Action, ActionState
from bot.domain.events import Event, TextStreamed, TextVoided
from bot.domain.limits import Limits
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.domain.threads import Surface
from bot.llm.model import ModelUnavailable, QuotaExhausted, Restarted
from bot.runtime.core.lease import leased
from bot.runtime.core.priority import Priorities, Priority
from bot.runtime.runs import stop
from bot.runtime.texts import to_people
from integrations.errors import ToolFailed
from policies.types import Label, TrustLevel
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness, until
from tests.unit.bot.runtime.scripted import Gate

LOOK, SEND = ("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})


async def test_a_store_that_cannot_be_read_ends_nothing(here: Harness) -> None:
    """While rows cannot be read the thread is kept, and the work goes on once they can."""
    run = await here.request()
    async with here.asking_the_model() as serving:
        await here.base.tamper("ALTER TABLE actions RENAME TO hidden")
        await asyncio.sleep(0.1)
        assert not serving.done()
        await here.base.tamper("ALTER TABLE hidden RENAME TO actions")
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_a_hard_stop_wins_over_an_approval(here: Harness) -> None:
    """What was approved and not begun is not begun; open cards expire, and the run pauses with what was not done."""
    action = await here.standing(here.effect, ActionState.APPROVED)
    waiting = make.action(
        run_id=action.run_id, step_id=action.step_id, tool="gmail_send", state=ActionState.AWAITING, args='{"text":"x"}'
    )
    asked = make.question(run_id=action.run_id, step_id=action.step_id, action_id=waiting.id)
    async with here.base.store.write() as work:
        await work.actions.add([waiting])
        await work.questions.add(asked)
        await work.runs.change(action.run_id, hard_stop="The budget is used up.")
    await here.serve()
    run = await here.run(action.run_id)
    assert (run.state, run.summary.splitlines()[0]) == (RunState.PAUSED, "The budget is used up.")
    assert (await here.action(action)).state is ActionState.APPROVED
    assert (await here.action(waiting)).state is ActionState.EXPIRED
    assert here.base.rows("SELECT state FROM questions") == [{"state": QuestionState.EXPIRED.value}]
    assert here.effect.calls == []


async def test_a_turn_for_a_run_that_moved_on_is_dropped(here: Harness) -> None:
    """What the model said to a run that was ended meanwhile changes nothing."""
    run = await here.request(state=RunState.PLANNING)
    async with here.base.store.write() as work:
        await work.runs.move(run, RunState.CANCELLED)
    async with leased(here.transactions, "thr_1", "here") as lease:
        assert lease is not None
        await here.runner.loop.step(run, lease)
    now = await here.run(run.id)
    assert (now.state, now.steps_taken, now.summary) == (RunState.CANCELLED, 0, "")


async def test_a_queued_run_waits_for_one_that_was_woken(here: Harness) -> None:
    """A run that is taken up while another one of the thread works stays queued."""
    first = await here.request(state=RunState.PLANNING)
    second = await here.request()
    async with leased(here.transactions, "thr_1", "here") as lease:
        assert lease is not None
        await here.runner.starter.begin(second, lease)
    assert (await here.run(second.id)).state is RunState.QUEUED
    await here.serve()
    assert {(await here.run(run.id)).state for run in (first, second)} == {RunState.COMPLETED}


async def test_a_follow_up_hears_what_was_answered(here: Harness) -> None:
    """Two requests of a thread are answered in their order, the second one with the first one's answer before it."""
    here.model.says = ["One.", "Two."]
    runs = [await here.request()]
    await here.serve()
    runs.append(await here.request())
    await here.serve()
    assert [(await here.run(run.id)).summary for run in runs] == ["One.", "Two."]
    assert "One." in "".join(here.model.requests[1].contents)


async def test_a_redone_step_replaces_what_was_streamed(here: Harness) -> None:
    """What shows the text is told that it is void."""
    here.model.before = [Restarted()]
    heard: list[Event] = []
    async with here.transactions.bus.subscribe() as queue:
        run = await here.asked("Done.")
        heard = [queue.get_nowait() for _ in range(queue.qsize())]
    assert TextVoided(run.id) in heard


async def test_no_answer_holds_a_fence(here: Harness) -> None:
    """A model that copies what others wrote with the fence around it is quoted without: streamed, and at the end."""
    async with here.transactions.bus.subscribe() as queue:
        run = await here.asked('They said: <untrusted source="slack">Lunch?</untrusted>')
        heard = [queue.get_nowait() for _ in range(queue.qsize())]
    assert run.summary == "They said: Lunch?"
    assert "".join(event.text for event in heard if isinstance(event, TextStreamed)) == "They said: Lunch?"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (QuotaExhausted(daily=False), "quota is used up, so I stopped. Please try again later."),
        (QuotaExhausted(daily=True), "works again tomorrow"),
        (ModelUnavailable("network"), "cannot be reached"),
    ],
)
async def test_a_model_that_cannot_answer_is_explained(here: Harness, error: Exception, told: str) -> None:
    """The run has failed with words, and says what was done before."""
    run = await here.asked([SEND], error)
    assert run.state is RunState.FAILED
    assert told in run.error
    assert "• Did it" in run.error


async def test_a_model_that_says_nothing_at_all_is_unavailable(here: Harness) -> None:
    """A stream that ends without a turn is as good as none."""
    here.model.silent = True
    run = await here.asked()
    assert (run.state, run.error) == (
        RunState.FAILED,
        to_people.model_failed(ModelUnavailable("network"), Surface.SLACK),
    )


async def test_a_doubt_is_never_left_unsaid(here: Harness) -> None:
    """When a later attempt fails for certain, the model hears that an earlier one may have happened."""
    await here.trusts(TrustLevel.AUTONOMOUS)
    action = await here.standing(here.effect, ActionState.APPROVED, attempt=1, doubt=True)
    here.effect.outcomes = [ToolFailed("no_such_address", "There is no such address.")]
    await here.serve()
    now = await here.action(action)
    assert now.state is ActionState.FAILED
    assert now.response is not None
    assert "may have happened all the same" in str(now.response["doubt"])


async def test_what_does_not_exist_has_no_card(here: Harness) -> None:
    """A card of a question that is not there is None; one without a preview shows the caption."""
    assert await here.queries.card("q_none") is None
    action = await here.standing(here.effect, ActionState.AWAITING, caption="Send it")
    asked = make.question(run_id=action.run_id, step_id=action.step_id, action_id=action.id)
    async with here.base.store.write() as work:
        await work.questions.add(asked)
    card = await here.queries.card(asked.id)
    assert card is not None
    assert (card.preview.title, card.rule) == ("Send it", "")


async def test_a_stopped_run_waits_quietly_for_what_is_under_way(here: Harness) -> None:
    """What it has not begun is not looked at again and again while a sibling's end is awaited."""
    planned = await here.standing(here.effect, ActionState.PLANNED)
    given: dict[str, Any] = {"run_id": planned.run_id, "step_id": planned.step_id, "args": '{"text":"x"}'}
    look = make.action(**given, tool=here.read.name, effect=here.read.effect, state=ActionState.APPROVED)
    async with here.base.store.write() as work:
        await work.actions.add([look])
    here.read.busy, here.effect.gate = asyncio.Event(), Gate()
    serving = asyncio.create_task(here.serve())
    await here.effect.gate.looked.wait()
    await until(lambda: here.read.calls)
    await here.change_run(planned.run_id, hard_stop="The budget is used up.")
    commits: list[object] = []
    here.base.store.on_commit(commits.append)
    here.effect.gate.opened.set()
    await until(lambda: commits)
    await asyncio.sleep(0.1)
    assert len(commits) == 1  # what the look was for is not wanted any more
    here.read.busy.set()
    await serving
    assert (await here.run(planned.run_id)).state is RunState.PAUSED
    assert (await here.action(planned)).state is ActionState.PLANNED
    assert here.effect.calls == []


async def test_a_stop_closes_cards_before_what_is_under_way_ends(here: Harness) -> None:
    """While a sibling's end is awaited nobody can decide any more what the stopped run had asked."""
    under_way = await here.standing(here.effect, ActionState.EXECUTING, attempt=1)
    given: dict[str, Any] = {"run_id": under_way.run_id, "step_id": under_way.step_id}
    waiting = make.action(**given, state=ActionState.AWAITING)
    asked = make.question(**given, action_id=waiting.id)
    async with here.base.store.write() as work:
        await work.actions.add([waiting])
        await work.questions.add(asked)
    await stop.stop_person(here.transactions, TEAM, DANA)
    assert (await here.run(under_way.run_id)).state is RunState.EXECUTING
    assert here.base.rows("SELECT state FROM questions") == [{"state": QuestionState.WITHDRAWN.value}]
    outcome = await here.click(asked)
    assert (outcome.accepted, "withdrawn" in outcome.text) == (False, True)


async def test_cards_come_in_the_order_of_the_calls(here: Harness) -> None:
    """What was called second is asked second, though it was looked at sooner."""
    gate = here.effect.gate = Gate()
    here.model.says = [[SEND, ("calendar_event_create", {"text": "it"})]]
    await here.request()
    serving = asyncio.create_task(here.serve())
    await gate.looked.wait()
    await asyncio.sleep(0.1)
    assert here.base.rows("SELECT id FROM questions") == []
    gate.opened.set()
    await serving
    asked = "SELECT actions.tool FROM questions JOIN actions ON actions.id = questions.action_id ORDER BY questions.n"
    assert [row["tool"] for row in here.base.rows(asked)] == ["gmail_send", "calendar_event_create"]


async def test_a_slow_card_holds_up_nobody_for_long(here: Harness) -> None:
    """The second card comes without the first one, when that takes its time."""
    here.runner = replace(here.runner, evaluator=replace(here.runner.evaluator, in_turn_seconds=0.05))
    gate = here.effect.gate = Gate()
    here.model.says = [[SEND, ("calendar_event_create", {"text": "it"})]]
    await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.base.rows("SELECT id FROM questions"))
    assert not gate.opened.is_set()
    gate.opened.set()
    await serving
    assert len(here.base.rows("SELECT id FROM questions")) == 2


# A worker that was overtaken ---------------------------------------------------------------------------------------


async def asking(here: Harness) -> asyncio.Task[None]:
    """A worker in the middle of its model call; its lease is over by the time it goes on."""
    here.model.hold = asyncio.Event()
    await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.model.requests)
    here.base.clock.advance(31)
    return serving


async def test_the_model_is_not_asked_again_and_again(here: Harness) -> None:
    """Its answer does not count, and it leaves the thread to the other instead of asking once more."""
    serving = await asking(here)
    other = asyncio.create_task(replace(here.runner, holder="other").serve("thr_1", asyncio.Event()))
    await until(lambda: len(here.model.requests) >= 2)
    hold, here.model.hold = here.model.hold, asyncio.Event()
    assert hold is not None
    hold.set()
    await asyncio.gather(serving, other)
    assert len(here.model.requests) == 2
    assert here.codes().count("run.completed") == 1


async def test_what_it_does_outside_may_end(here: Harness) -> None:
    """A call that is under way is not cut off: what it says may still be the answer to a doubt."""
    here.read.busy = asyncio.Event()
    here.model.says = [[("gmail_search", {"text": "it"})]]
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.read.calls)
    here.base.clock.advance(31)
    async with here.base.store.write() as work:
        assert await work.leases.take("thread:thr_1", "other", now=here.base.clock.now(), seconds=30)
        await work.runs.change(run.id, hinted=("x",))
    await asyncio.sleep(0.1)
    assert not serving.done()
    here.read.busy.set()
    await serving
    assert (await here.run(run.id)).state is RunState.EXECUTING
    (row,) = here.base.rows("SELECT state FROM actions")
    assert row["state"] == ActionState.EXECUTING.value


@pytest.mark.parametrize(
    ("author", "label"), [({"is_guest": True}, Label.EXTERNAL), (None, Label.EXTERNAL), ({}, Label.MEMBER)]
)
async def test_what_a_guest_said_before_is_external(
    here: Harness, author: dict[str, bool] | None, label: Label
) -> None:
    """A guest mentions the agent, then a member asks in the same thread: the guest's words are not a member's.

    Nobody knew them when they wrote, so intake could not tell.
    """
    said = make.message("pay this", author=MARA, label=Label.MEMBER)
    async with here.base.store.write() as work:
        await work.threads.ensure(make.thread(is_dm=False))
        await work.messages.add(said)
        if author is not None:
            await work.users.seen(make.person(user=MARA, **author))
    run = await here.asked("Hello.", in_channel=True)
    assert (await here.run(run.id)).label is label


async def approved_elsewhere(here: Harness, waiting: Action) -> None:
    """Another replica takes the approval of this action; no wake-up of it comes."""
    async with here.base.store.write() as work:
        await work.actions.move(await work.actions.find(waiting.id), ActionState.APPROVED)
        await work.runs.move(await work.runs.find(waiting.run_id), RunState.EXECUTING)


async def waiting_for_approval(here: Harness) -> Action:
    """An action that may be done once it is approved, of a run that waits for that."""
    await here.trusts(TrustLevel.AUTONOMOUS)
    action = await here.standing(here.effect, ActionState.AWAITING)
    async with here.base.store.write() as work:
        await work.runs.move(await work.runs.find(action.run_id), RunState.AWAITING)
    return action


async def test_what_others_change_is_seen_while_much_is_done(here: Harness) -> None:
    """An approval that another replica took, and of which no wake-up came, is acted on within a second or so, however
    often something of the thread ends meanwhile.
    """
    waiting, much = await waiting_for_approval(here), Limits(steps=200)
    here.model.says = [[("gmail_search", {"text": str(n)})] for n in range(100)]
    await here.request(limits=much, ceiling=much)
    serving = asyncio.create_task(replace(here.runner, tick_seconds=0.1).serve("thr_1", asyncio.Event()))
    await until(lambda: len(here.model.requests) > 1)
    await approved_elsewhere(here, waiting)
    await until(lambda: here.effect.calls)
    assert len(here.model.requests) < 100
    await serving


async def test_what_others_changed_is_seen_at_their_wake_up(here: Harness) -> None:
    """Who is woken reads the rows, though nothing of their own has changed and their second is not over."""
    waiting, woken = await waiting_for_approval(here), asyncio.Event()
    here.model.hold = asyncio.Event()
    await here.request()
    serving = asyncio.create_task(replace(here.runner, tick_seconds=1_000.0).serve("thr_1", woken))
    await until(lambda: here.model.requests)
    await approved_elsewhere(here, waiting)
    woken.set()
    await until(lambda: here.effect.calls)
    here.model.hold.set()
    await serving


async def test_who_leaves_a_thread_looked_just_before(here: Harness) -> None:
    """What others changed without a wake-up while the last job ran is done before the thread is left."""
    waiting = await waiting_for_approval(here)
    here.model.hold = asyncio.Event()
    await here.request()
    serving = asyncio.create_task(replace(here.runner, tick_seconds=1_000.0).serve("thr_1", asyncio.Event()))
    await until(lambda: here.model.requests)
    await approved_elsewhere(here, waiting)
    here.model.hold.set()
    await serving
    assert len(here.effect.calls) == 1


@contextmanager
def left_to_the_collector() -> Generator[list[str]]:
    """The classes of ours that the block left in cycles, which only Python's collector can find."""
    found = list[str]()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found += sorted(type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("bot."))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


async def test_who_served_a_thread_is_gone(here: Harness) -> None:
    """A look of Python's collector stops everything, so what served a thread leaves nothing to it."""
    here.model.says = [[LOOK]]
    with left_to_the_collector() as left:
        await here.request()
        await here.serve()
    assert left == []


def with_patience(here: Harness) -> Priorities:
    """What can wait waits as long as it has to."""
    priorities = Priorities(longest=30.0)
    here.transactions = replace(here.transactions, priorities=priorities)
    here.runner = replace(here.runner, transactions=here.transactions)
    return priorities


async def test_a_thread_is_served_after_what_slack_waits_for(here: Harness) -> None:
    """While Slack waits for an answer no lease is taken."""
    with_patience(here)
    run = await here.request()
    async with here.transactions.read_promptly():
        serving = asyncio.create_task(here.serve())
        await asyncio.sleep(0.05)
        assert not here.base.rows("SELECT name FROM leases WHERE name = 'thread:thr_1'")
    await serving
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_what_is_shown_waits_for_an_effect(here: Harness) -> None:
    """While an effect is made nothing begins that only shows something."""
    priorities, here.effect.busy = with_patience(here), asyncio.Event()
    asking = asyncio.create_task(here.asked([SEND], "Sent."))
    await until(lambda: here.effect.calls)
    showing = asyncio.create_task(priorities.turn(Priority.REST))
    await asyncio.sleep(0.05)
    assert not showing.done()
    here.effect.busy.set()
    await asyncio.gather(asking, showing)


async def test_what_a_model_says_waits_for_a_request(here: Harness) -> None:
    """While a request is let in nothing is told of what models say; it is told whole behind that."""
    priorities, heard = with_patience(here), list[Event]()
    here.transactions.bus.attend(heard.append)
    here.model.says = ["Done."]
    run = await here.request()
    async with here.asking_the_model():
        with priorities.work(Priority.REQUEST):
            assert here.model.hold is not None
            here.model.hold.set()
            await asyncio.sleep(0.05)
            assert not [event for event in heard if isinstance(event, TextStreamed)]
    assert TextStreamed(run.id, "Done.") in heard
