"""Folders that were opened: nothing in them leads elsewhere, and nothing is waited for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrations.repository.errors import Absent, TooLarge, Unreadable
from integrations.repository.folder import Folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a file in a folder; beside it lies what must not be read."""
    place = tmp_path / "place"
    (place / "inner").mkdir(parents=True)
    (place / "inner" / "file").write_bytes(b"inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(b"secret")
    return place


@pytest.fixture
def folder(place: Path) -> Iterator[Folder]:
    with Folder.at(str(place)) as folder:
        yield folder


def test_what_lies_in_it_is_read(folder: Folder) -> None:
    """A file in its folders, up to so many bytes."""
    assert folder.read("inner/file", 6) == b"inside"
    with pytest.raises(TooLarge, match="larger than 5 bytes"):
        folder.read("inner/file", 5)
    with folder.folder("inner") as inner:
        assert inner.names() == ["file"]


@pytest.mark.parametrize("path", ["none", "inner/none", "none/file"])
def test_what_is_not_there_is_absent(folder: Folder, path: str) -> None:
    """The file itself, or a folder on the way."""
    with pytest.raises(Absent):
        folder.read(path, 100)


@pytest.mark.parametrize(
    ("link", "to"), [("inner/link", "../../outside/file"), ("link", "../outside"), ("link", "inner")]
)
def test_security_input_39_a_link_is_never_followed(place: Path, folder: Folder, link: str, to: str) -> None:
    """Neither to a file nor to a folder, wherever it leads: it is said that there is one."""
    (place / link).symlink_to(to)
    with pytest.raises(Unreadable, match="“link” is a link, and links are not followed"):
        folder.read(link if link != "link" else "link/file", 100)


def test_a_folder_that_moves_does_not_lead_elsewhere(place: Path, tmp_path: Path) -> None:
    """What was opened stays what it is, also when its name is given to a link."""
    with Folder.at(str(place)) as top, top.folder("inner") as inner:
        (place / "inner").rename(tmp_path / "moved")
        (place / "inner").symlink_to("../outside")
        assert inner.read("file", 100) == b"inside"


@pytest.mark.parametrize("path", ["../outside/file", "inner/../../outside/file", "inner/..", "", "/etc/passwd"])
def test_security_input_39_no_name_leads_out_of_it(folder: Folder, path: str) -> None:
    """Neither upward nor to the root."""
    with pytest.raises(Unreadable, match="leads elsewhere"):
        folder.read(path, 100)
    with pytest.raises(Unreadable, match=r"“\.\.” leads elsewhere"):
        folder.folder("..")


def test_a_pipe_is_no_file(place: Path, folder: Folder) -> None:
    """It is refused at once, although nobody writes to it."""
    os.mkfifo(place / "pipe")
    with pytest.raises(Unreadable, match="“pipe” is no file"):
        folder.read("pipe", 100)


def test_a_folder_is_no_file_and_a_file_no_folder(folder: Folder) -> None:
    """Each is said by its name, and by no path of this machine."""
    with pytest.raises(Unreadable, match="“inner” is no file"):
        folder.read("inner", 100)
    with pytest.raises(Unreadable, match=r"^“file” cannot be opened\.$"):
        folder.read("inner/file/x", 100)
