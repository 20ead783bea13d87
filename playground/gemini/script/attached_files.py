"""Files that came with a request: what the scripted model can truly say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from playground.gemini import inline_data
from playground.gemini.schema import Json
from playground.gemini.script.wording import gist

LINE = re.compile(r"^\[(?:file|message) attached[^\]\n]*\]$", re.M)
"""What stands in the text of a message for what came with it."""

_FENCE = re.compile(r'^<untrusted source="file ([^"]*)">$')
_UNREAD = re.compile(r"^\(The file “([^”]*)” was not read: ")
_NOTHING = "There is nothing in it for me to read."
_KINDS = {
    "application/pdf": "PDF",
    "image/png": "PNG picture",
    "image/jpeg": "JPEG picture",
    "image/webp": "WebP picture",
}
_NAMED = re.compile(
    r"\b(?:files?|attachments?|attached|documents?|pdfs?|pictures?|images?|photos?|screenshots?)\b", re.I
)
_POINTED = re.compile(r"\b(?:it|this|that|these)\b", re.I)
_LOOKS = re.compile(r"\b(?:what|read|summari[sz]e|describe|show|look|tell me)\b", re.I)
_MAIL = re.compile(r"\b(?:mails?|e-?mails?)\b", re.I)
_BYTES = 1_000


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file as the request has it; without data if it was not read."""

    name: str
    mime_type: str = ""
    data: bytes = b""


def files_in(content: Json) -> Iterator[AttachedFile]:
    """The files of a content, each named by the mark before its data."""
    name = "a file"
    for part in content.get("parts", []):
        if "inlineData" in part:
            blob = part["inlineData"]
            yield AttachedFile(name, str(blob["mimeType"]), inline_data.data_of(blob))
        elif mark := _FENCE.match(str(part.get("text", ""))):
            name = mark[1]
        elif unread := _UNREAD.match(str(part.get("text", ""))):
            yield AttachedFile(unread[1])


def told(clause: str, files: Sequence[AttachedFile], *, with_request: bool) -> str:
    """What can be said of the files, if that is what is asked; else empty."""
    pointed = bool(_NAMED.search(clause) or (with_request and (not clause or _POINTED.search(clause))))
    looks = not clause or bool(_LOOKS.search(clause) and not _MAIL.search(clause))
    if not (files and pointed and looks):
        return ""
    return "\n".join(_said(file) for file in files if file.data) or _NOTHING


def _said(file: AttachedFile) -> str:
    return f"“{file.name}” is a {_KINDS.get(file.mime_type, 'text')} of {_size(file.data)}.{_more(file)}"


def _more(file: AttachedFile) -> str:
    match file.mime_type:
        case "application/pdf":
            return f" It has {_counted(inline_data.pages(file.data), 'page')}."
        case "image/png":
            width, height = (int.from_bytes(file.data[at : at + 4]) for at in (16, 20))
            return f" It is {width} × {height} pixels large."
        case "text/plain":
            lines = file.data.decode(errors="replace").splitlines()
            return f" It has {_counted(len(lines), 'line')}. The first is: “{gist(lines[0])}”"
        case _:
            return ""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _size(data: bytes) -> str:
    return f"{len(data) / _BYTES:,.0f} KB" if len(data) >= 10 * _BYTES else f"{len(data):,} bytes"
