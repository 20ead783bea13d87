"""Flows: code says what is done next, each step is a run of its own, and what they did is never done twice."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.agents import canonical, reader
from bot.agents.definition import Definition
from bot.domain.limits import Limits
from bot.domain.questions import QUESTION_LIFE
from bot.domain.runs import SILENCE, Run, RunState
from bot.llm import wire
from bot.llm.model import ModelUnavailable
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions import expiry
from bot.runtime.runs import resume, stop
from policies.types import TrustLevel
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.runtime_harness import Harness, harness
from tests.unit.bot.runtime.scripted import Said

LINE = """
name: week_review
displayName: Assembly line
description: Works in steps.
inputConfig:
  inputs:
    topic: {description: What it is about., type: string, required: true}
    days: {description: Which days., type: "string[]", required: false}
outputConfig: {outputName: text, description: The text., schema: {type: string}}
promptConfig: {query: Unused., systemPrompt: "You work on ${topic}."}
toolConfig: {tools: [gmail_search, gmail_send, meeting_brief]}
runConfig: {max_time_minutes: 10, max_turns: 2}
flow:
  type: sequential
  steps:
    - {name: find, query: "Find ${topic}.", tools: [gmail_search]}
    - {name: brief, agent: meeting_brief, inputs: {topic: "${topic}", notes: "About ${steps.find}.", days: "${days}"}}
    - {name: sum_up, query: "Sum up: ${previous}", tools: [gmail_send]}
"""
BRIEF = """
name: meeting_brief
description: Briefs.
inputConfig:
  inputs:
    topic: {description: What it is about., type: string, required: true}
    notes: {description: What is known., type: string, required: false}
    days: {description: Which days., type: "string[]", required: false}
outputConfig:
  outputName: brief
  description: The brief.
  schema: {type: object, properties: {points: {type: array, items: {type: string}}}, required: [points]}
processOutput: markdown
promptConfig: {query: "Brief on ${topic}. ${notes} ${days}", systemPrompt: You brief.}
toolConfig: {tools: [gmail_search]}
"""
GIVE: Said = [("week_review", {"topic": "benches", "days": ["Monday"]})]
LOOK: Said = [("gmail_search", {"text": "benches"})]
BRIEFED: Said = [("complete_task", {"brief": {"points": ["two benches"]}})]
SEND: Said = [("gmail_send", {"text": "it"})]


def defined(text: str) -> Definition:
    return reader.read(text, "an agent", suffix=".yaml").definition


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Harness]:
    async with harness(tmp_path, agents=[defined(LINE), defined(BRIEF)]) as made:
        yield made


SENDING = LINE.replace("tools: [gmail_search]}", "tools: [gmail_send]}")
ROUNDS = """
name: week_review
description: Works until nothing is open.
inputConfig: {inputs: {}}
outputConfig:
  outputName: report
  description: The report.
  schema: {type: object, properties: {open: {type: array}}, required: [open]}
