"""The files of a commit: listed and read up to a limit, and what is not read is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrations.ports import RepositorySummary
from integrations.repository.files import MOST_DEPTH, MOST_PATHS, MOST_TEXT_BYTES, SUBMODULES, TOO_DEEP, TOO_MANY
from integrations.repository.objects import DAMAGED, NOT_HERE, TOO_LARGE
from integrations.repository.view import NO_ISSUES, repository
from tests import git_repositories as make

NEITHER = ["There is no README.", "There is no AGENT.md.", NO_ISSUES]


def seen(tmp_path: Path, files: make.Files) -> RepositorySummary:
    make.repository(tmp_path / "website", files)
    return repository(str(tmp_path), "website")


def by_hand(tmp_path: Path, entries: list[tuple[str, bytes, str]]) -> RepositorySummary:
    git = make.repository(tmp_path / "website", {})
    make.raw_commit(git, make.raw_tree(git, entries))
    return repository(str(tmp_path), "website")


# Paths ------------------------------------------------------------------------------------------------------------


def test_the_upper_folders_come_first(tmp_path: Path) -> None:
    """In Git's order in each folder; links and submodules are marked, and not followed."""
    files: make.Files = {
        "a": {"b": {"c": b""}, "z": b""},
        "link": make.Link(b"/etc/passwd"),
        "sub": make.Submodule(b"1" * 40),
        "z": b"",
    }
    view = seen(tmp_path, files)
    assert view.paths == ["a/", "link (link)", "sub (submodule)", "z", "a/b/", "a/z", "a/b/c"]
    assert view.missing == [SUBMODULES, *NEITHER]


def test_no_more_than_so_many_are_listed(tmp_path: Path) -> None:
    """Up to the limit nothing is said."""
    full: dict[str, bytes] = {f"{n:04}": b"" for n in range(MOST_PATHS)}
    assert seen(tmp_path / "full", full).missing == NEITHER
    view = seen(tmp_path / "over", {**full, "more": b""})
    assert (len(view.paths), view.missing) == (MOST_PATHS, [TOO_MANY, *NEITHER])


def test_no_folder_is_opened_that_lies_too_deep(tmp_path: Path) -> None:
    """It is listed, and its files are not."""
    files: make.Files = {"file": b""}
    for _ in range(MOST_DEPTH - 1):
        files = {"f": files}
    assert seen(tmp_path / "full", files).missing == NEITHER
    view = seen(tmp_path / "over", {"f": files})
    assert (len(view.paths), view.paths[-1], view.missing) == (MOST_DEPTH, "f/" * MOST_DEPTH, [TOO_DEEP, *NEITHER])


def test_one_tree_in_many_places_is_bounded(tmp_path: Path) -> None:
    """Ten folders of ten folders, ten times: ten billion files from eleven objects."""
    git = make.repository(tmp_path / "website", {})
    tree = make.raw_tree(git, [("100644", b"file", make.raw_object(git, b"blob", b""))])
    for _ in range(10):
        tree = make.raw_tree(git, [("40000", b"f%d" % n, tree) for n in range(10)])
    make.raw_commit(git, tree)
    view = repository(str(tmp_path), "website")
    assert (len(view.paths), view.missing) == (MOST_PATHS, [TOO_MANY, *NEITHER])


def test_names_may_be_anything(tmp_path: Path) -> None:
    """Each is one visible line; what climbs or has slashes is text as well, and leads nowhere."""
    blob = make.raw_object(make.repository(tmp_path / "any", {}), b"blob", b"")
    names = [b"..", b"../../etc/passwd", b"/etc", b"a\nb", b"a\x1b[31m\xe2\x80\xae", b"\xff", b"x" * 5_000]
    view = by_hand(tmp_path, [("100644", name, blob) for name in names])
    assert set(view.paths) == {"..", "../../etc/passwd", "/etc", "a b", "a[31m", "\ufffd", "x" * 199 + "…"}


def test_folders_that_cannot_be_read_are_said_once(tmp_path: Path) -> None:
    """What lies elsewhere is listed."""
    view = by_hand(tmp_path, [("40000", b"a", "1" * 40), ("40000", b"b", "2" * 40)])
    assert view.paths == ["a/", "b/"]
    assert view.missing == [f"A folder in it cannot be read: {NOT_HERE}.", *NEITHER]


def test_a_list_of_files_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """The commit is known all the same."""
    git = make.repository(tmp_path / "website", {})
    make.raw_commit(git, "1" * 40)
    view = repository(str(tmp_path), "website")
    assert view.head is not None
    assert view.missing == [f"The list of its files cannot be read: {NOT_HERE}.", *NEITHER]


# Texts ------------------------------------------------------------------------------------------------------------


def test_the_first_readme_counts(tmp_path: Path) -> None:
    """Markdown before others; a mark at the beginning is none of its text."""
    view = seen(tmp_path / "one", {"README": b"plain", "README.rst": b"rst", "README.md": b"\xef\xbb\xbfmd \xff"})
    assert view.readme == "md \ufffd"
    assert seen(tmp_path / "two", {"README": b"plain", "README.rst": b"rst"}).readme == "rst"


def test_a_long_text_is_cut_and_said(tmp_path: Path) -> None:
    """An AGENT.md of 5 MB; one of just the limit is whole."""
    view = seen(tmp_path / "one", {"AGENT.md": b"x" * 5_000_000, "README.md": b"y" * MOST_TEXT_BYTES})
    assert (view.agent_md, view.readme) == ("x" * MOST_TEXT_BYTES, "y" * MOST_TEXT_BYTES)
    assert view.missing == ["AGENT.md has 5,000,000 bytes, of which the first 16,000 were read.", NO_ISSUES]


def test_a_text_that_is_too_large_is_said(tmp_path: Path) -> None:
    """It is not unpacked to cut it."""
    view = seen(tmp_path, {"AGENT.md": bytes(16_000_001), "README.md": b"r"})
    assert (view.agent_md, view.readme) == ("", "r")
    assert view.missing == [f"AGENT.md cannot be read: {TOO_LARGE}.", NO_ISSUES]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (make.Link(b"/etc/passwd"), "AGENT.md is a link or a folder, and was not read."),
        (make.Link(b"README.md"), "AGENT.md is a link or a folder, and was not read."),
        ({"x": b""}, "AGENT.md is a link or a folder, and was not read."),
        (make.Submodule(b"1" * 40), "AGENT.md is a link or a folder, and was not read."),
        (b"PNG\0", "AGENT.md is no text, and was not read."),
    ],
    ids=["link outside", "link", "folder", "submodule", "no text"],
)
def test_what_is_no_text_is_said(tmp_path: Path, content: bytes | make.Files, said: str) -> None:
    """Links are not followed, not even to another file of the commit."""
    view = seen(tmp_path, {"AGENT.md": content, "README.md": b"r"})
    assert (view.agent_md, view.readme) == ("", "r")
    assert said in view.missing


def test_a_damaged_text_is_said(tmp_path: Path) -> None:
    """The others are read."""
    git = make.repository(tmp_path / "website", {"AGENT.md": b"some", "README.md": b"r"})
    sha = make.raw_object(git, b"blob", b"some")
    make.raw_object(git, b"blob", b"other", sha=sha)
    view = repository(str(tmp_path), "website")
    assert (view.agent_md, view.readme) == ("", "r")
    assert view.missing == [f"AGENT.md cannot be read: {DAMAGED}.", NO_ISSUES]
