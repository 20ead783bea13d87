"""Connecting an account, as its owner reads it."""

from __future__ import annotations

import json

import pytest

from bot.domain.questions import QuestionKind
from bot.runtime.delivery.views import ConnectedView
from bot.slack.views import connect
from tests.contract.test_blocks import accepted
from tests.unit.bot.slack.cases import MARA, TEAM, card_view


@pytest.mark.parametrize(
    ("declined", "told"), [(False, "I asked you about that in another card"), (True, "I do not ask again")]
)
def test_what_waits_without_a_card_of_its_own_says_whether_it_is_still_asked(*, declined: bool, told: str) -> None:
    """While another card asks it points there; after “Not now” it says how the account is connected all the same."""
    shown = connect.card(card_view(kind=QuestionKind.CONNECT, elsewhere=True, declined=declined))
    assert told in shown.text
    assert told in json.dumps(shown.blocks)
    assert "button" not in json.dumps(shown.blocks)


def test_what_waited_is_told_of_only_if_anything_did() -> None:
    """It is said also when nothing waited, so it claims nothing of the kind."""
    view = ConnectedView(
        team=TEAM, reader=MARA, owner=MARA, provider="google", email="mara@fernhill.example", sharing=(), since="1.0"
    )
    shown = connect.connected(view)
    assert "If anything waited for it, that goes on now." in str(shown.blocks)
    assert "What waited" not in str(shown.blocks)
    accepted(shown)
