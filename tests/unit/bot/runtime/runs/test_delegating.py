"""Delegating: a call of an agent is done by a run of its own, which ends with it in one commit, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.agents import reader
from bot.agents.definition import Definition
from bot.domain.actions import Action, ActionState
from bot.domain.limits import Limits, Rate
from bot.domain.questions import QUESTION_LIFE, Choice
from bot.domain.runs import SILENCE, Run, RunState
from bot.llm import wire
from bot.llm.model import CallingMode, ModelEvent, ModelRequest
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.limits.cost import CostTracker
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from bot.runtime.texts import to_people
from policies.types import Label, TrustLevel
from tests.builders import DANA, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness, runner, until
from tests.unit.bot.runtime.scripted import MODEL, Said

SCOUT = """
name: meeting_brief
description: Finds what was said about a topic.
inputConfig:
  inputs:
    topic: {description: What it is about., type: string, required: true}
    most: {description: How many at most., type: integer, required: false}
outputConfig:
  outputName: report
  description: What was found.
  schema: {type: object, properties: {found: {type: string}}, required: [found], additionalProperties: false}
processOutput: markdown
promptConfig:
  query: Find ${topic}.
  systemPrompt: You look for ${topic} and nothing else.
toolConfig: {tools: [gmail_search, gmail_send, calendar_event_create, week_review]}
runConfig: {max_turns: 4}
"""
WRITER = """
name: week_review
description: Writes a text.
inputConfig: {inputs: {}}
outputConfig: {outputName: text, description: The text., schema: {type: string}}
promptConfig: {query: Write., systemPrompt: You write.}
toolConfig: {tools: [gmail_send]}
"""
GIVE: Said = [("meeting_brief", {"topic": "benches"})]
WRITE: Said = [("week_review", {})]
LOOK: Said = [("gmail_search", {"text": "benches"})]
SEND: Said = [("gmail_send", {"text": "it"})]
SEND_AND_LOOK = [("gmail_send", {"text": "it"}), ("gmail_search", {"text": "more"})]
HAND_OVER: Said = [("complete_task", {"report": {"found": "two benches"}})]


def defined(text: str) -> Definition:
    return reader.read(text, "an agent", suffix=".yaml").definition


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[defined(SCOUT), defined(WRITER)]) as made:
        yield made


def text_of(content: wire.Wire) -> str:
    return "\n".join(str(part.get("text", "")) for part in wire.parts(content))


async def children(here: Harness, of: Run) -> Sequence[Run]:
    async with here.base.store.read() as work:
        return await work.runs.below(of.id)


async def child(here: Harness, of: Run) -> Run:
    (found,) = await children(here, of)
    return found


async def given(here: Harness, of: Run) -> Action:
    """The action that was given to an agent."""
    async with here.base.store.read() as work:
        return next(action for action in await work.actions.of_run(of.id) if action.child)


def told(here: Harness) -> Mapping[str, Any]:
    """What the assistant was told of its only call."""
    return here.told()


async def test_an_agent_does_the_work_and_the_assistant_goes_on(here: Harness) -> None:
    run = await here.asked(GIVE, LOOK, HAND_OVER, "There are two benches.")
    assert (run.state, run.summary) == (RunState.COMPLETED, "There are two benches.")
    scout = await child(here, run)
    assert (scout.state, scout.output, scout.summary) == (
        RunState.COMPLETED,
        {"found": "two benches"},
        "## Found\n\ntwo benches",
    )
    assert (scout.agent, scout.inputs, scout.parent, scout.root) == (
        "meeting_brief",
        {"topic": "benches"},
        run.id,
        run.id,
    )
    assert scout.source_key == f"child:{(await given(here, run)).id}"
    assert told(here)["output"] == "## Found\n\ntwo benches"
    assert (await given(here, run)).state is ActionState.COMPLETED


async def test_it_knows_its_task_and_nothing_of_the_conversation(here: Harness) -> None:
    await here.asked(GIVE, HAND_OVER, "Done.")
    asked = here.model.requests[1]
    assert asked.instruction.startswith("You look for benches and nothing else.")
    assert [text_of(content) for content in asked.contents] == ["Find benches."]


async def test_a_query_of_which_nothing_is_left_asks_for_the_task(tmp_path: Path) -> None:
    """Gemini refuses an empty text."""
    written = SCOUT.replace("Find ${topic}.", "${topic}")
    assert written != SCOUT
    async with harness(tmp_path, agents=[defined(written), defined(WRITER)]) as here:
        await here.asked([("meeting_brief", {"topic": " "})], HAND_OVER, "Done.")
        assert [text_of(content) for content in here.model.requests[1].contents] == ["Do your task."]


async def test_it_has_the_tools_of_its_list_that_the_constitution_has_and_its_ending(here: Harness) -> None:
    await here.asked(GIVE, HAND_OVER, "Done.")
    names = [tool.name for tool in here.model.requests[1].tools]
    assert names == ["gmail_search", "gmail_send", "calendar_event_create", "week_review", "complete_task"]


async def test_its_model_is_asked_as_its_definition_says(tmp_path: Path) -> None:
    written = defined(SCOUT + "modelConfig: {model: gemini-2.5-flash-lite, temp: 0.1}\n")
    async with harness(tmp_path, agents=[written]) as here:
        run = await here.asked(GIVE, HAND_OVER, "Done.")
        asked = here.model.requests[1]
        assert (asked.model, asked.parameters.temperature) == ("gemini-2.5-flash-lite", 0.1)
        assert (await child(here, run)).model == "gemini-2.5-flash-lite"


async def test_the_successor_of_a_retired_model_is_asked_and_stands_on_the_run(tmp_path: Path) -> None:
    written = defined(SCOUT + "modelConfig: {model: gemini-1.5-pro}\n")
    async with harness(tmp_path, agents=[written]) as here:
        run = await here.asked(GIVE, HAND_OVER, "Done.")
        scout = await child(here, run)
        assert (here.model.requests[1].model, scout.model) == ("gemini-3.8-flash", "gemini-3.8-flash")
        assert (await here.run(run.id)).model == MODEL


async def test_price_and_pace_are_those_of_the_model_that_is_asked(tmp_path: Path) -> None:
    """What an agent's model costs is counted by its own price, for the request as a whole too, and each model has a
    pace of its own.
    """
    written = defined(SCOUT + "modelConfig: {model: gemini-3.8-pro}\n")
    prices = {MODEL: 1, "gemini-3.8-pro": 100}
    costs = CostTracker(pricing=lambda name, _usage, _now: prices[name])
    async with harness(tmp_path, agents=[written], costs=costs, rate=Rate(per_minute=600, burst=9)) as here:
        run = await here.asked(GIVE, LOOK, HAND_OVER, "Done.")
        assert (await child(here, run)).cost_micros == 200
        assert (await here.run(run.id)).cost_micros == 202
        named = here.base.rows("SELECT name FROM rates WHERE name LIKE 'model:%' ORDER BY name")
        assert [row["name"] for row in named] == ["model:gemini-3.8-pro", f"model:{MODEL}"]


async def test_what_a_model_gives_an_agent_counts_as_typed_by_nobody(here: Harness) -> None:
    """An input that a model wrote is in no message: of the request only the person's own words count as typed."""
    run = await here.asked([("meeting_brief", {"topic": "helen@x.example"})], HAND_OVER, "Done.")
    assert (await child(here, run)).inputs == {"topic": "helen@x.example"}
    assert {row["typed"] for row in here.base.rows("SELECT typed FROM messages")} == {"please", ""}


