"""What waits for its moment: what it is, when, with Undo; and in its place what came of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import QuestionState
from bot.domain.runs import RunState
from bot.runtime.delivery.lists import HeldLine
from bot.runtime.delivery.views import HeldView
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.card import card
from bot.slack.views.deferred import deferred, held_line, listed, rows
from integrations.base import Field, Preview
from tests.contract.test_blocks import accepted
from tests.unit.bot.slack.cases import NOW, card_view, home_view, place


def waiting(**changes: Any) -> HeldView:
    fields = [Field(label="To", value="dana@fernhill.example"), Field(label="Body", value="x" * 5_000, long=True)]
    made = HeldView(
        place=place(),
        state=RunState.QUEUED,
        action=ActionState.PLANNED,
        preview=Preview(title="Send this mail?", fields=fields),
        caption="Send “Tea” to Dana",
        at=NOW,
        wait=timedelta(hours=3),
        zone="Europe/Berlin",
        rule="",
        reason="",
        detail="",
        link=None,
        doubt=False,
        can_be_sent_now=True,
        stopped_by=None,
    )
    return replace(made, **changes)


def test_what_waits() -> None:
    """It shows the recipient, when, and the two buttons, which carry the run's id; a short wait has no “Send now”."""
    shown = str(deferred(waiting()).blocks)
    assert "dana@fernhill.example" in shown
    assert ids.HELD_UNDO in shown
    assert ids.HELD_NOW in shown
    assert ids.HELD_NOW not in str(deferred(waiting(can_be_sent_now=False)).blocks)
    accepted(deferred(waiting()))


def test_what_was_done_is_named_once() -> None:
    """What came of it says what it was; without such a word its caption does."""
    done = waiting(state=RunState.COMPLETED, action=ActionState.COMPLETED)
    for view in (done, replace(done, detail="Sent “Tea” to Dana.")):
        assert str(deferred(view).blocks).count("“Tea” to Dana") == 1


def test_everybody_whom_it_reaches_is_named() -> None:
    """Who may undo a mail that leaves without a card sees whom it reaches, the last one too."""
    to = "".join(f"somebody{number}@fernhill.example\n" for number in range(40)) + "last@evil.example"
    shown = Preview(title="Send this mail?", fields=[Field(label="To", value=to, destination=True)])
    made = deferred(waiting(preview=shown))
    accepted(made)
    assert "last@evil.example" in str(made.blocks)


def test_a_short_wait_is_told_to_the_second() -> None:
    """Half a minute to undo is told as that, with its end to the second; a longer wait with its day."""
    short = str(deferred(waiting(can_be_sent_now=False, wait=timedelta(seconds=30))).blocks)
    assert "Sending “Tea" in short
    assert " in 30 seconds (" in short
    assert "{time_secs}" in short
    assert "15:00:00" in short
    assert "{date_short_pretty}" in str(deferred(waiting()).blocks)


def test_what_a_busy_provider_refused_says_when_it_is_tried_again() -> None:
    """A card and a scheduled message say that it was not done yet, and when it is tried again, to the second."""
    held = waiting(state=RunState.EXECUTING, action=ActionState.APPROVED, again_at=NOW)
    decided = card_view(state=QuestionState.DECIDED, outcome=ActionState.APPROVED, again_at=NOW, zone="Europe/Berlin")
    for shown in (deferred(held), card(decided)):
        assert "Not done yet: Google takes no more of this at the moment. I try again at " in str(shown.blocks)
        assert "15:00:00" in str(shown.blocks)
        accepted(shown)


def test_a_text_of_several_lines_stays_one() -> None:
    """The body of a mail is shown with its lines, the name of a field without any."""
    fields = [Field(label="To\nall", value="a@b.example"), Field(label="Body", value="Dear Dana,\n\nyes.", long=True)]
    shown = deferred(waiting(preview=Preview(title="Send?", fields=fields)))
    assert "Dear Dana,\\n\\nyes." in str(shown.blocks)
    assert "To ⏎ all" in str(shown.blocks)
    accepted(shown)


def test_a_moment_is_said_once() -> None:
    """Where the words of the call name its moment on its owner's clock, it is not told beside them."""
    first = NOW.replace(month=12, day=1)
    named = "Send “Tea” to Dana on Tuesday 1 December at 15:00"
    assert "It happens " not in str(deferred(waiting(caption=named, at=first)).blocks)
    assert "It happens " in str(deferred(waiting(caption=named, at=NOW)).blocks)  # it was moved
    line = HeldLine(run_id="run_1", caption=named, at=first)
    assert held_line(line, "Europe/Berlin") == named
    assert held_line(line, "UTC") == f"{named} – Tuesday 1 December at 14:00"


