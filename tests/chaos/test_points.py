"""Killed at every point of what people do most, and at what other scenes add to it: nothing lost, nothing doubled.

Every point of every scene, on both databases, is for `make chaos`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.acceptance.conftest import PROXIES
from tests.acceptance.mortal import Nursery
from tests.acceptance.world import world
from tests.chaos.matrix import Tally, Theatre, alike, telling
from tests.chaos.scenes import SCENES

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
async def theatre(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: Nursery) -> AsyncGenerator[Theatre]:
    """Emulators and a nursery."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    async with world(tmp_path) as here:
        yield Theatre(here=here, nursery=nursery, folder=tmp_path)


def _agree(tally: Tally) -> None:
    """Nearly every death happened where it was meant to, and the books found nothing."""
    assert tally.counts.problems == []
    # How often a stream is told of depends on how fast the machine is, so a play may not come to a point of it.
    assert len(tally.missed) <= max(4, tally.cases // 8), tally.missed


class TestMail:
    async def test_killed_at_every_point_of_an_approved_mail(self, theatre: Theatre) -> None:
        """Wherever the bot dies between a request and its answer, one mail leaves and one answer stands."""
        points = telling(await theatre.recorded("mail"))
        assert len(points) > 20
        tally = await theatre.killed_at("mail", points)
        assert tally.counts.mails == len(points)
        _agree(tally)


class TestOthers:
    async def test_killed_at_every_point_that_other_scenes_add(self, theatre: Theatre) -> None:
        """The same for siblings, an event, a memory, a channel, words instead of a press, expiry, Continue, tokens."""
        known = {alike(point) for point in await theatre.recorded("mail")}
        tally = Tally()
        for scene in [name for name in SCENES if name != "mail"]:
            points = telling(await theatre.recorded(scene))
            new = {alike(point): point for point in reversed(points) if alike(point) not in known}
            known |= new.keys()
            tally += await theatre.killed_at(scene, list(new.values()))
        assert tally.cases > 10
        _agree(tally)
