"""The emulator as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from urllib.request import urlopen


def test_it_says_where_it_listens_and_ends_with_its_parent() -> None:
    """One line of JSON on stdout, a healthy answer there, and an end when stdin is closed."""
    command = [sys.executable, "-m", "playground.google", "--die-with-parent"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        ready = json.loads(process.stdout.readline())
        assert ready["ready"] == "google"
        with urlopen(f"{ready['url']}/__admin/health", timeout=60) as answer:
            assert json.load(answer) == {"ok": True}
        process.stdin.close()
        assert process.wait(60) == 0
