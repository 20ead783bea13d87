"""For whom a text says something is."""

from __future__ import annotations

from policies.guards.addresses.recipients import Those
from policies.guards.readings import read


def test_one_of_several_is_told_by_name_or_address() -> None:
    """The names of the others do not matter."""
    told, other = read("Tell Dana and Helen").addressed, read("Mail eve@acme.com").addressed
    assert Those(["dana@acme.com"]).has_any_of(told, lambda _: False)
    assert not Those(["luis@acme.com"]).has_any_of(told, lambda _: False)
    assert Those(["luis@acme.com"]).has_any_of(told, lambda called: "helen" in called.words)
    assert Those(["eve@acme.com"]).has_any_of(other, lambda _: False)
