"""What a surface takes out of the values it is to show, before it cuts any text of them."""

from __future__ import annotations

from typing import Protocol, TypeVar

T = TypeVar("T")


class Clear(Protocol):
    """Takes secrets out of every text of a view: half of one, which a cut leaves, looks like none."""

    async def __call__(self, view: T, /) -> T:
        """The same view without them."""
        ...


async def as_it_is(view: T) -> T:
    """Where nothing is taken out."""
    return view
