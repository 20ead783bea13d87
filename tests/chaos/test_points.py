"""Killed at every point of what people do most, and at what other scenes add to it: nothing lost, nothing doubled.

Every point of every scene, on both databases, is for `make chaos`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from tests.acceptance.conftest import PROXIES
from tests.acceptance.mortal import Nursery
from tests.acceptance.world import world
from tests.chaos.matrix import Tally, Theatre, alike, shares, telling
from tests.chaos.scenes import SCENES

T = TypeVar("T")

pytestmark = pytest.mark.timeout(300)


AT_ONCE = 4
"""Plays go on side by side, each with emulators of its own: most of a play is waiting."""

Job = Callable[[Theatre], Awaitable[T]]


@pytest.fixture
async def theatres(
    tmp_path: Path, nursery: Nursery, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Sequence[Theatre]]:
    """Emulators, several times, and a nursery."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    async with AsyncExitStack() as stack:
        made: list[Theatre] = []
        for number in range(AT_ONCE):
            folder = tmp_path / str(number)
            folder.mkdir()
            here = await stack.enter_async_context(world(folder))
            made.append(Theatre(here=here, nursery=nursery, folder=folder))
        yield made


async def side_by_side(theatres: Sequence[Theatre], jobs: Sequence[Job[T]]) -> list[T]:
    """What each job comes to, in order; a theatre that is done takes the next."""
    waiting = list(enumerate(jobs))
    done: dict[int, T] = {}

    async def play(theatre: Theatre) -> None:
        while waiting:
            number, job = waiting.pop(0)
            done[number] = await job(theatre)

    async with asyncio.TaskGroup() as tasks:
        for theatre in theatres:
            tasks.create_task(play(theatre))
    return [done[number] for number in range(len(jobs))]


def recording(scene: str) -> Job[Sequence[str]]:
    """The points of the scene."""
    return lambda theatre: theatre.recorded(scene)


def killed(scene: str, points: Sequence[str], *, parts: int) -> Sequence[Job[Tally]]:
    """The scene killed at each point, in so many jobs."""
    cut = [shares(points, number, parts) for number in range(parts)]

    def job(number: int, some: Sequence[str]) -> Job[Tally]:
        return lambda theatre: theatre.killed_at(scene, some, f"-{number}")

    return [job(number, some) for number, some in enumerate(cut) if some]


def summed(tallies: Sequence[Tally]) -> Tally:
    """All of them as one."""
    total = Tally()
    for tally in tallies:
        total += tally
    return total


def _agree(tally: Tally) -> None:
    """Nearly every death happened where it was meant to, and the books found nothing."""
    assert tally.counts.problems == []
    # How often a stream is told of depends on how fast the machine is, so a play may not come to a point of it.
    assert len(tally.missed) <= max(4, tally.cases // 8), tally.missed


class TestMail:
    async def test_killed_at_every_point_of_an_approved_mail(self, theatres: Sequence[Theatre]) -> None:
        """Wherever the bot dies between a request and its answer, one mail leaves and one answer stands."""
        points = telling(await theatres[0].recorded("mail"))
        assert len(points) > 20
        tally = summed(await side_by_side(theatres, killed("mail", points, parts=AT_ONCE)))
        assert tally.counts.mails == len(points)
        _agree(tally)


class TestOthers:
    async def test_killed_at_every_point_that_other_scenes_add(self, theatres: Sequence[Theatre]) -> None:
        """The same for siblings, an event, a memory, a channel, words instead of a press, expiry, Continue, tokens,
        a mail that is held back, and one that is taken back.
        """
        recorded = await side_by_side(theatres, [recording(scene) for scene in SCENES])
        passed = dict(zip(SCENES, recorded, strict=True))
        known = {alike(point) for point in passed.pop("mail")}
        jobs: list[Job[Tally]] = []
        for scene, points in passed.items():
            new = {alike(point): point for point in reversed(telling(points)) if alike(point) not in known}
            known |= new.keys()
            jobs += killed(scene, list(new.values()), parts=2 if len(new) > 6 else 1)
        tally = summed(await side_by_side(theatres, jobs))
        assert tally.cases > 10
        _agree(tally)
