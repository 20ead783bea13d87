"""What is there for several deciders, taken out in turn: conditions, guards, and what policy says of who may agree."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from policies.deciders import Deciders
from tests.verification.explorer import circles
from tests.verification.explorer.agreement import asked_to_agree
from tests.verification.explorer.circles import RULES
from tests.verification.explorer.conditions_out import BARE, KEYED, Out
from tests.verification.explorer.runs import Bounds

UNDER = tuple(asked_to_agree(KEYED, rules) for rules in range(len(RULES)))
"""One effect, under each of the rules."""
IN_DOUBT = (asked_to_agree(BARE),)
"""An effect that nobody can look up."""
TO_AGREE_TO = Bounds(UNDER, 1, calls=1)

TWO_OF_THREE = Out("", UNDER[:1], calls=1)


def _finds(what: str) -> Out:
    return TWO_OF_THREE._replace(finds=what)


CONDITIONS: Mapping[str, Out] = {
    "is_in_turn": _finds("somebody decided who was not asked"),
    "takes_back": _finds("somebody decided who was not asked"),
    "turn_is_over": _finds("a turn ended before its time"),
    "is_member": _finds("somebody decided who may not|a card was shown to somebody who may not decide"),
    "still_agree": _finds("an effect began to which too few agreed"),
    "same_hash": _finds("an effect began to which its owner did not say yes"),
    "within_life": _finds("an effect began on an approval whose life was over"),
    "is_allowed": _finds("an effect began to which its owner did not say yes"),
    "lets_through": Out("a card was made to which too few may agree", UNDER, calls=1),
    "is_open": _finds("A question never goes from decided to decided"),
    "in_time": _finds("a question was decided after it had expired"),
    "may_ask": _finds("a question waits beside a reply"),
}
"""The conditions and guards that are there for several deciders, or guard them, too."""

COVERED: Mapping[str, Out] = {
    "votes_once": TWO_OF_THREE._replace(because="is_in_turn: whoever said yes is asked no more"),
    "decides_alone": TWO_OF_THREE._replace(because="same_hash: an approval names who has to agree"),
    "is_current": TWO_OF_THREE._replace(because="is_open: an edit replaces the question about the earlier edition"),
}

TOGETHER: Mapping[tuple[str, str], str] = {
    ("votes_once", "is_in_turn"): "somebody said yes twice|somebody decided who was not asked",
    ("decides_alone", "same_hash"): "an effect began to which its owner did not say yes",
}

_present, _waiting = Deciders.present, Deciders.waiting


class Part(NamedTuple):
    """What policy says instead, under its name there, and what the search then finds."""

    name: str
    instead: object
    finds: str


def _with_the_requester(self: Deciders, *, requester: str, absent: Collection[str]) -> Deciders:
    return _present(self, requester="", absent=absent)


def _as_written(self: Deciders, *, requester: str, absent: Collection[str]) -> Deciders:
    return self


def _again(self: Deciders, agreed: Collection[str], over: Collection[str]) -> Sequence[str]:
    return _waiting(self, agreed, ())


def _none(self: Deciders, agreed: Collection[str], over: Collection[str]) -> int:
    return 0


PARTS: Mapping[str, Part] = {
    "whoever asks is one of them": Part("present", _with_the_requester, "an effect began to which too few agreed"),
    "nobody is looked up": Part("present", _as_written, "too few agreed|too few may agree"),
    "a rule may contradict itself": Part("fault", "", "somebody was asked to agree who may not"),
    "too few are enough to ask": Part("is_possible", True, "a card was made to which too few may agree"),
    "nobody is missing": Part("missing", _none, "an effect began to which too few agreed"),
    "a turn never ends": Part("waiting", _again, "a card was shown to the same person twice"),
}
"""Parts of `policies/deciders.py`."""


@contextmanager
def instead_of(part: Part) -> Generator[None]:
    """Policy says this, until the block ends."""
    real = vars(Deciders)[part.name]
    circles.judged.cache_clear()
    setattr(Deciders, part.name, part.instead)
    try:
        yield
    finally:
        setattr(Deciders, part.name, real)
        circles.judged.cache_clear()
