"""Who is inside and who is not."""

from __future__ import annotations

import pytest

from integrations.organisations import outside_of, outsiders


@pytest.mark.parametrize(
    ("account", "outside"),
    [
        ("mara@X.example", ["a@Y.example", "a@mail.x.example", "mara@gmail.com"]),
        ("mara@gmail.com", ["eve@gmail.com", "mara.eve@gmail.com", "mara@gmail.com.example"]),
        ("mara@googlemail.com", ["eve@googlemail.com", "eve@gmail.com"]),
        *((f"mara@{domain}", [f"eve@{domain}"]) for domain in ("yahoo.co.uk", "outlook.com", "live.nl", "gmx.de")),
        *((f"mara@{domain}", [f"eve@{domain}"]) for domain in ("icloud.com", "proton.me", "YAHOO.com.br", "web.de")),
    ],
)
def test_nobody_is_inside_a_public_mail_service(account: str, outside: list[str]) -> None:
    """Colleagues share the organisation's domain; at a mail service everybody else is a stranger."""
    assert outsiders([account, account.upper(), *outside], account) == outside


@pytest.mark.parametrize(
    ("account", "said"),
    [("mara@x.example", "Outside x.example"), ("mara@gmail.com", "Not your own address")],
)
def test_a_card_says_what_they_are_outside_of(account: str, said: str) -> None:
    """A mail service is no place that somebody can be outside of."""
    assert outside_of(account) == said


@pytest.mark.parametrize("variant", ["M.a.r.a@gmail.com", "mara+shop@googlemail.com", "mara@gmail.com"])
def test_the_owners_own_addresses_are_inside(variant: str) -> None:
    """Gmail delivers them to one mailbox."""
    assert outsiders([variant], "mara@gmail.com") == []


@pytest.mark.parametrize("company", ["yahoo-inc.com", "outlookgroup.example", "gmail.com.example", "alive.nl"])
def test_a_company_may_sound_like_a_mail_service(company: str) -> None:
    """Its people are colleagues."""
    assert outsiders([f"eve@{company}"], f"mara@{company}") == []
