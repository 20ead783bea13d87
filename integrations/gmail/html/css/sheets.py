"""The style sheets of a mail: its rules, with the declarations that bear on what is painted.

At-rules and nesting are unfolded here (CSS Conditional Rules 3, CSS Cascading 5, CSS Nesting).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from turbohtml import Document

from integrations.gmail.html.css import conditions
from integrations.gmail.html.css.conditions import Answer, both
from integrations.gmail.html.css.functions import is_surely_valid
from integrations.gmail.html.css.properties import plain_name
from integrations.gmail.html.css.selectors import Selector, selectors_of
from integrations.gmail.html.css.shorthands import longhands
from integrations.gmail.html.css.syntax import declaration, decoded, layers, parts, uncommented

DEPTH = 8
UNSURE = "?"
"""Begins the name of a property that may not be set: its rule or its spelling counts in some browsers only."""
LAST = 1_000_000
Layer = tuple[int, ...]
"""Where a layer comes among those around it, from the outside. What stands in no further layer comes last."""
UNLAYERED: Layer = (LAST,)

_KIND = re.compile(r"@(-?[\w-]+)\s*")
_ADDRESS = re.compile(r"""(?:url\(\s*)?("[^"]*"?|'[^']*'?|(?<=\()[^)]*)\s*\)?""", re.S | re.I)
_EMBEDDED = re.compile(r"data:text/css([^,]*),(.*)", re.S | re.I)
_XHTML = "http://www.w3.org/1999/xhtml"
_UNSURE = frozenset({"container", "scope", "starting-style", "-moz-document"})

Declaration = tuple[str, str, bool]
"""A longhand and its value; whether it is important."""


