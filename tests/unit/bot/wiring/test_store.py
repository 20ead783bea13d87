"""What every command stands on: who makes files, and what is said when one of them is missing."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from bot.secrets import NoKeyFile
from bot.settings import Settings
from bot.store.file_lock import DatabaseInUse, DatabaseLinked
from bot.wiring.store import DatabaseUnusable, opened, origin_of


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/agent.db")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


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


async def test_a_link_is_the_file_that_it_leads_to(settings: Settings, tmp_path: Path) -> None:
    """A database is one by whatever name it is opened: with one lock, and with the key beside the file itself."""
    folder = tmp_path / "links"
    folder.mkdir()
    (folder / "link.db").symlink_to(tmp_path / "agent.db")
    linked = Settings(database_url=f"sqlite+aiosqlite:///{folder}/link.db")
    async with opened(settings, owner=True) as base:
        with pytest.raises(DatabaseInUse, match=r"agent\.db is in use"):
            async with opened(linked, owner=True):
                pytest.fail("a second owner")
        async with opened(linked, owner=False) as same:
            assert same.keyring.mac(b"x") == base.keyring.mac(b"x")
    assert names(folder) == ["link.db"]


async def test_a_second_name_of_the_file_starts_no_second_process(settings: Settings, tmp_path: Path) -> None:
    """A hard link has a lock of its own, so nobody owns a database that has two names; readers may read it."""
    async with opened(settings, owner=True):
        (tmp_path / "twin.db").hardlink_to(tmp_path / "agent.db")
        twin = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/twin.db")
        with pytest.raises(DatabaseLinked, match=r"twin\.db has 2 names"):
            async with opened(twin, owner=True):
                pytest.fail("a second owner")
    (tmp_path / "twin.db").unlink()
    async with opened(settings, owner=True):
        pass


async def test_a_folder_is_called_a_folder(tmp_path: Path) -> None:
    """Each folder in a folder is a link to it; it has no second name that could be removed."""
    (tmp_path / "agent.db" / "inside").mkdir(parents=True)
    with pytest.raises(DatabaseUnusable, match="Is a directory"):
        async with opened(Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/agent.db"), owner=True):
            pytest.fail("a folder as a database")


@pytest.fixture
def open_handed() -> Generator[None]:
    """New files may be read by everybody, as on most machines."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_handed")
async def test_what_people_said_is_for_its_owner_only(settings: Settings, tmp_path: Path) -> None:
    """The database and the files that SQLite puts beside it can be read by the user who runs it, and nobody else."""
    async with opened(settings, owner=True) as base, base.store.write() as work:
        await work.metadata.set("n", "v")
        private = {f"agent.db{end}" for end in ("", "-wal", "-shm", ".key")}
        assert private <= set(names(tmp_path))
        assert {name: (tmp_path / name).stat().st_mode & 0o777 for name in private} == dict.fromkeys(private, 0o600)


@pytest.mark.usefixtures("open_handed")
async def test_what_stands_beside_the_database_is_private_too(settings: Settings, tmp_path: Path) -> None:
    """Nobody else reads the lock and the id, nor holds the lock; those that an earlier version left open are closed."""
    beside = [tmp_path / "agent.db.lock", tmp_path / "agent.db.instance"]
    for _ in range(2):
        async with opened(settings, owner=True) as base:
            await origin_of(base).claim()
            assert [path.stat().st_mode & 0o777 for path in beside] == [0o600, 0o600]
        for path in beside:
            path.chmod(0o644)
