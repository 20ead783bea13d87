"""What a call is called in lists: its caption, and which mail or event it is about."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from bot.runtime.actions.previews import named
from integrations.base import Preview
from tests import builders as make


@pytest.mark.parametrize(
    ("caption", "about", "said"),
    [
        ("Move a calendar event", "“Tea”, Tue 24 Nov", "Move a calendar event: “Tea”, Tue 24 Nov"),
        ("Send “Tea” to Helen", "“Tea” to Helen", "Send “Tea” to Helen"),
        ("Move a calendar event", "", "Move a calendar event"),
    ],
)
def test_a_waiting_call_is_named(caption: str, about: str, said: str) -> None:
    """What the caption says already is not said twice."""
    preview = Preview(title="Do it?", fields=[], about=about)
    assert named(make.action(caption=caption, preview=asdict(preview))) == said
