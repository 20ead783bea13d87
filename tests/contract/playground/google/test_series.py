"""Series, their exceptions and their splits, as the real client meets them."""

from __future__ import annotations

from typing import Any

from tests.contract.playground.google.client import Google, refused
from tests.contract.playground.google.test_calendar import TWO, events, get, insert, listed, patch

WEEKLY = {
    "summary": "Saw talk",
    "start": {"dateTime": "2030-05-06T09:00:00", "timeZone": "Europe/London"},
    "end": {"dateTime": "2030-05-06T10:00:00", "timeZone": "Europe/London"},
    "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=4"],
}
MAY = {"timeMin": "2030-05-01T00:00:00Z", "timeMax": "2030-06-30T00:00:00Z"}


def instances(google: Google, series: Any, **more: Any) -> list[Any]:
    call = events(google).instances(calendarId="primary", eventId=series["id"], **more)
    return call.execute()["items"]


def starts(items: list[Any]) -> list[str]:
    return [item["start"]["dateTime"][:16] for item in items]


def test_this_and_following_is_a_split(google: Google) -> None:
    """Ending the series just before an instance and inserting a new one gives what Calendar calls following."""
    series = insert(google, WEEKLY)
    third = instances(google, series)[2]
    patch(google, series, {"recurrence": ["RRULE:FREQ=WEEKLY;UNTIL=20300520T075959Z"]})
    rest = WEEKLY | {
        "start": {"dateTime": "2030-05-20T11:00:00", "timeZone": "Europe/London"},
        "end": {"dateTime": "2030-05-20T12:00:00", "timeZone": "Europe/London"},
        "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2"],
    }
    insert(google, rest)
    assert starts(listed(google, q="Saw talk", **MAY)) == [
        "2030-05-06T09:00",
        "2030-05-13T09:00",
        "2030-05-20T11:00",
        "2030-05-27T11:00",
    ]
    assert get(google, third["id"])["status"] == "cancelled"


def test_an_hour_that_the_clocks_skip(google: Google) -> None:
    """The instance of that night is as much later as they skip, and as long as the others."""
    night = {
        "start": {"dateTime": "2030-03-24T01:30:00", "timeZone": "Europe/London"},
        "end": {"dateTime": "2030-03-24T02:30:00", "timeZone": "Europe/London"},
        "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2"],
    }
    _, second = instances(google, insert(google, WEEKLY | night))
    assert (second["start"]["dateTime"][:16], second["end"]["dateTime"][:16]) == (
        "2030-03-31T02:30",
        "2030-03-31T03:30",
    )


def test_files_count_only_from_clients_that_know_of_them(google: Google) -> None:
    """Without `supportsAttachments` a new event has none, and those that are there stay (Events, `attachments`)."""
    files = {"attachments": [{"fileUrl": "https://drive.google.com/open?id=1", "title": "Plan"}]}
    assert "attachments" not in insert(google, WEEKLY | files)
    series = insert(google, WEEKLY | files, supportsAttachments=True)
    assert patch(google, series, {"attachments": []})["attachments"] == files["attachments"]


def test_an_exception_outlives_a_change_of_the_series(google: Google) -> None:
    """One moved instance keeps its time when the series is renamed, and takes the new name."""
    series = insert(google, WEEKLY)
    second = instances(google, series)[1]
    moved = {"start": {"dateTime": "2030-05-14T15:00:00+01:00"}, "end": {"dateTime": "2030-05-14T16:00:00+01:00"}}
    changed = patch(google, second, moved)
    assert changed["originalStartTime"]["dateTime"] == "2030-05-13T09:00:00+01:00"
    patch(google, series, {"summary": "Blade talk"})
    again = get(google, second["id"])
    assert (again["summary"], again["start"]["dateTime"]) == ("Blade talk", "2030-05-14T15:00:00+01:00")
    assert len(listed(google, q="Blade", **MAY)) == 4


