"""The examples of `docs/agents.md` are definitions."""

from __future__ import annotations

import re
from pathlib import Path

from bot.agents.canonical import mapping
from bot.agents.reader import read
from integrations.agent_protobuf.codec import MessageForm, encode

GUIDE = Path(__file__).parents[4] / "docs" / "agents.md"


def test_the_guides_examples_are_valid():
    """The file that the guide shows is read, also with each of the flows that it shows."""
    whole, *flows = re.findall(r"^```yaml\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    scout = read(whole, "scout.yaml").definition
    assert scout.name == "scout"
    assert encode(mapping(scout), MessageForm.TEXT), "the guide says that it converts"
    listing = whole.replace("gmail_thread_read]", "gmail_thread_read, meeting_brief]")
    kinds = [type(read(listing + flow, "scout.yaml").definition.flow).__name__ for flow in flows]
    assert kinds == ["Sequential", "Loop"]
