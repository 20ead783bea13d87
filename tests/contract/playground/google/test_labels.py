"""Labels, archiving and marking as read, as the real client meets them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.playground.google.client import Google, refused
from tests.contract.playground.google.test_gmail import QUESTION, found, newest, users

MODIFY = ["https://www.googleapis.com/auth/gmail.modify"]


@pytest.fixture(autouse=True)
def granted(google: Google) -> None:
    google.admin("grants", {"person": "dana", "scopes": MODIFY})


def modify(google: Google, thread: str, **labels: list[str]) -> Any:
    body = {f"{name}LabelIds": ids for name, ids in labels.items()}
    return users(google).threads().modify(userId="me", id=thread, body=body).execute()


def test_archiving_a_thread(google: Google) -> None:
    """Without INBOX and UNREAD on every message the thread is archived and read, and still found."""
    thread = newest(google, QUESTION)["threadId"]
    shown = modify(google, thread, remove=["INBOX", "UNREAD"])
    assert all("INBOX" not in message["labelIds"] for message in shown["messages"])
    kept = found(google, "from:helen is:read -in:inbox")
    assert thread in {message["threadId"] for message in kept}
    assert found(google, QUESTION) == []


def test_a_label_of_ones_own(google: Google) -> None:
    """A new label is listed as the user's, finds what carries it, and is there once in any spelling."""
    labels = users(google).labels()
    label = labels.create(userId="me", body={"name": "Oak/Benches"}).execute()
    modify(google, newest(google, QUESTION)["threadId"], add=[label["id"]])
    assert len({message["threadId"] for message in found(google, "label:oak-benches")}) == 1
    listed = labels.list(userId="me").execute()["labels"]
    assert [entry["type"] for entry in listed if entry["name"] == "Oak/Benches"] == ["user"]
    assert refused(labels.create(userId="me", body={"name": "oak/benches"}).execute)[0] == 409
    assert refused(labels.create(userId="me", body={"name": "INBOX"}).execute)[0] == 400
    labels.delete(userId="me", id=label["id"]).execute()
    assert label["id"] not in newest(google, QUESTION)["labelIds"]


@pytest.mark.parametrize("label", ["Label_none", "SENT", "DRAFT"])
def test_labels_that_cannot_be(google: Google, label: str) -> None:
    """A label that does not exist, or that is Gmail's to give, is a 400."""
    thread = newest(google, QUESTION)["threadId"]
    assert refused(lambda: modify(google, thread, add=[label])) == (400, "invalidArgument")


def test_many_at_once(google: Google) -> None:
    """batchModify changes all that are there."""
    ids = [message["id"] for message in found(google, "in:inbox")]
    body = {"ids": [*ids, "19ffffffffffffff"], "removeLabelIds": ["UNREAD"]}
    users(google).messages().batchModify(userId="me", body=body).execute()
    assert found(google, "in:inbox is:unread") == []


def test_readonly_may_not(google: Google) -> None:
    """gmail.readonly and gmail.compose change no label."""
    thread = newest(google, QUESTION)["threadId"]
    google.admin("grants", {"person": "dana", "scopes": None})
    assert refused(lambda: modify(google, thread, remove=["UNREAD"])) == (403, "insufficientPermissions")
