"""The windows that people fill in: under which names their fields come back."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.slack.views import agreement, ask_form, blocks, confirmation, form, plan_forms, rules
from policies.types import Unnamed

CARD = form.FormCard(value="q.n", channel="D1", ts="1.0")
WINDOWS = {
    "rules": (rules.form([]), {"tool", "recipient", "approvers", "needed", "turn_minutes"}, "value"),
    "plans": (
        plan_forms.request(kept="{}", in_channel=False, repositories=["a"]),
        {"what", "deadline", "repository"},
        "value",
    ),
    "a no": (agreement.reject_form(CARD), {"why"}, "field"),
    "a yes": (confirmation.form([Unnamed(rule="guard.url", value="v", shown="v")], CARD), {"tick_0"}, "field"),
    "a message": (ask_form.form(author="Dana", channel="C1", text="x", kept="{}"), {"request"}, "request"),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_that_is_open_is_read_after_an_upgrade(name: str) -> None:
    """Its fields, and the elements in them, have the names that they had in earlier releases."""
    window, fields, action = WINDOWS[name]
    found = [cast("dict[str, Any]", one) for one in cast("list[object]", window["blocks"])]
    inputs = {one["block_id"]: one["element"]["action_id"] for one in found if one["type"] == "input"}
    assert inputs == dict.fromkeys(fields, action)


def test_the_window_of_a_no_names_the_card() -> None:
    """Who has several before them sees which one they reject."""
    assert str(blocks.card_code("q")) in str(agreement.reject_form(CARD))


def test_a_field_has_what_it_is_given() -> None:
    """Slack takes no empty hint, and a field that nothing is said of has to be filled in."""
    assert blocks.field("a", "A", {"type": "datepicker"}) == {
        "type": "input",
        "block_id": "a",
        "label": {"type": "plain_text", "text": "A", "emoji": False},
        "element": {"type": "datepicker", "action_id": "value"},
    }
    hinted = blocks.field("a", "A", {}, optional=True, hint="x" * 2_001)
    assert (hinted["optional"], len(cast("Any", hinted["hint"])["text"])) == (True, 2_000)
