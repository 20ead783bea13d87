"""What every command stands on: who makes files, and what is said when one of them is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.foundation import NoDatabase, opened
from bot.secrets import NoKeyFile
from bot.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/agent.db")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_command_that_only_reads_makes_nothing(settings: Settings, tmp_path: Path) -> None:
    """Without a database it says what to do, and leaves the folder as it was."""
    with pytest.raises(NoDatabase, match="Start `countersign run` once"):
        async with opened(settings, owner=False):
            pytest.fail("there is nothing to open")
    assert names(tmp_path) == []


@pytest.mark.parametrize("owner", [True, False], ids=["an owner", "a reader"])
async def test_a_database_never_gets_a_second_first_key(settings: Settings, tmp_path: Path, owner: bool) -> None:
    """A key that is gone is asked for, by owners too: with a new one nothing that was written could be read."""
    async with opened(settings, owner=True):
        pass
    key = tmp_path / "agent.db.key"
    kept = key.rename(tmp_path / "elsewhere")
    with pytest.raises(NoKeyFile, match="ENCRYPTION_KEYS"):
        async with opened(settings, owner=owner):
            pytest.fail("opened with a new key")
    assert "agent.db.key" not in names(tmp_path)
    kept.rename(key)
    async with opened(settings, owner=owner):
        pass
