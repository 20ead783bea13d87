"""Wrong charsets and broken transfer encodings (RFC 2045, RFC 2047)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from playground.world.corpus.odd import Odd, odd, typed

PLAIN = "text/plain; charset="
BIDI = "pay \u202e0001\u202c to al\u200bice\u2066x\u2069\r\n"


def characters() -> Iterator[Odd]:
    yield odd("no_charset_latin1", "Grüße aus Köln\r\n".encode("latin-1"), "Content-Type: text/plain")
    yield typed("ascii_label_utf8_body", "Grüße aus Köln\r\n", f"{PLAIN}us-ascii")
    yield typed("latin1_label_cp1252_body", "“Quoted” – 5 €\r\n".encode("cp1252"), f"{PLAIN}iso-8859-1")
    yield typed("utf8_label_latin1_body", "Grüße\r\n".encode("latin-1"), f"{PLAIN}utf-8")
    yield typed("unknown_charset", "Hello from Mars\r\n", f"{PLAIN}x-martian")
    yield typed("utf16_body", b64encode("Grüße".encode("utf-16")), f"{PLAIN}utf-16", "base64")
    yield typed("utf7_body", "Gr+APwA3w-e\r\n", f"{PLAIN}utf-7", "7bit")
    yield typed("nul_bytes", b"before\0after\r\n", f"{PLAIN}utf-8")
    yield typed("surrogates_and_controls", b"a\xed\xa0\x80b\x1b[31mred\x07\r\n", f"{PLAIN}utf-8")
    yield typed("bidi_and_zero_width", BIDI, f"{PLAIN}utf-8")
    yield typed("broken_base64", "SGVsbG8gd29ybGQ!!!!\r\nabc\r\n", f"{PLAIN}utf-8", "base64")
    yield typed("unpadded_base64", "SGVsbG8gd29ybGQ\r\n", f"{PLAIN}utf-8", "base64")
    yield typed("broken_quoted_printable", "na=C3=AFve =ZZ =\r\n=4\r\n", f"{PLAIN}utf-8", "quoted-printable")
    yield typed("unknown_encoding", "Uryyb\r\n", f"{PLAIN}utf-8", "x-rot13")
    yield typed("uuencoded", "begin 644 a.txt\r\n%2&5L;&\\\r\n`\r\nend\r\n", f"{PLAIN}us-ascii", "x-uuencode")
