"""Occurrences that went their own ways: cancelled, moved or changed apart from their series.

A series that is cut in two loses them (recurring events guide, "Modifying all following instances": exceptions belong
to the series that they were made in), so they are looked up before. Cancelled ones stay away, by EXDATE; of the others
it is said that they will be as the series is. Where a whole series is moved nobody says what Google makes of them: they
are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from integrations.calendar.client import MOST_INSTANCES, Agenda
from integrations.calendar.occurrences import occurrences, on_day
from integrations.calendar.rows import clean
from integrations.calendar.spans import Span, day_words, local_day, span_of
from integrations.calendar.targets import Reach, Target, moved_back
from integrations.calendar.wire import Event

TITLE_LENGTH = 80
NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviations:
    """Of one series, from the occurrence on that was named. `cancelled` are the times by its rule, `changed` words.

    `is_whole` says whether all occurrences were looked at, `is_certain` whether what becomes of them is known; an
    approval is bound to those of which it is.
    """

    cancelled: Sequence[Span] = ()
    changed: Sequence[str] = ()
    is_whole: bool = True
    is_certain: bool = True

    def as_basis(self) -> list[object]:
        """What an approval was given for, to compare with what is there later."""
        if not self.is_certain:
            return []
        return [*(f"cancelled {span.bounds()[0].isoformat()}" for span in self.cancelled), *self.changed]

    def named(self) -> str:
        """Those that were changed, in words; "" where there are none."""
        more = [f"and {len(self.changed) - NAMED} more"] if len(self.changed) > NAMED else []
        return "; ".join([*self.changed[:NAMED], *more])


async def deviations_of(agenda: Agenda, target: Target, zone: str) -> Deviations:
    """Those that a change or end of this and the following ones concerns; none where the target is anything else."""
    if target.reach is not Reach.FOLLOWING:
        return Deviations()
    changed, gone, is_whole = await _apart(agenda, target, zone, since=target.planned(zone).bounds()[0])
    words = [f"{day_words(local_day(span))} ({said})" for span, said in changed]
    return Deviations(cancelled=[*gone, *_gaps(target, zone)], changed=words, is_whole=is_whole)


async def deviations_ahead(agenda: Agenda, target: Target, zone: str) -> Deviations:
    """Those from now on that may fall back to their series where the whole of it is moved, the cancelled ones too."""
    changed, gone, is_whole = await _apart(agenda, target, zone, since=agenda.clock.now())
    said = sorted([*changed, *((span, "cancelled") for span in gone)], key=lambda one: one[0].bounds()[0])
    words = [f"{day_words(local_day(span))} ({how})" for span, how in said]
    return Deviations(changed=words, is_whole=is_whole, is_certain=False)


async def _apart(
    agenda: Agenda, target: Target, zone: str, *, since: datetime
) -> tuple[list[tuple[Span, str]], list[Span], bool]:
    """By their times in the rule: the occurrences that differ, with how, those that are cancelled, and whether all of
    them were looked at.
    """
    page = await agenda.instances(target.event.id)
    found = [(_planned(event, target, zone), event) for event in page.items]
    later = [(span, event) for span, event in found if span.bounds()[0] >= since]
    words = [(span, ", ".join(_differences(event, target, span, zone))) for span, event in later if not _is_gone(event)]
    times = _rule_times(target, zone)
    gone = [span for span, event in later if _is_gone(event) and span.bounds()[0] in times]
    return [(span, said) for span, said in words if said], gone, page.next_page_token is None


def left_out(cancelled: Sequence[Span], before: Span, first: Span) -> list[Span]:
    """When occurrences that were cancelled would be in the new series, whose `first` one was `before` until now."""
    days = (local_day(first) - local_day(before)).days
    return [on_day(first, local_day(span) + timedelta(days=days)) for span in cancelled]


def _planned(event: Event, target: Target, zone: str) -> Span:
    """When an occurrence would be by the rule. Of a cancelled one Google may tell nothing but that."""
    begins = event.original_start_time or event.start
    return moved_back(target.series_span(zone), begins, zone)


def _rule_times(target: Target, zone: str) -> frozenset[datetime]:
    """When occurrences begin by the rule of now. What lies elsewhere is left over from before the series was moved or
    cut: it is gone, and was not called off.
    """
    spans = occurrences(target.rule(zone), target.series_span(zone), most=MOST_INSTANCES)
    return frozenset(span.bounds()[0] for span in spans)


def _gaps(target: Target, zone: str) -> list[Span]:
    """What the series itself leaves out from the named occurrence on."""
    from_here = target.planned(zone).bounds()[0]
    return [span for span in target.gaps(zone) if span.bounds()[0] >= from_here]


def _is_gone(event: Event) -> bool:
    return event.status == "cancelled"


def _differences(event: Event, target: Target, planned: Span, zone: str) -> Iterator[str]:
    """In what an occurrence differs from its series."""
    series = target.event
    now = span_of(event.start, event.end, zone)
    if type(now) is not type(planned) or now.bounds() != planned.bounds():
        yield f"now {now.words(zone)}"
    if event.summary.strip() != series.summary.strip():
        yield f"now “{clean(event.summary, TITLE_LENGTH)}”"
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
