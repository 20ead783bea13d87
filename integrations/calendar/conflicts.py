"""What is in the way of an event, looked up before its card is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from integrations.calendar.client import Agenda
from integrations.calendar.rows import clean
from integrations.calendar.spans import Span, span_of
from integrations.calendar.wire import Busy, FreeBusy
from integrations.errors import ToolError

LOOKED_AT = 50
NAMED = 3
TITLE_LENGTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicts:
    """What a card says of them, and what could not be seen. `zone` is the calendar's own."""

    found: Sequence[str] = ()
    unchecked: Sequence[str] = ()
    zone: str | None = None


async def look_for_conflicts(
    agenda: Agenda, span: Span, guests: Sequence[str], *, zone: str, moved: tuple[str, Span] | None = None
) -> Conflicts:
    """Conflicts of the owner and of those guests whose calendars he may see. Never fails: what fails is unchecked.

    `moved` is the event that is being changed, with its time until now: it is in nobody's way.
    """
    mine = await _mine(agenda, span, zone=zone, besides=moved[0] if moved else None)
    if not guests:
        return mine
    theirs = await _theirs(agenda, span, guests, besides=moved[1] if moved else None)
    return Conflicts(found=[*mine.found, *theirs.found], unchecked=[*mine.unchecked, *theirs.unchecked], zone=mine.zone)


async def _mine(agenda: Agenda, span: Span, *, zone: str, besides: str | None) -> Conflicts:
    try:
        page = await agenda.events(*span.bounds(), limit=LOOKED_AT)
    except ToolError as error:
        return Conflicts(unchecked=[f"Your own calendar could not be checked: {error.message}"])
    events = [event for event in page.items if event.takes_time() and event.id != besides]
    found = [
        f"You already have “{clean(event.summary, TITLE_LENGTH) or '(no title)'}”: "
        f"{span_of(event.start, event.end, zone).words(zone)}"
        for event in events[:NAMED]
    ]
    more = [f"…and {len(events) - NAMED} more events of yours at that time"] if len(events) > NAMED else []
    return Conflicts(found=[*found, *more], zone=page.time_zone)


async def _theirs(agenda: Agenda, span: Span, guests: Sequence[str], *, besides: Span | None) -> Conflicts:
    if not agenda.sees_others:
        return Conflicts(unchecked=[f"Whether the guests are free: {', '.join(guests)}"])
    try:
        answer = await agenda.busy(guests, *span.bounds())
    except ToolError as error:
        return Conflicts(unchecked=[f"Whether the guests are free: {error.message}"])
    busy = [email for email in guests if _is_busy(answer, email, besides)]
    hidden = [email for email in guests if _is_hidden(answer, email)]
    return Conflicts(
        found=[f"Busy at that time: {', '.join(busy)}"] if busy else [],
        unchecked=[f"Cannot see the calendar of {', '.join(hidden)}"] if hidden else [],
    )


def _is_busy(answer: FreeBusy, email: str, besides: Span | None) -> bool:
    """Whether anything fills his time that does not lie within the event itself."""
    if email not in answer.calendars:
        return False
    stretches = [_moments(stretch) for stretch in answer.calendars[email].busy]
    if besides is None:
        return bool(stretches)
    begins, ends = besides.bounds()
    return any(start < begins or end > ends for start, end in stretches)


def _moments(stretch: Busy) -> tuple[datetime, datetime]:
    return datetime.fromisoformat(stretch.start), datetime.fromisoformat(stretch.end)


def _is_hidden(answer: FreeBusy, email: str) -> bool:
    return email not in answer.calendars or bool(answer.calendars[email].errors)
