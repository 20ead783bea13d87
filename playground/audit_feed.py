"""The agent's audit log as its own command exports it, kept for the page and for scenes."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import cast

Entry = Mapping[str, object]
BEGUN = ("run.queued", "run.held")
_IN_A_MESSAGE = "slack:"  # how the source of a run begins that a message in Slack asked for
_WORDS = 300  # characters of what was asked for; the page shows fewer


class AuditFeed:
    """The lines of `audit export --follow --in-words`, numbered from 1 in the order they came.

    The export may show an entry twice: when it was written, and when it was sealed into the chain. `changed` is called
    with each line's number and entry.
    """

    def __init__(self, changed: Callable[[int, Entry], None]) -> None:
        self._changed = changed
        self._lines: list[Entry] = []
        self._asked: dict[str, str] = {}

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

    def wordless(self) -> frozenset[str]:
        """The runs that were asked for elsewhere than in a message, in a window or over HTTP, and whose words were not
        learned yet: the log has none.
        """
        begun = (entry for _, entry in self.after(0) if entry.get("code") in BEGUN)
        return (
            frozenset(str(entry.get("run_id")) for entry in begun if not _is_in_a_message(entry)) - self._asked.keys()
        )

    def learn(self, runs: Iterable[str], asked: Mapping[str, str]) -> None:
        """What was asked for in these runs; of one that is not among `asked` nobody is asked again."""
        self._asked |= {run: asked.get(run, "")[:_WORDS] for run in runs}

    def shown(self, most: int) -> Mapping[str, object]:
        """The last `most` entries, how many there are of all and of each code, and when the first was written. `begun`
        are older ones, with which the runs of those entries began, `asked` what was learned of these runs.
        """
        entries = list(self._latest().values())
        older, newest = entries[:-most], entries[-most:]
        runs = {entry.get("run_id") for entry in newest}
        return {
            "entries": newest,
            "begun": [entry for entry in older if entry.get("code") in BEGUN and entry.get("run_id") in runs],
            "asked": {run: words for run, words in self._asked.items() if run in runs and words},
            "count": len(entries),
            "codes": Counter(str(entry.get("code", "")) for entry in entries),
            "first": entries[0].get("at", "") if entries else "",
        }

    def _latest(self) -> Mapping[object, Entry]:
        return {_identity(entry, number): entry for number, entry in self.after(0)}


def requests_in(listing: str) -> Mapping[str, str]:
    """What was asked for by run, in the lines of `runs list --json`; a line that is none is passed over."""
    asked: dict[str, str] = {}
    for line in listing.splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            said = cast("dict[str, object]", json.loads(line))
            asked[str(said["id"])] = str(said["request"])
    return asked


def _is_in_a_message(entry: Entry) -> bool:
    body = entry.get("body")
    source = cast("dict[str, object]", body).get("source") if isinstance(body, dict) else None
    return str(source).startswith(_IN_A_MESSAGE)


def _identity(entry: Entry, number: int) -> object:
    """The part of an entry that sealing does not change: its id, else its line."""
    return entry.get("id", f"line {number}")
