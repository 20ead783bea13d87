"""Git repositories for tests, made by dulwich: from the files of one commit, the same each time."""

from __future__ import annotations

import hashlib
import stat
import struct
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from dulwich.object_format import ObjectFormat
from dulwich.objects import Blob, Commit, ObjectID, RawObjectID, ShaFile, Tree
from dulwich.pack import write_pack_index_v2
from dulwich.refs import Ref
from dulwich.repo import Repo

AUTHOR = b"Helen <helen@acme.com>"
AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
SUBMODULE = 0o160000

Files = Mapping[str, "bytes | Link | Submodule | Files"]
"""By name: what a file holds, or the files of a folder."""


class Link(bytes):
    """A symbolic link; the bytes are where it leads."""


class Submodule(bytes):
    """Another repository's commit, by its id."""


def repository(
    folder: Path,
    files: Files | None = None,
    *,
    message: bytes = b"First commit",
    branch: bytes = b"refs/heads/main",
    bare: bool = False,
    packed: bool = False,
    object_format: str = "sha1",
) -> Path:
    """A repository in this new folder; without files it has no commit. Returns the folder that has HEAD."""
    folder.mkdir(parents=True)
    repo = (Repo.init_bare if bare else Repo.init)(folder, object_format=object_format)
    try:
        repo.refs.set_symbolic_ref(Ref(b"HEAD"), Ref(branch))
        if files is not None:
            repo.refs.set_if_equals(Ref(branch), None, committed(repo, files, message=message))
        if packed:
            repo.object_store.pack_loose_objects()
        return Path(repo.controldir())
    finally:
        repo.close()


def committed(repo: Repo, files: Files, *, message: bytes = b"First commit") -> ObjectID:
    """The id of a commit without parents that has these files."""
    commit = Commit()
    commit.tree = _tree(repo, files).get_id(repo.object_format)
    commit.author = commit.committer = AUTHOR
    commit.author_time = commit.commit_time = int(AT.timestamp())
    commit.author_timezone = commit.commit_timezone = 0
    commit.message = message
    return _added(repo, commit)


def packs(git: Path) -> Sequence[Path]:
    """Its packs, without their indexes."""
    return sorted((git / "objects/pack").glob("*.pack"))


def _tree(repo: Repo, files: Files) -> Tree:
    tree = Tree()
    tree.object_format = repo.object_format
    for name, content in files.items():
        mode, sha = _entry(repo, content)
        tree.add(name.encode(errors="surrogateescape"), mode, sha)
    _added(repo, tree)
    return tree


def _entry(repo: Repo, content: bytes | Link | Submodule | Files) -> tuple[int, ObjectID]:
    match content:
        case Submodule():
            return SUBMODULE, ObjectID(content)
        case Link():
            return stat.S_IFLNK, _added(repo, Blob.from_string(content))
        case bytes():
            return stat.S_IFREG | 0o644, _added(repo, Blob.from_string(content))
        case _:
            return stat.S_IFDIR, ObjectID(_tree(repo, content).get_id(repo.object_format))


def _added(repo: Repo, one: ShaFile) -> ObjectID:
    form: ObjectFormat = repo.object_format
    one.object_format = form
    repo.object_store.add_object(one)
    return ObjectID(one.get_id(form))


# By hand, as nobody's Git would write them ---------------------------------------------------------------------------


def raw_object(git: Path, kind: bytes, data: bytes, *, size: int | None = None, sha: str | None = None) -> str:
    """A loose object of any content; `size` and `sha` are what it says of itself. Returns its id."""
    text = b"%s %d\0%s" % (kind, len(data) if size is None else size, data)
    sha = sha or hashlib.sha1(text).hexdigest()
    path = git / "objects" / sha[:2] / sha[2:]
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(text))
    return sha


def raw_commit(git: Path, tree: str) -> str:
    """A commit of a tree, which the branch names from now on. Returns its id."""
    who = b"Helen <helen@acme.com> %d +0000" % AT.timestamp()
    sha = raw_object(git, b"commit", b"tree %s\nauthor %s\ncommitter %s\n\nBy hand\n" % (tree.encode(), who, who))
    (git / "refs/heads/main").write_text(sha)
    return sha


def raw_tree(git: Path, entries: Sequence[tuple[str, bytes, str]]) -> str:
    """A tree of entries: mode in octal digits, name, id. Returns its id."""
    lines = [b"%s %s\0%s" % (mode.encode(), name, bytes.fromhex(sha)) for mode, name, sha in entries]
    return raw_object(git, b"tree", b"".join(lines))


def raw_pack(git: Path, entries: Sequence[tuple[str, int, bytes, bytes]], *, name: str = "pack-x") -> None:
    """A pack of entries, with an index: id, type, what stands between head and data, the data; sizes are the data's."""
    pack, index = bytearray(b"PACK" + struct.pack(">LL", 2, len(entries))), list[tuple[RawObjectID, int, int | None]]()
    for sha, kind, base, data in entries:
        index.append((RawObjectID(bytes.fromhex(sha)), len(pack), 0))
        pack += pack_head(kind, len(data)) + base + zlib.compress(data)
    pack += hashlib.sha1(pack).digest()
    (git / "objects/pack").mkdir(parents=True, exist_ok=True)
    (git / f"objects/pack/{name}.pack").write_bytes(pack)
    with (git / f"objects/pack/{name}.idx").open("wb") as file:
        write_pack_index_v2(file, sorted(index), bytes(pack[-20:]))


def pack_head(kind: int, size: int) -> bytes:
    """What stands before an entry: its type and its size (gitformat-pack(5))."""
    first, size = kind << 4 | size & 0x0F, size >> 4
    return bytes([first | 0x80]) + number(size) if size else bytes([first])


def number(value: int) -> bytes:
    """Of seven bits each, the lowest first."""
    digits = bytearray()
    while True:
        value, digit = value >> 7, value & 0x7F
        digits.append(digit | (0x80 if value else 0))
        if not value:
            return bytes(digits)
