"""Reading a definition: its forms, the other spellings of its keys, and what is made of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from bot.agents import canonical
from bot.agents.definition import (
    AgentStep,
    Definition,
    Input,
    InputType,
    Loop,
    ModelChoice,
    Output,
    Prompt,
    QueryStep,
    RunLimits,
    Sequential,
    Single,
)
from bot.agents.problems import InvalidDefinition
from bot.agents.reader import read, read_file, read_mapping
from bot.domain.limits import SpawnLimits
from policies import strict_yaml
from tests.unit.bot.agents.test_bad_files import GOOD

SPECIFIED = Path(__file__).parent / "definitions" / "codebase_investigator.yaml"
"""The example of the specification (section 4), unchanged."""

SCOUT = Definition(
    name="scout",
    display_name="Scout",
    description="Finds a mail.",
    inputs={"topic": Input(description="What it is about.", type=InputType.STRING, required=True)},
    output=Output(name="report", description="What was found.", schema={"type": "object"}),
    prompt=Prompt(query="Find ${topic}.", system="You are a scout."),
    model=ModelChoice(model="gemini-3.8-flash"),
    tools=("gmail_search",),
    limits=RunLimits(minutes=5, turns=15),
)


def changed(*changes: tuple[str, str]) -> Definition:
    """The scout with these changes of its text."""
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return read(text, "scout.yaml").definition


def test_a_definition_is_read():
    """Every key of the specification has its value."""
    assert read(GOOD, "scout.yaml").definition == SCOUT


def test_the_specifications_example_is_read_unchanged():
    """Its schema is only a name, for which there is no file: it stays the name."""
    definition = read_file(SPECIFIED).definition
    assert definition.output.schema == "CodebaseInvestigationReportSchema"
    assert definition.tools == ("ls", "read_file", "glob", "grep")
    assert definition.model == ModelChoice(model="gemini-1.5-pro-latest", temperature=0.1, thinking_budget=-1)
    assert definition.limits == RunLimits(minutes=5, turns=15)
    assert definition.title == "Codebase Investigator Agent"


SNAKES = {
    "displayName": "display_name",
    "inputConfig": "input_config",
    "outputConfig": "output_config",
    "outputName": "output_name",
    "promptConfig": "prompt_config",
    "systemPrompt": "system_prompt",
    "modelConfig": "model_config",
    "toolConfig": "tool_config",
    "runConfig": "run_config",
}


@pytest.mark.parametrize(
    "changes",
    [
        list(SNAKES.items()),
        [("max_time_minutes", "maxTimeMinutes"), ("max_turns", "maxTurns")],
        [("  model:", "  name:")],
        [("  model:", "  provider: Vertex-AI\n  model:")],
        [("  model:", "  model: gemini-3.8-flash\n  name:")],
        [("runConfig:\n  max_time_minutes: 5\n  max_turns: 15", "max_steps: 15\ndefault_timeout: 300")],
        [("runConfig:\n  max_time_minutes: 5\n  max_turns: 15", "maxSteps: 15\ndefaultTimeout: 5m")],
        [("max_turns: 15", "max_turns: 15\nmax_steps: 15")],
        [("runConfig:", "flow_type: single\nrunConfig:")],
        [("runConfig:", "flow: {type: single}\nrunConfig:")],
        [("{type: object}", '\'{"type": "object"}\'')],
    ],
)
def test_other_spellings_mean_the_same(changes: list[tuple[str, str]]):
    """snake_case, the keys of other documents, and two that agree are read as the canonical keys, with one hash."""
    definition = changed(*changes)
    assert definition == SCOUT
    assert canonical.digest(definition) == canonical.digest(SCOUT)


@pytest.mark.parametrize(
    ("written", "minutes"), [("90", 1.5), ("90s", 1.5), ("1h30m", 90), ("2m", 2), ("1h", 60), ("1.5", 0.025)]
)
def test_a_timeout_in_seconds_or_as_a_duration_becomes_minutes(written: str, minutes: float):
    """`default_timeout` is seconds, or a duration such as 90s."""
    definition = changed(("  max_time_minutes: 5\n", ""), ("runConfig:", f"default_timeout: {written}\nrunConfig:"))
    assert definition.limits == RunLimits(minutes=minutes, turns=15)


RUN = "runConfig:\n  max_time_minutes: 5\n  max_turns: 15"
MODEL = "modelConfig:\n  model: gemini-3.8-flash"


def test_limits_that_are_null_or_missing_are_none():
    """No limit is written where the value is null, and where the section is empty or missing."""
    assert changed((RUN, "runConfig: {max_time_minutes: null, max_turns: null}")).limits == RunLimits()
    assert changed((RUN, "runConfig: {}")).limits == RunLimits()
    for written in ("", "runConfig:", "max_steps: null", "default_timeout: null"):
        assert changed((RUN, written)).limits is None


def test_a_section_without_values_is_there_and_one_that_is_null_is_not():
    """An empty section is written again, as protobuf tells it from one that is missing."""
    for written in ("modelConfig: {}", "modelConfig: {provider: gemini}", "model_config: {temp: null}"):
        empty = changed((MODEL, written), (RUN, "runConfig: {}"))
        assert (empty.model, empty.limits) == (ModelChoice(), RunLimits())
        assert (canonical.mapping(empty)["modelConfig"], canonical.mapping(empty)["runConfig"]) == ({}, {})
    assert changed((MODEL, "modelConfig:")).model is None
    assert changed((MODEL, "")).model is None


@pytest.mark.parametrize(
    "written", ["runConfig:\nmax_steps: 7", "max_steps: 7\nrunConfig: {}", "max_steps: 7\nrunConfig:"]
)
def test_an_empty_section_takes_nothing_away(written: str):
    """A limit that is written elsewhere counts, whether the empty section stands before or after it."""
    definition = changed(("runConfig:\n  max_time_minutes: 5\n  max_turns: 15", written))
    assert definition.limits == RunLimits(turns=7)


def test_sampling_is_read_by_either_name():
    """`temp` and `temperature`, `top_p` and `topP`, `thinkingBudget` and `thinking_budget` are one each."""
    by_one = changed(("  model:", "  temp: 0.5\n  top_p: 0.9\n  thinkingBudget: 0\n  model:"))
    by_other = changed(("  model:", "  temperature: 0.5\n  topP: 0.9\n  thinking_budget: 0\n  model:"))
    assert by_one == by_other
    expected = ModelChoice(model="gemini-3.8-flash", temperature=0.5, top_p=0.9, thinking_budget=0)
    assert by_one.model == expected


def test_a_section_under_two_names_is_one():
    """What is written under either name of a section counts, and what contradicts is refused."""
    assert changed(("runConfig:\n", "runConfig: {}\nrun_config:\n")).limits == SCOUT.limits
    with pytest.raises(InvalidDefinition, match=r"“runConfig.max_turns” and “run_config.max_turns” contradict"):
        changed(("runConfig:\n", "runConfig: {max_turns: 3}\nrun_config:\n"))
    with pytest.raises(InvalidDefinition, match="“runConfig” must be a map of keys"):
        changed(("runConfig:\n  max_time_minutes: 5\n  max_turns: 15", "runConfig: 7\nmax_steps: 7"))


def test_flows_are_read():
    """A loop has at most three rounds unless it says otherwise; steps are agents, or queries with tools."""
    assert changed().flow == Single()
    assert changed(("runConfig:", "flow_type: loop\nrunConfig:")).flow == Loop(until=None, max_iterations=3)
    loop = "flow: {type: loop, until: {required: [done]}, max_iterations: 20}\nrunConfig:"
    assert changed(("runConfig:", loop)).flow == Loop(until={"required": ["done"]}, max_iterations=20)
    steps = (
        "flow:\n"
        "  type: sequential\n"
        "  steps:\n"
        "    - {name: find, query: 'Find ${topic}.', tools: [gmail_search]}\n"
        "    - {name: sum_up, query: 'Sum up ${previous} and ${steps.find}.', max_steps: 3}\n"
        "    - {name: check, agent: checker, inputs: {text: '${steps.sum_up}', strict: true}, timeout: 1m30s}\n"
        "runConfig:"
    )
    assert changed(("[gmail_search]", "[gmail_search, checker]"), ("runConfig:", steps)).flow == Sequential(
        steps=(
            QueryStep(name="find", query="Find ${topic}.", tools=("gmail_search",)),
            QueryStep(name="sum_up", query="Sum up ${previous} and ${steps.find}.", limits=SpawnLimits(max_steps=3)),
            AgentStep(
                name="check",
                agent="checker",
                inputs={"text": "${steps.sum_up}", "strict": True},
                limits=SpawnLimits(timeout=timedelta(seconds=90)),
            ),
        )
    )


MARKDOWN = """\
---
name: reviewer
display_name: Reviewer
description: Reviews a text.
kind: local
tools:
  - gmail_search
