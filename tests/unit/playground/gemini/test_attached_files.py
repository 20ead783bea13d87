"""What the scripted model says of files."""

from __future__ import annotations

import base64

import pytest

from playground.gemini import usage
from playground.gemini.script.attached_files import AttachedFile, told
from tests.pdf_files import pdf
from tests.unit.playground.gemini.conversation import Conversation, Json

TEXT = AttachedFile("plan.txt", "text/plain", b"Oak\nAsh")
SAID = "“plan.txt” is a text of 7 bytes. It has 2 lines. The first is: “Oak”"


@pytest.mark.parametrize("clause", ["", "What is in it?", "summarise this", "what does the attached file say?"])
def test_it_tells_of_a_file_that_came_with_the_request(clause: str) -> None:
    """Name, size and beginning: nothing that it cannot know."""
    assert told(clause, [TEXT], with_request=True) == SAID


@pytest.mark.parametrize(("clause", "said"), [("What is in the file?", SAID), ("what is on tomorrow?", ""), ("", "")])
def test_a_follow_up_must_name_it(clause: str, said: str) -> None:
    """Later requests in the thread are about other things, unless they say so."""
    assert told(clause, [TEXT], with_request=False) == said


@pytest.mark.parametrize("clause", ["send Helen this file", "Read the attachment of Bruno's mail"])
def test_other_requests_stay_what_they_are(clause: str) -> None:
    """A file beside them does not make them about it."""
    assert told(clause, [TEXT], with_request=True) == ""


def test_each_kind_has_its_own_words() -> None:
    """Pages of a PDF, pixels of a PNG, only the size of other pictures."""
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4)
    files = [
        AttachedFile("offer", "application/pdf", pdf("Oak")),
        AttachedFile("bench", "image/png", png),
        AttachedFile("photo", "image/jpeg", bytes(20_500)),
    ]
    offer, bench, photo = told("what are these?", files, with_request=True).splitlines()
    assert offer.startswith("“offer” is a PDF of ")
    assert offer.endswith(" bytes. It has 1 page.")
    assert bench == "“bench” is a PNG picture of 24 bytes. It is 640 × 480 pixels large."
    assert photo == "“photo” is a JPEG picture of 20 KB."


def test_a_request_is_read_with_its_file() -> None:
    """The file stands before the words, between marks, and is named by them."""
    parts: list[Json] = [
        {"text": '<untrusted source="file plan.txt">'},
        {"inlineData": {"mimeType": "text/plain", "data": base64.b64encode(TEXT.data).decode()}},
        {"text": "</untrusted>"},
        {"text": "What does it say?\n[file attached: “plan.txt”, id F024BE7LH]"},
    ]
    talk = Conversation(text="")
    talk.contents[:] = [{"role": "user", "parts": parts}]
    assert talk.run() == SAID


def test_a_file_that_was_not_read_says_nothing() -> None:
    """That it was not is told in its place."""
    parts: list[Json] = [
        {"text": "(The file “all.zip” was not read: it is no PDF and no text in UTF-8. The person is told that.)"},
        {"text": "[file attached: “all.zip”]"},
    ]
    talk = Conversation(text="")
    talk.contents[:] = [{"role": "user", "parts": parts}]
    assert talk.run() == "There is nothing in it for me to read."


def test_files_count_as_google_counts_them() -> None:
    """A page and a picture cost the same whatever their bytes; text a token for four characters."""

    def counted(mime_type: str, data: bytes) -> int:
        blob = {"mimeType": mime_type, "data": base64.b64encode(data).decode()}
        parts: list[Json] = [{"text": "x"}, {"inlineData": blob}]
        request = {"contents": [{"role": "user", "parts": parts}]}
        bare = {"contents": [{"role": "user", "parts": parts[:1]}]}
        return usage.prompt_usage(request)["promptTokenCount"] - usage.prompt_usage(bare)["promptTokenCount"]

    assert counted("application/pdf", pdf("Oak") + bytes(9_000)) == 560
    assert counted("image/webp", b"RIFF" + bytes(9_000)) == 1_120
    assert counted("text/plain", bytes(4_000)) == 1_000
