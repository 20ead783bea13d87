"""What Slack, Google and Gemini received and answered: one line each in the page's state, the bodies on demand."""

from __future__ import annotations

from collections import OrderedDict

from playground.page.upstream import JsonObject

LINES = 400
"""Newest exchanges that the page lists."""

BODIES = 1_500
"""Newest exchanges whose bodies are kept for reading and searching."""


class Wire:
    """The exchanges of all emulators, by `source:number`."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, JsonObject] = OrderedDict()

    def add(self, source: str, entry: JsonObject) -> None:
        """Add one entry of an emulator's log, unless it is known already."""
        key = f"{source}:{entry.get('n')}"
        self._entries.setdefault(key, {**entry, "source": source, "key": key})
        while len(self._entries) > BODIES:
            self._entries.popitem(last=False)

    def forget(self, source: str) -> None:
        """Drop a source's entries, after a reset or restart of its emulator."""
        for key in [key for key, entry in self._entries.items() if entry["source"] == source]:
            del self._entries[key]

    def lines(self) -> JsonObject:
        """The newest entries without their bodies."""
        newest = sorted(self._entries.values(), key=_moment)[-LINES:]
        return {entry["key"]: _line(entry) for entry in newest}

    def entry(self, key: str) -> JsonObject | None:
        """One entry with its bodies."""
        return self._entries.get(key)


def _moment(entry: JsonObject) -> tuple[str, int]:
    return str(entry.get("at", "")), int(entry.get("n", 0))


LINE_KEYS = ("key", "source", "n", "at", "direction", "method", "path", "status", "note")


def _line(entry: JsonObject) -> JsonObject:
    return {key: entry.get(key) for key in LINE_KEYS}
