"""Selectors of style sheets, as far as mails hide text with them (W3C, Selectors Level 3).

Tags, ids, classes, attributes, `:not()` of one of these, first and nth children; inside, directly inside, right behind
and somewhere behind each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_PIECE = re.compile(
    r"(?P<tag>\*|[a-z][\w-]*)|#(?P<id>[\w-]+)|\.(?P<mark>[\w-]+)"
    r"""|\[\s*(?P<name>[\w-]+)\s*(?:(?P<how>[~^$*|]?=)\s*(?P<value>"[^"]*"|'[^']*'|[\w-]+)\s*(?:i\s*)?)?\]"""
    r"|:not\(\s*(?P<other>[^()\s]+)\s*\)|:(?P<first>first-child)\b|:nth-child\(\s*(?P<nth>[^()]+)\)"
    r"|(?P<step>\s*[>+~]\s*|\s+)",
    re.I,
)
_NTH = re.compile(r"(?:(?P<step>[+-]?\d*)n)?\s*(?P<start>[+-]?\s*\d+)?\s*")


@dataclass(frozen=True, slots=True)
class Element:
    """An element as selectors see it; of its attributes those that one of them asks for."""

    tag: str
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """Where an element stands among the children of one parent; those behind it may not be known yet."""

    siblings: Sequence[Element]
    at: int

    @property
    def element(self) -> Element:
        """The element that stands there."""
        return self.siblings[self.at]


@dataclass(frozen=True, slots=True)
class _Attribute:
    name: str
    how: str
    value: str

    def fits(self, element: Element) -> bool:
        return any(name == self.name and self._holds(value) for name, value in element.attributes)

    def _holds(self, there: str) -> bool:
        match self.how:
            case "":
                return True
            case "~=":
                return self.value in there.split()
            case "|=":
                return there == self.value or there.startswith(f"{self.value}-")
            case "=":
                return there == self.value
            case _:
                parts = {"^=": there.startswith, "$=": there.endswith, "*=": there.__contains__}
                return bool(self.value) and parts[self.how](self.value)


@dataclass(slots=True)
class Compound:
    """What one element must be; `step` is how it stands to the one before: " ", ">", "+" or "~"."""

    step: str = " "
    tag: str = ""
    ids: set[str] = field(default_factory=set[str])
    classes: set[str] = field(default_factory=set[str])
    attributes: list[_Attribute] = field(default_factory=list[_Attribute])
    others: list[Compound] = field(default_factory=list["Compound"])
    places: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def fits(self, element: Element) -> bool:
        """Whether an element is this, wherever it stands."""
        return (
            self.tag in {"", element.tag}
            and self.ids <= {element.id}
            and self.classes <= element.classes
            and all(attribute.fits(element) for attribute in self.attributes)
            and not any(other.fits(element) for other in self.others)
        )

    def stands(self, place: Place) -> bool:
        """Whether it is this, and stands there."""
        return self.fits(place.element) and all(_is_nth(place.at + 1, *nth) for nth in self.places)

    def weight(self) -> tuple[int, int, int]:
        """Ids, classes with what counts as one, and tags."""
        others = [other.weight() for other in self.others]
        return (
            len(self.ids) + sum(ids for ids, _, _ in others),
            len(self.classes) + len(self.attributes) + len(self.places) + sum(marks for _, marks, _ in others),
            bool(self.tag) + sum(tags for _, _, tags in others),
        )


def compounds(selector: str) -> Sequence[Compound]:
    """The parts of a selector, outermost first; none when there is something in it that is not read here."""
    found, text, end = [Compound()], selector.strip(), 0
    while end < len(text):
        match = _PIECE.match(text, end)
        if match is None or not _taken(found, match):
            return []
        end = match.end()
    return found if text else []


def attributes_of(parts: Sequence[Compound]) -> set[str]:
    """The names of the attributes that a selector asks for."""
    names = {attribute.name for part in parts for attribute in part.attributes}
    return names.union(*(attributes_of(part.others) for part in parts))


def _taken(found: list[Compound], match: re.Match[str]) -> bool:
    """Whether a piece could be put to what there is."""
    last = found[-1]
    match match.lastgroup:
        case "tag":
            last.tag = match["tag"].lower().replace("*", "")
        case "id":
            last.ids.add(match["id"])
        case "mark":
            last.classes.add(match["mark"])
        case "name" | "how" | "value":
            last.attributes.append(_attribute(match))
        case "other":
            others = compounds(match["other"])
            last.others += others
            return len(others) == 1 and not others[0].places
        case "first":
            last.places.append((0, 1))
        case "nth":
            return _counted(last, match["nth"])
        case _:
            found.append(Compound(step=match["step"].strip() or " "))
    return True


def _attribute(match: re.Match[str]) -> _Attribute:
    return _Attribute(match["name"].lower(), match["how"] or "", (match["value"] or "").strip("\"'"))


def _counted(last: Compound, text: str) -> bool:
    words = {"odd": "2n+1", "even": "2n"}.get(text.strip().lower(), text.strip().lower())
    match = _NTH.fullmatch(words)
    if match is None or not words:
        return False
    step = match["step"]
    every = 0 if step is None else int(f"{step}1" if step in {"", "+", "-"} else step)
    last.places.append((every, int((match["start"] or "0").replace(" ", ""))))
    return True


def _is_nth(number: int, every: int, start: int) -> bool:
    if every == 0:
        return number == start
    turns, rest = divmod(number - start, every)
    return rest == 0 and turns >= 0
