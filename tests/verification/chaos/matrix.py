"""The matrix: every scene, with the bot killed at every point of it; then everything must agree."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from playground.people import DANA
from tests.acceptance.mortal import BotProcesses
from tests.acceptance.world import World, world
from tests.verification.chaos.consistency import Consistency, Counts
from tests.verification.chaos.play import Play, Wanted
from tests.verification.chaos.points import ANY
from tests.verification.chaos.rest import NotAtRest
from tests.verification.chaos.scenes import MORE, SCENES, UNASKED
from tests.verification.chaos.stage import Adopted, Stage, staged

CASES_AT_ONCE = 12
"""Deaths on one stage, before it is set anew: the emulators' worlds grow."""

PLAYS = 4
"""How often a point is played that a play did not come to: how often a stream is told of depends on how fast the
machine is.
"""

_ALLOWED = 12
"""One case in so many, and two of a few, may come to its end without a death at its point. Fewer deaths prove less than
they seem to.
"""

_STREAMED = tuple(f"slack:chat.{call}" for call in ("startStream", "appendStream", "stopStream", "update", "delete"))
_STREAMED_ALLOWED = 6
"""In how many calls an answer is streamed depends on how busy the machine is, so more of these points may be missed:
one case in so many.
"""

_SECONDS = (2, 4, 7, 11, 16)
"""The second death comes when the reborn bot passes so many points, in turn."""

