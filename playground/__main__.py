"""`python -m playground`: what `countersign playground` starts."""

from __future__ import annotations

import asyncio
import os
import sys

from playground.launch import Playground
from playground.options import parse
from playground.programs import Programs
from playground.terminal import Terminal


def main() -> int:
    playground = Playground(options=parse(), person=dict(os.environ), programs=Programs(), terminal=Terminal())
    return asyncio.run(playground.run())


if __name__ == "__main__":
    sys.exit(main())
