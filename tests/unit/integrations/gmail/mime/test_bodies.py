"""What a part's bytes say."""

from __future__ import annotations

import pytest

from integrations.gmail.mime.bodies import decode_base64url, decode_text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("YQ", b"a"),
        ("YWI", b"ab"),
        ("YWJj", b"abc"),
        ("", b""),
        ("YW\nJj", b"abc"),
        ("Y", b""),
        ("-_8", b"\xfb\xff"),
        ("+/8=", b"\xfb\xff"),
    ],
)
def test_google_pitfall_01_base64url_needs_no_padding(data: str, told: bytes) -> None:
    """Gmail's data comes without padding, to the last byte; garbage gives what could be read."""
    assert decode_base64url(data) == told


@pytest.mark.parametrize(
    ("raw", "charset", "text"),
    [
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode("cp1252"), "utf-8", "Grüße"),
        ("“quoted”".encode("cp1252"), "iso-8859-1", "“quoted”"),
        ("日本".encode("iso-2022-jp"), "iso-2022-jp", "日本"),
        ("日本".encode("shift_jis"), "shift_jis", "日本"),
        ("Zażółć".encode("iso-8859-2"), "iso-8859-2", "Zażółć"),
        (b"plain", "x-unknown", "plain"),
        (b"plain", "", "plain"),
        (rb"a\udfffb", "unicode_escape", r"a\udfffb"),
        (rb"a\udfffb", "raw-unicode-escape", r"a\udfffb"),
    ],
)
def test_google_pitfall_02_charsets_that_lie_are_repaired(raw: bytes, charset: str, text: str) -> None:
    """UTF-8 that says it is Latin-1, Windows text that says it is UTF-8, and honest ones all come out right."""
    assert decode_text(raw, charset) == text
