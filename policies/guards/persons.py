"""Who named a person: the words that say an address, or mean the person who has it by a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from policies.guards import words
from policies.guards.addresses.recipients import Those
from policies.guards.grammar.negations import BUT, EXCEPT, NOT
from policies.guards.known import Acquaintance, Acquainted, KnownWorld, Said, World, spellings
from policies.guards.people import Called
from policies.guards.readings import Reading
from policies.guards.refusals.removals import is_taken_off
from policies.provenance import Reference, Source

_ONE_ALONE = re.compile(
    r"\b(?:privately|alone|sender|author|absender)\b|\w only\s*[.!]*$|\bnur (?:an )?[A-ZÄÖÜ]"
    r"|\bfor \w+(?:['’]s)? eyes\b|\blast one\b"
)
"""It is for one person of many."""

_NEEDS_NOT = frozenset(
    {
        *((word, "t") for word in ("doesn", "shouldn", "mustn", "needn", "isn", "won")),
        *((word, "not") for word in ("does", "should", "must", "need", "is", "will", "may")),
        *((word, "nicht") for word in ("soll", "darf", "muss", "braucht")),
        *(("doesnt", "need"), ("braucht", "es"), ("braucht", "das")),
    }
)
"""Behind a name they except somebody."""

_LISTED = 4  # words behind an exception among which somebody is excepted


class Persons:
    """All whom the words of a world can name."""

    def __init__(self, known: KnownWorld, world: World, *, is_prompt: bool = False) -> None:
        """`is_prompt`: what is asked for now is what they are wanted for."""
        self._acquainted, self._world = Acquainted(known.acquaintances), world
        self._texts = [
            (said, text.prompt if is_prompt else text.included)
            for said, text in world.said
            if said.reference.id not in known.replaced
        ]
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
            or any(is_taken_off(each, spellings(address), names, wholes) for each in text.removed)
        ]

    def is_excepted(self, address: str) -> bool:
        """Whether a text excepts the person who has this address from something, by the address or by a name."""
        mine = self._acquainted.who_have(address)
        theirs = words.name_words(address.partition("@")[0], *(name for one in mine for name in one.names))
        names = {word for word in theirs if not words.is_nobody(word)}
        return any(
            text.included.text != text.whole
            and (
                _is_excepted(words.words_of(text.whole), names)
                or not text.left_out.isdisjoint(names | spellings(address))
            )
            for _, text in self._world.said
        )

    def _found_person(self, address: str, *, wrote: bool, reached: bool) -> Sequence[Reference]:
        mine = self._acquainted.who_have(address)
        reached = reached and not any(one.is_listed for one in mine)
        said = (said.reference for said in self._saying(address) if not (reached and _only_mentions(said, address)))
        is_called = bool(mine) and self._is_called_by(mine, wrote)
        return [*said, *([Reference(source=Source.CONTACT, id=address)] if is_called else [])]

    def _saying(self, address: str) -> Sequence[Said]:
        """The texts that say it."""
        if "@" not in address:
            return [self._world.said[place][0] for place in self._world.saying(address)]
        return list({id(said): said for each in spellings(address) for said in self._by_address.get(each, ())}.values())

    @cached_property
    def _by_address(self) -> Mapping[str, Sequence[Said]]:
        """The texts by each mail address in them that something may go to."""
        found = dict[str, list[Said]]()
        for said, text in self._texts:
            for address in text.addresses:
                found.setdefault(address, []).append(said)
        return found

    def _is_called_by(self, mine: Sequence[Acquaintance], wrote: bool) -> bool:
        """Whether they are the only acquaintance that the owner's words can mean by one of their names."""
        is_listed = any(one.is_listed for one in mine)
        return any(
            self._acquainted.is_theirs(called, mine)
            and (wrote or not called.owns)
            and (wrote or not is_listed or self._acquainted.is_no_other(called, mine))
            and (is_listed or self._acquainted.is_plain(called, mine, wrote=wrote))
            and (is_listed or wrote or said.reference.source is not Source.MESSAGE or said.reading.reaches_somebody)
            for said, called in self._which_have(words.name_words(*(name for one in mine for name in one.names)))
        )

    def _which_have(self, names: Sequence[str]) -> Iterator[tuple[Said, Called]]:
        """The names in the owner's words that have one of these words. Texts without any are not read for it."""
        spelled = frozenset([*names, *(f"{name}s" for name in names)])  # “Danas Mail”
        for said, text in self._texts:
            if not spelled.isdisjoint(text.said):
                yield from ((said, called) for name in names for called in text.names.get(name, ()))

    def for_them(self, sentences: Iterable[Reading], people: Sequence[str]) -> Sequence[Reading]:
        """The sentences that do not say that something is for somebody else than these."""
        those = Those(people)
        return [each for each in sentences if not those.are_others(each.addressed)]

    def is_open(self, address: str, text: Reading) -> bool:
        """Whether what a text says of whom something is for lets the person with this address get it: it names them, or
        nobody, or speaks of everybody.
        """
        told = text.addressed
        if told.everybody:
            return True
        if not told.called and not told.addresses:
            return not _ONE_ALONE.search(text.text)
        mine = self._acquainted.who_have(address)
        return Those([address]).has_any_of(told, lambda called: self._acquainted.is_theirs(called, mine))

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
        and (
            not excepts.isdisjoint(said[max(0, at - _LISTED) : at])
            or not NOT.isdisjoint(said[max(0, at - 2) : at])
            or tuple(said[at + 1 : at + 3]) in _NEEDS_NOT
        )
        for at, word in enumerate(said)
    )


def _only_mentions(said: Said, address: str) -> bool:
    """Whether a typed message has a mail address without asking for anything that reaches it."""
    is_typed = said.reference.source is Source.MESSAGE and "@" in address
    return is_typed and said.reading.reached.isdisjoint(spellings(address))
