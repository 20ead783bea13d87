"""What provenance says of its values as a whole."""

from __future__ import annotations

import pytest

from policies.provenance import Provenance, Reference, Source, Traced
from policies.types import Role

TYPED = Reference(source=Source.MESSAGE, id="msg_1")
MADE = Reference(source=Source.MADE, id="act_1")
NAMED_INSIDE = Traced(role=Role.DESTINATION, value="C1", named_by=(TYPED,), is_inside=True)
UNNAMED_INSIDE = Traced(role=Role.DESTINATION, value="C2", is_inside=True)
UNNAMED_OUTSIDE = Traced(role=Role.DESTINATION, value="eve@evil.example")


@pytest.mark.parametrize(
    ("values", "depends"),
    [
        ((), False),
        ((NAMED_INSIDE,), False),
        ((UNNAMED_OUTSIDE,), False),
        ((UNNAMED_INSIDE,), True),
        ((NAMED_INSIDE, UNNAMED_INSIDE, UNNAMED_OUTSIDE), True),
    ],
)
def test_what_its_run_has_read_counts_only_for_who_is_inside_and_was_not_named(
    values: tuple[Traced, ...], depends: bool
) -> None:
    """Whoever was named may be written to in any case, and whoever is outside is asked about in any case (R6)."""
    assert Provenance(values=values).depends_on_label is depends


@pytest.mark.parametrize(("named_by", "is_made"), [((), False), ((TYPED,), False), ((TYPED, MADE), True)])
def test_a_thing_is_the_agents_if_anything_says_that_it_made_it(named_by: tuple[Reference, ...], is_made: bool) -> None:
    """Its owner may have named it as well."""
    assert Traced(role=Role.OBJECT, value="event:1", named_by=named_by).is_made is is_made
