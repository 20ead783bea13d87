"""An event as the model gets it: a row of a search, or the result of a write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from integrations.base import ObjectRef, Result, Unknown
from integrations.calendar.recurrence.words import lines_in_words
from integrations.calendar.time_range import DateRange, TimeRange, span_of
from integrations.calendar.wire import Attendee, Event
from integrations.fences import untrusted
from integrations.text import clean, visible
from policies.characters import quoted, unescaped
from policies.types import Label

CALENDAR_LINK = "https://calendar.google.com/calendar/"
LOOK_IN_CALENDAR = Unknown(where="Google Calendar", link=CALENDAR_LINK)
TITLE_LENGTH = 160
PLACE_LENGTH = 200
GUESTS = 15
DESCRIPTION, ALONE = 200, 3_000
"""So many characters of a description are shown; of an event that is the only one found, the second."""
DESCRIPTION_READ = 20_000
_ENDS = re.compile(r"<(?:br|/p|/div|/?ul|/?ol|/h[1-6]|/tr)\b[^<>]*>", re.IGNORECASE)
_ITEM = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_LINK = re.compile(r"<a\s[^<>]*?href=\"(?P<to>https?://[^\"<>]*)\"[^<>]*>(?P<said>[^<>]*)</a>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|i|u|s|p|br|em|strong|div|span|ul|ol|li|h[1-6]|table|tbody|tr|td|th|html-blob|font|pre|code|blockquote)"
    r"(?=[\s/>])[^<>]*>",  # and not an address between angle brackets
    re.IGNORECASE,
)


def event_row(
    event: Event, zone: str, *, calendar: str | None = None, email: str = "", alone: bool = False
) -> dict[str, object]:
    """Title, time in the person's zone, place, guests with their answers, and the ids to go on with.

    `calendar` names its calendar where that is not the person's own; `email` is the person's. An event that is found
    `alone` shows more of its description.
    """
    span = span_of(event.start, event.end, zone)
    start, end = _ends(span, zone)
    guests = event.guests()
    row: dict[str, object] = {
        "event_id": event.id,
        "title": clean(event.summary, TITLE_LENGTH) or "(no title)",
        "when": in_words(span, zone),
        "start": start,
        "end": end,
        "where": clean(event.location, PLACE_LENGTH),
        "guests": [{"email": guest.email, "status": guest.response_status} for guest in guests[:GUESTS]],
        "my_status": event.answer_of(email) if calendar else event.my_status(),
        "recurring": event.recurring_event_id is not None,
        "link": event.html_link,
    }
    more: dict[str, object] = {
        "guest_count": _counts(guests) if guests else None,
        "more_guests": len(guests) - GUESTS if len(guests) > GUESTS else None,
        "organizer": None if event.organizer.is_self else event.organizer.email or None,
        "description": _described(event, ALONE if alone else DESCRIPTION),
        "meet": event.meet_link() or None,
        "calendar": clean(calendar, 80) if calendar else None,
    }
    return row | {name: value for name, value in more.items() if value is not None}


def _described(event: Event, length: int) -> str | None:
    """The beginning of its description; None without one."""
    text = visible(text_of(event.description))
    shown = text if len(text) <= length else f"{text[: length - 1].rstrip()}…"
    return untrusted(shown, source="event") if shown else None


def text_of(description: str) -> str:
    """A description in lines, with its links and without markup."""
    text = _LINK.sub(_linked, description[:DESCRIPTION_READ])
    plain = unescaped(_TAG.sub("", _ITEM.sub("\n- ", _ENDS.sub("\n", text))))
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip()


def _linked(match: re.Match[str]) -> str:
    to, said = match["to"], match["said"].strip()
    return said if to in said else f"{said} ({to})"


def _counts(guests: Sequence[Attendee]) -> dict[str, int]:
    """How many guests gave each answer."""
    return dict(Counter(guest.response_status for guest in guests))


def event_result(event: Event, zone: str, *, done: str, meet: bool = False, note: str = "") -> Result:
    """What a write returns; `done` is the verb for people ("Created"), `meet` whether a link was asked for."""
    span = span_of(event.start, event.end, zone)
    when = in_words(span, zone)
    repeats = lines_in_words(event.recurrence, span)
    title = clean(event.summary, TITLE_LENGTH) or "(no title)"
    note = "The event has been removed since." if event.status == "cancelled" else note
    told = {"repeats": repeats, "meet": meet_words(event) if meet else "", "note": note}
    return Result(
        data={"event_id": event.id, "when": when, "link": event.html_link} | {k: v for k, v in told.items() if v},
        summary=f"{done} {quoted(title)}, {when}{f', {repeats}' if repeats else ''}{f'. {note}' if note else ''}",
        label=Label.CONFIG,
        objects=[ObjectRef(kind="event", id=event.id, title=title, people=tuple(g.email for g in event.guests())[:20])],
        link=event.html_link or None,
    )


def meet_words(event: Event) -> str:
    """What to say about the Meet link that was requested."""
    if link := event.meet_link():
        return link
    return "still being made: look into the event" if event.is_pending() else "Google made no Meet link"


def in_words(span: TimeRange, zone: str) -> str:
    """The time in the person's zone, and in the event's own zone where that shows another time."""
    words = span.words(zone)
    if isinstance(span, DateRange) or _same_clock(span.zone, span, zone):
        return words
    return f"{words}; there: {span.words()}"


def _same_clock(name: str, span: TimeRange, zone: str) -> bool:
    return name == zone or span.words(name).replace(name, zone) == span.words(zone)


def _ends(span: TimeRange, zone: str) -> tuple[str, str]:
    if isinstance(span, DateRange):
        return span.start.isoformat(), span.end.isoformat()
    start, end = (at.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes") for at in (span.start, span.end))
    return start, end