async def test_a_tool_that_it_does_not_list_is_refused(here: Harness) -> None:
    run = await here.asked(WRITE, LOOK, "the text", "Done.")
    (refused,) = await actions_of(here, await child(here, run))
    assert refused.state is ActionState.DENIED
    assert here.read.calls == []


async def actions_of(here: Harness, run: Run) -> Sequence[Action]:
    async with here.base.store.read() as work:
        return await work.actions.of_run(run.id)


async def test_where_any_text_is_a_result_a_last_word_is_one(here: Harness) -> None:
    run = await here.asked(WRITE, "Dear Helen", "Done.")
    assert (await child(here, run)).output == "Dear Helen"
    assert told(here)["output"] == "Dear Helen"


async def test_else_it_is_reminded_once_and_then_fails(here: Harness) -> None:
    run = await here.asked(GIVE, "two benches", "two benches", "It failed.")
    scout = await child(here, run)
    assert scout.state is RunState.FAILED
    assert "without handing over" in scout.error
    assert "complete_task" in text_of(here.model.requests[2].contents[-1])
    assert here.model.requests[2].calling_mode is CallingMode.ANY
    assert told(here)["error"]["code"] == "agent_failed"
    assert (await given(here, run)).state is ActionState.FAILED


async def test_a_result_that_does_not_fit_is_told_with_its_path_and_the_third_in_a_row_fails(here: Harness) -> None:
    wrong: Said = [("complete_task", {"report": {"found": 2}})]
    run = await here.asked(GIVE, wrong, wrong, [("complete_task", {"report": "two"})], "It failed.")
    first, *_ = await actions_of(here, scout := await child(here, run))
    assert "$.found: 2 is not of type 'string'" in str(first.response)
    assert scout.state is RunState.FAILED
    assert run.state is RunState.COMPLETED


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"topic": 3},
        {"topic": "x", "most": "three"},
        {"topic": "x", "more": 1},
        {"topic": "x", "max_steps": 500},
        {"topic": "x", "timeout": 36_000},
    ],
)
async def test_wrong_inputs_begin_nothing(here: Harness, inputs: Mapping[str, object]) -> None:
    run = await here.asked([("meeting_brief", inputs)], "I cannot.")
    assert await children(here, run) == []
    assert told(here)["error"]["code"] == "invalid_arguments"


