"""Shared calendars, Meet links and who can be seen, as the real client meets them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.contract.playground.google.client import Google, refused
from tests.contract.playground.google.test_calendar import NOON, events, get, insert, patch

TEAM = "c_fernhillteam@group.calendar.google.com"
HOLIDAYS = "en.uk#holiday@group.v.calendar.google.com"
SPAN = {"timeMin": "2030-05-01T00:00:00Z", "timeMax": "2030-05-03T00:00:00Z"}


def meet(request_id: str = "") -> dict[str, Any]:
    key = {"type": "hangoutsMeet"}
    return {"conferenceData": {"createRequest": {"requestId": request_id or uuid4().hex, "conferenceSolutionKey": key}}}


class TestSharing:
    def test_everybody_has_several(self, google: Google) -> None:
        """The own calendar comes first, then the shared ones with what one may do there; guests have only theirs."""
        entries = google.calendar().calendarList().list().execute()["items"]
        assert [(entry["summary"], entry["accessRole"]) for entry in entries] == [
            ("dana@fernhill.example", "owner"),
            ("Fernhill team", "writer"),
            ("Deliveries", "owner"),
            ("Holidays in United Kingdom", "reader"),
        ]
        assert [entry.get("primary", False) for entry in entries] == [True, False, False, False]
        assert len(google.calendar("theo").calendarList().list().execute()["items"]) == 1
        writable = google.calendar("luis").calendarList().list(minAccessRole="writer").execute()["items"]
        assert [entry["summary"] for entry in writable] == ["luis@fernhill.example"]

    def test_a_shared_event(self, google: Google) -> None:
        """An event on the team's calendar is the team's, made by Dana, and Jonas sees it there too."""
        made = events(google).insert(calendarId=TEAM, body=NOON | {"summary": "Cake"}).execute()
        assert made["organizer"] == {"email": TEAM, "displayName": "Fernhill team", "self": True}
        assert made["creator"] == {"email": "dana@fernhill.example"}
        seen = events(google, "jonas").get(calendarId=TEAM, eventId=made["id"]).execute()
        assert seen["summary"] == "Cake"
        assert refused(lambda: get(google, made["id"], "jonas")) == (404, "notFound")

    def test_readers_only_read(self, google: Google) -> None:
        """A holiday cannot be changed, and a calendar that only shows busy times is not found."""
        listing = events(google).list(calendarId=HOLIDAYS, singleEvents=True).execute()
        assert listing["summary"] == "Holidays in United Kingdom"
        assert listing["items"][0]["summary"] == "St Andrew's Day"
        write = events(google).insert(calendarId=HOLIDAYS, body=NOON)
        assert refused(write.execute) == (403, "requiredAccessLevel")
        delete = events(google).delete(calendarId=HOLIDAYS, eventId=listing["items"][0]["id"])
        assert refused(delete.execute) == (403, "requiredAccessLevel")
        deliveries = events(google, "mara").list(calendarId="c_deliveries@group.calendar.google.com")
        assert refused(deliveries.execute) == (404, "notFound")


class TestMeet:
    def test_pending_then_there(self, google: Google) -> None:
        """A Meet link is pending in the answer and there when the event is read again."""
        event = insert(google, NOON | meet(), conferenceDataVersion=1)
        assert event["conferenceData"]["createRequest"]["status"] == {"statusCode": "pending"}
        assert "hangoutLink" not in event
        seen = get(google, event["id"])
        assert seen["conferenceData"]["createRequest"]["status"] == {"statusCode": "success"}
        assert seen["hangoutLink"].startswith("https://meet.google.com/")
        assert seen["conferenceData"]["entryPoints"][0]["uri"] == seen["hangoutLink"]

    def test_version_zero_changes_nothing(self, google: Google) -> None:
        """Without conferenceDataVersion=1 a request is ignored, and a patch keeps the link."""
        assert "conferenceData" not in insert(google, NOON | meet())
        event = insert(google, NOON | meet(), conferenceDataVersion=1)
        link = get(google, event["id"])["hangoutLink"]
        assert patch(google, event, {"summary": "x", "conferenceData": None})["hangoutLink"] == link
        assert "hangoutLink" not in patch(google, event, {"conferenceData": None}, conferenceDataVersion=1)

    def test_the_same_request_again(self, google: Google) -> None:
        """A request id that was used for this event already makes no second conference."""
        event = insert(google, NOON | meet("r1"), conferenceDataVersion=1)
        link = get(google, event["id"])["hangoutLink"]
        assert patch(google, event, meet("r1"), conferenceDataVersion=1)["hangoutLink"] == link
        assert "hangoutLink" not in patch(google, event, meet("r2"), conferenceDataVersion=1)
        assert get(google, event["id"])["hangoutLink"] != link

    def test_copying_a_conference(self, google: Google) -> None:
        """An event that is given another's conference has the same link at once, without a request of its own."""
        first = get(google, insert(google, NOON | meet(), conferenceDataVersion=1)["id"])
        copied = {name: value for name, value in first["conferenceData"].items() if name != "createRequest"}
        second = insert(google, NOON | {"conferenceData": copied}, conferenceDataVersion=1)
        assert second["hangoutLink"] == first["hangoutLink"]
        assert "createRequest" not in second["conferenceData"]
        bad = NOON | {"conferenceData": copied | {"conferenceId": "nonsense"}}
        assert refused(lambda: insert(google, bad, conferenceDataVersion=1)) == (400, "invalid")

    @pytest.mark.parametrize("outcome", ["pending", "failure"])
    def test_when_it_does_not_come(self, google: Google, outcome: str) -> None:
        """A conference can stay pending, or fail."""
        google.admin("calendar", {"meet": outcome})
        event = insert(google, NOON | meet(), conferenceDataVersion=1)
        seen = get(google, event["id"])
        assert seen["conferenceData"]["createRequest"]["status"] == {"statusCode": outcome}

    def test_no_request_id(self, google: Google) -> None:
        """A request without an id is a 400."""
        body = NOON | {"conferenceData": {"createRequest": {"conferenceSolutionKey": {"type": "hangoutsMeet"}}}}
        assert refused(lambda: insert(google, body, conferenceDataVersion=1)) == (400, "invalid")


