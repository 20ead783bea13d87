"""A secret of ours that a cut would part: it is taken out of a view before its texts are cut."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from bot.redaction import REDACTED, Redactor
from bot.runtime.delivery.views import AnswerView
from bot.slack.connection.secret_filter import SecretFilter
from bot.slack.views import answer, card, everything
from bot.slack.views import blocks as kit
from integrations.base import Field
from integrations.text import one_line
from tests.unit.bot.slack.cases import card_view, preview

KEY = "canary-of-the-model-1d0b-77aa"
CUT_AT = [12, 15, 28]


class Told(list[tuple[str, str]]):
    async def __call__(self, method: str, place: str) -> None:
        self.append((method, place))


def halves(sent: object) -> Sequence[str]:
    """What of the key stands anywhere in it: eight characters from its beginning or its end."""
    text = json.dumps(sent, ensure_ascii=False)
    return [part for part in (KEY[:8], KEY[-8:]) if part in text]


@pytest.mark.parametrize("at", CUT_AT)
async def test_a_secret_where_a_text_is_cut_in_pieces(at: int) -> None:
    """“Show everything” and a message hold a long text in pieces: none has half of a secret, and that is told."""
    told = Told()
    secrets = SecretFilter(Redactor([KEY]), told)
    body = f"{'x' * (kit.PIECE_LIMIT - at)}{KEY} end"
    view = await secrets.view(card_view(preview=preview(fields=[Field(label="Body", value=body, long=True)])))
    shown = [everything.window(view), card.card(view).blocks]
    assert halves(shown) == []
    assert view.preview.fields[0].value.endswith(f"x{REDACTED} end")
    assert told == [("CardView", card_view().place.channel)]


@pytest.mark.parametrize("at", CUT_AT)
async def test_a_secret_where_an_answer_is_cut(at: int) -> None:
    """The messages of a long answer are sent one by one, and nothing sees both halves of what stands between them."""
    text = f"{'x' * (answer.MESSAGE_LIMIT - at)}{KEY} end"
    view = AnswerView(place=card_view().place, text=text, error="", actions=())
    cleared = await SecretFilter(Redactor([KEY])).view(view)
    assert halves([one.blocks for one in answer.answer(view)]) != []
    assert halves([one.blocks for one in answer.answer(cleared)]) == []


async def test_a_view_without_secrets_is_left_as_it_is() -> None:
    """Nothing is copied and nothing is told."""
    told, view = Told(), card_view()
    assert await SecretFilter(Redactor([KEY]), told).view(view) is view
    assert not told


@pytest.mark.parametrize("characters", [40, 44, 57])
async def test_a_secret_that_was_cut_before(characters: int) -> None:
    """A caption was cut where it was made: the beginning of a secret before an ellipsis is none that is sent."""
    said = one_line(f"Searching for “{'q' * 12} {KEY} and more of it”", characters)
    sent = await SecretFilter(Redactor([KEY])).clear("chat.postMessage", {"channel": "D1", "text": said})
    assert str(sent["text"]).endswith(f"{REDACTED}…")
    assert halves(sent) == []


async def test_a_secret_that_our_marks_break() -> None:
    """What is invisible, and the end of a line, are shown as marks: they hide no secret that they stand in."""
    for mark in ("\u200b", "\n", " " * 20, "\n" * 9):
        view = card_view(preview=preview(fields=[Field(label="Subject", value=f"{KEY[:9]}{mark}{KEY[9:]}")]))
        sent = await SecretFilter(Redactor([KEY])).clear("chat.postMessage", {"blocks": card.card(view).blocks})
        assert halves(sent) == [], mark
