"""Connecting an account, as its owner reads it."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, ConnectPayload, QuestionKind, QuestionState
from bot.runtime.actions.previews import connect_preview
from bot.runtime.delivery.views import ConnectedView
from bot.slack.views import connect
from integrations.errors import Lack
from tests import builders as make
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


@pytest.mark.parametrize(
    ("why", "label"),
    [(Lack.ACCOUNT, "Connect Google"), (Lack.SCOPE, "Allow more"), (Lack.CREDENTIALS, "Connect Google again")],
)
def test_the_button_of_a_card_does_what_its_title_asks(why: Lack, label: str) -> None:
    """“Allow more with your Google account?” has “Allow more”."""
    payload = ConnectPayload(provider="google", why=why, missing=frozenset(), account="", private=True)
    asked = connect_preview(make.question(kind=QuestionKind.CONNECT, payload=payload), make.action())
    shown = connect.card(card_view(kind=QuestionKind.CONNECT, preview=asked))
    (buttons,) = (cast("Any", block) for block in shown.blocks if block["type"] == "actions")
    assert [one["text"]["text"] for one in buttons["elements"]] == [label, "Not now"]


@pytest.mark.parametrize("scheduled", [True, False])
def test_what_is_only_scheduled_is_not_said_to_be_done(*, scheduled: bool) -> None:
    """The mail's own card says when it leaves."""
    decided = {"state": QuestionState.DECIDED, "decision": Choice.CONNECTED, "outcome": ActionState.COMPLETED}
    shown = connect.card(card_view(kind=QuestionKind.CONNECT, scheduled=scheduled, **decided))
    assert ("It was done." in str(shown.blocks)) is not scheduled


def test_what_waited_is_told_of_only_if_anything_did() -> None:
    """It is said also when nothing waited, so it claims nothing of the kind."""
    view = ConnectedView(
        team=TEAM, reader=MARA, owner=MARA, provider="google", email="mara@fernhill.example", sharing=(), since="1.0"
    )
    shown = connect.connected(view)
    assert "If anything waited for it, that goes on now." in str(shown.blocks)
    assert "What waited" not in str(shown.blocks)
    accepted(shown)
