"""The collector of cyclic garbage, which stops the whole process while it looks at every object there is.

A bot that is ready has some 300,000 objects, nearly all of them libraries that stay until its end. A look at all of
them takes 0.3 to 0.6 seconds, and comes at whatever moment the counters of CPython say so.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

YOUNGER_LOOKS = 50
"""Looks at the younger objects before one at all. CPython's ten are for programs that make more cycles."""


@contextmanager
def built() -> Generator[None]:
    """What the block makes stays until the process ends: nothing is looked at meanwhile, and what it made never again.

    Cycles that the block made and left are kept, too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], YOUNGER_LOOKS)
        gc.enable()
