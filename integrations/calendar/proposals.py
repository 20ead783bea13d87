"""A new event as it will be created."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrations.calendar.spans import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Everything that is sent; `notify` is Google's `sendUpdates`."""

    title: str
    span: Span
    guests: Sequence[str]
    location: str
    description: str
    notify: str

    def as_google(self) -> dict[str, object]:
        """The body of events.insert."""
        start, end = ({k: v for k, v in edge.items() if v is not None} for edge in self.span.as_google())
        body: dict[str, object] = {"summary": self.title, "start": start, "end": end}
        if self.guests:
            body["attendees"] = [{"email": email} for email in self.guests]
        texts = {"location": self.location, "description": self.description}
        return body | {key: text for key, text in texts.items() if text}
