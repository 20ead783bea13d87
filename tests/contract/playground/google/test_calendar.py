"""Calendar as the real client meets it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from tests.contract.playground.google.client import Google, refused

TITLE = "Delivery planning: Marsh Gardens"
NOON = {"start": {"dateTime": "2030-05-01T12:00:00+01:00"}, "end": {"dateTime": "2030-05-01T13:00:00+01:00"}}
TWO = {"attendees": [{"email": "jonas@fernhill.example"}, {"email": "helen.marsh@marshgardens.example"}]}


def events(google: Google, who: str = "dana") -> Any:
    return google.calendar(who).events()


def insert(google: Google, body: dict[str, Any], who: str = "dana", **more: Any) -> Any:
    return events(google, who).insert(calendarId="primary", body=body, **more).execute()


def get(google: Google, event_id: str, who: str = "dana", **more: Any) -> Any:
    return events(google, who).get(calendarId="primary", eventId=event_id, **more).execute()


def listed(google: Google, who: str = "dana", **more: Any) -> list[Any]:
    call = events(google, who).list(calendarId="primary", singleEvents=True, orderBy="startTime", **more)
    return call.execute()["items"]


def planning(google: Google, who: str = "dana") -> Any:
    return next(event for event in listed(google, who, q="Marsh delivery") if event["summary"] == TITLE)


def patch(google: Google, event: Any, body: dict[str, Any], who: str = "dana", etag: str = "", **more: Any) -> Any:
    request = events(google, who).patch(calendarId="primary", eventId=event["id"], body=body, **more)
    if etag:
        request.headers["If-Match"] = etag
    return request.execute()


class TestReading:
    def test_the_central_event_is_on_both_calendars(self, google: Google) -> None:
        """The delivery planning is on the coming Wednesday at 14:00 in London, an hour later in Berlin for Jonas."""
        mine, his = planning(google), planning(google, "jonas")
        start = datetime.fromisoformat(mine["start"]["dateTime"])
        assert (start.weekday(), start.hour, mine["start"]["timeZone"]) == (2, 14, "Europe/London")
        assert 0 < (start.date() - date.today()).days <= 8
        assert datetime.fromisoformat(his["start"]["dateTime"]) == start
        assert datetime.fromisoformat(his["start"]["dateTime"]).hour == 15
        assert mine["id"] == his["id"]
        assert [guest["email"] for guest in his["attendees"] if guest.get("self")] == ["jonas@fernhill.example"]
        assert mine["organizer"]["self"]
        assert "self" not in his["organizer"]

    def test_a_span_has_exclusive_ends(self, google: Google) -> None:
        """timeMin is below the end, timeMax above the start: what only touches the span is not in it."""
        event = insert(google, NOON)
        for span, inside in (
            (("2030-05-01T12:59:00+01:00", "2030-05-01T14:00:00+01:00"), True),
            (("2030-05-01T13:00:00+01:00", "2030-05-01T14:00:00+01:00"), False),
            (("2030-05-01T11:00:00+01:00", "2030-05-01T12:00:00+01:00"), False),
        ):
            found = listed(google, timeMin=span[0], timeMax=span[1])
            assert (event["id"] in [item["id"] for item in found]) is inside

    def test_a_time_without_an_offset_is_refused(self, google: Google) -> None:
        """timeMin must be RFC 3339 with an offset, and the span must not be empty."""
        call = events(google)
        naive = call.list(calendarId="primary", timeMin="2030-05-01T00:00:00")
        assert refused(naive.execute) == (400, "badRequest")
        empty = call.list(calendarId="primary", timeMin="2030-05-01T00:00:00Z", timeMax="2030-05-01T00:00:00Z")
        assert refused(empty.execute) == (400, "timeRangeEmpty")

    def test_order_needs_single_events(self, google: Google) -> None:
        """orderBy=startTime without singleEvents is refused."""
        assert refused(events(google).list(calendarId="primary", orderBy="startTime").execute)[0] == 400

    def test_times_are_shown_in_the_asked_zone(self, google: Google) -> None:
        """timeZone changes the offset that is shown, never the moment."""
        event = insert(google, NOON)
        span = {"timeMin": "2030-05-01T00:00:00Z", "timeMax": "2030-05-02T00:00:00Z"}
        shown = listed(google, timeZone="Asia/Kolkata", **span)[0]
        assert shown["id"] == event["id"]
        assert shown["start"]["dateTime"] == "2030-05-01T16:30:00+05:30"

    def test_series_and_instances(self, google: Google) -> None:
        """A series is one event, or with singleEvents its occurrences, at the same wall-clock time over DST."""
        body = {
            "summary": "Walk",
            "start": {"dateTime": "2030-03-28T09:00:00", "timeZone": "Europe/London"},
            "end": {"dateTime": "2030-03-28T10:00:00", "timeZone": "Europe/London"},
            "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2"],
        }
        series = insert(google, body)
        instances = events(google).instances(calendarId="primary", eventId=series["id"]).execute()["items"]
        assert [item["start"]["dateTime"] for item in instances] == [
            "2030-03-28T09:00:00Z",
            "2030-04-04T09:00:00+01:00",
        ]
        assert instances[1]["id"] == f"{series['id']}_20300404T080000Z"
        assert instances[1]["recurringEventId"] == series["id"]
        whole = events(google).list(calendarId="primary", q="Walk").execute()["items"]
        assert [item["id"] for item in whole] == [series["id"]]
        assert [item["id"] for item in listed(google, q="Walk")] == [item["id"] for item in instances]

    def test_pages(self, google: Google) -> None:
        """Pages lead through all events once, in order."""
        call = events(google)
        request = call.list(calendarId="primary", singleEvents=True, orderBy="startTime", maxResults=4)
        ids: list[str] = []
        while request is not None:
            page = request.execute()
            ids += [item["id"] for item in page["items"]]
            request = call.list_next(request, page)
        assert ids == [item["id"] for item in listed(google)]

    def test_another_calendar(self, google: Google) -> None:
        """Somebody else's calendar is not found; one's own address is the primary calendar."""
        assert refused(events(google).list(calendarId="mara@fernhill.example").execute) == (404, "notFound")
        assert events(google).list(calendarId="dana@fernhill.example").execute()["timeZone"] == "Europe/London"


class TestInserting:
    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"end": None}, "required"),
            ({"end": {"date": "2030-05-02"}}, "invalid"),
            ({"end": NOON["start"]}, "timeRangeEmpty"),
            ({"start": {"dateTime": "2030-05-01T12:00:00"}}, "required"),
            ({"start": {"dateTime": "2030-05-01T12:00:00", "timeZone": "Mars/Base"}}, "invalid"),
            ({"attendees": [{"email": "nobody"}]}, "invalid"),
            ({"id": "Not-Base32"}, "invalid"),
            ({"start": {"dateTime": "tomorrow"}}, "invalid"),
        ],
    )
    def test_bad_events(self, google: Google, change: dict[str, Any], reason: str) -> None:
        """What Calendar cannot place in time, or invite, is a 400 with its reason."""
        body = NOON | change
        assert refused(lambda: insert(google, body)) == (400, reason)

    def test_a_clients_id_is_taken_once(self, google: Google) -> None:
        """The same id again is a 409, also when that event was deleted; on another calendar it is free."""
        body = NOON | {"id": "c0ffee0000"}
        assert insert(google, body)["id"] == "c0ffee0000"
        assert refused(lambda: insert(google, body)) == (409, "duplicate")
        events(google).delete(calendarId="primary", eventId="c0ffee0000").execute()
        assert refused(lambda: insert(google, body)) == (409, "duplicate")
        assert insert(google, body, "mara")["id"] == "c0ffee0000"

    def test_unknown_fields_are_ignored(self, google: Google) -> None:
        """sendUpdates in the body does nothing: nobody is told."""
        insert(google, NOON | TWO | {"sendUpdates": "all"})
        assert google.state()["notices"] == []

    @pytest.mark.parametrize(
        ("send_updates", "told"),
        [
            ("all", ["helen.marsh@marshgardens.example", "jonas@fernhill.example"]),
            ("externalOnly", ["helen.marsh@marshgardens.example"]),
            ("none", []),
        ],
    )
    def test_guests(self, google: Google, send_updates: str, told: list[str]) -> None:
        """Guests of the company have a copy at once; who gets a mail is what sendUpdates says."""
        event = insert(google, NOON | TWO, sendUpdates=send_updates)
        copy = get(google, event["id"], "jonas")
        assert copy["organizer"] == {"email": "dana@fernhill.example"}
        assert [guest["responseStatus"] for guest in copy["attendees"]] == ["needsAction", "needsAction"]
        assert [address for notice in google.state()["notices"] for address in notice["to"]] == told

    def test_whole_days(self, google: Google) -> None:
        """A day's end is exclusive and has no time."""
        event = insert(google, {"start": {"date": "2030-05-01"}, "end": {"date": "2030-05-02"}})
        assert event["start"] == {"date": "2030-05-01"}
        same = {"start": {"date": "2030-05-01"}, "end": {"date": "2030-05-01"}}
        assert refused(lambda: insert(google, same)) == (400, "timeRangeEmpty")