promptConfig: {query: Close what is open., systemPrompt: You close.}
toolConfig: {tools: [gmail_search, gmail_send]}
flow: {type: loop, max_iterations: 3, until: {properties: {open: {maxItems: 0}}}}
"""
ROUND: Said = [("week_review", {})]
OPEN: Said = [("complete_task", {"report": {"open": ["a bill"]}})]
CLOSED: Said = [("complete_task", {"report": {"open": []}})]
ONE_DAY = {"topic": "benches"}


async def of_flow(
    here: Harness, text: str = LINE, inputs: object = ONE_DAY, most: Limits | None = None
) -> dict[str, Any]:
    """The values of a request that is a run of this flow itself."""
    hash_ = canonical.digest(defined(text))
    written = json.dumps(canonical.mapping(defined(text)))
    async with here.base.store.write() as work:
        await work.definitions.keep(hash_, name="week_review", canonical=written, at=here.base.clock.now())
    return {
        "agent": "week_review",
        "definition": hash_,
        "inputs": inputs,
        "limits": most or Limits(),
        "ceiling": most or Limits(),
    }


async def asked(here: Harness, *says: Said, of: str = LINE, **values: Any) -> Run:
    """Such a request, served until only people can move it."""
    given = await of_flow(here, of) | values
    return await here.asked(*says, **given)


async def clicked(here: Harness, run: Run, what: Any) -> None:
    """Its owner presses a button under what it said."""
    here.base.clock.advance(1)
    assert (await what(here.transactions, ButtonClick(team=TEAM, user=DANA, value=run.id))).accepted
    await here.serve()


async def below(here: Harness, of: Run) -> Sequence[Run]:
    async with here.base.store.read() as work:
        return sorted(await work.runs.below(of.id), key=lambda run: run.created_at)


def texts(here: Harness) -> Sequence[str]:
    """What the model was last told at each call, as far as it is text."""
    found: list[str] = []
    for request in here.model.requests:
        (*_, last) = request.contents
        found.append("\n".join(str(part.get("text", "")) for part in wire.parts(last)))
    return found


async def test_the_steps_are_taken_one_after_another(here: Harness) -> None:
    run = await here.asked(GIVE, LOOK, "Two were found.", BRIEFED, "All in all, two.", "There are two.")
    assert (run.state, run.summary) == (RunState.COMPLETED, "There are two.")
    flow, find, brief, sum_up = await below(here, run)
    assert [one.state for one in (flow, find, brief, sum_up)] == [RunState.COMPLETED] * 4
    assert (flow.output, flow.summary, flow.model) == ("All in all, two.", "All in all, two.", "")
    assert [one.parent for one in (find, brief, sum_up)] == [flow.id] * 3
    asked = texts(here)
    assert asked[1] == "Find benches."
    assert asked[3] == 'Brief on benches. About Two were found.. ["Monday"]'
    assert asked[4] == "Sum up: ## Points\n\n- two benches"
    assert here.told()["output"] == "All in all, two."


async def test_a_step_has_its_own_tools_only(here: Harness) -> None:
    await here.asked(GIVE, LOOK, "Two were found.", BRIEFED, "All in all, two.", "There are two.")
    tools = [[tool.name for tool in request.tools] for request in here.model.requests[1:5]]
    assert tools[0] == ["gmail_search", "complete_task"]
    assert tools[3] == ["gmail_send", "complete_task"]
    assert here.model.requests[1].instruction.startswith("You work on benches.")


async def test_what_a_step_wants_to_do_is_asked_and_done_once_approved(here: Harness) -> None:
    run = await here.asked(
        GIVE, "Two.", BRIEFED, SEND, "All in all, two.", "There are two.", level=TrustLevel.SUPERVISED
    )
    flow, *_, sum_up = await below(here, run)
    assert [one.state for one in (run, flow, sum_up)] == [RunState.AWAITING] * 3
    await here.approve(sum_up, serve=True)
    assert len(here.effect.calls) == 1
    assert (await here.run(run.id)).summary == "There are two."


# Rounds ---------------------------------------------------------------------------------------------------------


async def test_a_loop_works_until_its_output_is_what_it_works_for(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(ROUNDS)]) as here:
        run = await here.asked(ROUND, OPEN, CLOSED, "All closed.")
        flow, *rounds = await below(here, run)
        assert (flow.state, flow.output, len(rounds)) == (RunState.COMPLETED, {"open": []}, 2)
        assert "Go on from it:\n" + '{"open":["a bill"]}' in texts(here)[2]
        assert here.told()["output"] == '{"open":[]}'


async def test_a_loop_whose_rounds_are_used_up_says_so(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(ROUNDS)]) as here:
        run = await here.asked(ROUND, OPEN, OPEN, OPEN, "Still open.")
        flow, *rounds = await below(here, run)
        assert (flow.state, len(rounds)) == (RunState.COMPLETED, 3)
        assert "After 3 rounds this is not yet what was asked for." in here.told()["output"]


async def test_a_loop_in_a_sequence_ends_itself_alone(tmp_path: Path) -> None:
    line = LINE.replace("week_review", "meeting_brief", 1).replace("meeting_brief]}", "week_review]}")
    line = line.replace(
        'agent: meeting_brief, inputs: {topic: "${topic}", notes: "About ${steps.find}.", days: "${days}"}',
        "agent: week_review",
    )
    async with harness(tmp_path, agents=[defined(line), defined(ROUNDS)]) as here:
        give: Said = [("meeting_brief", ONE_DAY)]
        run = await here.asked(give, "Two.", OPEN, CLOSED, "All in all, two.", "There are two.")
        assert (run.state, run.summary) == (RunState.COMPLETED, "There are two.")
        assert texts(here)[4] == 'Sum up: {"open":[]}'


# What goes wrong ------------------------------------------------------------------------------------------------


async def test_a_failed_step_fails_the_flow_and_what_was_done_is_handed_on(here: Harness) -> None:
    run = await here.asked(GIVE, "Two.", ModelUnavailable("network"), "It failed.")
    flow, *_ = await below(here, run)
    assert flow.state is RunState.FAILED
    assert flow.error.startswith("The step “brief” was not done.")
    told = here.told()
    assert (told["error"]["code"], told["handed_over_so_far"]) == ("agent_failed", "find: Two.")


async def test_an_agent_that_the_constitution_does_not_list_fails_the_flow(tmp_path: Path) -> None:
    """A step is judged as a model's call is: what the definition says gives no right."""
    line, brief = (text.replace("meeting_brief", "stranger") for text in (LINE, BRIEF))
    async with harness(tmp_path, agents=[defined(line), defined(brief)]) as here:
        run = await here.asked(GIVE, "Two.", "It failed.")
        flow, *steps = await below(here, run)
        assert (flow.state, len(steps)) == (RunState.FAILED, 1)
        assert "The constitution does not list stranger." in flow.error


