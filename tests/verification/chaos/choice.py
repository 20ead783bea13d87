"""The choice: at which points of a scene the bot is killed, out of all that it passes.

Left out is a point whose world is that of one where it is killed anyway, and how many these are is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.verification.chaos.turns import TURNS

WHOLE = "mail"
"""The scene in which the bot is killed each time that a point is passed."""

ALMOST_A_MAIL = frozenset({"meeting", "redelivered", "renewed", *TURNS})
"""Scenes that are an approved mail, or its beginning, but for some points: played is how they begin, the first time of
what is called otherwise than in the scenes before, and what comes right after that.
"""

OWN_EFFECT = {
    "replied": "google:gmail.users.drafts.send",
    "drafted": "google:gmail.users.drafts.create",
    "draft_sent": "google:gmail.users.drafts.send",
    "approved_otherwise": "google:gmail.users.drafts.create",
    "polished": "google:gmail.users.drafts.create",
}
"""Scenes whose tool is another one, though Google is told the same: they die right after that, not as they begin."""

_AFTERWARDS = 1

_IDLE = ("model:", "google:gmail.users.settings", "google:calendar.events.list", "google:calendar.freebusy")
_IDLE_SLACK = ("setStatus", "conversations.", "users.info", "views.publish", "getPermalink")
_BESIDE = ("commit:audit+audit_heads", "commit:leases", "commit:outbox", "commit:posts", "job:", "slack:ack")
"""What goes on beside the run's own way: sealing, delivering, holding, waking up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The points to die at; how many are passed in all, after how many of these nothing lasting has changed, how many
    are alike one that is chosen elsewhere, and how many are left out though their world is another one: they are
    another time of a name at which the bot is killed.
    """

    points: Sequence[str]
    passed: int
    idle: int
    alike: int
    left: int


@dataclass(slots=True, kw_only=True)
class Choice:
    """Chooses for one scene after the other. With `every` all points are chosen. `sparing` is the whole scene in
    outline; of the others how they begin, and what no scene before came to.
    """

    every: bool = False
    sparing: bool = False
    _names: set[str] = field(default_factory=set[str])
    _worlds: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])

    def of(self, scene: str, points: Sequence[str]) -> Chosen:
        """What is new in this scene."""
        changing = points if self.every else telling(points)
        chosen = changing if self.every else self._new(scene, changing)
        self._names.update(map(alike, changing))
        before = worlds(changing)
        known = {point for point, world in zip(changing, before, strict=True) if world in self._worlds}
        same = len(known - set(chosen))
        self._worlds.update(before)
        idle, left = len(points) - len(changing), len(changing) - len(chosen) - same
        return Chosen(points=chosen, passed=len(points), idle=idle, alike=same, left=left)

    def _new(self, scene: str, changing: Sequence[str]) -> Sequence[str]:
        if scene == WHOLE:
            return outlined(changing) if self.sparing else changing
        if self.sparing or scene in ALMOST_A_MAIL:
            after = 0 if self.sparing and scene in ALMOST_A_MAIL else _AFTERWARDS
            return self._otherwise(changing, f"{OWN_EFFECT[scene]}:after" if scene in OWN_EFFECT else "", after=after)
        known = {point for point, world in zip(changing, worlds(changing), strict=True) if world in self._worlds}
        return [point for point in outlined(changing) if point not in known]

    def _otherwise(self, changing: Sequence[str], effect: str, *, after: int) -> Sequence[str]:
        """The beginning or its `effect`, the first time of each new name, and so many of the run's own way after it."""
        sure = next((point for point in changing if alike(point) == effect), next(iter(changing), ""))
        new = {first for first in firsts(changing) if alike(first) not in self._names}
        chosen, near = list[str](), 0
        for point in changing:
            if point == sure or point in new:
                chosen.append(point)
                near = after if point in new else near
            elif near and not point.startswith(_BESIDE):
                chosen.append(point)
                near -= 1
        return chosen


def telling(points: Iterable[str]) -> Sequence[str]:
    """The points after which the world is another one.

    Before a commit or a call the world is as it was after what came before it; a read, a model's answer and a status
    line change nothing that lasts.
    """
    return [point for point in points if ":after#" in point and not _is_idle(point)]


def _is_idle(point: str) -> bool:
    return point.startswith(_IDLE) or any(part in point for part in _IDLE_SLACK)


def alike(point: str) -> str:
    """What points of several scenes have in common: the name, whichever time it is passed."""
    return point.partition("#")[0]


def firsts(points: Iterable[str]) -> Sequence[str]:
    """The first time that each is passed."""
    return list({alike(point): point for point in reversed([*points])}.values())[::-1]


def ends(points: Sequence[str]) -> Sequence[str]:
    """The first and the last time that each is passed."""
    kept = {*firsts(points), *firsts(points[::-1])}
    return [point for point in points if point in kept]


def outlined(points: Sequence[str]) -> Sequence[str]:
    """The first time that each is passed, and the last time of what is on the run's own way."""
    first = set(firsts(points))
    return [point for point in ends(points) if point in first or not point.startswith(_BESIDE)]


def worlds(points: Sequence[str]) -> Sequence[tuple[object, ...]]:
    """For each point what has happened by then: all of the run's own way, and what went on beside its last step.

    Scenes begin alike, and where these agree a bot that dies finds the same when it comes back.
    """
    way: tuple[str, ...] = ()
    beside: Counter[str] = Counter()
    found: list[tuple[object, ...]] = []
    for name in map(alike, points):
        if name.startswith(_BESIDE):
            beside[name] += 1
        else:
            way, beside = (*way, name), Counter()
        found.append((way, name, beside[name]))
    return found
