"""What a flow does next, from its definition and from what came of its steps."""

from __future__ import annotations

from bot.agents import canonical, reader
from bot.agents.definition import Definition, Single
from bot.runtime.actions.flow_steps import StepOutput
from bot.runtime.flows.tasks import Task, aim_of, next_task, result_of, so_far

HEAD = """
name: line
displayName: Assembly line
description: Works in steps.
inputConfig:
  inputs:
    topic: {description: What it is about., type: string, required: true}
    days: {description: Which days., type: "string[]", required: false}
promptConfig: {query: "Look at ${topic}.", systemPrompt: "You work on ${topic}."}
toolConfig: {tools: [gmail_search, scout]}
runConfig: {max_time_minutes: 10, max_turns: 5}
processOutput: markdown
outputConfig: {outputName: report, description: The report., schema: {type: object, required: [open]}}
"""
STEPS = """
flow:
  type: sequential
  steps:
    - {name: find, query: "Find ${topic}.", tools: [gmail_search]}
    - {name: ask, agent: scout, inputs: {what: "${topic}: ${steps.find}", days: "${days}", most: 3}}
    - {name: write, query: "Write. ${previous} ${steps.find} ${days}"}
"""
ROUNDS = """
flow: {type: loop, max_iterations: 3, until: {properties: {open: {maxItems: 0}}}}
"""
FOUND = StepOutput(output="two", text="two")
ASKED = StepOutput(output={"said": "yes"}, text="## Said yes")


def defined(flow: str) -> Definition:
    return reader.read(HEAD + flow, "an agent", suffix=".yaml").definition


def task(definition: Definition, *done: StepOutput, **inputs: object) -> Task:
    found = next_task(definition, {"topic": "benches", **inputs}, done)
    assert found is not None
    return found


def asked(task: Task) -> Definition:
    """The agent that was made for a step."""
    assert isinstance(task.agent, Definition)
    return task.agent


def test_each_text_of_a_list_is_filled() -> None:
    """What is no text stays as it is, and what the list would be without placeholders is not known before."""
    listed = STEPS.replace('days: "${days}"', 'days: ["${topic}", "${previous} $${x}", 3]')
    assert task(defined(listed), FOUND).inputs["days"] == ["benches", "two ${x}", 3]


def test_a_query_step_is_an_agent_with_that_query_and_those_tools() -> None:
    found = task(defined(STEPS))
    assert (found.step, found.inputs) == ("find", {"query": "Find benches.", "system": "You work on benches."})
    agent = asked(found)
    assert (agent.title, tuple(agent.tools), agent.flow) == ("Assembly line · find", ("gmail_search",), Single())
    assert (agent.output.schema, agent.process_output) == ({"type": "string"}, None)
    assert agent.limits is not None
    assert (agent.limits.turns, agent.limits.minutes) == (5, None)


def test_the_agent_of_a_step_can_be_written_down_and_read_again() -> None:
    agent = asked(task(defined(STEPS)))
    assert reader.read_mapping(canonical.mapping(agent), "again").definition == agent


def test_a_step_of_an_agent_gets_values_with_their_types() -> None:
    found = task(defined(STEPS), FOUND, days=["Monday", "Friday"])
    assert found.agent == "scout"
    assert found.inputs == {"what": "benches: two", "days": ["Monday", "Friday"], "most": 3}


def test_an_input_that_nobody_gave_is_not_given_on() -> None:
    assert "days" not in task(defined(STEPS), FOUND).inputs


def test_the_last_step_hands_over_what_the_flow_does() -> None:
    found = task(defined(STEPS), FOUND, ASKED)
    assert found.inputs["query"] == "Write. ## Said yes two"
    agent = asked(found)
    assert (agent.output.name, agent.process_output, agent.tools) == ("report", "markdown", ())


def test_a_sequence_ends_after_its_last_step() -> None:
    done = [FOUND, ASKED, StepOutput(output={"open": []}, text="none open")]
    assert next_task(defined(STEPS), {"topic": "benches"}, done) is None
    assert result_of(defined(STEPS), done) == {"open": []}
    assert so_far(defined(STEPS), done[:2]) == "find: two\n\nask: ## Said yes"


def test_a_flow_that_returns_a_text_returns_the_text_of_its_last_output() -> None:
    plain = reader.read(
        HEAD.replace("{type: object, required: [open]}", "{type: string}") + STEPS, "an agent", suffix=".yaml"
    ).definition
    assert result_of(plain, [FOUND, ASKED]) == "## Said yes"
    assert result_of(defined(STEPS), [FOUND, ASKED]) == {"said": "yes"}


def test_a_value_is_inserted_once() -> None:
    found = task(defined(STEPS), StepOutput(output="", text="${topic}"), ASKED)
    assert found.inputs["query"] == "Write. ## Said yes ${topic}"


def test_a_loop_goes_on_from_its_last_round() -> None:
    first, second = task(defined(ROUNDS)), task(defined(ROUNDS), StepOutput(output={"open": [1]}, text="one open"))
    assert (first.step, second.step) == ("round 1", "round 2")
    assert first.inputs["query"] == "Look at benches."
    assert str(second.inputs["query"]).endswith("Go on from it:\none open")
    assert [asked(each).title for each in (first, second)] == ["Assembly line · round 1", "Assembly line · round 2"]
    assert tuple(asked(first).tools) == ("gmail_search", "scout")


def test_a_loop_ends_once_its_output_is_what_it_works_for() -> None:
    done = [StepOutput(output={"open": []}, text="")]
    assert aim_of(defined(ROUNDS)) == {"properties": {"open": {"maxItems": 0}}}
    assert next_task(defined(ROUNDS), {"topic": "benches"}, done, is_satisfied=True) is None


def test_a_loop_ends_after_its_last_round() -> None:
    done = [StepOutput(output={"open": [1]}, text="")] * 3
    assert next_task(defined(ROUNDS), {"topic": "benches"}, done) is None


def test_a_loop_without_an_aim_takes_all_its_rounds() -> None:
    rounds = defined("\nflow: {type: loop, max_iterations: 2}\n")
    done = [StepOutput(output={"open": []}, text="")]
    assert task(rounds, *done).step == "round 2"
    assert next_task(rounds, {"topic": "benches"}, done * 2) is None
