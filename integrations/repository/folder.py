"""Files and folders below one that was opened, reached by their names and never through a link.

Each name is opened relative to the folder that it stands in (openat), so nothing that is moved or replaced meanwhile
leads elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import BinaryIO, Self

from integrations.repository.errors import Absent, TooLarge, Unreadable
from integrations.text import clean

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""A pipe must not be waited for: it is opened without, and refused then."""

_UPWARD = frozenset({"", ".", ".."})


class Folder:
    """A folder that is open until the block ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: str) -> Self:
        """A folder by its path; links in that are followed, because it is an administrator's. Raises `OSError`."""
        return cls(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def folder(self, name: str) -> Folder:
        """A folder in it. Raises `Absent`, and `Unreadable` for what is none."""
        return Folder(self._opened(name, os.O_DIRECTORY))

    def file(self, path: str) -> BinaryIO:
        """A file in it, or in its folders. Raises as `folder`."""
        *folders, name = path.split("/")
        with contextlib.ExitStack() as stack:
            place = self
            for each in folders:
                place = stack.enter_context(place.folder(each))
            return place._file(name)

    def _file(self, name: str) -> BinaryIO:
        descriptor = self._opened(name, 0)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise Unreadable(f"“{clean(name, 80)}” is no file.")
        return os.fdopen(descriptor, "rb")

    def read(self, path: str, most: int) -> bytes:
        """What a file holds. Raises as `file`, and `TooLarge`."""
        with self.file(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise TooLarge(f"it is larger than {most:,} bytes")
            return file.read(size)

    def names(self) -> list[str]:
        """Of everything in it, in the order of the alphabet."""
        return sorted(os.listdir(self._descriptor))

    def mode(self, name: str) -> int:
        """What it is (`stat`), links not followed; 0 where there is nothing."""
        try:
            return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_mode
        except (OSError, ValueError):
            return 0

    def _opened(self, name: str, flags: int) -> int:
        if name in _UPWARD:
            raise Unreadable(f"“{name}” leads elsewhere.")
        try:
            return os.open(name, _FLAGS | flags, dir_fd=self._descriptor)
        except FileNotFoundError:
            raise Absent(f"There is no “{clean(name, 80)}”.") from None
        except OSError:
            is_link = stat.S_ISLNK(self.mode(name))
            why = "is a link, and links are not followed" if is_link else "cannot be opened"
            raise Unreadable(f"“{clean(name, 80)}” {why}.") from None
