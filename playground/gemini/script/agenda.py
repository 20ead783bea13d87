"""Requests about the calendar: what is on it, new events, moved ones, guests."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import date, datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from playground.gemini.schema import Json
from playground.gemini.script import patterns
from playground.gemini.script.dates import day_in, duration_in, local, spans_in, spoken_day, time_in, without_times
from playground.gemini.script.doing import Calls, Doing, Outcomes, Stuck, Told, need, one
from playground.gemini.script.mail import addresses_of, names_in
from playground.gemini.script.phrases import failed
from playground.gemini.script.reading import Reading
from playground.gemini.script.recurrence import recurrence_in, without_end, without_recurrence
from playground.gemini.script.wording import listed, plain, to_them

DEFAULT_LENGTH = timedelta(minutes=30)
FALLBACK_LENGTH = timedelta(hours=1)
A_WEEK = timedelta(days=7)
_HOURS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24)}
_MEET = re.compile(
    r"\s*,?\s*\b(?:with|and|plus|on)\s+(?:an?\s+)?(?:google\s+)?(?:meet|video)(?:\s+(?:link|call))?\b", re.I
)
_CLASH = re.compile(r"\b(?:clash|conflict|overlap)\w*", re.I)
_PART = re.compile(r"\b(?:morning|afternoon|evening)\b", re.I)
_CALENDARS = re.compile(r"\b(?:what|which|list|show|how\s+many)\b.*\bcalendars\b", re.I)


def understood(clause: str, reading: Reading) -> Doing | None:
    """The task of a clause about the calendar, if it is one."""
    if _CALENDARS.search(clause):
        return naming_calendars(reading)
    if match := patterns.INVITE.search(clause):
        return inviting(match["who"], match["what"].strip(" .?!"), reading)
    if (match := patterns.MOVE.search(clause)) and (day_in(match["when"], reading.now.today) or time_in(match["when"])):
        return moving(match["what"].strip(), match["when"], reading)
    if (match := patterns.CREATE.search(clause)) and not re.match(r"(?i)\s*(?:what|which|when|show|list)\b", clause):
        return creating(match["kind"], clause, reading)
    if match := patterns.WHEN_IS.search(clause):
        return finding(without_times(match["what"]), reading)
    return listing(clause, reading) if patterns.AGENDA.search(clause) else None


def listing(clause: str, reading: Reading) -> Doing:
    """List what is on the calendar on some days."""
    told = ""
    for span in spans_in(clause, reading.now.today):
        told += "\n\n" + (yield from _listed(span, clause, reading))
    return told.strip()


def _listed(span: tuple[date, date, str], clause: str, reading: Reading) -> Doing:
    start, end, name = span
    found = yield from need("calendar_search", start=_midnight(start), end=_midnight(end))
    rows = found.rows("events")
    if part := _PART.search(clause):
        name = f"{name} in the {part[0].lower()}"
        rows = [row for row in rows if _is_in(row, part[0].lower(), reading)]
    if not rows:
        return f"Nothing is on your calendar {name}."
    clashes = f"\n\n{_clashes(rows, reading)}" if _CLASH.search(clause) else ""
    return f"On your calendar {name}:\n" + _lines(rows) + clashes


def _clashes(rows: list[Json], reading: Reading) -> str:
    """Which of these overlap; events of whole days leave room for others."""
    timed = [(_of(row.get("start"), reading), _of(row.get("end"), reading), row) for row in rows]
    spans = [
        (start, end, row) for start, end, row in timed if isinstance(start, datetime) and isinstance(end, datetime)
    ]
    pairs = [
        f"- “{plain(str(one.get('title', '')))}” and “{plain(str(other.get('title', '')))}”, {other.get('when', '')}"
        for place, (_, end, one) in enumerate(spans)
        for start, _, other in spans[place + 1 :]
        if start < end
    ]
    return "These clash:\n" + "\n".join(pairs) if pairs else "Nothing clashes."


def naming_calendars(reading: Reading) -> Doing:
    """List the calendars, also those that are not looked at."""
    found = yield from need("calendar_search", start=_midnight(reading.now.today), limit=1)
    names = [
        to_them(str(row.get("name"))) + ("" if row.get("may_write") else " (read only)")
        for row in found.rows("calendars")
    ]
    left_out = [plain(str(text)) for text in cast("list[object]", found.get("not_looked_at") or [])]
    told = f"Your calendars: {listed(names)}." if names else "I see your own calendar only."
    return " ".join([told, *(f"Not looked at: {text}." for text in left_out)])


def _is_in(row: Json, part: str, reading: Reading) -> bool:
    """Whether an event overlaps that part of the day; an all-day event does."""
    start, end = _of(row.get("start"), reading), _of(row.get("end"), reading)
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return True
    first, last = _HOURS[part]
    return start.hour < last and (end.date() > start.date() or end.time() > time(first))


def finding(what: str, reading: Reading) -> Doing:
    """Say when an event is."""
    found = yield from need("calendar_search", query=what, start=_midnight(reading.now.today))
    rows = found.rows("events")
    return f"I found no event “{what}”." if not rows else _lines(rows[:3])


def moving(what: str, when: str, reading: Reading) -> Doing:
    """Find an event, then give it another time; parts that were not said stay."""
    event = yield from (event_at(what, reading) if _is_time(what) else found_event(what, reading))
    return (yield from moving_event(event, when, reading))


def moving_event(event: Json, when: str, reading: Reading) -> Doing:
    """Give a known event another time."""
    title = plain(str(event.get("title", "")))
    start, end = moved(event, when, reading)
    changed = yield from one("calendar_event_update", event_id=event["event_id"], start=local(start), end=local(end))
    if changed.error:
        return failed(changed)
    return Told(f"“{title}” is moved to {_spoken(start, end)}.")


def in_the_way(rows: list[Json], event_id: str, start: str, end: str, reading: Reading) -> Json | None:
    """The first of these events, other than the one that is moved, that takes some of this time. Those of whole days,
    and of calendars that are not the person's own, leave room for others.
    """
    first, last = _of(start, reading), _of(end, reading)
    for row in rows:
        begins, ends = _of(row.get("start"), reading), _of(row.get("end"), reading)
        is_other = row.get("event_id") != event_id and not row.get("calendar")
        if not is_other or not all(isinstance(at, datetime) for at in (first, last, begins, ends)):
            continue
        if cast("datetime", begins) < cast("datetime", last) and cast("datetime", first) < cast("datetime", ends):
            return row
    return None


def clock_of(moment: object, reading: Reading) -> str:
    """The time of day of a moment, as `11:00`."""
    at = _of(moment, reading)
    return f"{at:%H:%M}" if isinstance(at, datetime) else ""


def inviting(who: str, what: str, reading: Reading) -> Doing:
    """Find an event, then add guests."""
    event = yield from found_event(what, reading)
    guests = yield from addresses_of(names_in(who), reading.tools)
    changed = yield from one("calendar_event_update", event_id=event["event_id"], add_attendees=guests)
    if changed.error:
        return failed(changed)
    title = plain(str(event.get("title", "")))
    return Told(f"{listed(guests)} {'are' if len(guests) > 1 else 'is'} invited to “{title}”.")


def creating(kind: str, clause: str, reading: Reading) -> Doing:
    """Find the guests' addresses, then create an event."""
    meet, clause = _MEET.search(clause) is not None, _MEET.sub("", clause)
    recurrence = recurrence_in(clause)
    said = without_end(clause) if recurrence else clause
    day, clock = day_in(said, reading.now.today), time_in(said)
    if day is None and recurrence:
        day = recurrence.first_day(reading.now.today)
    if day is None and clock is None:
        raise Stuck("When shall it be? Tell me the day and the time, and I will prepare the event.")
    clause = without_recurrence(said) if recurrence else said
    guests_named = patterns.WITH.search(clause)
    guests: list[str] = (yield from addresses_of(names_in(guests_named["who"]), reading.tools)) if guests_named else []
    start: date | datetime = day or reading.now.today
    if clock is not None:
        start = datetime.combine(start, clock)
    length = duration_in(clause) or (
        DEFAULT_LENGTH if re.match("(?i)call|chat|coffee|catch", kind) else FALLBACK_LENGTH
    )
    end = start + (length if isinstance(start, datetime) else timedelta(days=1))
    title = _title(kind, clause, guests_named["who"] if guests_named else "")
    place = patterns.PLACE.search(clause)
    made = yield from one(
        "calendar_event_create",
        title=title,
        start=local(start),
        end=local(end),
        attendees=guests or None,
        location=place["place"].strip() if place else None,
        recurrence=recurrence.as_rule(start) if recurrence else None,
        meet=True if meet else None,
    )
    if made.error:
        return failed(made)
    company, repeats = f", with {listed(guests)}" if guests else "", made.get("repeats")
    told = f"Created: “{title}”, {_spoken(start, end)}{f', {repeats}' if repeats else ''}{company}."
    if not meet:
        return Told(told)
    link = f"Meet: {made.get('meet') or 'see the event'}."
    return link if reading.briefly else f"{told} {link}"


