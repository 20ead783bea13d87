"""Who named each value of an impact, found in what is known at that moment. Pure: `bot.runtime.policy` gathers it.

Words count only if their owner said them: typed in this thread, chosen among options, or filled into a window. A
person's name in them, where one would name a person, stands for an address only if it is the address of exactly one
person whom the owner wrote to, or who stands in their directory. A title stands for a thing only if exactly one thing
that was seen is called so. Whoever wrote a title can choose it so that any request holds its words, so what others
wrote has to be named as one names a thing (`policies.guards.titles`), or by one word that tells something with its
author's name. Ids name nothing: they are chosen by others, too, and people do not type them. To name a thing is not to
ask for it to be changed: that takes a verb as well, where the thing is called (`policies.guards.wishes`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from policies.event_ids import is_id_of_ours, series_of
from policies.guards import days, occurrences, titles, wishes, words
from policies.guards.addresses import domains, links
from policies.guards.impacts import addresses_of
from policies.guards.known import Acquaintance, Known, Said
from policies.guards.people import Called, called_in, go_to_others, is_for_others
from policies.provenance import DRAFT, Attached, Impact, Provenance, Reference, Source, Touched, Traced
from policies.types import EffectClass, Role


def trace(
    impact: Impact, known: Known, *, effect: EffectClass = EffectClass.DESTRUCTIVE, verbs: Sequence[str] = ()
) -> Provenance:
    """Every value of the impact with who named it. `effect` is the class of the tool, `verbs` are those that it names
    as the ones with which people ask for what it does.
    """
    tracer = _Tracer(
        known=replace(known, things=_things(known, impact)),
        said=[(said, words.words_of(said.text)) for said in known.said],
        called=[called_in(said.text) for said in known.said] if known.acquaintances else (),
        today=impact.today,
    )
    texts = [text for text in impact.texts if text.strip()]
    reached = [tracer.destination(address, impact) for address in dict.fromkeys(impact.destinations)]
    things = [tracer.thing(touched) for touched in impact.objects]
    named = [touched for touched, traced in zip(impact.objects, things, strict=True) if traced.is_named]
    return Provenance(
        values=(
            *reached,
            *things,
            *([tracer.sender(impact.sender)] if impact.sender else []),
            *tracer.links(addresses_of(impact)),
            *(tracer.file(attached, impact.destinations) for attached in impact.attachments),
        ),
        is_verbatim=bool(texts) and all(any(words.quotes(said.text, text) for said in known.said) for text in texts),
        is_asked_for=tracer.is_asked_for(effect, verbs, impact, reached),
        present=tuple(dict.fromkeys(person for touched in named for person in touched.people)),
    )


def _things(known: Known, impact: Impact) -> Sequence[Touched]:
    """All that is there: what was looked up for this call says more of a thing than what was seen of it before."""
    return list({(one.kind, one.id): one for one in (*known.things, *impact.beside)}.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tracer:
    known: Known
    said: Sequence[tuple[Said, Sequence[str]]]
    called: Sequence[Sequence[Called]]
    today: date | None

    def destination(self, address: str, impact: Impact) -> Traced:
        if address == impact.calendar:
            return self._traced(Role.DESTINATION, address, address, self._calendar(address))
        taken = self._takes_part(address, impact)
        named = [
            *self._person(address, reached=address not in impact.inside),
            *(Reference(source=Source.THING, id=f"{thing.kind}:{thing.id}") for thing in taken),
        ]
        return self._traced(Role.DESTINATION, address, address, named, is_inside=address in impact.inside)

    def _calendar(self, name: str) -> list[Reference]:
        """The words that ask for something on the calendar that goes by this name, or by this id."""
        wanted = [words.words_of(name)]
        return [
            said.reference
            for said in self.known.said
            if (titles.names_calendar(said.text, name) or ("@" in name and _says(said.text, name)))
            and wishes.asks_to_write(said.text, wanted)
        ]

    def _person(self, address: str, *, wrote: bool = False, reached: bool = False) -> list[Reference]:
        """The words that say this address, or mean the person who has it; who `wrote` something need not get any. Who
        is `reached` outside the workspace, and in no directory, does: a typed message has to ask for that.
        """
        reached = reached and not any(one.is_listed for one in self._who_have(address))
        said = (
            said.reference
            for said in self.known.said
            if _says(said.text, address) and not (reached and _only_mentions(said, address))
        )
        return [*said, *self._called(address, wrote=wrote)]

    def _called(self, address: str, *, wrote: bool) -> list[Reference]:
        """Whether they are the only acquaintance whom the owner's words can mean by one of their names."""
        mine = self._who_have(address)
        is_listed = any(one.is_listed for one in mine)
        names = [
            called
            for said, each in zip(self.known.said, self.called, strict=False)
            for called in each
            if is_listed or wrote or said.reference.source is not Source.MESSAGE or wishes.reaches_somebody(said.text)
        ]
        called = any(
            self._is_theirs(called, mine) and (is_listed or _is_plain(called, mine, wrote=wrote)) for called in names
        )
        return [Reference(source=Source.CONTACT, id=address)] if called else []

    def _who_have(self, address: str) -> Sequence[Acquaintance]:
        """The acquaintances with this address, whom a name can mean."""
        wanted = words.address(address)
        return [one for one in self.known.acquaintances if one.is_named and words.address(one.address) == wanted]

    def _is_theirs(self, called: Called, mine: Sequence[Acquaintance]) -> bool:
        """Whether a word of it is one of their names, and nobody else's."""
        return any(
            all(
                words.address(other.address) == words.address(one.address)
                for other in self.known.acquaintances
                if word in words.names_in([word], *other.names)
            )
            for one in mine
            for word in words.names_in(called.words, *one.names)
        )

    def _takes_part(self, address: str, impact: Impact) -> list[Touched]:
        """The things of the owner's own that the owner named, in which they take part; and if the owner wrote to them
        before, the conversation that the owner named.
        """
        own = [thing for thing in self.known.things if thing.is_own and self._named(thing)]
        if impact.among and address in impact.met and self._named(impact.among):
            own.append(impact.among)
        wanted = words.address(address)
        those = [thing for thing in own if wanted in {words.address(person) for person in thing.people}]
        return [thing for thing in those if self._means_those_in(thing)]

    def _means_those_in(self, thing: Touched) -> bool:
        """Whether a sentence names the thing as one, and says nobody else to whom something goes. What the agent gave
        a title, a text that it read may have chosen.
        """
        is_chosen = (thing.is_own or thing.is_titled) and not _is_made_by_agent(thing)
        return any(
            (
                titles.names_those_in(sentence, thing.title, is_chosen=is_chosen, kind=thing.kind)
                or self._is_with_author(sentence, thing)
            )
            and not is_for_others(sentence, thing.people)
            for said in self.known.said
            for sentence in words.sentences(said.text)
        )

    def sender(self, address: str) -> Traced:
        """Another address of the owner's, from which a mail leaves; to name it is to ask for it."""
        found = self._traced(Role.OBJECT, f"sender:{address}", address, self._person(address), sought=address)
        return replace(found, is_alone=True)

    def thing(self, touched: Touched) -> Traced:
        value = f"{touched.kind}:{touched.id}"
        made = self.known.made.get(touched.id)
        named = [Reference(source=Source.MADE, id=made)] if made else self._named(touched) or self._in_part(touched)
        exact = bool(made) or any(
            words.holds(its_words, words.words_of(touched.title))
            or _calls_whole(said.text, touched)
            or self._calls_alone(said.text, touched)
            for said, its_words in self.said
        )
        found = self._traced(Role.OBJECT, value, touched.title or value, named, sought=touched.id, is_exact=exact)
        is_beyond = touched.is_many and not made and self._is_beyond(touched, named)
        return replace(found, is_alone=touched.is_alone, is_beyond=is_beyond)

    def _is_beyond(self, thing: Touched, named: Sequence[Reference]) -> bool:
        """Whether no text that names a thing is about more than one occurrence of it."""
        about = [said for said in self.known.said if said.reference in named or said.reference.source is Source.FORM]
        return not any(occurrences.are_many(said.text, thing.title) for said in about)

    def _named(self, thing: Touched) -> list[Reference]:
        """The words that call it by its title; none where they call another thing as well, or where its title is what
        somebody else wrote and any request may hold.
        """
        title = words.words_of(thing.title)
        named = [
            said.reference
            for said, its_words in self.said
            if words.calls(its_words, title) and (_calls_own(said.text, thing) or self._is_told(said.text, thing))
        ]
        return [] if named and self._has_rivals(thing) else named

    def _is_told(self, text: str, thing: Touched) -> bool:
        """Whether a title that somebody else wrote names it in this text: as one names a thing, or by one word that
        tells something and its author's name. For a draft one is enough, as whom it is sent to is named beside it.
        """
        return titles.names(text, thing.title, kind=thing.kind) or bool(
            (thing.kind == DRAFT and titles.tells(thing.title)) or self._is_with_author(text, thing)
        )

    def _is_with_author(self, text: str, thing: Touched) -> bool:
        """Whether a text has a title that tells something, and its author is said."""
        if not titles.tells(thing.title):
            return False
        is_called = words.calls(words.words_of(text), words.words_of(thing.title))
        return is_called and bool(self._person(thing.author, wrote=True))

    def _has_rivals(self, thing: Touched) -> bool:
        """Whether the words call another thing of its kind, by a title that is no part of this one's, and do not tell
        the two apart by their days; or another occurrence of it.
        """
        return self._is_on_another_day(thing) or any(
            self._may_be_called(other, words.words_of(other.title))
            and not _is_part(other, thing)
            and not self._is_told_apart(thing, other)
            for other in self._others(thing)
        )

    def _is_on_another_day(self, thing: Touched) -> bool:
        """Whether it is one of several occurrences, and where the words call them they name other days than its own."""
        if self.today is None or thing.day is None or thing.is_many or series_of(thing.id) == thing.id:
            return False
        return days.name_another(self._calling(thing), thing.title, this=thing.day, today=self.today)

    def _is_told_apart(self, thing: Touched, other: Touched) -> bool:
        """Whether the words that call both name the day of the one, and not that of the other."""
        if self.today is None or thing.day is None or other.day is None:
            return False
        return days.tells_apart(self._calling(thing), thing.title, this=thing.day, other=other.day, today=self.today)

    def _calling(self, thing: Touched) -> Sequence[str]:
        return [said.text for said, its_words in self.said if self._is_called(thing, said, its_words)]

    def _others(self, thing: Touched) -> Iterator[Touched]:
        """What else there is of its kind."""
        mine = series_of(thing.id)
        return (one for one in self.known.things if one.kind == thing.kind and series_of(one.id) != mine)

    def _may_be_called(self, thing: Touched, title: Sequence[str]) -> bool:
        """Whether a text has the words of its title, and these name something."""
        return any(
            words.calls(its_words, title) and (_calls_own(said.text, thing) or titles.tells(thing.title))
            for said, its_words in self.said
        )

    def _in_part(self, thing: Touched) -> list[Reference]:
        """The texts that name something of the owner's own by a word of its title, and nothing else by all of one."""
        found = [said.reference for said in self.known.said if self._is_named_in_part(said.text, thing)]
        return [] if found and self._has_rivals(thing) else found

    def _is_named_in_part(self, text: str, thing: Touched) -> bool:
        """Whether the text names one thing by a word that no other one of its kind has in its title."""
        if not thing.is_own:
            return False
        taken = {word for other in self._others(thing) for word in words.words_of(other.title)}
        return not taken.issuperset(titles.parts_named(text, thing.title, kind=thing.kind))

    def _calls_alone(self, text: str, thing: Touched) -> bool:
        """Whether a part of an own title says which event it is, of all those that were looked up beside it."""
        if self.today is None or thing.day is None or not thing.is_own or _is_made_by_agent(thing):
            return False
        taken = {word for other in self._others(thing) for word in words.words_of(other.title)}
        return titles.calls_in_part(text, thing.title, taken)

    def links(self, addresses: Sequence[str]) -> Iterator[Traced]:
        """Each with the words in which it stands; a text is looked through once, and only if there is a link."""
        texts = [*self.known.said, *self.known.members] if addresses else []
        found = [(said.reference, frozenset(links.found(said.text))) for said in texts]
        for address in addresses:
            named = [reference for reference, named in found if not named.isdisjoint(links.spellings(address))]
            yield self._traced(Role.URL, address, address, named)

    def file(self, attached: Attached, destinations: Sequence[str]) -> Traced:
        """Its owner named it or shared it here, or everybody whom it reaches has it already."""
        named = [said.reference for said in self.known.said if titles.names_file(said.text, attached.name)]
        if message := self.known.shared.get(attached.id):
            named.append(Reference(source=Source.MESSAGE, id=message))
        readers = {words.address(reader) for reader in attached.readers}
        if not named and destinations and {words.address(address) for address in destinations} <= readers:
            named = [Reference(source=Source.THING, id=attached.name)]
        return self._traced(Role.ATTACHMENT, attached.name, attached.name, named)

    def is_asked_for(
        self, effect: EffectClass, verbs: Sequence[str], impact: Impact, reached: Sequence[Traced]
    ) -> bool:
        """Whether one and the same text asks with a verb, and calls each thing that was not made for this request, and
        what those take part in who were named by that alone: a word for something else asks for nothing, nor for these
        what goes to somebody else. What was filled into the window of this very call asks for it.
        """
        if any(said.reference.source is Source.FORM for said in self.known.said):
            return True
        touched = [thing for thing in impact.objects if thing.id not in self.known.made]
        among = [self._takes_part(value.value, impact) for value in reached if value.is_only_taking_part]
        called = [words.words_of(thing.title) for thing in itertools.chain(touched, *among)]
        return any(
            all(self._is_called(thing, said, its_words) for thing in touched)
            and wishes.asks_for(said.text, effect, verbs, called)
            and all(
                any(
                    self._is_called(thing, said, its_words)
                    and not self._go_to_others(wishes.addressees(said.text, effect, verbs, called), thing)
                    for thing in each
                )
                for each in among
            )
            for said, its_words in self.said
        )

    def _go_to_others(self, addressees: Sequence[str], thing: Touched) -> bool:
        """Whether all that is asked for goes to somebody else than who takes part in the thing."""
        those = [one for person in thing.people for one in self._who_have(person)]
        return go_to_others(addressees, thing.people, lambda called: self._is_theirs(called, those))

    def _is_called(self, thing: Touched, said: Said, its_words: Sequence[str]) -> bool:
        return words.calls(its_words, words.words_of(thing.title)) or self._is_named_in_part(said.text, thing)

    def _traced(
        self,
        role: Role,
        value: str,
        shown: str,
        named: Sequence[Reference],
        *,
        sought: str = "",
        is_inside: bool = False,
        is_exact: bool = False,
    ) -> Traced:
        seen = () if named else tuple(self.known.sightings(sought or value))
        return Traced(
            role=role,
            value=value,
            shown=shown,
            named_by=tuple(dict.fromkeys(named)),
            seen_in=seen,
            is_inside=is_inside,
            is_exact=is_exact,
        )


