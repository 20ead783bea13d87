"""What the model may say of an event: the arguments of the two tools that write."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from integrations.base import Content, ObjectId, ToolArgs
from policies.types import Role

Guests = Annotated[list[str], Role.DESTINATION]
Notify = Annotated[Literal["all", "none"], Role.NONE, Field(description="Whether guests are told by mail.")]


class CreateArgs(ToolArgs):
    """Arguments of `calendar_event_create`."""

    title: Annotated[Content, Field(min_length=1, max_length=1_000)]
    start: Annotated[str, Role.NONE, Field(description="2026-11-24T14:00, or 2026-11-24 for a whole day.")]
    end: Annotated[str, Role.NONE, Field(description="Like start; for whole days the day after the last.")]
    zone: Annotated[str | None, Role.NONE, Field(description="IANA name; else the user's own zone.")] = None
    attendees: Annotated[Guests, Field(default_factory=list, description="One address per entry.")]
    location: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    description: Annotated[Content | None, Role.CONTENT, Field(max_length=8_000)] = None
    notify: Notify = "all"


class UpdateArgs(ToolArgs):
    """Arguments of `calendar_event_update`."""

    event_id: Annotated[ObjectId, Field(min_length=1, description="From calendar_search.")]
    title: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    start: Annotated[str | None, Role.NONE, Field(description="2026-11-24T14:00, or 2026-11-24.")] = None
    end: Annotated[str | None, Role.NONE, Field(description="Like start.")] = None
    zone: Annotated[str | None, Role.NONE, Field(description="IANA name; else the user's own zone.")] = None
    add_attendees: Annotated[Guests, Field(default_factory=list, description="One address per entry.")]
    remove_attendees: Annotated[Guests, Field(default_factory=list, description="One address per entry.")]
    location: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    description: Annotated[Content | None, Role.CONTENT, Field(max_length=8_000)] = None
    notify: Notify = "all"
