"""The playground with stand-ins for its processes; takes the same arguments."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from playground.launch import Playground
from playground.options import parse
from playground.programs import Programs
from playground.terminal import Terminal

STANDIN = str(Path(__file__).with_name("standin.py"))


def main() -> int:
    programs = Programs(
        slack=(STANDIN, "slack"),
        google=(STANDIN, "google"),
        gemini=(STANDIN, "gemini"),
        page=(STANDIN, "page"),
        agent=(STANDIN, "agent"),
    )
    playground = Playground(options=parse(), person=dict(os.environ), programs=programs, terminal=Terminal())
    return asyncio.run(playground.run())


if __name__ == "__main__":
    sys.exit(main())
