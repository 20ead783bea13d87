"""The matrix: every scene, with the bot killed at every point of it; then the books must agree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playground.people import DANA
from tests.acceptance.mortal import Nursery
from tests.acceptance.world import World
from tests.chaos.books import Books, Counts
from tests.chaos.scenes import MORE, SCENES, Play, Wanted
from tests.chaos.stage import Stage, staged
from tests.postgres import PostgresServer

CASES_AT_ONCE = 25
"""Deaths on one stage, before it is set anew: the emulators' worlds grow."""

_QUIET_SECONDS = 0.3
"""For how long nothing more is passed, until a scene is over: leases are given back, tabs are drawn."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What was done. `missed` are points that a play did not come to: it took another way than the recorded one."""

    cases: int = 0
    deaths: int = 0
    missed: list[str] = field(default_factory=list[str])
    counts: Counts = field(default_factory=Counts)

    def __iadd__(self, other: Tally) -> Tally:
        self.cases += other.cases
        self.deaths += other.deaths
        self.missed += other.missed
        self.counts += other.counts
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Theatre:
    """Emulators and a nursery; scenes are played here one after the other."""

    here: World
    nursery: Nursery
    folder: Path
    postgres: PostgresServer | None = None

    async def recorded(self, scene: str) -> Sequence[str]:
        """Every point that the scene passes, in order. The first play warms up, the second is recorded."""
        folder = self.folder / f"{scene}-recorded"
        async with staged(self.here, folder, self.nursery, self.postgres, **MORE.get(scene, {})) as stage:
            wanted = Wanted()
            for turn in (1, 2):
                stage.watch.set(turn)
                await SCENES[scene](Play(stage, turn, wanted))
                await asyncio.sleep(_QUIET_SECONDS)
            await Books(stage, wanted).compare()
            return stage.watch.points(2)

    async def killed_at(self, scene: str, points: Sequence[str], name: str = "") -> Tally:
        """Play the scene once for each point and die there; the books are compared at the end of each stage."""
        tally = Tally()
        for first in range(0, len(points), CASES_AT_ONCE):
            some = points[first : first + CASES_AT_ONCE]
            tally += await self._on_one_stage(scene, some, self.folder / f"{scene}{name}-{first}")
        return tally

    async def _on_one_stage(self, scene: str, points: Sequence[str], folder: Path) -> Tally:
        tally, wanted = Tally(), Wanted()
        async with staged(self.here, folder, self.nursery, self.postgres, **MORE.get(scene, {})) as stage:
            for turn, point in enumerate(points, start=1):
                await _case(stage, scene, turn, point, wanted, tally)
            try:
                tally.counts = await Books(stage, wanted, dict(enumerate(points, start=1))).compare()
            except AssertionError as error:
                raise AssertionError(f"{scene} in {folder}: {error}") from None
        return tally


async def _case(stage: Stage, scene: str, turn: int, point: str, wanted: Wanted, tally: Tally) -> None:
    deaths = stage.deaths
    stage.watch.set(turn, point)
    try:
        await SCENES[scene](Play(stage, turn, wanted))
        if stage.deaths == deaths:
            await asyncio.sleep(_QUIET_SECONDS)
        await stage.ready()
        await Play(stage, turn, wanted).tend(DANA)
    except AssertionError as error:
        raise AssertionError(f"{scene}, killed at {point} (turn {turn} in {stage.folder}): {error}") from None
    stage.watch.set(0)
    tally.cases += 1
    tally.deaths += stage.deaths - deaths
    if stage.deaths == deaths:
        tally.missed.append(point)


def telling(points: Iterable[str]) -> Sequence[str]:
    """The points after which the world is another one.

    Before a commit or a call the world is as it was after what came before it; a read, a model's answer and a status
    line change nothing that lasts.
    """
    return [point for point in points if ":after#" in point and not _is_idle(point)]


def alike(point: str) -> str:
    """What points of several scenes have in common: the name, whichever time it is passed."""
    return point.partition("#")[0]


def ends(points: Sequence[str]) -> Sequence[str]:
    """The first and the last time that each is passed."""
    first = {alike(point): point for point in reversed(points)}
    last = {alike(point): point for point in points}
    return [point for point in points if point in {first[alike(point)], last[alike(point)]}]


_IDLE = ("model:", "google:gmail.users.settings", "google:calendar.events.list", "google:calendar.freebusy")
_IDLE_SLACK = ("setStatus", "conversations.", "users.info", "views.publish", "getPermalink")


def _is_idle(point: str) -> bool:
    return point.startswith(_IDLE) or any(part in point for part in _IDLE_SLACK)


def shares(points: Sequence[str], number: int, of: int) -> Sequence[str]:
    """One worker's share: every n-th point, so that all workers have some of each kind."""
    return points[number::of]
