"""Agents as tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.agents import canonical, reader
from bot.agents.definition import Definition, Input, InputType
from bot.agents.problems import InvalidDefinition
from bot.tools.agents import AgentTool, inputs_of
from bot.tools.arguments import fields_of, proposed, validate
from integrations.base import ToolArgs
from tests.unit.bot.agents.test_reader import SCOUT

ODD = ("_x", "__base__", "model_choice", "model_dump_all", "self", "cls", "class", "args")


def valid(name: str) -> Iterator[Definition]:
    """The definition with inputs of this name that passes, if one does."""
    for required in (True, False):
        inputs = {**SCOUT.inputs, name: Input(description="What it is.", type=InputType.STRING, required=required)}
        try:
            yield reader.read_mapping(canonical.mapping(replace(SCOUT, inputs=inputs)), "scout.yaml").definition
        except InvalidDefinition:
            continue


def test_whatever_name_an_input_may_have_the_agent_becomes_a_tool():
    """Also one that arguments themselves use: it is refused with the definition, or it is taken as it is."""
    named: set[str] = set()
    for name in (*dir(ToolArgs), *ODD):
        for definition in valid(name):
            named.add(name)
            tool = AgentTool(definition)
            args = validate(tool, {**dict.fromkeys(SCOUT.inputs, "a"), name: "b"}).args
            assert list(fields_of(tool)) == list(definition.inputs)
            assert inputs_of(args)[name] == "b"
            assert {each.name: each.values for each in proposed(tool, args, offered=True).arguments}[name] == ("b",)
    assert {"json", "schema", "copy", "model_choice", "model_dump_all", "self", "class"} <= named
    assert named.isdisjoint({"_x", "__class__", "__base__", "model_dump", "model_config", "model_fields_set"})
