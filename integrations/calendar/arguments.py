"""What the model may say of an event: the arguments of the tools that write."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from integrations.base import Content, ObjectId, Shape, ToolArgs
from policies.types import Role

Guests = Annotated[list[str], Role.DESTINATION]
Notify = Annotated[Literal["all", "none"], Role.NONE, Field(description="Whether the others are told by mail.")]
When = Annotated[str, Role.NONE, Shape.LOCAL_TIME]
Meet = Annotated[bool, Role.NONE, Field(description="Add a Google Meet link.")]
Minutes = Annotated[int, Field(ge=0, le=40_320)]
Reminders = Annotated[
    list[Minutes] | None, Role.NONE, Field(max_length=5, description="Minutes before; [] for none at all.")
]
EVENT_ID = "From calendar_search."
RECURRENCE = "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10, or words like “every Tuesday until 2026-12-31”."

Scope = Literal["this", "following", "series"]
SCOPE = "Of a repeating event: this occurrence (the rule), this and the following ones, or the whole series."


class CreateArgs(ToolArgs):
    """Arguments of `calendar_event_create`."""

    title: Annotated[Content, Field(min_length=1, max_length=1_000)]
    start: Annotated[When, Field(description="2026-11-24T14:00, or 2026-11-24 for a whole day.")]
    end: Annotated[When, Field(description="Like start; for whole days the day after the last.")]
    zone: Annotated[str | None, Role.NONE, Field(description="IANA name; else the user's own zone.")] = None
    attendees: Annotated[Guests, Field(default_factory=list, description="One address per entry.")]
    location: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    description: Annotated[Content | None, Role.CONTENT, Shape.LONG_TEXT, Field(max_length=8_000)] = None
    recurrence: Annotated[str | None, Role.NONE, Field(max_length=500, description=RECURRENCE)] = None
    meet: Meet = False
    reminders: Reminders = None
    notify: Notify = "all"
    calendar: Annotated[
        str | None,
        Role.DESTINATION,
        Field(max_length=1_000, description="Name or id of another calendar that the user may write; else their own."),
    ] = None


class UpdateArgs(ToolArgs):
    """Arguments of `calendar_event_update`."""

    event_id: Annotated[ObjectId, Field(min_length=1, max_length=1_200, description=EVENT_ID)]
    scope: Annotated[Scope | None, Role.NONE, Field(description=SCOPE)] = None
    title: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    start: Annotated[
        When | None, Role.NONE, Shape.LOCAL_TIME, Field(description="2026-11-24T14:00, or 2026-11-24.")
    ] = None
    end: Annotated[When | None, Role.NONE, Shape.LOCAL_TIME, Field(description="Like start.")] = None
    zone: Annotated[str | None, Role.NONE, Field(description="IANA name; else the user's own zone.")] = None
    add_attendees: Annotated[Guests, Field(default_factory=list, description="One address per entry.")]
    remove_attendees: Annotated[Guests, Field(default_factory=list, description="One address per entry.")]
    location: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    description: Annotated[Content | None, Role.CONTENT, Shape.LONG_TEXT, Field(max_length=8_000)] = None
    recurrence: Annotated[str | None, Role.NONE, Field(max_length=500, description=RECURRENCE)] = None
    meet: Meet = False
    reminders: Reminders = None
    notify: Notify = "all"


class CancelArgs(ToolArgs):
    """Arguments of `calendar_event_cancel`."""

    event_id: Annotated[ObjectId, Field(min_length=1, max_length=1_200, description=EVENT_ID)]
    scope: Annotated[Scope | None, Role.NONE, Field(description=SCOPE)] = None
    notify: Notify = "all"


class AnswerArgs(ToolArgs):
    """Arguments of `calendar_event_answer`."""

    event_id: Annotated[ObjectId, Field(min_length=1, max_length=1_200, description=EVENT_ID)]
    answer: Annotated[Literal["accept", "decline", "tentative"], Role.NONE]
    comment: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000, description="Shown to the organizer.")] = (
        None
    )
    scope: Annotated[
        Literal["this", "series"] | None,
        Role.NONE,
        Field(description="Of a repeating event: this one, or all."),
    ] = None
    notify: Notify = "all"
