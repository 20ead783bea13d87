"""What time says in Slack, for many inputs, is what Slack accepts, and nothing from outside is parsed in it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.runtime.timely import AlarmView, OpeningView, ReminderView
from bot.slack.views.opening import opening
from bot.slack.views.reminder import alarm, reminder
from tests.contract.test_blocks import Samples, accepted
from tests.unit.bot.slack.cases import MARA, NOW, place

LINK = "https://fernhill.slack.com/archives/D0MARA/p1795284925593411"


@Samples
@pytest.mark.parametrize("link", ["", LINK])
def test_reminders(text: str, link: str) -> None:
    """Of any title, with the way to the card or without."""
    view = ReminderView(
        place=place(),
        question_id="q_1",
        needs_none=False,
        title=text,
        expires_at=NOW,
        left=timedelta(hours=3),
        zone="Gone/City",
        card=None,
    )
    shown = reminder(view, link)
    accepted(shown)
    assert ("Go to the card" in str(shown.blocks)) is bool(link)
    assert "3 hours left" in shown.text


@Samples
@pytest.mark.parametrize("late", [False, True])
def test_alarms(text: str, late: bool) -> None:
    """Of any words, in time or late."""
    shown = alarm(AlarmView(team="T1", user=MARA, text=text, zone="UTC", due=NOW if late else None, since="1.0"))
    accepted(shown)
    assert ("comes late" in str(shown.blocks)) is late


@Samples
def test_openings(text: str) -> None:
    """Of any title and any request, also without one of them."""
    for title, asked in ((text, text), ("", text), (text, "")):
        accepted(opening(OpeningView(place=place(), title=title, text=asked, since="1.0")))
