"""A process as those that read hostile input: it leaves a file when it can answer, and says everything in capitals."""

from __future__ import annotations

import sys
from pathlib import Path

from integrations.isolated.child import serve

if __name__ == "__main__":
    Path("ready").touch()
    serve(str.upper, memory=1_000_000_000, budget=float(sys.argv[1]))
