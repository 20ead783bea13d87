"""Texts as the guards read them: each is taken apart once for a judgement, however many things it is held against.

Who judges holds what was read for as long as that takes. Some of it is kept for the next judgement of a thread: it
depends on the text alone, so it changes no verdict. It holds people's words in memory, so it is little: a text that was
not looked at for a while is forgotten, and all that is kept of texts is bound by their characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Generic, TypeVar

from policies.guards import people, wishes, words
from policies.guards.addresses import links, recipients
from policies.guards.grammar.affirmed import affirmed, included, prompt
from policies.guards.grammar.retractions import takes_back
from policies.guards.verbs import ANY, AWAY, DESTROY, REACH
from policies.types import EffectClass

TIME = re.compile(r"\d+(?:am|pm|h|st|nd|rd|th|uhr)?")

_QUOTED = re.compile(r"[\"“”„«»‘‚]([^\"“”„«»‘‚’\n]{1,300})[\"“”«»’‘]|(?<!\w)'([^'\n]{1,300})'(?!\w)")
_COLON = re.compile(r":(?=\s)")
_MOST, _NEAR = 20, 300
"""Texts in a message that are looked at as dictated ones, and characters before each."""

_ANSWER = 80  # characters of a message that says no more than who something is for
_ADDING = frozenset({"also", "too", "and", "plus", "both", "cc", "bcc", "auch", "und", "beide", "sowie", "is", "ist"})
_ALL_VERBS = tuple(dict.fromkeys((*ANY, *REACH, *DESTROY)))
_INSIDE = "-'’/&"  # signs that a title may have between its words, as in “oak-board”
_MARKS = frozenset({"re", "fw", "fwd", "aw", "wg"})
Read = TypeVar("Read")

CHARACTERS = 100_000
"""Of young texts of one kind."""


class Kept(Generic[Read]):
    """A pure function of a text that remembers what it made of the last ones, of at most twice `most` characters.

    The texts that were asked for last are young. Once they have `most` characters they grow old, and what was old is
    forgotten; an old one that is asked for again is young. A text of `most` characters or more is not kept.
    """

    def __init__(self, read: Callable[[str], Read], most: int = CHARACTERS) -> None:
        self._read, self._most = read, most
        self._young, self._old = dict[str, Read](), dict[str, Read]()
        self._room = most

    def __call__(self, text: str) -> Read:
        """What it makes of this text."""
        young, old = self._young, self._old  # neither loses anything, whichever thread puts others in their place
        if text in young:
            return young[text]
        found = old[text] if text in old else self._read(text)
        if len(text) < self._most:
            self._keep(text, found)
        return found

    def of_each(self, texts: Iterable[str]) -> list[Read]:
        """The same for many texts, in less time than one by one."""
        young = self._young
        return [young[text] if text in young else self(text) for text in texts]

    def cache_clear(self) -> None:
        """Forget all of them, as the caches of `functools` do."""
        self._young, self._old, self._room = {}, {}, self._most

    def _keep(self, text: str, found: Read) -> None:
        self._room -= len(text) + 1
        if self._room < 0:
            self._young, self._old, self._room = {}, self._young, self._most - len(text) - 1
        self._young[text] = found


class Reading:
    """What is found in a text, each part once it is needed. `whole` is what it was before something was left out,
    `is_filled_in` tells of what was filled into the window of a call: it is what the call says, and asks for nothing.
    """

    def __init__(self, text: str, whole: str = "", *, is_filled_in: bool = False) -> None:
        self.text, self.whole, self.is_filled_in = text, whole or text, is_filled_in

    @cached_property
    def affirmed(self) -> Reading:
        """What of it can name something."""
        found = affirmed(self.text)
        return self if found == self.text else Reading(found, whole=self.text)

    @cached_property
    def filled_in(self) -> Reading:
        """What of it can name something in the window of a call."""
        return Reading(affirmed(self.text, is_message=False), whole=self.text, is_filled_in=True)

    @cached_property
    def included(self) -> Reading:
        """What of it says whom or what something is to go to, or along with."""
        if self.is_filled_in:
            return self
        found = included(self.text)
        return self if found == self.text else Reading(found, whole=self.whole)

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The words and addresses that it has, and that something is to go to nowhere."""
        return (self.said - self.included.said) | (self.addresses - self.included.addresses)

    @cached_property
    def prompt(self) -> Reading:
        """The same, without what is to be sent at a time to come."""
        found = self.text if self.is_filled_in else prompt(self.included.text)
        return self.included if found == self.included.text else Reading(found, whole=self.whole)

    @cached_property
    def words(self) -> list[str]:
        """Its words, in their order."""
        return words.words_of(self.text)

    @cached_property
    def order(self) -> words.Told:
        """The same, and where each of them stands."""
        return words.Told(self.words)

    @cached_property
    def said(self) -> frozenset[str]:
        """Its words."""
        return frozenset(self.words)

    @cached_property
    def written(self) -> Sequence[str]:
        """Its words and signs as they are written, without mail addresses."""
        return [one[0] for one in words.tokens_in(words.without_addresses(self.text))]

    @cached_property
    def tokens(self) -> words.Told:
        """The same as they are compared."""
        return words.Told([words.plain(each) for each in self.written])

    @cached_property
    def told(self) -> frozenset[str]:
        """The same, in no order."""
        return frozenset(self.tokens.words)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """All that can be a word of a title there: a few letters make two words in small ones."""
        return self.said | self.told

    @cached_property
    def alone(self) -> words.Told:
        """Its words without mail addresses."""
        return words.Told(words.words_of(words.without_addresses(self.text)))

    @cached_property
    def quoted(self) -> frozenset[tuple[str, ...]]:
        """The words between each two quotation marks, without those of a reply."""
        return frozenset(_without_marks(words.words_of(each[1] or each[2])) for each in _QUOTED.finditer(self.text))

    @cached_property
    def addresses(self) -> frozenset[str]:
        """The mail addresses in it."""
        return words.addresses_in(self.text)

    @cached_property
    def links(self) -> frozenset[str]:
        """Every address in it that can be found, each in one form."""
        return frozenset(links.found(self.text))

    @cached_property
    def sentences(self) -> Sequence[Reading]:
        """Its sentences, as far as its marks tell them."""
        return [Reading(sentence) for sentence in words.sentences(self.text)]

    @cached_property
    def called(self) -> Sequence[people.Called]:
        """The names in it."""
        return people.called_in(self.text)

    @cached_property
    def names(self) -> Mapping[str, Sequence[people.Called]]:
        """The same by each of their words."""
        found = dict[str, list[people.Called]]()
        for called in self.called:
            for word in dict.fromkeys(called.words):
                found.setdefault(word, []).append(called)
        return found

    @cached_property
    def addressed(self) -> recipients.Addressed:
        """For whom it says something is."""
        return recipients.addressed(self.said, self.addresses, self.called)

    @cached_property
    def requests(self) -> Sequence[Reading]:
        """What it says of whom something is for, each time that it asks for something that reaches somebody."""
        return [Reading(each) for each in wishes.addressees(self.text, EffectClass.EXTERNAL, REACH)]

    @cached_property
    def reached(self) -> frozenset[str]:
        """The mail addresses in it of those whom it asks to be reached."""
        return wishes.reached(self.whole) & self.addresses

    @cached_property
    def reaches_somebody(self) -> bool:
        """Whether it asks for something that reaches anybody."""
        return wishes.reaches_somebody(self.whole)

    @cached_property
    def takes_back(self) -> bool:
        """Whether it takes back what was said before it."""
        return takes_back(self.whole)

    @cached_property
    def people(self) -> frozenset[str]:
        """The words of the names in it, and what its mail addresses have before the @."""
        local = (address.partition("@")[0] for address in self.addresses)
        return frozenset(word for called in self.called for word in called.words).union(*map(words.words_of, local))

    @cached_property
    def only_names(self) -> bool:
        """Whether it only says who something is for, and not that they get it, too."""
        if len(self.whole) > _ANSWER or not _ADDING.isdisjoint(self.said) or not self.people:
            return False
        return not wishes.asks(self.whole, _ALL_VERBS)

    @cached_property
    def dictated(self) -> Sequence[str]:
        """What it gives as a text between quotation marks, or behind a colon, where it asks for something that reaches
        somebody, as `flat` has it.
        """
        quoted = [(found.start(), found[1] or found[2]) for found in islice(_QUOTED.finditer(self.whole), _MOST)]
        behind = [(found.start(), self.whole[found.end() :]) for found in islice(_COLON.finditer(self.whole), _MOST)]
        return [words.flat(text) for begin, text in (*quoted, *behind) if _passes_on(self.whole[:begin])]

    @cached_property
    def removed(self) -> Sequence[str]:
        """What it says behind each verb with which it asks for somebody to be taken off something."""
        return wishes.addressees(self.text, EffectClass.EXTERNAL, AWAY)

    @cached_property
    def flat(self) -> str:
        """Its words as they are compared, with one blank between them."""
        return words.flat(self.text)

    @cached_property
    def signs(self) -> Sequence[str]:
        """What stands behind each of its words as a part of it, such as the “++” of “C++”."""
        return words.signs_of(self.text)

    def has_typed(self, text: str) -> bool:
        """Whether it has these words as a text that is to be passed on, whatever the space between them."""
        wanted = re.compile(rf"(?<!\w){re.escape(words.flat(text))}(?!\w)")
        return any(wanted.search(each) is not None for each in (self.flat, *self.dictated))

    def holds(self, wanted: list[str]) -> bool:
        """Whether these words stand in it, one after the other."""
        return self.said.issuperset(wanted) and any(True for _ in self.order.begins(wanted))

    def has_whole(self, title: Title) -> bool:
        """Whether a title stands in it as it is, with the signs that are a part of its words."""
        size = len(title.words)
        return self.said.issuperset(title.words) and any(
            self.signs[at : at + size] == title.signs for at in self.order.begins(title.words)
        )


