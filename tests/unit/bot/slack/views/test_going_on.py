"""The buttons of a request that stopped, and what stands there after a press."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.domain.runs import FollowUp
from bot.runtime.delivery.views import ResumedView
from bot.slack.views import answer, card
from bot.slack.views.blocks import Block
from integrations.base import Field
from tests.unit.bot.slack.cases import MARA, NOW, answer_view, card_view, place, preview

NOTHING_DONE = "Expired: nobody answered in time. Nothing was done."


def offered(offer: FollowUp | None) -> Block:
    """The last block of an answer with this offer."""
    return answer.answer(answer_view(offer=offer))[-1].blocks[-1]


@pytest.mark.parametrize(
    ("offer", "action", "label", "style"),
    [
        (FollowUp.CONTINUE, "run_continue", "Continue", {"style": "primary"}),
        (FollowUp.TRY_AGAIN, "run_try_again", "Try again", {}),
    ],
)
def test_offers(offer: FollowUp, action: str, label: str, style: dict[str, Any]) -> None:
    """The button carries the run's id and nothing else, and only its owner sees it."""
    assert offered(offer) == {
        "type": "actions",
        "block_id": "run:run_1",
        "elements": [
            {
                "type": "button",
                "text": {"type": "plain_text", "text": label, "emoji": False},
                "action_id": action,
                "value": "run_1",
                "visible_to_user_ids": [MARA],
                **style,
            }
        ],
    }


@pytest.mark.parametrize(("asks_again", "label"), [(1, "Ask again"), (2, "Ask all again")])
def test_what_only_asks_again_is_called_that(asks_again: int, label: str) -> None:
    """As the button on the card is, which does the same for its own question."""
    row: Any = answer.answer(answer_view(offer=FollowUp.CONTINUE, asks_again=asks_again))[-1].blocks[-1]
    (button,) = row["elements"]
    assert (button["text"]["text"], button["action_id"]) == (label, "run_continue")


def small(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "plain_text", "text": text, "emoji": False}]}


def test_after_a_press() -> None:
    """A button that was pressed is gone; a line says where it goes on."""
    assert offered(FollowUp.TRIED_AGAIN) == small("Tried again below.")
    assert offered(None)["type"] == "markdown"
    resumed = answer.resumed(ResumedView(place=place(), channel="C0SALES", ts="1.1", text="So far. " * 2_000))
    assert [block["type"] for block in resumed.blocks] == ["markdown", "context"]
    assert resumed.blocks[-1] == small("Continued below.")


def test_an_offer_stands_under_the_last_message() -> None:
    """Of an answer in several messages only the last one carries the button."""
    *before, last = answer.answer(answer_view(text="word " * 5_000, offer=FollowUp.CONTINUE))
    assert before
    assert not any(block["type"] == "actions" for message in before for block in message.blocks)
    assert last.blocks[-1]["type"] == "actions"


def said(**changes: Any) -> tuple[str, bool]:
    """What a card's text says behind its title, and whether it has a button."""
    made = card.card(card_view(**changes))
    return made.text.removeprefix("Send this mail? ").removeprefix("Was this done? "), any(
        block["type"] == "actions" for block in made.blocks
    )


@pytest.mark.parametrize(
    ("changes", "text", "button"),
    [
        ({"outcome": ActionState.EXPIRED, "ask_again": True}, NOTHING_DONE, True),
        ({"outcome": ActionState.EXPIRED}, NOTHING_DONE, False),
        ({"outcome": ActionState.AWAITING}, "Expired, and asked again: see the newer card.", False),
        ({"outcome": ActionState.COMPLETED}, "Expired, and asked again: see the newer card.", False),
        (
            {"outcome": ActionState.UNKNOWN, "kind": QuestionKind.SETTLE, "ask_again": True},
            "Expired: nobody answered in time. ? It may have happened.",
            True,
        ),
        (
            {"outcome": ActionState.UNKNOWN, "copied_at": NOW},
            "Expired: nobody answered in time. ? It may have been done after the copy was made",
            False,
        ),
        (
            {"outcome": ActionState.UNKNOWN, "copied_at": NOW, "newer": ("D0MARA", "1.1")},
            "Expired, and asked again: see the newer card.",
            False,
        ),
        (
            {"state": QuestionState.WITHDRAWN, "outcome": ActionState.REJECTED, "detail": "You replied."},
            "Withdrawn: no answer is needed any more. Nothing was done. You replied.",
            False,
        ),
        ({"state": QuestionState.REPLACED, "outcome": ActionState.PLANNED}, "Changed: see the newer card.", False),
    ],
)  # fmt: skip
def test_final_forms(changes: dict[str, Any], text: str, button: bool) -> None:
    """An expired card offers to ask again while it can, and never claims what it does not know."""
    assert said(**{"state": QuestionState.EXPIRED, **changes}) == (text, button)


