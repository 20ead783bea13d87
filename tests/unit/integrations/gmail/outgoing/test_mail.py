"""Outgoing mail: its bytes, its signature, and when it leaves."""

from __future__ import annotations

import email
import email.policy
import re
from base64 import urlsafe_b64decode
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

import pytest

from integrations.errors import ModelRetry
from integrations.gmail.html.page import text_of_html
from integrations.gmail.mime.addresses import Address, parse_recipient, read_addresses
from integrations.gmail.mime.message import field_texts, parsed
from integrations.gmail.outgoing.attachments import Attachment
from integrations.gmail.outgoing.mail import OutgoingMail, checked_mail, checked_subject, message_id_for
from integrations.gmail.outgoing.send_time import in_words, leaving, moment, roughly
from integrations.gmail.outgoing.signatures import LENGTH, NONE, Signature, signature_of

MARA = Address(email="mara@fernhill.example", name="Lindqvist, Mara")
DANA = Address(email="dana@fernhill.example", name="Дана")
SES_ID = "<0102019a8164cf81-1b2c3d4e-5f60-7182-93a4-b5c6d7e8f901-000000@eu-west-1.amazonses.example>"


def signed_with(html: str, *, name: str = "") -> Signature:
    return signature_of(html, text_of_html(html), name=name)


def outgoing(**more: object) -> OutgoingMail:
    fields: dict[str, Any] = {"sender": MARA, "to": [DANA], "subject": "Oak", "body": "Hello"} | more
    return OutgoingMail(**fields)


def sent(made: OutgoingMail) -> tuple[bytes, EmailMessage]:
    raw = urlsafe_b64decode(made.raw("<cs.1@fernhill.example>"))
    return raw, email.message_from_bytes(raw, policy=email.policy.default)


def test_a_mail_has_text_and_html_and_all_its_heads() -> None:
    """Both alternatives say the same; names of any script and with commas arrive as they are."""
    _, mail = sent(outgoing(cc=[MARA], bcc=[DANA], body="Grüße <b>\n\n  two  spaces"))
    assert mail["From"] == '"Lindqvist, Mara" <mara@fernhill.example>'
    assert (mail["To"], mail["Bcc"]) == ("Дана <dana@fernhill.example>",) * 2
    assert mail["Message-ID"] == "<cs.1@fernhill.example>"
    plain, html = (part.get_content().replace("\r\n", "\n") for part in mail.iter_parts())
    assert plain == "Grüße <b>\n\n  two  spaces\n"
    assert "Grüße &lt;b&gt;<br><br>&nbsp; two&nbsp; spaces" in html


@pytest.mark.parametrize("signature", [NONE, signed_with("<b>Mara</b><br>Fernhill", name="Mara")])
@pytest.mark.parametrize("body", ["Hello", "Grüße <b>", "a = b\r\nFrom here\rto  there\x0b\n\n.", "", " \t", "x" * 200])
def test_the_texts_are_written_as_the_library_of_python_writes_them(body: str, signature: Signature) -> None:
    """They are its bytes, whatever stands in the text, and what parts them can stand in no encoded text."""
    made = outgoing(body=body, signature=signature)
    raw, mail = sent(made)
    boundary = str(mail.get_boundary()).encode()
    assert raw.endswith(b"MIME-Version: 1.0\r\n" + made.text_part().as_bytes())
    assert (raw.count(boundary), boundary[:2]) == (4, b"=_")


def test_google_pitfall_09_long_message_ids_stay_whole() -> None:
    """Forty long references are folded at spaces only, never as encoded words, so that threading holds."""
    references = [SES_ID.replace("0102", f"{n:04}") for n in range(40)]
    raw, mail = sent(outgoing(in_reply_to=SES_ID, references=references))
    assert f"In-Reply-To: {SES_ID}\r\n".encode() in raw
    assert b"=?" not in raw.partition(b"\r\n\r\n")[0].partition(b"References:")[2].partition(b"MIME-Version")[0]
    assert str(mail["References"]).split() == references
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_google_pitfall_14_however_long_a_line_is_the_mail_has_an_html_part_and_short_lines() -> None:
    """However long a line of the text is, the encoded body has lines of at most 76 characters; HTML says the same."""
    for body in ("x" * 5_000, "ü" * 5_000):
        raw, mail = sent(outgoing(body=body))
        lines = raw.partition(b"\r\n\r\n")[2].split(b"\r\n")
        assert max(len(line) for line in lines if not line.startswith(b"Content-")) <= 78
        plain, html = mail.iter_parts()
        assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
        assert (plain.get_content().strip(), body in html.get_content()) == (body, True)


