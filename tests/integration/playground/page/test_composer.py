"""What the message box of the page offers while somebody writes."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.integration.playground.page.javascript import computed

PEOPLE = {
    "U0DANA": {"id": "U0DANA", "name": "dana", "real_name": "Dana Okafor"},
    "U0BOT": {"id": "U0BOT", "name": "countersign", "real_name": "Countersign", "is_bot": True},
}
OFFERED = """({ choices, exact }, value) => {
    const field = { value, selectionStart: value.length };
    return choices(field, true).map((choice) => [choice.text.trim(), exact(choice, field)]);
}"""


SENT = """async ({ contentOf }, bytes, name, type) => {
    const { content, encoding } = await contentOf(new File([new Uint8Array(bytes)], name, { type }));
    return [encoding, content];
}"""


@pytest.mark.parametrize(("name", "type"), [("gruss.txt", "text/plain"), ("rows.csv", ""), ("photo.png", "image/png")])
def test_a_file_is_sent_as_its_bytes(name: str, type: str) -> None:
    """Also a text, whatever its encoding, and one with more bytes than a call takes arguments."""
    given = "Grüße aus München".encode("latin-1") + bytes(range(256)) * 300
    encoding, content = computed("composer.js", SENT, list(given), name, type)
    assert (encoding, base64.b64decode(content)) == ("base64", given)


def offered(typed: str) -> list[Any]:
    """The choices, and whether each is what was typed."""
    return computed("composer.js", OFFERED, typed, state={"slack": {"users": PEOPLE, "bot": {"user_id": "U0BOT"}}})


@pytest.mark.parametrize("typed", ["/agent trust", "/agent Trust", "/AGENT TRUST"])
def test_a_command_that_is_typed_out_is_not_offered(typed: str) -> None:
    """However it is written, so Enter sends it at once."""
    assert offered(typed) == []


def test_the_beginning_of_a_command_is_completed() -> None:
    assert [text for text, _ in offered("/Agent tr")] == ["/agent trust"]
    assert ["/agent trust", False] in offered("/agent t")


def test_a_name_is_completed() -> None:
    """By the beginning of any of its words; one that stands there whole, however it is written, is sent."""
    assert offered("Ask @ok") == [["@Dana Okafor", False]]
    assert offered("Ask @countersign") == [["@Countersign", True]]
