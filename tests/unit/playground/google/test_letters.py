"""Mail as bytes, and what is read from them."""

from __future__ import annotations

import pytest

from playground.google.gmail.letters import Letter, text_of_html, with_header, without_header
from playground.google.gmail.mailbox import Mailbox
from playground.google.gmail.payload import LARGEST_INLINE_BYTES, payload
from playground.people import DANA

LONG_ID = f"<{'0102' * 19}-000000@eu-west-1.amazonses.com>"


def letter(text: str) -> Letter:
    return Letter(text.replace("\n", "\r\n").encode())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_bcc_is_taken_out_whole(end: str) -> None:
    """A folded Bcc goes, in any case, and nothing else changes, not even a body that looks like one."""
    raw = end.join(["To: a@b.example", "BCC: c@d.example,", " e@f.example", "Subject: x", "", "Bcc: not a header", ""])
    expected = end.join(["To: a@b.example", "Subject: x", "", "Bcc: not a header", ""])
    assert without_header(raw.encode(), "Bcc").replace(b"\r\n", b"\n") == expected.replace("\r\n", "\n").encode()


def test_a_header_is_put_on_top() -> None:
    """What is added comes first; the rest stays byte for byte."""
    assert with_header(b"To: a@b\r\n\r\nx", "Date", "now") == b"Date: now\r\nTo: a@b\r\n\r\nx"


@pytest.mark.parametrize(
    "subject", ["Re: Oak", "RE: FW: oak", "AW: Sv: Oak", "Fwd:  oak", "re[2]: Oak", "=?utf-8?q?Re=3A_Oak?="]
)
def test_answers_have_the_same_topic(subject: str) -> None:
    """Marks of answering and forwarding do not make another conversation."""
    assert letter(f"Subject: {subject}\n\n").topic == "oak"


def test_names_with_commas() -> None:
    """An encoded name with a comma is one person, and repeated fields count together."""
    mail = letter('To: =?utf-8?q?M=C3=BCller=2C_Anna?= <a@x.example>\nTo: "Doe, Jo" <j@x.example>\nTo: b@x.example\n\n')
    assert [str(address) for address in mail.addresses("To")] == [
        "Müller, Anna <a@x.example>",
        "Doe, Jo <j@x.example>",
        "b@x.example",
    ]


def test_long_ids_are_references() -> None:
    """A folded field of long ids gives each of them."""
    mail = letter(f"References: <a@b>\n {LONG_ID}\nIn-Reply-To: <c@d>\n\n")
    assert mail.references == {"<a@b>", LONG_ID, "<c@d>"}


def test_the_text_of_html() -> None:
    """Blocks become lines; style and script say nothing."""
    assert text_of_html("<style>p{}</style><p>One&nbsp;<b>two</b></p><p>three<br>four</p>") == "One two\nthree\nfour"
    assert text_of_html("<table><tr><td>Weight</td><td>31 kg</td></tr><tr><th>Colour</th></tr></table>") == (
        "Weight 31 kg\nColour"
    )


def test_a_charset_that_does_not_exist() -> None:
    """An unknown charset is read as UTF-8 rather than failing."""
    assert letter("Content-Type: text/plain; charset=klingon\n\nGrüße").text == "Grüße"


def test_broken_mime_is_still_shown() -> None:
    """A multipart that never ends, and a header that is nonsense, still give a tree."""
    mail = letter(
        "Subject: =?x?q?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhello"
    )
    tree = payload(mail, "id-")
    assert tree["parts"][0]["body"]["size"] == 5
    assert mail.text == "hello"


def test_large_bodies_hide_behind_an_id() -> None:
    """A plain text beyond the limit has an attachment id and no data, as Gmail does it."""
    body = payload(letter("\n" + "x" * (LARGEST_INLINE_BYTES + 1)), "id-")["body"]
    assert body.keys() == {"size", "attachmentId"}


def test_a_thread_in_another_mailbox() -> None:
    """Without an asked thread a mail joins the one it answers, if the subject is the same."""
    box = Mailbox(DANA)
    first = box.add(letter(f"Message-ID: {LONG_ID}\nSubject: Oak\n\n"), labels={"INBOX"}, arrived_ms=1)
    answer = f"In-Reply-To: {LONG_ID}\nSubject: Re: Oak\n\n"
    assert box.add(letter(answer), labels={"INBOX"}, arrived_ms=2).thread_id == first.thread_id
    other = answer.replace("Oak", "Larch")
    assert box.add(letter(other), labels={"INBOX"}, arrived_ms=3).thread_id != first.thread_id
