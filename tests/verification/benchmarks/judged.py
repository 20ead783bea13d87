"""Threads for the guard to judge calls in: what their owner typed there, what was seen there, and calls. No two threads
with other seeds have a text or a title in common, so what is known of one helps with no other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from bot.domain.threads import Message, SeenObject, Speaker
from policies.guards.known import Acquaintance
from policies.guards.verbs import CHANGE, DESTROY, SEND
from policies.provenance import Impact, Touched
from policies.types import EffectClass

OWNER = "U1"
TODAY = date(2026, 11, 30)
_NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
_GUESTS = tuple(f"guest{number}@acme.example" for number in range(40))
_WHAT = (
    *("review", "call", "planning", "workshop", "invoice", "budget", "offer", "minutes", "visit", "contract", "order"),
    *("delivery", "interview", "lunch", "training", "report", "payment", "ticket", "sync", "trip", "agenda", "survey"),
)
_BEGIN = ("b", "br", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "tr", "v", "w", "z")
_MIDDLE = ("a", "e", "i", "o", "u", "au", "ei")
_END = ("n", "l", "r", "s", "x", "nd", "lt", "ck", "m")
_ASKED = (
    "Could you please look whether there is anything new about {title}, and tell me what they want from us by then?",
    "Thanks. Move the {title} to 3 pm on Friday, the room is free then, and I have to leave at 5 in any case.",
    "When is the {title}? I thought that Guest7 wanted to have it moved, but I cannot find the mail about it any more.",
    "Please write to Guest3 about the {title}: I am late, and the figures from accounting are not there before noon.",
    "No, that is not what I meant. Show me all mails of last week in which somebody asks for an answer.",
    "Remind me tomorrow at nine of the {title}, and send guest5@acme.example the plan that we talked about on Monday.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a tool would do: its class, its verbs, its impact."""

    effect: EffectClass
    verbs: Sequence[str]
    impact: Impact


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """What the guard looks at. Of the calls one is named and asked for, one writes to somebody who is called by their
    name, and one reaches somebody whom nobody named.
    """

    typed: Sequence[Message]
    things: Sequence[Touched]
    people: Sequence[Acquaintance]
    calls: Sequence[Call]


def thread(messages: int, things: int, *, seed: int) -> Thread:
    """With so many messages and things."""
    dice = random.Random(seed)
    there = [_thing(dice, number) for number in range(things)]
    event = there[0]
    typed = [f"Move the {event.title} to 4 pm, and tell Guest3 about it."]
    typed += [_typed(dice, there) for _ in range(messages - 1)]
    return Thread(
        typed=[_message(number, text) for number, text in enumerate(typed)],
        things=there,
        people=[Acquaintance(address=_GUESTS[3], names=("Guest3",), is_listed=True)],
        calls=[
            Call(
                effect=EffectClass.EXTERNAL,
                verbs=CHANGE,
                impact=Impact(destinations=event.people, objects=[event], beside=there[1:4], today=TODAY),
            ),
            Call(
                effect=EffectClass.EXTERNAL,
                verbs=SEND,
                impact=Impact(destinations=[_GUESTS[3]], met=frozenset({_GUESTS[3]}), texts=["I am late."]),
            ),
            Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=Impact(destinations=["eve@evil.example"])),
        ],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Titles:
    """How the things of a large thread are called: by one title or each by its own, of so many words."""

    shared: bool = True
    words: int = 2
    is_own: bool = True


LARGE = {
    "one title": Titles(),
    "one title of strangers": Titles(is_own=False),
    "titles of 20 words": Titles(shared=False, words=20),
}


def large(messages: int, characters: int, things: int, titles: Titles, *, seed: int) -> Thread:
    """Long messages of few words, each of which the titles have, and things that the owner writes to all about."""
    dice = random.Random(seed)
    vocabulary = [_word(dice) for _ in range(300)]
    called = [" ".join(dice.sample(vocabulary, titles.words)) for _ in range(1 if titles.shared else things)]
    there = [
        Touched(
            kind="event",
            id=f"thing{number}",
            title=called[number % len(called)].title(),
            people=_GUESTS[:2],
            is_own=titles.is_own,
            author="" if titles.is_own else _GUESTS[2],
        )
        for number in range(things)
    ]
    typed = [f"Write to all in the {called[0]} that I am late."]
    typed += [_long(dice, [f"About the {dice.choice(called)}:"], vocabulary, characters) for _ in range(messages - 1)]
    late = Impact(destinations=_GUESTS[:2], texts=["I am late."])
    return Thread(
        typed=[_message(number, text) for number, text in enumerate(typed)],
        things=there,
        people=[],
        calls=[
            Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=late),
            Call(effect=EffectClass.DESTRUCTIVE, verbs=DESTROY, impact=Impact(objects=there[:1])),
        ],
    )


def _long(dice: random.Random, said: list[str], vocabulary: Sequence[str], characters: int) -> str:
    while characters > 0:
        said.append(dice.choice(vocabulary) + dice.choice(("", "", "", "", ".")))
        characters -= len(said[-1]) + 1
    return " ".join(said)


def _message(number: int, text: str) -> Message:
    return Message(
        id=f"msg_{number}",
        thread_id="thr_1",
        team="T1",
        speaker=Speaker.PERSON,
        author=OWNER,
        text=text,
        typed=text,
        created_at=_NOON,
    )


def seen(thing: Touched) -> SeenObject:
    """The thing as a row has it."""
    return SeenObject(
        run_id="run_1",
        owner=OWNER,
        kind=thing.kind,
        object_id=thing.id,
        title=thing.title,
        people=thing.people,
        is_own=thing.is_own,
    )


def _thing(dice: random.Random, number: int) -> Touched:
    """Every second one is an event of the owner's own, the others are mails that came in."""
    is_own = number % 2 == 0
    return Touched(
        kind="event" if is_own else "mail_thread",
        id=f"thing{number}",
        title=" ".join([_word(dice), dice.choice(_WHAT), *(_word(dice) for _ in range(dice.randrange(3)))]).title(),
        people=tuple(dice.sample(_GUESTS, 4)),
        is_own=is_own,
        day=TODAY + timedelta(days=dice.randrange(14)) if is_own else None,
    )


def _typed(dice: random.Random, things: Sequence[Touched]) -> str:
    """About one of the things, or about something that was not seen. No two are the same."""
    title = dice.choice(things).title if dice.randrange(2) else f"{_word(dice)} {dice.choice(_WHAT)}"
    return f"{dice.choice(_ASKED).format(title=title)} {_word(dice).title()} {dice.randrange(1000)}."


def _word(dice: random.Random) -> str:
    return "".join(dice.choice(part) for part in (_BEGIN, _MIDDLE, _END, _MIDDLE, _END))
