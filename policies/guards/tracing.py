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
from collections.abc import Iterator, Sequence
from dataclasses import replace

from policies.event_ids import is_id_of_ours, series_of
from policies.guards import days, occurrences, titles, wishes, words
from policies.guards.addresses import links
from policies.guards.impacts import addresses_of
from policies.guards.known import Acquaintance, Acquainted, KnownWorld, Said, World, is_part, once, others, spellings
from policies.guards.people import called_in, go_to_others, is_for_others
from policies.guards.readings import read, title_of
from policies.provenance import DRAFT, Attached, Impact, Provenance, Reference, Source, Touched, Traced
from policies.types import EffectClass, Role


def trace(
    impact: Impact,
    known: KnownWorld,
    *,
    effect: EffectClass = EffectClass.DESTRUCTIVE,
    verbs: Sequence[str] = (),
    world: World | None = None,
) -> Provenance:
    """Every value of the impact with who named it. `effect` is the class of the tool, `verbs` are those that it names
    as the ones with which people ask for what it does. A caller that traces more than once for a call gives its
    `world`.
    """
    tracer = _Tracer(known, impact, world or World(known, impact))
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
        is_verbatim=bool(texts) and all(map(tracer.is_typed, texts)),
        is_asked_for=tracer.is_asked_for(effect, verbs, impact, reached),
        present=tuple(dict.fromkeys(person for touched in named for person in touched.people)),
    )


