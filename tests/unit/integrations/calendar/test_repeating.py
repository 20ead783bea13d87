"""Recurrence: read from rules and words, fitted to its first time, counted out, and said in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from integrations.calendar.occurrences import count_before, occurrences
from integrations.calendar.repeating import in_words, lines_in_words, rule_for, shifted
from integrations.calendar.rules import Rule, parse_rule
from integrations.calendar.spans import Span
from integrations.calendar.times import span_between
from integrations.errors import ModelRetry

ZONE = "Europe/Stockholm"
TUESDAY = span_between("2026-11-24T14:00", "2026-11-24T15:00", ZONE)
DAY = span_between("2026-11-24", "2026-11-24", ZONE)


def days(rule: Rule, first: Span, most: int = 4) -> list[str]:
    return [str(span.start)[:10] for span in occurrences(rule, first, most=most)]


@pytest.mark.parametrize(
    ("said", "line", "words"),
    [
        ("weekly", "FREQ=WEEKLY", "every week on Tuesday, without an end"),
        ("every Tuesday 10 times", "FREQ=WEEKLY;COUNT=10;BYDAY=TU", "every week on Tuesday, 10 times"),
        (
            "Every 2 weeks on Tuesday and Thursday until 2026-12-31.",
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=20261231T225959Z;BYDAY=TU,TH",
            "every 2 weeks on Tuesday and Thursday, until Thu 31 Dec 2026",
        ),
        ("fortnightly", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks on Tuesday, without an end"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3", "every 3 months on day 24, without an end"),
        ("on the 24th of every month", "FREQ=MONTHLY;BYMONTHDAY=24", "every month on day 24, without an end"),
        ("every 24th of the month, 3 times", "FREQ=MONTHLY;COUNT=3;BYMONTHDAY=24", "every month on day 24, 3 times"),
        ("every other tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every 2 weeks on Tuesday, without an end"),
        (
            "every weekday",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            "every weekday (Monday to Friday), without an end",
        ),
        ("daily, 5 times", "FREQ=DAILY;COUNT=5", "every day, 5 times"),
        (
            "every month on the fourth Tuesday",
            "FREQ=MONTHLY;BYDAY=4TU",
            "every month on the fourth Tuesday, without an end",
        ),
        (
            "the last tuesday of every month",
            "FREQ=MONTHLY;BYDAY=-1TU",
            "every month on the last Tuesday, without an end",
        ),
        ("monthly on the 24th", "FREQ=MONTHLY;BYMONTHDAY=24", "every month on day 24, without an end"),
        ("every year", "FREQ=YEARLY", "every year on 24 November, without an end"),
        ("FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;INTERVAL=3", "every 3 days, without an end"),
        (
            "rrule:freq=monthly;bymonthday=24,-1;bymonth=11,12",
            "FREQ=MONTHLY;BYMONTHDAY=24,-1;BYMONTH=11,12",
            "every month on day 24 and the last day in November and December, without an end",
        ),
    ],
)
def test_words_and_rules_become_the_line_and_its_words(said: str, line: str, words: str) -> None:
    """What is said becomes one RRULE, and the card says all of it: rhythm, days and end."""
    rule = rule_for(said, TUESDAY)
    assert rule.as_text() == f"RRULE:{line}"
    assert in_words(rule, TUESDAY) == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Biweekly", "every 2 weeks on Tuesday, without an end"),
        ("every second Tuesday", "every 2 weeks on Tuesday, without an end"),
        ("once every five weeks", "every 5 weeks on Tuesday, without an end"),
        ("once a month", "every month on day 24, without an end"),
        ("Tuesdays & Thursdays", "every week on Tuesday and Thursday, without an end"),
        ("from Monday to Friday", "every weekday (Monday to Friday), without an end"),
        ("every 2 weeks on Sun-Tue", "every 2 weeks on Monday, Tuesday and Sunday, without an end"),
        ("daily except weekends", "every weekday (Monday to Friday), without an end"),
        ("monthly on the 10th and 24th", "every month on day 10 and 24, without an end"),
        ("every 24th", "every month on day 24, without an end"),
        ("yearly on November 24th", "every year on 24 November, without an end"),
        ("every Tuesday forever", "every week on Tuesday, without an end"),
        ("weekly for 6 weeks", "every week on Tuesday, until Mon 4 Jan 2027"),
        ("daily for the next ten days", "every day, until Thu 3 Dec 2026"),
        ("every month for a year", "every month on day 24, until Tue 23 Nov 2027"),
        ("every week, ending after six times", "every week on Tuesday, 6 times"),
        ("every Tuesday until 31 December", "every week on Tuesday, until Thu 31 Dec 2026"),
        ("every Tuesday through January 5th, 2027", "every week on Tuesday, until Tue 5 Jan 2027"),
        ("every Tuesday until the end of February", "every week on Tuesday, until Sun 28 Feb 2027"),
        ("Tue through Thu until 30 November", "every week on Tuesday, Wednesday and Thursday, until Mon 30 Nov 2026"),
    ],
)
def test_people_say_it_in_many_ways(said: str, words: str) -> None:
    """What is said as people say it is understood, and an end without a year is the next one."""
    assert in_words(rule_for(said, TUESDAY), TUESDAY) == words


@pytest.mark.parametrize(
    "said",
    [
        "every full moon",
        "twice a week",
        "bimonthly",
        "every fourth tuesday",
        "every 25 november",
        "every tuesday until 12/11/2026",
        "every tuesday until christmas",
        "every tuesday until 29 february",
        "every tuesday for 9999 years",
        "every tuesday at 16:00",
        "every tuesday and then some",
        "FREQ=SECONDLY",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYHOUR=9",
        "FREQ=DAILY;COUNT=3;UNTIL=20261231",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=100000",
        "FREQ=DAILY;UNTIL=20261231T120000",
        "FREQ=WEEKLY;BYDAY=2TU",
        "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=DAILY\nRRULE:FREQ=WEEKLY",
        "FREQ=WEEKLY;FREQ=DAILY",
        "BYDAY=TU;FREQ=",
        "FREQ=YEARLY;BYDAY=TU",
        "every monday",
        "every tuesday until 2026-11-01",
        "every tuesday until 2026-13-01",
        "monthly on the 32nd",
    ],
)
def test_what_is_not_understood_is_asked_back(said: str) -> None:
    """Unknown words or parts, contradictions, a first time that is none of the rule's, an end before the beginning."""
    with pytest.raises(ModelRetry) as caught:
        rule_for(said, TUESDAY)
    assert caught.value.code == "invalid_recurrence"


