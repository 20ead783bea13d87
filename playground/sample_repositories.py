"""The repositories that plans of the playground can be made from: each folder of samples, as one commit."""

from __future__ import annotations

import shutil
import stat
from datetime import UTC, datetime
from pathlib import Path

from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

SAMPLES = Path(__file__).parent / "repositories"

_BRANCH = Ref(b"refs/heads/main")
_AUTHOR = b"Mara Lindqvist <mara@fernhill.example>"
_AT = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
_MESSAGE = b"How we prepare a visit\n"


def laid_out(folder: Path) -> Path:
    """Each of them in this folder, made anew. Returns the folder."""
    for sample in sorted(SAMPLES.iterdir()):
        _make(folder / sample.name, sample)
    return folder


def _make(place: Path, sample: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    repo = Repo.init(place, default_branch=b"main")
    try:
        repo.refs[_BRANCH] = _commit(repo, _tree(repo, sample))
    finally:
        repo.close()


def _commit(repo: Repo, tree: ObjectID) -> ObjectID:
    made = Commit()
    made.tree, made.message = tree, _MESSAGE
    made.author = made.committer = _AUTHOR
    made.author_time = made.commit_time = int(_AT.timestamp())
    made.author_timezone = made.commit_timezone = 0
    repo.object_store.add_object(made)
    return made.id


def _tree(repo: Repo, folder: Path) -> ObjectID:
    """The id of a folder's tree, which is stored with all that is in it."""
    tree = Tree()
    for path in folder.iterdir():
        if path.is_dir():
            tree.add(path.name.encode(), stat.S_IFDIR, _tree(repo, path))
        else:
            blob = Blob.from_string(path.read_bytes())
            repo.object_store.add_object(blob)
            tree.add(path.name.encode(), stat.S_IFREG | 0o644, blob.id)
    repo.object_store.add_object(tree)
    return tree.id