class TestBusy:
    def busy(self, google: Google, *ids: str, who: str = "dana") -> Any:
        body = SPAN | {"items": [{"id": name} for name in ids]}
        google.admin("grants", {"person": who, "scopes": None})
        return google.calendar(who).freebusy().query(body=body).execute()["calendars"]

    def test_people_who_cannot_be_seen(self, google: Google) -> None:
        """Somebody who shares nothing, an outsider and a guest are notFound, which does not mean free."""
        google.admin("calendar", {"hidden": ["luis"]})
        names = ("luis@fernhill.example", "helen.marsh@marshgardens.example", "theo@grantworks.example")
        seen = self.busy(google, *names, "jonas@fernhill.example")
        for name in names:
            assert seen[name] == {"busy": [], "errors": [{"domain": "global", "reason": "notFound"}]}
        assert seen["jonas@fernhill.example"] == {"busy": []}

    def test_shared_calendars_too(self, google: Google) -> None:
        """A calendar that shows only busy times shows those."""
        deliveries = "c_deliveries@group.calendar.google.com"
        events(google).insert(calendarId=deliveries, body=NOON).execute()
        assert len(self.busy(google, deliveries, who="mara")[deliveries]["busy"]) == 1
        assert "errors" in self.busy(google, deliveries, who="priya")[deliveries]

    def test_a_place_of_work_keeps_nobody_busy(self, google: Google) -> None:
        """Working locations and what is shown as free do not count."""
        office = {"type": "officeLocation"}
        insert(google, NOON | {"eventType": "workingLocation", "workingLocationProperties": office})
        insert(google, NOON | {"transparency": "transparent"})
        assert self.busy(google, "primary")["primary"] == {"busy": []}


def test_too_many_guests(google: Google) -> None:
    """More than two hundred guests are refused."""
    guests = [{"email": f"guest{number}@outside.example"} for number in range(201)]
    assert refused(lambda: insert(google, NOON | {"attendees": guests})) == (400, "invalid")


def test_an_invitation_from_outside(google: Google) -> None:
    """Somebody outside invites: the event is on the calendar, the mail in the inbox, and an answer goes back."""
    body = NOON | {"summary": "Walk through the garden"}
    made = google.admin(
        "invite", {"from": "Helen Marsh <helen.marsh@marshgardens.example>", "to": ["dana@fernhill.example"], **body}
    )
    event = get(google, made["id"])
    assert event["organizer"]["email"] == "helen.marsh@marshgardens.example"
    assert refused(lambda: patch(google, event, {"summary": "Mine"})) == (403, "forbiddenForNonOrganizer")
    answer = {"attendees": [{"email": "dana@fernhill.example", "responseStatus": "accepted"}], "attendeesOmitted": True}
    patch(google, event, answer, sendUpdates="all")
    assert google.state()["notices"][-1]["to"] == ["helen.marsh@marshgardens.example"]
    mail = google.gmail().users().messages().list(userId="me", q="Invitation walk").execute()["messages"][0]
    payload = google.gmail().users().messages().get(userId="me", id=mail["id"]).execute()["payload"]
    assert {"text/plain", "text/calendar"} <= {part["mimeType"] for part in payload["parts"][0]["parts"]}
