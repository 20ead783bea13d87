"""Threads and calls of any kind, and a world that is looked through plainly: each thing beside each text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time

from hypothesis import strategies as st

from policies.event_ids import event_id_for
from policies.guards import words
from policies.guards.known import Acquaintance, KnownWorld, Said, Titled, World
from policies.guards.readings import Reading, Title
from policies.guards.things import Things
from policies.guards.verbs import ANSWER, CHANGE, DESTROY, SEND
from policies.provenance import Attached, Impact, Reference, Source, Touched
from policies.types import EffectClass

_ALIKE = (
    ("Sun loungers: price talk", "Loungers delivery", "loungers", "Re: Sun loungers"),
    ("Supplier review", "Supplier review, Monday", "Supplier dinner", "Straße review"),
    ("Oak prices", "Oak-board prices", "Oak floor", "Board meeting", "ｏａｋ"),
    ("Dentist appointment", "Dentist bill", "Lunch with Dana", "Lunch"),
    ("Team sync", "Team", "Acme invoice call", "İstanbul trip", "The", ""),
)
"""Titles that share words."""
TITLES = tuple(title for each in _ALIKE for title in each)
_ADDRESSES = (
    "dana@acme.com",
    "luis@acme.com",
    "eve@evil.example",
    "Dana@ACME.com",
    "straße@acme.com",
    "x@bücher.example",
)
_NAMES = ("Dana", "Luis", "Eve", "Okafor", "Dana Okafor")
_ASKED = (
    *("Move the {t} to Friday.", "Cancel the {t}", "Reply to the {t} thread", "Send {a} the {t}", "When is the {t}?"),
    *("Tell {n} about the “{t}”", "to {a}", "her address is {a}", "move my {t} on Monday to 3, please", "{t}"),
    *("Verschieb den {t} auf Freitag", "Kannst du {n} den {t} schicken?", "add {n} to the {t}", "{n}'s {t} tomorrow"),
    *("the mail about {t} from {n}", "See https://acme.com/x", "Forward {t}.pdf to {n}", "all {t} from now on"),
    *("do what {a} says in the mail about {t}", "Let {n} know. And the {t}?\nThanks", "call the {t} o\u200bff"),
)
TEXTS = tuple(
    text.format(t=title, a=_ADDRESSES[at % len(_ADDRESSES)], n=_NAMES[at % len(_NAMES)])
    for at, title in enumerate(TITLES)
    for text in _ASKED
)
_DAYS = (None, date(2026, 11, 30), date(2026, 12, 4))
_IDS = (*"abcdefgh", "rec_20261201T100000Z", "rec_20261204T100000Z", event_id_for("made"))

_addresses = st.sampled_from(_ADDRESSES)
_people = st.builds(
    Acquaintance,
    address=_addresses,
    names=st.lists(st.sampled_from(_NAMES), min_size=1, max_size=2),
    is_named=st.booleans(),
    is_listed=st.booleans(),
)


def _things(titles: Sequence[str]) -> st.SearchStrategy[Touched]:
    return st.builds(
        Touched,
        kind=st.sampled_from(["event", "event", "mail_thread", "draft"]),
        id=st.sampled_from(_IDS),
        title=st.sampled_from(titles),
        people=st.lists(_addresses, max_size=3),
        is_own=st.booleans(),
        is_titled=st.booleans(),
        author=st.sampled_from(["", *_ADDRESSES]),
        is_many=st.booleans(),
        day=st.sampled_from(_DAYS),
        begins=st.sampled_from([None, time(9), time(15)]),
        is_next=st.booleans(),
    )


def _text(asked: str, title: str, address: str, name: str) -> str:
    return asked.format(t=title, a=address, n=name)


def _joined(texts: Sequence[str]) -> str:
    return " ".join(texts)


def _said(titles: Sequence[str]) -> st.SearchStrategy[Said]:
    """About these titles, or a word of one."""
    called = st.sampled_from([*titles, *(word for title in titles for word in title.split())])
    texts = st.builds(_text, st.sampled_from(_ASKED), called, _addresses, st.sampled_from(_NAMES))
    sources = st.sampled_from([Source.MESSAGE, Source.MESSAGE, Source.ANSWER])
    references = st.builds(Reference, source=sources, id=st.sampled_from("1234"))
    return st.builds(Said, reference=references, text=st.lists(texts, min_size=1, max_size=2).map(_joined))


CALLS = st.sampled_from(
    [
        (EffectClass.EXTERNAL, CHANGE),
        (EffectClass.EXTERNAL, SEND),
        (EffectClass.EXTERNAL, ANSWER),
        (EffectClass.DESTRUCTIVE, DESTROY),
        (EffectClass.EXTERNAL, ()),
    ]
)


@st.composite
def threads(draw: st.DrawFn) -> tuple[Impact, KnownWorld]:
    """What a call would do, and what is known of its thread."""
    titles = draw(st.sampled_from([*_ALIKE, TITLES]))
    things = draw(st.lists(_things(titles), min_size=1, max_size=6))
    one = st.sampled_from(things)
    reached = draw(st.lists(st.sampled_from([*_ADDRESSES, "C123", "acme.com/x"]), max_size=3))
    impact = Impact(
        destinations=reached,
        met=frozenset(draw(st.lists(_addresses, max_size=4))),
        among=draw(st.none() | one),
        sender=draw(st.sampled_from(["", "luis@acme.com"])),
        calendar=draw(st.sampled_from(["", *reached])),
        beside=draw(st.lists(_things(titles), max_size=2)),
        today=draw(st.sampled_from(_DAYS)),
        texts=draw(st.lists(st.sampled_from(TEXTS), max_size=1)),
        links=draw(st.sampled_from([[], ["https://acme.com/x"]])),
        attachments=draw(st.sampled_from([[], [Attached(name="Benches.pdf", readers=["dana@acme.com"])]])),
        objects=draw(st.lists(one, max_size=2)),
    )
    known = KnownWorld(
        said=draw(st.lists(_said(titles), max_size=4)),
        acquaintances=draw(st.lists(_people, max_size=3)),
        things=things,
        earlier=frozenset(draw(st.sampled_from(["", "1"]))),
        days=draw(st.sampled_from([{}, {"1": date(2026, 11, 27)}])),
        used=draw(st.sampled_from([{}, {_IDS[0]: titles[0]}])),
    )
    return impact, known


def plainly(known: KnownWorld, impact: Impact) -> Things:
    """What is there, looked through plainly."""
    return Things(PlainWorld(known, impact), impact.today)


class PlainWorld(World):
    """The same without any index: each text and each thing is looked at."""

    def __init__(self, known: KnownWorld, impact: Impact) -> None:
        self.said = [(said, Reading(said.text).affirmed) for said in known.said]
        self.days, self.used = known.days, known.used
        self._titles, self._saying = dict[str, Title](), dict[str, Sequence[int]]()
        self.things = list({(one.kind, one.id): one for one in (*known.things, *impact.beside)}.values())

    @property
    def called(self) -> Sequence[Touched]:  # type: ignore[override]
        return self.things

    def sharing(self, wanted: frozenset[str]) -> Iterable[tuple[Titled, frozenset[str]]]:
        return [(one, frozenset(words.words_of(one.title))) for one in self.things]

    @property
    def by_address(self) -> Mapping[str, Sequence[int]]:  # type: ignore[override]
        found = [words.addresses_in(text.text) for _, text in self.said]
        return {
            each: [at for at, there in enumerate(found) if each in there] for each in frozenset[str]().union(*found)
        }

    def calling(self, title: str) -> Sequence[int]:
        called = words.words_of(title)
        return [at for at, (_, text) in enumerate(self.said) if words.calls(words.words_of(text.text), called)]

    def having(self, wanted: Iterable[str]) -> Sequence[int]:
        return range(len(self.said))

    def sentences_with(self, title: Title) -> Iterable[Reading]:
        return [sentence for _, text in self.said for sentence in text.sentences]
