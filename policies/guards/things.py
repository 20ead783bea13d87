"""Which things the words call, by all of a title or a part of it, and which others they could mean as well. Pure.

Nothing here depends on whom the owner knows, so what was found out about a thing holds for as long as its call is
judged, however often it is traced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property

from policies.event_ids import series_of
from policies.guards import titles, words
from policies.guards.grammar import occurrences
from policies.guards.grammar.days import Days, is_at
from policies.guards.known import (
    World,
    by_series,
    is_made_by_agent,
    is_occurrence,
    is_part,
    once,
    once_for_alike,
)
from policies.guards.readings import Reading
from policies.provenance import Touched

_NONE: Mapping[str, Sequence[Touched]] = {}


class Things:
    """What is there, looked through once for a call. `today` is what its owner calls so, where days are known."""

    def __init__(self, world: World, today: date | None) -> None:
        self.world, self.said, self.today = world, world.said, today
        self.found = dict[tuple[object, ...], object]()
        self._days_named = dict[tuple[str, frozenset[int]], Days]()
        self._parts = dict[tuple[str, str, frozenset[str]], Sequence[int]]()

    @cached_property
    def own_with(self) -> Mapping[str, Sequence[Touched]]:
        """The owner's own things, by the addresses of those who take part in them."""
        found = dict[str, list[Touched]]()
        for thing in (one for one in self.world.things if one.is_own):
            for person in dict.fromkeys(map(words.address, thing.people)):
                found.setdefault(person, []).append(thing)
        return found

    @once
    def has_rivals(self, thing: Touched) -> bool:
        """Whether the words call another thing of its kind, by a title that is no part of this one's, and do not tell
        the two apart by their days; or another occurrence of it.
        """
        title, mine, is_chosen = self.world.title(thing.title), series_of(thing.id), thing.is_own or thing.is_titled
        return self._is_on_another_day(thing) or any(
            not is_part(self.world.title(other.title), title, is_chosen=is_chosen)
            and not self._is_told_apart(thing, other)
            for series, those in self._rivals.get(thing.kind, _NONE).items()
            for other in (those if series != mine else ())
        )

    @cached_property
    def _rivals(self) -> Mapping[str, Mapping[str, Sequence[Touched]]]:
        """What may be called, by its kind and series."""
        return by_series(thing for thing in self.world.called if self.may_be_called(thing))

    def _is_on_another_day(self, thing: Touched) -> bool:
        """Whether it is one of several occurrences, and where the words call them they name other days than its own.
        Where they name none, they mean the next one, once.
        """
        if self.today is None or thing.day is None or thing.is_many or not is_occurrence(thing):
            return False
        days = self._days(thing, self.today)
        if days and days.are_others(thing.day):
            return True
        is_meant = bool(days) or thing.is_next
        is_used = self._used_for(thing) >= max(1, len(days))
        return (is_used or not is_meant) and not self._are_many_called(thing)

    def _used_for(self, thing: Touched) -> int:
        """For how many other things with its title, or of its series, the same tool was called in this request."""
        series = series_of(thing.id)
        return sum(
            used != thing.id and (series_of(used) == series or title == thing.title)
            for used, title in self.world.used.items()
        )

    def _are_many_called(self, thing: Touched) -> bool:
        """Whether a text that calls it is about more than one occurrence."""
        title = self.world.title(thing.title)
        return any(occurrences.are_many(self.said[place][0].text, title) for place in self.world.calling(thing.title))

    def _is_told_apart(self, thing: Touched, other: Touched) -> bool:
        """Whether the words that call both name the day of the one, and not that of the other."""
        if self.today is None or thing.day is None or other.day is None:
            return False
        return self._days(thing, self.today).tell_apart(thing.day, other.day)

    def _days(self, thing: Touched, today: date) -> Days:
        """The days that are named where the thing is called."""
        places = frozenset({*self.world.calling(thing.title), *self.partly_named_in(thing)})
        if (thing.title, places) not in self._days_named:
            texts = ((self.said[place][1].alone, self._written_on(place, today)) for place in sorted(places))
            self._days_named[thing.title, places] = Days(texts, self.world.title(thing.title).words)
        return self._days_named[thing.title, places]

    def _written_on(self, place: int, today: date) -> date:
        """The day on which a text was written: what it calls today."""
        return self.world.days.get(self.said[place][0].reference.id, today)

    def is_ordered(self, order: Reading, place: int, thing: Touched) -> bool:
        """Whether an order in this text is for when a thing is, by the day and the hour that it names. One that names
        no day is for the next occurrence, on the day on which it was written; and it is used up by what was done.
        """
        used = self._used_for(thing)
        if thing.is_many or occurrences.are_many(order.text, self.world.title(thing.title)):
            return True
        if self.today is None or thing.day is None:
            return not used
        since = self._written_on(place, self.today)
        days = Days([(order.alone, since)], self.world.title(thing.title).words)
        if used or days.are_others(thing.day):
            return False
        is_next = thing.is_next and since == self.today
        is_then = bool(days) or is_next or not is_occurrence(thing)
        return is_then and is_at(order.text, thing.begins)

    @once_for_alike
    def may_be_called(self, thing: Touched) -> bool:
        """Whether a text has the words of its title, and these name something."""
        calling = self.world.calling(thing.title)
        return bool(calling and self.world.title(thing.title).telling) or any(
            self.calls_own(self.said[place][1], thing) for place in calling
        )

    @once
    def partly_named_in(self, thing: Touched) -> Sequence[int]:
        """The texts that name one thing by a word that no other one of its kind has in its title."""
        own, title = self._only_its(thing) if thing.is_own else frozenset[str](), self.world.title(thing.title)
        how = (thing.kind, thing.title, own)
        if how not in self._parts:
            self._parts[how] = [
                place
                for place in self.world.having(own)
                if titles.names_in_part(self.said[place][1], title, own, kind=thing.kind)
            ]
        return self._parts[how]

    @once
    def _only_its(self, thing: Touched) -> frozenset[str]:
        """The words of its title that tell something, and stand in that of no other thing of its kind."""
        own, mine = set(self.world.title(thing.title).telling), series_of(thing.id)
        for other, telling in self.world.sharing(frozenset(own)):
            if other.kind == thing.kind and not own.isdisjoint(telling) and series_of(other.id) != mine:
                own.difference_update(telling)
        return frozenset(own)

    def calls_alone(self, text: Reading, thing: Touched) -> bool:
        """Whether a part of an own title says which event it is, of all those that were looked up beside it."""
        if self.today is None or thing.day is None or not thing.is_own or is_made_by_agent(thing):
            return False
        title = self.world.title(thing.title)
        return titles.calls_in_part(text, title, title.telling - self._only_its(thing))

    def calls_own(self, text: Reading, thing: Touched) -> bool:
        """Whether a text calls a thing by a title that its owner chose."""
        return (thing.is_own or thing.is_titled) and titles.calls_own(text, self.world.title(thing.title))

    def calls_whole(self, text: Reading, thing: Touched) -> bool:
        """Whether a text calls an own thing by all of its title but its kind. What the agent gave a title is called by
        all of it alone.
        """
        is_named_by_owner = thing.is_own and not is_made_by_agent(thing)
        return is_named_by_owner and titles.calls_whole(text, self.world.title(thing.title))

    def calls_exactly(self, text: Reading, thing: Touched) -> bool:
        """Whether a text calls a thing by its whole title, or by what is as good for a thing of its owner's own."""
        is_whole = text.has_whole(self.world.title(thing.title))
        return is_whole or self.calls_whole(text, thing) or self.calls_alone(text, thing)

    def is_called_in(self, place: int, thing: Touched) -> bool:
        """Whether this text calls it, by all of its title or by a part."""
        return place in self.world.calling(thing.title) or place in self.partly_named_in(thing)
