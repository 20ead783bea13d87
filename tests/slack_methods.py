"""Collects which Web API methods the Slack emulator saw in a test run, so that the manifest can be held against them.

A world that runs the bot against the emulator calls `collect(url)` before it ends. The names go into one file, to which
every test process appends; `SLACK_METHODS_FILE` names another one.
"""

from __future__ import annotations

import json
import os
import tempfile
import urllib.request
from pathlib import Path
from typing import Any, cast


def file() -> Path:
    """Where the names are."""
    named = os.environ.get("SLACK_METHODS_FILE")
    return Path(named) if named else Path(tempfile.gettempdir()) / f"countersign-slack-methods-{os.getuid()}.txt"


def collect(url: str) -> frozenset[str]:
    """Read the emulator's log over HTTP and remember the methods that the bot called; they are returned too."""
    with urllib.request.urlopen(f"{url}/__admin/log", timeout=5) as answer:
        entries: list[dict[str, Any]] = json.load(answer)["entries"]
    return remember(entries)


def remember(entries: list[dict[str, Any]]) -> frozenset[str]:
    """The same for a log that is at hand."""
    paths = [cast("str", entry["path"]) for entry in entries if entry["direction"] == "in"]
    methods = frozenset(path.removeprefix("/api/").partition("?")[0] for path in paths if path.startswith("/api/"))
    if methods:
        with file().open("a") as names:
            names.write("".join(f"{method}\n" for method in sorted(methods)))
    return methods


def seen() -> frozenset[str]:
    """Every method that was remembered."""
    return frozenset(file().read_text().split()) if file().exists() else frozenset()


def forget() -> None:
    """Start afresh."""
    file().unlink(missing_ok=True)
