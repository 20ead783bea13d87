"""Addresses that look like others."""

from __future__ import annotations

import pytest

from integrations.addresses import script_warnings

ODD = {
    "Punycode": "anna@xn--pple-43d.com",
    "Punycode below": "anna@mail.XN--pple-43d.com",
    "letters of another script": "anna@\u0430pple.com",
    "in front of the @": "\u0430nna@apple.com",
    "of one script alone": "\u0438\u0432\u0430\u043d@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
}


@pytest.mark.parametrize("name", ODD)
def test_what_only_looks_like_an_address_is_warned_of(name: str) -> None:
    """Wherever it stands among those that it reaches, as a guest or behind a name, and once."""
    odd = ODD[name]
    shown = [f"dana@fernhill.example\n{odd} (outside)", f"Anna <{odd}>", odd]
    assert script_warnings(shown) == [f"Written in another script, look twice: {odd}"]


def test_what_looks_as_it_is() -> None:
    """Neither names in any script nor other words are addresses."""
    assert (
        script_warnings(["dana@fernhill.example (D\u0430na)", "xn--pple-43d.com", "C0SALES", "a-xn--b@x.example"]) == []
    )