def test_the_end_of_an_all_day_series_is_a_day() -> None:
    """UNTIL is a date where the event has dates, and a moment in UTC where it has times."""
    assert rule_for("every tuesday until 2026-12-31", DAY).as_text() == "RRULE:FREQ=WEEKLY;UNTIL=20261231;BYDAY=TU"
    assert rule_for("FREQ=WEEKLY;UNTIL=20261231T225959Z", DAY).as_text() == "RRULE:FREQ=WEEKLY;UNTIL=20261231"


def test_the_last_day_belongs_to_the_series() -> None:
    """`until` includes its day, whatever the zone is."""
    for first in (TUESDAY, DAY):
        rule = rule_for("every tuesday until 2026-12-08", first)
        assert days(rule, first) == ["2026-11-24", "2026-12-01", "2026-12-08"]


def test_a_series_keeps_its_time_by_the_clock() -> None:
    """14:00 stays 14:00 when the clocks are changed, so the moment in UTC moves."""
    first = span_between("2027-03-23T14:00", "2027-03-23T15:00", ZONE)
    spans = occurrences(rule_for("weekly", first), first, most=2)
    assert [span.bounds()[0].hour for span in spans] == [13, 12]


def test_what_cannot_be_put_into_words_is_shown_as_it_is() -> None:
    """A rule of somebody else's calendar is never told wrongly."""
    assert lines_in_words(["RRULE:FREQ=HOURLY"], TUESDAY) == "by a rule of its own (RRULE:FREQ=HOURLY)"
    assert lines_in_words(["RRULE:FREQ=WEEKLY", "EXDATE:20261201"], TUESDAY).endswith(", with exceptions")
    assert lines_in_words([], TUESDAY) == ""


def test_a_series_that_moves_to_another_day_takes_its_days_along() -> None:
    """Two days later: Tuesday becomes Thursday; where a rule fixes days of the month it is asked back."""
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
    """Every time comes so many days later; where one would fall into a week between, the new days are asked for."""
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


def test_times_before_one_are_counted() -> None:
    """So that a series cut in two has as many times as before; what is no time of the series has no number."""
    rule = parse_rule("FREQ=WEEKLY;COUNT=10")
    third = span_between("2026-12-08T14:00", "2026-12-08T15:00", ZONE)
    assert count_before(rule, TUESDAY, third) == 2
    assert count_before(rule, TUESDAY, span_between("2026-12-09", "2026-12-09", ZONE)) is None


@pytest.mark.parametrize(
    "line",
    [
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=DAILY;BYDAY=TU,SA",
        "FREQ=WEEKLY;BYDAY=MO,TU,SU;INTERVAL=2",
        "FREQ=WEEKLY;BYDAY=TU,SU;INTERVAL=2;WKST=SU",
        "FREQ=WEEKLY;BYMONTH=11,1",
        "FREQ=MONTHLY;BYDAY=-1TU",
        "FREQ=MONTHLY;BYDAY=4TU,1MO",
        "FREQ=MONTHLY;BYMONTHDAY=24,31,-1",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-5,1",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "FREQ=MONTHLY;INTERVAL=5",
        "FREQ=YEARLY",
        "FREQ=YEARLY;BYMONTH=11,3;BYDAY=4TU",
        "FREQ=YEARLY;BYMONTHDAY=24",
        "FREQ=YEARLY;INTERVAL=2;BYMONTH=11;BYMONTHDAY=24",
        "FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2",
    ],
)
def test_occurrences_are_those_of_the_standard(line: str) -> None:
    """Every kind of rule gives the days that python-dateutil gives."""
    dateutil = pytest.importorskip("dateutil.rrule")
    ours = days(parse_rule(line), TUESDAY, most=30)
    start = datetime(2026, 11, 24, 14, tzinfo=UTC)
    theirs = dateutil.rrulestr(line, dtstart=start).between(start, datetime(2036, 11, 24, 15, tzinfo=UTC), inc=True)
    assert ours == [str(moment)[:10] for moment in theirs][:30]


def test_a_rule_that_never_comes_true_ends() -> None:
    """The thirtieth of February is looked for, but not for ever."""
    assert days(parse_rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), TUESDAY) == []
