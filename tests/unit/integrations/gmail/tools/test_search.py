"""A search: its dates, its caption, and whose mail is unread."""

from __future__ import annotations

from typing import Any, cast

import pytest

from integrations.base import Requester
from integrations.gmail.tools.search import GmailSearch, SearchArgs, localised, row
from integrations.gmail.wire import GmailThread
from integrations.google.client import GoogleClient

HELEN, DANA = "Helen Marsh <helen@marsh.example>", "Dana Okafor <dana@fernhill.example>"


def message(sender: str, *labels: str) -> dict[str, Any]:
    payload = {"headers": [{"name": "From", "value": sender}, {"name": "Subject", "value": "Benches"}]}
    return {"id": "m", "threadId": "t", "labelIds": list(labels), "internalDate": "1", "payload": payload}


def rows(*messages: dict[str, Any]) -> dict[str, object]:
    thread = GmailThread.model_validate({"id": "t", "messages": list(messages)})
    return row(thread, Requester(team="T1", user="U1"))


def test_who_wrote_what_is_unread_is_named() -> None:
    """One's own answer may be the newest mail; unread is what somebody else wrote, each named once."""
    found = rows(message(HELEN, "UNREAD"), message(HELEN, "UNREAD"), message(DANA, "SENT"))
    assert (found["from"], found["unread"], found["unread_from"]) == (DANA, True, [HELEN])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (" ", "Look at the newest mail"),
        ("is:unread", "Look for unread mail"),
        ("IN:inbox is:unread", "Look for unread mail in the inbox"),
        ("from:helen benches", "Search mail for “from:helen benches”"),
    ],
)
def test_a_caption_is_for_people(query: str, said: str) -> None:
    """What is looked for most is said in words; everything else as it is searched for."""
    assert GmailSearch(cast("GoogleClient", None)).caption(SearchArgs(query=query)) == said


def test_where_all_is_read_nobody_is_named() -> None:
    """A row without unread mail has no such part."""
    found = rows(message(HELEN))
    assert found["unread"] is False
    assert "unread_from" not in found


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
