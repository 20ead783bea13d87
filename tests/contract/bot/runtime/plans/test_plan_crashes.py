"""The process dies at every commit of a plan, over either database."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from tests.postgres import PostgresServer
from tests.unit.bot.runtime.plans.test_plan_crashes import played


@pytest.mark.chaos
@pytest.mark.parametrize("kept", [True, False], ids=["after", "before"])
@pytest.mark.parametrize("part", range(12))
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_it_does_so_at_every_point(database: str, part: int, kept: bool, request: pytest.FixtureRequest) -> None:
    postgres: PostgresServer | None = request.getfixturevalue("postgres") if database == "postgresql" else None
    whole, commits = await played()
    for commit in range(1 + part, commits + 1, 12):
        with postgres.database() if postgres else nullcontext() as url:
            ended, _ = await played(url, dies_at=commit, kept=kept)
        assert ended == whole, f"it died {'after' if kept else 'before'} commit {commit}"
