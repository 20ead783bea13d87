"""Serving a thread: what comes between two looks at the rows, and ends that nobody wished for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.events import Event, TextVoided
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.llm.model import ModelUnavailable, QuotaExhausted, Restarted
from bot.runtime.core.lease import leased
from bot.runtime.texts import to_people
from integrations.errors import ToolFailed
from policies.types import TrustLevel
from tests import builders as make
from tests.unit.bot.runtime.runtime_harness import House, until
from tests.unit.bot.runtime.scripted import Gate

LOOK, SEND = ("gmail_search", {"text": "it"}), ("gmail_send", {"text": "it"})


async def test_a_store_that_cannot_be_read_ends_nothing(home: House) -> None:
    """While rows cannot be read the thread is kept, and the work goes on once they can."""
    home.model.hold = asyncio.Event()
    run = await home.request()
    serving = asyncio.create_task(home.serve())
    await until(lambda: home.model.requests)
    await home.base.tamper("ALTER TABLE actions RENAME TO hidden")
    await asyncio.sleep(0.1)
    assert not serving.done()
    await home.base.tamper("ALTER TABLE hidden RENAME TO actions")
    home.model.hold.set()
    await serving
    assert (await home.run(run.id)).state is RunState.COMPLETED


async def test_a_hard_stop_wins_over_an_approval(home: House) -> None:
    """What was approved and not begun is not begun; open cards expire, and the run pauses with what was not done."""
    action = await home.standing(home.effect, ActionState.APPROVED)
    waiting = make.action(
        run_id=action.run_id, step_id=action.step_id, tool="gmail_send", state=ActionState.AWAITING, args='{"text":"x"}'
    )
    asked = make.question(run_id=action.run_id, step_id=action.step_id, action_id=waiting.id)
    async with home.base.store.write() as work:
        await work.actions.add([waiting])
        await work.questions.add(asked)
        await work.runs.change(action.run_id, hard_stop="The budget is used up.")
    await home.serve()
    run = await home.run(action.run_id)
    assert (run.state, run.summary.splitlines()[0]) == (RunState.PAUSED, "The budget is used up.")
    assert (await home.action(action)).state is ActionState.APPROVED
    assert (await home.action(waiting)).state is ActionState.EXPIRED
    assert home.base.rows("SELECT state FROM questions") == [{"state": QuestionState.EXPIRED.value}]
    assert home.effect.calls == []


async def test_a_turn_for_a_run_that_moved_on_is_dropped(home: House) -> None:
    """What the model said to a run that was ended meanwhile changes nothing."""
    run = await home.request(state=RunState.PLANNING)
    async with home.base.store.write() as work:
        await work.runs.move(run, RunState.CANCELLED)
    async with leased(home.transactions, "thr_1", "house") as lease:
        assert lease is not None
        await home.runner.loop.step(run, lease)
    now = await home.run(run.id)
    assert (now.state, now.steps_taken, now.summary) == (RunState.CANCELLED, 0, "")


async def test_a_queued_run_waits_for_one_that_was_woken(home: House) -> None:
    """A run that is taken up while another one of the thread works stays queued."""
    first = await home.request(state=RunState.PLANNING)
    second = await home.request()
    async with leased(home.transactions, "thr_1", "house") as lease:
        assert lease is not None
        await home.runner.starter.begin(second, lease)
    assert (await home.run(second.id)).state is RunState.QUEUED
    await home.serve()
    assert {(await home.run(run.id)).state for run in (first, second)} == {RunState.COMPLETED}


async def test_a_follow_up_hears_what_was_answered(home: House) -> None:
    """Two requests of a thread are answered in their order, the second one with the first one's answer before it."""
    home.model.says = ["One.", "Two."]
    runs = [await home.request()]
    await home.serve()
    runs.append(await home.request())
    await home.serve()
    assert [(await home.run(run.id)).summary for run in runs] == ["One.", "Two."]
    assert "One." in "".join(home.model.requests[1].contents)


async def test_a_redone_step_replaces_what_was_streamed(home: House) -> None:
    """What shows the text is told that it is void."""
    home.model.before = [Restarted()]
    heard: list[Event] = []
    async with home.transactions.bus.subscribe() as queue:
        run = await home.asked("Done.")
        heard = [queue.get_nowait() for _ in range(queue.qsize())]
    assert TextVoided(run.id) in heard


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (QuotaExhausted(daily=False), "quota is used up, so I stopped. Please try again later."),
        (QuotaExhausted(daily=True), "works again tomorrow"),
        (ModelUnavailable("network"), "cannot be reached"),
    ],
)
async def test_a_model_that_cannot_answer_is_explained(home: House, error: Exception, told: str) -> None:
    """The run has failed with words, and says what was done before."""
    run = await home.asked([SEND], error)
    assert run.state is RunState.FAILED
    assert told in run.error
    assert "• Do it: done" in run.error


