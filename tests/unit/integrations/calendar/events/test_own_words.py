"""Which links of an event are its owner's own: what Google says of it has to prove that."""

from __future__ import annotations

import pytest

from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.events.change import EventChange
from integrations.calendar.events.impact import impact_of_change
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.wire import Event
from policies.event_ids import event_id_for
from policies.guards.impacts import addresses_of
from policies.provenance import Impact

ZONE = "Europe/Stockholm"
MARA, DANA = "mara@x.example", "dana@x.example"
ZOOM, MEET = "https://zoom.example/j/1", "https://meet.google.com/abc-defg-hij"


def event(**more: object) -> Event:
    there: dict[str, object] = {
        "id": "e1",
        "iCalUID": "e1@google.com",
        "summary": "Oak",
        "location": ZOOM,
        "description": '<a href="https://plan.example">Plan</a>',
        "created": "2026-11-20T10:00:00.000Z",
        "updated": "2026-11-20T10:00:01.500Z",
        "start": {"dateTime": "2026-11-24T14:00:00+01:00", "timeZone": ZONE},
        "end": {"dateTime": "2026-11-24T15:00:00+01:00", "timeZone": ZONE},
        "organizer": {"email": MARA, "self": True},
        "creator": {"email": MARA, "self": True},
    }
    return Event.model_validate(there | more)


def invited(now: Event, **more: object) -> Impact:
    args = UpdateArgs.model_validate({"event_id": now.id, "add_attendees": [DANA]} | more)
    target = Target(reach=Reach.SINGLE, event=now, named=now, zone=ZONE)
    change = EventChange.from_arguments(args, target).without_the_same(target)
    return impact_of_change(target, change, args.add_attendees, home=MARA)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"attendees": [{"email": MARA, "self": True}]},
        {"creator": {"email": MARA}},
        {"id": "e1_20261124T130000Z", "recurringEventId": "e1"},
        {"updated": "2026-11-20T10:00:05.000Z"},
    ],
)
def test_what_its_owner_wrote_into_their_event_is_theirs(more: dict[str, object]) -> None:
    """Guests whom they add read it, and nobody else named its links. What is written now is judged."""
    assert addresses_of(invited(event(**more))) == []
    assert addresses_of(invited(event(**more), description="See evil.example")) == ["evil.example"]


@pytest.mark.parametrize(
    "more",
    [
        {"updated": "2026-11-20T10:00:06.000Z"},
        {"updated": ""},
        {"created": "yesterday"},
        {"created": "2026-11-20T10:00:00"},
        {"creator": {"email": DANA}},
        {"creator": {}},
        {"organizer": {"email": DANA}},
        {"guestsCanModify": True},
        {"attendees": [{"email": "bob@x.example"}]},
        {"attendeesOmitted": True},
        {"eventType": "fromGmail"},
        {"iCalUID": "invite-7@elsewhere.example"},
        {"id": "e1@c_team@group.calendar.google.com", "iCalUID": "e1@google.com"},
        {"id": event_id_for("act_1"), "iCalUID": f"{event_id_for('act_1')}@google.com"},
    ],
)
def test_what_somebody_else_may_have_written_is_not(more: dict[str, object]) -> None:
    """It was changed, made or imported by somebody else or by the agent, or they could have; or Google does not say."""
    assert set(addresses_of(invited(event(**more)))) == {"zoom.example/j/1", "plan.example"}


@pytest.mark.parametrize(
    ("kind", "link", "found"),
    [
        ("hangoutsMeet", MEET, []),
        ("addOn", MEET, ["meet.google.com/abc-defg-hij"]),
        ("hangoutsMeet", "https://meet.google.com/abc-defg-hij?x=1", ["meet.google.com/abc-defg-hij?x=1"]),
        ("hangoutsMeet", ZOOM, ["zoom.example/j/1"]),
    ],
)
def test_the_link_that_google_made_is_nobody_elses(kind: str, link: str, found: list[str]) -> None:
    """That of a Meet conference of the event, also where its text repeats it; of nobody else's event."""
    conference = {
        "conferenceSolution": {"key": {"type": kind}},
        "entryPoints": [{"entryPointType": "video", "uri": link}],
    }
    changed = {"updated": "2026-11-22T10:00:00Z", "location": "", "description": f"Join: {link}"}
    assert list(addresses_of(invited(event(**changed, conferenceData=conference)))) == found
    theirs = event(**changed, conferenceData=conference, organizer={"email": DANA})
    assert len(addresses_of(invited(theirs))) == 1


def test_nothing_is_theirs_where_nobody_is_added() -> None:
    """What is written into an event that others read is judged, whatever stood there."""
    now = event(attendees=[{"email": "bob@x.example"}])
    assert addresses_of(invited(now, add_attendees=[], description=f"See {ZOOM}")) == ["zoom.example/j/1"]
