from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path

import pytest

from bot.commands import heap
from bot.commands.service import serve
from bot.errors import Misconfigured
from bot.settings import Settings


@pytest.fixture(autouse=True)
def _as_before() -> Generator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_what_a_block_makes_is_never_looked_at_again() -> None:
    with heap.built():
        assert not gc.isenabled()
        made = [[number] for number in range(1_000)]
    assert gc.isenabled()
    assert not any(one is made for one in gc.get_objects())
    assert gc.get_freeze_count() > 1_000


def test_what_is_made_later_is_looked_at_and_seldom_all_of_it() -> None:
    younger = gc.get_threshold()[:2]
    with heap.built():
        pass
    later: list[object] = []
    assert any(one is later for one in gc.get_objects())
    assert gc.get_threshold() == (*younger, heap.YOUNGER_LOOKS)


def test_a_block_that_fails_leaves_the_collector_on() -> None:
    with pytest.raises(ZeroDivisionError), heap.built():
        raise ZeroDivisionError
    assert gc.isenabled()


async def test_the_service_is_built_so(tmp_path: Path) -> None:
    """It has no policy to work by; what it had built by then is what stays."""
    settings = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/agent.db", policies_dir=str(tmp_path / "none"))
    gc.unfreeze()
    with pytest.raises(Misconfigured, match="POLICIES_DIR"):
        await serve(settings, announce=True)
    assert gc.get_freeze_count()
