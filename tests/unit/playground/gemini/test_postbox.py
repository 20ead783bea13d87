"""Mail beyond sending and answering: addresses, attachments, labels, drafts that change, mails that leave later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.unit.playground.gemini import conversation as canned
from tests.unit.playground.gemini.conversation import TOOLS, Conversation

MORE = ("find_person", "gmail_attachment_read", "gmail_labels", "gmail_draft_update", "gmail_draft_send")
HELEN = "helen@marsh.example"


@pytest.fixture(autouse=True)
def _more_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the further tools answer."""
    thread = canned.RESULTS["gmail_thread_read"]

    def with_attachments(args: Mapping[str, Any]) -> dict[str, Any]:
        read = thread(args)
        read["messages"][0]["attachments"] = [{"id": "m1.a1", "name": "plan.pdf", "type": "application/pdf", "size": 9}]
        read["messages"][1]["draft_id"] = "r1"
        return read

    more: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
        "gmail_thread_read": with_attachments,
        "find_person": lambda args: {"name": "Helen Marsh", "email": HELEN, "known_from": "mail that you got"},
        "gmail_attachment_read": lambda args: {
            "text": '<untrusted source="attachment">plan.pdf\nEight benches</untrusted>'
        },
    }
    monkeypatch.setattr(canned, "RESULTS", {**canned.RESULTS, **more})


def play(text: str) -> tuple[list[tuple[str, dict[str, Any]]], str]:
    """Every call, and the answer."""
    conversation = Conversation(text=text, tools=(*TOOLS, *MORE))
    answer = conversation.run()
    return [call for step in conversation.steps for call in step], answer


@pytest.mark.parametrize(
    "text", ["What is Helen's address?", "find Helen's e-mail address", "what's the mail address of Helen?"]
)
def test_an_address_is_told_with_where_it_is_known_from(text: str) -> None:
    """A name becomes an address, and nothing is sent."""
    calls, answer = play(text)
    assert calls == [("find_person", {"name": "Helen"})]
    assert answer == f"Helen Marsh: {HELEN} (mail that you got)."


def test_what_is_said_of_the_user_is_said_to_them() -> None:
    """Where the person chose between several themselves, they are told so as themselves."""
    chosen = {"find_person": {"name": "Helen", "email": HELEN, "known_from": "the user's choice"}}
    conversation = Conversation(text="What is Helen's address?", tools=(*TOOLS, *MORE), results=chosen)
    assert conversation.run() == f"Helen: {HELEN} (your choice)."


NONE_OF_THESE = {"find_person": {"answer": None, "note": "The person says that it is none of these."}}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("What is Helen's address?", "I know no other Helen."),
        ("What is Helen Marsh's address?", "I know no other Helen Marsh."),
        (
            "mail Helen: hello",
            "I know no other Helen. Give me the address, and I will go on. Nothing was done.",
        ),
    ],
)
def test_where_none_of_the_people_is_meant_nobody_is_named_and_nothing_is_sent(text: str, answer: str) -> None:
    """The person was asked which one they mean, and said that it is none of them."""
    conversation = Conversation(text=text, tools=(*TOOLS, *MORE), results=NONE_OF_THESE)
    assert conversation.run() == answer
    assert len(conversation.steps) == 1


def test_a_name_is_looked_up_with_the_tool_for_it() -> None:
    """Where there is find_person it is asked first; what it refuses is told and nothing is sent."""
    calls, _ = play("send Helen a mail saying that the benches are ready")
    assert [name for name, _ in calls] == ["find_person", "gmail_send"]
    assert calls[1][1]["to"] == [HELEN]
    unknown = {"find_person": {"code": "person_not_found", "message": "Nobody is called Helen."}}
    conversation = Conversation(text="mail Helen: hello", tools=(*TOOLS, *MORE), errors=unknown)
    assert "Nothing was done" in conversation.run()
    assert len(conversation.steps) == 1


@pytest.mark.parametrize(
    ("text", "tool", "more"),
    [
        ("send Helen a mail tomorrow at 8:00 saying that we are late", "gmail_send", {"send_at": "2026-11-22T08:00"}),
        ("Send Helen a mail on Monday at 9am: we are late", "gmail_send", {"send_at": "2026-11-23T09:00"}),
        (
            "send Helen a mail from sales@fernhill.example saying that we are late",
            "gmail_send",
            {"from_address": "sales@fernhill.example"},
        ),
        ("reply to all on Helen's mail that Thursday works", "gmail_reply", {"reply_all": True}),
        ("Answer Helen's mail on Monday at 8:00 saying Thursday works", "gmail_reply", {"send_at": "2026-11-23T08:00"}),
    ],
)
def test_how_a_mail_leaves(text: str, tool: str, more: dict[str, Any]) -> None:
    """When, from which address and to how many is taken from the words before the text, and is no part of it."""
    calls, _ = play(text)
    name, args = calls[-1]
    assert (name, {key: args.get(key) for key in more}) == (tool, more)
    assert "8:00" not in args["body"]
    assert "sales@" not in args["body"]


