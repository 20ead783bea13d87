"""Selectors: which of a list's a browser knows, and what they match (Selectors Level 4).

turbohtml matches them. What it does not know is put in its words here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from turbohtml.convert import css_specificity

from integrations.gmail.html.css.syntax import layers

Weight = tuple[int, int, int]
"""How specific it is: ids, classes, tags."""

_ELEMENT = re.compile(r"::(-?[\w-]+)(?:\([^()]*\))?|:(before|after|first-line|first-letter)\b", re.I)
_PSEUDO_ELEMENTS = frozenset(
    {
        *("before", "after", "selection", "placeholder", "marker", "backdrop", "cue", "file-selector-button", "part"),
        *("spelling-error", "grammar-error", "target-text", "slotted", "highlight", "details-content"),
    }
)
_GENERATED = frozenset({"before", "after"})
_OF_TEXT = frozenset({"first-line", "first-letter"})
_NOTHING = ":not(*)"
_WAYS = (":is(*)", _NOTHING)
_ALIKE = {"-webkit-any(": ":is(", "-webkit-any-link": ":any-link", "defined": ":is(*)"}
_DIFFERENT = re.compile(r":(-webkit-any\(|(?:-webkit-any-link|defined)(?![\w(-]))", re.I)
_NOWHERE = re.compile(
    r":(?:host(?:-context)?(?:\([^()]*\))?|popover-open|picture-in-picture|-webkit-autofill|user-(?:in)?valid"
    r"|state\([^()]*\))(?![\w(-])",
    re.I,
)
_UNKNOWN = re.compile(r":(?!is\b|where\b|not\b|has\b|nth-)-?[a-z][\w-]*(?:\([^()]*\))?", re.I)


@dataclass(frozen=True, slots=True)
class Selector:
    """In turbohtml's words. `is_sure` is false where a browser may match less than that."""

    text: str
    weight: Weight
    is_sure: bool = True
    is_generated: bool = False
    """Whether it means what stands before or after the content of the element."""


def selectors_of(prelude: str) -> Sequence[Selector]:
    """Those of a rule that style elements; none where one of them is no selector: then a browser drops the rule."""
    found: list[Selector] = []
    is_sure = True
    for each in layers(prelude) if "," in prelude else [prelude]:
        read = _selectors(each)
        if read is None:
            return ()
        is_sure = is_sure and bool(is_known(each))
        found += read
    return found if is_sure else [replace(selector, is_sure=False) for selector in found]


def is_known(text: str) -> bool | None:
    """Whether it is a selector; None where it may be one."""
    read = _selectors(text)
    return False if read is None else None if len(read) == len(_WAYS) else True


def _selectors(text: str) -> Sequence[Selector] | None:
    """One selector; two where a part of it is not known here, which may match all or nothing; None for what is none."""
    weight = _weight(text)
    if weight is not None and _DIFFERENT.search(text) is None:
        return [Selector(text, weight)]
    if ":" not in text:
        return None
    elements = [(plain or old).lower() for plain, old in _ELEMENT.findall(text)]
    text = _DIFFERENT.sub(lambda found: _ALIKE[found[1].lower()], _ELEMENT.sub("", text))
    text = _NOWHERE.sub(_NOTHING, text).strip() or "*"
    weight = _weight(text)
    if not _OF_TEXT.isdisjoint(elements):
        return None if weight is None else [Selector(text, weight, is_sure=False)]
    if elements:
        is_valid = all(each in _PSEUDO_ELEMENTS or each.startswith("-webkit-") for each in elements)
        if not is_valid or weight is None:
            return None
        return [] if _GENERATED.isdisjoint(elements) else [Selector(text, weight, is_generated=True)]
    if weight is not None:
        return [Selector(text, weight)]
    tried = [_UNKNOWN.sub(instead, text) for instead in _WAYS]
    known = [Selector(each, weight, is_sure=False) for each in tried if (weight := _weight(each)) is not None]
    return known if len(known) == len(tried) and tried[0] != text else None


def _weight(text: str) -> Weight | None:
    try:
        return css_specificity(text)[0]
    except (ValueError, IndexError):
        return None
