"""The files of one commit: their paths, and what some of them say. The working tree is not looked at."""

from __future__ import annotations

import stat
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from dulwich.objects import S_ISGITLINK, Blob, ObjectID, Tree, TreeEntry

from integrations.repository.errors import Unreadable
from integrations.repository.objects import GitObjects
from integrations.text import clean

MOST_PATHS = 1_000
MOST_DEPTH = 12
MOST_TEXT_BYTES = 16_000
NAME_LENGTH = 200

TOO_MANY = f"It has more than {MOST_PATHS:,} paths: only so many are listed, the upper folders first."
TOO_DEEP = f"Folders more than {MOST_DEPTH} deep are not opened."
SUBMODULES = "Submodules are listed and not opened."


class CommitFiles:
    """Reads the files of a tree; `missing` says in sentences what could not be read."""

    def __init__(self, objects: GitObjects, tree: ObjectID) -> None:
        self._objects = objects
        self.missing: list[str] = []
        self._top = self._entries(tree, "The list of its files")

    def paths(self) -> Sequence[str]:
        """Those of files and folders, the upper ones first; a folder's ends with a slash."""
        found = list(islice(self._walk(), MOST_PATHS + 1))
        if len(found) > MOST_PATHS:
            self._miss(TOO_MANY)
        return found[:MOST_PATHS]

    def text(self, what: str, names: Sequence[bytes]) -> str:
        """What the first of these files says that is there, which is `what` to people; empty where none can be read."""
        entries = {entry.path: entry for entry in self._top}
        entry = next((entries[name] for name in names if name in entries), None)
        if entry is None:
            self._miss(f"There is no {what}.")
        elif not stat.S_ISREG(entry.mode):
            self._miss(f"{what} is a link or a folder, and was not read.")
        else:
            return self._text(what, entry.sha)
        return ""

    def _text(self, what: str, sha: ObjectID) -> str:
        try:
            data = self._objects.read(sha, Blob, what, Blob.as_raw_string)
        except Unreadable as error:
            self._miss(str(error))
            return ""
        begin = data[:MOST_TEXT_BYTES]
        if b"\0" in begin:
            self._miss(f"{what} is no text, and was not read.")
            return ""
        if len(data) > MOST_TEXT_BYTES:
            self._miss(f"{what} has {len(data):,} bytes, of which the first {MOST_TEXT_BYTES:,} were read.")
        return begin.decode("utf-8-sig", errors="replace")

    def _walk(self) -> Iterator[str]:
        waiting = deque([("", self._top, 1)])
        while waiting:
            above, entries, depth = waiting.popleft()
            for entry in entries:
                path = above + clean(entry.path.decode(errors="replace"), NAME_LENGTH)
                yield path + self._mark(entry.mode)
                if stat.S_ISDIR(entry.mode) and self._is_open_to(depth):
                    waiting.append((f"{path}/", self._entries(entry.sha, "A folder in it"), depth + 1))

    def _mark(self, mode: int) -> str:
        """What follows the path of an entry."""
        if S_ISGITLINK(mode):
            self._miss(SUBMODULES)
            return " (submodule)"
        return "/" if stat.S_ISDIR(mode) else " (link)" if stat.S_ISLNK(mode) else ""

    def _is_open_to(self, depth: int) -> bool:
        if depth == MOST_DEPTH:
            self._miss(TOO_DEEP)
        return depth < MOST_DEPTH

    def _entries(self, sha: ObjectID, what: str) -> Sequence[TreeEntry]:
        """Those of a folder; none where it cannot be read."""
        try:
            return self._objects.read(sha, Tree, what, Tree.items)
        except Unreadable as error:
            self._miss(str(error))
            return ()

    def _miss(self, sentence: str) -> None:
        if sentence not in self.missing:
            self.missing.append(sentence)