def _only_mentions(said: Said, address: str) -> bool:
    """Whether a typed message has a mail address without asking for anything that reaches it."""
    is_typed = said.reference.source is Source.MESSAGE and "@" in address
    spellings = {words.address(address), domains.in_letters(address)}
    return is_typed and not any(wishes.reaches(said.text, each) for each in spellings)


def _says(text: str, address: str) -> bool:
    """Whether an address of a person or a page, or the id or name of a conversation, stands in a text as a whole."""
    if "@" in address:
        return not words.addresses_in(text).isdisjoint({words.address(address), domains.in_letters(address)})
    if pages := links.found(address):
        return set(pages) <= set(links.found(text))
    return words.holds(words.words_of(text), words.words_of(address))


def _is_plain(called: Called, mine: Sequence[Acquaintance], *, wrote: bool) -> bool:
    """Whether somebody who chose their name themselves is named so clearly that it is no word of the request: all of
    it is theirs.
    """
    theirs = {name for one in mine for name in words.names_in(called.words, *one.names)}
    return called.is_clear and (called.receives or wrote) and theirs.issuperset(called.words)


def _is_made_by_agent(thing: Touched) -> bool:
    """Whether an event has an id of ours, with or without a card."""
    return thing.kind == "event" and is_id_of_ours(thing.id)


def _calls_own(text: str, thing: Touched) -> bool:
    return (thing.is_own or thing.is_titled) and titles.calls_own(text, thing.title)


def _calls_whole(text: str, thing: Touched) -> bool:
    """Of a thing that the agent gave its title, all of it has to be said."""
    return thing.is_own and not _is_made_by_agent(thing) and titles.calls_whole(text, thing.title)


def _is_part(other: Touched, thing: Touched) -> bool:
    """Whether a title is a part of the other one, which the words call in full. Of what somebody else wrote only words
    that tell something count: more of the others make no title more than another one.
    """
    short, long = words.words_of(other.title), words.words_of(thing.title)
    if thing.is_own or thing.is_titled:
        return len(short) < len(long) and words.holds(long, short)
    return titles.telling_words(short) < titles.telling_words(long)
