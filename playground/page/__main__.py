"""`python -m playground.page --slack URL --google URL [--gemini URL] --supervisor URL [--port N]`.

Without `--gemini` the real model answers, and the wire shows Slack and Google only.
"""

from __future__ import annotations

import argparse

from playground.page.app import build
from playground.serve import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m playground.page", add_help=False)
    for name in ("slack", "google", "gemini", "supervisor"):
        parser.add_argument(f"--{name}", required=name != "gemini", metavar="URL")
    known, rest = parser.parse_known_args()
    addresses: dict[str, str | None] = vars(known)
    run("page", lambda: build({name: url for name, url in addresses.items() if url}), rest)


if __name__ == "__main__":
    main()
