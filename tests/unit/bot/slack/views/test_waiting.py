"""What waits for an account without a card of its own: a line that says why, and nothing to press."""

from __future__ import annotations

import json

import pytest

from bot.domain.questions import QuestionKind
from bot.slack.views import connect
from tests.unit.bot.slack.cases import card_view


@pytest.mark.parametrize(
    ("declined", "told"), [(False, "I asked you about that in another card"), (True, "I do not ask again")]
)
def test_the_line_says_whether_it_is_still_asked(*, declined: bool, told: str) -> None:
    """While another card asks it points there; after “Not now” it says how the account is connected all the same."""
    shown = connect.card(card_view(kind=QuestionKind.CONNECT, elsewhere=True, declined=declined))
    assert told in shown.text
    assert told in json.dumps(shown.blocks)
    assert "button" not in json.dumps(shown.blocks)
