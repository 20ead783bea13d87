"""The text of a message: which of its parts is read."""

from __future__ import annotations

import pytest

from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.mime.bodies import UNREADABLE, attachments, body_text, decode_base64url, text_parts
from integrations.gmail.wire import GmailMessage, Part
from tests.mail_parts import HOSTILE, leaf, multi


async def test_plain_text_is_preferred(html: HtmlReader) -> None:
    """Of an alternative the plain part is read."""
    assert await body_text(multi("alternative", leaf("Hello"), leaf("<b>Hello</b>", "text/html")), html) == "Hello"


@pytest.mark.parametrize("plain", ["", "Please view this mail in a browser.", "Your client does not support HTML mail"])
async def test_google_pitfall_04_a_placeholder_gives_way_to_the_html(html: HtmlReader, plain: str) -> None:
    """Plain text that only stands in for the HTML is passed over."""
    rich = "<p>" + "The oak arrives on Thursday. " * 10 + "</p>"
    read = await body_text(multi("alternative", leaf(plain), leaf(rich, "text/html")), html)
    assert read.startswith("The oak arrives")


def nested(kind: str, *parts: Part) -> Part:
    return Part(mime_type=f"multipart/{kind}", parts=parts)


HTML = "<p>Dear all, the board meets on Thursday at nine. Please bring the forms.</p>"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([leaf(HTML, "text/html"), leaf("_____\nBoard mailing list")], "forms.|_____|Board mailing list"),
        (
            [leaf("Hello Mara."), leaf("%PDF", "application/pdf"), leaf("<p>The price is 900.</p>", "text/html")],
            "Hello Mara.|The price is 900.",
        ),
        ([leaf("One."), leaf("Two."), leaf("Three.")], "One.|Two.|Three."),
        ([nested("alternative", leaf("Plain."), leaf("<p>Rich.</p>", "text/html")), leaf("Footer.")], "Plain.|Footer."),
        (
            [nested("alternative", leaf(""), nested("related", leaf(HTML, "text/html"), leaf("x", "image/png")))],
            "forms.",
        ),
        ([leaf("The board meets on Thursday."), leaf("<b>The board</b> meets on Thursday.", "text/html")], "Thursday."),
    ],
)
async def test_google_pitfall_04_every_part_of_a_mail_is_read(html: HtmlReader, parts: list[Part], text: str) -> None:
    """Only of an alternative one form is read: a list's plain footer, or a file between two texts, hides nothing."""
    read = await body_text(multi("mixed", *parts), html)
    places = [read.find(each) for each in text.split("|")]
    assert -1 not in places
    assert places == sorted(places)
    assert read.count("Thursday") <= 1
    assert "Rich." not in read


async def test_google_pitfall_05_attached_messages_and_files_stay_apart(html: HtmlReader) -> None:
    """The text of an attached message or file is not the message's own; both are listed."""
    inner = Part(mime_type="multipart/mixed", parts=[leaf("inner secret"), leaf("x", filename="inner.txt")])
    attached = Part(mime_type="message/rfc822", filename="note.eml", parts=[inner])
    named = leaf("col1,col2", "text/plain", filename="data.csv")
    message = multi("mixed", leaf("outer"), attached, named)
    assert await body_text(message, html) == "outer"
    assert [part.filename for part in attachments(message)] == ["note.eml", "data.csv"]
    assert [decode_base64url(part.body.data) for part in text_parts(message)] == [b"outer"]


async def test_flowed_lines_are_joined_but_not_the_signature(html: HtmlReader) -> None:
    """format=flowed joins soft line ends, with DelSp=yes without their space, and keeps the signature's separator."""
    message = GmailMessage(id="m", payload=leaf("one \r\ntwo\r\n-- \r\nMe", content_type="text/plain; format=flowed"))
    assert await body_text(message, html) == "one two\n-- \nMe"
    broken = leaf("https://pay.example/inv \r\noice now", content_type="text/plain; format=flowed; delsp=yes")
    assert await body_text(GmailMessage(id="m", payload=broken), html) == "https://pay.example/invoice now"


async def test_hostile_html_gives_way_to_the_plain_text(html: HtmlReader) -> None:
    """HTML that takes longer than its budget is not read: the plain form is, and where there is none that is said."""
    assert await body_text(multi("alternative", leaf("Hello"), leaf(HOSTILE, "text/html")), html) == "Hello"
    assert await body_text(multi("mixed", leaf("Hello"), leaf(HOSTILE, "text/html")), html) == f"Hello\n\n{UNREADABLE}"