model: inherit
temperature: 0.2
max_turns: 10
timeout_mins: 5
---

You review texts.

Be brief.
"""


def test_gemini_clis_markdown_is_read():
    """Front matter has the keys, the text below is the system prompt; it takes a query and returns a text."""
    definition = read(MARKDOWN.replace("\n", "\r\n"), "reviewer.md").definition
    assert definition == Definition(
        name="reviewer",
        display_name="Reviewer",
        description="Reviews a text.",
        inputs={"query": Input(description="The task.", type=InputType.STRING, required=True)},
        output=Output(name="result", description="What was found or done.", schema={"type": "string"}),
        prompt=Prompt(query="${query}", system="You review texts.\n\nBe brief."),
        tools=("gmail_search",),
        model=ModelChoice(temperature=0.2),
        limits=RunLimits(minutes=5, turns=10),
    )


def test_no_tools_are_given_where_none_are_listed():
    """A Markdown file without `tools` has none; other programs give it all there are."""
    assert read("---\nname: a\ndescription: b\n---\nx", "a.md").definition.tools == ()


def test_a_schema_by_name_is_the_one_beside_the_file(tmp_path: Path):
    """A name means the file in `schemas/`, whose content becomes part of the definition and its hash."""
    file = tmp_path / "scout.yaml"
    file.write_text(GOOD.replace("{type: object}", "found"), encoding="utf-8")
    named = read_file(file).definition
    assert named.output.schema == "found"
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "found.json").write_text('{"type": "object"}', encoding="utf-8")
    assert read_file(file).definition == SCOUT
    (tmp_path / "schemas" / "found.json").write_text('{"type":\n "text"}', encoding="utf-8")
    with pytest.raises(InvalidDefinition, match=r"scout\.yaml:13: The schema is not JSON Schema: at type"):
        read_file(file)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"type":\n "object",}', "In line 2 of schemas/found.json: This is not JSON"),
        (b'{"type": "object", "type": "string"}', "In line 1 of schemas/found.json: The key “type” is given twice."),
        (b"[]", "There is no JSON object in schemas/found.json."),
        (b"\xff", "schemas/found.json cannot be read."),
        (b'{"description": "' + b"x" * 1_000_000 + b'"}', "Schemas/found.json has 1,000,019 bytes"),
    ],
)
def test_a_wrong_schema_beside_the_file_is_named(tmp_path: Path, content: bytes, said: str):
    """What is wrong with the schema's file is told at the line that names it."""
    file = tmp_path / "scout.yaml"
    file.write_text(GOOD.replace("{type: object}", "found"), encoding="utf-8")
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "found.json").write_bytes(content)
    with pytest.raises(InvalidDefinition) as error:
        read_file(file)
    (problem,) = error.value.problems
    assert (problem.line, problem.what[: len(said)]) == (13, said)


def test_a_mapping_without_lines_is_read():
    """What comes from elsewhere, such as protobuf, is checked the same way; its problems stand in line 1."""
    value = cast("dict[str, object]", strict_yaml.read(GOOD, "scout.yaml").value)
    assert read_mapping(value, "scout.binpb").definition == SCOUT
    with pytest.raises(InvalidDefinition, match=r"scout\.binpb:1: “name” is missing\. Add it\."):
        read_mapping({key: item for key, item in value.items() if key != "name"}, "scout.binpb")
