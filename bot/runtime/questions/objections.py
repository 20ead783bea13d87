"""All that a tool objects to in the changes of a form, though it names one thing at a time.

What it names is taken back, to hear what it says of the rest. Its words need not show which argument they are about:
the one is meant without which it says something else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import cast

Changes = Mapping[str, object]


async def collect(refused: Callable[[Changes], Awaitable[str]], changed: Changes, into: dict[str, str]) -> None:
    """Write into `into`, by argument, what `refused` says of these changes; it is empty where there is nothing. What
    was written counts also where this is cancelled.
    """
    left, said = changed, await refused(changed)
    while left and said:
        before = dict(into)
        for name in _suspects(left, said):
            into[name] = f"{before.get(name, '')} {said}".strip()
            rest = _without(left, name, said)
            following = await refused(rest)
            if following != said:
                break
            into.clear()
            into.update(before)
        else:
            into[next(iter(_suspects(left, said)))] = said
            return
        left, said = rest, following


def _suspects(left: Changes, said: str) -> list[str]:
    """The changed arguments; first those of which the words speak."""
    return sorted(left, key=lambda name: not (name in said or _named(left[name], said)))


def _named(value: object, said: str) -> list[object]:
    """The entries of a value that the words show."""
    parts = cast("list[object]", value) if isinstance(value, list) else [value]
    return [part for part in parts if str(part or "").strip() and str(part) in said]


def _without(left: Changes, name: str, said: str) -> Changes:
    """The changes without this one; of several entries only those go that the words show."""
    value = left[name]
    if isinstance(value, list) and (named := _named(cast("object", value), said)):
        kept = [part for part in cast("list[object]", value) if part not in named]
        if kept:
            return {**left, name: kept}
    return {other: value for other, value in left.items() if other != name}
