"""The text of attachments, hostile ones too."""

from __future__ import annotations

import zlib

import pytest

from integrations.errors import ToolFailed
from integrations.gmail.incoming.documents import SECONDS, text_of
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.wire import Header, Part
from tests.pdf_files import pdf


def part(kind: str, content_type: str = "") -> Part:
    return Part(mime_type=kind, headers=[Header(name="Content-Type", value=content_type or kind)])


async def came_of(data: bytes, html: HtmlReader, *, seconds: float = SECONDS) -> str:
    """The text of a PDF, or the code of the error."""
    try:
        return await text_of(part("application/pdf"), data, name="i.pdf", html=html, seconds=seconds)
    except ToolFailed as error:
        return error.code


@pytest.mark.parametrize(
    ("kind", "content_type", "data", "text"),
    [
        ("text/csv", "", "a;b\nGrüße;2".encode("cp1252"), "a;b\nGrüße;2"),
        ("text/plain", "text/plain; charset=utf-16", "Hällo".encode("utf-16"), "Hällo"),
        ("application/octet-stream", "", b"plain words", "plain words"),
        ("text/html", "", b"<p>Seen</p><p style='display:none'>unseen</p>", "Seen"),
        ("text/calendar", "", b"BEGIN:VCALENDAR", "BEGIN:VCALENDAR"),
    ],
)
async def test_texts_are_read_as_a_person_sees_them(
    html: HtmlReader, kind: str, content_type: str, data: bytes, text: str
) -> None:
    """Any charset, without what is hidden; a text file without a type is known by its name."""
    assert await text_of(part(kind, content_type), data, name="notes.txt", html=html) == text


async def test_a_pdf_is_read(html: HtmlReader) -> None:
    """The text of its pages."""
    assert "Invoice 2291" in await text_of(part("application/pdf"), pdf("Invoice 2291"), name="i.pdf", html=html)


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.4 nothing more",
        b"%PDF-",
        pdf("x")[:200],
        pdf("x").replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]"),
        pdf("x").replace(b"/Parent 2 0 R", b"/Parent 3 0 R"),
    ],
)
async def test_a_damaged_pdf_is_said(html: HtmlReader, data: bytes) -> None:
    """Truncated, looping and empty files end in an error or in no text, never in a crash."""
    assert await came_of(data, html) in {"", "x", "pdf_unreadable"}


async def test_a_pdf_that_takes_too_long_is_given_up(html: HtmlReader) -> None:
    """A file whose content unpacks to hundreds of megabytes ends within the time that there is."""
    bomb = pdf("x", stream=zlib.compress(b"BT (a) Tj ET\n" * 25_000_000, 1), filtered=True)
    assert await came_of(bomb, html, seconds=1.0) == "pdf_unreadable"


@pytest.mark.parametrize("kind", ["image/png", "application/zip", "application/vnd.ms-excel"])
async def test_what_has_no_text_is_said(html: HtmlReader, kind: str) -> None:
    """Pictures, archives and office files are refused with their name."""
    with pytest.raises(ToolFailed, match="photo"):
        await text_of(part(kind), b"\x89PNG\0", name="photo", html=html)


async def test_hostile_html_is_said(html: HtmlReader) -> None:
    """An attached page that takes longer than its budget is refused with its name."""
    with pytest.raises(ToolFailed, match=r"page\.html"):
        await text_of(part("text/html"), b"<b>" * 100_000, name="page.html", html=html)
