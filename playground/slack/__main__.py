"""`python -m playground.slack`."""

from __future__ import annotations

import sys

from playground.serve import run
from playground.slack.emulator import build_watched

if __name__ == "__main__":
    run("slack", build_watched, sys.argv[1:])
