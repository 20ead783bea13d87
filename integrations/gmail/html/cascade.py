"""Which declarations are in force for an element: those of the style sheets and its own (CSS Cascading Level 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turbohtml import Document, Element
from turbohtml.convert import css_specificity

from integrations.gmail.html.css import Declaration, Rule, declarations, rules_of

Rank = tuple[bool, bool, int, int, int]
"""Important, from the element's own style, then how specific. What comes later wins at the same rank."""

Ranked = tuple[Rank, Sequence[Declaration]]


class Cascade:
    """The style sheets of one document, matched with its elements."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._styles: dict[Element, list[Ranked]] = {}
        self._perhaps_with_ground: set[Element] = set()
        for sheet in document.select("style"):
            for rule in rules_of(sheet.text, sheet.attr("media") or ""):
                self._match(rule)

    def style(self, element: Element, own: str) -> Mapping[str, str]:
        """The value of every telling property that is set on the element; `own` is its `style` attribute."""
        found: dict[str, tuple[Rank, str]] = {}
        for rank, style in self._styles.get(element, ()) if self._styles else ():
            _take(found, rank, style)
        if own:
            _take(found, (False, True, 0, 0, 0), declarations(own))
        return {name: value for name, (_, value) in found.items()}

    def may_have_ground(self, element: Element) -> bool:
        """Whether a rule for another screen gives the element a background."""
        return bool(self._perhaps_with_ground) and element in self._perhaps_with_ground

    def _match(self, rule: Rule) -> None:
        if not rule.applies and not any(name.startswith("background") for name, _, _ in rule.style):
            return
        try:
            ids, classes, tags = css_specificity(rule.selector)[0]
            elements = self._document.select(rule.selector)
        except (ValueError, IndexError):  # pseudo-elements, and what is no selector: no element is styled by it
            return
        if not rule.applies:
            self._perhaps_with_ground.update(elements)
            return
        for element in elements:
            self._styles.setdefault(element, []).append(((False, False, ids, classes, tags), rule.style))


def _take(found: dict[str, tuple[Rank, str]], rank: Rank, style: Sequence[Declaration]) -> None:
    for name, value, important in style:
        whole: Rank = (important, *rank[1:])
        if name not in found or found[name][0] <= whole:
            found[name] = (whole, value)
