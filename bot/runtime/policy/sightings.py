"""Where else a value stood: in which thing that the request has read, by whom, and in the result of which action.

A thing is a part of a result that has the id of one that was seen, such as a row of a search. Its author is who stands
there as one, of the innermost part that names any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from bot.domain.actions import Action
from bot.domain.threads import SeenObject
from bot.runtime.policy.trusted_words import ids_in
from integrations.fences import unfenced
from policies.guards import words
from policies.guards.known import Sightings
from policies.provenance import Sighting

MOST_SIGHTINGS = 3

_AUTHORS = ("from", "author", "organizer")
"""Under which names results say who wrote what stands beside them."""

Part = Mapping[str, object]


def sightings_in(actions: Sequence[Action], objects: Sequence[SeenObject]) -> Sightings:
    """Finds where a value stands in what these actions brought. A thing in which it takes part is known by its people,
    whatever the result shows of it.
    """
    titles = {one.object_id: one.title for one in objects}

    @cache
    def read(place: int) -> Sequence[tuple[str, Sequence[Part]]]:
        return [(words.plain(text), around) for text, around in _texts(actions[place].response)]

    def found(value: str) -> Sequence[Sighting]:
        wanted = words.plain(value)
        among = [one.title for one in objects if any(wanted in words.plain(person) for person in one.people)]
        seen = list[Sighting]()
        for place, action in enumerate(actions):
            stands = [around for text, around in read(place) if wanted in text]
            if stands:
                seen.append(_sighting(action, stands, titles, among[0] if among else ""))
            if len(seen) == MOST_SIGHTINGS:
                break
        return seen

    return found


def _sighting(action: Action, stands: Sequence[Sequence[Part]], titles: Mapping[str, str], among: str) -> Sighting:
    """In the first thing of this result that was seen, or else in one among whose people it is."""
    for around in stands:
        title = next((titles[each] for part in around for each in _ids(part) if each in titles), "")
        if title:
            return Sighting(action=action.id, caption=action.caption, title=title, author=_author(around))
    return Sighting(action=action.id, caption=action.caption, title=among, author="" if among else _author(stands[0]))


def _ids(part: Part) -> Iterator[str]:
    return iter(ids_in({name: value for name, value in part.items() if not isinstance(value, dict | list)}))


def _author(around: Sequence[Part]) -> str:
    """Their address, which stands last: a name may look like one. What they are called where there is none."""
    written = (part[name] for part in around for name in _AUTHORS if isinstance(part.get(name), str))
    said = unfenced(cast("str", next(written, ""))).strip()
    return said.rpartition("<")[2].removesuffix(">") if said.endswith(">") else said


def _texts(value: object, around: Sequence[Part] = ()) -> Iterator[tuple[str, Sequence[Part]]]:
    """Every text in a JSON value, and the parts around it, the innermost first."""
    match value:
        case str():
            yield value, around
        case dict():
            part = cast("Part", value)
            for inner in part.values():
                yield from _texts(inner, (part, *around))
        case list():
            for inner in cast("list[object]", value):
                yield from _texts(inner, around)
        case _:
            return
