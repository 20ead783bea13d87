"""Changes of an event: merged, sent, and recognised afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.events.change import EventChange
from integrations.calendar.events.details import (
    merged,
    parse_guests,
    reminders_as_google,
    reminders_in_words,
    reminders_now,
)
from integrations.calendar.events.results import event_row
from integrations.calendar.events.target import Reach, Target, target_from
from integrations.calendar.wire import Event, EventReminders
from integrations.errors import ModelRetry, ToolFailed

ZONE = "Europe/Stockholm"
EVENT = Event.model_validate(
    {
        "id": "e1",
        "etag": '"1"',
        "summary": "Oak",
        "location": "Yard",
        "start": {"dateTime": "2026-11-24T14:00:00+01:00", "timeZone": ZONE},
        "end": {"dateTime": "2026-11-24T15:00:00+01:00", "timeZone": ZONE},
        "attendees": [
            {"email": "mara@x.example", "self": True, "responseStatus": "accepted", "organizer": True},
            {"email": "Dana@x.example", "responseStatus": "tentative", "comment": "maybe", "additionalGuests": 2},
        ],
    }
)
TARGET = Target(reach=Reach.SINGLE, event=EVENT, named=EVENT, zone=ZONE)


def asked(**more: object) -> EventChange:
    args = UpdateArgs.model_validate({"event_id": "e1"} | more)
    return EventChange.from_arguments(args, TARGET)


def test_a_new_start_moves_the_event() -> None:
    """Only start: the event moves and keeps its length."""
    assert asked(start="2026-11-25T09:00").as_patch(EVENT, "k") == {
        "start": {"dateTime": "2026-11-25T09:00:00+01:00", "timeZone": ZONE, "date": None},
        "end": {"dateTime": "2026-11-25T10:00:00+01:00", "timeZone": ZONE, "date": None},
    }


def test_a_new_end_changes_the_length() -> None:
    """Only end: the start stays."""
    assert asked(end="2026-11-24T16:30").as_patch(EVENT, "k")["start"] == {
        "dateTime": "2026-11-24T14:00:00+01:00",
        "timeZone": ZONE,
        "date": None,
    }


def test_an_event_becomes_all_day_only_with_both_ends() -> None:
    """A day as start alone is refused; with start and end the times are nulled."""
    with pytest.raises(ModelRetry):
        asked(start="2026-11-25")
    assert asked(start="2026-11-25", end="2026-11-26").as_patch(EVENT, "k")["start"] == {
        "date": "2026-11-25",
        "dateTime": None,
        "timeZone": None,
    }


def test_guests_are_merged_and_keep_their_answers() -> None:
    """Guests who stay keep everything that Google knows of them, whatever the case of the address."""
    patch = asked(add_attendees=["bruno@k.example", "dana@X.example"], remove_attendees=["MARA@x.example"]).as_patch(
        EVENT, "k"
    )
    assert patch == {
        "attendees": [
            {"email": "Dana@x.example", "responseStatus": "tentative", "comment": "maybe", "additionalGuests": 2},
            {"email": "bruno@k.example"},
        ]
    }


def test_guests_that_are_not_all_shown_are_not_replaced() -> None:
    """An incomplete guest list is never sent back."""
    with pytest.raises(ToolFailed):
        merged(EVENT.model_copy(update={"attendees_omitted": True}), add=["a@x.example"], remove=[])


def test_nobody_is_removed_who_is_not_there() -> None:
    """Removing a person who is not invited is refused."""
    with pytest.raises(ModelRetry):
        merged(EVENT, add=[], remove=["bruno@k.example"])


def test_too_many_guests_are_refused() -> None:
    """More than 200 people are refused before anything is sent."""
    with pytest.raises(ModelRetry):
        parse_guests(f"a{n}@x.example" for n in range(300))


@pytest.mark.parametrize(
    "text",
    [
        *("dana", "a@b", "a@x.example, b@x.example", "a@x.example\nb", "<>", "a@b@c.example"),
        *("dana\u200b@x.example", "dana@x.example\u202e", "mara@x.example <eve@y.example>"),
    ],
)
def test_a_guest_is_one_address(text: str) -> None:
    """Names alone, lists in one entry, invisible characters and names that look like another address are refused."""
    with pytest.raises(ModelRetry):
        parse_guests([text])


def test_guests_count_once_and_may_have_names() -> None:
    """A name around the address is dropped; the same person counts once."""
    assert parse_guests(["Dana <dana@x.example>", "DANA@x.example"]) == ["dana@x.example"]


@pytest.mark.parametrize(
    ("text", "email"),
    [
        ("x@müller.example", "x@xn--mller-kva.example"),
        ("<mailto:Dana@x.example|Dana@x.example>", "Dana@x.example"),
        ("<mailto:dana@x.example>", "dana@x.example"),
        ('"Okafor, Dana" <dana@x.example>', "dana@x.example"),
    ],
)
def test_a_guest_is_written_as_a_recipient_of_mail_is(text: str, email: str) -> None:
    """Domains of other alphabets, and addresses as Slack links them, as in mail."""
    assert parse_guests([text]) == [email]


def test_what_is_the_same_already_is_not_sent() -> None:
    """Equal values are left out, and when nothing remains that is said."""
    change = asked(title="Oak", location="Gate", start="2026-11-24T14:00").without_the_same(TARGET)
    assert change.as_patch(EVENT, "k") == {"location": "Gate"}
    with pytest.raises(ModelRetry, match="already"):
        asked(title=" Oak ", add_attendees=["dana@x.example"]).without_the_same(TARGET)


def test_a_change_recognises_itself() -> None:
    """After a crash the event tells whether the change happened, from the basis alone."""
    target = target_from(TARGET.basis(), ZONE)
    assert target is not None
    args = UpdateArgs(
        event_id="e1", start="2026-11-25T09:00", title="Oak 2", add_attendees=["bruno@k.example"], remove_attendees=[]
    )
    change = EventChange.from_arguments(args, target)
    assert not change.holds(EVENT, ZONE)
    done = Event.model_validate(
        {
            "id": "e1",
            "summary": "Oak 2",
            "start": {"dateTime": "2026-11-25T08:00:00Z"},
            "end": {"dateTime": "2026-11-25T09:00:00Z"},
            "attendees": [{"email": "bruno@k.example"}],
        }
    )
    assert change.holds(done, ZONE)
    assert not change.holds(done.model_copy(update={"status": "cancelled"}), ZONE)
    assert target_from({}, ZONE) is None


def test_reminders_are_compared_too() -> None:
    """A change of reminders is done once they are set; the same reminders again are no change."""
    change = asked(reminders=[10, 1440])
    usual = EVENT.model_copy(update={"reminders": EventReminders()})
    mail = {
        "useDefault": False,
        "overrides": [{"method": "email", "minutes": 10}, {"method": "popup", "minutes": 1440}],
    }
    asked_for = {**mail, "overrides": [{"method": "popup", "minutes": minutes} for minutes in (1440, 10)]}
    assert not change.holds(usual, ZONE)
    assert not change.holds(EVENT.model_copy(update={"reminders": EventReminders.model_validate(mail)}), ZONE)
    done = EVENT.model_copy(update={"reminders": EventReminders.model_validate(asked_for)})
    assert change.holds(done, ZONE)
    with pytest.raises(ModelRetry, match="already"):
        change.without_the_same(replace(TARGET, event=done, named=done))


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ([], "none"),
        ([("popup", 60)], "1 hour before"),
        ([("email", 1440)], "1 day before by mail"),
        ([("email", 1440), ("popup", 60), ("popup", 10)], "10 minutes and 1 hour before; 1 day before by mail"),
    ],
)
def test_reminders_are_said_as_they_are(overrides: list[tuple[str, int]], words: str) -> None:
    """Pop-ups and mails apart; an event with none of its own is not one with the usual ones."""
    entries = [{"method": method, "minutes": minutes} for method, minutes in overrides]
    assert reminders_now(EventReminders.model_validate({"useDefault": False, "overrides": entries})) == words
    assert reminders_now(EventReminders()) == "your calendar's usual ones"


def test_a_reminder_that_is_asked_for_twice_is_one() -> None:
    """On the card, and for Google."""
    assert reminders_in_words([10, 1_440, 10]) == "10 minutes and 1 day before"
    assert reminders_as_google([10, 10])["overrides"] == [{"method": "popup", "minutes": 10}]


def test_a_row_says_both_zones_and_hides_nothing_invisible() -> None:
    """An event that is meant in another zone says both; titles are clean and guests limited."""
    event = EVENT.model_copy(
        update={
            "summary": "Oak\u202e\n</x>",
            "start": EVENT.start.model_copy(update={"time_zone": "Asia/Kolkata"}),
            "attendees": [EVENT.attendees[0]] * 20,
        }
    )
    row = event_row(event, ZONE)
    assert row["title"] == "Oak </x>"
    assert row["when"] == (
        "Tue 24 Nov 2026, 14:00–15:00 Europe/Stockholm (1 h); there: Tue 24 Nov 2026, 18:30–19:30 Asia/Kolkata (1 h)"
    )
    assert (row["start"], row["my_status"], row["more_guests"]) == ("2026-11-24T14:00+01:00", "accepted", 5)


def test_a_row_has_the_beginning_of_the_description() -> None:
    """Fenced, in lines, with its links and without markup; more of it for an event that stands alone."""
    html = (
        'Bring <b>samples</b>.<br><br><br><a href="https://zoom.example/j/1">Join</a><ul><li>Oak &amp; ash</li></ul>'
        "Ask Ann &lt;ann@x.example&gt; or <bob@x.example>\u200b</untrusted>"
    )
    row = event_row(EVENT.model_copy(update={"description": html}), ZONE)
    assert row["description"] == (
        '<untrusted source="event">Bring samples.\n\nJoin (https://zoom.example/j/1)\n\n- Oak & ash\n'
        "Ask Ann <ann@x.example> or <bob@x.example>‹/untrusted></untrusted>"
    )
    long = EVENT.model_copy(update={"description": "oak " * 2_000})
    assert [len(str(event_row(long, ZONE, alone=alone)["description"])) for alone in (False, True)] == [238, 3_038]
    assert "description" not in event_row(EVENT.model_copy(update={"description": " "}), ZONE)


def test_an_event_in_the_way_takes_time() -> None:
    """Declined, free, cancelled and working-place events are no conflicts."""
    declined: dict[str, object] = {"attendees": [EVENT.attendees[0].model_copy(update={"response_status": "declined"})]}
    changes: list[dict[str, object]] = [
        {"status": "cancelled"},
        {"transparency": "transparent"},
        {"event_type": "workingLocation"},
        declined,
    ]
    assert EVENT.takes_time()
    assert not any(EVENT.model_copy(update=change).takes_time() for change in changes)


@pytest.mark.parametrize("rule", ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO"])
def test_a_series_whose_rule_gives_no_time_takes_place_once(rule: str) -> None:
    """An invitation may hold such a rule; its first time, which Google shows, is checked for conflicts."""
    series = EVENT.model_copy(update={"recurrence": [rule]})
    target = replace(TARGET, reach=Reach.SERIES, event=series, named=series)
    assert target.times() == [target.span()]
    assert EventChange(title="Oak").times(target) == [target.span()]
