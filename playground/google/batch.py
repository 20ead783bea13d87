"""Batches: many calls in one multipart/mixed request ("Batching requests" of the Gmail and Calendar guides)."""

from __future__ import annotations

from collections.abc import Mapping
from email import message_from_bytes
from email.message import Message
from http import HTTPStatus
from typing import cast
from urllib.parse import parse_qsl, urlsplit

from playground.google.errors import ApiError
from playground.google.front import Answer
from playground.google.incoming import Incoming

MOST_PARTS = 100
BOUNDARY = "batch_playground"


def read_batch(content_type: str, body: bytes, authorization: str) -> list[tuple[str, Incoming]]:
    """The calls of a batch, each with the Content-ID of its part; a part without a token has the batch's own."""
    parsed = message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    if not parsed.is_multipart():
        raise ApiError(400, "badRequest", "Failed to parse batch request, error: not multipart.")
    parts = cast("list[Message]", parsed.get_payload())
    if len(parts) > MOST_PARTS:
        raise ApiError(
            400, "badRequest", f"The batch request has {len(parts)} parts; at most {MOST_PARTS} are allowed."
        )
    return [(str(part.get("Content-ID", "")), _read_part(part, authorization)) for part in parts]


def write_batch(answers: list[tuple[str, Answer]]) -> Answer:
    """The answers in the order of their calls; `<x>` is answered as `<response-x>`."""
    pieces = [_write_part(content_id, answer) for content_id, answer in answers]
    body = b"".join(f"--{BOUNDARY}\r\n".encode() + piece + b"\r\n" for piece in pieces)
    headers = {"content-type": f"multipart/mixed; boundary={BOUNDARY}"}
    return Answer(status=200, body=body + f"--{BOUNDARY}--".encode(), headers=headers)


def _read_part(part: Message, authorization: str) -> Incoming:
    payload = cast("bytes", part.get_payload(decode=True) or b"").lstrip()
    line, _, rest = payload.partition(b"\n")
    words = line.decode().split()
    if len(words) < 2:
        raise ApiError(400, "badRequest", "Failed to parse batch request, error: no request line.")
    inner = message_from_bytes(rest)
    headers: dict[str, str] = {name.lower(): str(value) for name, value in inner.items()}
    target = urlsplit(words[1])
    return Incoming(
        verb=words[0].upper(),
        path=target.path,
        query=tuple(parse_qsl(target.query, keep_blank_values=True)),
        headers={"authorization": authorization, **headers},
        body=cast("bytes", inner.get_payload(decode=True) or b"").strip(),
    )


def _write_part(content_id: str, answer: Answer) -> bytes:
    inner: Mapping[str, str] = {**answer.headers, "content-length": str(len(answer.body))}
    lines = [
        "Content-Type: application/http",
        f"Content-ID: <response-{content_id.strip('<>')}>",
        "",
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}",
        *(f"{name.title()}: {value}" for name, value in inner.items()),
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + answer.body
