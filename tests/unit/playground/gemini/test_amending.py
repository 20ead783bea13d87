"""Words under a card: the scripted model proposes the same once more, with the change."""

from __future__ import annotations

from typing import Any

import pytest

from playground.gemini.answers import Answer
from tests.unit.playground.gemini.conversation import RESULTS, Conversation

SUPERSEDED = {"code": "superseded_by_reply", "message": "It was not done; what was said follows."}
STEERED = "(The person said this while you were at work. It counts for the request that you are working on.)"


def amended(request: str, *replies: str) -> tuple[Conversation, dict[str, Any]]:
    """The conversation after words under the card, and the arguments of the call that is proposed then."""
    conversation = Conversation(text=request)
    given = looked(conversation)
    for reply in replies:
        conversation.errors = {call.name: SUPERSEDED for call in given.calls}
        conversation.step(given)
        conversation.errors = {}
        conversation.contents.append({"role": "user", "parts": [{"text": STEERED}, {"text": reply}]})
        given = looked(conversation)
    conversation.step(given)
    return conversation, dict(given.calls[0].args)


def looked(conversation: Conversation) -> Answer:
    """The first answer that wants to change something; what only looks is done on the way."""
    given = conversation.answer()
    while given.calls and given.calls[0].name in RESULTS:
        conversation.step(given)
        given = conversation.answer()
    assert given.calls, given.text
    return given


@pytest.mark.parametrize(
    ("said", "reply", "subject", "body"),
    [
        ("the benches are ready", "Make it Tuesday instead", "The benches are ready on Tuesday", ""),
        ("the benches are ready", "Say that they are ready on Tuesday", "They are ready on Tuesday", ""),
        ("the oil is paid", "no, say that it is not paid yet", "It is not paid yet", ""),
        ("we come on Friday", "not Friday, Thursday", "We come on Thursday", ""),
        ("we come on Friday", "Make it Tuesday, please.", "We come on Tuesday", ""),
        ("we come on Friday", "no, Thursday", "We come on Thursday", ""),
        ("we come on Friday", "Thursday instead of Friday", "We come on Thursday", ""),
        ("we come on Friday at 3pm", "make it 4pm", "We come on Friday at 4pm", ""),
        ("we come on Friday at 3pm", "make it Monday at 10:30", "We come on Monday at 10:30", ""),
        ("we come on Friday", "tomorrow instead", "We come tomorrow", ""),
        ("the oak is here", "replace oak with beech", "The beech is here", ""),
        ("the oak is here", "add that it is dry", "The oak is here", "The oak is here. It is dry."),
        ("the oak is here", "subject: News", "News", "The oak is here."),
    ],
)
def test_a_mail_is_proposed_anew_with_the_change(said: str, reply: str, subject: str, body: str) -> None:
    """A day, a time, other words, more words or another subject: the same mail to the same person, with that."""
    conversation, args = amended(f"Let Helen know that {said}", reply)
    assert args == {
        "to": ["helen@marsh.example"],
        "subject": subject,
        "body": f"Hi Helen,\n\n{body or f'{subject}.'}\n\nBest regards,",
    }
    assert "Sent" in conversation.run()


@pytest.mark.parametrize(
    ("reply", "start", "end"),
    [
        ("Make it Tuesday instead", "2026-11-24T15:00", "2026-11-24T15:30"),
        ("not Thursday, Friday", "2026-11-27T15:00", "2026-11-27T15:30"),
        ("at 4pm", "2026-11-26T16:00", "2026-11-26T16:30"),
        ("make it for an hour", "2026-11-26T15:00", "2026-11-26T16:00"),
    ],
)
def test_an_event_is_proposed_at_another_time(reply: str, start: str, end: str) -> None:
    """What was not said of its time stays as it was."""
    _, args = amended("Schedule a call with Helen on Thursday at 3pm", reply)
    assert (args["start"][:16], args["end"][:16]) == (start, end)
    assert args["attendees"] == ["helen@marsh.example"]


def test_changes_add_up() -> None:
    """A second reply changes what the first one made."""
    _, args = amended("Let Helen know that we come on Friday", "make it Tuesday", "at 4pm")
    assert "We come on Tuesday at 4pm." in args["body"]


def test_another_recipient() -> None:
    """The same mail goes to somebody else, whose address is looked up."""
    _, args = amended("Let Helen know that the oak is here", "to Jonas instead")
    assert args["to"] == ["jonas@fernhill.example"]
    assert args["body"].startswith("Hi Jonas,")


@pytest.mark.parametrize("reply", ["never mind", "purple monkey"])
def test_words_that_say_no_change_do_nothing(reply: str) -> None:
    """What was withdrawn stays so, and that is said without the list of everything it can do."""
    conversation = Conversation(text="Let Helen know that the oak is here", errors={"gmail_send": SUPERSEDED})
    for _ in range(2):
        conversation.step(conversation.answer())
    conversation.contents.append({"role": "user", "parts": [{"text": STEERED}, {"text": reply}]})
    given = conversation.answer()
    assert not given.calls
    assert "I can do these" not in given.text


def test_another_request_under_a_card_is_that_request() -> None:
    """What is no change but a request of its own is done."""
    conversation = Conversation(text="Let Helen know that the oak is here", errors={"gmail_send": SUPERSEDED})
    for _ in range(2):
        conversation.step(conversation.answer())
    conversation.contents.append({"role": "user", "parts": [{"text": STEERED}, {"text": "What's on tomorrow?"}]})
    assert [call.name for call in conversation.answer().calls] == ["calendar_search"]


def test_an_address_that_was_asked_for_completes_the_request() -> None:
    """“Give me the address, and I will go on” is true."""
    conversation = Conversation(text="Tell Bruno by mail that the oak is here")
    said = conversation.run()
    later = Conversation(text="Tell Bruno by mail that the oak is here")
    later.contents.append({"role": "model", "parts": [{"text": said}]})
    later.say("his address is <mailto:bruno@example.com|bruno@example.com>")
    (call,) = later.answer().calls
    assert call.name == "gmail_send"
    assert call.args["to"] == ["bruno@example.com"]


def test_what_is_not_understood_gets_one_line() -> None:
    """It names what was missed, and “help”, which lists what is known."""
    said = Conversation(text="purple").run()
    assert "“purple”" in said
    assert "“help”" in said
    assert "\n" not in said
    assert "I can do these" in Conversation(text="help").run()