def found_event(what: str, reading: Reading) -> Generator[Calls, Outcomes, Json]:
    """The next event of that name."""
    name = without_times(re.sub(r"(?i)\b(meeting|event|appointment)$", "", what)) or what
    known = [seen for seen in reading.objects if seen.kind == "event" and name.lower() in seen.title.lower()]
    for query in dict.fromkeys((name, name.split()[0])):
        found = yield from need("calendar_search", query=query, start=_midnight(reading.now.today))
        rows = found.rows("events")
        ids = {seen.id for seen in known}
        if best := [row for row in rows if row.get("event_id") in ids] or rows:
            return best[0]
    raise Stuck(f"I found no event “{what}” in your calendar. Nothing was changed.")


def _is_time(what: str) -> bool:
    """Whether an event is named only by its time: `3 o'clock`, `10:00 tomorrow`."""
    return time_in(what) is not None and not without_times(what)


def event_at(what: str, reading: Reading) -> Generator[Calls, Outcomes, Json]:
    """The next event that begins at that time, on the day that is named or within a week."""
    clock, day = time_in(what), day_in(what, reading.now.today)
    first = day or reading.now.today
    end = first + (timedelta(days=1) if day else A_WEEK)
    found = yield from need("calendar_search", start=_midnight(first), end=_midnight(end))
    for row in found.rows("events"):
        start = _of(row.get("start"), reading)
        if isinstance(start, datetime) and start.time() == clock:
            return row
    raise Stuck(f"I found nothing at {what} in your calendar. Nothing was changed.")