def _passes_on(before: str) -> bool:
    """Whether the sentence that these words end with asks for something that reaches somebody."""
    led = words.sentences(before[-_NEAR:])[-1]
    return affirmed(led) == led and wishes.reaches_somebody(led)


read = Kept(Reading)


class Title:
    """The words of a title. `telling` are those that nobody says but to call what has it, `calling` those that people
    do not leave out. The rest is found once it is needed.
    """

    def __init__(self, title: str) -> None:
        self.text = title
        self.words = words.words_of(title)
        self.said = frozenset(self.words)
        self.calling = words.without_fillers(self.said)
        self.telling = telling_words(self.calling)

    @cached_property
    def signs(self) -> Sequence[str]:
        """What stands behind each of its words as a part of it."""
        return words.signs_of(self.text)

    @cached_property
    def own(self) -> frozenset[str]:
        """Its words and the signs between them."""
        return frozenset({*self.said, *(sign for sign in _INSIDE if sign in words.seen(self.text))})

    @cached_property
    def unmarked(self) -> tuple[str, ...]:
        """Its words without those that say that it is a reply, or passed on."""
        return _without_marks(self.words)

    def is_called_in(self, reading: Reading) -> bool:
        """Whether a text calls a thing by it, as `words.calls` says."""
        if not self.calling or not self.calling <= reading.said:
            return False
        return len(self.calling) > 1 or reading.holds(self.words)


title_of = Kept(Title)


def telling_words(said: frozenset[str]) -> frozenset[str]:
    """Those of these words that nobody says but to call what has them in its title."""
    return frozenset(word for word in words.without_everyday(said) if len(word) > 1 and not TIME.fullmatch(word))


def _without_marks(title: Sequence[str]) -> tuple[str, ...]:
    """Its words without those that say that it is a reply, or passed on."""
    begin = next((at for at, word in enumerate(title) if word not in _MARKS), len(title))
    return tuple(title[begin:])
