"""The options of `countersign playground`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(".demo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`port` is the page's, 0 takes a free one. `data` is None when scenes play in a directory of their own.

    The emulated world is new at every start, so what the agent stored about an earlier one is deleted; `keep` keeps it.
    """

    port: int = 0
    browser: bool = True
    reset: bool = False
    data: Path | None = None
    scripts: tuple[Path, ...] = ()
    keep: bool = False


def parse(argv: Sequence[str] | None = None) -> Options:
    """The options; argparse ends the process with a usage message for wrong ones."""
    given = _parser().parse_args(argv)
    scripts: tuple[Path, ...] = tuple(given.script or ())
    data: Path | None = given.data
    return Options(
        port=given.port,
        browser=given.browser,
        reset=given.reset or not (scripts or given.keep),
        data=data if data or scripts else DATA,
        scripts=scripts,
        keep=given.keep,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="countersign playground",
        description="Try Countersign in a browser: Slack, Google and Gemini are emulated, nothing to sign up for. "
        "With GEMINI_API_KEY set the real model answers and everything else stays on this machine.",
    )
    parser.add_argument("--port", type=_port, default=0, help="the page's port (default: a free one)")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the page's address")
    parser.add_argument("--reset", action="store_true", help="delete what is in --data (the default without --script)")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"the directory of the agent's data (default: {DATA})")
    parser.add_argument(
        "--script",
        type=Path,
        metavar="FILE",
        nargs="+",
        help="play a scene without a page, print what happened, and end with status 0 only if it went as written; "
        "several are played one after the other; the scripted model answers",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep what the agent stored at an earlier start; with --script: keep the scene's data and say where",
    )
    return parser


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a number from 0 to 65535")
    return int(text)
