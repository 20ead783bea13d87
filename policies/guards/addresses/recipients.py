"""For whom a text says something is, and whether these are others than some people whose addresses are known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from policies.guards import words
from policies.guards.people import Called

_HIM = frozenset({"him", "her", "ihm", "ihr"})
_EVERYBODY = frozenset(
    {
        *("everybody", "everyone", "guests", "attendees", "participants", "allen", "alle", "gästen", "gäste"),
        *("teilnehmer", "teilnehmern", "teilnehmenden"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """For whom a text says something is: everybody, mail addresses, those who are `called`, or “him”."""

    everybody: bool
    him: bool
    addresses: frozenset[str]
    called: tuple[Called, ...]


def addressed(said: Collection[str], addresses: frozenset[str], called: Sequence[Called]) -> Addressed:
    """The same, of a text with these words, addresses and names."""
    return Addressed(
        everybody=not _EVERYBODY.isdisjoint(said),
        him=not _HIM.isdisjoint(said),
        addresses=addresses,
        called=tuple(each for each in called if each.receives),
    )


class Those:
    """Some people by their addresses: what stands before the @ is a name of theirs."""

    def __init__(self, people: Collection[str]) -> None:
        self._addresses = frozenset(map(words.address, people))
        self._names = frozenset(words.name_words(*(each.partition("@")[0] for each in self._addresses)))

    def has_any_of(self, told: Addressed, is_theirs: Callable[[Called], bool]) -> bool:
        """Whether it goes to one of these by their address or name. `is_theirs` tells names that are theirs."""
        called = any(not self._names.isdisjoint(each.words) or is_theirs(each) for each in told.called)
        return called or not told.addresses.isdisjoint(self._addresses)

    def are_others(self, told: Addressed, is_theirs: Callable[[Called], bool] = lambda _: False) -> bool:
        """Whether it goes to somebody else than these, or everybody. `is_theirs` tells names that are theirs."""
        called = any(self._names.isdisjoint(each.words) and not is_theirs(each) for each in told.called)
        return not told.everybody and (called or not told.addresses <= self._addresses)

    def are_all_others(self, told: Sequence[Addressed], is_theirs: Callable[[Called], bool]) -> bool:
        """Whether all of it goes to somebody else: “tell Luis” does, and so does “send him the plan” after it."""
        return all(self.are_others(each, is_theirs) or (at > 0 and each.him) for at, each in enumerate(told))