async def test_a_placeholder_in_an_input_is_left_as_it_is(here: Harness) -> None:
    await here.asked([("meeting_brief", {"topic": "${most}"})], HAND_OVER, "Done.")
    assert [text_of(content) for content in here.model.requests[1].contents] == ["Find ${most}."]


# People ---------------------------------------------------------------------------------------------------------


async def test_what_it_wants_to_do_is_asked_and_done_once_approved(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, HAND_OVER, "Sent.", level=TrustLevel.SUPERVISED)
    scout = await child(here, run)
    assert (run.state, scout.state) == (RunState.AWAITING, RunState.AWAITING)
    await here.approve(scout, serve=True)
    assert len(here.effect.calls) == 1
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_a_stop_leaves_nothing_at_work(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await stop.stop(tx, run, by=DANA)
    scout = await child(here, run)
    assert ((await here.run(run.id)).state, scout.state) == (RunState.CANCELLED, RunState.CANCELLED)
    assert (await given(here, run)).state is ActionState.CANCELLED
    await here.serve()
    assert here.effect.calls == []


async def test_a_stop_waits_for_what_the_agent_is_doing(here: Harness) -> None:
    here.model.says, here.effect.busy = [GIVE, SEND], asyncio.Event()
    await here.trusts(TrustLevel.AUTONOMOUS)
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.effect.calls)
    async with here.transactions.write() as tx:
        await stop.stop(tx, run, by=DANA)
    assert (await here.run(run.id)).state is RunState.EXECUTING
    here.effect.busy.set()
    await serving
    stopped = await here.run(run.id)
    assert (stopped.state, (await child(here, run)).state) == (RunState.CANCELLED, RunState.CANCELLED)
    assert "Did it" in stopped.summary


async def test_the_agent_alone_is_stopped_and_the_assistant_goes_on(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, "You stopped it.", level=TrustLevel.SUPERVISED)
    async with here.transactions.write() as tx:
        await stop.stop(tx, await child(here, run), by=DANA)
    await here.serve()
    assert (await here.run(run.id)).summary == "You stopped it."
    assert told(here)["error"]["code"] == "cancelled"


async def test_a_reply_is_for_the_agent_that_asks(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, HAND_OVER, "Fine.", level=TrustLevel.SUPERVISED)
    await here.says("to Mara instead", ts="9.1")
    await here.serve()
    assert "to Mara instead" in text_of(here.model.requests[2].contents[-1])
    assert (await here.run(run.id)).summary == "Fine."
    (rejected, _) = await actions_of(here, await child(here, run))
    assert rejected.state is ActionState.REJECTED


async def test_silence_pauses_both_and_continue_goes_down(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, HAND_OVER, "Sent.", level=TrustLevel.SUPERVISED)
    await silence(here)
    scout, paused = await child(here, run), await here.run(run.id)
    assert (paused.state, scout.state, scout.stop_code) == (RunState.PAUSED, RunState.PAUSED, SILENCE)
    assert (await given(here, run)).state is ActionState.EXPIRED
    click = ButtonClick(team=TEAM, user=DANA, value=run.id)
    assert (await resume.continue_run(here.transactions, click)).accepted
    await here.serve()
    assert ((await here.run(run.id)).state, (await child(here, run)).state) == (RunState.AWAITING, RunState.AWAITING)
    await here.approve(scout, serve=True)
    assert (await here.run(run.id)).state is RunState.COMPLETED
    assert len(here.effect.calls) == 1


