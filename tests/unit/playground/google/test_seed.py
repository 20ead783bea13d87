"""The seeded world: believable, complete, and right on any day of the week."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from playground.changes import Changes
from playground.clock import Clock
from playground.google.calendar.free_busy import busy_spans
from playground.google.calendar.times import Span
from playground.google.seed import Seed
from playground.google.showing import shown
from playground.google.world import World
from playground.people import DANA, JONAS, PEOPLE
from playground.world.dates import Days

LONDON = ZoneInfo("Europe/London")


class FixedClock(Clock):
    def __init__(self, now: datetime) -> None:
        super().__init__()
        self._now = now

    def seconds(self) -> float:
        return self._now.timestamp()


@pytest.fixture(scope="module")
def seed() -> Seed:
    return Seed()


def planted(seed: Seed, now: datetime) -> World:
    world = World(FixedClock(now), Changes())
    seed.plant(world)
    return world


@pytest.fixture(scope="module")
def world(seed: Seed) -> World:
    return planted(seed, datetime(2026, 11, 21, 15, tzinfo=UTC))


def mails(world: World) -> dict[str, Any]:
    """Every mail once, by its Message-ID."""
    boxes = world.post.mailboxes.values()
    return {stored.letter.message_id: stored for box in boxes for stored in box.messages.values()}


def test_enough_of_everything(world: World) -> None:
    """At least 60 mails in 25 conversations, and something in every mailbox and calendar."""
    assert len(mails(world)) >= 60
    topics = {stored.letter.topic for stored in mails(world).values()}
    assert len(topics) >= 25
    for person in PEOPLE:
        box = world.post.mailbox(person)
        assert any("UNREAD" in stored.labels for stored in box.messages.values()), person.handle
        assert any("SENT" in stored.labels for stored in box.messages.values()), person.handle
        assert len(world.agenda.shown(person)) >= 5, person.handle


def test_each_mail_has_a_reference_of_its_own(world: World) -> None:
    """The part of a body that is not quoted carries exactly one reference number, and no two mails share it."""
    tokens: Counter[str] = Counter()
    for stored in mails(world).values():
        own = "\n".join(line for line in stored.letter.text.splitlines() if not line.startswith(">"))
        found = re.findall(r"FRN-M-\d{4}", own)
        assert len(found) == 1, stored.letter.subject
        tokens[found[0]] += 1
    assert set(tokens.values()) == {1}


def test_each_event_has_a_reference_of_its_own(world: World) -> None:
    """Every description carries one reference number; only the instances of a series share theirs."""
    owners: dict[str, set[str]] = {}
    for events in world.agenda.calendars.values():
        for event in events.values():
            (token,) = re.findall(r"FRN-E-\d{4}", event.shared["description"])
            owners.setdefault(token, set()).add(event.series or event.id)
    assert all(len(ids) == 1 for ids in owners.values())
    assert len(owners) >= 25


def test_every_trap_is_there(world: World) -> None:
    """HTML only, attachments, a long mail, a long Message-ID, other charsets, an injection, a list, a carried mail."""
    letters = [stored.letter for stored in mails(world).values()]
    kinds = Counter(letter.message.get_content_type() for letter in letters)
    assert kinds["text/html"] >= 1
    assert kinds["multipart/mixed"] >= 4
    assert max(len(letter.text) for letter in letters) > 20_000
    assert max(len(letter.message_id) for letter in letters) > 80
    assert {letter.message.get_content_charset() for letter in letters} >= {"iso-8859-1", "koi8-r", "iso-2022-jp"}
    assert any("ignore all previous instructions" in letter.text for letter in letters)
    assert any(letter.header("List-ID") for letter in letters)
    assert any(part.get_content_type() == "message/rfc822" for letter in letters for part in letter.message.walk())


def test_nothing_is_from_the_future(world: World) -> None:
    """No mail is newer than now, and answers are newer than what they answer."""
    for box in world.post.mailboxes.values():
        for stored in box.messages.values():
            assert stored.arrived_ms <= world.clock.seconds() * 1000
            thread = box.thread(stored.thread_id)
            ids = [message.letter.message_id for message in thread]
            assert all(
                ids.index(one) <= ids.index(stored.letter.message_id) for one in stored.letter.references & {*ids}
            )


@pytest.mark.parametrize("hour", [0, 12, 23])
@pytest.mark.parametrize("day", range(21, 28))
def test_the_central_scene_on_any_day(seed: Seed, day: int, hour: int) -> None:
    """The delivery planning is on a Wednesday to come, and Thursday at ten is free for both."""
    now = datetime(2026, 11, day, hour, tzinfo=UTC)
    world = planted(seed, now)
    event = next(event for event in world.agenda.of(DANA).values() if "Marsh" in event.shared["summary"])
    start = event.span(LONDON).start.astimezone(LONDON)
    assert (start.weekday(), start.hour) == (2, 14)
    assert timedelta(0) < start - now < timedelta(days=8)
    ten = (start + timedelta(days=1)).replace(hour=10)
    free = Span(start=ten, end=ten + timedelta(hours=1))
    assert busy_spans(world.agenda, DANA, free) == busy_spans(world.agenda, JONAS, free) == []
    assert world.agenda.of(JONAS)[event.id].answer_of(JONAS) == "accepted"


def test_three_weeks_are_filled(world: World) -> None:
    """The week before, this one and the next all have events."""
    days = Days(world.clock.now())
    spans = [event.span(LONDON) for events in world.agenda.calendars.values() for event in events.values()]
    for week in ("-1", "0", "+1"):
        monday = days.named(f"{week} mon")
        starts = [span.start.date() for span in spans]
        assert sum(monday <= start < monday + timedelta(days=7) for start in starts) >= 8


def test_the_state_is_whole(world: World) -> None:
    """The page gets everybody's mail and events, and Mara's open question from her supplier on top."""
    state = shown(world)
    assert state["people"].keys() == {person.handle for person in PEOPLE}
    newest = state["people"]["mara"]["inbox"][0]
    assert newest["from"] == "Bruno Keller <bruno@kellerholz.example>"
    assert newest["subject"] == "Re: Invoice 2291 and the late oak"
    assert "do you need a credit note?" in newest["text"]
    event = state["people"]["dana"]["events"][0]
    assert {"id", "summary", "start", "end", "zone", "etag", "updated", "htmlLink"} <= event.keys()
    assert state["outside"] == []
