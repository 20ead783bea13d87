"""What an answer adds to the model's words about what was done."""

from __future__ import annotations

import html
import json
from dataclasses import replace

import pytest

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from bot.runtime.texts.inert_markdown import inert
from bot.slack.views import answer
from tests.unit.bot.slack.cases import action_line, answer_view, place

ENDED = [ActionState.COMPLETED, ActionState.FAILED, ActionState.REJECTED]


def shown(text: str, **line: object) -> str:
    made = answer.answer(answer_view(text=text, actions=[action_line(caption="Send the mail", **line)]))
    return json.dumps([message.blocks for message in made], ensure_ascii=False)


@pytest.mark.parametrize("state", ENDED)
def test_what_a_card_tells_is_not_told_again(state: ActionState) -> None:
    """What came of an action stands on its card; the answer beside it has the model's words only."""
    assert "✓" in shown("Done, Mara.", state=ActionState.COMPLETED)
    assert "Send the mail" in shown("Done, Mara.", state=ActionState.FAILED)
    told = shown("Done, Mara.", state=state, on_card=True)
    assert "Done, Mara." in told
    assert not [mark for mark in ("✓", "✗", "–", "Send the mail") if mark in told]


def test_what_nobody_answered_is_told_once() -> None:
    """Where the words name it, whatever card asked about it; where a model wrote them, it has its line."""
    named = "Nobody answered in time, so I stopped here.\n• Send  the mail: not done"
    assert shown(named, state=ActionState.EXPIRED).count("nobody answered") == 0
    assert "– Send the mail: nobody answered in time" in shown("I stopped.", state=ActionState.EXPIRED)


def test_what_is_told_beside_a_card() -> None:
    """That an attempt may have happened; and where the model says nothing, what was done."""
    assert "please look" in shown("Done, Mara.", state=ActionState.FAILED, on_card=True, doubt=True)
    stopped = answer_view(place=place(state=RunState.CANCELLED), text="", actions=[action_line(on_card=True)])
    assert "✓ sent" in json.dumps(answer.answer(stopped)[0].blocks, ensure_ascii=False)


def test_what_was_done_before_a_failure_is_told_once() -> None:
    """With its mark and the way to it; what has no line below stays with the reason of the failure."""
    error = "I stopped.\n• sent\n• sent\n• Label a mail: not done, it failed\n• Send “Tea”: done"
    twice = [action_line(detail="sent"), action_line(detail="sent", caption="Send again")]
    failed = action_line(caption="Label a mail", state=ActionState.FAILED, detail="It is gone.")
    later = action_line(caption="Send “Tea”", detail="Done.", scheduled=True)
    view = answer_view(place=place(state=RunState.FAILED), text="", error=error, actions=[*twice, failed])
    (made,) = answer.answer(view)
    said = json.dumps(made.blocks, ensure_ascii=False)
    assert (said.count("✓ sent"), said.count("• sent")) == (2, 0)
    assert said.count("Label a mail") == 1
    assert "I stopped.\\n• Send “Tea”: done" in said
    (made,) = answer.answer(replace(view, text="So far", actions=[later]))
    said = json.dumps(made.blocks, ensure_ascii=False)
    assert (said.count("→ Send “Tea”: Done."), said.count("• Send “Tea”")) == (1, 0)


def test_a_request_that_is_told_elsewhere_has_no_answer() -> None:
    """It ended without words, and its cards tell what came of it; what has no card is told here."""
    done = answer_view(place=place(state=RunState.COMPLETED), text="")
    assert answer.answer(replace(done, actions=[action_line(on_card=True)])) == []
    (made,) = answer.answer(replace(done, actions=[action_line(on_card=False)]))
    assert "✓ sent" in json.dumps(made.blocks, ensure_ascii=False)


def test_a_notification_reads_as_the_answer_does() -> None:
    """Its text is escaped once: what Slack shows of it are the words themselves."""
    said = "Tea & cake for Helen <helen@marshgardens.example>"
    (made,) = answer.answer(answer_view(text=said))
    assert html.unescape(made.text) == "Tea & cake for Helen <`helen@marshgardens.example`>"
    assert "<" not in made.text
    assert html.unescape(answer.streamed(inert("a < b & c")).text) == "a < b & c"


def test_a_failure_is_a_sentence() -> None:
    """What was to be done, that it failed, and why, in this order."""
    told = shown("I could not.", state=ActionState.FAILED, detail="Only its organizer can.")
    assert "✗ Send the mail: it failed. Only its organizer can." in told


def test_a_reason_that_the_model_gives_is_not_given_again() -> None:
    """In its very words, whatever stands around them; other words may leave something out."""
    reason = {"state": ActionState.FAILED, "detail": "Nobody called “Jo” is in Slack."}
    assert "✗" not in shown("I could not find\nJo: Nobody called “Jo” is in Slack. Nothing was done.", **reason)
    assert "✗" in shown("I could not find Jo.", **reason)
    assert "please look" in shown("Nobody called “Jo” is in Slack.", **reason, doubt=True)


def test_a_limit_is_no_policy() -> None:
    """What a limit had no place for is told as that, and not at all where the model gave the reason."""
    refused = {"state": ActionState.DENIED, "detail": "Nobody was asked.", "beyond_limit": True}
    assert "✗ Send the mail: not done, it is beyond the limit. Nobody was asked." in shown("Done, Mara.", **refused)
    assert "✗" not in shown("I did not send it. Nobody was asked.", **refused)
    assert "policy does not allow it" in shown("Done, Mara.", state=ActionState.DENIED)


def test_what_was_announced_ends_with_what_came_of_it() -> None:
    """While it waits its card tells; then the answer that announced it tells as well, but not one without words."""
    line = {"scheduled": True, "on_card": True, "detail": "Undone. Nothing was sent."}
    assert "Undone" not in shown("It leaves at eight.", **line, waits=True)
    assert "→ Send the mail: Undone. Nothing was sent." in shown("It leaves at eight.", **line)
    assert "→" not in shown("Stopped.\n• Send the mail: undone, nothing was sent", **line)
    done = answer_view(place=place(state=RunState.COMPLETED), text="", actions=[action_line(**line)])
    assert answer.answer(done) == []


def test_what_was_so_already_did_not_fail() -> None:
    told = shown("I looked.", state=ActionState.FAILED, detail="The event is already as you want it.", needless=True)
    assert "– Send the mail: nothing had to be done. The event is already as you want it." in told


def test_what_was_stopped_is_told_once() -> None:
    """The line that names what a stop left undone says all of it."""
    card = {"state": ActionState.CANCELLED, "detail": ""}
    assert "–" not in shown("Stopped.\n• Send the mail: not done", **card)
    assert "– Send the mail: not done" in shown("Stopped.", **card)
