"""Recurrence: read from an RRULE, fitted to its first time, expanded, and said in words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from integrations.calendar.recurrence.rule import RecurrenceRule, parse_rule
from integrations.calendar.recurrence.series import occurrences, rule_for, shifted
from integrations.calendar.recurrence.words import in_words, lines_in_words
from integrations.calendar.time_range import TimeRange, span_between
from integrations.errors import ModelRetry

ZONE = "Europe/Stockholm"
TUESDAY = span_between("2026-11-24T14:00", "2026-11-24T15:00", ZONE)
DAY = span_between("2026-11-24", "2026-11-24", ZONE)


def days(rule: RecurrenceRule, first: TimeRange, most: int = 4) -> list[str]:
    return [str(span.start)[:10] for span in occurrences(rule, first, most=most)]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("FREQ=WEEKLY", "FREQ=WEEKLY", "every week on Tuesday, without an end"),
        ("FREQ=WEEKLY;COUNT=10;BYDAY=TU", "FREQ=WEEKLY;COUNT=10;BYDAY=TU", "every week on Tuesday, 10 times"),
        ("FREQ=DAILY;COUNT=1", "FREQ=DAILY;COUNT=1", "every day, once"),
        ("FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;INTERVAL=3", "every 3 days, without an end"),
        ("FREQ=DAILY;BYDAY=TU,SA", "FREQ=DAILY;BYDAY=TU,SA", "every day, on Tuesday and Saturday only, without an end"),
        (
            "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20261231",
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=20261231T225959Z;BYDAY=TU,TH",
            "every 2 weeks on Tuesday and Thursday, until Thu 31 Dec 2026",
        ),
        ("FREQ=WEEKLY;BYDAY=TU,TU;WKST=SU;", "FREQ=WEEKLY;BYDAY=TU;WKST=SU", "every week on Tuesday, without an end"),
        (
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            "every weekday (Monday to Friday), without an end",
        ),
        ("FREQ=MONTHLY;INTERVAL=3", "FREQ=MONTHLY;INTERVAL=3", "every 3 months on day 24, without an end"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=24,10",
            "FREQ=MONTHLY;BYMONTHDAY=24,10",
            "every month on day 24 and 10, without an end",
        ),
        ("FREQ=MONTHLY;COUNT=3;BYMONTHDAY=24", "FREQ=MONTHLY;COUNT=3;BYMONTHDAY=24", "every month on day 24, 3 times"),
        ("FREQ=MONTHLY;BYDAY=+4TU", "FREQ=MONTHLY;BYDAY=4TU", "every month on the fourth Tuesday, without an end"),
        ("FREQ=MONTHLY;BYDAY=-1TU", "FREQ=MONTHLY;BYDAY=-1TU", "every month on the last Tuesday, without an end"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-5",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-5",
            "every month on the 5th to last weekday (Monday to Friday), without an end",
        ),
        (
            "rrule:freq=monthly;bymonthday=24,-1;bymonth=11,12",
            "FREQ=MONTHLY;BYMONTHDAY=24,-1;BYMONTH=11,12",
            "every month on day 24 and the last day in November and December, without an end",
        ),
        ("FREQ=YEARLY", "FREQ=YEARLY", "every year on 24 November, without an end"),
        (
            "FREQ=YEARLY;BYMONTH=11;BYDAY=4TU",
            "FREQ=YEARLY;BYDAY=4TU;BYMONTH=11",
            "every year on the fourth Tuesday in November, without an end",
        ),
    ],
)
def test_an_rrule_becomes_the_line_and_its_words(text: str, line: str, words: str) -> None:
    """The model writes one RRULE; Google gets the same rule, and the card says all of it: rhythm, days and end."""
    rule = rule_for(text, TUESDAY)
    assert rule.as_text() == f"RRULE:{line}"
    assert in_words(rule, TUESDAY) == words


@pytest.mark.parametrize(
    "text",
    [
        "every Tuesday",
        "weekly",
        "",
        "FREQ=SECONDLY",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYHOUR=9",
        "FREQ=DAILY;COUNT=3;UNTIL=20261231",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=100000",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;UNTIL=20261231T120000",
        "FREQ=DAILY;UNTIL=20261301",
        "FREQ=DAILY;UNTIL=2026-12-31",
        "FREQ=WEEKLY;BYDAY=2TU",
        "FREQ=MONTHLY;BYDAY=6TU",
        "FREQ=MONTHLY;BYDAY=TU(+4)",
        "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=WEEKLY;BYSETPOS=1",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=DAILY\nRRULE:FREQ=WEEKLY",
        "FREQ=WEEKLY;FREQ=DAILY",
        "BYDAY=TU;FREQ=",
        "BYDAY=TU",
        "FREQ=YEARLY;BYDAY=TU",
        "FREQ=YEARLY;BYEASTER=0",
        "FREQ=WEEKLY;BYDAY=MO",
        "FREQ=WEEKLY;UNTIL=20261101",
        "DTSTART:20261124T140000Z",
        "EXDATE:20261124T140000Z",
    ],
)
def test_a_rule_that_cannot_be_used_is_asked_for_again(text: str) -> None:
    """Words, other parts, contradictions, a start on another day, or an end before the start."""
    with pytest.raises(ModelRetry) as caught:
        rule_for(text, TUESDAY)
    assert caught.value.code == "invalid_recurrence"
    assert "RRULE:FREQ=" in str(caught.value.hint)


def test_the_end_of_an_all_day_series_is_a_day() -> None:
    """UNTIL is a date where the event has dates, and a moment in UTC where it has times."""
    assert rule_for("FREQ=WEEKLY;BYDAY=TU;UNTIL=20261231", DAY).as_text() == "RRULE:FREQ=WEEKLY;UNTIL=20261231;BYDAY=TU"
    assert rule_for("FREQ=WEEKLY;UNTIL=20261231T225959Z", DAY).as_text() == "RRULE:FREQ=WEEKLY;UNTIL=20261231"


def test_the_last_day_belongs_to_the_series() -> None:
    """`until` includes its day, whatever the zone is."""
    for first in (TUESDAY, DAY):
        rule = rule_for("FREQ=WEEKLY;BYDAY=TU;UNTIL=20261208", first)
        assert days(rule, first) == ["2026-11-24", "2026-12-01", "2026-12-08"]


def test_what_cannot_be_put_into_words_is_shown_as_it_is() -> None:
    """A rule that we cannot read is shown as it is, never in wrong words."""
    for until in ("99991231", "99991231T235959Z"):
        assert until in lines_in_words([f"RRULE:FREQ=DAILY;UNTIL={until}"], TUESDAY)
    assert lines_in_words(["RRULE:FREQ=HOURLY"], TUESDAY) == "by a rule of its own (RRULE:FREQ=HOURLY)"
    assert lines_in_words(["RRULE:FREQ=WEEKLY", "EXDATE:20261201"], TUESDAY).endswith(", with exceptions")
    assert lines_in_words([], TUESDAY) == ""


def test_a_series_that_moves_to_another_day_takes_its_days_along() -> None:
    """Two days later Tuesday becomes Thursday; a rule that fixes days of the month is refused."""
    assert shifted(parse_rule("FREQ=WEEKLY;BYDAY=TU"), 2).as_text() == "RRULE:FREQ=WEEKLY;BYDAY=TH"
    assert shifted(parse_rule("FREQ=DAILY;COUNT=3"), 2).count == 3
    with pytest.raises(ModelRetry):
        shifted(parse_rule("FREQ=MONTHLY;BYDAY=1MO"), 1)


@pytest.mark.parametrize(
    ("line", "moved", "same"),
    [
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", 1, True),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", 7, True),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", 6, True),
        ("FREQ=WEEKLY;BYDAY=MO,TH", 4, True),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", 4, False),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", -2, False),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=SU", -1, True),
    ],
)
def test_a_series_of_every_other_week_moves_as_a_whole_or_not_at_all(line: str, moved: int, same: bool) -> None:
    """Every time moves by as many days; a series whose days would fall into weeks between is refused."""
    rule = parse_rule(line)
    days_of = [span.start for span in occurrences(rule, DAY, most=8)]
    begins = str(days_of[0] + timedelta(days=moved))
    first = span_between(begins, begins, ZONE)
    if not same:
        with pytest.raises(ModelRetry, match="weeks between"):
            shifted(rule, moved)
        return
    later = [span.start for span in occurrences(shifted(rule, moved), first, most=8)]
    assert later == [day + timedelta(days=moved) for day in days_of]
