"""`make bench`: figures, each beside a floor of the same run. They are printed and never tested: quote the ratios."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Coroutine, Mapping

from tests.verification.benchmarks import google

BENCHES: Mapping[str, Callable[[], Coroutine[None, None, list[str]]]] = {"google": google.bench}


def main() -> None:
    """Run the chosen ones, or all."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.benchmarks")
    options.add_argument("names", nargs="*", choices=[[], *BENCHES], metavar="NAME", help=", ".join(BENCHES))
    names: list[str] = options.parse_args().names or list(BENCHES)
    for name in names:
        print("\n".join([name, *asyncio.run(BENCHES[name]())]))  # noqa: T201  # that is what it is for


if __name__ == "__main__":
    main()