_QUIET_SECONDS = 0.3
"""For how long nothing more is passed, until a scene is over: leases are given back, tabs are drawn."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What was done. `missed` are points that no play came to: it took another way than the recorded one. `unfinished`
    are plays that did not come to rest, and bots that died where nobody killed them.
    """

    cases: int = 0
    plays: int = 0
    deaths: int = 0
    twice: int = 0
    twice_asked: int = 0
    missed: list[str] = field(default_factory=list[str])
    unfinished: list[str] = field(default_factory=list[str])
    counts: Counts = field(default_factory=Counts)

    def __iadd__(self, other: Tally) -> Tally:
        self.cases += other.cases
        self.plays += other.plays
        self.deaths += other.deaths
        self.twice += other.twice
        self.twice_asked += other.twice_asked
        self.missed += other.missed
        self.unfinished += other.unfinished
        self.counts += other.counts
        return self

    def too_few(self) -> Sequence[str]:
        """Why this proves less than it says, if it does."""
        allowed, in_all = max(2, self.cases // _ALLOWED), max(2, self.cases // _STREAMED_ALLOWED)
        certain = [point for point in self.missed if not point.startswith(_STREAMED)]
        named = (
            f"{len(self.missed)} of {self.cases} points were not come to, {len(certain)} of them no streaming; at most "
            f"{in_all} and {allowed} may be: {self.missed[:12]}"
        )
        none = ["nobody was killed anywhere"] if not self.deaths else []
        again = [f"{self.twice} second deaths, of {self.twice_asked}"] if self.twice * 2 < self.twice_asked else []
        return none + again + [named] * (len(certain) > allowed or len(self.missed) > in_all)


class Unfinished(AssertionError):
    """A scene could not be recorded: without any death it did not come to rest, or the check found something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theatre:
    """Emulators and the program that starts bots; scenes are played here one after the other."""

    here: World
    bot_processes: BotProcesses
    folder: Path
    postgres: Adopted | None = None

    async def recorded(self, scenes: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Every point that each scene passes, in order; they are played on one stage, after a play that warms up."""
        folder, wanted, first = self.folder / f"{scenes[0]}-recorded", Wanted(), 2
        async with staged(self.here, folder, self.bot_processes, self.postgres, **MORE.get(scenes[0], {})) as stage:
            for turn, scene in enumerate([scenes[0], *scenes], start=1):
                stage.watch.set(turn)
                try:
                    await SCENES[scene](Play(stage, 2 if turn == first else 1, wanted))
                    await asyncio.sleep(_QUIET_SECONDS)
                    await Consistency(stage, wanted).compare()
                except (AssertionError, TimeoutError) as error:
                    told = error or type(error).__name__
                    raise Unfinished(f"{scene}, with nobody killed, in {folder}: {told}") from None
            points = {scene: stage.watch.points(turn) for turn, scene in enumerate(scenes, start=first)}
        if silent := [scene for scene, passed in points.items() if not passed]:
            raise Unfinished(f"{silent} pass no point, in {folder}")
        return points

    async def killed_at(self, scene: str, points: Sequence[str], name: str = "", *, twice: bool = False) -> Tally:
        """Play the scene once for each point and die there, and `twice` a second time a little later; everything is
        compared at the end of each stage.
        """
        tally = Tally()
        for first in range(0, len(points), CASES_AT_ONCE):
            some = points[first : first + CASES_AT_ONCE]
            tally += await self._on_one_stage(scene, some, self.folder / f"{scene}{name}-{first}", twice=twice)
        return tally

    async def _on_one_stage(self, scene: str, points: Sequence[str], folder: Path, *, twice: bool) -> Tally:
        """A play that does not come to rest is the last one on its stage, which is not checked then."""
        tally, wanted, turns = Tally(), Wanted(), dict[int, str]()
        async with staged(self.here, folder, self.bot_processes, self.postgres, **MORE.get(scene, {})) as stage:
            for number, point in enumerate(points):
                tally.cases += 1
                stage.second = f"{ANY}#{_SECONDS[number % len(_SECONDS)]}" if twice else ""
                try:
                    await _case(stage, scene, point, wanted, tally, turns)
                except (AssertionError, TimeoutError) as error:
                    where = f"{scene}, killed at {point} (turn {len(turns)} in {folder})"
                    tally.unfinished.append(f"{where}: {error or type(error).__name__}")
                    return tally
            try:
                tally.counts = await Consistency(stage, wanted, turns).compare(strict=False)
            except NotAtRest as error:
                tally.unfinished.append(f"{scene} in {folder}: {error}")
                return tally
            tally.counts.say_where(f"{scene} in {folder}")
            tally.twice, tally.twice_asked = stage.second_deaths, len(points) * twice
            tally.unfinished += [f"{scene} in {folder}: {end}" for end in stage.strange]
        return tally


async def _case(
    stage: Stage, scene: str, point: str, wanted: Wanted, tally: Tally, turns: MutableMapping[int, str]
) -> None:
    """Until the bot died at the point; `turns` are the plays on this stage, and where each of them was to be killed."""
    for _ in range(PLAYS):
        turns[turn := len(turns) + 1] = point
        deaths = await _played(stage, scene, turn, point, wanted)
        tally.plays += 1
        tally.deaths += deaths
        if deaths:
            return
    tally.missed.append(point)


async def _played(stage: Stage, scene: str, turn: int, point: str, wanted: Wanted) -> int:
    """The deaths in this play."""
    deaths = stage.deaths
    stage.watch.set(turn, point)
    await SCENES[scene](Play(stage, turn, wanted))
    if stage.deaths == deaths:
        await asyncio.sleep(_QUIET_SECONDS)
    await stage.ready()
    await Play(stage, turn, wanted).tend(DANA)
    stage.watch.set(0)
    return stage.deaths - deaths


# Several at once --------------------------------------------------------------------------------------------------

T = TypeVar("T")
Job = Callable[[Theatre], Awaitable[T]]


@asynccontextmanager
async def theatres(
    folder: Path, bot_processes: BotProcesses, number: int, postgres: Adopted | None = None
) -> AsyncGenerator[Sequence[Theatre]]:
    """So many, each with emulators of its own."""
    async with AsyncExitStack() as stack:
        made: list[Theatre] = []
        for n in range(number):
            own = folder / str(n)
            own.mkdir()
            here = await stack.enter_async_context(world(own))
            made.append(Theatre(here=here, bot_processes=bot_processes, folder=own, postgres=postgres))
        yield made


async def side_by_side(theatres: Sequence[Theatre], jobs: Sequence[Job[T]]) -> list[T]:
    """What each job comes to, in order; a theatre that is done takes the next. Most of a play is waiting."""
    waiting = deque(enumerate(jobs))
    done: dict[int, T] = {}

    async def play(theatre: Theatre) -> None:
        while waiting:
            number, job = waiting.popleft()
            done[number] = await job(theatre)

    async with asyncio.TaskGroup() as tasks:
        for theatre in theatres:
            tasks.create_task(play(theatre))
    return [done[number] for number in range(len(jobs))]


def recordings(scenes: Sequence[str], parts: int) -> Sequence[Job[Mapping[str, Sequence[str]]]]:
    """The points of the scenes, in about so many jobs. Scenes share a stage unless they need a bot of their own; those
    after which a person is asked no more come last.
    """
    shared = sorted((scene for scene in scenes if scene not in MORE), key=lambda scene: scene in UNASKED)
    own = [[scene] for scene in scenes if scene in MORE]

    def job(some: Sequence[str]) -> Job[Mapping[str, Sequence[str]]]:
        return lambda theatre: theatre.recorded(some)

    return [job(some) for some in [*own, *(shared[number::parts] for number in range(parts))] if some]


def killed(scene: str, points: Sequence[str], *, parts: int, twice: bool = False) -> Sequence[Job[Tally]]:
    """The scene killed at each point, in so many jobs, each with some points of each kind."""

    def job(number: int, some: Sequence[str]) -> Job[Tally]:
        return lambda theatre: theatre.killed_at(scene, some, f"-{'twice-' * twice}{number}", twice=twice)

    return [job(number, some) for number in range(parts) if (some := points[number::parts])]


def summed(tallies: Sequence[Tally]) -> Tally:
    """All of them as one."""
    total = Tally()
    for tally in tallies:
        total += tally
    return total
