"""Files that come with a message: what the model is told of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST = 120  # characters of a name
_ID = re.compile(r"F[A-Z0-9]{2,}")
_NO_END = str.maketrans("[]“”", '()""')


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file of Slack's, under the name that its maker chose. By its id tools take it along, with a mail for one."""

    name: str
    id: str = ""

    def __str__(self) -> str:
        """On one line, and the name inside its quotes, so that it reads as nothing that its sender says."""
        known = f", id {self.id}" if _ID.fullmatch(self.id) else ""
        return f"[file attached, not read: “{self._shown()}”{known}]"

    def _shown(self) -> str:
        seen = "".join(char if char.isprintable() else " " for char in self.name)
        line = " ".join(seen.translate(_NO_END).split())
        return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
