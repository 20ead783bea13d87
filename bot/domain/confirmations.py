"""What is confirmed in the window of a card, where a plain yes does not do. Pure.

Where nobody named what the call would touch, its owner confirms each value by itself. They type the destinations, so
that an address that looks right is not waved through; anything else they tick. A long text stands there as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase

from integrations.base import Preview
from policies.types import Unnamed

DESTINATION = "guard.destination"
TYPED = "typed"
"""The field where the destinations are typed; those of the other values are called `tick_0`, by their place."""

MOST_TICKED = 40  # values with a box of their own in one window
MOST_TYPED = 2_500  # characters of all destinations; Slack's field takes 3,000
MOST_SHOWN = 20_000  # characters of all values
SHOWN_LIMIT = 1_500  # characters of one
READ_ON_CARD = 2_500  # characters that a call may say to be approved on its card, which shows only a part of long texts
_MARKED = 9  # how much longer an invisible character is where it is named

_OTHER = "This reaches another address. If yours is right, press Cancel, and reject the card."

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_BETWEEN = re.compile(r"[\n,;]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """What the owner typed, one destination a line, and the fields of the boxes that they ticked. `read`: the window
    has all of what the call says.
    """

    typed: str = ""
    ticked: Collection[str] = ()
    read: bool = False


def must_be_read(preview: Preview) -> bool:
    """Whether it says so much that only a window with all of it approves it. Who it reaches stands on the card."""
    return sum(len(field.value) for field in preview.fields if not field.destination) > READ_ON_CARD


def is_typed(one: Unnamed) -> bool:
    """Whether it is typed: a destination of the call."""
    return one.rule == DESTINATION


def tick(place: int) -> str:
    """The field of the box of the value at this place among all that is asked about."""
    return f"tick_{place}"


def fits(unnamed: Sequence[Unnamed]) -> bool:
    """Whether one window can ask for all of it; what it cannot ask for is not approved."""
    shown = [_length(one.shown) for one in unnamed]
    typed = sum(len(one.shown) + 1 for one in unnamed if is_typed(one))
    ticked = sum(not is_typed(one) for one in unnamed)
    return ticked <= MOST_TICKED and typed <= MOST_TYPED and sum(shown) <= MOST_SHOWN and max(shown) <= SHOWN_LIMIT


def _length(shown: str) -> int:
    """In a window: an invisible character is named there."""
    return len(shown) + sum(_MARKED for each in shown if not each.isprintable())


def missing(unnamed: Sequence[Unnamed], given: Confirmation) -> Mapping[str, str]:
    """What is missing or differs, in words by field; empty where exactly all of it was confirmed.

    No address that is to be typed stands in them: who copies it from there has looked at nothing.
    """
    typed = {_exact(line): line for line in map(str.strip, _BETWEEN.split(given.typed)) if line}
    wanted = {_exact(one.value) for one in unnamed if is_typed(one)}
    other = [typed[each] for each in typed if each not in wanted]
    untyped = len(wanted - typed.keys())
    said = {TYPED: _differs(other, untyped)} if other or untyped else {}
    for place, one in enumerate(unnamed):
        if not is_typed(one) and tick(place) not in given.ticked:
            said[tick(place)] = "Tick this, or press Cancel."
    return said


def _exact(address: str) -> str:
    """Capital letters from A to Z make no difference; a letter that only looks like another one does."""
    return address.translate(_SMALL)


def _differs(other: Sequence[str], untyped: int) -> str:
    if other and untyped:
        return f"“{other[0]}” does not match. {_OTHER}"
    if other:
        return f"“{other[0]}” is not one of those that you did not name."
    if untyped == 1:
        return "An address is missing: this reaches one more that you did not name."
    return f"{untyped} addresses are missing: this reaches {untyped} more that you did not name."