class TestChanging:
    def test_moving_the_central_event(self, google: Google) -> None:
        """A patch of the times moves it for both, keeps everything else, and counts as a new sequence."""
        old = planning(google)
        day = datetime.fromisoformat(old["start"]["dateTime"]).date() + timedelta(days=1)
        times = {
            "start": {"dateTime": f"{day}T10:00:00", "timeZone": "Europe/London"},
            "end": {"dateTime": f"{day}T11:00:00", "timeZone": "Europe/London"},
        }
        new = patch(google, old, times, etag=old["etag"], sendUpdates="all")
        assert new["etag"] != old["etag"]
        assert new["sequence"] == old["sequence"] + 1
        assert new["attendees"] == old["attendees"]
        assert planning(google, "jonas")["start"]["dateTime"].startswith(f"{day}T11:00")
        assert [(notice["kind"], notice["to"]) for notice in google.state()["notices"]] == [
            ("update", ["jonas@fernhill.example"])
        ]

    def test_an_old_etag_is_refused(self, google: Google) -> None:
        """If-Match with an etag that is no longer the event's is a 412 and changes nothing."""
        old = planning(google)
        patch(google, old, {"location": "Gate"})
        stale = refused(lambda: patch(google, old, {"location": "Office"}, etag=old["etag"]))
        assert stale == (412, "conditionNotMet")
        assert planning(google)["location"] == "Gate"

    def test_patch_merges_and_null_deletes(self, google: Google) -> None:
        """Objects merge, arrays are replaced with their answers, null removes."""
        event = insert(google, NOON | TWO | {"location": "Yard", "description": "x"})
        patch(google, event, {"attendees": [{"email": "jonas@fernhill.example"}], "location": None})
        seen = get(google, event["id"])
        assert "location" not in seen
        assert seen["description"] == "x"
        assert [guest["email"] for guest in seen["attendees"]] == ["jonas@fernhill.example"]

    def test_from_a_time_to_a_day(self, google: Google) -> None:
        """Switching to whole days needs the time to be nulled."""
        event = insert(google, NOON)
        days = {"start": {"date": "2030-05-01"}, "end": {"date": "2030-05-02"}}
        assert refused(lambda: patch(google, event, days))[0] == 400
        nulled = {side: value | {"dateTime": None} for side, value in days.items()}
        assert patch(google, event, nulled)["start"] == {"date": "2030-05-01"}

    def test_update_forgets_what_is_not_given(self, google: Google) -> None:
        """PUT replaces: guests that are not given are gone, and told so."""
        event = insert(google, NOON | TWO)
        call = events(google).update(calendarId="primary", eventId=event["id"], body=NOON, sendUpdates="all")
        assert "attendees" not in call.execute()
        assert get(google, event["id"], "jonas")["status"] == "cancelled"
        assert google.state()["notices"][-1]["kind"] == "cancellation"

    def test_guests_cannot_move_it(self, google: Google) -> None:
        """A guest who changes what is shared is refused, unless the organizer allowed it."""
        event = insert(google, NOON | TWO)
        moved = {"summary": "Mine now"}
        assert refused(lambda: patch(google, event, moved, "jonas")) == (403, "forbiddenForNonOrganizer")
        patch(google, event, {"guestsCanModify": True})
        assert patch(google, event, moved, "jonas")["summary"] == "Mine now"

    def test_a_guest_answers_for_himself(self, google: Google) -> None:
        """With attendeesOmitted only the own answer counts; the others stay as they are."""
        event = insert(google, NOON | TWO)
        answer = {
            "attendees": [{"email": "jonas@fernhill.example", "responseStatus": "declined"}],
            "attendeesOmitted": True,
        }
        patch(google, event, answer, "jonas")
        guests = get(google, event["id"])["attendees"]
        assert {guest["email"]: guest["responseStatus"] for guest in guests} == {
            "jonas@fernhill.example": "declined",
            "helen.marsh@marshgardens.example": "needsAction",
        }

    def test_colours_are_ones_own(self, google: Google) -> None:
        """A guest's colour and transparency stay on his copy."""
        event = insert(google, NOON | TWO)
        patch(google, event, {"colorId": "4", "transparency": "transparent"}, "jonas")
        assert get(google, event["id"], "jonas")["colorId"] == "4"
        assert "colorId" not in get(google, event["id"])

    def test_guests_left_out_of_the_answer(self, google: Google) -> None:
        """maxAttendees below the number of guests gives only oneself, and says so."""
        event = insert(google, NOON | TWO)
        seen = get(google, event["id"], "jonas", maxAttendees=1)
        assert seen["attendeesOmitted"]
        assert [guest["email"] for guest in seen["attendees"]] == ["jonas@fernhill.example"]


