"""Where a folder has its repository, and in which form that keeps its objects (gitrepository-layout(5)).

Of its configuration three values are looked at, and files that it includes are not opened.
"""

from __future__ import annotations

import io
import stat
from collections.abc import Mapping
from contextlib import ExitStack

from dulwich.config import ConfigFile
from dulwich.object_format import ObjectFormat, get_object_format

from integrations.repository.errors import Absent, TooLarge, Unreadable
from integrations.repository.folder import Folder

POINTS_ELSEWHERE = (
    "It is a worktree or a submodule: its repository lies in another folder, which is not followed. Name the "
    "repository itself."
)
NO_REPOSITORY = "This folder holds no Git repository: it has no .git."
UNKNOWN_FORM = "The repository’s configuration cannot be read, or asks for a form that is not known here."
REFTABLE = (
    "The repository keeps its branches in a reftable, which is not read. `git refs migrate --ref-format=files` changes "
    "that."
)

_CONFIG_BYTES = 1_000_000
_FORMATS = range(2)
_PLAIN = frozenset(
    {
        *(b"noop", b"partialclone", b"preciousobjects", b"worktreeconfig", b"relativeworktrees"),
        *(b"compatobjectformat", b"objectformat", b"refstorage"),
    }
)
"""Extensions under which objects and branches lie where they are looked for, or which are looked at here."""


def repository_in(folder: Folder, stack: ExitStack) -> Folder:
    """The folder with HEAD and objects, open until the stack ends. Raises `Unreadable`."""
    git = _found(folder, stack)
    if git.mode("commondir"):
        raise Unreadable(POINTS_ELSEWHERE)
    if not (git.mode("HEAD") and git.mode("objects") and git.mode("refs")):
        raise Unreadable(NO_REPOSITORY)
    return git


def _found(folder: Folder, stack: ExitStack) -> Folder:
    mode = folder.mode(".git")
    if stat.S_ISREG(mode):
        raise Unreadable(POINTS_ELSEWHERE)
    return stack.enter_context(folder.folder(".git")) if mode else folder


def object_format(git: Folder) -> ObjectFormat:
    """The form of its objects: SHA-1, or SHA-256. Raises `Unreadable`."""
    config = _config(git)
    version = _section(config, "core").get(b"repositoryformatversion", b"0")
    extensions = _section(config, "extensions") if version == b"1" else dict[bytes, bytes]()
    if version not in {b"%d" % each for each in _FORMATS} or not extensions.keys() <= _PLAIN:
        raise Unreadable(UNKNOWN_FORM)
    if extensions.get(b"refstorage", b"files").partition(b":")[0] != b"files":
        raise Unreadable(REFTABLE)
    try:
        return get_object_format(extensions.get(b"objectformat", b"sha1").decode(errors="replace"))
    except ValueError:
        raise Unreadable(UNKNOWN_FORM) from None


def _config(git: Folder) -> ConfigFile:
    try:
        data = git.read("config", _CONFIG_BYTES)
    except Absent:
        data = b""
    except TooLarge:
        raise Unreadable(UNKNOWN_FORM) from None
    try:
        return ConfigFile.from_file(io.BytesIO(data), expand_includes=False)
    except ValueError:
        raise Unreadable(UNKNOWN_FORM) from None


def _section(config: ConfigFile, name: str) -> Mapping[bytes, bytes]:
    """Its values by their names in small letters; the last one counts."""
    if not config.has_section((name.encode(),)):
        return {}
    return {key.lower(): value for key, value in config.items(name)}
