"""What the style sheets of an HTML mail say of an element, as far as it bears on whether anybody sees its text.

With the cascade of CSS (importance, then specificity, then order). Rules that depend on the screen, and selectors that
`selectors` does not read, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from integrations.gmail.comments import without_comments
from integrations.gmail.selectors import Compound, Element, Place, attributes_of, compounds

TELLING = re.compile(
    r"display|visibility|opacity|color|background(-color|-image)?|font(-size)?|overflow(-[xy])?|(max-)?(height|width)"
    r"|text-indent|left|top|right|bottom|margin-(left|top)|clip(-path)?|transform|filter|mso-hide"
)
RULES = 500
STEPS = 500_000
"""So much is compared for one mail; no honest one needs more. Behind that the sheets say nothing."""

_BRACES = re.compile(r"([^{}]*)([{}]|\Z)")

Rank = tuple[bool, bool, int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Rule:
    compounds: Sequence[Compound]
    style: Sequence[tuple[str, str, bool]]
    order: int

    @property
    def specificity(self) -> tuple[int, int, int]:
        weights = [compound.weight() for compound in self.compounds]
        return sum(w[0] for w in weights), sum(w[1] for w in weights), sum(w[2] for w in weights)


class Sheets:
    """All style sheets of one mail, as they are met."""

    def __init__(self) -> None:
        self._rules: list[_Rule] = []
        self._known: dict[Element, Sequence[_Rule]] = {}
        self._steps = STEPS
        self._attributes: set[str] = set()
        self.may_colour = False
        """Whether a rule that was passed over speaks of backgrounds."""

    def read(self, css: str) -> None:
        """Take in a sheet."""
        for selector, body in _blocks(without_comments(css, "/*", "*/")):
            style = declarations(body)
            for each in selector.split(",") if style else ():
                parts = compounds(each)
                if parts and len(self._rules) < RULES:
                    self._rules.append(_Rule(parts, style, len(self._rules)))
                    self._attributes |= attributes_of(parts)
                else:
                    self.may_colour |= any(name.startswith("background") for name, _, _ in style)
        self.may_colour |= "@" in css and "background" in css
        self._known.clear()

    def element(self, tag: str, names: Mapping[str, str]) -> Element:
        """An element with these attributes, as the selectors of this mail see it."""
        asked = frozenset((name, names[name]) for name in self._attributes & names.keys())
        return Element(tag, names.get("id", ""), frozenset(names.get("class", "").split()), asked)

    def style(self, path: Sequence[Place], inline: str) -> Mapping[str, str]:
        """The properties of the element at the end of a path, outermost first, that has a style of its own."""
        found: dict[str, tuple[Rank, str]] = {}
        for rule in self._candidates(path[-1].element):
            if self._fits(rule.compounds, path, len(rule.compounds) - 1, len(path) - 1, path[-1].at):
                _take(found, rule.style, (False, *rule.specificity, rule.order))
        _take(found, declarations(inline), (True, 0, 0, 0, 0))
        return {name: value for name, (_, value) in found.items()}

    def _candidates(self, element: Element) -> Sequence[_Rule]:
        known = self._known.get(element)
        self._steps -= len(self._rules if known is None else known)
        if self._steps <= 0:
            return []
        if known is None:
            known = self._known[element] = [rule for rule in self._rules if rule.compounds[-1].fits(element)]
        return known

    def _fits(self, parts: Sequence[Compound], path: Sequence[Place], part: int, depth: int, at: int) -> bool:
        """Whether the child `at` of the parent at this depth is this part, and the others are above or before it."""
        self._steps -= 1
        place = Place(path[depth].siblings, at)
        if self._steps <= 0 or not parts[part].stands(place):
            return False
        return part == 0 or any(
            self._fits(parts, path, part - 1, deep, there) for deep, there in _before(parts[part].step, path, depth, at)
        )


def _before(step: str, path: Sequence[Place], depth: int, at: int) -> Iterator[tuple[int, int]]:
    """Where the part before can stand, by depth and place among the children there, the nearest first."""
    match step:
        case "+":
            yield from [(depth, at - 1)] if at else []
        case "~":
            yield from ((depth, there) for there in reversed(range(at)))
        case ">":
            yield from [(depth - 1, path[depth - 1].at)] if depth else []
        case _:
            yield from ((above, path[above].at) for above in reversed(range(depth)))


def declarations(body: str) -> Sequence[tuple[str, str, bool]]:
    """The telling properties of a style with their values, in lower case, and whether each is important."""
    found: list[tuple[str, str, bool]] = []
    for each in body.lower().split(";"):
        name, _, value = each.partition(":")
        value, mark, _ = value.partition("!")
        if TELLING.fullmatch(name.strip()):
            found.append((name.strip(), " ".join(value.split()), bool(mark)))
    return found


def _take(
    found: dict[str, tuple[Rank, str]],
    style: Sequence[tuple[str, str, bool]],
    rank: tuple[bool, int, int, int, int],
) -> None:
    for name, value, important in style:
        whole: Rank = (important, *rank)
        if name not in found or found[name][0] <= whole:
            found[name] = (whole, value)


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Selectors with their bodies, also those for every screen; what depends on the screen is left out."""
    depth, selector = 0, ""
    for text, brace in _BRACES.findall(css):
        if brace == "{":
            words = text.lower().split(";")[-1].split()
            if depth == 0 and words[:1] == ["@media"] and set(words[1:]) <= {"all", "screen", "only"}:
                continue  # its closing brace is met at depth 0
            depth, selector = depth + 1, text if depth == 0 else ""
        elif brace == "}":
            if depth == 1:
                yield selector.split(";")[-1], text
            depth = max(0, depth - 1)