@dataclass(frozen=True, slots=True)
class StyleRule:
    """Its selectors and what it declares; `layer` says which wins: the later, and before all of them no layer."""

    selectors: Sequence[Selector]
    style: Sequence[Declaration]
    is_sure: bool
    layer: Layer


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a rule stands: in which rule, under which conditions, in which layer."""

    parent: str = ""
    holds: Answer = True
    layer: str = ""
    depth: int = DEPTH


@dataclass(slots=True)
class Sheets:
    """All sheets of one document, read in order."""

    keyframes: set[str] = field(default_factory=set[str])
    """Names of animations that change what is painted."""
    registered: set[str] = field(default_factory=set[str])
    """Variables with rules of their own."""
    _layers: dict[str, int] = field(default_factory=dict[str, int])

    def rules(self, document: Document) -> Iterator[StyleRule]:
        """The rules that declare something telling, and may apply."""
        for sheet in document.select("style, link[rel~=stylesheet i]"):
            kind = (sheet.attr("type") or "").strip().lower()
            if kind not in {"", "text/css"} or sheet.closest("template") is not None:
                continue
            holds = conditions.media(sheet.attr("media") or "")
            if sheet.closest("noscript") is not None:
                holds = both(holds, None)
            css = _embedded(sheet.attr("href") or "") if sheet.tag == "link" else sheet.text
            yield from self._sheet(css, _Place(holds=holds))

    def _sheet(self, css: str, place: _Place) -> Iterator[StyleRule]:
        if place.holds is not False and place.depth:
            yield from self._rules(css.replace("<!--", " ").replace("-->", " "), place)

    def _rules(self, css: str, place: _Place) -> Iterator[StyleRule]:
        own: list[str] = []
        begins = True
        for prelude, body in parts(css, in_rule=bool(place.parent)):
            kind = _KIND.match(decoded(prelude.lstrip())) if "@" in prelude else None
            if kind is None:
                if body is None:
                    own.append(prelude)
                else:
                    begins = False
                    yield from self._rule(prelude, body, place)
                continue
            name, condition = kind[1].lower(), uncommented(decoded(prelude.lstrip())[kind.end() :])
            if body is not None:
                begins = False
                yield from self._at_rule(name, condition, body, place)
            elif name == "import" and begins:
                yield from self._sheet(_imported(condition), _Place(holds=None, depth=place.depth - 1))
            elif name == "layer":
                for layer in layers(condition):
                    self._rank(_within(place.layer, layer))
            elif name == "namespace" and _XHTML not in condition and not re.match(r"[\w-]+\s", condition):
                place = _Place(place.parent, None, place.layer, place.depth)
        if place.parent and (style := declarations(";".join(own))):
            yield self._made(selectors_of(place.parent), style, place)

    def _rule(self, prelude: str, body: str, place: _Place) -> Iterator[StyleRule]:
        if place.parent:
            prelude = ", ".join(_nested(each, place.parent) for each in layers(prelude))
        selectors = selectors_of(prelude)
        if style := declarations(body) if selectors else ():
            yield self._made(selectors, style, place)
        if "{" in body and place.depth and selectors:
            inner = _Place(f":is({prelude})", place.holds, place.layer, place.depth - 1)
            yield from (rule for rule in self._rules(_only_blocks(body), inner))

    def _made(self, selectors: Sequence[Selector], style: Sequence[Declaration], place: _Place) -> StyleRule:
        layer = self._rank(place.layer) if place.layer else UNLAYERED
        return StyleRule(selectors, style, place.holds is True, layer)

    def _at_rule(self, name: str, condition: str, body: str, place: _Place) -> Iterator[StyleRule]:
        parent, layer, holds = place.parent, place.layer, place.holds
        if name == "media":
            holds = both(holds, conditions.media(condition))
        elif name == "supports":
            holds = both(holds, conditions.supports(condition))
        elif name == "layer":
            layer = _within(layer, condition or f"\0{len(self._layers)}")
            self._rank(layer)
        elif name in _UNSURE:
            holds = both(holds, None)
            parent = f":is({condition[1:].partition(')')[0]})" if name == "scope" and condition else parent
        elif name.endswith("keyframes"):
            self._animate(condition, body)
            return
        elif name == "property":
            self.registered.add(condition)
            return
        else:
            return
        if holds is not False and place.depth:
            yield from self._rules(body, _Place(parent, holds, layer, place.depth - 1))

    def _animate(self, name: str, body: str) -> None:
        if any(style and declarations(style) for _, style in parts(body, in_rule=False)):
            self.keyframes.add(decoded(name).strip("\"'").lower())

    def _rank(self, layer: str) -> Layer:
        ends = [*(at for at, letter in enumerate(layer) if letter == "."), len(layer)]
        return (*(self._layers.setdefault(layer[:end], len(self._layers)) for end in ends), LAST)


@lru_cache(maxsize=4_000)
def declarations(body: str) -> Sequence[Declaration]:
    """The telling longhands that a style sets, in order. An unsure name begins with `UNSURE`."""
    found: list[Declaration] = []
    for text in (text for text, nested in parts(body, in_rule=True) if nested is None):
        read = declaration(text)
        if read is None:
            continue
        name, value, is_important = read
        if name.startswith("--"):
            found.append((name, value, is_important))
            continue
        plain, is_usual = plain_name(name)
        pairs = longhands(plain, value)
        is_sure = is_usual and ("(" not in value or "var(" in value or is_surely_valid(value))
        found += [(each if is_sure else UNSURE + each, part, is_important) for each, part in pairs]
    return found


def _only_blocks(body: str) -> str:
    """A rule's body without its own declarations."""
    return "".join(f"{prelude}{{{inside}}}" for prelude, inside in parts(body, in_rule=True) if inside is not None)


def _nested(selector: str, parent: str) -> str:
    if "&" in selector or ":scope" in selector:
        return selector.replace("&", parent).replace(":scope", parent)
    return f"{parent} {selector}"


def _within(outer: str, layer: str) -> str:
    return f"{outer}.{layer}" if outer else layer


def _imported(statement: str) -> str:
    found = _ADDRESS.match(statement)
    return _embedded(found[1].strip("\"'")) if found else ""


def _embedded(address: str) -> str:
    """A sheet that the mail holds in an address; those elsewhere are not loaded."""
    found = _EMBEDDED.match(address.strip())
    if found is None:
        return ""
    data = unquote_to_bytes(found[2])
    if ";base64" in found[1].lower().replace(" ", ""):
        try:
            data = base64.b64decode(data + b"==")
        except (binascii.Error, ValueError):
            return ""
    return data.decode(errors="replace")
