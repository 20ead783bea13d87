"""Reading Google's error answers: by status and reason; by text only what stands nowhere else (pages, moments)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol, cast

from integrations.google.calls import Refusal

MESSAGE_LENGTH = 200
_RETRY_AT = re.compile(r"Retry after (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)")
_CONSOLE = re.compile(r"https://console\.(?:developers|cloud)\.google\.com/[\w./?=&%-]{1,300}")


class _HttpError(Protocol):
    """googleapiclient's HttpError. Its `str` holds the whole URL with the search text, so nobody may use it."""

    resp: Mapping[str, str]
    content: bytes
    status_code: int


def read_refusal(error: Exception) -> Refusal:
    """What an HttpError says, from both shapes of reasons: `errors[].reason` and `details[].reason`."""
    refused = cast("_HttpError", cast("object", error))
    body = _error_of(refused.content)
    return Refusal(
        status=int(refused.status_code),
        reasons=tuple(_reasons(body)),
        message=str(body.get("message", ""))[:MESSAGE_LENGTH],
        retry_after=_seconds(refused.resp.get("retry-after")),
        retry_at=_moment(body),
        link=_console_link(refused.content),
    )


def _console_link(content: bytes) -> str:
    """The page of Google's console that an answer names, wherever in it: message, help links or metadata."""
    found = _CONSOLE.search(content.decode(errors="replace"))
    return found[0].rstrip(".") if found else ""


def _moment(error: Mapping[str, object]) -> datetime | None:
    """Gmail says in its sentence until when an account may not send: "Retry after 2026-11-23T10:00:00.000Z"."""
    found = _RETRY_AT.search(str(error.get("message", "")))
    try:
        return datetime.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def _error_of(content: bytes) -> Mapping[str, object]:
    try:
        document = cast("object", json.loads(content))
    except ValueError:
        return {}
    if isinstance(document, list) and document:
        document = cast("list[object]", document)[0]
    error = cast("Mapping[str, object]", document).get("error") if isinstance(document, Mapping) else None
    return cast("Mapping[str, object]", error) if isinstance(error, Mapping) else {}


def _reasons(error: Mapping[str, object]) -> Iterator[str]:
    for key in ("errors", "details"):
        entries = error.get(key)
        for entry in cast("Sequence[object]", entries) if isinstance(entries, list) else ():
            reason = cast("Mapping[str, object]", entry).get("reason") if isinstance(entry, Mapping) else None
            if isinstance(reason, str):
                yield reason
    status = error.get("status")
    if isinstance(status, str):
        yield status


def _seconds(header: str | None) -> float | None:
    """Retry-After in its form of seconds; a date is treated as absent."""
    return float(header) if header and header.strip().isdigit() else None
