"""What the manifest suggests, as the scripted model understands it."""

from __future__ import annotations

from typing import Any

import pytest

from playground.gemini.script.reading import MISSED
from playground.slack.manifest import app_manifest
from tests.unit.playground.gemini.conversation import HELEN, PLANNING, UNANSWERED, Conversation

PROMPTS: list[dict[str, str]] = app_manifest()["features"]["agent_view"]["suggested_prompts"]
WAITING, WEEK, ANSWER = (prompt["message"] for prompt in PROMPTS)


def play(text: str, **results: Any) -> tuple[Conversation, str]:
    conversation = Conversation(text=text, results=results)
    return conversation, conversation.run()


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt["title"])
def test_every_prompt_of_the_manifest_is_understood(prompt: dict[str, str]) -> None:
    """No chip of the demo ends in “I do not understand”."""
    assert MISSED not in play(prompt["message"])[1]


def test_mails_that_wait_are_those_of_others() -> None:
    """A thread whose newest mail is the person's own does not wait for them."""
    own = HELEN | {"thread_id": "t-own", "from": "Dana Okafor <dana@fernhill.example>", "subject": "Mine"}
    conversation, answer = play(WAITING, gmail_search={"threads": [own, HELEN]})
    assert conversation.steps == [[("gmail_search", {"query": "in:inbox newer_than:2d", "limit": 10})]]
    assert "Delivery of the benches" in answer
    assert "Mine" not in answer
    assert "No mail of the last 2 days" in play(WAITING, gmail_search={"threads": [own]})[1]


@pytest.mark.parametrize(("start", "said"), [("15:00", "These clash:"), ("15:30", "Nothing clashes.")])
def test_events_that_overlap_are_named(start: str, said: str) -> None:
    """One that begins when another ends does not clash with it."""
    other = PLANNING | {"event_id": "e-2", "title": "Tasting", "start": f"2026-11-25T{start}+00:00"}
    other |= {"end": "2026-11-25T17:00+00:00"}
    answer = play(WEEK, calendar_search={"events": [PLANNING, other]})[1]
    assert said in answer
    assert ("and “Tasting”" in answer) is (said == "These clash:")


def test_the_newest_mail_that_asks_something_is_answered_by_a_draft() -> None:
    """The thread is read first; the answer is a draft in it, and nothing is sent."""
    conversation, answer = play(ANSWER, gmail_thread_read=UNANSWERED)
    assert [name for step in conversation.steps for name, _ in step][-1] == "gmail_draft_create"
    assert conversation.steps[-1][0][1]["thread_id"] == HELEN["thread_id"]
    assert "Thank you for your mail “" in conversation.steps[-1][0][1]["body"]
    assert "Nothing was sent" in answer
