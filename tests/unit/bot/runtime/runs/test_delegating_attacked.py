"""Delegating, attacked: what is at work never outlives its request, and nothing that was said or asked is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bot.domain.actions import ActionState
from bot.domain.limits import Limits
from bot.domain.questions import QUESTION_LIFE, Choice
from bot.domain.runs import Run, RunState
from bot.llm.model import ModelEvent, ModelRequest, TextDelta
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.store.unit_of_work import UnitOfWork
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runs.test_delegating import (
    GIVE,
    HAND_OVER,
    LOOK,
    SCOUT,
    SEND,
    WRITE,
    WRITER,
    actions_of,
    child,
    children,
    defined,
    out_of_time,
    text_of,
)
from tests.unit.bot.runtime.runtime_harness import Harness, harness, runner, until
from tests.unit.bot.runtime.scripted import Said

TWO: Said = [("meeting_brief", {"topic": "a"}), ("meeting_brief", {"topic": "b"})]
BAD = ("complete_task", {"report": {"found": 2}})


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[defined(SCOUT), defined(WRITER)]) as made:
        yield made


async def sealed(here: Harness) -> None:
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()


def press(run: Run) -> ButtonClick:
    return ButtonClick(team=TEAM, user=DANA, value=run.id)


async def test_what_an_agent_had_written_when_it_was_stopped_is_no_answer(here: Harness) -> None:
    """It is kept with its run, and posted nowhere."""
    stream, heard = here.model.stream, asyncio.Event()

    async def writing(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if request.instruction.startswith("You look"):
            here.model.requests.append(request)
            yield TextDelta("a draft of the agent")
            heard.set()
            await asyncio.Event().wait()
        async for event in stream(request):
            yield event

    here.model.stream, here.model.says = writing, [GIVE, "Stopped."]
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await heard.wait()
    scout = await child(here, run)
    async with here.transactions.write() as tx:
        await stop.stop(tx, scout, by=DANA)
    await serving
    assert (await child(here, run)).partial == "a draft of the agent"
    answers = here.base.rows("SELECT subject FROM outbox WHERE kind = 'answer'")
    assert [row["subject"] for row in answers] == [run.id]


async def test_an_agent_that_is_over_is_neither_continued_nor_tried_again(here: Harness) -> None:
    looks: Sequence[Said] = [[("gmail_search", {"text": str(n)})] for n in range(4)]
    run = await here.asked(GIVE, *looks, "So far.", "Done.")
    scout = await child(here, run)
    assert scout.state is RunState.PAUSED
    assert not (await resume.continue_run(here.transactions, press(scout))).accepted
    assert not (await resume.try_again(here.transactions, press(scout))).accepted


async def test_continue_reaches_an_agent_whose_request_ran_out_of_time(here: Harness) -> None:
    """Nobody answered one agent; the other worked beyond the time of the request. The first is asked again."""
    most = Limits(active_ms=10_000)
    here.model.says = [TWO, SEND, SEND]
    await here.trusts(TrustLevel.SUPERVISED)
    run = await here.request(limits=most, ceiling=most)
    await here.serve()
    silent, asked = await children(here, run)
    card = await here.card_of(asked.id)
    here.base.clock.advance(QUESTION_LIFE.total_seconds() - 5)
    await sealed(here)
    here.effect.busy = asyncio.Event()
    assert (await here.click(card)).accepted
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.effect.calls)
    here.base.clock.advance(6)
    await expiry.tick(here.transactions)
    await out_of_time(here, run)
    here.effect.busy.set()
    await serving
    paused = await here.run(run.id)
    assert paused.state is RunState.PAUSED
    assert (await here.run(silent.id)).state is RunState.PAUSED
    assert (await resume.continue_run(here.transactions, press(paused))).accepted
    await here.serve()
    assert (await here.run(silent.id)).state is RunState.AWAITING


async def test_a_reply_to_a_card_beside_the_result_is_heard(here: Harness) -> None:
    """The agent had handed over already, but for the card: it goes on with what was said."""
    send_and_end: Said = [("gmail_send", {"text": "it"}), ("complete_task", {"report": {"found": "it"}})]
    run = await here.asked(GIVE, send_and_end, HAND_OVER, "Fine.", level=TrustLevel.SUPERVISED)
    await here.says("to Mara instead", ts="9.1")
    await here.serve()
    told = [text_of(content) for request in here.model.requests for content in request.contents]
    assert any("to Mara instead" in text for text in told)
    assert (await here.run(run.id)).summary == "Fine."


async def test_a_result_beside_a_call_that_is_rejected_is_handed_over_anew(here: Harness) -> None:
    """It was written without knowing that nothing was sent."""
    send_and_end: Said = [("gmail_send", {"text": "it"}), ("complete_task", {"report": {"found": "sent"}})]
    run = await here.asked(GIVE, send_and_end, HAND_OVER, "Fine.", level=TrustLevel.SUPERVISED)
    (child,) = await children(here, run)
    assert (await here.click(await here.card_of(child.id), Choice.REJECT)).accepted
    await here.serve()
    told = str(here.model.requests[-2].contents[-1])
    assert "rejected" in told
    assert "Your result was not taken" in told
    assert (await here.run(child.id)).output == {"found": "two benches"}
    assert (await here.run(run.id)).summary == "Fine."


async def test_a_stop_finds_agents_whatever_their_ids_are(here: Harness) -> None:
    """A clock that steps back makes ids that do not sort."""
    run = await here.asked(GIVE, WRITE, SEND, level=TrustLevel.SUPERVISED)
    scout, writer = await children(here, run)
    async with here.base.store.write() as work:
        await _renamed(work, writer.id, "run_0")
    card = await here.card_of("run_0")
    async with here.transactions.write() as tx:
        await stop.stop(tx, await tx.work.runs.find(run.id), by=DANA)
    states = {each.id: each.state for each in await children(here, run)}
    assert states == {scout.id: RunState.CANCELLED, "run_0": RunState.CANCELLED}
    assert not (await here.click(card)).accepted


async def _renamed(work: UnitOfWork, before: str, after: str) -> None:
    await work.flush()
    for table, column in (
        ("runs", "id"),
        ("actions", "child"),
        ("actions", "run_id"),
        ("steps", "run_id"),
        ("questions", "run_id"),
        ("contents", "run_id"),
        ("outbox", "subject"),
    ):
        await work.session.execute(text(f"UPDATE {table} SET {column} = '{after}' WHERE {column} = '{before}'"))


async def test_the_third_unfit_result_beside_a_read_fails_as_any_third_one(here: Harness) -> None:
    run = await here.asked(GIVE, [BAD], [BAD], [BAD, ("gmail_search", {"text": "x"})], "It failed.")
    scout = await child(here, run)
    assert scout.state is RunState.FAILED
    assert "nothing that I could use" in scout.error
    assert here.read.calls == []


async def test_an_unfit_result_is_no_text_without_a_result(here: Harness) -> None:
    """The first text after it is answered with the reminder."""
    run = await here.asked(GIVE, [BAD], "two benches", HAND_OVER, "Done.")
    assert (await child(here, run)).state is RunState.COMPLETED


async def test_a_reply_to_two_agents_that_ask_is_for_the_assistant(here: Harness) -> None:
    """Both cards go, and it hears what was said."""
    run = await here.asked(TWO, SEND, SEND, HAND_OVER, HAND_OVER, "I did not send it.", level=TrustLevel.SUPERVISED)
    await here.says("no", ts="9.1")
    await here.serve()
    sent = [action for each in await children(here, run) for action in await actions_of(here, each)]
    assert [action.state for action in sent if action.tool == "gmail_send"] == [ActionState.REJECTED] * 2
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_silence_is_silence_also_after_a_soft_stop(here: Harness) -> None:
    """An agent that was told to stop, and whose card nobody answers, is asked again by Continue."""
    most = Limits(effects=1)
    says: list[Any] = [GIVE, [("gmail_send", {"text": "a"}), ("gmail_send", {"text": "b"})]]
    run = await here.asked(*says, level=TrustLevel.SUPERVISED, limits=most, ceiling=most)
    here.base.clock.advance((QUESTION_LIFE + timedelta(seconds=1)).total_seconds())
    await expiry.tick(here.transactions)
    await sealed(here)
    await here.serve()
    scout = await child(here, run)
    assert (scout.state, scout.is_over) == (RunState.PAUSED, False)
    assert (await resume.continue_run(here.transactions, press(run))).accepted
    await here.serve()
    assert (await child(here, run)).state is RunState.AWAITING


async def test_a_definition_that_cannot_be_read_costs_its_own_runs(here: Harness) -> None:
    """A later version may refuse what an earlier one took: the agent fails, and its request goes on."""
    run = await here.asked(GIVE, LOOK, SEND, "It failed.", level=TrustLevel.SUPERVISED)
    assert (await here.run(run.id)).state is RunState.AWAITING
    scout = await child(here, run)
    async with here.base.store.write() as work:
        await work.session.execute(text("UPDATE definitions SET canonical = '{}'"))
    await here.approve(scout)
    tools = (here.read, here.asking, here.effect, here.blind)
    later = runner(here.transactions, tools=tools, model=here.model, profiles=here.directory, sleep=asyncio.sleep)
    await replace(here, runner=later).serve()
    assert (await here.run(scout.id)).state is RunState.FAILED
    assert (await here.run(run.id)).state is RunState.COMPLETED
