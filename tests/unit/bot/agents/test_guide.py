"""The examples of `docs/agents.md` are definitions."""

from __future__ import annotations

import re
from pathlib import Path

from bot.agents.reader import read

GUIDE = Path(__file__).parents[4] / "docs" / "agents.md"


def test_the_guides_examples_are_valid():
    """The file that the guide shows is read, also with each of the flows that it shows."""
    whole, *flows = re.findall(r"^```yaml\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert read(whole, "scout.yaml").definition.name == "scout"
    listing = whole.replace("gmail_thread_read]", "gmail_thread_read, meeting_brief]")
    kinds = [type(read(listing + flow, "scout.yaml").definition.flow).__name__ for flow in flows]
    assert kinds == ["Sequential", "Loop"]
