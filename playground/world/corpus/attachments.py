"""Attachments of every kind: readable, broken, huge, nameless, or with a harmful name (RFC 2183, RFC 2231)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from playground.world.corpus.odd import MIXED, Odd, odd
from playground.world.files import pdf, png

LARGE_BYTES = 5 * 1024 * 1024
MANY = 120

QUOTE = ("Quote 77", "Twelve benches: 4,944.00 EUR", "Valid until Friday")
CONTINUED = (
    "--b1\r\nContent-Type: text/plain\r\nContent-Disposition: attachment;\r\n filename*0*=utf-8''Gr%C3%B6;\r\n"
    " filename*1*=%C3%9Fen.txt\r\n\r\nS M L\r\n--b1--\r\n"
)
NAMELESS = (
    "--b1\r\nContent-Type: text/plain\r\n\r\nsee attached\r\n--b1\r\nContent-Type: application/octet-stream\r\n"
    "Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAw==\r\n--b1--\r\n"
)


def attachments() -> Iterator[Odd]:
    yield _one("text", "text/plain; charset=utf-8", "notes.txt", b"Oak: 12\nLarch: 4\n")
    yield _one("csv_latin1", "text/csv; charset=iso-8859-1", "preise.csv", "Größe;Preis\n".encode("latin-1"))
    yield _one("pdf", "application/pdf", "Quote 77.pdf", pdf(QUOTE))
    yield _one("broken_pdf", "application/pdf", "torn.pdf", pdf(["never read"])[:120])
    yield _one("png", "image/png", "bench.png", png(64, 64))
    yield _one("empty", "application/octet-stream", "empty.bin", b"")
    yield _one("large", "application/octet-stream", "model.step", b"\x5a" * LARGE_BYTES)
    yield _one("path", "text/plain", "../../etc/passwd", b"not a path\n")
    yield _one("winmail", "application/ms-tnef", "winmail.dat", b"\x78\x9f\x3e\x22" + b"\0" * 60)
    many = "".join(_part("text/plain", f"part {number}.txt", b"x") for number in range(MANY))
    yield odd("attachment_many", f"{many}--b1--\r\n", MIXED)
    yield odd("attachment_rfc2231", CONTINUED, MIXED)
    yield odd("attachment_without_name", NAMELESS, MIXED)


def _one(name: str, kind: str, filename: str, data: bytes) -> Odd:
    """A mail with a text and one attachment."""
    text = "--b1\r\nContent-Type: text/plain\r\n\r\nSee attached.\r\n"
    return odd(f"attachment_{name}", f"{text}{_part(kind, filename, data)}--b1--\r\n", MIXED)


def _part(kind: str, name: str, data: bytes) -> str:
    text = b64encode(data).decode()
    lines = "\r\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    return (
        f'--b1\r\nContent-Type: {kind}; name="{name}"\r\nContent-Disposition: attachment; filename="{name}"\r\n'
        f"Content-Transfer-Encoding: base64\r\n\r\n{lines}\r\n"
    )
