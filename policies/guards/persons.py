"""Who named a person: the words that say an address, or mean the person who has it by a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from policies.guards import words
from policies.guards.known import Acquaintance, Acquainted, KnownWorld, Said, World, spellings
from policies.guards.people import Called, Those
from policies.guards.readings import Reading
from policies.provenance import Reference, Source


class Persons:
    """All whom the words of a world can name."""

    def __init__(self, known: KnownWorld, world: World) -> None:
        self._acquainted, self._world = Acquainted(known.acquaintances), world
        self._found = dict[tuple[str, bool, bool], Sequence[Reference]]()

    def who_name(self, address: str, *, wrote: bool = False, reached: bool = False) -> Sequence[Reference]:
        """The words that say this address, or mean the person who has it; who `wrote` something need not get any. Who
        is `reached` outside the workspace, and in no directory, does: a typed message has to ask for that.
        """
        how = (address, wrote, reached)
        if how not in self._found:
            self._found[how] = self._found_person(address, wrote=wrote, reached=reached)
        return self._found[how]

    def having(self, names: Iterable[str]) -> Sequence[Reference]:
        """The texts with one of these words of somebody's names that is no word of any request."""
        wanted = {word for word in names if not words.is_nobody(word)}
        return [said.reference for said, text in self._world.said if not wanted.isdisjoint(text.words)]

    def _found_person(self, address: str, *, wrote: bool, reached: bool) -> Sequence[Reference]:
        mine = self._acquainted.who_have(address)
        reached = reached and not any(one.is_listed for one in mine)
        saying = [self._world.said[place][0] for place in self._world.saying(address)]
        said = (said.reference for said in saying if not (reached and _only_mentions(said, address)))
        is_called = bool(mine) and self._is_called_by(mine, wrote)
        return [*said, *([Reference(source=Source.CONTACT, id=address)] if is_called else [])]

    def _is_called_by(self, mine: Sequence[Acquaintance], wrote: bool) -> bool:
        """Whether they are the only acquaintance that the owner's words can mean by one of their names."""
        is_listed = any(one.is_listed for one in mine)
        return any(
            self._acquainted.is_theirs(called, mine)
            and (is_listed or self._acquainted.is_plain(called, mine, wrote=wrote))
            and (is_listed or wrote or said.reference.source is not Source.MESSAGE or said.reading.reaches_somebody)
            for said, called in self._which_have(words.name_words(*(name for one in mine for name in one.names)))
        )

    def _which_have(self, names: Sequence[str]) -> Iterator[tuple[Said, Called]]:
        """The names in the owner's words that have one of these words. Texts without any are not read for it."""
        spelled = frozenset([*names, *(f"{name}s" for name in names)])  # “Danas Mail”
        for said, text in self._world.said:
            if not spelled.isdisjoint(text.said):
                yield from ((said, called) for name in names for called in text.names.get(name, ()))

    def is_one_for(self, sentences: Iterable[Reading], people: Sequence[str]) -> bool:
        """Whether one of the sentences does not say that something is for somebody else than these."""
        those = Those(people)
        return any(not those.are_others(each.addressed) for each in sentences)

    def are_all_others(self, told: Sequence[Reading], people: Sequence[str]) -> bool:
        """Whether all that is asked for goes to somebody else than these, who take part in a thing."""
        mine = [one for person in people for one in self._acquainted.who_have(person)]
        said = [each.addressed for each in told]
        return Those(people).are_all_others(said, lambda called: self._acquainted.is_theirs(called, mine))


def _only_mentions(said: Said, address: str) -> bool:
    """Whether a typed message has a mail address without asking for anything that reaches it."""
    is_typed = said.reference.source is Source.MESSAGE and "@" in address
    return is_typed and said.reading.reached.isdisjoint(spellings(address))
