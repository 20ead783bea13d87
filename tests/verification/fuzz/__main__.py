"""`make fuzz`: schemathesis against the HTTP API of the real bot; fails with what it found."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path

import click

from tests.verification.benchmarks.peers import NotToBeHad
from tests.verification.fuzz.campaign import fuzz


def main() -> int:
    """The status: 0 where nothing was found, 1 where something was, 2 where it cannot be had."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            verdict = asyncio.run(fuzz(Path(folder), seconds=asked.seconds, seed=asked.seed))
        except NotToBeHad as error:
            click.echo(f"schemathesis cannot be installed here: {error}")
            return 2
    click.echo(verdict.text)
    click.echo(f"{verdict.requests} requests, seed {asked.seed}")
    return 0 if verdict.good else 1


if __name__ == "__main__":
    sys.exit(main())
