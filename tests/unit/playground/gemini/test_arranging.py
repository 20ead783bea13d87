"""Requests that arrange meetings, as the scripted model understands them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.playground.gemini.conversation import Conversation, names

JONAS = "jonas@fernhill.example"
PLANNING = {"event_id": "e-planning"}


def play(text: str) -> tuple[Conversation, str]:
    conversation = Conversation(text=text)
    return conversation, conversation.run()


def last(conversation: Conversation) -> tuple[str, dict[str, Any]]:
    return conversation.steps[-1][0]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (
            "Find a time with jonas@fernhill.example next week for 45 minutes",
            {"people": [JONAS], "minutes": 45, "start": "2026-11-23", "end": "2026-11-29"},
        ),
        ("find a free 30 minute slot tomorrow", {"minutes": 30, "start": "2026-11-22", "end": "2026-11-22"}),
        (
            "When can I meet jonas@fernhill.example on Thursday?",
            {"people": [JONAS], "start": "2026-11-26", "end": "2026-11-26"},
        ),
        (
            "Is jonas@fernhill.example free on Thursday at 3pm?",
            {"people": [JONAS], "minutes": 60, "start": "2026-11-26T15:00", "end": "2026-11-26T16:00"},
        ),
    ],
)
def test_a_time_is_looked_for(text: str, arguments: dict[str, Any]) -> None:
    """People, length and days become one look at everybody's calendars; what cannot be seen is said."""
    conversation, answer = play(text)
    assert last(conversation) == ("calendar_find_time", arguments)
    assert "Mon 23 Nov 2026, 10:00–10:30" in answer


@pytest.mark.parametrize(
    ("odd", "lead"),
    [
        ({}, f"These times suit you and {JONAS}:\n- Tue, 10:00"),
        ({"busy": [JONAS]}, f"No time suits you and {JONAS}. These come nearest:\n- Mon, 9:00"),
        (
            {"outside_working_hours": {JONAS: "04:00"}},
            f"No time suits you and {JONAS}. These come nearest:\n- Mon, 9:00",
        ),
    ],
)
def test_only_what_suits_everybody_is_said_to_suit(odd: dict[str, Any], lead: str) -> None:
    """A time at which somebody is busy or asleep is named only where there is no better one, and as that."""
    slots = [{"when": "Mon, 9:00", "busy": [JONAS]}, {"when": "Tue, 10:00", **odd}]
    results = {"calendar_find_time": {"slots": slots}}
    answer = Conversation(text=f"Find a time with {JONAS} next week", results=results).run()
    assert answer.startswith(lead)


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Accept the invitation to the delivery planning", "calendar_event_answer", {"answer": "accept"}),
        (
            "decline the delivery planning saying I am on the road",
            "calendar_event_answer",
            {"answer": "decline", "comment": "I am on the road."},
        ),
        ("Tentatively accept the delivery planning", "calendar_event_answer", {"answer": "tentative"}),
        ("Cancel the delivery planning", "calendar_event_cancel", {}),
        ("Cancel my next meeting", "calendar_event_cancel", {}),
        ("Cancel the delivery planning and all following", "calendar_event_cancel", {"scope": "following"}),
        ("please call off the whole series of delivery planning", "calendar_event_cancel", {"scope": "series"}),
        ("Add a Meet link to the delivery planning", "calendar_event_update", {"meet": True}),
        (
            "Move the whole delivery planning series to Thursday 10:00",
            "calendar_event_update",
            {"scope": "series", "start": "2026-11-26T10:00", "end": "2026-11-26T11:30"},
        ),
        (
            "Move the delivery planning to 10:00 from now on",
            "calendar_event_update",
            {"scope": "following", "start": "2026-11-25T10:00", "end": "2026-11-25T11:30"},
        ),
    ],
)
def test_an_event_is_found_and_arranged(text: str, name: str, arguments: dict[str, Any]) -> None:
    """The event is searched by its name, then answered, cancelled or changed, as much of it as was said."""
    conversation, _ = play(text)
    assert names(conversation) == [["calendar_search"], [name]]
    assert last(conversation)[1] == PLANNING | arguments


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (
            "Schedule a weekly meeting with jonas@fernhill.example on Tuesday at 10:00 until 2026-12-31",
            {"start": "2026-11-24T10:00", "recurrence": "RRULE:FREQ=WEEKLY;UNTIL=20261231"},
        ),
        (
            "Schedule a weekly meeting with jonas@fernhill.example on Mondays at 11",
            {"title": "Meeting with Jonas", "start": "2026-11-23T11:00", "recurrence": "RRULE:FREQ=WEEKLY"},
        ),
        (
            "Set up a biweekly call on Tuesday at 15:00 for 6 weeks",
            {
                "start": "2026-11-24T15:00",
                "end": "2026-11-24T15:30",
                "recurrence": "RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270104",
            },
        ),
        (
            "set up a call every weekday at 9:15",
            {"start": "2026-11-23T09:15", "recurrence": "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
        ),
        (
            "Book a meeting every other Thursday at 14:00, 6 times",
            {"start": "2026-11-26T14:00", "recurrence": "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=6"},
        ),
        (
            "Set up a call every month on 2026-12-01 at 9:00 for a year",
            {"start": "2026-12-01T09:00", "recurrence": "RRULE:FREQ=MONTHLY;UNTIL=20271130"},
        ),
        (
            "Set up a call every Monday and Wednesday at 9:00 on Monday until 2026-12-31",
            {"recurrence": "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231"},
        ),
        ("set up a daily call at 9:15", {"start": "2026-11-22T09:15", "recurrence": "RRULE:FREQ=DAILY"}),
        ("schedule a call tomorrow at 3pm with Google Meet", {"start": "2026-11-22T15:00", "meet": True}),
    ],
)
def test_a_repeating_event_and_one_with_meet(text: str, arguments: dict[str, Any]) -> None:
    """Rhythm and end go to the tool as one RRULE; the first day is one of its days."""
    conversation, answer = play(text)
    name, given = last(conversation)
    assert (name, {key: given.get(key) for key in arguments}) == ("calendar_event_create", arguments)
    assert answer.startswith("Created")
    assert "Meet" not in given["title"].split()


def test_what_was_not_done_is_said() -> None:
    """A rejected cancellation is no cancellation."""
    conversation = Conversation(
        text="Cancel the delivery planning",
        errors={"calendar_event_cancel": {"code": "rejected_by_user", "message": "No."}},
    )
    assert conversation.run().startswith("I did not cancel the event: you rejected it")
