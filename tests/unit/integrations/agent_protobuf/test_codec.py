"""Agent definitions as protobuf messages."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents import canonical
from bot.agents.definition import Definition, ModelChoice, RunLimits, Single
from bot.agents.reader import read_file, read_mapping
from integrations.agent_protobuf.agent_pb2 import AgentDefinition
from integrations.agent_protobuf.codec import MessageForm, NotAnAgent, NotRepresentable, decode, encode
from tests.unit.bot.agents.test_canonical import definitions
from tests.unit.bot.agents.test_reader import SCOUT, SPECIFIED

NUMBERS = {
    "name": 1,
    "display_name": 2,
    "description": 3,
    "input_config": 4,
    "output_config": 5,
    "prompt_config": 6,
    "model_config": 7,
    "tool_config": 8,
    "run_config": 9,
}


def test_the_numbers_are_those_of_the_specification():
    """Section 6 numbers the fields; other programs read by these numbers."""
    fields = cast("Any", AgentDefinition.DESCRIPTOR).fields
    assert {field.name: field.number for field in fields} == NUMBERS
    assert cast("Any", AgentDefinition.DESCRIPTOR).full_name == "gemini.agent.v1.AgentDefinition"


def test_the_wire_form_is_the_specifications():
    """Bytes that another program would write, field by field, are read, and the same bytes are written."""

    def field(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    topic = field(1, b"topic") + field(2, field(1, b"What it is about.") + field(2, b"string") + b"\x18\x01")
    data = b"".join(
        [
            field(1, b"scout"),
            field(2, b"Scout"),
            field(3, b"Finds a mail."),
            field(4, field(1, topic)),
            field(5, field(1, b"report") + field(2, b"What was found.") + field(3, b'{"type": "object"}')),
            field(6, field(1, b"Find ${topic}.") + field(2, b"You are a scout.")),
            field(
                7, field(1, b"gemini-3.8-flash") + b"\x15" + struct.pack("<f", 0.1) + b"\x20" + b"\xff" * 9 + b"\x01"
            ),
            field(8, field(1, b"gmail_search")),
            field(9, b"\x08\x05\x10\x0f"),
        ]
    )
    definition = replace(SCOUT, model=ModelChoice(model="gemini-3.8-flash", temperature=0.1, thinking_budget=-1))
    assert read_mapping(decode(data, MessageForm.BINARY), "scout.binpb").definition == definition
    assert encode(canonical.mapping(definition), MessageForm.BINARY) == data


@pytest.mark.parametrize("form", MessageForm)
def test_the_specifications_example_makes_the_round_trip(form: MessageForm):
    """The example of section 4 is the same after each form, its numbers as they were written."""
    definition = read_file(SPECIFIED).definition
    assert read_mapping(decode(encode(canonical.mapping(definition), form), form), "back").definition == definition


def float32(value: float | None) -> float | None:
    return None if value is None else struct.unpack("<f", struct.pack("<f", value))[0]


def rounded(definition: Definition) -> Definition:
    """The definition with floats as float32 holds them."""
    model = definition.model
    if model is None:
        return definition
    return replace(definition, model=replace(model, temperature=float32(model.temperature), top_p=float32(model.top_p)))


@given(definitions(), st.sampled_from(MessageForm), st.none() | st.integers(1, 1440))
def test_every_definition_makes_the_round_trip(definition: Definition, form: MessageForm, minutes: int | None):
    """A definition without what the form has no place for is read back equal, floats as float32."""
    limits = definition.limits and RunLimits(minutes=minutes, turns=definition.limits.turns)
    plain = replace(definition, process_output=None, flow=Single(), limits=limits)
    back = read_mapping(decode(encode(canonical.mapping(plain), form), form), "back").definition
    assert rounded(back) == rounded(plain)


@pytest.mark.parametrize("form", MessageForm)
@pytest.mark.parametrize("model", [None, ModelChoice(), ModelChoice(temperature=0.0)])
@pytest.mark.parametrize("limits", [None, RunLimits(), RunLimits(turns=7)])
def test_an_empty_section_makes_the_round_trip(form: MessageForm, model: ModelChoice | None, limits: RunLimits | None):
    """A message tells a section without values from one that is missing, and so does what is read of it."""
    definition = replace(SCOUT, model=model, limits=limits)
    data = encode(canonical.mapping(definition), form)
    assert read_mapping(decode(data, form), "back").definition == definition
    binary = AgentDefinition.FromString(encode(decode(data, form), MessageForm.BINARY))
    assert (binary.HasField("model_config"), binary.HasField("run_config")) == (model is not None, limits is not None)


def test_what_was_not_written_is_not_read():
    """Presence is kept: a temperature of 0 is one, and one that was not written is none."""
    cold = replace(SCOUT, model=ModelChoice(model="m", temperature=0.0, thinking_budget=0), limits=None)
    message = AgentDefinition.FromString(encode(canonical.mapping(cold), MessageForm.BINARY))
    present = {name for name in ("temperature", "top_p", "thinking_budget") if message.model_config.HasField(name)}
    assert present == {"temperature", "thinking_budget"}
    assert not message.HasField("run_config")
    assert "runConfig" not in decode(encode(canonical.mapping(cold), MessageForm.BINARY), MessageForm.BINARY)


@pytest.mark.parametrize(
    ("added", "named"),
    [
        ({"processOutput": "markdown"}, "“processOutput” has no field"),
        ({"flow": {"type": "loop"}}, "“flow” has no field"),
        ({"runConfig": {"max_time_minutes": 1.5}}, "“runConfig.max_time_minutes” is 1.5"),
    ],
)
def test_what_has_no_place_is_refused_by_name(added: dict[str, object], named: str):
    """Nothing is silently left out of a message."""
    with pytest.raises(NotRepresentable, match=named):
        encode({**canonical.mapping(SCOUT), **added}, MessageForm.TEXT)


@pytest.mark.parametrize(
    ("form", "data", "said"),
    [
        (MessageForm.BINARY, b"\xff", "Wire format was corrupt"),
        (MessageForm.BINARY, b"\x0a\x01a\x50\x01", "a field 10 in AgentDefinition"),
        (MessageForm.BINARY, b"\x3a\x02\x28\x01", "a field 5 in ModelConfig"),
        (MessageForm.BINARY, b"\x22\x09\x0a\x07\x0a\x01a\x12\x02\x20\x01", "a field 4 in InputArgument"),
        (MessageForm.TEXT, b'name: "a" colour: "b"', 'no field named "colour"'),
        (MessageForm.TEXT, b"\xff", "can't decode byte"),
        (MessageForm.JSON, b'{"name": "a", "flow": {}}', 'no field named "flow"'),
        (MessageForm.JSON, b'{"name": "a", "name": "b"}', "duplicate key"),
        (MessageForm.JSON, b"{", "Failed to load JSON"),
        (MessageForm.JSON, b"[" * 10_000, ""),
    ],
)
def test_a_message_with_unknown_fields_is_refused(form: MessageForm, data: bytes, said: str):
    """What is no message, and what another version of the form added, is refused, at any depth."""
    with pytest.raises(NotAnAgent, match=r"This is no gemini\.agent\.v1\.AgentDefinition") as error:
        decode(data, form)
    assert said in str(error.value)


def test_what_a_message_leaves_out_is_left_out():
    """Empty strings are missing keys, empty maps and lists are there, and `required` is false."""
    data = b'name: "a" input_config { inputs { key: "t" value { type: "string" } } } tool_config {} output_config {}'
    assert decode(data, MessageForm.TEXT) == {
        "name": "a",
        "inputConfig": {"inputs": {"t": {"required": False, "type": "string"}}},
        "outputConfig": {},
        "toolConfig": {"tools": []},
    }
    assert decode(b"input_config {}", MessageForm.TEXT) == {"inputConfig": {"inputs": {}}}


@pytest.mark.parametrize(
    ("written", "read"),
    [('{"type": "string"}', {"type": "string"}), ("Report", "Report"), ("{broken", "{broken"), ("{" * 9, "{" * 9)],
)
def test_a_schema_is_its_json_text_or_a_name(written: str, read: object):
    """The field is a string: JSON text is a schema, and anything else stays as it is, to be refused by its reader."""
    message = AgentDefinition()
    message.output_config.schema = written
    assert decode(message.SerializeToString(), MessageForm.BINARY) == {"outputConfig": {"schema": read}}