async def test_inputs_that_do_not_fit_fail_the_flow(tmp_path: Path) -> None:
    line = LINE.replace('days: "${days}"', "days: 3")
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        run = await here.asked(GIVE, "Two.", "It failed.")
        flow, *steps = await below(here, run)
        assert (flow.state, len(steps)) == (RunState.FAILED, 1)
        assert "The step “brief” was not done. " in flow.error
        assert "days" in flow.error


async def test_an_agent_that_is_gone_fails_the_flow(tmp_path: Path) -> None:
    async with harness(tmp_path, agents=[defined(LINE)]) as here:
        run = await here.asked(GIVE, "Two.", "It failed.")
        flow, *_ = await below(here, run)
        assert "It needs the agent meeting_brief" in flow.error
        assert run.summary == "It failed."


async def test_an_output_of_the_last_agent_that_does_not_fit_fails_the_flow(tmp_path: Path) -> None:
    line = LINE.replace("{type: string}", "{type: object, required: [lines]}").replace(
        'name: sum_up, query: "Sum up: ${previous}", tools: [gmail_send]',
        'name: again, agent: meeting_brief, inputs: {topic: "${topic}"}',
    )
    async with harness(tmp_path, agents=[defined(line), defined(BRIEF)]) as here:
        run = await here.asked(GIVE, "Two.", BRIEFED, BRIEFED, "It failed.")
        flow, *_ = await below(here, run)
        assert flow.state is RunState.FAILED
        assert "'lines' is a required property" in flow.error


async def test_trying_again_goes_on_with_the_step_that_failed(here: Harness) -> None:
    run = await asked(here, "Two.", ModelUnavailable("network"))
    assert (run.state, run.partial) == (RunState.FAILED, "find: Two.")
    again = await asked(here, BRIEFED, "All in all, two.", retry_of=run.id)
    assert (again.state, again.summary) == (RunState.COMPLETED, "All in all, two.")
    brief, _ = await below(here, again)
    (_, failed) = await below(here, run)
    assert (brief.agent, brief.retry_of) == ("meeting_brief", failed.id)
    assert "[TRIED BEFORE]" in here.model.requests[-2].instruction


# Limits ---------------------------------------------------------------------------------------------------------


async def test_a_step_at_its_limit_pauses_the_flow_and_continue_takes_it_again(here: Harness) -> None:
    run = await asked(here, LOOK, LOOK, "One so far.", "Two in all.", BRIEFED, "All in all, two.")
    assert (run.state, run.stop_code) == (RunState.PAUSED, "steps")
    assert run.summary.startswith("The step “find” stopped before it was done.")
    assert "One so far." in run.summary
    await clicked(here, run, resume.continue_run)
    done = await here.run(run.id)
    assert (done.state, done.summary) == (RunState.COMPLETED, "All in all, two.")
    first, again, *_ = await below(here, run)
    assert (first.state, again.retry_of) == (RunState.PAUSED, first.id)
    assert "[TRIED BEFORE]" in here.model.requests[3].instruction


