"""The choice: at which points of a scene the bot is killed, out of all that it passes.

Left out is a point whose world is that of one where it is killed anyway, and how many these are is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.chaos.turns import TURNS

ALMOST_A_MAIL = frozenset({"meeting", "redelivered", "renewed", *TURNS})
"""Scenes that are an approved mail, or its beginning, but for some points: played is how they begin, what is called
otherwise than in the scenes before, and what comes right after that.
"""

_BEGINNING = 1
_AFTERWARDS = 1

_IDLE = ("model:", "google:gmail.users.settings", "google:calendar.events.list", "google:calendar.freebusy")
_IDLE_SLACK = ("setStatus", "conversations.", "users.info", "views.publish", "getPermalink")
_BESIDE = ("commit:audit+audit_heads", "commit:leases", "commit:outbox", "commit:posts", "job:", "slack:ack")
"""What goes on beside the run's own way: sealing, delivering, holding, waking up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The points to die at; how many are passed in all, after how many of these nothing lasting has changed, how many
    are alike one that is chosen elsewhere, and how many are left out though their world is another one: with
    `ends_only`, and in what is almost a mail.
    """

    points: Sequence[str]
    passed: int
    idle: int
    alike: int
    left: int


@dataclass(slots=True, kw_only=True)
class Choice:
    """Chooses for one scene after the other. With `every` all points are chosen; with `ends_only` the first and the
    last time that each is passed.
    """

    every: bool = False
    ends_only: bool = False
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
        if scene in ALMOST_A_MAIL:
            new = [n for n, point in enumerate(changing) if alike(point) not in self._names]
            near = set(new) if self.ends_only else {n + after for n in new for after in range(_AFTERWARDS + 1)}
            return [point for n, point in enumerate(changing) if n < _BEGINNING or n in near]
        known = {point for point, world in zip(changing, worlds(changing), strict=True) if world in self._worlds}
        kept = ends(changing) if self.ends_only else changing
        return [point for point in kept if point not in known]


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


def ends(points: Sequence[str]) -> Sequence[str]:
    """The first and the last time that each is passed."""
    first = {alike(point): point for point in reversed(points)}
    last = {alike(point): point for point in points}
    return [point for point in points if point in {first[alike(point)], last[alike(point)]}]


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
