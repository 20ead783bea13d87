"""`make bench`: figures, each beside a floor of the same run. They are printed and never tested: quote the ratios."""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the chosen ones, or all."""
    try:
        from tests.verification.benchmarks import command  # Ctrl+C may come while all of the bot is imported

        return command.run()
    except KeyboardInterrupt:
        sys.stderr.write("Ended before its end: nothing was kept.\n")
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
