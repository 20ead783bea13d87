"""The steps of the shipped `reply_polisher`, as the scripted model takes them, and the request that begins it."""

from __future__ import annotations

from bot.agents.library import SHIPPED
from bot.agents.reader import read_file
from bot.runtime.flows.tasks import Outcome, next_task
from playground.gemini.script.polishing import AGENT
from tests.unit.playground.gemini.conversation import TOOLS, Conversation

FLOW = read_file(SHIPPED / "reply_polisher.yaml").definition
GIVEN = {"thread_id": "t-helen", "reply": "yes  thursday\nworks"}


def taken(*done: str) -> Conversation:
    """The step after these, as the model is asked for it."""
    task = next_task(FLOW, GIVEN, [Outcome(output=text, text=text) for text in done])
    assert task is not None
    conversation = Conversation(text=str(task.inputs["query"]), tools=(*TOOLS, "complete_task"))
    conversation.run()
    return conversation


def test_the_thread_is_read() -> None:
    assert taken().steps == [[("gmail_thread_read", {"thread_id": "t-helen"})]]


def test_the_reply_keeps_its_words() -> None:
    conversation = taken("They ask for a day.")
    assert conversation.steps == []
    assert conversation.answer().text == "Yes thursday works."


def test_the_draft_answers_whoever_wrote_last_and_its_id_is_handed_over() -> None:
    read, saved, ended = taken("They ask for a day.", "Yes, Thursday works.").steps
    assert read == [("gmail_thread_read", {"thread_id": "t-helen"})]
    ((name, draft),) = saved
    assert (name, draft["to"], draft["thread_id"]) == ("gmail_draft_create", ["helen@marsh.example"], "t-helen")
    assert draft["subject"] == "Re: Delivery of the benches"
    assert "Yes, Thursday works." in draft["body"]
    ((name, handed),) = ended
    assert name == "complete_task"
    assert handed == {"result": {"text": "Yes, Thursday works.", "draft_id": "d-1", "changes": []}}


def test_a_request_to_polish_a_reply_is_given_to_the_agent() -> None:
    text = "Polish my reply to Helen's mail about the benches: yes thursday works"
    conversation = Conversation(text=text, tools=(*TOOLS, AGENT), results={AGENT: {"output": "Yes."}})
    conversation.run()
    _, ((name, inputs),) = conversation.steps
    assert (name, inputs) == (AGENT, {"thread_id": "t-helen", "reply": "yes thursday works"})
