"""The steps of the shipped `reply_polisher`, as the scripted model takes them, and the request that begins it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.agents.library import SHIPPED
from bot.agents.reader import read_file
from bot.runtime.actions.flow_steps import StepOutput
from bot.runtime.flows.tasks import next_task
from playground.gemini.script.polishing import AGENT
from tests.unit.playground.gemini.conversation import TOOLS, Conversation

FLOW = read_file(SHIPPED / "reply_polisher.yaml").definition
GIVEN = {"mail": "Helen's mail about the benches", "reply": "yes  thursday\nworks"}
READ = "Thread t-helen: They ask for a day."


def taken(*done: str, mail: str = GIVEN["mail"], reply: str = GIVEN["reply"], **errors: Any) -> Conversation:
    """The step after these, as the model is asked for it."""
    task = next_task(FLOW, {"mail": mail, "reply": reply}, [StepOutput(output=text, text=text) for text in done])
    assert task is not None
    conversation = Conversation(text=str(task.inputs["query"]), tools=(*TOOLS, "complete_task"), errors=errors)
    conversation.run()
    return conversation


def handed_over(conversation: Conversation) -> Any:
    """What the last step hands over."""
    ((name, handed),) = conversation.steps[-1]
    assert name == "complete_task"
    return handed["result"]


def test_the_thread_is_found_and_read() -> None:
    """Its id comes first, so that the last step knows it."""
    conversation = taken()
    assert conversation.steps == [
        [("gmail_search", {"query": "from:helen benches", "limit": 5})],
        [("gmail_thread_read", {"thread_id": "t-helen"})],
    ]
    assert conversation.answer().text.startswith("Thread t-helen: “Delivery of the benches”")


def test_a_mail_is_found_by_any_words_too() -> None:
    assert taken(mail="the benches").steps[0] == [("gmail_search", {"query": "the benches", "limit": 5})]


def test_where_no_mail_fits_nothing_is_saved() -> None:
    found = taken(mail="the moon")
    assert found.answer().text == "I found no mail for “the moon”."
    conversation = taken(found.answer().text, "Yes, Thursday works.")
    assert [name for step in conversation.steps for name, _ in step] == ["complete_task"]
    assert handed_over(conversation)["draft"] == "Not saved. I found no mail for “the moon”."


def test_a_draft_that_was_rejected_is_not_said_to_be_saved() -> None:
    conversation = taken(READ, "Yes.", gmail_draft_create={"code": "rejected_by_user", "message": ""})
    assert handed_over(conversation)["draft"].startswith("Not saved. I did not save the draft")


@pytest.mark.parametrize(
    ("reply", "polished"),
    [
        ("yes  thursday\nworks", "Hi Helen,\n\nYes thursday works.\n\nBest regards,"),
        ("Dear Helen,\nthursday works. Cheers, Dana", "Dear Helen,\n\nThursday works.\n\nCheers,"),
        ("we did our best", "Hi Helen,\n\nWe did our best.\n\nBest regards,"),
    ],
)
def test_the_reply_keeps_its_words(reply: str, polished: str) -> None:
    """With one greeting and one farewell: the person's own, or the usual ones."""
    found = taken(reply=reply).answer().text
    conversation = taken(found, reply=reply)
    assert conversation.steps == []
    assert conversation.answer().text == polished


def test_the_draft_answers_whoever_wrote_last() -> None:
    """Of the others. Whose it is, and under which subject, is handed over, without its id; and that it follows a mail
    of the person's own.
    """
    conversation = taken(READ, "Yes, Thursday works.")
    read, saved, _ = conversation.steps
    assert read == [("gmail_thread_read", {"thread_id": "t-helen"})]
    ((name, draft),) = saved
    assert (name, draft["to"], draft["thread_id"]) == ("gmail_draft_create", ["helen@marsh.example"], "t-helen")
    assert draft["subject"] == "Re: Delivery of the benches"
    assert draft["body"] == "Yes, Thursday works.", "unchanged"
    assert handed_over(conversation) == {
        "text": "Yes, Thursday works.",
        "draft": "Saved for Helen Marsh under “Re: Delivery of the benches”. It follows your own mail of Fri, the "
        "newest in that thread.",
        "changes": [],
    }


def test_a_request_to_polish_a_reply_is_given_to_the_agent() -> None:
    text = "Polish my reply to Helen's mail about the benches: yes thursday works"
    conversation = Conversation(text=text, tools=(*TOOLS, AGENT), results={AGENT: {"output": "Yes."}})
    conversation.run()
    (((name, inputs),),) = conversation.steps
    assert (name, inputs) == (AGENT, {"mail": "Helen's mail about the benches", "reply": "yes thursday works"})
