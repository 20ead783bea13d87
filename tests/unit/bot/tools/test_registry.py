"""Names to tools."""

from __future__ import annotations

import pytest

from bot.tools.registry import DoubleTool, Registry
from tests.unit.bot.tools.tools import Look, Note


def test_a_tool_is_found_by_its_name() -> None:
    """What is registered is there by name; what is not is not."""
    note, look = Note(), Look()
    registry = Registry([note, look])
    assert registry["look"] is look
    assert "note" in registry
    assert "other" not in registry
    assert list(registry) == [note, look]


def test_two_tools_with_one_name_are_a_defect() -> None:
    """A name means one tool."""
    with pytest.raises(DoubleTool, match="note"):
        Registry([Note(), Note()])


def test_only_listed_tools_are_declared() -> None:
    """The model sees what the list names and the process has, in the list's order, with the arguments' schema."""
    registry = Registry([Note(), Look()])
    declared = registry.declarations(["look", "nowhere", "note"])
    assert [tool.name for tool in declared] == ["look", "note"]
    schema = declared[1].schema
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["text"]
    assert registry.declarations([]) == ()
