"""Search words with dates."""

from __future__ import annotations

import pytest

from integrations.gmail.incoming.search_query import localised


@pytest.mark.parametrize(
    ("query", "zone", "sent"),
    [
        ("after:2026/11/01", "Europe/Stockholm", "after:1793487600"),
        ("from:dana before:2026-11-01 oak", "Asia/Kolkata", "from:dana before:1793471400 oak"),
        ("newer:2026-11-01", "UTC", "after:1793491200"),
        ("older:2026-11-01", "UTC", "before:1793491200"),
        ("after:11/01/2026 -before:11/2/2026", "UTC", "after:1793491200 -before:1793577600"),
        ("after:13/01/2026", "UTC", "after:13/01/2026"),
        ('subject:"after:2026/11/01"', "UTC", 'subject:"after:2026/11/01"'),
        ("newer_than:7d after:1793491200", "UTC", "newer_than:7d after:1793491200"),
        ("after:2026/13/45", "UTC", "after:2026/13/45"),
        ("", "UTC", ""),
    ],
)
def test_google_pitfall_25_dates_are_midnight_where_the_person_is(query: str, zone: str, sent: str) -> None:
    """Days become seconds of the person's own midnight; everything else stays as it was typed."""
    assert localised(query, zone) == sent
