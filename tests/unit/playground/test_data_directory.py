from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from playground.data_directory import DataDirectory
from playground.errors import BotAtWork, DataInUse, NotOurs


def test_a_second_playground_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """While one playground runs, another on its data is refused, and told by which process."""
    path = tmp_path / "demo"
    with (
        DataDirectory(path),
        pytest.raises(DataInUse, match=f"process {os.getpid()}.*Ctrl\\+C.*--data"),
        DataDirectory(path),
    ):
        pass


def test_the_data_are_free_again_afterwards(tmp_path: Path) -> None:
    """When a playground has ended its data can be used again, and are not fresh any more."""
    path = tmp_path / "demo"
    with DataDirectory(path) as first:
        assert first.fresh
        first.database.touch()
    with DataDirectory(path) as second:
        assert not second.fresh


def test_reset_forgets_what_was_stored(tmp_path: Path) -> None:
    """With reset the database, the key and the logs are gone, and the directory is as new."""
    path = tmp_path / "demo"
    with DataDirectory(path) as first:
        first.database.touch()
        (path / "countersign.key").touch()
        first.log("bot").write_text("old")
    with DataDirectory(path, reset=True) as second:
        assert second.fresh
        assert sorted(entry.name for entry in path.iterdir()) == [".playground", "logs"]
        assert not second.log("bot").exists()


def test_a_database_that_a_bot_has_is_not_deleted(tmp_path: Path) -> None:
    """While a bot has the database open nothing of it is forgotten: whoever wants that is told which process it is."""
    path = tmp_path / "demo"
    with DataDirectory(path) as first:
        first.database.write_text("somebody's")
    with (path / "countersign.db.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        held.write("4711")
        held.flush()
        with pytest.raises(BotAtWork, match=r"process 4711.*--data"), DataDirectory(path, reset=True):
            pass
        assert (path / "countersign.db").read_text() == "somebody's"
    with DataDirectory(path, reset=True) as second:
        assert second.fresh


@pytest.mark.parametrize("reset", [True, False])
def test_a_directory_with_other_files_is_left_alone(tmp_path: Path, reset: bool) -> None:
    """A directory that no playground made is refused, so that a reset never deletes anybody's files."""
    kept = tmp_path / "countersign.db"
    kept.write_text("the real one")
    with pytest.raises(NotOurs, match="--data"), DataDirectory(tmp_path, reset=reset):
        pass
    assert kept.read_text() == "the real one"


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    """A path that is a file is refused in words."""
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(NotOurs, match="it is a file"), DataDirectory(path):
        pass