class TestDeleting:
    def test_the_organizer_cancels_for_all(self, google: Google) -> None:
        """It is cancelled on every calendar, gone from the lists, and a second delete is a 410."""
        event = insert(google, NOON | TWO | {"summary": "Chess"})
        delete = events(google).delete(calendarId="primary", eventId=event["id"], sendUpdates="all")
        delete.execute()
        assert get(google, event["id"], "jonas")["status"] == "cancelled"
        assert listed(google, "jonas", q="Chess") == []
        assert [item["id"] for item in listed(google, q="Chess", showDeleted=True)] == [event["id"]]
        assert refused(delete.execute) == (410, "deleted")
        assert google.state()["notices"][-1]["kind"] == "cancellation"

    def test_a_guest_declines(self, google: Google) -> None:
        """A guest's delete takes it from his calendar and counts as his no."""
        event = insert(google, NOON | TWO)
        events(google, "jonas").delete(calendarId="primary", eventId=event["id"]).execute()
        seen = get(google, event["id"])
        assert seen["status"] == "confirmed"
        assert seen["attendees"][0]["responseStatus"] == "declined"
        assert get(google, event["id"], "jonas")["status"] == "cancelled"


class TestFreeBusy:
    def test_busy_times(self, google: Google) -> None:
        """Busy is what is accepted and opaque; declined, free and cancelled times are not, overlapping ones are one."""
        insert(google, NOON)
        insert(google, NOON | {"end": {"dateTime": "2030-05-01T14:00:00+01:00"}})
        insert(
            google,
            {side: {"date": f"2030-05-0{day}"} for side, day in (("start", 2), ("end", 3))}
            | {"transparency": "transparent"},
        )
        body = {"timeMin": "2030-05-01T00:00:00Z", "timeMax": "2030-05-04T00:00:00Z", "items": [{"id": "primary"}]}
        asked = body | {"items": [{"id": "dana@fernhill.example"}, {"id": "x@else.example"}]}
        answer = google.calendar("mara").freebusy().query(body=asked).execute()["calendars"]
        assert answer["dana@fernhill.example"]["busy"] == [
            {"start": "2030-05-01T11:00:00Z", "end": "2030-05-01T13:00:00Z"}
        ]
        assert answer["x@else.example"]["errors"][0]["reason"] == "notFound"

    def test_the_zone_of_a_person(self, google: Google) -> None:
        """settings.get('timezone'), the calendar and a listing agree on the zone."""
        calendar = google.calendar("priya")
        assert calendar.settings().get(setting="timezone").execute()["value"] == "Asia/Kolkata"
        assert calendar.calendars().get(calendarId="primary").execute()["timeZone"] == "Asia/Kolkata"
        listing = calendar.events().list(calendarId="primary", maxResults=1, fields="timeZone").execute()
        assert listing == {"timeZone": "Asia/Kolkata"}