APPROVED: dict[str, Any] = {"state": QuestionState.DECIDED, "decision": Choice.APPROVE, "decided_by": "U1"}


def test_an_approved_card_whose_action_is_asked_again_shows_nothing_that_nobody_saw_there() -> None:
    """The action has changed since it was approved: its fields are those of the newer card, to which the old one leads
    whatever comes of it."""
    seen = preview(fields=[Field(label="Subject", value="Hi Helen")])
    for outcome in (ActionState.AWAITING, ActionState.COMPLETED):
        view = card_view(outcome=outcome, asked_again=True, preview=seen, **APPROVED)
        shown = card.card(view, "https://slack.test/newer").blocks
        assert [block["type"] for block in shown] == ["header", "rich_text"]
        assert "Not done, and asked again: see the newer card." in str(shown)
        assert "Done. " not in str(shown)
        assert "https://slack.test/newer" in str(shown)
        assert "Hi Helen" not in str(shown)
    assert "Hi Helen" in str(card.card(card_view(outcome=ActionState.COMPLETED, preview=seen, **APPROVED)).blocks)


def test_an_expired_card_that_was_asked_again_shows_nothing_that_nobody_saw_there() -> None:
    """As what was approved and asked again; one that can still be asked again shows what it asked."""
    seen = preview(fields=[Field(label="Subject", value="Hi Helen")])
    again = card.card(card_view(state=QuestionState.EXPIRED, outcome=ActionState.AWAITING, preview=seen)).blocks
    assert "Hi Helen" not in str(again)
    left = card.card(card_view(state=QuestionState.EXPIRED, outcome=ActionState.EXPIRED, preview=seen)).blocks
    assert "Hi Helen" in str(left)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (None, "that approval does not count any more."),
        ("Hi Ann", "that approval does not count any more. What is struck out was there before."),
    ],
)
def test_a_card_after_an_approval_that_does_not_count_says_why_it_asks(before: str | None, text: str) -> None:
    """With the difference, where there is one; the person's own edits are not spoken of."""
    seen = preview(fields=[Field(label="Subject", value="Hi Helen", before=before)])
    shown = str(card.card(card_view(state=QuestionState.OPEN, lapsed=True, preview=seen)))
    assert f"You approved this before, and it was not done: {text}'" in shown
    assert "You changed this" not in shown
    decided = str(card.card(card_view(outcome=ActionState.COMPLETED, lapsed=True, preview=seen, **APPROVED)).blocks)
    assert "You approved this before" not in decided
    assert ("What is struck out was there before." in decided) is bool(before)


@pytest.mark.parametrize("turn", [{"reader": "U0JONAS"}, {"reader": "U0JONAS", "shown_to": "U0JONAS"}])
def test_a_card_that_its_owner_agreed_to_again_speaks_of_no_earlier_approval(turn: dict[str, str]) -> None:
    """Neither theirs nor that of who has to agree: there is an approval that counts."""
    shown = str(card.card(card_view(state=QuestionState.OPEN, lapsed=True, **turn)).blocks)
    assert "does not count any more" not in shown


def test_a_rejected_card_says_so_once() -> None:
    """Who rejected it stands there, and that nothing was done; not a third time that it was rejected."""
    decided = {"state": QuestionState.DECIDED, "decision": Choice.REJECT, "decided_by": "U1"}
    text, _ = said(outcome=ActionState.REJECTED, detail="Rejected.", **decided)
    assert text.endswith("Nothing was done.")
    assert text.count("ejected") == 1


def test_an_edited_card_says_so() -> None:
    """The card of an edited action shows the difference, and who made it; the old card shows no contents any more."""
    fields = [Field(label="Subject", value="The elm benches", before="The oak benches")]
    shown = str(card.card(card_view(edited=True, preview=preview(fields=fields))).blocks)
    assert "You changed this" in shown
    assert "'strike': True" in shown
    theirs = card.card(card_view(edited=True, shown_to="U0ERIN", reader="U0ERIN", preview=preview(fields=fields)))
    assert "You changed" not in str(theirs.blocks)
    whose = f"'user_id': '{MARA}'}}, {{'type': 'text', 'text': ' changed this. What is struck out was there before.'"
    assert whose in str(theirs.blocks)
    replaced = str(card.card(card_view(state=QuestionState.REPLACED, preview=preview(fields=fields))).blocks)
    assert "benches" not in replaced
