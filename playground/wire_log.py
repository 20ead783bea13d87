"""What an emulator received and answered, newest last."""

from __future__ import annotations

import base64
import json
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from playground.changes import Changes
    from playground.clock import Clock

ENTRIES = 5_000
BODY_BYTES = 64 * 1024


class WireLog:
    """The newest exchanges. `in` is a client's request, `out` what the emulator sent by itself (events, webhooks)."""

    def __init__(self, clock: Clock, changes: Changes) -> None:
        self._clock = clock
        self._changes = changes
        self._entries: deque[dict[str, Any]] = deque(maxlen=ENTRIES)
        self._count = 0

    def add(
        self,
        *,
        direction: str,
        method: str,
        path: str,
        request: Any = None,
        status: int | None = None,
        response: Any = None,
        note: str = "",
    ) -> int:
        """Adds one exchange; its number."""
        self._count += 1
        entry: dict[str, Any] = {
            "n": self._count,
            "at": self._clock.now().isoformat(timespec="milliseconds"),
            "direction": direction,
            "method": method,
            "path": path,
            "request": bounded(request),
            "status": status,
            "response": bounded(response),
        }
        if note:
            entry["note"] = note
        self._entries.append(entry)
        self._changes.publish("log", entry=entry)
        return self._count

    def after(self, number: int) -> list[dict[str, Any]]:
        """The entries numbered above `number` that are still kept."""
        return [entry for entry in self._entries if entry["n"] > number]

    def clear(self) -> None:
        """Forgets the entries; numbers go on."""
        self._entries.clear()


def bounded(body: Any) -> Any:
    """`body`, or its first 64 KB as text when it is longer."""
    if body is None:
        return None
    text = json.dumps(body, ensure_ascii=False, default=str)
    if len(text) <= BODY_BYTES:
        return body
    return {"truncated": True, "characters": len(text), "text": text[:BODY_BYTES]}


def readable(body: bytes, content_type: str) -> Any:
    """A body as JSON, form fields or text, whatever its type says; other bytes in base64."""
    if not body:
        return None
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        return dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body[:BODY_BYTES]).decode(), "bytes": len(body)}
    try:
        return json.loads(text)
    except ValueError:
        return text
