"""Which addresses are one mailbox: a rule about one of them holds for all."""

from __future__ import annotations

import pytest

from policies.mailboxes import mailbox_of


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Dana@Acme.com", "dana@acme.com", True),
        ("dana+news@acme.com", "dana@acme.com", True),
        ("dana+a+b@acme.com", "dana@acme.com", True),
        ("d.ana@gmail.com", "dana@googlemail.com", True),
        ('"dana@work"@googlemail.com', '"dana.@work"@gmail.com', True),
        ("d.ana@acme.com", "dana@acme.com", False),
        ("dana@acme.com", "dana@acme.org", False),
        ('"dana@acme.com"@evil.example', "dana@acme.com", False),
        ('"dana@gmail.com+"@evil.example', '"dana@gmail.com"@evil.example', False),
        ("dana@mail.gmail.com", "d.ana@mail.gmail.com", False),
    ],
)
def test_addresses_of_one_mailbox(one: str, other: str, is_same: bool) -> None:
    """Neither case nor what follows a plus counts, nor dots at Google; the domain stands behind the last @."""
    assert (mailbox_of(one) == mailbox_of(other)) is is_same
