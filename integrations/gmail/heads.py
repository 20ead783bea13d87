"""What the head of a message says: its people, its subject, and when it came."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from integrations.gmail.mime.addresses import Address, decoded_text, read_addresses
from integrations.gmail.text import shortened
from integrations.gmail.wire import GmailMessage, GmailThread


def people(message: GmailMessage, *fields: str) -> list[Address]:
    """The addresses of these header fields, as `read_addresses`."""
    return read_addresses([value for name in fields for value in message.payload.all_headers(name)])


def subject_of(message: GmailMessage, length: int) -> str:
    """The subject, decoded, of at most `length` characters; "" where there is none."""
    return shortened(decoded_text(message.payload.header("Subject")), length)


def without_drafts(thread: GmailThread) -> list[GmailMessage]:
    """The messages that were sent or received."""
    return [message for message in thread.messages if "DRAFT" not in message.label_ids]


def came_at(message: GmailMessage) -> datetime:
    """When Gmail got it."""
    return datetime.fromtimestamp(message.internal_date / 1000, UTC)


def local_time(message: GmailMessage, zone: str) -> str:
    """When it came, in somebody's zone: "Tue 2026-11-24 14:00"."""
    return f"{came_at(message).astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"


def time_in_words(message: GmailMessage, zone: str) -> str:
    """The same as a card shows times: "Tue 24 Nov 2026, 14:00"."""
    at = came_at(message).astimezone(ZoneInfo(zone))
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M}"
