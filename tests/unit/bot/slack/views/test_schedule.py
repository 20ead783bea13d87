"""The list of schedules, as `/agent schedule` answers it."""

from __future__ import annotations

from bot.slack.views import schedule
from integrations.ports import ScheduleInfo
from tests.unit.bot.slack.cases import NOW


def test_the_example_names_a_number_that_is_there() -> None:
    """What is typed as it is shown changes something of the list."""
    known = [
        ScheduleInfo(id=f"s{n}", number=n, what="reminder", title="Tea", when="", zone="UTC", next_at=NOW)
        for n in (5, 3)
    ]
    assert "To change number 3: `/agent schedule pause 3`" in schedule.listed(known)
    assert "`/agent schedule pause 3`" in schedule.which("pause", known)
