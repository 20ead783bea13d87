"""A change of an event: what is sent, and whether an event is as the change wants it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.events.details import conference_for, merged, parse_guests, reminders_as_google
from integrations.calendar.events.target import COUNTED, Reach, Target
from integrations.calendar.recurrence.rule import MOST_TIMES, RecurrenceRule, invalid
from integrations.calendar.recurrence.series import occurrences, on_day, rule_for, shifted
from integrations.calendar.recurrence.words import in_words
from integrations.calendar.time_range import (
    HINT,
    DateRange,
    TimedRange,
    TimeRange,
    checked_zone,
    joined,
    local_day,
    parse_time,
    span_of,
)
from integrations.calendar.wire import Event
from integrations.errors import NOTHING_TO_CHANGE, ModelRetry


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChange:
    """The new values; None where a value stays.

    `span` is the new time of what is written: for a series its first occurrence, for a continued series the first one
    after the split. `named_span` is the new time of the named event, which is what people see.
    """

    title: str | None = None
    span: TimeRange | None = None
    named_span: TimeRange | None = None
    rule: RecurrenceRule | None = None
    location: str | None = None
    description: str | None = None
    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    meet: bool = False
    reminders: Sequence[int] | None = None

    @classmethod
    def from_arguments(cls, args: UpdateArgs, target: Target) -> EventChange:
        """The change that the arguments ask for. Raises `ModelRetry`."""
        if args.title is not None and not args.title.strip():
            raise ModelRetry("empty_title", "The event needs a title.", private=False)
        named = _new_span(args, target.span(), checked_zone(args.zone, target.zone))
        if args.zone is None:
            named = _in_zone(named, target.planned().zone)
        span, rule = _written(args, target, named)
        return cls(
            title=args.title.strip() if args.title else None,
            span=span,
            named_span=named,
            rule=rule,
            location=args.location,
            description=args.description,
            added=parse_guests(args.add_attendees),
            removed=parse_guests(args.remove_attendees),
            meet=args.meet,
            reminders=args.reminders,
        )

    def without_the_same(self, target: Target) -> EventChange:
        """Only the values that differ from the event's; raises `ModelRetry` when none does."""
        event = target.event
        there = {guest.email.lower() for guest in event.attendees}
        alone = target.reach in {Reach.SINGLE, Reach.THIS}
        now = target.span() if alone else target.planned()  # an occurrence may have been moved on its own
        moves = self.named_span is not None and not same(self.named_span, now)
        old_rule = _old_rule(target) if self.rule else None
        change = replace(
            self,
            title=_differing(self.title, event.summary),
            span=self.span if moves else None,
            named_span=self.named_span if moves else None,
            rule=None if self.rule == old_rule else self.rule,
            location=_differing(self.location, event.location),
            description=_differing(self.description, event.description),
            added=[email for email in self.added if email.lower() not in there],
            meet=self.meet and not event.meet_link() and not event.is_pending(),
            reminders=None if self.reminders is not None and event.reminders.are(self.reminders) else self.reminders,
        )
        if change == EventChange(added=[], removed=[]):
            message = "The event is already as you want it."
            raise ModelRetry(NOTHING_TO_CHANGE, message, hint="`zone` alone changes nothing: give `start` too.")
        return change

    def as_patch(self, event: Event, key: str) -> dict[str, object]:
        """The body of events.patch. The guest list is complete, because a PATCH replaces it. `key` is the action's."""
        texts = {"summary": self.title, "location": self.location, "description": self.description}
        body: dict[str, object] = {name: text for name, text in texts.items() if text is not None}
        if self.span is not None:
            body["start"], body["end"] = self.span.as_google()
        if self.rule is not None:
            body["recurrence"] = [self.rule.as_text()]
        if self.meet:
            body["conferenceData"] = conference_for(key)
        if self.reminders is not None:
            body["reminders"] = reminders_as_google(self.reminders)
        guests = merged(event, add=self.added, remove=self.removed)
        return body if guests is None else body | {"attendees": guests}

    def rule_after(self, target: Target) -> RecurrenceRule | None:
        """The rule of what is written afterwards; None when it does not repeat. Raises `ToolFailed`."""
        return self.rule or _old_rule(target)

    def rhythm(self, target: Target) -> str:
        """How what is written repeats afterwards, in words; "" when it does not."""
        rule = self.rule_after(target)
        return in_words(rule, self._first(target)) if rule else ""

    def times(self, target: Target) -> Sequence[TimeRange]:
        """All times after the change, as far as they can be counted."""
        first, rule = self._first(target), self.rule_after(target)
        return (occurrences(rule, first, most=COUNTED) if rule else []) or [first]

    def repeats_otherwise(self, target: Target) -> bool:
        """Whether a series gets other occurrences than it had, or another end: not where each of them only moves."""
        old = _old_rule(target) if self.rule else None
        if self.rule is None or old is None:
            return False
        first = target.planned() if target.reach is Reach.FOLLOWING else target.series_span()
        return not _are_alike(old, _days(old, first), self.rule, _days(self.rule, self._first(target)))

    def _first(self, target: Target) -> TimeRange:
        if target.reach is Reach.SERIES:
            return self.span or target.series_span()
        return self.span or (target.planned() if target.reach is Reach.FOLLOWING else target.span())

    def holds(self, event: Event, zone: str) -> bool:
        """Whether the event that is written is as this change wants it."""
        there = {guest.email.lower() for guest in event.attendees}
        pairs = [(self.title, event.summary), (self.location, event.location), (self.description, event.description)]
        return (
            event.status != "cancelled"
            and all(_differing(wanted, now) is None for wanted, now in pairs)
            and (self.span is None or same(self.span, span_of(event.start, event.end, zone)))
            and (self.rule is None or [self.rule.as_text()] == list(event.recurrence))
            and (self.reminders is None or event.reminders.are(self.reminders))
            and (not self.meet or bool(event.meet_link()) or event.is_pending())
            and there.issuperset(email.lower() for email in self.added)
            and there.isdisjoint(email.lower() for email in self.removed)
        )


