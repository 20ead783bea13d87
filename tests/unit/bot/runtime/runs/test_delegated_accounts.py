"""What App Home says of an account that an administrator's service account acts for."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.connections import DELEGATED
from bot.runtime.delivery.lists import ConnectionLine
from bot.runtime.delivery.queries import Queries
from bot.slack.views.home import home
from tests.builders import DANA, TEAM, person
from tests.stores import opened


@pytest.mark.parametrize(
    ("email", "covered"),
    [
        ("dana@Fernhill.example", True),
        ("dana@sub.fernhill.example", False),
        ("dana@elsewhere.example", False),
        (None, False),
    ],
)
async def test_nobody_of_the_domain_is_asked_to_connect(tmp_path: Path, email: str | None, covered: bool) -> None:
    """The account is listed as the administrator's, with nothing to connect or disconnect; others are offered it."""
    async with opened(tmp_path) as base:
        queries = Queries(
            store=base.store,
            clock=base.clock,
            side_effects_enabled=True,
            accounts_offered=True,
            delegated_domains=frozenset({"fernhill.example"}),
        )
        async with base.store.write() as work:
            await work.users.seen(person(email=email))
        view = await queries.home(TEAM, DANA)
    line = ConnectionLine(provider="google", email=email or "", status=DELEGATED)
    assert view.connections == ([line] if covered else [])
    assert view.accounts_offered is not covered
    shown = str(home(view))
    assert ("used through your administrator" in shown) is covered
    assert ("Connect" in shown.replace("Connections", "")) is not covered
