"""Objects of a repository: each is what its id says, and bounded before it is unpacked, however it is kept."""

from __future__ import annotations

import hashlib
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from dulwich.objects import Blob, ObjectID, Tree
from dulwich.pack import OFS_DELTA, REF_DELTA
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from integrations.repository import objects as bounds
from integrations.repository.errors import Unreadable
from integrations.repository.folder import Folder
from integrations.repository.layout import object_format
from integrations.repository.objects import DAMAGED, MOST_BYTES, NOT_HERE, PACKS_TOO_LARGE, TOO_LARGE, GitObjects
from integrations.repository.view import repository
from tests import git_repositories as make

BLOB = Blob.type_num
HUGE = 60_000_000
FILES: make.Files = {"README.md": b"# Website\n" * 50, "AGENT.md": b"Run the tests.\n" * 50, "src": {"app.py": b""}}


@pytest.fixture
def git(tmp_path: Path) -> Path:
    return make.repository(tmp_path / "root/website", FILES)


@pytest.fixture
def objects(git: Path) -> Iterator[GitObjects]:
    with Folder.at(str(git)) as folder, GitObjects(folder, object_format(folder)) as objects:
        yield objects


def blob(objects: GitObjects, sha: str) -> bytes:
    return objects.read(ObjectID(sha.encode()), Blob, "It", Blob.as_raw_string)


def why(objects: GitObjects, sha: str) -> str:
    with pytest.raises(Unreadable, match=r"^It cannot be read: ") as refused:
        blob(objects, sha)
    return str(refused.value).removeprefix("It cannot be read: ").removesuffix(".")


def id_of(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()


# Loose ------------------------------------------------------------------------------------------------------------


def test_what_is_not_there_is_said(objects: GitObjects) -> None:
    """Neither loose nor in a pack, and there is no pack."""
    assert why(objects, "1" * 40) == NOT_HERE


def test_another_kind_is_not_taken(git: Path, objects: GitObjects) -> None:
    """A tree in the place of a file, and a file in the place of a tree."""
    assert why(objects, make.raw_tree(git, [])) == DAMAGED
    sha = make.raw_object(git, b"blob", b"")
    with pytest.raises(Unreadable, match=DAMAGED):
        objects.read(ObjectID(sha.encode()), Tree, "It", Tree.items)


def test_what_is_not_what_its_id_says_is_damaged(git: Path, objects: GitObjects) -> None:
    """A whole object, in the place of another one."""
    assert blob(objects, make.raw_object(git, b"blob", b"some")) == b"some"
    assert why(objects, make.raw_object(git, b"blob", b"other", sha=id_of(b"some"))) == DAMAGED


def test_a_large_object_is_not_unpacked(git: Path, objects: GitObjects) -> None:
    """What it says of its size is enough; it is read up to the limit."""
    assert len(blob(objects, make.raw_object(git, b"blob", bytes(MOST_BYTES)))) == MOST_BYTES
    sha = make.raw_object(git, b"blob", bytes(MOST_BYTES + 1))
    tracemalloc.start()
    try:
        assert why(objects, sha) == TOO_LARGE
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_an_object_that_hides_its_size_is_unpacked_up_to_the_limit(git: Path, objects: GitObjects) -> None:
    """A file of 60 kB that says to have 10 bytes and has 60 MB."""
    sha = make.raw_object(git, b"blob", bytes(HUGE), size=10)
    tracemalloc.start()
    try:
        assert why(objects, sha) == DAMAGED
        assert tracemalloc.get_traced_memory()[1] < 3 * MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [-5, 3, 5])
def test_an_object_of_another_size_is_damaged(git: Path, objects: GitObjects, size: int) -> None:
    """It says more or less than it has; the id is that of what it says."""
    text = b"blob %d\0some" % size
    sha = make.raw_object(git, b"blob", b"some", size=size, sha=hashlib.sha1(text).hexdigest())
    assert why(objects, sha) == DAMAGED


# Packs ------------------------------------------------------------------------------------------------------------


def copied(count: int, times: int) -> bytes:
    """A delta on `count` bytes that repeats them so often."""
    return make.number(count) + make.number(count * times) + bytes([0x90, count]) * times


@pytest.mark.parametrize("kind", [OFS_DELTA, REF_DELTA])
def test_deltas_are_resolved(git: Path, objects: GitObjects, kind: int) -> None:
    """On what lies so many bytes before, and on what has an id."""
    first, second = b"x" * 20, b"x" * 60
    base = id_of(first)
    make.raw_pack(git, [(base, BLOB, b"", first)])
    distance = (git / "objects/pack/pack-x.pack").stat().st_size - 12 - 20
    between = bytes([distance]) if kind == OFS_DELTA else bytes.fromhex(base)
    make.raw_pack(git, [(base, BLOB, b"", first), (id_of(second), kind, between, copied(20, 3))])
    assert (blob(objects, base), blob(objects, id_of(second))) == (first, second)


