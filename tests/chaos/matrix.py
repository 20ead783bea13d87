"""The matrix: every scene, with the bot killed at every point of it; then the books must agree."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playground.people import DANA
from tests.acceptance.mortal import Nursery
from tests.acceptance.world import World
from tests.chaos.books import Books, Counts
from tests.chaos.scenes import MORE, SCENES, Play, Wanted
from tests.chaos.stage import Stage, staged
from tests.postgres import PostgresServer

_QUIET_SECONDS = 0.3
"""For how long nothing more is passed, until a scene is over: leases are given back, tabs are drawn."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What was done."""

    cases: int = 0
    missed: list[str] = field(default_factory=list[str])
    counts: Counts = field(default_factory=Counts)


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

    async def killed_at(self, scene: str, points: Sequence[str], name: str = "0") -> Tally:
        """Play the scene once for each point, die there, rise again; at the end the books are compared."""
        tally, wanted = Tally(), Wanted()
        folder = self.folder / f"{scene}-{name}"
        async with staged(self.here, folder, self.nursery, self.postgres, **MORE.get(scene, {})) as stage:
            for turn, point in enumerate(points, start=1):
                await self._case(stage, scene, turn, point, wanted, tally)
            tally.counts = await Books(stage, wanted, dict(enumerate(points, start=1))).compare()
        return tally

    async def _case(self, stage: Stage, scene: str, turn: int, point: str, wanted: Wanted, tally: Tally) -> None:
        deaths = stage.deaths
        stage.watch.set(turn, point)
        try:
            await SCENES[scene](Play(stage, turn, wanted))
            if stage.deaths == deaths:
                await asyncio.sleep(_QUIET_SECONDS)
            await stage.ready()
            await Play(stage, turn, wanted).tend(DANA)
        except AssertionError as error:
            raise AssertionError(f"{scene}, killed at {point} (case {turn} in {stage.folder}): {error}") from None
        stage.watch.set(0)
        tally.cases += 1
        if stage.deaths == deaths:
            tally.missed.append(point)
