"""The text of an attachment, by its type; PDF in a process of its own, which cannot take long or take much."""

from __future__ import annotations

import asyncio

from integrations.errors import ToolFailed
from integrations.gmail.isolated.html_budget import HtmlBudget
from integrations.gmail.isolated.html_reader import HtmlReader, HtmlUnreadable
from integrations.gmail.mime.bodies import body_text, decode_text
from integrations.gmail.text import visible
from integrations.gmail.wire import GmailMessage, Part
from integrations.isolated.process import end, start

SECONDS = 20.0
CHARACTERS = 400_000
_TEXTS = frozenset({"application/json", "application/xml", "application/ics", "application/x-yaml", "application/sql"})
_ENDINGS = ("txt", "csv", "tsv", "md", "log", "json", "xml", "ics", "yaml", "yml", "ini", "vcf")
_PDF = b"%PDF-"
_PDF_PROCESS = "integrations.gmail.isolated.pdf_process"


async def text_of(part: Part, data: bytes, *, name: str, html: HtmlReader, seconds: float = SECONDS) -> str:
    """What it says, without what is invisible; empty for a document without text. A PDF may take `seconds`.

    Raises `ToolFailed` for types that have no text here, and for a PDF that cannot be read.
    """
    kind = part.mime_type.lower()
    if _PDF in data[:1024] or kind == "application/pdf":
        return visible(await _pdf_text(data, name, seconds))
    if kind == "message/rfc822":
        pages = HtmlBudget(html)
        texts = [await body_text(GmailMessage(id="", payload=inner), pages) for inner in part.parts]
        return "\n".join(texts)[:CHARACTERS]
    if kind == "text/html":
        return await _html_text(_decoded(part, data), name, html)
    is_named = kind == "application/octet-stream" and name.lower().rpartition(".")[2] in _ENDINGS
    is_text = kind.startswith("text/") or kind in _TEXTS or is_named
    if is_text and (_bom(data) or b"\0" not in data[:4096]):
        return visible(_decoded(part, data)[:CHARACTERS])
    raise ToolFailed("no_text", f"“{name}” ({kind}) is no text or PDF file, so it cannot be read here.")


def _decoded(part: Part, data: bytes) -> str:
    _, _, charset = part.header("Content-Type").lower().partition("charset=")
    return decode_text(data, _bom(data) or charset.partition(";")[0].strip())


def _bom(data: bytes) -> str:
    """The charset that the first bytes tell."""
    return "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else ""


async def _html_text(page: str, name: str, html: HtmlReader) -> str:
    try:
        return await html.text(page)
    except HtmlUnreadable:
        raise ToolFailed("html_unreadable", f"“{name}” takes too long to be read here.") from None


async def _pdf_text(data: bytes, name: str, seconds: float) -> str:
    process = await start(_PDF_PROCESS, str(CHARACTERS), str(int(seconds)))
    try:
        async with asyncio.timeout(seconds):
            text, _ = await process.communicate(data)
    except TimeoutError:
        raise ToolFailed("pdf_unreadable", f"“{name}” could not be read within {seconds:.0f} seconds.") from None
    finally:
        await end(process)
    if process.returncode == 3:
        raise ToolFailed("pdf_locked", f"“{name}” is protected by a password.")
    if process.returncode:
        raise ToolFailed("pdf_unreadable", f"“{name}” is damaged, or no PDF that can be read.")
    return text.decode(errors="replace")