def test_a_large_packed_object_is_not_unpacked(git: Path, objects: GitObjects, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that says so itself, nor one that a delta makes."""
    first, second = b"x" * 100, b"x" * 300
    base = id_of(first)
    delta = (id_of(second), REF_DELTA, bytes.fromhex(base), copied(100, 3))
    make.raw_pack(git, [(base, BLOB, b"", first), delta])
    monkeypatch.setattr(bounds, "MOST_BYTES", 299)
    assert (blob(objects, base), why(objects, id_of(second))) == (first, TOO_LARGE)
    monkeypatch.setattr(bounds, "MOST_BYTES", 300)
    assert blob(objects, id_of(second)) == second
    monkeypatch.setattr(bounds, "MOST_BYTES", 99)
    assert why(objects, base) == TOO_LARGE


def test_a_delta_that_makes_more_than_it_says_is_damaged(git: Path, objects: GitObjects) -> None:
    """6 kB of it would make 400 MB."""
    first = b"x" * 65_536
    base = id_of(first)
    delta = make.number(65_536) + make.number(100) + b"\x80" * 6_000
    make.raw_pack(git, [(base, BLOB, b"", first), ("1" * 40, REF_DELTA, bytes.fromhex(base), delta)])
    tracemalloc.start()
    try:
        assert why(objects, "1" * 40) == DAMAGED
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("base", ["1" * 40, "2" * 40, "3" * 40], ids=["itself", "each other", "nothing"])
def test_deltas_without_a_base_are_damaged(git: Path, objects: GitObjects, base: str) -> None:
    """On itself, on one that is a delta on it, and on what is not there."""
    delta = copied(20, 3)
    entries = [("1" * 40, REF_DELTA, bytes.fromhex(base), delta), ("2" * 40, REF_DELTA, bytes.fromhex("1" * 40), delta)]
    make.raw_pack(git, entries)
    assert why(objects, "1" * 40) == DAMAGED


def test_a_pack_that_is_not_what_its_index_says_is_damaged(git: Path, objects: GitObjects) -> None:
    """The index of another pack."""
    make.raw_pack(git, [(id_of(b"some"), BLOB, b"", b"some")])
    make.raw_pack(git, [(id_of(b"other"), BLOB, b"", b"other")], name="pack-y")
    shutil.move(git / "objects/pack/pack-y.pack", git / "objects/pack/pack-x.pack")
    assert why(objects, id_of(b"some")) == DAMAGED


def test_packs_are_opened_up_to_a_limit(git: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many, and so many bytes of them; one without its index is not finished yet."""
    for name in ("pack-a", "pack-b"):
        make.raw_pack(git, [(id_of(name.encode()), BLOB, b"", name.encode())], name=name)
    (git / "objects/pack/pack-c.pack").write_bytes(b"")
    sizes = sum(
        file.stat().st_size
        for file in (git / "objects/pack").iterdir()
        if file.stem != "pack-a" or file.suffix == ".idx"
    )
    with Folder.at(str(git)) as folder:
        for most, total, is_read in ((2, sizes, True), (1, sizes, False), (2, sizes - 1, False)):
            monkeypatch.setattr(bounds, "MOST_PACKS", most)
            monkeypatch.setattr(bounds, "MOST_PACKED_BYTES", total)
            with GitObjects(folder, object_format(folder)) as objects:
                if is_read:
                    assert blob(objects, id_of(b"pack-b")) == b"pack-b"
                else:
                    assert why(objects, id_of(b"pack-b")) == PACKS_TOO_LARGE


# Whatever becomes of the files ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings(
    "ignore:unclosed pack index:ResourceWarning"
)  # dulwich leaves a damaged one to the collector
@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_what_is_read_is_what_was_committed(tmp_path: Path, is_packed: bool, data: st.DataObject) -> None:
    """With any byte of any file changed, or the file cut: it is read as it was, or it is said."""
    root = tmp_path / "whole"
    if not root.exists():
        make.repository(root / "website", FILES, packed=is_packed)
    whole = repository(str(root), "website")
    shutil.rmtree(tmp_path / "damaged", ignore_errors=True)
    shutil.copytree(root, tmp_path / "damaged")
    git = tmp_path / "damaged/website/.git"
    paths = sorted(path for path in git.rglob("*") if path.is_file() and not {"hooks", "info"} & set(path.parts))
    path = data.draw(st.sampled_from(paths))
    content, place = path.read_bytes(), data.draw(st.integers(0, 10**6))
    if not content:
        return
    place %= len(content)
    byte = bytes([data.draw(st.integers(0, 255))])
    path.unlink()
    path.write_bytes(content[:place] + (byte + content[place + 1 :] if data.draw(st.booleans()) else b""))
    try:
        seen = repository(str(tmp_path / "damaged"), "website")
    except Unreadable:
        return
    if seen.head == whole.head:
        assert seen.readme in {whole.readme, ""}
        assert seen.agent_md in {whole.agent_md, ""}
        assert set(seen.paths) <= set(whole.paths)
    else:
        assert (seen.head, seen.readme, seen.agent_md) == (None, "", "")


@pytest.mark.parametrize(
    "commit",
    [
        b"",
        b"author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nno tree",
        b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nno committer",
        b"tree ../../../outside\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx",
        b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ncommitter A <a@b> x +0000\n\nx",
    ],
)
def test_a_commit_that_lacks_something_is_said(git: Path, commit: bytes) -> None:
    """Its id is right; what it says is not."""
    (git / "refs/heads/main").write_text(make.raw_object(git, b"commit", commit))
    with pytest.raises(Unreadable, match=f"The commit that is checked out cannot be read: {DAMAGED}"):
        repository(str(git.parents[1]), "website")


@pytest.mark.parametrize("mode", ["7" * 30, "-1", "x", "0"])
def test_a_tree_of_strange_modes_is_said(git: Path, mode: str) -> None:
    """An entry of no kind is listed or said, and raises nothing."""
    make.raw_commit(git, make.raw_tree(git, [(mode, b"AGENT.md", "1" * 40)]))
    seen = repository(str(git.parents[1]), "website")
    said = {"AGENT.md is a link or a folder, and was not read.", f"The list of its files cannot be read: {DAMAGED}."}
    assert said & set(seen.missing)
