"""Letters as bytes."""

from __future__ import annotations

import email
import email.policy
from base64 import urlsafe_b64decode
from email.message import EmailMessage

import pytest

from integrations.errors import ModelRetry
from integrations.gmail.addresses import Address
from integrations.gmail.letters import Letter, checked_letter, checked_subject, message_id_for

MARA = Address(email="mara@fernhill.example", name="Lindqvist, Mara")
DANA = Address(email="dana@fernhill.example", name="Дана")
SES_ID = "<0102019a8164cf81-1b2c3d4e-5f60-7182-93a4-b5c6d7e8f901-000000@eu-west-1.amazonses.example>"


def letter(**more: object) -> Letter:
    fields: dict[str, object] = {"sender": MARA, "to": [DANA], "subject": "Oak", "body": "Hello"} | more
    return Letter(**fields)  # pyright: ignore[reportArgumentType] - a test's short form


def sent(made: Letter) -> tuple[bytes, EmailMessage]:
    raw = urlsafe_b64decode(made.raw("<cs.1@fernhill.example>"))
    return raw, email.message_from_bytes(raw, policy=email.policy.default)


def test_a_letter_has_text_and_html_and_all_its_heads() -> None:
    """Both alternatives say the same; names of any script and with commas arrive as they are."""
    _, mail = sent(letter(cc=[MARA], bcc=[DANA], body="Grüße <b>\n\n  two  spaces"))
    assert mail["From"] == '"Lindqvist, Mara" <mara@fernhill.example>'
    assert (mail["To"], mail["Bcc"]) == ("Дана <dana@fernhill.example>",) * 2
    assert mail["Message-ID"] == "<cs.1@fernhill.example>"
    plain, html = (part.get_content().replace("\r\n", "\n") for part in mail.iter_parts())
    assert plain == "Grüße <b>\n\n  two  spaces\n"
    assert "Grüße &lt;b&gt;<br><br>&nbsp; two&nbsp; spaces" in html


def test_google_pitfall_09_long_message_ids_stay_whole() -> None:
    """Forty long references are folded at spaces only, never as encoded words, so that threading holds."""
    references = [SES_ID.replace("0102", f"{n:04}") for n in range(40)]
    raw, mail = sent(letter(in_reply_to=SES_ID, references=references))
    assert f"In-Reply-To: {SES_ID}\r\n".encode() in raw
    assert b"=?" not in raw.partition(b"\r\n\r\n")[0].partition(b"References:")[2].partition(b"MIME-Version")[0]
    assert str(mail["References"]).split() == references
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_google_pitfall_14_however_long_a_line_is_the_mail_has_an_html_part_and_short_lines() -> None:
    """However long a line of the text is, the encoded body has lines of at most 76 characters."""
    for body in ("x" * 5_000, "ü" * 5_000):
        raw, mail = sent(letter(body=body))
        lines = raw.partition(b"\r\n\r\n")[2].split(b"\r\n")
        assert max(len(line) for line in lines if not line.startswith(b"Content-")) <= 78
        assert next(iter(mail.iter_parts())).get_content().strip() == body


@pytest.mark.parametrize("subject", ["a\r\nBcc: x@y.example", "a\nb", "a\u2028b", "a\x85b", "a\u200bb", "x" * 1_000])
def test_google_pitfall_10_a_subject_that_is_no_header_line_is_asked_back(subject: str) -> None:
    """Line breaks of every kind, invisible characters and endless subjects are refused."""
    with pytest.raises(ModelRetry):
        checked_subject(subject)


def test_a_name_with_a_line_break_never_becomes_a_header() -> None:
    """A name that came from elsewhere and breaks the line is refused, not sent."""
    with pytest.raises(ModelRetry):
        letter(to=[Address(email="a@x.example", name="A\r\nBcc: b@x.example")]).raw("<1@x.example>")


def test_a_letter_needs_somebody_and_something() -> None:
    """No recipient, no text or too many recipients are refused before anything is sent."""
    crowd = [Address(email=f"a{n}@x.example") for n in range(101)]
    for wrong in (letter(to=[]), letter(body=" \n"), letter(to=crowd)):
        with pytest.raises(ModelRetry):
            checked_letter(wrong)


def test_the_message_id_comes_from_the_key() -> None:
    """The same key gives the same id, another key another."""
    assert message_id_for("k1", "mara@x.example") == message_id_for("k1", "mara@x.example")
    assert message_id_for("k1", "mara@x.example") != message_id_for("k2", "mara@x.example")
