"""What the second part of a split series keeps."""

from __future__ import annotations

from typing import Any

import pytest

from integrations.calendar.events.change import EventChange
from integrations.calendar.events.details import conference_for
from integrations.calendar.events.own_words import is_written_alone
from integrations.calendar.events.series_split import continuation
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.wire import Event

ZONE = "Europe/Stockholm"
POINT = {"entryPointType": "video", "uri": "https://calls.example/j/1", "label": "calls.example/j/1", "pin": "42"}
ZOOM = {
    "conferenceId": "1",
    "conferenceSolution": {"key": {"type": "addOn"}, "name": "Calls", "iconUri": "https://calls.example/i.png"},
    "entryPoints": [POINT],
    "parameters": {"addOnParameters": {"parameters": {"a": "b"}}},
}
MARA = "mara@x.example"
OWN = {"organizer": {"email": MARA, "self": True}, "creator": {"email": MARA, "self": True}}
MEET = {
    "createRequest": {"requestId": "old", "status": {"statusCode": "success"}},
    "conferenceId": "aaa-bbbb-ccc",
    "conferenceSolution": {"key": {"type": "hangoutsMeet"}, "name": "Google Meet"},
    "entryPoints": [{"entryPointType": "video", "uri": "https://meet.google.com/aaa-bbbb-ccc"}],
}
FILE = {"fileUrl": "https://drive.example/1", "title": "Plan", "mimeType": "application/pdf", "fileId": "1"}


def at(day: int, hour: int) -> dict[str, str]:
    return {"dateTime": f"2026-11-{day:02}T{hour:02}:00:00+01:00", "timeZone": ZONE}


def goes_on(**more: object) -> dict[str, Any]:
    """What is written for the second of a series, with this in it."""
    series = {"id": "s1", "start": at(3, 9), "end": at(3, 10), "recurrence": ["RRULE:FREQ=WEEKLY"], **more}
    second = {"id": "s1_2", "start": at(10, 9), "end": at(10, 10), "originalStartTime": at(10, 9)}
    event, named = Event.model_validate(series), Event.model_validate(second)
    target = Target(reach=Reach.FOLLOWING, event=event, named=named, zone=ZONE)
    return continuation(target, EventChange(title="Oak"), "k", home=MARA)


def test_what_is_settled_for_the_old_series_is_settled_for_the_new_one() -> None:
    """Files, who may join on their own, the status and the kind of event."""
    kept = {"attachments": [FILE], "anyoneCanAddSelf": True, "status": "tentative", "eventType": "outOfOffice"}
    away: dict[str, object] = {"outOfOfficeProperties": {"autoDeclineMode": "declineNone"}}
    body = goes_on(**kept, **away)
    assert {name: body[name] for name in (kept | away)} == kept | away
    assert "eventType" not in goes_on(eventType="fromGmail")


def test_a_meet_link_is_not_shared_by_two_events() -> None:
    """The old conference is not sent again; a new one is asked for, where there was one or will be."""
    assert goes_on(conferenceData=MEET)["conferenceData"] == conference_for("k")
    pending = {"createRequest": {"requestId": "old", "status": {"statusCode": "pending"}}}
    assert goes_on(conferenceData=pending)["conferenceData"] == conference_for("k")
    assert "conferenceData" not in goes_on()


def test_a_third_partys_conference_is_taken_along_whole() -> None:
    """Only the third party can make another one, so solution, entry points and parameters are sent as they are."""
    assert goes_on(conferenceData=ZOOM)["conferenceData"] == ZOOM


@pytest.mark.parametrize(
    ("more", "is_alone"),
    [({}, True), ({"creator": {"email": "dana@x.example"}}, False), ({"guestsCanModify": True}, False)],
)
def test_the_rest_of_a_series_has_the_words_of_who_wrote_it(more: dict[str, object], is_alone: bool) -> None:
    """Google says that the one who splits it created it; its title is that of the old series all the same. What other
    programs keep with it stays, also where it is split once more.
    """
    kept: dict[str, object] = {"private": {"room": "7"}, "shared": {"b": "2"}}
    body = goes_on(**OWN | {"extendedProperties": kept} | more)
    assert body["extendedProperties"]["shared"] == {"b": "2"}
    assert body["extendedProperties"]["private"]["room"] == "7"
    rest = Event.model_validate({"id": "s2"} | OWN | body)
    assert is_written_alone(rest, MARA) is is_alone
    assert (body["extendedProperties"] == kept) is is_alone
    again = goes_on(**OWN | {"extendedProperties": body["extendedProperties"], "guestsCanModify": False})
    assert is_written_alone(Event.model_validate({"id": "s3"} | OWN | again), MARA) is is_alone
