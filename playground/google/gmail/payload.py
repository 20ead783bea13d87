"""The tree of MessageParts that the Gmail API shows for a mail."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from email.message import Message
from typing import cast

from playground.google.discovery import JsonObject
from playground.google.gmail.letters import Letter, content_of, filename_of, text_of

LARGEST_INLINE_BYTES = 64 * 1024
"""A longer body is given by attachment id only, even a plain text."""


def payload(letter: Letter, attachment_id: str) -> JsonObject:
    """The whole tree. `attachment_id` is a prefix that is new on each fetch, as Gmail's ids are."""
    return _part(letter.message, "", attachment_id) | {"headers": _headers(letter.headers)}


def find_part(letter: Letter, part_id: str) -> Message | None:
    """The part that has that id in the tree."""
    return next((part for number, part in _walk(letter.message, "") if number == part_id), None)


def content(part: Message) -> bytes:
    """A part's bytes as the API gives them: text always in UTF-8, whatever its headers say."""
    if part.get_content_maintype() == "text" and not filename_of(part):
        return text_of(part).encode()
    return content_of(part)


def encoded(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def only(letter: Letter, names: Sequence[str]) -> list[JsonObject]:
    """The headers for `format=metadata`: those named, or all of them when none is named."""
    wanted = {name.lower() for name in names}
    return _headers([(name, value) for name, value in letter.headers if not wanted or name.lower() in wanted])


def _part(part: Message, number: str, attachment_id: str) -> JsonObject:
    shown: JsonObject = {
        "partId": number,
        "mimeType": part.get_content_type(),
        "filename": filename_of(part),
        "headers": _headers([(name, " ".join(str(value).split())) for name, value in part.items()]),
        "body": _body(part, number, attachment_id),
    }
    if children := list(_children(part, number)):
        shown["parts"] = [_part(child, child_number, attachment_id) for child_number, child in children]
    return shown


def _body(part: Message, number: str, attachment_id: str) -> JsonObject:
    if part.get_content_maintype() == "multipart":
        return {"size": 0}
    data = content(part)
    inline = part.get_content_maintype() == "text" and not filename_of(part) and len(data) <= LARGEST_INLINE_BYTES
    if inline:
        return {"size": len(data), "data": encoded(data)}
    return {"size": len(data), "attachmentId": f"{attachment_id}{encoded(number.encode())}"}


def _children(part: Message, number: str) -> Iterator[tuple[str, Message]]:
    if part.is_multipart():
        for index, child in enumerate(cast("Sequence[Message]", part.get_payload())):
            yield f"{number}.{index}" if number else str(index), child


def _walk(part: Message, number: str) -> Iterator[tuple[str, Message]]:
    yield number, part
    for child_number, child in _children(part, number):
        yield from _walk(child, child_number)


def _headers(pairs: Iterable[tuple[str, str]]) -> list[JsonObject]:
    return [{"name": name, "value": value} for name, value in pairs]
