"""Exceptions of a series: occurrences that were cancelled, moved or changed on their own.

A series that is split loses them (recurring events guide, "Modifying all following instances"), so they are looked up
before. Cancelled ones stay cancelled, by EXDATE; the card says that the others become like the series again. Google
does not document what becomes of them when a whole series moves, so the card only names them then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from integrations.calendar.client import MOST_INSTANCES, CalendarClient
from integrations.calendar.events.target import Reach, Target, moved_back
from integrations.calendar.recurrence.series import occurrences, on_day
from integrations.calendar.time_range import TimeRange, day_words, local_day, span_of
from integrations.calendar.wire import Event, EventPage
from policies.characters import quoted

TITLE_LENGTH = 80
NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesExceptions:
    """The exceptions from the named occurrence on: `cancelled` as times of the rule, `changed` in words.

    `is_whole` says whether all occurrences were looked at, `is_certain` whether it is known what becomes of them. An
    approval is bound to exceptions that are certain.

    `guests` are the addresses of those who are guests of single occurrences alone: what is done to all of these reaches
    them, too. `knows_guests` says whether Google told all of them.
    """

    cancelled: Sequence[TimeRange] = ()
    changed: Sequence[str] = ()
    guests: Sequence[str] = ()
    knows_guests: bool = True
    is_whole: bool = True
    is_certain: bool = True

    def as_basis(self) -> list[object]:
        """What an approval is bound to, to compare with what is there later."""
        if not self.is_certain:
            return []
        return [*(f"cancelled {span.bounds()[0].isoformat()}" for span in self.cancelled), *self.changed]

    def named(self) -> str:
        """Those that were changed, in words; "" where there are none."""
        more = [f"and {len(self.changed) - NAMED} more"] if len(self.changed) > NAMED else []
        return "; ".join([*self.changed[:NAMED], *more])


NO_EXCEPTIONS = SeriesExceptions()
"""Of what does not repeat, or where none was changed."""


async def exceptions_following(client: CalendarClient, target: Target) -> SeriesExceptions:
    """The exceptions that a change of this and the following occurrences concerns; none for another reach."""
    if target.reach is not Reach.FOLLOWING:
        return SeriesExceptions()
    from_here = target.planned().bounds()[0]
    page = await client.instances(target.event.id)
    changed, gone = _exceptions(page, target, since=from_here)
    gaps = [span for span in target.gaps() if span.bounds()[0] >= from_here]
    return SeriesExceptions(
        cancelled=[*gone, *gaps],
        changed=_in_words(changed),
        guests=_guests(page, target, since=from_here),
        knows_guests=_tells_guests(page),
        is_whole=page.next_page_token is None,
    )


async def exceptions_of_all(client: CalendarClient, target: Target) -> SeriesExceptions:
    """What somebody who decides about this has to know: the same, and of a whole series who are guests of single
    occurrences. These stay as they are, so no approval is bound to them.
    """
    if target.reach is not Reach.SERIES or not target.event.recurrence:
        return await exceptions_following(client, target)
    page = await client.instances(target.event.id)
    return SeriesExceptions(guests=_guests(page, target), knows_guests=_tells_guests(page))


async def exceptions_ahead(client: CalendarClient, target: Target) -> SeriesExceptions:
    """The exceptions from now on, also the cancelled ones, that may be lost when the whole series moves."""
    page = await client.instances(target.event.id)
    changed, gone = _exceptions(page, target, since=client.clock.now())
    both = sorted([*changed, *((span, "cancelled") for span in gone)], key=lambda one: one[0].bounds()[0])
    return SeriesExceptions(
        changed=_in_words(both),
        guests=_guests(page, target),
        knows_guests=_tells_guests(page),
        is_whole=page.next_page_token is None,
        is_certain=False,
    )


def _in_words(found: Sequence[tuple[TimeRange, str]]) -> list[str]:
    return [f"{day_words(local_day(span))} ({how})" for span, how in found]


def _exceptions(
    page: EventPage, target: Target, *, since: datetime
) -> tuple[list[tuple[TimeRange, str]], list[TimeRange]]:
    """By their times in the rule: occurrences that differ, with how they differ; and cancelled ones.

    A cancelled one at a time that the rule does not give is a remainder from before the series was moved or split.
    """
    by_rule = {span.bounds()[0] for span in occurrences(target.rule(), target.series_span(), most=MOST_INSTANCES)}
    changed, gone = list[tuple[TimeRange, str]](), list[TimeRange]()
    for event in page.items:
        planned = _planned(event, target)
        begins = planned.bounds()[0]
        if begins < since:
            continue
        if event.status == "cancelled":
            gone += [planned] if begins in by_rule else []
        elif said := ", ".join(_differences(event, target, planned)):
            changed.append((planned, said))
    return changed, gone


def _planned(event: Event, target: Target) -> TimeRange:
    """When it is by the rule. Google may tell nothing but the original start about a cancelled one."""
    return moved_back(target.series_span(), event.original_start_time or event.start, target.zone)


def _guests(page: EventPage, target: Target, *, since: datetime | None = None) -> list[str]:
    """The guests of single occurrences from then on who are none of the series."""
    usual = {guest.email.lower() for guest in target.event.guests()}
    apart = [event for event in page.items if event.status != "cancelled" and event.attendees]
    met = [event for event in apart if since is None or _planned(event, target).bounds()[0] >= since]
    found = [guest.email for event in met for guest in event.guests() if not guest.is_self]
    return list(dict.fromkeys(email for email in found if email.lower() not in usual))


def _tells_guests(page: EventPage) -> bool:
    return page.next_page_token is None and not any(event.attendees_omitted for event in page.items)


def left_out(cancelled: Sequence[TimeRange], before: TimeRange, first: TimeRange) -> list[TimeRange]:
    """The times of cancelled occurrences in the new series, whose first occurrence moves from `before` to `first`."""
    days = (local_day(first) - local_day(before)).days
    return [on_day(first, local_day(span) + timedelta(days=days)) for span in cancelled]


def _differences(event: Event, target: Target, planned: TimeRange) -> Iterator[str]:
    """How an occurrence differs from its series."""
    series = target.event
    now = span_of(event.start, event.end, target.zone)
    if type(now) is not type(planned) or now.bounds() != planned.bounds():
        yield f"now {now.words(target.zone)}"
    if event.summary.strip() != series.summary.strip():
        yield f"now {quoted(event.summary)}"
    if event.location.strip() != series.location.strip():
        yield "another place"
    if event.description.strip() != series.description.strip():
        yield "another description"
    yield from _differing_guests(event, series)


def _differing_guests(event: Event, series: Event) -> Iterator[str]:
    usual = {guest.email.lower(): guest.response_status for guest in series.attendees}
    here = {guest.email.lower(): guest.response_status for guest in event.attendees}
    if without := sorted(usual.keys() - here.keys()):
        yield f"without {', '.join(without)}"
    if besides := sorted(here.keys() - usual.keys()):
        yield f"with {', '.join(besides)}"
    yield from (f"{email}: {here[email]}" for email in here if email in usual and here[email] != usual[email])