async def test_asking_again_on_its_card_wakes_both(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, HAND_OVER, "Sent.", level=TrustLevel.SUPERVISED)
    card = await here.card_of((await child(here, run)).id)
    await silence(here)
    click = ButtonClick(team=TEAM, user=DANA, value=card.button_value())
    assert (await resume.ask_again(here.transactions, click)).accepted
    await here.serve()
    assert (await here.run(run.id)).state is RunState.AWAITING
    await here.approve(await child(here, run), serve=True)
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_what_silence_paused_ends_when_its_parent_goes_on_without_it(here: Harness) -> None:
    """Its card is closed then, and the assistant knows what it knew."""
    both: Said = [("gmail_send", {"text": "mine"}), ("meeting_brief", {"topic": "benches"})]
    run = await here.asked(both, SEND, "I went on.", level=TrustLevel.SUPERVISED)
    scout = await child(here, run)
    card = await here.card_of(scout.id)
    await here.approve(run, serve=True)
    await silence(here)
    left = await here.run(scout.id)
    assert ((await here.run(run.id)).summary, left.state) == ("I went on.", RunState.CANCELLED)
    assert left.completed_at is not None
    assert (await given(here, run)).state is ActionState.EXPIRED
    assert "nobody_answered" in str(wire.parts(here.model.requests[-1].contents[-1])[1])
    click = ButtonClick(team=TEAM, user=DANA, value=card.button_value())
    assert (await resume.ask_again(here.transactions, click)).text == to_people.CLOSED


async def test_those_below_what_silence_paused_end_with_it(here: Harness) -> None:
    """The assistant goes on without an agent whose own agent asked in vain."""
    both: Said = [("gmail_send", {"text": "mine"}), ("meeting_brief", {"topic": "benches"})]
    run = await here.asked(both, WRITE, SEND, "I went on.", level=TrustLevel.SUPERVISED)
    await here.approve(run, serve=True)
    await silence(here)
    assert [each.state for each in await children(here, run)] == [RunState.CANCELLED] * 2
    assert (await here.run(run.id)).state is RunState.COMPLETED


async def test_what_silence_paused_ends_with_an_agent_that_stops_at_its_limit(tmp_path: Path) -> None:
    """It was over before what it waits for was; nothing stays behind."""
    scout = defined(SCOUT.replace("max_turns: 4", "max_time_minutes: 0.2"))
    async with harness(tmp_path, agents=[scout, defined(WRITER)]) as here:
        send_and_write: Said = [("week_review", {}), ("gmail_send", {"text": "it"})]
        run = await here.asked(GIVE, send_and_write, SEND, level=TrustLevel.SUPERVISED)
        first, second = await children(here, run)
        boss, writer = (first, second) if second.parent == first.id else (second, first)
        here.effect.busy = asyncio.Event()
        await here.approve(boss)
        serving = asyncio.create_task(here.serve())
        await until(lambda: here.effect.calls)
        await here.base.tamper(f"UPDATE questions SET expires_at = created_at WHERE run_id = '{writer.id}'")
        await expiry.tick(here.transactions)
        assert (await here.run(writer.id)).state is RunState.PAUSED
        await out_of_time(here, boss)
        here.effect.busy.set()
        await serving
        assert [(await here.run(each.id)).state for each in (boss, writer)] == [RunState.PAUSED, RunState.CANCELLED]


async def silence(here: Harness) -> None:
    """Nobody answers in time; the log is sealed meanwhile."""
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()


async def test_the_request_is_deleted_while_it_waits(here: Harness) -> None:
    run = await here.asked(GIVE, SEND, level=TrustLevel.SUPERVISED)
    card = await here.card_of((await child(here, run)).id)
    async with here.transactions.write() as tx:
        await tx.work.runs.change(run.id, request_deleted=True)
        await stop.cancel(tx, run, by=DANA)
    assert not (await here.click(card, Choice.APPROVE)).accepted
    assert [each.state for each in await children(here, run)] == [RunState.CANCELLED]


# Limits ---------------------------------------------------------------------------------------------------------


async def test_fifty_steps_where_the_definition_names_no_number(here: Harness) -> None:
    run = await here.asked(WRITE, "text", "Done.")
    assert (await child(here, run)).limits == Limits(steps=50)


