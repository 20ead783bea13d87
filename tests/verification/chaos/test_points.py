"""Killed at every point of what people do most, and at what other scenes add to it: nothing lost, nothing doubled.

Every point of every scene, on both databases, is for `make chaos`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from tests.acceptance.mortal import BotProcesses
from tests.verification.chaos.choice import alike, telling
from tests.verification.chaos.matrix import Job, Tally, Theatre, killed, recordings, side_by_side, summed, theatres
from tests.verification.chaos.scenes import COMMON

AT_ONCE = 4
"""Plays go on side by side, each with emulators of its own."""


@pytest.fixture
async def stages(
    tmp_path: Path, bot_processes: BotProcesses, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Sequence[Theatre]]:
    """Several sets of emulators, and the program that starts bots."""
    async with theatres(tmp_path, bot_processes, AT_ONCE) as made:
        yield made


def _agree(tally: Tally) -> None:
    """Nearly every death happened where it was meant to, and the check found nothing."""
    assert tally.counts.problems == []
    assert tally.unfinished == []
    assert tally.too_few() == []


class TestPoints:
    """One class goes to one worker: two programs that start bots would get into each other's way."""

    @pytest.mark.parametrize("each", [3, pytest.param(1, marks=pytest.mark.deep)])
    async def test_security_input_51_killed_at_every_point_of_an_approved_mail(
        self, stages: Sequence[Theatre], each: int
    ) -> None:
        """Wherever the bot dies between a request and its answer, one mail leaves and one answer stands."""
        points = telling((await stages[0].recorded(["mail"]))["mail"])
        assert len(points) > 20
        points = points[::each]
        tally = summed(await side_by_side(stages, killed("mail", points, parts=AT_ONCE)))
        _agree(tally)
        assert tally.counts.mails == tally.plays

    @pytest.mark.deep
    async def test_killed_at_every_point_of_work_given_to_agents(self, stages: Sequence[Theatre]) -> None:
        """Wherever the bot dies while two agents work beside a mail, each hands over once, and one mail leaves."""
        points = telling((await stages[0].recorded(["delegated"]))["delegated"])
        assert len(points) > 20
        tally = summed(await side_by_side(stages, killed("delegated", points, parts=AT_ONCE)))
        _agree(tally)
        assert tally.counts.mails == tally.plays

    @pytest.mark.deep
    async def test_killed_at_every_point_that_other_scenes_add(self, stages: Sequence[Theatre]) -> None:
        """The same for siblings, an event, a memory, a channel, words instead of a press, expiry, Continue, tokens,
        a mail that is held back, and one that is taken back.
        """
        recorded = ChainMap(*map(dict, await side_by_side(stages, recordings(list(COMMON), AT_ONCE))))
        passed = {scene: recorded[scene] for scene in COMMON}
        known = {alike(point) for point in passed.pop("mail")}
        jobs: list[Job[Tally]] = []
        for scene, points in passed.items():
            new = {alike(point): point for point in reversed(telling(points)) if alike(point) not in known}
            known |= new.keys()
            jobs += killed(scene, list(new.values()), parts=2 if len(new) > 6 else 1)
        tally = summed(await side_by_side(stages, jobs))
        assert tally.cases > 10
        _agree(tally)
