"""Who named a person: the words that say an address, or mean the person who has it by a name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from policies.guards import words
from policies.guards.grammar.negations import BUT, EXCEPT, NOT
from policies.guards.known import Acquaintance, Acquainted, KnownWorld, Said, World, spellings
from policies.guards.people import Called, Those
from policies.guards.readings import Reading
from policies.provenance import Reference, Source

_KEEPING = frozenset(
    {
        *("keep", "leave", "stay", "stays", "but", "with", "for", "from", "by", "of", "about", "that", "which", "who"),
        *("because", "so", "as", "after", "before", "when", "since", "in", "on", "at", "behalte", "bleibt", "bleiben"),
        *(
            "lass",
            "aber",
            "sondern",
            "mit",
            "durch",
            "gegen",
            "von",
            "vom",
            "aus",
            "weil",
            "damit",
            "über",
            "im",
            "bei",
        ),
    }
)
"""What follows them behind a verb of removing is not taken off: “remove the link from Luis”."""

_LISTED = 4  # words behind an exception among which somebody is excepted
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "der", "die", "das", "den"})


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

    def who_remove(self, address: str, called: str, title: frozenset[str]) -> Sequence[Reference]:
        """The words that ask for the person who has this address to be taken off something of this title, by the
        address, by a mention, or by a word of a name of theirs; the other words of their owner need not ask.
        """
        mine = self._acquainted.who_have(address)
        local = address.partition("@")[0]
        theirs = (word for word in words.name_words(*(name for one in mine for name in one.names)))
        known = {word for word in theirs if self._acquainted.is_theirs(Called(words=(word,)), mine)}
        names = {word for word in (*words.name_words(called, local), *known) if not words.is_nobody(word)} - title
        wholes = [found for each in (called, local) if (found := words.words_of(each)) and names.issuperset(found)]
        return [
            said.reference
            for said, text in self._world.said
            if (said.reference.source is not Source.MESSAGE and not names.isdisjoint(text.words))
            or any(_is_taken_off(each, address, names, wholes) for each in text.removed)
        ]

    def is_excepted(self, address: str) -> bool:
        """Whether a text excepts the person who has this address from something, by the address or by a name."""
        mine = self._acquainted.who_have(address)
        theirs = words.name_words(address.partition("@")[0], *(name for one in mine for name in one.names))
        names = {word for word in theirs if not words.is_nobody(word)}
        return any(
            text.whole != text.text and _is_excepted(words.words_of(text.whole), names) for _, text in self._world.said
        )

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


def _is_excepted(said: Sequence[str], names: Collection[str]) -> bool:
    """Whether one of these names stands behind a word that excepts or negates it."""
    excepts = EXCEPT | BUT | {"than", "apart", "aside", "instead"}
    return any(
        word in names
        and (not excepts.isdisjoint(said[max(0, at - _LISTED) : at]) or not NOT.isdisjoint(said[max(0, at - 2) : at]))
        for at, word in enumerate(said)
    )


def _is_taken_off(phrase: str, address: str, names: Collection[str], wholes: Sequence[list[str]]) -> bool:
    """Whether what is taken off in these words is the person with this address or one of these names."""
    if not words.addresses_in(phrase).isdisjoint(spellings(address)):
        return True
    written = [one[0] for one in words.tokens_in(words.without_addresses(phrase))]
    said = [words.plain(each) for each in written]
    end = next((at for at, word in enumerate(said) if word in _KEEPING), len(said))
    for at in range(1, end):
        is_owner = said[at + 1 : at + 3] in (["'", "s"], ["’", "s"])
        is_whole = said[at - 1] not in _ARTICLES and any(said[at : at + len(each)] == each for each in wholes)
        if not is_owner and (is_whole or (said[at] in names and written[at][:1].isupper())):
            return True
    return False


def _only_mentions(said: Said, address: str) -> bool:
    """Whether a typed message has a mail address without asking for anything that reaches it."""
    is_typed = said.reference.source is Source.MESSAGE and "@" in address
    return is_typed and said.reading.reached.isdisjoint(spellings(address))