async def test_a_model_that_says_nothing_at_all_is_unavailable(home: House) -> None:
    """A stream that ends without a turn is as good as none."""
    home.model.silent = True
    run = await home.asked()
    assert (run.state, run.error) == (RunState.FAILED, to_people.model_failed(ModelUnavailable("network")))


async def test_a_doubt_is_never_left_unsaid(home: House) -> None:
    """When a later attempt fails for certain, the model hears that an earlier one may have happened."""
    await home.trusts(TrustLevel.AUTONOMOUS)
    action = await home.standing(home.effect, ActionState.APPROVED, attempt=1, doubt=True)
    home.effect.outcomes = [ToolFailed("no_such_address", "There is no such address.")]
    await home.serve()
    now = await home.action(action)
    assert now.state is ActionState.FAILED
    assert now.response is not None
    assert "may have happened all the same" in str(now.response["doubt"])


async def test_what_does_not_exist_has_no_card(home: House) -> None:
    """A card of a question that is not there is None; one without a preview shows the caption."""
    assert await home.queries.card("q_none") is None
    action = await home.standing(home.effect, ActionState.AWAITING, caption="Send it")
    asked = make.question(run_id=action.run_id, step_id=action.step_id, action_id=action.id)
    async with home.base.store.write() as work:
        await work.questions.add(asked)
    card = await home.queries.card(asked.id)
    assert card is not None
    assert (card.preview.title, card.rule) == ("Send it", "")


async def test_a_stopped_run_waits_quietly_for_what_is_under_way(home: House) -> None:
    """What it has not begun is not looked at again and again while a sibling's end is awaited."""
    planned = await home.standing(home.effect, ActionState.PLANNED)
    given: dict[str, Any] = {"run_id": planned.run_id, "step_id": planned.step_id, "args": '{"text":"x"}'}
    look = make.action(**given, tool=home.read.name, effect=home.read.effect, state=ActionState.APPROVED)
    async with home.base.store.write() as work:
        await work.actions.add([look])
    home.read.busy, home.effect.gate = asyncio.Event(), Gate()
    serving = asyncio.create_task(home.serve())
    await home.effect.gate.looked.wait()
    await until(lambda: home.read.calls)
    await home.change_run(planned.run_id, hard_stop="The budget is used up.")
    commits: list[object] = []
    home.base.store.on_commit(commits.append)
    home.effect.gate.opened.set()
    await until(lambda: commits)
    await asyncio.sleep(0.1)
    assert len(commits) == 1  # what the look was for is not wanted any more
    home.read.busy.set()
    await serving
    assert (await home.run(planned.run_id)).state is RunState.PAUSED
    assert (await home.action(planned)).state is ActionState.PLANNED
    assert home.effect.calls == []


async def test_cards_come_in_the_order_of_the_calls(home: House) -> None:
    """What was called second is asked second, though it was looked at sooner."""
    gate = home.effect.gate = Gate()
    home.model.says = [[SEND, ("calendar_event_create", {"text": "it"})]]
    await home.request()
    serving = asyncio.create_task(home.serve())
    await gate.looked.wait()
    await asyncio.sleep(0.1)
    assert home.base.rows("SELECT id FROM questions") == []
    gate.opened.set()
    await serving
    asked = "SELECT actions.tool FROM questions JOIN actions ON actions.id = questions.action_id ORDER BY questions.n"
    assert [row["tool"] for row in home.base.rows(asked)] == ["gmail_send", "calendar_event_create"]


async def test_a_slow_card_holds_up_nobody_for_long(home: House) -> None:
    """The second card comes without the first one, when that takes its time."""
    home.runner = replace(home.runner, evaluator=replace(home.runner.evaluator, in_turn_seconds=0.05))
    gate = home.effect.gate = Gate()
    home.model.says = [[SEND, ("calendar_event_create", {"text": "it"})]]
    await home.request()
    serving = asyncio.create_task(home.serve())
    await until(lambda: home.base.rows("SELECT id FROM questions"))
    assert not gate.opened.is_set()
    gate.opened.set()
    await serving
    assert len(home.base.rows("SELECT id FROM questions")) == 2