def test_moving_the_series_takes_its_exceptions_along(google: Google) -> None:
    """A new start of the series makes every instance anew, under new ids."""
    series = insert(google, WEEKLY)
    second = instances(google, series)[1]
    patch(google, second, {"location": "Yard"})
    moved = {
        "start": {"dateTime": "2030-05-06T10:00:00", "timeZone": "Europe/London"},
        "end": {"dateTime": "2030-05-06T11:00:00", "timeZone": "Europe/London"},
    }
    patch(google, series, moved)
    items = instances(google, series)
    assert starts(items) == ["2030-05-06T10:00", "2030-05-13T10:00", "2030-05-20T10:00", "2030-05-27T10:00"]
    assert all("location" not in item for item in items)
    assert second["id"] not in [item["id"] for item in items]


def test_a_cancelled_instance_stays_cancelled(google: Google) -> None:
    """It is gone from the occurrences, also after the series changed, and is told of in the list of series."""
    series = insert(google, WEEKLY)
    second = instances(google, series)[1]
    events(google).delete(calendarId="primary", eventId=second["id"]).execute()
    patch(google, series, {"summary": "Saw talk, shorter"})
    assert starts(instances(google, series)) == ["2030-05-06T09:00", "2030-05-20T09:00", "2030-05-27T09:00"]
    whole = events(google).list(calendarId="primary", q="Saw talk", **MAY).execute()["items"]
    assert {item["id"]: item["status"] for item in whole} == {series["id"]: "confirmed", second["id"]: "cancelled"}
    delete = events(google).delete(calendarId="primary", eventId=second["id"])
    assert refused(delete.execute) == (410, "deleted")


def test_an_answer_to_one_instance(google: Google) -> None:
    """A guest declines one instance; the others stay as they were."""
    series = insert(google, WEEKLY | TWO)
    second = instances(google, series)[1]
    answer = {
        "attendees": [{"email": "jonas@fernhill.example", "responseStatus": "declined"}],
        "attendeesOmitted": True,
    }
    patch(google, second, answer, "jonas")
    assert [
        next(guest["responseStatus"] for guest in item["attendees"] if guest["email"].startswith("jonas"))
        for item in instances(google, series)
    ] == ["needsAction", "declined", "needsAction", "needsAction"]


def test_a_guest_takes_the_whole_series_away(google: Google) -> None:
    """Deleting the series as a guest removes every instance from his calendar, and tells the organizer."""
    series = insert(google, WEEKLY | TWO)
    events(google, "jonas").delete(calendarId="primary", eventId=series["id"], sendUpdates="all").execute()
    assert listed(google, "jonas", q="Saw talk", **MAY) == []
    assert len(listed(google, q="Saw talk", **MAY)) == 4
    patch(google, series, {"summary": "Saw talk again"})
    assert listed(google, "jonas", q="Saw talk", **MAY) == []
    notice = google.state()["notices"][-1]
    assert (notice["kind"], notice["to"]) == ("response", ["dana@fernhill.example"])


def test_a_series_is_found_by_any_of_its_days(google: Google) -> None:
    """Without singleEvents a series is listed when one of its occurrences lies in the span."""
    series = insert(google, WEEKLY)
    span = {"timeMin": "2030-05-20T00:00:00Z", "timeMax": "2030-05-21T00:00:00Z"}
    found = events(google).list(calendarId="primary", **span).execute()["items"]
    assert [item["id"] for item in found] == [series["id"]]


def test_one_instance_by_its_original_start(google: Google) -> None:
    """instances(originalStart) finds the instance even after it was moved."""
    series = insert(google, WEEKLY)
    second = instances(google, series)[1]
    moved = {"start": {"dateTime": "2030-05-14T15:00:00+01:00"}, "end": {"dateTime": "2030-05-14T16:00:00+01:00"}}
    patch(google, second, moved)
    for original in ("2030-05-13T09:00:00+01:00", "2030-05-13T08:00:00Z"):
        assert [item["id"] for item in instances(google, series, originalStart=original)] == [second["id"]]