def test_a_time_in_the_text_is_no_time_to_leave() -> None:
    """What is to be said stays what is said."""
    calls, _ = play("mail Helen: see you on Monday at 8:00")
    assert "send_at" not in calls[-1][1]


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ({"status": "scheduled", "local_time": "Monday 23 November at 09:00"}, "at 09:00, unless it is undone before."),
        ({"status": "not_scheduled_any_more", "outcome": "Undone. Nothing was sent."}, "Undone. Nothing was sent."),
    ],
)
def test_what_leaves_later_is_told_so_that_it_stays_true(
    response: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer is read after the mail left, too: it never says that nothing was sent yet."""

    def sent(args: Mapping[str, Any]) -> dict[str, Any]:
        del args
        return response

    monkeypatch.setattr(canned, "RESULTS", {**canned.RESULTS, "gmail_send": sent})
    _, answer = play("Send Helen a mail on Monday at 9am: we are late")
    assert said in answer
    assert "not sent yet" not in answer


@pytest.mark.parametrize(
    ("text", "change", "said"),
    [
        ("Archive Helen's mail", {"archive": True}, "archived"),
        ("mark Helen's last mail as read", {"read": True}, "marked as read"),
        ("Mark Helen's mail as unread.", {"read": False}, "marked as unread"),
        ("Label Helen's mail Orders", {"add": ["Orders"]}, "labelled “Orders”"),
    ],
)
def test_sorting(text: str, change: dict[str, Any], said: str) -> None:
    """The newest mail of somebody is sorted."""
    calls, answer = play(text)
    assert calls[-1] == ("gmail_labels", {"thread_id": "t-helen", **change})
    assert answer == f"Done: “Delivery of the benches” is {said}."


@pytest.mark.parametrize(
    ("text", "topic", "change"),
    [
        ("archive the newsletter", "newsletter", {"archive": True}),
        ("Please archive the mail about the benches.", "the benches", {"archive": True}),
        ("label the newsletter as Trade press", "newsletter", {"add": ["Trade press"]}),
        ("mark the last newsletter mail as read", "newsletter", {"read": True}),
    ],
)
def test_sorting_by_a_word(text: str, topic: str, change: dict[str, Any]) -> None:
    """A mail may be meant by what it is about; the newest of those in the inbox is sorted."""
    calls, _ = play(text)
    assert calls[0] == ("gmail_search", {"query": f"in:inbox {topic}", "limit": 5})
    assert calls[-1][1] == {"thread_id": calls[-1][1]["thread_id"], **change}


def test_reading_an_attachment() -> None:
    """The newest attachment of somebody's mail. A first line that is its name is not said twice."""
    calls, answer = play("Read the attachment of Helen's mail")
    assert calls[-1] == ("gmail_attachment_read", {"thread_id": "t-helen", "attachment": "m1.a1"})
    assert answer == "“plan.pdf”: Eight benches"


def test_forwarding_an_attachment() -> None:
    """It goes with a new mail, named by thread and place."""
    calls, _ = play("Forward the attachment of Helen's mail to Helen")
    name, args = calls[-1]
    assert (name, args["attachments"], args["to"]) == ("gmail_send", ["t-helen/m1.a1"], [HELEN])


def test_changing_a_draft() -> None:
    """Found by whom it goes to; its text is written anew."""
    calls, answer = play("Change my draft to Helen: say that Friday is better")
    name, args = calls[-1]
    assert (name, args["draft_id"]) == ("gmail_draft_update", "r1")
    assert "Friday is better." in args["body"]
    assert answer == "The draft to Helen is changed. Nothing was sent."


@pytest.mark.parametrize("text", ["send the draft to Helen", "Send my draft for Helen."])
def test_sending_a_draft(text: str) -> None:
    """The draft itself is sent, not written anew."""
    calls, answer = play(text)
    assert calls[-1] == ("gmail_draft_send", {"draft_id": "r1"})
    assert answer == "Sent: the draft to Helen."