NAMES = [
    "Lindqvist, Mara " + "von und zu " * 7,
    'Grüße, "Мара" (Büro) ' + "東京支店 " * 20,
    "=?utf-8?q?odd?=",
    "x" * 300,
    "O'Neil; a.b",
]


def test_encoded_words_are_as_short_as_they_must_be() -> None:
    """No encoded word of more than 75 characters (RFC 2047 §2), and everything arrives as it was written."""
    subject = "Grüße aus Växjö, 東京支店の件 https://a.example/" + "y" * 90 + "  =?utf-8?q?x?= offer ü" * 12
    people = [Address(email=f"{'u' * 40}{n}@x.example", name=name.strip()) for n, name in enumerate(NAMES)]
    raw, mail = sent(outgoing(subject=subject, to=people))
    assert max(map(len, re.findall(rb"=\?[^ ?]+\?.\?[^?]*\?=", raw))) <= 75
    assert str(mail["Subject"]) == subject
    assert read_addresses(field_texts(parsed(raw), "To")) == people  # `email` itself misreads spaces between words
    assert [to.addr_spec for to in mail["To"].addresses] == [to.email for to in people]
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_a_subject_of_any_length_is_folded() -> None:
    """An answer takes its subject over, however long it is: no line has more than 998 characters (RFC 5322 §2.1.1)."""
    subject = "Re: " + "oak " * 400 + "end"
    raw, mail = sent(outgoing(subject=subject))
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert str(mail["Subject"]) == subject


@pytest.mark.parametrize("subject", ["The family 👩\u200d👩\u200d👧 comes", "می\u200cخواهم", "❤\ufe0f\u200d🔥"])
def test_a_subject_may_have_what_emoji_and_scripts_need(subject: str) -> None:
    assert checked_subject(subject) == subject
    assert str(sent(outgoing(subject=subject))[1]["Subject"]) == subject


@pytest.mark.parametrize(
    "subject",
    [
        "a\r\nBcc: x@y.example",
        "a\nb",
        "a\u2028b",
        "a\x85b",
        "a\u200bb",
        "a\u200db",
        "می\u200c\u200cخواهم",
        "x" * 1_000,
    ],
)
def test_google_pitfall_10_a_subject_that_is_no_header_line_is_asked_back(subject: str) -> None:
    """Line breaks of every kind, invisible characters and endless subjects are refused."""
    with pytest.raises(ModelRetry):
        checked_subject(subject)


def test_a_name_with_a_line_break_never_becomes_a_header() -> None:
    """A name that came from elsewhere and breaks the line is refused, not sent."""
    with pytest.raises(ModelRetry):
        outgoing(to=[Address(email="a@x.example", name="A\r\nBcc: b@x.example")]).raw("<1@x.example>")


def test_a_mail_needs_somebody_and_something() -> None:
    """No recipient, no text or too many recipients are refused before anything is sent."""
    crowd = [Address(email=f"a{n}@x.example") for n in range(101)]
    for wrong in (outgoing(to=[]), outgoing(body=" \n"), outgoing(to=crowd)):
        with pytest.raises(ModelRetry):
            checked_mail(wrong)


def test_the_message_id_comes_from_the_key() -> None:
    """The same key gives the same id, another key another."""
    assert message_id_for("k1", "mara@x.example") == message_id_for("k1", "mara@x.example")
    assert message_id_for("k1", "mara@x.example") != message_id_for("k2", "mara@x.example")


