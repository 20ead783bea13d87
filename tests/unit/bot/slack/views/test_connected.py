"""That an account was connected, as its owner reads it."""

from __future__ import annotations

from bot.runtime.delivery.views import ConnectedView
from bot.slack.views.connect import connected
from tests.contract.test_blocks import accepted
from tests.unit.bot.slack.cases import MARA, TEAM


def test_what_waited_is_told_of_only_if_anything_did() -> None:
    """It is said also when nothing waited, so it claims nothing of the kind."""
    view = ConnectedView(
        team=TEAM, reader=MARA, owner=MARA, provider="google", email="mara@fernhill.example", sharing=(), since="1.0"
    )
    shown = connected(view)
    assert "If anything waited for it, that goes on now." in str(shown.blocks)
    assert "What waited" not in str(shown.blocks)
    accepted(shown)
