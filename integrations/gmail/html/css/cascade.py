"""Which declarations are in force for an element: those of the style sheets and its own (CSS Cascading Level 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from turbohtml import Document, Element

from integrations.gmail.html.css.properties import BOX, COVER, GENERATED
from integrations.gmail.html.css.sheets import UNSURE, Declaration, Layer, Sheets, StyleRule, declarations
from integrations.gmail.html.css.syntax import UNCLEAR

Weight = tuple[int, int, int]
Ranked = tuple[Layer, Weight, Sequence[Declaration]]
"""Its layer, how specific its selector is, what it declares. What comes later wins where both are the same."""
Rank = tuple[bool, bool, Layer, Weight]
"""Important, from the element's own style, its layer, how specific."""

_OWN: Weight = (0, 0, 0)
_SIZES = frozenset({"height", "min-height", "width", "min-width", "padding-top", "padding-bottom", "margin-bottom"})


class Cascade:
    """The style sheets of one document, matched with its elements."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._styles: dict[Element, list[Ranked]] = {}
        self._known: dict[tuple[object, ...], Mapping[str, str]] = {}
        self._sheets = Sheets()
        for rule in self._sheets.rules(document):
            self._match(rule)

    @property
    def unclear_variables(self) -> Mapping[str, str]:
        """Variables with rules of their own: what they hold is not worked out here."""
        return dict.fromkeys(self._sheets.registered, UNCLEAR)

    def style(self, element: Element, own: str) -> Mapping[str, str]:
        """The value of every telling longhand that is set on the element; `own` is its `style` attribute.

        The same mapping is given for the same declarations.
        """
        ranked = self._styles.get(element, ()) if self._styles else ()
        key = (own, *((layer, weight, id(style)) for layer, weight, style in ranked))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._styled(ranked, own)
        return known

    def _styled(self, ranked: Sequence[Ranked], own: str) -> Mapping[str, str]:
        found: dict[str, tuple[Rank, str]] = {}
        for layer, weight, style in ranked:
            _take(found, (False, False, layer, weight), style)
        if own:
            _take(found, (False, True, (), _OWN), declarations(own))
        style = {name: value for name, (rank, value) in found.items() if not _is_beaten(found, name, rank)}
        if "animation-name" in style:
            style["animation-name"] = UNCLEAR if self._moves(style["animation-name"]) else "none"
        for name in self._sheets.registered & style.keys():
            style[name] = UNCLEAR
        return style

    def _moves(self, animation: str) -> bool:
        """Whether one of the keyframes that it names changes what is painted."""
        if "var(" in animation:
            return bool(self._sheets.keyframes)
        names = set(re.findall(r"[^\s,\"']+", animation))
        return any(name in names or (" " in name and name in animation) for name in self._sheets.keyframes)

    def _match(self, rule: StyleRule) -> None:
        unsure = [(_unsure(name), value, important) for name, value, important in rule.style]
        for selector in rule.selectors:
            style = rule.style if rule.is_sure and selector.is_sure else unsure
            if selector.is_generated:
                style = _generated({name.lstrip(UNSURE): value for name, value, _ in rule.style})
                if not style:
                    continue
            try:
                elements = self._document.select(selector.text)
            except ValueError:  # turbohtml weighs more selectors than it matches
                continue
            for element in elements:
                self._styles.setdefault(element, []).append((rule.layer, selector.weight, style))


def _generated(style: Mapping[str, str]) -> Sequence[Declaration]:
    """Whether something may be painted before or after an element that takes place in it, or lies over its text."""
    is_set = {name for name, value in style.items() if value.strip("\"' ")[:1] not in {"", "0"}}
    is_apart = style.get("position") in {"absolute", "fixed"}
    if is_apart and not {"background-color", "background-image"}.isdisjoint(style):
        is_thin = re.fullmatch(r"[0-9](?:\.\d+)?px", style.get("height", "")) or style.get("height") == "0"
        return () if is_thin else ((GENERATED, COVER, False),)
    has_words = "content" in is_set and style["content"] not in {"none", "normal", "initial", "inherit", "unset"}
    return ((GENERATED, BOX, False),) if not is_apart and (has_words or not _SIZES.isdisjoint(is_set)) else ()


def _unsure(name: str) -> str:
    return name if name.startswith(UNSURE) else UNSURE + name


def _is_beaten(found: Mapping[str, tuple[Rank, str]], name: str, rank: Rank) -> bool:
    """Whether it may be set, but another declaration is surely in force instead."""
    return name.startswith(UNSURE) and name[1:] in found and found[name[1:]][0] > rank


def _take(found: dict[str, tuple[Rank, str]], rank: Rank, style: Sequence[Declaration]) -> None:
    for name, value, important in style:
        whole = (True, rank[1], tuple(-place for place in rank[2]), rank[3]) if important else rank
        before = found.get(name)
        if before is None or before[0] <= whole:
            if name.startswith(UNSURE) and before is not None and before[1] != value:
                value = UNCLEAR  # which of the two cannot be told
            found[name] = (whole, value)
            unsure = found.get(UNSURE + name)
            if unsure is not None and unsure[0] <= whole:
                del found[UNSURE + name]
