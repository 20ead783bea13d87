"""The search language and what it finds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from playground.google.gmail.letters import Letter
from playground.google.gmail.mailbox import Mailbox
from playground.google.gmail.query import Every, Some, Term, Without, read_query
from playground.google.gmail.search import Search
from playground.people import DANA

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)

MAIL = """From: Helen Marsh <helen.marsh@marshgardens.example>
To: Dana <dana@fernhill.example>
Cc: Jonas Weber <jonas@fernhill.example>
Subject: Twelve oak benches
Message-ID: <one@marsh>
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=utf-8

The Café opens at ten, on Thursday.
--x
Content-Type: application/pdf
Content-Disposition: attachment; filename="site plan.pdf"

PDF
--x--
"""


def mailbox() -> Mailbox:
    box = Mailbox(DANA)
    arrived = NOW - timedelta(days=3)
    box.own_labels["Label_customers"] = "Customers/New"
    labels = {"INBOX", "UNREAD", "Label_customers"}
    box.add(Letter(MAIL.encode()), labels=labels, arrived_ms=int(arrived.timestamp() * 1000))
    return box


def finds(query: str, box: Mailbox | None = None) -> bool:
    return bool(Search(query, box or mailbox(), NOW).found())


@pytest.mark.parametrize(
    "query",
    [
        "",
        "benches",
        "OAK benches",
        "from:helen",
        "from:helen.marsh@marshgardens.example",
        "from:marshgardens.example",
        'from:"Helen Marsh"',
        "to:dana",
        "to:me",
        "deliveredto:me",
        "after:11/16/2026",
        "to:jonas",
        "cc:jonas",
        "subject:benches",
        "subject:(oak benches)",
        'subject:"oak benches"',
        "in:inbox",
        "in:anywhere",
        "is:unread",
        "has:attachment",
        "filename:pdf",
        "filename:plan",
        "label:customers-new",
        "label:inbox",
        "newer_than:4d",
        "older_than:2d",
        "newer_than:1m",
        "after:2026/11/16",
        "before:2026-11-18",
        f"after:{int((NOW - timedelta(days=3, hours=1)).timestamp())}",
        "rfc822msgid:one@marsh",
        "rfc822msgid:<one@marsh>",
        "larger:100",
        "smaller:1M",
        "cafe",
        '"at ten, on thursday"',
        "from:bruno OR from:helen",
        "{from:bruno from:helen}",
        "from:(bruno OR helen)",
        "(from:helen subject:oak) -from:bruno",
        "-from:bruno",
        "from:helen AND oak",
        "-{from:bruno larch}",
    ],
)
def test_found(query: str) -> None:
    """The query finds the mail."""
    assert finds(query)


@pytest.mark.parametrize(
    "query",
    [
        "bench",
        "larch",
        "from:dana",
        "from:me",
        "cc:me",
        "before:11/16/2026",
        "from:hele",
        "cc:dana",
        'subject:"benches oak"',
        "in:sent",
        "is:read",
        "is:starred",
        "-has:attachment",
        "filename:docx",
        "label:suppliers",
        "newer_than:2d",
        "older_than:4d",
        "older_than:soon",
        "after:2026/11/18",
        "before:2026/11/17",
        "before:2026/13/40",
        "rfc822msgid:two@marsh",
        "larger:1M",
        "smaller:100",
        '"on ten"',
        "from:bruno OR from:olga",
        "-from:helen",
        "-(from:helen subject:oak)",
        "from:helen larch",
    ],
)
def test_not_found(query: str) -> None:
    """The query does not find the mail."""
    assert not finds(query)


def test_dates_are_pacific() -> None:
    """after: and before: mean midnight in California, not where anybody is."""
    box = mailbox()
    stored = next(iter(box.messages.values()))
    pacific_midnight = int(datetime(2026, 11, 17, 8, tzinfo=UTC).timestamp() * 1000)
    for arrived, inside in ((pacific_midnight, True), (pacific_midnight - 1, False)):
        box = Mailbox(DANA)
        box.add(stored.letter, labels={"INBOX"}, arrived_ms=arrived)
        assert finds("after:2026/11/17", box) is inside


def test_trash_and_spam_are_found_only_there() -> None:
    """What is in the trash is found in:trash and in:anywhere, or by its label."""
    box = mailbox()
    box.relabel(next(iter(box.messages)), add={"TRASH"})
    assert not finds("from:helen", box)
    assert finds("in:trash from:helen", box)
    assert finds("in:anywhere", box)
    assert Search("", box, NOW).found(labels=frozenset({"TRASH"}))
    assert Search("", box, NOW).found(spam_and_trash=True)


def test_precedence() -> None:
    """OR binds the two beside it; braces are alternatives; a minus negates what follows it."""
    assert read_query("a OR b c") == Every((Some((Term("", "a"), Term("", "b"))), Term("", "c")))
    assert read_query("{a b}") == Some((Term("", "a"), Term("", "b")))
    assert read_query("-from:(a OR b)") == Without(Some((Term("from", "a"), Term("from", "b"))))


@pytest.mark.parametrize(
    "query", ["(", ")", "}{", "OR", "-", '"open', "from:", "from:(", "a OR", "re: hello", "-(a", "::"]
)
def test_nothing_is_an_error(query: str) -> None:
    """Whatever is typed can be searched."""
    Search(query, mailbox(), NOW).found()