def test_google_pitfall_11_domains_of_any_script_travel_as_idna() -> None:
    """No domain becomes an encoded word, which no server understands; a local part of another script is refused."""
    raw, mail = sent(outgoing(to=[parse_recipient("Anna <anna@bücher.example>")]))
    assert b"To: Anna <anna@xn--bcher-kva.example>\r\n" in raw
    assert mail["To"].addresses[0].addr_spec == "anna@xn--bcher-kva.example"
    with pytest.raises(ModelRetry):
        parse_recipient("josé@bücher.example")


def test_google_pitfall_12_a_comma_in_a_bare_name_makes_no_second_recipient() -> None:
    """ "Doe, Jane <a@x>" is one person and arrives as one; a name alone is asked back."""
    raw, mail = sent(outgoing(to=[parse_recipient("Doe, Jane <jane@x.example>")]))
    assert b'To: "Doe, Jane" <jane@x.example>\r\n' in raw
    assert [address.addr_spec for address in mail["To"].addresses] == ["jane@x.example"]
    with pytest.raises(ModelRetry) as caught:
        parse_recipient("Jane Doe")
    assert 'find_person(name="Jane Doe")' in caught.value.hint
    with pytest.raises(ModelRetry) as caught:
        parse_recipient("<@U024BE7LH>")
    assert 'find_person(name="<@U024BE7LH>")' in caught.value.hint


@pytest.mark.parametrize("name", ["Rechnung März 2026.pdf", "請求書.pdf", 'a "quoted" name.txt', "x" * 140 + ".pdf"])
def test_google_pitfall_13_file_names_of_any_script_arrive(name: str) -> None:
    """Names beyond ASCII travel as RFC 2231 parameters and come out as they went in, beside both texts."""
    raw, mail = sent(outgoing(attachments=[Attachment(name=name, mime_type="application/pdf", data=b"%PDF-1.4\0\xff")]))
    [part] = mail.iter_attachments()
    assert (part.get_filename(), part.get_content_type(), part.get_content()) == (
        name,
        "application/pdf",
        b"%PDF-1.4\0\xff",
    )
    text = mail.get_body(("plain",))
    assert text is not None
    assert text.get_content().strip() == "Hello"
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_an_attached_message_travels_as_a_file() -> None:
    """A message inside a message may not be encoded, so it goes as a file of its own."""
    eml = b"From: a@x.example\r\n\r\n\xff not ascii"
    _, mail = sent(outgoing(attachments=[Attachment(name="note.eml", mime_type="message/rfc822", data=eml)]))
    [part] = mail.iter_attachments()
    assert (part.get_content_type(), part.get_content()) == ("application/octet-stream", eml)


def test_without_a_signature_the_name_stands_below() -> None:
    """Where Gmail's settings have none, the name is put below, unless the text ends with it or with the first name."""
    signature = signed_with("<div> </div>", name="Mara <Lindqvist>")
    _, mail = sent(outgoing(signature=signature, body="Hello\n\nBest regards,\n"))
    plain, html = (part.get_content().replace("\r\n", "\n") for part in mail.iter_parts())
    assert plain == "Hello\n\nBest regards,\nMara <Lindqvist>\n"
    assert '<div dir="ltr">Mara &lt;Lindqvist&gt;</div>' in html
    for body in ("Hello\n\nMara", "Hello\n\n– mara.\n", "Hello\nMara <Lindqvist>"):
        signed = outgoing(signature=signature, body=body)
        assert (signed.text, signature.in_words(body)) == (body, "no")
        assert "signature" not in signed.basis()
    assert signed_with("").text == ""


def test_a_signature_stands_below_once() -> None:
    """Plain text gets it below "-- ", HTML as the settings have it; a text that ends with it gets no second."""
    signature = signed_with("<div>Mara Lindqvist<br><b>Operations</b></div>")
    _, mail = sent(outgoing(signature=signature, body="Hello"))
    plain, html = (part.get_content().replace("\r\n", "\n") for part in mail.iter_parts())
    assert plain == "Hello\n\n-- \nMara Lindqvist\nOperations\n"
    assert "<div>Mara Lindqvist<br><b>Operations</b></div>" in html
    signed = outgoing(signature=signature, body="Hello\n\nMara Lindqvist\nOperations")
    assert signed.text == signed.body
    assert "signature" in outgoing(signature=signature).basis()
    assert "signature" not in signed.basis()


