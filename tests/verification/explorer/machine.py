"""A hypothesis state machine over the real runtime: whatever happens in whatever order, the explored world allows it.

`python -m tests.verification.explorer.machine --examples 2000` takes long and many ways, on SQLite and on a real
PostgreSQL; with `--again FILE` it takes the walk that was kept there.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import structlog
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.postgres import PostgresServer, postgres_server
from tests.verification.explorer.agreeing import Agreeing
from tests.verification.explorer.live.ground import ground
from tests.verification.explorer.rules import Machine
from tests.verification.explorer.walks import Walk, read

KINDS: Mapping[str, type[Machine]] = {kind.__name__: kind for kind in (Machine, Agreeing)}
DATABASES = ("sqlite", "postgresql")
_UNHURRIED = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def explore(
    server: PostgresServer | None,
    *,
    examples: int,
    steps: int = 40,
    number: int | None = None,
    shrink: bool = False,
    kind: type[Machine] = Machine,
) -> None:
    """Take so many ways of so many events, with a `number` the same each time; raises what was found, with the way
    there.
    """
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        database=None,
        deadline=None,
        suppress_health_check=_UNHURRIED,
        print_blob=False,
        phases=[Phase.explicit, Phase.generate, *([Phase.shrink] if shrink else [])],
    )
    with machine_on(server, kind) as machine:
        run_state_machine_as_test(machine if number is None else seed(number)(machine), settings=chosen)


@contextmanager
def machine_on(server: PostgresServer | None, kind: type[Machine] = Machine) -> Generator[type[Machine]]:
    """The machine, with ground for its walks, one after the other: on this server, or on SQLite."""
    with ground(server) as made:
        yield type(kind.__name__, (kind,), {"ground": made})


def again(server: PostgresServer | None, walk: Walk) -> Machine:
    """Take a walk that was kept; raises what is found. The machine, as it is afterwards."""
    random.seed(0)  # as hypothesis does
    with machine_on(server, KINDS[walk.machine]) as kind:
        machine = kind()
        try:
            for name, given in walk.events:
                getattr(machine, name)(**given)
        finally:
            machine.teardown()
    return machine


def main() -> int:
    """Both databases, one after the other; or a walk that was kept."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.explorer.machine")
    options.add_argument("--examples", type=int, default=500, help="ways on each database")
    options.add_argument("--steps", type=int, default=50, help="events on each way, at the most")
    options.add_argument("--database", choices=["both", *DATABASES], default="both")
    options.add_argument("--again", type=Path, metavar="FILE", help="the walk that was kept there")
    chosen = options.parse_args()
    with _quiet():
        _explore_all(chosen)
    return 0


def _explore_all(chosen: argparse.Namespace) -> None:
    walk: Walk | None = read(chosen.again) if chosen.again else None
    wanted: str = walk.database if walk else chosen.database
    for name in (name for name in DATABASES if wanted in {"both", name}):
        with postgres_server() if name == "postgresql" else nullcontext() as server:
            if walk:
                _timed(name, partial(again, server, walk))
            else:
                for kind in KINDS.values():
                    _timed(name, partial(explore, server, examples=chosen.examples, steps=chosen.steps, kind=kind))


@contextmanager
def _quiet() -> Generator[None]:
    """Only what is critical is logged, until the block ends."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**before)


def _timed(name: str, work: Callable[[], object]) -> None:
    began = time.monotonic()
    work()
    for move, count in sorted(Machine.seen.items()):
        sys.stdout.write(f"{count:6} {move}\n")
    sys.stdout.write(f"{name}: no way led out of the explored world, in {time.monotonic() - began:.0f} s\n")


if __name__ == "__main__":
    sys.exit(main())
