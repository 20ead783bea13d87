"""Walks through plans over PostgreSQL."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.depth import first
from tests.unit.bot.runtime.plans.test_plan_walks import EVENTS, OFTEN, walk


@pytest.mark.parametrize("seed", first(0, range(4)))
async def test_the_same_on_postgresql(tmp_path: Path, postgres_url: str, seed: int) -> None:
    chance = random.Random(seed)
    events = chance.choices([*EVENTS, *OFTEN], k=12)
    await walk(tmp_path, events, seed, deadline=chance.choice([0, 30]), postgresql=postgres_url)
