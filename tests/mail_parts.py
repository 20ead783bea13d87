"""Messages as Gmail gives them, built part by part, and a reader of their HTML that takes as long as it is told."""

from __future__ import annotations

from base64 import urlsafe_b64encode

from integrations.gmail.isolated.html_reader import HtmlReader, HtmlUnreadable
from integrations.gmail.wire import GmailMessage, Header, Part, PartBody

HOSTILE = "<b>" * 100_000 + "hidden"


def leaf(data: str | bytes, kind: str = "text/plain", content_type: str = "", **more: object) -> Part:
    raw = data.encode() if isinstance(data, str) else data
    encoded = urlsafe_b64encode(raw).decode().rstrip("=")
    headers = [Header(name="Content-Type", value=content_type or kind)]
    return Part(mime_type=kind, headers=headers, body=PartBody(data=encoded, size=len(raw))).model_copy(update=more)


def multi(kind: str, *parts: Part) -> GmailMessage:
    return GmailMessage(id="m1", payload=Part(mime_type=f"multipart/{kind}", parts=parts))


class PricedReader(HtmlReader):
    """Gives pages back as they are, after so many seconds of the processor's time; gives up the hostile one."""

    def __init__(self, *, seconds: float = 0.001) -> None:
        super().__init__()
        self.read: list[str] = []
        self._seconds = seconds

    async def timed_text(self, html: str) -> tuple[str, float]:
        self.read.append(html)
        if html == HOSTILE:
            raise HtmlUnreadable
        return html, self._seconds