async def test_at_its_limit_it_sums_up_and_the_assistant_goes_on(here: Harness) -> None:
    looks: list[Said] = [[("gmail_search", {"text": str(n)})] for n in range(4)]
    run = await here.asked(GIVE, *looks, "I found one bench so far.", "One so far.")
    scout = await child(here, run)
    assert (scout.state, scout.stop_code) == (RunState.PAUSED, "steps")
    assert here.model.requests[5].calling_mode is CallingMode.NONE
    output = told(here)["output"]
    assert (output["status"], output["reason"]) == ("paused", "steps")
    assert "I found one bench so far." in output["summary"]
    assert (run.state, run.summary) == (RunState.COMPLETED, "One so far.")


LOOKS: Sequence[Said] = [[("gmail_search", {"text": str(n)})] for n in range(4)]
"""As many as it has steps."""


@pytest.mark.parametrize("written", ['{"found": "one bench"}', '```json\n{"found": "one bench"}\n```'])
async def test_its_last_word_by_its_schema_is_its_output_as_far_as_it_goes(here: Harness, written: str) -> None:
    run = await here.asked(GIVE, *LOOKS, written, "One so far.")
    scout, asked = await child(here, run), here.model.requests[5]
    assert asked.output_schema == defined(SCOUT).output.schema
    assert "what you would hand over by complete_task" in text_of(asked.contents[-1])
    assert (scout.state, scout.stop_code, scout.output) == (RunState.PAUSED, "steps", {"found": "one bench"})
    assert scout.summary == f"{scout.stopping}\n\n## Found\n\none bench"
    assert told(here)["output"] == {"status": "paused", "reason": "steps", "summary": scout.summary}


@pytest.mark.parametrize("written", ["One bench.", '{"found": 1}', '"one bench"', "[" * 100_000])
async def test_a_last_word_that_does_not_fit_stays_a_text(here: Harness, written: str) -> None:
    run = await here.asked(GIVE, *LOOKS, written, "One so far.")
    scout = await child(here, run)
    assert (scout.state, scout.output) == (RunState.PAUSED, None)
    assert scout.summary == f"{scout.stopping}\n\n{written}"


async def test_only_the_last_word_of_an_agent_is_asked_by_its_schema(here: Harness) -> None:
    await here.asked(GIVE, *LOOKS, "One bench.", "One so far.")
    assert [request.output_schema is not None for request in here.model.requests] == [*[False] * 5, True, False]


async def test_any_last_word_is_an_output_where_any_text_is(tmp_path: Path) -> None:
    writer = defined(WRITER + "runConfig: {max_turns: 1}\n")
    async with harness(tmp_path, agents=[writer]) as here:
        run = await here.asked(WRITE, SEND, "Dear Helen", "Half a text.")
        assert here.model.requests[2].output_schema is None
        assert (await child(here, run)).output == "Dear Helen"


async def test_what_it_spends_is_spent_for_the_request(here: Harness) -> None:
    here.model.usage = here.model.usage.__class__(prompt_tokens=10, output_tokens=1)
    run = await here.asked(GIVE, LOOK, HAND_OVER, "Done.")
    assert (run.usage.prompt, (await child(here, run)).usage.prompt) == (40, 20)


async def test_it_stops_where_the_request_has_no_more(here: Harness) -> None:
    here.model.usage = here.model.usage.__class__(prompt_tokens=60)
    run = await here.asked(GIVE, LOOK, "Nothing more.", "Stopped.", limits=(most := Limits(tokens=100)), ceiling=most)
    scout = await child(here, run)
    assert (scout.state, scout.stop_code) == (RunState.PAUSED, "tokens")
    assert (run.state, run.stop_code) == (RunState.PAUSED, "tokens")


async def test_effects_are_counted_for_the_request(here: Harness) -> None:
    most = Limits(effects=1)
    run = await here.asked(
        [("gmail_send", {"text": "it"}), ("meeting_brief", {"topic": "benches"})],
        [("gmail_send", {"text": "more"})],
        "No place.",
        "Stopped.",
        limits=most,
        ceiling=most,
    )
    assert len(here.effect.calls) == 1
    (refused,) = await actions_of(here, await child(here, run))
    assert refused.state is ActionState.DENIED
    assert run.state is RunState.PAUSED


