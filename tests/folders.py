"""Where tests keep their files: in memory, as long as there is room, where a commit waits for no disk."""

from __future__ import annotations

import shutil
from pathlib import Path

_MEMORY, _ROOM_BYTES = Path("/dev/shm"), 2 * 1024**3


def in_memory() -> Path | None:
    """A folder in memory, if this machine has one with room in it."""
    return _MEMORY if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM_BYTES else None