async def test_each_pause_with_a_step_waits_for_a_continue_of_its_own(here: Harness) -> None:
    """The second attempt stops at its limit, too: the flow pauses with it, and does not try for ever."""
    looks: Sequence[Said] = [LOOK, LOOK, "One so far."] * 2
    run = await asked(here, *looks)
    await clicked(here, run, resume.continue_run)
    again = await here.run(run.id)
    assert again.state is RunState.PAUSED
    assert len(await below(here, run)) == 2


async def test_a_flow_that_works_for_another_run_hands_over_what_it_has(here: Harness) -> None:
    run = await here.asked(GIVE, LOOK, LOOK, "One so far.", "One.")
    flow, _ = await below(here, run)
    assert (flow.state, flow.stop_code, flow.is_over) == (RunState.PAUSED, "steps", True)
    assert "One so far." in here.told()["output"]["summary"]
    assert run.state is RunState.COMPLETED


async def test_it_begins_no_step_where_the_request_has_no_more(here: Harness) -> None:
    here.model.usage = here.model.usage.__class__(prompt_tokens=60)
    most = Limits(tokens=100)
    run = await here.asked(GIVE, "Two.", "Stopped.", limits=most, ceiling=most)
    flow, *steps = await below(here, run)
    assert (flow.state, flow.stop_code, len(steps)) == (RunState.PAUSED, "tokens", 1)
    assert run.state is RunState.PAUSED


async def test_a_flow_at_its_own_limit_is_paused_and_goes_on_where_it_was(here: Harness) -> None:
    here.model.usage = here.model.usage.__class__(prompt_tokens=60)
    most = Limits(tokens=50)
    run = await asked(here, "Two.", BRIEFED, "All in all, two.", limits=most, ceiling=most)
    assert (run.state, run.stop_code, run.partial) == (RunState.PAUSED, "tokens", "find: Two.")
    await clicked(here, run, resume.continue_run)
    assert [one.agent for one in await below(here, run)] == ["week_review", "meeting_brief"]


# People ---------------------------------------------------------------------------------------------------------


async def test_a_stop_ends_the_flow_and_its_step(here: Harness) -> None:
    run = await asked(
        here,
        SEND,
        "no more",
        of=SENDING,
        level=TrustLevel.SUPERVISED,
    )
    assert run.state is RunState.AWAITING
    async with here.transactions.write() as tx:
        await stop.stop(tx, run, by=DANA)
    assert [one.state for one in (await here.run(run.id), *await below(here, run))] == [RunState.CANCELLED] * 2
    await here.serve()
    assert here.effect.calls == []


async def test_what_is_said_to_a_flow_reaches_its_step(here: Harness) -> None:
    await here.trusts(TrustLevel.SUPERVISED)
    run = await asked(
        here,
        SEND,
        "None then.",
        BRIEFED,
        "Done.",
        of=SENDING,
        level=TrustLevel.SUPERVISED,
    )
    await here.says("not that one", ts="9.1")
    await here.serve()
    assert "not that one" in texts(here)[1]
    assert (await here.run(run.id)).summary == "Done."
    assert here.effect.calls == []


async def test_what_is_said_while_a_step_is_under_way_reaches_it(here: Harness) -> None:
    here.model.says = ["Two.", "Two, and a chair.", BRIEFED, "Done."]
    run = await here.request(**await of_flow(here))
    async with here.asking_the_model():
        await here.says("chairs, too", ts="9.1")
    assert "chairs, too" in texts(here)[1]
    assert (await below(here, run))[0].output == "Two, and a chair."


async def test_silence_pauses_a_flow_and_continue_asks_again(here: Harness) -> None:
    run = await asked(
        here,
        SEND,
        "One sent.",
        BRIEFED,
        "Done.",
        of=SENDING,
        level=TrustLevel.SUPERVISED,
    )
    here.base.clock.advance(QUESTION_LIFE.total_seconds() + 1)
    await expiry.tick(here.transactions)
    await Sealer(store=here.base.store, keyring=here.base.keyring).seal()
    await here.serve()
    paused = await here.run(run.id)
    assert (paused.state, paused.stop_code) == (RunState.PAUSED, SILENCE)
    await clicked(here, run, resume.continue_run)
    (step,) = await below(here, run)
    await here.approve(step, serve=True)
    assert (await here.run(run.id)).summary == "Done."
    assert len(here.effect.calls) == 1
