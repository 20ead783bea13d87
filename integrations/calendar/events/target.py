"""How much of a repeating event is meant: one occurrence, this and the following ones, or the whole series."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TypeVar

from pydantic import ValidationError

from integrations.calendar.client import CalendarClient
from integrations.calendar.recurrence.rule import RecurrenceRule, parse_rule
from integrations.calendar.recurrence.series import as_exdates, count_before, is_exdate, left_out_of, occurrences
from integrations.calendar.time_range import DateRange, TimedRange, TimeRange, span_of
from integrations.calendar.wire import Event, EventTime
from integrations.errors import Missing, ModelRetry, ToolFailed

COUNTED = 400
Value = TypeVar("Value")


class Reach(StrEnum):
    """How much of a calendar event an action is about."""

    SINGLE = "single"
    THIS = "this"
    FOLLOWING = "following"
    SERIES = "series"

    @property
    def caption(self) -> str:
        """As a card says it; "" where the event does not repeat."""
        return _CAPTIONS[self]


_CAPTIONS = {
    Reach.SINGLE: "",
    Reach.THIS: "only this occurrence",
    Reach.FOLLOWING: "this and all following occurrences",
    Reach.SERIES: "the whole series, with past occurrences",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """`event` is what is written: a single event, an occurrence, or a series. `named` is the event of the given id.

    `zone` is the person's.
    """

    reach: Reach
    event: Event
    named: Event
    zone: str

    def span(self) -> TimeRange:
        """When the named event is."""
        return span_of(self.named.start, self.named.end, self.zone)

    def planned(self) -> TimeRange:
        """When the named event would be if it had not been moved on its own."""
        begins = self.named.original_start_time
        return moved_back(self.span(), begins, self.zone) if begins else self.span()

    def series_span(self) -> TimeRange:
        """When the first occurrence of the series is."""
        return span_of(self.event.start, self.event.end, self.zone)

    def rule(self) -> RecurrenceRule:
        """The rule of the series; raises `ToolFailed` for one that cannot be written anew.

        Only a series that is split may leave out times, because both parts keep doing so.
        """
        return rule_of(self.event, self.series_span(), with_gaps=self.reach is Reach.FOLLOWING)

    def gaps(self) -> Sequence[TimeRange]:
        """The times that the rule gives and the series leaves out."""
        return left_out_of(self.event.recurrence, self.series_span())

    def times(self) -> Sequence[TimeRange]:
        """All times of what is written, as far as they can be counted; at least that of the named event."""
        if self.reach in {Reach.SINGLE, Reach.THIS}:
            return [self.span()]
        spans = occurrences(self.rule(), self.series_span(), most=COUNTED)
        gaps = {span.bounds() for span in self.gaps()}
        return [span for span in spans if span.bounds() not in gaps] or [self.span()]

    def ended_rule(self) -> RecurrenceRule:
        """The rule of a series that ends before the named occurrence; raises as `rule`."""
        begins = self.planned()
        if isinstance(begins, TimedRange):
            return replace(self.rule(), count=None, until=begins.bounds()[0] - timedelta(seconds=1))
        return replace(self.rule(), count=None, until=begins.start - timedelta(days=1))

    def ended_lines(self) -> list[str]:
        """The recurrence of that series: its rule with the end, and the times that it left out before."""
        gaps = [span for span in self.gaps() if span.bounds()[0] < self.planned().bounds()[0]]
        return [self.ended_rule().as_text(), *as_exdates(gaps)]

    def is_ended(self, series: Event) -> bool:
        """Whether the series ends there now. The times that it leaves out do not matter."""
        return [line for line in series.recurrence if not is_exdate(line)] == [self.ended_rule().as_text()]

    def rest_rule(self) -> RecurrenceRule:
        """The rule from the named occurrence on, with the remaining COUNT; raises `ToolFailed` without a count."""
        rule = self.rule()
        if rule.count is None:
            return rule
        gone = count_before(rule, self.series_span(), self.planned())
        if gone is None or gone >= rule.count:
            message = "The rule of the series does not give this occurrence, so the series cannot be split there."
            raise ToolFailed("series_too_special", message, hint="Change this occurrence alone, or the whole series.")
        return replace(rule, count=rule.count - gone)

    def gets_new_link(self) -> bool:
        """Whether a split makes a new Meet link. Two events should not share one (Events, `conferenceData`)."""
        had_one = bool(self.event.meet_link()) or self.event.is_pending()
        return self.reach is Reach.FOLLOWING and had_one and not self.event.has_foreign_conference()

    def basis(self) -> Mapping[str, object]:
        """The version that is written, and what a change is computed from."""
        return {
            "zone": self.zone,
            "etag": self.event.etag,
            "reach": self.reach.value,
            "event": _kept(self.event),
            "named": _kept(self.named),
        }


def rule_of(event: Event, first: TimeRange, *, with_gaps: bool = False) -> RecurrenceRule:
    """The one rule of a series; raises `ToolFailed` where its recurrence has more (`with_gaps`: than EXDATEs)."""
    rules = [line for line in event.recurrence if not is_exdate(line)]
    try:
        if len(rules) == 1 and (with_gaps or rules == list(event.recurrence)):
            left_out_of(event.recurrence, first)
            return parse_rule(rules[0]).fitted(first)
    except ModelRetry:
        pass
    message = "This series repeats by a rule that cannot be changed safely from here. One occurrence can."
    raise ToolFailed("series_too_special", message, hint="Change it in Google Calendar, or a single occurrence here.")


def if_readable(read: Callable[[], Value], otherwise: Value) -> Value:
    """What a series gives; the other value where its rule cannot be read here."""
    try:
        return read()
    except ToolFailed:
        return otherwise


async def target_of(client: CalendarClient, event_id: str, scope: str | None, zone: str) -> Target:
    """What an id and a scope mean; raises `ModelRetry` where they do not fit together.

    The ids of occurrences are never built here; they come from what a search showed.
    """
    event = await client.event(event_id)
    if event.status == "cancelled":
        raise Missing("event_not_found", "This event was cancelled.", hint="Look it up again with calendar_search.")
    if event.recurrence:
        if scope not in {None, Reach.SERIES}:
            message = "This id is a whole series. Take the id of one occurrence from calendar_search."
            raise ModelRetry("is_a_series", message, hint="calendar_search shows single occurrences.")
        return Target(reach=Reach.SERIES, event=event, named=event, zone=zone)
    if event.recurring_event_id is None:
        return Target(reach=Reach.SINGLE, event=event, named=event, zone=zone)
    reach = Reach(scope or Reach.THIS)
    if reach is Reach.THIS:
        return Target(reach=reach, event=event, named=event, zone=zone)
    series = await client.event(event.recurring_event_id)
    if reach is Reach.FOLLOWING and _is_first(series, event):
        reach = Reach.SERIES
    return Target(reach=reach, event=series, named=event, zone=zone)


def target_from(basis: Mapping[str, object], zone: str) -> Target | None:
    """The target that a basis was made from; None when it holds none."""
    try:
        return Target(
            reach=Reach(str(basis.get("reach"))),
            event=Event.model_validate(basis.get("event")),
            named=Event.model_validate(basis.get("named")),
            zone=zone,
        )
    except (ValidationError, ValueError):
        return None


def _is_first(series: Event, occurrence: Event) -> bool:
    begins = occurrence.original_start_time or occurrence.start
    first = span_of(series.start, series.end, "UTC").bounds()[0]
    return span_of(begins, begins, "UTC").bounds()[0] == first


def moved_back(span: TimeRange, begins: EventTime, zone: str) -> TimeRange:
    """A time with the same length and another start; only the start where one is a day and the other a moment."""
    start = span_of(begins, begins, zone)
    if isinstance(span, DateRange):
        return span.moved_to(start.start, start.zone) if isinstance(start, DateRange) else start
    return start if isinstance(start, DateRange) else span.moved_to(start.start, start.zone)


def _kept(event: Event) -> dict[str, object]:
    fields = {"id", "start", "end", "original_start_time", "recurrence", "recurring_event_id"}
    return event.model_dump(by_alias=True, exclude_none=True, include=fields)