def _days(rule: RecurrenceRule, first: TimeRange) -> Sequence[int]:
    """How many days after the first occurrence each one is: all that a rule may count, and one more."""
    days = [local_day(span) for span in occurrences(rule, first, most=MOST_TIMES + 1)]
    return [(day - days[0]).days for day in days]


def _are_alike(old: RecurrenceRule, before: Sequence[int], new: RecurrenceRule, after: Sequence[int]) -> bool:
    """Whether two rules give as many occurrences in the same time, but for less than one period of the old one."""
    if old.is_endless is not new.is_endless:
        return False
    if not old.is_endless and (len(after) > len(before) or (len(before) > MOST_TIMES and old.until != new.until)):
        return False
    if len(before) <= 1:
        return len(after) == len(before)
    room = before[1] - 1
    return bisect_right(after, before[-1] + room) >= len(before) > bisect_right(after, before[-1] - room - 1)


def same(one: TimeRange, other: TimeRange) -> bool:
    """Whether two spans are the same time."""
    return type(one) is type(other) and (
        (one.start, one.end) == (other.start, other.end)
        if isinstance(one, DateRange)
        else one.bounds() == other.bounds()
    )


def _new_span(args: UpdateArgs, now: TimeRange, zone: str) -> TimeRange | None:
    """The new time of the event that was named; a move keeps the length."""
    if args.start is None and args.end is None:
        return None
    first = parse_time(args.start, zone) if args.start is not None else now.start
    if args.end is not None:
        return joined(first, parse_time(args.end, zone), zone)
    if isinstance(now, TimedRange) and isinstance(first, datetime):
        return now.moved_to(first, zone)
    if isinstance(now, DateRange) and not isinstance(first, datetime):
        return now.moved_to(first, zone)
    message = "To turn an all-day event into a timed one, or back, give both `start` and `end`."
    raise ModelRetry("end_missing", message, hint=HINT)


def _written(
    args: UpdateArgs, target: Target, named: TimeRange | None
) -> tuple[TimeRange | None, RecurrenceRule | None]:
    """Time and rule of what is written, where the named event moves to `named`."""
    if target.reach in {Reach.SINGLE, Reach.THIS}:
        return named, _first_rule(args, target, named)
    now = target.planned()
    wanted = named or now
    days = (local_day(wanted) - local_day(now)).days
    first = (
        wanted
        if target.reach is Reach.FOLLOWING
        else on_day(wanted, local_day(target.series_span()) + timedelta(days=days))
    )
    if args.recurrence is not None:
        return (first if named else None), rule_for(args.recurrence, first)
    if named is None:
        return None, None
    old = _old_rule(target) or target.rule()
    moved = shifted(old, days).with_last_day(first, zone=target.series_span().zone)
    return first, moved if moved != old else None


def _old_rule(target: Target) -> RecurrenceRule | None:
    """The rule until now; for a series that is split, the rule of the second part."""
    if target.reach is Reach.FOLLOWING:
        return target.rest_rule()
    return target.rule() if target.event.recurrence else None


def _first_rule(args: UpdateArgs, target: Target, named: TimeRange | None) -> RecurrenceRule | None:
    """A single event begins to repeat."""
    if args.recurrence is None:
        return None
    if target.reach is Reach.THIS:
        raise invalid("one occurrence cannot repeat by itself. Say with `scope` what is meant: following, or series.")
    return rule_for(args.recurrence, named or target.span())


def _in_zone(span: TimeRange | None, zone: str) -> TimeRange | None:
    """The same moments in another zone, because an event keeps its zone."""
    if not isinstance(span, TimedRange):
        return span
    return TimedRange(span.start.astimezone(ZoneInfo(zone)), span.end.astimezone(ZoneInfo(zone)), zone)


def _differing(wanted: str | None, now: str) -> str | None:
    return None if wanted is None or wanted.strip() == now.strip() else wanted
