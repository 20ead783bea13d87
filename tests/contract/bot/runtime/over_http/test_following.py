"""Following requests, over either database."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.runtime.over_http.outcomes import Status
from tests.unit.bot.runtime.over_http.desk import SEND, desk
from tests.unit.bot.runtime.over_http.test_following import SUPERVISED, elsewhere, ended, joined, reading


@pytest.mark.parametrize("is_shared", [False, True])
async def test_over_either_database(tmp_path: Path, request: pytest.FixtureRequest, is_shared: bool) -> None:
    """A prompt, a card, a click elsewhere and the end."""
    url = request.getfixturevalue("postgres_url") if is_shared else None
    async with desk(tmp_path, postgresql=url) as at, elsewhere(at) as other:
        taken = await at.asked(SEND, "Sent.", level=SUPERVISED)
        there = await joined(other, taken.run_id)
        await there.read()
        assert ended(there.lines).status is Status.AWAITING
        await at.here.approve(await at.run(taken))
        again = await joined(other, taken.run_id)
        async with reading(again):
            await at.serve(taken)
        assert ended(again.lines).text == "Sent."
