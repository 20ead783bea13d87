"""Addresses that look like others."""

from __future__ import annotations

import time

import pytest

from integrations.addresses import script_warnings

ODD = {
    "Punycode": "anna@xn--pple-43d.com",
    "Punycode below": "anna@mail.XN--pple-43d.com",
    "letters of another script": "anna@\u0430pple.com",
    "in front of the @": "\u0430nna@apple.com",
    "between quotation marks": '"\u0430 b"@apple.com',
    "with a colon there": '"\u0430:b"@apple.com',
    "with a mark there": '"\u0430\\" b"@apple.com',
    "with an address there": '"\u0430@dana"@apple.com',
    "before a comment": "x\u0430(c)@apple.com",
    "of one script alone": "\u0438\u0432\u0430\u043d@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
}


@pytest.mark.parametrize("name", ODD)
def test_what_only_looks_like_an_address_is_warned_of(name: str) -> None:
    """Wherever it stands among those that it reaches, as a guest or behind a name, and once."""
    odd = ODD[name]
    shown = [f"dana@fernhill.example\n{odd} (outside)", f"Anna <{odd}>", odd]
    assert script_warnings(shown) == [f"Written in another script, look twice: {odd}"]


@pytest.mark.parametrize("piece", ['"', '\\"', "(", "()", '"a"', "a", "a@", '"@'])
def test_hostile_texts_take_linear_time(piece: str) -> None:
    """Twenty thousand characters of anything take far less than a second."""
    began = time.process_time()
    script_warnings([piece * (20_000 // len(piece))])
    assert time.process_time() - began < 10


def test_what_looks_as_it_is() -> None:
    """Neither names in any script nor other words are addresses."""
    assert (
        script_warnings(["dana@fernhill.example (D\u0430na)", "xn--pple-43d.com", "C0SALES", "a-xn--b@x.example"]) == []
    )
