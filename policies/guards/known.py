"""What is known about the world of a call when its impact is traced. Pure: `bot.runtime.policy` gathers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, wraps
from typing import Protocol, TypeVar, cast

from policies.event_ids import is_id_of_ours, series_of
from policies.guards import words
from policies.guards.addresses import domains
from policies.guards.people import Called
from policies.guards.readings import Reading, Title, read, title_of
from policies.provenance import Impact, Reference, Sighting, Source, Touched

MOST_CHARACTERS = 400_000
"""Of all words that count and all titles together. Who named a value is not told where there are more."""

Found = TypeVar("Found")
Thing = TypeVar("Thing", bound="Titled")
Looker = TypeVar("Looker", bound="Looks")
Sightings = Callable[[str], Sequence[Sighting]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words that count, and what they are. They are taken apart once, for as long as they are looked at."""

    reference: Reference
    text: str
    reading: Reading = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        is_filled_in = self.reference.source is Source.FORM
        object.__setattr__(self, "reading", read(self.text).filled_in if is_filled_in else read(self.text).affirmed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """Somebody the owner wrote to, or who stands in their directory. Everybody else who goes by one of these names
    is known as well, or the name would not stand here. `is_named` is false for one who only keeps others from being
    meant, such as one the agent wrote to unasked. `is_listed` says that a directory has them: everybody else chose
    their name themselves, also where a mail of the owner's has it, since mail programs take it over.
    """

    address: str
    names: Sequence[str] = ()
    is_named: bool = True
    is_listed: bool = False


class Titled(Protocol):
    """Something with a title, by its kind and id."""

    @property
    def kind(self) -> str:
        """What its tool calls such a thing."""
        ...

    @property
    def id(self) -> str:
        """Which of its kind it is."""
        ...

    @property
    def title(self) -> str:
        """What it is called."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWorld:
    """What is known about the world of a call when its impact is traced.

    `said` are the owner's words, messages from the newest on, without what they took back (`standing`), `earlier` the
    ids of those messages among them that came before this request, `members` the words of other full members, which can
    name links only. `acquaintances` are all who go by a name in the owner's words. `seen` is all that was seen in this
    thread, each as it was seen last; `things` are those that the owner's words may call (`are_said`), and the impact's
    own: whatever else was seen can only keep a word from naming one of these. `made` are the ids of things that the
    agent made for this request, by the action that made each, `shared` those of files that the owner put into this
    thread, with the message. `days` are those on which the messages were written, in their owner's zone. `used` are the
    ids of things that the same tool was called for before in this request, each with its title where it was seen.
    `replaced` are the ids of messages whose people were replaced in a later one.
    """

    said: Sequence[Said] = ()
    earlier: frozenset[str] = frozenset()
    members: Sequence[Said] = ()
    acquaintances: Sequence[Acquaintance] = ()
    things: Sequence[Touched] = ()
    seen: Sequence[Titled] = ()
    made: Mapping[str, str] = field(default_factory=dict[str, str])
    shared: Mapping[str, str] = field(default_factory=dict[str, str])
    days: Mapping[str, date] = field(default_factory=dict[str, date])
    used: Mapping[str, str] = field(default_factory=dict[str, str])
    sightings: Sightings = lambda _: ()
    replaced: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        object.__setattr__(self, "said", standing(self.said, self.earlier))
        object.__setattr__(self, "replaced", replaced(self.said))


def standing(said: Sequence[Said], earlier: frozenset[str]) -> Sequence[Said]:
    """What of the owner's words they did not take back in a later message. What they chose stands for as long as they
    took nothing back after this request began: when they chose it is not known. What they filled into the window of
    the call came last.
    """
    typed = [one for one in said if one.reference.source is Source.MESSAGE]
    last = next((at for at, one in enumerate(typed) if one.reading.takes_back), len(typed))
    request = max((at for at, one in enumerate(typed) if one.reference.id not in earlier), default=0)
    left = {id(one) for one in typed[last + 1 :]}
    chosen = {Source.ANSWER} if last < request else set[Source]()
    return [one for one in said if id(one) not in left and one.reference.source not in chosen]


def replaced(said: Sequence[Said]) -> frozenset[str]:
    """The ids of messages that name people whom a later one replaced: it names somebody else, and asks for nothing."""
    typed = [one for one in said if one.reference.source is Source.MESSAGE]
    last = next((at for at in range(len(typed) - 2, -1, -1) if typed[at].reading.only_names), None)
    found = set[str]()
    for at in range(last + 1) if last is not None else ():
        if typed[at].reading.only_names:
            theirs = typed[at].reading.people
            found |= {one.reference.id for one in typed[at + 1 :] if not (one.reading.people & theirs)}
    return frozenset(found)


class Acquainted:
    """Who of the acquaintances has an address, and who goes by a name."""

    def __init__(self, acquaintances: Sequence[Acquaintance]) -> None:
        self._all = acquaintances

    def who_have(self, address: str) -> Sequence[Acquaintance]:
        """Those with this address that a name can mean."""
        return self._by_address.get(words.address(address), ())

    def is_theirs(self, called: Called, mine: Sequence[Acquaintance]) -> bool:
        """Whether a word of it is a name of one of these acquaintances, and of nobody with another address."""
        return any(
            self._addresses[word] == {words.address(one.address)}
            for one in mine
            for word in words.names_in(called.words, *one.names)
        )

    def is_plain(self, called: Called, mine: Sequence[Acquaintance], *, wrote: bool) -> bool:
        """Whether one of them who chose their name themselves is named so clearly that it is no word of the request:
        all of it is theirs.
        """
        theirs = {name for one in mine for name in words.names_in(called.words, *one.names)}
        return called.is_clear and (called.receives or wrote) and theirs.issuperset(called.words)

    def is_no_other(self, called: Called, mine: Sequence[Acquaintance]) -> bool:
        """Whether no word of it is another surname than theirs: “Dana Miller” is not Dana Okafor."""
        theirs = {name for one in mine for name in words.name_words(one.address.partition("@")[0], *one.names)}
        return all(word in theirs or words.is_nobody(word) or words.is_everyday(word) for word in called.words)

    @cached_property
    def _by_address(self) -> Mapping[str, Sequence[Acquaintance]]:
        found = dict[str, list[Acquaintance]]()
        for one in self._all:
            if one.is_named:
                found.setdefault(words.address(one.address), []).append(one)
        return found

    @cached_property
    def _addresses(self) -> Mapping[str, set[str]]:
        """Of all who go by a name, by each word of it."""
        found = dict[str, set[str]]()
        for one in self._all:
            for word in words.name_words(*one.names):
                found.setdefault(word, set()).add(words.address(one.address))
        return found


class World:
    """What was said, and all that is there, looked through once for a call. What was looked up for this call says more
    of a thing than what was seen of it before. Texts go by their place.
    """

    def __init__(self, known: KnownWorld, impact: Impact) -> None:
        self.said = [(said, said.reading) for said in known.said]
        self._there = {(one.kind, one.id): one for one in (*known.things, *impact.beside)}
        self._seen, self.days, self.used = known.seen, known.days, known.used
        self.things = list(self._there.values())
        self._about = [*impact.objects, *([impact.among] if impact.among else [])]
        self._titles = dict[str, Title]()
        self._calling, self._saying = dict[str, Sequence[int]](), dict[str, Sequence[int]]()

    def title(self, title: str) -> Title:
        """A title, taken apart once."""
        if title not in self._titles:
            self._titles[title] = title_of(title)
        return self._titles[title]

    @cached_property
    def names(self) -> Sequence[str]:
        """The words that stand where a person is named."""
        return [word for _, text in self.said for called in text.called for word in called.words]

    @cached_property
    def called(self) -> Sequence[Touched]:
        """The things that a text calls by their titles, in their order."""
        return [thing for thing in self.things if self.calling(thing.title)]

    def sharing(self, wanted: frozenset[str]) -> Iterable[tuple[Titled, frozenset[str]]]:
        """All things whose titles may have one of these words, each with those that tell something there."""
        titles = title_of.of_each([one.title for one in self._seen])
        seen = [one for one in zip(self._seen, titles, strict=True) if not wanted.isdisjoint(one[1].telling)]
        yield from ((thing, title.telling) for thing, title in seen if (thing.kind, thing.id) not in self._there)
        yield from ((thing, self.title(thing.title).telling) for thing in self.things)

    @cached_property
    def by_address(self) -> Mapping[str, Sequence[int]]:
        """The texts by each mail address in them."""
        found = dict[str, list[int]]()
        for place, (_, text) in enumerate(self.said):
            for address in text.addresses:
                found.setdefault(address, []).append(place)
        return found

    def calling(self, title: str) -> Sequence[int]:
        """The texts that call a thing by this title, as `words.calls` says."""
        if title not in self._calling:
            called = self.title(title)
            found = -1 if called.calling else 0
            for word in called.calling:
                found &= self._texts.get(word, 0)
            self._calling[title] = [each for each in _places(found) if called.is_called_in(self.said[each][1])]
        return self._calling[title]

    def saying(self, address: str) -> Sequence[int]:
        """The texts with an address of a person or a page, or the id or name of a conversation, as a whole."""
        if address not in self._saying:
            self._saying[address] = self._said_in(address)
        return self._saying[address]

    def _said_in(self, address: str) -> Sequence[int]:
        if "@" in address:
            return sorted({place for each in spellings(address) for place in self.by_address.get(each, ())})
        pages, called = read(address).links, read(address).words
        found = ((place, text) for place, (_, text) in enumerate(self.said))
        return [place for place, text in found if (pages <= text.links if pages else text.holds(called))]

    def having(self, wanted: Iterable[str]) -> Sequence[int]:
        """The texts with any of these words."""
        found = 0
        for word in wanted:
            found |= self._texts.get(word, 0)
        return _places(found)

    def sentences_with(self, title: Title) -> Iterable[Reading]:
        """The sentences that may name something by this title: with the word of it that the fewest have, of those that
        tell something.
        """
        found = [self._sentences.get(word, ()) for word in title.telling]
        return min(found, key=len, default=())

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of all titles that matter: of things that may be called, and of those that the call is about."""
        return frozenset[str]().union(*(self.title(one.title).said for one in (*self.things, *self._about)))

    @cached_property
    def _sentences(self) -> Mapping[str, Sequence[Reading]]:
        """The sentences by each word of titles that matters and tells something, also by those between quotation marks
        alone.
        """
        found = dict[str, list[Reading]]()
        for sentence in (each for _, text in self.said for each in text.sentences):
            said = sentence.spoken.union(*sentence.quoted) if sentence.quoted else sentence.spoken
            for word in said & self._words:
                found.setdefault(word, []).append(sentence)
        return found

    @cached_property
    def _texts(self) -> Mapping[str, int]:
        """By each word of titles that matters the texts that have it, as the bits of a number."""
        found, wanted = dict[str, int](), self._words
        for place, (_, text) in enumerate(self.said):
            bit = 1 << place
            for word in text.spoken & wanted:
                found[word] = found.get(word, 0) | bit
        return found


def are_said(said: Iterable[Said], things: Iterable[Titled]) -> list[bool]:
    """Of each thing whether the words of its title were said, in one text or several: no other one is called by it."""
    spoken = frozenset[str]().union(*(one.reading.spoken for one in said))
    titles = title_of.of_each([one.title for one in things])
    return [title.calling <= spoken and bool(title.calling) for title in titles]


def spellings(address: str) -> set[str]:
    """The ways in which a mail address can stand in a text, as `words.address` has them."""
    return {words.address(address), domains.in_letters(address)}


class Looks(Protocol):
    """Who looks at things, and keeps what was found out about each by what was asked."""

    found: dict[tuple[object, ...], object]


def once(find: Callable[[Looker, Touched], Found]) -> Callable[[Looker, Touched], Found]:
    """Finds something out about a thing once: all of them live as long as who looks at them."""

    @wraps(find)
    def found(looker: Looker, thing: Touched) -> Found:
        key = (find.__name__, id(thing))
        if key not in looker.found:
            looker.found[key] = find(looker, thing)
        return cast("Found", looker.found[key])

    return found


def once_for_alike(find: Callable[[Looker, Touched], Found]) -> Callable[[Looker, Touched], Found]:
    """Finds something out once for all things of one kind that have the same title by the same author."""

    @wraps(find)
    def found(looker: Looker, thing: Touched) -> Found:
        is_made = is_made_by_agent(thing)
        key = (find.__name__, thing.kind, thing.title, thing.is_own, thing.is_titled, thing.author, is_made)
        if key not in looker.found:
            looker.found[key] = find(looker, thing)
        return cast("Found", looker.found[key])

    return found


def is_made_by_agent(thing: Touched) -> bool:
    """Whether an event has an id of ours, with or without a card."""
    return thing.kind == "event" and is_id_of_ours(thing.id)


def is_occurrence(thing: Touched) -> bool:
    """Whether it is one of several of a series, as its id or what it is a part of says."""
    return series_of(thing.id) != thing.id or bool(thing.part_of)


def by_series(things: Iterable[Thing]) -> Mapping[str, Mapping[str, Sequence[Thing]]]:
    """These things by their kind, and by what the occurrences of one share."""
    found = dict[str, dict[str, list[Thing]]]()
    for thing in things:
        found.setdefault(thing.kind, {}).setdefault(series_of(thing.id), []).append(thing)
    return found


def is_part(short: Title, long: Title, *, is_chosen: bool) -> bool:
    """Whether a title is a part of the other one, which the words call in full. Of what somebody else wrote (it is not
    `is_chosen`) only words that tell something count: more of the others make no title more than another one.
    """
    if is_chosen:
        return len(short.words) < len(long.words) and words.holds(long.words, short.words)
    return short.telling < long.telling


def _places(bits: int) -> Sequence[int]:
    """The places of those that are set, from the first one on."""
    found = list[int]()
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found
