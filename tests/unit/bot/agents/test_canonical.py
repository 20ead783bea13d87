"""The canonical form."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.agents import canonical
from bot.agents.definition import (
    AgentStep,
    Definition,
    Flow,
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
from bot.agents.processors import PROCESSORS
from bot.agents.reader import read
from bot.domain.limits import SpawnLimits
from integrations.text import made_fit
from tests.unit.bot.agents.test_reader import SCOUT

TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="$"), min_size=1)
GIVEN = TEXTS.map(made_fit)
"""Texts that the runs of a flow's steps can be given."""
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)
INPUTS = st.builds(Input, description=TEXTS, type=st.sampled_from(InputType), required=st.booleans())
SCHEMAS = st.sampled_from(
    [
        "NamedSchema",
        {},
        {"type": "string", "maxLength": 200},
        {"type": "object", "properties": {"no": {"const": "yes"}, "1e3": {"minimum": 0.1}}, "required": ["no"]},
        {"$defs": {"a": {"enum": [None, True, 1, "2026-11-26", "a: b\n"]}}, "$ref": "#/$defs/a"},
    ]
)
MODELS = st.builds(
    ModelChoice,
    model=st.none() | TEXTS,
    temperature=st.none() | st.floats(0, 2),
    top_p=st.none() | st.floats(0, 1),
    thinking_budget=st.none() | st.integers(-1, 1_000_000),
)
LIMITS = st.builds(RunLimits, minutes=st.none() | st.floats(0.01, 1440), turns=st.none() | st.integers(1, 1000))
SPAWNS = st.builds(
    SpawnLimits,
    timeout=st.none() | st.timedeltas(timedelta(seconds=1), timedelta(days=1)),
    max_steps=st.none() | st.integers(1, 1000),
)
VALUES = GIVEN | st.booleans() | st.integers(-1000, 1000) | st.lists(GIVEN)


@st.composite
def flows(draw: st.DrawFn, tools: list[str]) -> Flow:
    """Any flow of an agent with these tools."""
    queries = st.builds(
        QueryStep, name=NAMES, query=GIVEN, tools=st.lists(st.sampled_from(tools), max_size=3).map(tuple), limits=SPAWNS
    )
    agents = st.builds(
        AgentStep,
        name=NAMES,
        agent=st.sampled_from(tools),
        inputs=st.dictionaries(NAMES, VALUES, max_size=3),
        limits=SPAWNS,
    )
    steps = st.lists(queries | agents, min_size=1, max_size=4, unique_by=lambda step: step.name).map(tuple)
    loops = st.builds(Loop, until=st.none() | SCHEMAS, max_iterations=st.integers(1, 20))
    return draw(st.just(Single()) | loops | st.builds(Sequential, steps=steps))


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    """Any definition that can be read."""
    inputs = draw(st.dictionaries(NAMES.filter("previous".__ne__), INPUTS, max_size=4))
    tools = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    flow = draw(flows(tools))
    texts = TEXTS if isinstance(flow, Single) else GIVEN
    placeholders = "".join(f" ${{{name}}} $${{{name}}}" for name in inputs)
    return Definition(
        name=draw(NAMES),
        display_name=draw(st.none() | TEXTS),
        description=draw(TEXTS),
        inputs=inputs,
        output=Output(name=draw(NAMES), description=draw(TEXTS), schema=draw(SCHEMAS)),
        process_output=draw(st.none() | st.sampled_from(sorted(PROCESSORS))),
        prompt=Prompt(query=draw(texts) + placeholders, system=draw(texts)),
        model=draw(st.none() | MODELS),
        tools=tuple(tools),
        limits=draw(st.none() | LIMITS),
        flow=flow,
    )


@given(definitions())
def test_the_canonical_form_is_read_back_equal(definition: Definition):
    """Whatever a definition says, its canonical YAML and JSON are read as the same definition, with the same hash."""
    value = canonical.mapping(definition)
    for text, suffix in ((canonical.yaml_text(value), ".yaml"), (canonical.json_text(value), ".json")):
        back = read(text, "agent", suffix=suffix).definition
        assert back == definition
        assert canonical.digest(back) == canonical.digest(definition)


def test_the_hash_is_stable():
    """A run is stored with the hash of its definition: it must not change from one version to the next."""
    assert canonical.digest(SCOUT) == "da8fe93d8dd286eae36ac1546be4e6078a69cace94499b8457263174432da8da"


def test_the_hash_changes_with_what_is_said():
    """Another prompt, schema or limit is another definition."""
    others = [
        replace(SCOUT, prompt=replace(SCOUT.prompt, system="You are a spy.")),
        replace(SCOUT, output=replace(SCOUT.output, schema={"type": "string"})),
        replace(SCOUT, limits=None),
        replace(SCOUT, flow=Loop()),
    ]
    assert len({canonical.digest(each) for each in (SCOUT, *others)}) == 5


def test_the_canonical_form_is_in_the_specifications_order():
    """People read what is written: the keys come in the order of the specification, long texts as blocks."""
    text = canonical.yaml_text(canonical.mapping(replace(SCOUT, prompt=Prompt(query="Find\n${topic}.\n", system="x"))))
    assert (
        text
        == """\
name: scout
displayName: Scout
description: Finds a mail.
inputConfig:
  inputs:
    topic:
      description: What it is about.
      type: string
      required: true
outputConfig:
  outputName: report
  description: What was found.
  schema:
    type: object
promptConfig:
  query: |
    Find
    ${topic}.
  systemPrompt: x
modelConfig:
  model: gemini-3.8-flash
toolConfig:
  tools:
  - gmail_search
runConfig:
  max_time_minutes: 5
  max_turns: 15
"""
    )
