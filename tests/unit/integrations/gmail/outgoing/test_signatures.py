"""Which signature stands below a mail, and what its card says of it."""

from __future__ import annotations

import pytest

from integrations.gmail.html.page import text_of_html
from integrations.gmail.outgoing.signatures import LENGTH, NONE, Signature, signature_of

LOGO = '<div><img src="https://x.example/logo.png"></div>'


def signed_with(html: str, *, name: str = "") -> Signature:
    return signature_of(html, text_of_html(html), name=name)


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
