"""The mails that break readers, as Gmail would give them."""

from __future__ import annotations

from typing import Any

from tests.contract.playground.google.client import Google, decoded
from tests.contract.playground.google.test_gmail import users


def whole(google: Google, message: str) -> Any:
    return users(google).messages().get(userId="me", id=message).execute()


def body_of(part: Any) -> str:
    return decoded(part["body"]["data"]).decode()


def attachment(google: Google, message: Any) -> bytes:
    part = message["payload"]["parts"][1]
    got = users(google).messages().attachments()
    return decoded(got.get(userId="me", messageId=message["id"], id=part["body"]["attachmentId"]).execute()["data"])


def test_every_mail_can_be_shown(google: Google) -> None:
    """Whatever is wrong with a mail, it can be shown in every format, and its mailbox as a whole."""
    mails = google.admin("corpus", {"person": "dana"})["mails"]
    assert len(mails) >= 70
    messages = users(google).messages()
    for name, filed in mails.items():
        for form in ("full", "metadata", "minimal", "raw"):
            shown = messages.get(userId="me", id=filed["id"], format=form).execute()
            assert shown["threadId"] == filed["thread_id"], name
    assert len(google.state()["people"]["dana"]["inbox"]) > len(mails)


def test_some_of_them(google: Google) -> None:
    """Only those that are named arrive."""
    mails = google.admin("corpus", {"person": "dana", "only": ["mailing_list", "bounce"]})["mails"]
    assert mails.keys() == {"mailing_list", "bounce"}


def test_what_they_hold(google: Google) -> None:
    """Text is UTF-8 whatever its label says; a large body is an attachment; 5 MB come whole."""
    mails = google.admin("corpus", {"person": "dana"})["mails"]
    shown = {name: whole(google, mails[name]["id"]) for name in ("hidden_html", "large_text_body", "attachment_large")}
    assert "HIDDEN-1" in body_of(shown["hidden_html"]["payload"])
    assert "attachmentId" in shown["large_text_body"]["payload"]["body"]
    assert len(attachment(google, shown["attachment_large"])) == 5 * 1024 * 1024


def test_threads(google: Google) -> None:
    """The long thread has sixty mails, the one with inline replies three."""
    mails = google.admin("corpus", {"person": "dana", "only": ["long_thread", "inline_replies"]})["mails"]
    threads = users(google).threads()
    sizes = {
        name: len(threads.get(userId="me", id=filed["thread_id"], format="minimal").execute()["messages"])
        for name, filed in mails.items()
    }
    assert sizes == {"long_thread": 60, "inline_replies": 3}


def test_a_seeded_pdf_is_one(google: Google) -> None:
    """The demo's PDFs and pictures are real files."""
    message = users(google, "mara").messages().list(userId="me", q="from:bruno filename:pdf").execute()["messages"][0]
    shown = users(google, "mara").messages().get(userId="me", id=message["id"]).execute()
    got = users(google, "mara").messages().attachments()
    number = shown["payload"]["parts"][1]["body"]["attachmentId"]
    data = decoded(got.get(userId="me", messageId=message["id"], id=number).execute()["data"])
    assert data.startswith(b"%PDF-1.4")
    assert data.rstrip().endswith(b"%%EOF")
    start = int(data.rsplit(b"startxref\n", 1)[1].split(b"\n", 1)[0])
    assert data[start:].startswith(b"xref\n")
