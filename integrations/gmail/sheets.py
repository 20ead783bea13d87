"""What the style sheets of an HTML mail say of an element, as far as it bears on whether anybody sees its text.

Selectors of tags, classes and ids, inside and directly inside each other, with the cascade of CSS (importance, then
specificity, then order). Rules that depend on the screen, and selectors of other kinds, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from integrations.gmail.comments import without_comments

TELLING = re.compile(
    r"display|visibility|opacity|color|background(-color|-image)?|font(-size)?|overflow(-[xy])?|(max-)?(height|width)"
    r"|text-indent|left|top|right|bottom|margin-(left|top)|clip(-path)?|transform|filter|mso-hide"
)
RULES = 500
STEPS = 500_000
"""So much is compared for one mail; no honest one needs more. Behind that the sheets say nothing."""

_COMPOUND = re.compile(r"(?P<tag>[a-z][\w-]*|\*)?(?P<marks>(?:[.#][\w-]+)*)\Z", re.I)
_BRACES = re.compile(r"([^{}]*)([{}]|\Z)")

Rank = tuple[bool, bool, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Element:
    """An element as selectors see it."""

    tag: str
    id: str = ""
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    ids: frozenset[str]
    classes: frozenset[str]
    is_child: bool

    def fits(self, element: Element) -> bool:
        return self.tag in {"", element.tag} and self.ids <= {element.id} and self.classes <= element.classes


@dataclass(frozen=True, slots=True)
class _Rule:
    compounds: Sequence[_Compound]
    style: Sequence[tuple[str, str, bool]]
    order: int

    @property
    def specificity(self) -> tuple[int, int, int]:
        each = self.compounds
        return sum(len(c.ids) for c in each), sum(len(c.classes) for c in each), sum(bool(c.tag) for c in each)


class Sheets:
    """All style sheets of one mail, as they are met."""

    def __init__(self) -> None:
        self._rules: list[_Rule] = []
        self._known: dict[Element, Sequence[_Rule]] = {}
        self._steps = STEPS
        self.may_colour = False
        """Whether a rule that was passed over speaks of backgrounds."""

    def read(self, css: str) -> None:
        """Take in a sheet."""
        for selector, body in _blocks(without_comments(css, "/*", "*/")):
            style = declarations(body)
            for each in selector.split(",") if style else ():
                compounds = _compounds(each)
                if compounds and len(self._rules) < RULES:
                    self._rules.append(_Rule(compounds, style, len(self._rules)))
                else:
                    self.may_colour |= any(name.startswith("background") for name, _, _ in style)
        self.may_colour |= "@" in css and "background" in css
        self._known.clear()

    def style(self, element: Element, above: Sequence[Element], inline: str) -> Mapping[str, str]:
        """The properties of an element that stands in `above` (outermost first) and has a style of its own."""
        found: dict[str, tuple[Rank, str]] = {}
        for rule in self._candidates(element):
            if self._is_inside(rule, above):
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

    def _is_inside(self, rule: _Rule, above: Sequence[Element]) -> bool:
        """From the innermost outwards; what would need a second try is taken as not fitting."""
        place, must_be_next = len(above), rule.compounds[-1].is_child
        for compound in reversed(rule.compounds[:-1]):
            place -= 1
            while place >= 0 and self._steps > 0 and not compound.fits(above[place]):
                self._steps -= 1
                place = -1 if must_be_next else place - 1
            if place < 0 or self._steps <= 0:
                return False
            must_be_next = compound.is_child
        return True


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


def _compounds(selector: str) -> Sequence[_Compound]:
    """The parts of a selector, outermost first; none when there is something in it that is not read here."""
    found: list[_Compound] = []
    is_child = False
    for word in selector.replace(">", " > ").split():
        match = _COMPOUND.match(word)
        if word == ">":
            is_child = True
        elif match is None:
            return []
        else:
            marks = re.findall(r"[.#][\w-]+", match["marks"])
            ids = frozenset(mark[1:] for mark in marks if mark[0] == "#")
            classes = frozenset(mark[1:] for mark in marks if mark[0] == ".")
            found.append(_Compound((match["tag"] or "").lower().replace("*", ""), ids, classes, is_child))
            is_child = False
    return found


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
