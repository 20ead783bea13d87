"""Who named each value of an impact, found in what is known at that moment. Pure: `bot.runtime.policy` gathers it.

Words count only if their owner said them: typed in this thread, chosen among options, or filled into a window. A
person's name in them, where one would name a person, stands for an address only if it is the address of exactly one
person the owner wrote to, or who stands in their directory. A title stands for a thing only if exactly one thing
that was seen is called so. The author of a title can choose it so that any request holds its words, so what others
wrote has to be named as one names a thing (`policies.guards.titles`), or by one word that tells something with its
author's name. Ids name nothing: they are chosen by others, too, and people do not type them. To name a thing is not to
ask for it to be changed: that takes a verb as well, where the thing is called (`policies.guards.wishes`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from policies.guards import titles, wishes, words
from policies.guards.addresses import links
from policies.guards.grammar import occurrences, orders
from policies.guards.impacts import addresses_of
from policies.guards.known import KnownWorld, World, is_made_by_agent, once, once_for_alike
from policies.guards.persons import Persons
from policies.guards.readings import Reading, read
from policies.guards.things import Things
from policies.guards.verbs import DISPATCH, verbs_of
from policies.provenance import DRAFT, Attached, Impact, Provenance, Reference, Source, Touched, Traced
from policies.types import EffectClass, Role

_IT = frozenset({"it", "them", "that", "this", "es", "ihn", "sie", "den", "das"})  # what was just spoken of


def trace(
    impact: Impact,
    known: KnownWorld,
    *,
    effect: EffectClass = EffectClass.DESTRUCTIVE,
    verbs: Sequence[str] = (),
    there: Things | None = None,
) -> Provenance:
    """Every value of the impact with who named it. `effect` is the class of the tool, `verbs` are those that it names
    as the ones with which people ask for what it does. A caller that traces more than once for a call says what is
    `there`.
    """
    verbs = impact.verbs or verbs
    is_prompt = not impact.is_later and "send" in verbs_of(effect, verbs)
    tracer = _Tracer(known, there or Things(World(known, impact), impact.today), is_prompt=is_prompt)
    texts = [text for text in impact.texts if text.strip()]
    reached = [tracer.destination(address, impact) for address in dict.fromkeys(impact.destinations)]
    things = [tracer.thing(touched) for touched in impact.objects]
    named = [touched for touched, traced in zip(impact.objects, things, strict=True) if traced.is_named]
    return Provenance(
        values=(
            *reached,
            *things,
            *([tracer.sender(impact.sender)] if impact.sender else []),
            *tracer.removed(impact),
            *tracer.links(addresses_of(impact)),
            *(tracer.file(attached, impact.destinations) for attached in impact.attachments),
        ),
        is_verbatim=bool(texts) and all(map(tracer.is_typed, texts)),
        is_asked_for=tracer.is_asked_for(effect, verbs, impact, reached),
        present=tuple(dict.fromkeys(person for touched in named for person in touched.people)),
    )


class _Tracer:
    def __init__(self, known: KnownWorld, there: Things, *, is_prompt: bool = False) -> None:
        self.known, self.there, self.world, self.said = known, there, there.world, there.world.said
        self.persons = Persons(known, self.world, is_prompt=is_prompt)
        self.found = dict[tuple[object, ...], object]()
        self._taking_part = dict[str, Sequence[Touched]]()

    def is_typed(self, text: str) -> bool:
        """Whether a text has this one, which is not blank, word by word."""
        return any(its.has_typed(text) for _, its in self.said)

    def destination(self, address: str, impact: Impact) -> Traced:
        if address == impact.calendar:
            return self._traced(Role.DESTINATION, address, address, self._calendar(address))
        taken = () if self.persons.is_excepted(address) else self._takes_part(address, impact)
        named = [
            *self.persons.who_name(address, reached=address not in impact.inside),
            *(Reference(source=Source.THING, id=f"{thing.kind}:{thing.id}") for thing in taken),
        ]
        return self._traced(Role.DESTINATION, address, address, named, is_inside=address in impact.inside)

    def _calendar(self, name: str) -> list[Reference]:
        """The words that ask for something on the calendar that goes by this name, or by this id."""
        called, by_id = self.world.title(name), self.world.saying(name) if "@" in name else ()
        wanted = [called.words]
        return [
            said.reference
            for place, (said, text) in enumerate(self.said)
            if (place in by_id or titles.names_calendar(text, called)) and wishes.asks_to_write(said.text, wanted)
        ]

    def _takes_part(self, address: str, impact: Impact) -> Sequence[Touched]:
        """The things of the owner's own that the owner named, in which they take part; and if the owner wrote to them
        before, the conversation that the owner named.
        """
        if address not in self._taking_part:
            among = [impact.among] if impact.among and address in impact.met else []
            wanted = words.address(address)
            beside = (thing for thing in among if wanted in map(words.address, thing.people))
            those = (thing for thing in (*self.there.own_with.get(wanted, ()), *beside) if self._named(thing))
            self._taking_part[address] = [
                thing
                for thing in those
                if any(self.persons.is_open(address, said) for said in self._meaning_those_in(thing))
            ]
        return self._taking_part[address]

    @once
    def _meaning_those_in(self, thing: Touched) -> Sequence[Reading]:
        """The sentences that name the thing as one, and say nobody else that something goes to; of one that asks for
        several things, what asks where the thing is called. What the agent gave a title, a text that it read may have
        chosen.
        """
        telling, found = self.world.title(thing.title).telling, list[Reading]()
        for sentence in self.persons.for_them(self._told_with(thing), thing.people):
            parts = [each for each in sentence.requests if not telling.isdisjoint(each.said)]
            found += parts if len(sentence.requests) > 1 and parts else [sentence]
        return found

    @once_for_alike
    def _told_with(self, thing: Touched) -> Iterable[Reading]:
        """The sentences that name such a thing as one, one of all that say the same of whom something is for."""
        is_chosen = (thing.is_own or thing.is_titled) and not is_made_by_agent(thing)
        title = self.world.title(thing.title)
        found = (
            sentence
            for sentence in self.world.sentences_with(title)
            if titles.names_those_in(sentence, title, is_chosen=is_chosen, kind=thing.kind)
            or self._is_with_author(sentence, thing)
        )
        return {sentence.addressed: sentence for sentence in found}.values()

    def sender(self, address: str) -> Traced:
        """Another address of the owner's, from which a mail leaves; to name it is to ask for it."""
        found = self._traced(Role.OBJECT, f"sender:{address}", address, self.persons.who_name(address), sought=address)
        return replace(found, is_alone=True)

    def removed(self, impact: Impact) -> Iterator[Traced]:
        """Those who take part no more in what was not made for this request: a text asks for them to be taken off, by
        their address, a mention, or a word of a name of theirs that is none of the title.
        """
        if impact.objects and all(thing.id in self.known.made for thing in impact.objects):
            return
        title = frozenset(word for thing in impact.objects for word in words.words_of(thing.title))
        for address, called in impact.removed.items():
            named = self.persons.who_remove(address, called, title)
            found = self._traced(Role.OBJECT, f"guest:{address}", address, named, sought=address)
            yield replace(found, is_alone=True)

    def thing(self, touched: Touched) -> Traced:
        value = f"{touched.kind}:{touched.id}"
        made = self.known.made.get(touched.id)
        named = [Reference(source=Source.MADE, id=made)] if made else self._named(touched) or self._in_part(touched)
        title = self.world.title(touched.title)
        exact = bool(made) or any(
            self.there.calls_exactly(text, touched)
            for _, text in (self.said[place] for place in self.world.having(title.words))
        )
        found = self._traced(Role.OBJECT, value, touched.title or value, named, sought=touched.id, is_exact=exact)
        is_beyond = touched.is_many and not made and self._is_beyond(touched, named)
        is_new = touched.has_new_rhythm and not made and self._has_new_rhythm(touched, named)
        return replace(found, is_alone=touched.is_alone, is_beyond=is_beyond, has_new_rhythm=is_new)

    def _has_new_rhythm(self, thing: Touched, named: Sequence[Reference]) -> bool:
        """Whether no text that names a thing wants it to repeat otherwise, or to end."""
        title, about = self.world.title(thing.title), [said for said in self.known.said if said.reference in named]
        is_filled_in = any(said.reference.source is Source.FORM for said in self.known.said)
        return not is_filled_in and not any(occurrences.have_new_rhythm(said.text, title) for said in about)

    def _is_beyond(self, thing: Touched, named: Sequence[Reference]) -> bool:
        """Whether no text that names a thing is about more than one occurrence of it; a window about the call is, if it
        names no time.
        """
        title, about = self.world.title(thing.title), [said for said in self.known.said if said.reference in named]
        filled_in = [said for said in self.known.said if said.reference.source is Source.FORM]
        return not (
            any(occurrences.are_many(said.text, title) for said in about)
            or any(not occurrences.has_time(said.text) for said in filled_in)
        )

    @once
    def _named(self, thing: Touched) -> list[Reference]:
        """The words that call it by its title; none where they call another thing as well, or where its title is what
        somebody else wrote and any request may hold.
        """
        named = self._telling(thing)
        return [] if named and self.there.has_rivals(thing) else named

    @once_for_alike
    def _telling(self, thing: Touched) -> list[Reference]:
        """The words that call such a thing by its title, whatever else they call."""
        return [
            said.reference
            for said, text in (self.said[place] for place in self.world.calling(thing.title))
            if self.there.calls_own(text, thing) or self._is_told(text, thing)
        ]

    def _is_told(self, text: Reading, thing: Touched) -> bool:
        """Whether a title that somebody else wrote names it in this text: as one names a thing, or by one word that
        tells something and its author's name. For a draft one is enough, as its recipients are named beside it.
        """
        title = self.world.title(thing.title)
        return titles.names(text, title, kind=thing.kind) or bool(
            (thing.kind == DRAFT and title.telling) or self._is_with_author(text, thing)
        )

    def _is_with_author(self, text: Reading, thing: Touched) -> bool:
        """Whether a text has a title that tells something, and its author is said."""
        title = self.world.title(thing.title)
        is_called = bool(title.telling) and title.is_called_in(text)
        return is_called and bool(self.persons.who_name(thing.author, wrote=True))

    def _in_part(self, thing: Touched) -> list[Reference]:
        """The texts that name something of the owner's own by a word of its title, and nothing else by all of one."""
        if self.there.has_rivals(thing):
            return []
        return [self.said[place][0].reference for place in self.there.partly_named_in(thing)]

    def links(self, addresses: Sequence[str]) -> Iterator[Traced]:
        """Each with the words in which it stands; a text is looked through once, and only if there is a link."""
        texts = [*self.known.said, *self.known.members] if addresses else []
        found = [(said.reference, said.reading.links) for said in texts]
        for address in addresses:
            named = [reference for reference, named in found if not named.isdisjoint(links.spellings(address))]
            yield self._traced(Role.URL, address, address, named)

    def file(self, attached: Attached, destinations: Sequence[str]) -> Traced:
        """Its owner named it or shared it here, or everybody it reaches has it already."""
        name, stem = self.world.title(attached.name), self.world.title(titles.stem_of(attached.name))
        named = [said.reference for said, text in self.said if titles.names_file(text.included, name, stem)]
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
        what goes to somebody else. What was filled into the window of this very call asks for it. What is destroyed is
        called even if it was made for this request.
        """
        if any(said.reference.source is Source.FORM for said in self.known.said):
            return True
        old = [thing for thing in impact.objects if thing.id not in self.known.made]
        touched = impact.objects if effect is EffectClass.DESTRUCTIVE else old
        drafts = [thing for thing in old if thing.kind == DRAFT and effect is EffectClass.EXTERNAL]
        among = {value.value: self._takes_part(value.value, impact) for value in reached if value.is_only_taking_part}
        called = [self.world.title(title).words for title in _titles_of(itertools.chain(touched, *among.values()))]
        return any(
            all(self.there.is_called_in(place, thing) for thing in touched)
            and wishes.asks_for(said.text, effect, verbs, called)
            and (not among or self._is_for_those(place, among, wishes.addressees(said.text, effect, verbs, called)))
            and all(self._is_dispatched(said.text, thing) for thing in drafts)
            and (effect is not EffectClass.DESTRUCTIVE or not touched or self._is_ordered(place, verbs, touched))
            for place, (said, _) in enumerate(self.said)
        )

    def _is_dispatched(self, text: str, draft: Touched) -> bool:
        """Whether a text asks for a draft to be sent, by its title or by “it”: other things are asked of it as well."""
        telling = self.world.title(draft.title).telling or self.world.title(draft.title).calling
        told = [Reading(each) for each in wishes.addressees(text, EffectClass.EXTERNAL, DISPATCH)]
        return any(not telling.isdisjoint(each.said) or not _IT.isdisjoint(each.words[1:2]) for each in told)

    def _is_ordered(self, place: int, verbs: Sequence[str], things: Sequence[Touched]) -> bool:
        """Whether this text came with this request, is the last one that says more than thanks, and calls each of the
        things in an order.
        """
        if place != self._last_said or self.said[place][0].reference.id in self.known.earlier:
            return False
        titled = [self.world.title(title) for title in _titles_of(things)]
        kinds, called = frozenset(thing.kind for thing in things), [title.words for title in titled]
        others = [title for title in map(self.world.title, _titles_of(self.world.called)) if title not in titled]
        found = [
            read(text)
            for text in orders.orders(self.said[place][0].text, tuple(verbs), tuple(titled), kinds, tuple(others))
            if wishes.asks_for(text, EffectClass.DESTRUCTIVE, verbs, called)
        ]
        return all(any(self._orders(text, place, thing) for text in found) for thing in things)

    @cached_property
    def _last_said(self) -> int | None:
        """The newest message that says more than “thanks” or “yes, please”; they stand there from the newest on."""
        typed = (place for place, (said, _) in enumerate(self.said) if said.reference.source is Source.MESSAGE)
        return next((place for place in typed if not orders.is_courtesy(self.said[place][0].text)), None)

    def _orders(self, text: Reading, place: int, thing: Touched) -> bool:
        """Whether an order calls a thing, that of the day that it names, and many occurrences of it if it is done to
        many.
        """
        if thing.id in self.known.made:
            return self.world.title(thing.title).is_called_in(text)
        is_all = not thing.is_many or occurrences.are_many(text.text, self.world.title(thing.title))
        return is_all and self.there.calls_exactly(text, thing) and self.there.is_ordered(text, place, thing)

    def _is_for_those(self, place: int, among: Mapping[str, Sequence[Touched]], addressees: Sequence[str]) -> bool:
        """Whether what a text asks for in these words may go to each of these addresses, of which a thing that it calls
        has all.
        """
        told = [Reading(each) for each in addressees]
        return all(
            any(self.persons.is_open(address, each) for each in told)
            and any(
                not self.persons.are_all_others(told, people)
                for people in {tuple(thing.people) for thing in things if self.there.is_called_in(place, thing)}
            )
            for address, things in among.items()
        )

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


def _titles_of(things: Iterable[Touched]) -> Iterable[str]:
    return dict.fromkeys(thing.title for thing in things)
