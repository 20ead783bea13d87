"""The agent's audit log as its own command exports it, kept for the page and for scenes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import cast

Entry = Mapping[str, object]
BEGUN = "run.queued"


class AuditFeed:
    """The lines of `audit export --follow --in-words`, numbered from 1 in the order they came.

    The export may show an entry twice: when it was written, and when it was sealed into the chain. `changed` is called
    with each line's number and entry.
    """

    def __init__(self, changed: Callable[[int, Entry], None]) -> None:
        self._changed = changed
        self._lines: list[Entry] = []

    def hear(self, line: str) -> None:
        """Takes one line of the export; only a JSON object is an entry."""
        try:
            said: object = json.loads(line)
        except ValueError:
            return
        if isinstance(said, dict):
            entry = cast("dict[str, object]", said)
            self._lines.append(entry)
            self._changed(len(self._lines), entry)

    def after(self, number: int) -> list[tuple[int, Entry]]:
        """The lines above `number`, each with its own."""
        first = max(number, 0)
        return list(enumerate(self._lines[first:], start=first + 1))

    def newest(self, count: int) -> list[Entry]:
        """The last `count` entries as they are now, in the order they were written."""
        return list(self._latest().values())[-count:]

    def shown(self, most: int) -> Mapping[str, object]:
        """The last `most` entries, how many there are of all and of each code, and when the first was written. `begun`
        are older ones, with which the runs of those entries began.
        """
        entries = list(self._latest().values())
        older, newest = entries[:-most], entries[-most:]
        runs = {entry.get("run_id") for entry in newest}
        return {
            "entries": newest,
            "begun": [entry for entry in older if entry.get("code") == BEGUN and entry.get("run_id") in runs],
            "count": len(entries),
            "codes": Counter(str(entry.get("code", "")) for entry in entries),
            "first": entries[0].get("at", "") if entries else "",
        }

    def _latest(self) -> Mapping[object, Entry]:
        return {_identity(entry, number): entry for number, entry in self.after(0)}


def _identity(entry: Entry, number: int) -> object:
    """The part of an entry that sealing does not change: its id, else its line."""
    return entry.get("id", f"line {number}")
