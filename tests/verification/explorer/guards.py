"""What the store itself guards, in SQL (`bot/store`): the explorer's stand-ins, so that they can be taken out too."""

from __future__ import annotations


def lease_is_held(held: bool) -> bool:
    """A commit under a lease that was taken over is refused (`leases.hold`)."""
    return held


def row_is_as_read(read: int, attempt: int) -> bool:
    """An action only moves from the attempt that was read (`actions.move`)."""
    return read == attempt