async def out_of_time(here: Harness, run: Run) -> None:
    """Time passes, and the log is sealed, until the run is stopped hard."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await here.run(run.id)).hard_stop is None:
            here.base.clock.advance(20)
            await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
            await asyncio.sleep(0.05)


async def test_a_hard_stop_reaches_the_agent_first(here: Harness) -> None:
    """The time of the request is over, and the grace as well: what the agent does ends, and nothing more begins."""
    most = Limits(active_ms=10_000)
    here.model.says, here.effect.busy = [GIVE, [*SEND_AND_LOOK]], asyncio.Event()
    await here.trusts(TrustLevel.AUTONOMOUS)
    run = await here.request(limits=most, ceiling=most)
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.effect.calls)
    await out_of_time(here, run)
    here.effect.busy.set()
    await serving
    scout, stopped = await child(here, run), await here.run(run.id)
    assert (scout.state, scout.stop_code) == (RunState.PAUSED, "active_ms")
    assert (stopped.state, stopped.stop_code) == (RunState.PAUSED, "active_ms")
    assert "Did it" in stopped.summary


async def test_a_hard_stop_ends_an_agent_whose_model_does_not_answer(here: Harness) -> None:
    """Nothing of it is under way that would have to be waited for."""
    most, stream = Limits(active_ms=10_000), here.model.stream

    async def silent(request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if request.instruction.startswith("You look"):
            here.model.requests.append(request)
            await asyncio.Event().wait()
        async for event in stream(request):
            yield event

    here.model.stream, here.model.says = silent, [GIVE]
    run = await here.request(limits=most, ceiling=most)
    serving = asyncio.create_task(here.serve())
    await until(lambda: len(here.model.requests) > 1)
    await out_of_time(here, run)
    await serving
    assert ((await child(here, run)).state, (await here.run(run.id)).state) == (RunState.PAUSED, RunState.PAUSED)


# Privacy and trust ------------------------------------------------------------------------------------------------


async def test_what_it_reads_makes_the_request_private_and_external_at_once(here: Harness) -> None:
    run = await here.asked(
        GIVE, LOOK, SEND, HAND_OVER, "Done.", level=TrustLevel.SUPERVISED, in_channel=True, label=Label.OWNER
    )
    assert (run.state, run.private, run.label) == (RunState.AWAITING, True, Label.EXTERNAL)


# Order ------------------------------------------------------------------------------------------------------------


async def test_two_agents_take_turns(here: Harness) -> None:
    two: Said = [("meeting_brief", {"topic": "a"}), ("meeting_brief", {"topic": "b"})]
    run = await here.asked(two, LOOK, LOOK, HAND_OVER, HAND_OVER, "Both.")
    assert run.summary == "Both."
    asked = [request.instruction.partition(" and nothing")[0] for request in here.model.requests[1:5]]
    assert asked == [f"You look for {topic}" for topic in ("a", "b", "a", "b")]


async def test_an_agent_gives_work_to_another(here: Harness) -> None:
    run = await here.asked(GIVE, WRITE, "a text", HAND_OVER, "Done.")
    scout, writer = await children(here, run)
    assert (writer.parent, writer.root) == (scout.id, run.id)
    assert run.state is RunState.COMPLETED


async def test_the_kill_switch_holds_for_an_agent(here: Harness) -> None:
    """What its owner may not do now, whoever works for them may not do either, also what was approved before."""
    run = await here.asked(GIVE, SEND, HAND_OVER, "Not sent.", level=TrustLevel.SUPERVISED)
    await here.approve(scout := await child(here, run))
    tools = (here.read, here.asking, here.effect, here.blind)
    switched_off = runner(
        here.transactions,
        tools=tools,
        model=here.model,
        profiles=here.directory,
        sleep=asyncio.sleep,
        side_effects_enabled=False,
    )
    await replace(here, runner=switched_off).serve()
    async with here.base.store.read() as work:
        sent = next(one for one in await work.actions.of_run(scout.id) if one.tool == "gmail_send")
    assert (sent.state, here.effect.calls) == (ActionState.DENIED, [])


async def test_a_restart_goes_on_though_the_definition_is_gone(here: Harness) -> None:
    """Its run has it by hash."""
    run = await here.asked(GIVE, SEND, HAND_OVER, "Sent.", level=TrustLevel.SUPERVISED)
    await here.approve(await child(here, run))
    tools = (here.read, here.asking, here.effect, here.blind)
    again = runner(here.transactions, tools=tools, model=here.model, profiles=here.directory, sleep=asyncio.sleep)
    await replace(here, runner=again).serve()
    assert (await here.run(run.id)).summary == "Sent."
