"""The moment at which a mail leaves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from integrations.errors import ModelRetry
from integrations.gmail.outgoing.send_time import in_words, leaving, moment, roughly

NOW = datetime(2026, 11, 21, 22, tzinfo=UTC)
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "zone", "at", "words"),
    [
        ("2026-11-23T08:00", BERLIN, "2026-11-23T07:00", "Monday 23 November at 08:00 (Europe/Berlin)"),
        ("2026-11-23T08:00", "Asia/Kolkata", "2026-11-23T02:30", "Monday 23 November at 08:00 (Asia/Kolkata)"),
        ("2026-11-23T08:00+01:00", "UTC", "2026-11-23T07:00", "Monday 23 November at 07:00 (UTC)"),
        ("2026-11-23T08:00Z", BERLIN, "2026-11-23T08:00", "Monday 23 November at 09:00 (Europe/Berlin)"),
        ("2027-04-01T09:30", BERLIN, "2027-04-01T07:30", "Thursday 1 April 2027 at 09:30 (Europe/Berlin)"),
    ],
)
def test_a_local_time_is_the_persons_own(text: str, zone: str, at: str, words: str) -> None:
    """Without an offset it is the time of the person's zone; the words name weekday, day, time and zone."""
    found = leaving(text, zone, NOW)
    assert found == datetime.fromisoformat(f"{at}+00:00")
    assert found is not None
    assert in_words(found, zone, NOW) == words


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-11-21T22:59", "is over"),
        ("2026-11-23", "no time of day"),
        ("tomorrow", "no date and time"),
        ("2027-03-28T02:30", "clocks skip"),
        ("2027-10-31T02:30", "show that time twice"),
        ("2028-01-01T08:00", "more than a year"),
        ("9999-12-31T23:59-12:00", "too far away"),
        ("0001-01-01T00:00", "too far away"),
        ("", "no date and time"),
    ],
)
def test_a_moment_that_is_none_is_asked_back(text: str, why: str) -> None:
    """What is over, far away, unreadable, or skipped or doubled by the clocks is refused with the reason."""
    with pytest.raises(ModelRetry, match=why):
        leaving(text, BERLIN, NOW)


def test_a_doubled_time_with_its_offset_is_clear() -> None:
    """The hour that comes twice can be named by its offset."""
    assert moment("2027-10-31T02:30+01:00", BERLIN) == datetime(2027, 10, 31, 1, 30, tzinfo=UTC)


def test_a_caption_never_fails() -> None:
    """A caption says what stands there, whatever it is."""
    assert roughly("2026-11-23T08:00") == "Monday 23 November at 08:00"
    assert roughly("whenever") == "whenever"