def test_why_nobody_was_asked() -> None:
    """What was allowed without a card says by which rule; what was approved names none."""
    allowed = deferred(waiting(rule="level.autonomous", reason="You let me act without asking."))
    assert "Why you were not asked: You let me act without asking." in str(allowed.blocks)
    assert "Rule level.autonomous" in str(allowed.blocks)
    accepted(allowed)
    assert "Rule rule_01" in str(deferred(waiting(rule="rule.rule_01", reason="An administrator's rule.")).blocks)
    assert "Rule" not in str(deferred(waiting()).blocks)
    made = waiting(rule="rule.rule_01k8mb5l5otlmqr13vongbr43f", reason="An administrator says so.")
    assert "rule_01k8" not in str(deferred(made).blocks)  # made in Slack: its id says nothing to people


@pytest.mark.parametrize(
    ("state", "action", "words"),
    [
        (RunState.COMPLETED, ActionState.COMPLETED, "✓ Done"),
        (RunState.COMPLETED, ActionState.DENIED, "✗ Not done"),
        (RunState.CANCELLED, ActionState.CANCELLED, "Undone"),
        (RunState.CANCELLED, ActionState.COMPLETED, "Stopped"),
        (RunState.EXECUTING, ActionState.EXECUTING, "working on it"),
        (RunState.AWAITING, ActionState.AWAITING, "your decision"),
        (RunState.PAUSED, ActionState.EXPIRED, "✗ Not done"),
    ],
)
def test_what_came_of_it(state: RunState, action: ActionState, words: str) -> None:
    """Afterwards it says what happened, and nothing is left to press."""
    view = waiting(state=state, action=action, link="https://mail.google.com/x", stopped_by="U1", doubt=True)
    shown = deferred(view)
    assert words in str(shown.blocks)
    assert ids.HELD_UNDO not in str(shown.blocks)
    accepted(shown)


@pytest.mark.parametrize(
    ("state", "action", "words"),
    [
        (RunState.QUEUED, ActionState.PLANNED, "unless you undo it"),
        (RunState.COMPLETED, ActionState.COMPLETED, "✓ Done."),
        (RunState.COMPLETED, ActionState.DENIED, "✗ Not done."),
        (RunState.CANCELLED, ActionState.CANCELLED, "Undone. Nothing was sent."),
        (RunState.CANCELLED, ActionState.COMPLETED, "Stopped."),
        (RunState.EXECUTING, ActionState.EXECUTING, "working on it"),
        (RunState.AWAITING, ActionState.AWAITING, "your decision on the card below"),
    ],
)
def test_what_was_approved_is_told_on_its_card(state: RunState, action: ActionState, words: str) -> None:
    """The card has the buttons while it waits, and then what came of it; what it is stands there once."""
    view = card_view(
        state=QuestionState.DECIDED,
        outcome=ActionState.COMPLETED,
        scheduled=True,
        held=waiting(state=state, action=action),
    )
    made = card(view)
    assert words in str(made.blocks)
    assert (ids.HELD_UNDO in str(made.blocks)) is (state is RunState.QUEUED)
    assert "below tells more" not in str(made.blocks)
    assert str(made.blocks).count("dana@fernhill.example") == 1
    accepted(made)


def test_the_card_says_when_it_was_done() -> None:
    """“Send now” does not wait for the time that the card names."""
    done: dict[str, Any] = {"state": RunState.COMPLETED, "action": ActionState.COMPLETED}
    early = waiting(**done, ended_at=NOW.replace(hour=9), early=True)
    made = card(card_view(state=QuestionState.DECIDED, outcome=ActionState.COMPLETED, scheduled=True, held=early))
    told = kit.moment(NOW.replace(hour=9), "Europe/Berlin")
    *_, when, how = cast("Any", made.blocks[-1])["elements"][-1]["elements"]
    assert (when, how["text"]) == (told, ", by “Send now”")
    accepted(made)


def test_the_list() -> None:
    """App Home lists what waits with its Cancel, at most ten, and says how many more there are."""
    lines = [HeldLine(run_id=f"run_{n}", caption="Send it", at=NOW) for n in range(12)]
    blocks = listed(lines, home_view().user.zone)
    assert str(blocks).count(ids.HELD_UNDO) == 10
    assert "and 2 more" in str(blocks)
    assert list(listed([], "UTC")) == []


def test_cancel_in_a_list_asks_back_and_says_what_it_is() -> None:
    """Nothing brings it back, and the rows of a list are narrow."""
    (row,) = rows([HeldLine(run_id="run_1", caption=f"Send “{'Tea ' * 200}” to Dana", at=NOW)], "UTC")
    asks = cast("Any", row[0])["accessory"]["confirm"]
    assert asks["text"]["text"].startswith("Send “Tea Tea")
    assert len(asks["text"]["text"]) <= 300
    assert (asks["confirm"]["text"], asks["deny"]["text"]) == ("Cancel it", "Keep it")
