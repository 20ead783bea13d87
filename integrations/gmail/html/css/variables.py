"""Variables: `var()` filled in (CSS Custom Properties for Cascading Variables)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from integrations.gmail.html.css.properties import is_valid
from integrations.gmail.html.css.shorthands import PENDING, longhands
from integrations.gmail.html.css.syntax import UNCLEAR, VALUE_LENGTH

MOST = 30
INVALID = "\1"
"""What a variable holds that refers to itself."""

_VARIABLE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(,)?")
_TIDY = re.compile(r"(?<=\() | (?=[),])")


def inherited(own: Mapping[str, str], outer: Mapping[str, str]) -> Mapping[str, str]:
    """The variables that hold inside an element."""
    if not own:
        return outer
    known = {**outer, **own}
    for name, value in own.items():
        if value in {"inherit", "unset"}:
            known[name] = outer.get(name, INVALID)
        elif value == "initial" or "var(" in value:
            known[name] = INVALID
            known[name] = filled(value, known) if "var(" in value else INVALID
    return known


def filled(value: str, variables: Mapping[str, str]) -> str:
    """The value with its variables; `INVALID` where one is missing, `UNCLEAR` where it grows beyond reason."""
    for _ in range(MOST):
        found = _VARIABLE.search(value)
        if found is None:
            return value
        end = _end(value, found.end())
        held = variables.get(found[1], INVALID)
        if held == INVALID and found[2]:
            held = value[found.end() : end - 1]
        if INVALID in held:
            return INVALID
        value = _TIDY.sub("", " ".join(f"{value[: found.start()]} {held} {value[end:]}".split()))
        if len(value) > VALUE_LENGTH:
            break
    return UNCLEAR


def computed(name: str, value: str, variables: Mapping[str, str]) -> str:
    """A longhand's value with its variables; `unset` where no browser knows what comes of it."""
    shorthand = ""
    if value.startswith(PENDING):
        _, shorthand, value = value.split(PENDING)
    value = filled(value, variables)
    if INVALID in value:
        return "unset"
    if shorthand:
        return dict(longhands(shorthand, value)).get(name, "unset")
    return value if is_valid(name, value) else "unset"


def _end(value: str, at: int) -> int:
    """Where the parenthesis ends that is open before this place."""
    depth = 1
    while at < len(value) and depth:
        depth += (value[at] == "(") - (value[at] == ")")
        at += 1
    return at
