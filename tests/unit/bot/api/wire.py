"""Requests as they stand on the wire, and what is answered."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from bot.api.server import RunningServer
from tests.patience import PATIENCE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came back; the names of headers in small letters."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def error(self) -> dict[str, Any]:
        """What the API says that is wrong."""
        body = json.loads(self.text)
        assert body.keys() == {"ok", "error"}
        assert body["ok"] is False
        return body["error"]


async def asked(served: RunningServer, what: str, *headers: str, host: str = "localhost") -> Answered:
    """What is answered to this method and path with these headers, over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.url.rpartition(":")[2]))
    try:
        lines = [f"{what} HTTP/1.1", f"host: {host}", "connection: close", *headers, "", ""]
        writer.write("\r\n".join(lines).encode())
        async with asyncio.timeout(PATIENCE_SECONDS):
            head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    finally:
        writer.close()
    first, *rest = head.split("\r\n")
    told = dict(line.split(": ", 1) for line in rest)
    return Answered(status=int(first.split()[1]), headers={k.lower(): v for k, v in told.items()}, text=body)