class _Tracer:
    def __init__(self, known: KnownWorld, impact: Impact, world: World) -> None:
        self.known, self.world, self.said = known, world, world.said
        self.acquainted = Acquainted(known.acquaintances)
        self.today = impact.today
        self.found = dict[tuple[str, int], object]()
        self._persons = dict[tuple[str, bool, bool], Sequence[Reference]]()
        self._taking_part = dict[str, Sequence[Touched]]()

    def is_typed(self, text: str) -> bool:
        """Whether a text has this one, which is not blank, whatever the space between its words."""
        flat = " ".join(words.plain(text).split())
        return any(flat in its.flat for _, its in self.said)

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
        wanted, by_id = [words.words_of(name)], self.world.saying(name) if "@" in name else ()
        return [
            said.reference
            for place, (said, _) in enumerate(self.said)
            if (place in by_id or titles.names_calendar(said.text, name)) and wishes.asks_to_write(said.text, wanted)
        ]

    def _person(self, address: str, *, wrote: bool = False, reached: bool = False) -> Sequence[Reference]:
        """The words that say this address, or mean the person who has it; who `wrote` something need not get any. Who
        is `reached` outside the workspace, and in no directory, does: a typed message has to ask for that.
        """
        how = (address, wrote, reached)
        if how not in self._persons:
            self._persons[how] = self._found_person(address, wrote=wrote, reached=reached)
        return self._persons[how]

    def _found_person(self, address: str, *, wrote: bool, reached: bool) -> Sequence[Reference]:
        mine = self.acquainted.who_have(address)
        reached = reached and not any(one.is_listed for one in mine)
        saying = [self.said[place][0] for place in self.world.saying(address)]
        said = (said.reference for said in saying if not (reached and _only_mentions(said, address)))
        return [*said, *([Reference(source=Source.CONTACT, id=address)] if self._is_called_by(mine, wrote) else [])]

    def _is_called_by(self, mine: Sequence[Acquaintance], wrote: bool) -> bool:
        """Whether they are the only acquaintance that the owner's words can mean by one of their names."""
        is_listed = any(one.is_listed for one in mine)
        return any(
            self.acquainted.is_theirs(called, mine)
            and (is_listed or self.acquainted.is_plain(called, mine, wrote=wrote))
            and (
                is_listed or wrote or said.reference.source is not Source.MESSAGE or wishes.reaches_somebody(said.text)
            )
            for said in (self.known.said if mine else ())
            for called in called_in(said.text)
        )

    def _takes_part(self, address: str, impact: Impact) -> Sequence[Touched]:
        """The things of the owner's own that the owner named, in which they take part; and if the owner wrote to them
        before, the conversation that the owner named.
        """
        if address not in self._taking_part:
            among = [impact.among] if impact.among and address in impact.met else []
            wanted = words.address(address)
            those = (
                thing
                for thing in (*(one for one in self.world.called if one.is_own), *among)
                if wanted in {words.address(person) for person in thing.people} and self._named(thing)
            )
            self._taking_part[address] = [thing for thing in those if self._means_those_in(thing)]
        return self._taking_part[address]

    @once
    def _means_those_in(self, thing: Touched) -> bool:
        """Whether a sentence names the thing as one, and says nobody else that something goes to. What the agent gave
        a title, a text that it read may have chosen.
        """
        is_chosen = (thing.is_own or thing.is_titled) and not _is_made_by_agent(thing)
        return any(
            (
                titles.names_those_in(sentence, thing.title, is_chosen=is_chosen, kind=thing.kind)
                or self._is_with_author(sentence, thing)
            )
            and not is_for_others(sentence, thing.people)
            for place in self.world.having(title_of(thing.title).telling)
            for sentence in self.said[place][1].sentences
        )

    def sender(self, address: str) -> Traced:
        """Another address of the owner's, from which a mail leaves; to name it is to ask for it."""
        found = self._traced(Role.OBJECT, f"sender:{address}", address, self._person(address), sought=address)
        return replace(found, is_alone=True)

    def thing(self, touched: Touched) -> Traced:
        value = f"{touched.kind}:{touched.id}"
        made = self.known.made.get(touched.id)
        named = [Reference(source=Source.MADE, id=made)] if made else self._named(touched) or self._in_part(touched)
        title = title_of(touched.title)
        exact = bool(made) or any(
            text.has_whole(title) or _calls_whole(said.text, touched) or self._calls_alone(said.text, touched)
            for said, text in (self.said[place] for place in self.world.having(title.words))
        )
        found = self._traced(Role.OBJECT, value, touched.title or value, named, sought=touched.id, is_exact=exact)
        is_beyond = touched.is_many and not made and self._is_beyond(touched, named)
        return replace(found, is_alone=touched.is_alone, is_beyond=is_beyond)

    def _is_beyond(self, thing: Touched, named: Sequence[Reference]) -> bool:
        """Whether no text that names a thing is about more than one occurrence of it."""
        about = [said for said in self.known.said if said.reference in named or said.reference.source is Source.FORM]
        return not any(occurrences.are_many(said.text, thing.title) for said in about)

    @once
    def _named(self, thing: Touched) -> list[Reference]:
        """The words that call it by its title; none where they call another thing as well, or where its title is what
        somebody else wrote and any request may hold.
        """
        named = [
            said.reference
            for said, _ in (self.said[place] for place in self.world.calling(thing.title))
            if _calls_own(said.text, thing) or self._is_told(said.text, thing)
        ]
        return [] if named and self._has_rivals(thing) else named

    def _is_told(self, text: str, thing: Touched) -> bool:
        """Whether a title that somebody else wrote names it in this text: as one names a thing, or by one word that
        tells something and its author's name. For a draft one is enough, as its recipients are named beside it.
        """
        return titles.names(text, thing.title, kind=thing.kind) or bool(
            (thing.kind == DRAFT and titles.tells(thing.title)) or self._is_with_author(text, thing)
        )

    def _is_with_author(self, text: str, thing: Touched) -> bool:
        """Whether a text has a title that tells something, and its author is said."""
        title = title_of(thing.title)
        is_called = bool(title.telling) and title.is_called_in(read(text))
        return is_called and bool(self._person(thing.author, wrote=True))

    def _has_rivals(self, thing: Touched) -> bool:
        """Whether the words call another thing of its kind, by a title that is no part of this one's, and do not tell
        the two apart by their days; or another occurrence of it.
        """
        return self._is_on_another_day(thing) or any(
            self._may_be_called(other) and not is_part(other, thing) and not self._is_told_apart(thing, other)
            for other in others(thing, self.world.called)
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
        return [self.said[place][0].text for place in self._called_in(thing)]

    @once
    def _may_be_called(self, thing: Touched) -> bool:
        """Whether a text has the words of its title, and these name something."""
        calling = self.world.calling(thing.title)
        return bool(calling and titles.tells(thing.title)) or any(
            _calls_own(self.said[place][0].text, thing) for place in calling
        )

    def _in_part(self, thing: Touched) -> list[Reference]:
        """The texts that name something of the owner's own by a word of its title, and nothing else by all of one."""
        found = [self.said[place][0].reference for place in self._partly_named_in(thing)]
        return [] if found and self._has_rivals(thing) else found

    @once
    def _partly_named_in(self, thing: Touched) -> Sequence[int]:
        """The texts that name one thing by a word that no other one of its kind has in its title."""
        own = self._only_its(thing) if thing.is_own else frozenset[str]()
        return [
            place
            for place in self.world.having(own)
            if not own.isdisjoint(titles.parts_named(self.said[place][0].text, thing.title, kind=thing.kind))
        ]

    @once
    def _only_its(self, thing: Touched) -> frozenset[str]:
        """The words of its title that were said, tell something, and stand in that of no other thing of its kind."""
        by_word = self.world.by_word
        telling = title_of(thing.title).telling
        return frozenset(word for word in telling if not any(True for _ in others(thing, by_word.get(word, ()))))

    def _calls_alone(self, text: str, thing: Touched) -> bool:
        """Whether a part of an own title says which event it is, of all those that were looked up beside it."""
        if self.today is None or thing.day is None or not thing.is_own or _is_made_by_agent(thing):
            return False
        taken = title_of(thing.title).telling - self._only_its(thing)
        return titles.calls_in_part(text, thing.title, taken)

    def links(self, addresses: Sequence[str]) -> Iterator[Traced]:
        """Each with the words in which it stands; a text is looked through once, and only if there is a link."""
        texts = [*self.known.said, *self.known.members] if addresses else []
        found = [(said.reference, read(said.text).links) for said in texts]
        for address in addresses:
            named = [reference for reference, named in found if not named.isdisjoint(links.spellings(address))]
            yield self._traced(Role.URL, address, address, named)

    def file(self, attached: Attached, destinations: Sequence[str]) -> Traced:
        """Its owner named it or shared it here, or everybody it reaches has it already."""
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
        what goes to somebody else. What was filled into the window of this very call asks for it. What is destroyed is
        called even if it was made for this request, and then by words that came with it.
        """
        if any(said.reference.source is Source.FORM for said in self.known.said):
            return True
        old = [thing for thing in impact.objects if thing.id not in self.known.made]
        touched = impact.objects if effect is EffectClass.DESTRUCTIVE else old
        earlier = self.known.earlier if len(touched) > len(old) else ()
        among = [self._takes_part(value.value, impact) for value in reached if value.is_only_taking_part]
        called = [words.words_of(thing.title) for thing in itertools.chain(touched, *among)]
        return any(
            all(place in self._called_in(thing) for thing in touched)
            and said.reference.id not in earlier
            and wishes.asks_for(said.text, effect, verbs, called)
            and all(
                any(
                    place in self._called_in(thing)
                    and not self._go_to_others(wishes.addressees(said.text, effect, verbs, called), thing)
                    for thing in each
                )
                for each in among
            )
            for place, (said, _) in enumerate(self.said)
        )

    def _go_to_others(self, addressees: Sequence[str], thing: Touched) -> bool:
        """Whether all that is asked for goes to somebody else than who takes part in the thing."""
        those = [one for person in thing.people for one in self.acquainted.who_have(person)]
        return go_to_others(addressees, thing.people, lambda called: self.acquainted.is_theirs(called, those))

    @once
    def _called_in(self, thing: Touched) -> Sequence[int]:
        """The texts that call it, by all of its title or by a part."""
        return sorted({*self.world.calling(thing.title), *self._partly_named_in(thing)})

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
    return is_typed and not any(wishes.reaches(said.text, each) for each in spellings(address))


def _is_made_by_agent(thing: Touched) -> bool:
    """Whether an event has an id of ours, with or without a card."""
    return thing.kind == "event" and is_id_of_ours(thing.id)


def _calls_own(text: str, thing: Touched) -> bool:
    return (thing.is_own or thing.is_titled) and titles.calls_own(text, thing.title)


def _calls_whole(text: str, thing: Touched) -> bool:
    """Of a thing that the agent gave its title, all of it has to be said."""
    return thing.is_own and not _is_made_by_agent(thing) and titles.calls_whole(text, thing.title)