def next_event(reading: Reading) -> Generator[Calls, Outcomes, Json]:
    """The event that begins next, without all-day events."""
    now = reading.now.at.replace(tzinfo=None)
    found = yield from need("calendar_search", start=local(now))
    for row in found.rows("events"):
        start = _of(row.get("start"), reading)
        if isinstance(start, datetime) and start > now:
            return row
    raise Stuck("Nothing begins soon in your calendar. Nothing was changed.")


def moved(event: Json, when: str, reading: Reading) -> tuple[date | datetime, date | datetime]:
    """Start and end of an event at another time; parts that were not said stay."""
    start, end = _of(event.get("start"), reading), _of(event.get("end"), reading)
    day, clock = day_in(when, reading.now.today), time_in(when)
    if not isinstance(start, datetime):
        start = datetime.combine(start, clock) if clock else start
    new_day = day or (start.date() if isinstance(start, datetime) else start)
    if not isinstance(start, datetime):
        return new_day, new_day + timedelta(days=1)
    length = end - start if isinstance(end, datetime) else FALLBACK_LENGTH
    begins = datetime.combine(new_day, clock or start.time())
    return begins, begins + (duration_in(when) or length)


def _of(value: object, reading: Reading) -> date | datetime:
    """An event's time in the person's zone, without the zone; a day stays a day."""
    text = str(value or "")
    try:
        if "T" not in text:
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.combine(reading.now.today, time(9))
    return moment.astimezone(ZoneInfo(reading.now.zone)).replace(tzinfo=None) if moment.tzinfo else moment


def _title(kind: str, clause: str, who: str) -> str:
    if named := patterns.TITLED.search(clause):
        return named["title"].strip()
    if about := patterns.EVENT_ABOUT.search(clause):
        topic = without_times(about["topic"]).removeprefix("the ")
        return topic[:1].upper() + topic[1:]
    named_people = [name for name in names_in(who) if name and not name.startswith("<@")]
    names = [name.split("@")[0].split()[0].capitalize() for name in named_people]
    return f"{kind.capitalize()} with {listed(names)}" if names else kind.capitalize()


def _midnight(day: date) -> str:
    return local(datetime.combine(day, time()))


def _spoken(start: date | datetime, end: date | datetime) -> str:
    """`Thu 26 Nov 2026, 10:00–11:00`."""
    day = spoken_day(start)
    return f"{day}, {start:%H:%M}–{end:%H:%M}" if isinstance(start, datetime) else day


def _lines(rows: list[Json]) -> str:
    lines: list[str] = []
    for row in rows:
        where = plain(str(row.get("where") or ""))
        lines.append(f"- **{plain(str(row.get('title', '')))}**, {row.get('when', '')}{f', {where}' if where else ''}")
    return "\n".join(lines)