# Signatures --------------------------------------------------------------------------------------------------------


LOGO = '<div><img src="https://x.example/logo.png"></div>'


@pytest.mark.parametrize(
    ("html", "why"),
    [
        (LOGO, "it is a picture"),
        ('<img src="https://x.example/logo.png" alt="Fernhill">', "it is a picture"),
        ("<b>Mara</b>" * LENGTH, "it is too long"),
    ],
)
def test_a_signature_that_is_left_out_is_said_on_the_card(html: str, why: str) -> None:
    """One that is only a picture, or beyond reason: the name takes its place, and the card says why."""
    said = f"; that of your Gmail settings is left out: {why}"
    signed = signed_with(html, name="Mara")
    assert (signed.below("Hello"), signed.in_words("Hello")) == ("Hello\nMara", f"your name, below the text{said}")
    assert signed.in_words("Hello\nMara") == f"no{said}"
    assert signed_with(html).in_words("Hello") == f"no{said}"


def test_a_picture_beside_text_leaves_with_it() -> None:
    """The HTML goes as the settings have it."""
    signed = signed_with(f"{LOGO}<p>Mara Lindqvist</p>", name="Mara")
    assert (signed.text, signed.in_words("Hello"), LOGO in signed.html) == (
        "Mara Lindqvist",
        "yes, below the text",
        True,
    )


def test_no_signature_is_no() -> None:
    """Nothing is said of what there is not."""
    assert NONE.in_words("Hello") == signed_with("<div> </div>").in_words("Hello") == "no"


# When a mail leaves ------------------------------------------------------------------------------------------------


NOW = datetime(2026, 11, 21, 22, tzinfo=UTC)
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "zone", "at", "words"),
    [
        ("2026-11-23T08:00", BERLIN, "2026-11-23T07:00", "Monday 23 November at 08:00 (Europe/Berlin)"),
        ("2026-11-23T08:00", "Asia/Kolkata", "2026-11-23T02:30", "Monday 23 November at 08:00 (Asia/Kolkata)"),
        ("2026-11-23T08:00+01:00", "UTC", "2026-11-23T07:00", "Monday 23 November at 07:00 (UTC)"),
        ("2026-11-23T08:00Z", BERLIN, "2026-11-23T08:00", "Monday 23 November at 09:00 (Europe/Berlin)"),
        ("2027-04-01T09:30", BERLIN, "2027-04-01T07:30", "Thursday 1 April 2027 at 09:30 (Europe/Berlin)"),
    ],
)
def test_a_local_time_is_the_persons_own(text: str, zone: str, at: str, words: str) -> None:
    """Without an offset it is the time of the person's zone; the words name weekday, day, time and zone."""
    found = leaving(text, zone, NOW)
    assert found == datetime.fromisoformat(f"{at}+00:00")
    assert found is not None
    assert in_words(found, zone, NOW) == words


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-11-21T22:59", "That time has passed"),
        ("2026-11-23", "no time of day"),
        ("tomorrow", "no date and time"),
        ("2027-03-28T02:30", "clocks skip"),
        ("2027-10-31T02:30", "show that time twice"),
        ("2028-01-01T08:00", "more than a year"),
        ("9999-12-31T23:59-12:00", "too far away"),
        ("0001-01-01T00:00", "too far away"),
        ("", "no date and time"),
    ],
)
def test_a_moment_that_is_none_is_asked_back(text: str, why: str) -> None:
    """What is over, far away, unreadable, or skipped or doubled by the clocks is refused with the reason."""
    with pytest.raises(ModelRetry, match=why):
        leaving(text, BERLIN, NOW)


def test_a_doubled_time_with_its_offset_is_clear() -> None:
    """The hour that comes twice can be named by its offset."""
    assert moment("2027-10-31T02:30+01:00", BERLIN) == datetime(2027, 10, 31, 1, 30, tzinfo=UTC)


def test_a_caption_never_fails() -> None:
    """A caption says what stands there, whatever it is."""
    assert roughly("2026-11-23T08:00") == "Monday 23 November at 08:00"
    assert roughly("whenever") == "whenever"
