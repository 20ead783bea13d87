"""Keys of requests, over either database: asking at the same moment under one key is asking once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.runtime.over_http.admission import NotTaken, Taken
from tests.unit.bot.runtime.over_http.desk import desk, key


@pytest.mark.parametrize("is_shared", [False, True])
async def test_two_at_once(tmp_path: Path, request: pytest.FixtureRequest, is_shared: bool) -> None:
    """The second waits for the first, and is the same run, or another body and refused; what is refused gives way."""
    url = request.getfixturevalue("postgres_url") if is_shared else None
    async with desk(tmp_path, postgresql=url) as at:
        both = await asyncio.gather(*(at.says(key=key()) for _ in range(8)))
        assert len({one.run_id for one in both}) == 1
        assert at.count("runs") == 1
        told = await asyncio.gather(*(at.says(key=key("k2", body)) for body in (b"1", b"2")), return_exceptions=True)
        assert sorted(type(one).__name__ for one in told) == ["NotTaken", "Taken"]
        stops = await asyncio.gather(
            at.says("stop", key=key("k3")), at.says("go", key=key("k3", b"2")), return_exceptions=True
        )
        assert [type(one) for one in stops] == [NotTaken, Taken]
