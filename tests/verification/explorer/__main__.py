"""`python -m tests.verification.explorer`: the small bound; `--deep`: three disturbances, in a minute or two."""

from __future__ import annotations

import argparse
import sys
import time

from tests.verification.explorer.agreement_out import TO_AGREE_TO
from tests.verification.explorer.conditions_out import HELD
from tests.verification.explorer.runs import Bounds
from tests.verification.explorer.search import Found, Search

SMALL = 1
DEEP = 3
MOST_OF_AGREEMENT = 2


def main() -> int:
    """Search, and say what was seen or found."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.explorer")
    options.add_argument("--deep", action="store_true", help=f"{DEEP} disturbances instead of {SMALL}")
    options.add_argument("--disturbances", type=int, help="any other number")
    chosen = options.parse_args()
    deep = DEEP if chosen.deep else SMALL
    return explore(deep if chosen.disturbances is None else chosen.disturbances)


def explore(disturbances: int) -> int:
    """0 when all holds. Where there are many worlds no way to them is kept: what is found is searched for again."""
    began = time.monotonic()
    try:
        result = Search(disturbances=disturbances, traced=disturbances < DEEP).run()
        held = Search(disturbances=disturbances + 1, bounds=Bounds(HELD, 1, held=True)).run()
        agreed = Search(disturbances=min(disturbances, MOST_OF_AGREEMENT), bounds=TO_AGREE_TO).run()
    except Found as found:
        sys.stdout.write(f"FOUND: {found if found.way else retraced(disturbances)}\n")
        return 1
    sys.stdout.write(
        f"explored {result.worlds:,} states and {result.transitions:,} transitions "
        f"(at most {disturbances} disturbances), {held.worlds:,} states of what is held back, and {agreed.worlds:,} of "
        f"what others have to agree to, in {time.monotonic() - began:.0f} s: "
        "nothing stuck, no second effect, no effect without its approval\n"
    )
    return 0


def retraced(disturbances: int) -> str:
    """The same once more, with the way there."""
    try:
        Search(disturbances=disturbances).run()
    except Found as found:
        return str(found)
    return "and not found again"


if __name__ == "__main__":
    sys.exit(main())
