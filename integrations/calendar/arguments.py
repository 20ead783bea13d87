"""Arguments of the tools that write events."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from integrations.base import Content, ObjectId, Shape, ToolArgs, Wording
from policies.types import Role

Guests = Annotated[list[str], Role.DESTINATION, Field(default_factory=list)]
Notify = Annotated[
    Literal["all", "none"],
    Role.NONE,
    Wording(label="Notify", choices={"all": "The others are told by mail", "none": "Nobody is told"}),
]
When = Annotated[str, Role.NONE, Shape.LOCAL_TIME]
Meet = Annotated[
    bool,
    Role.NONE,
    Wording(label="Google Meet", yes="Add a link for the call"),
]
Minutes = Annotated[int, Field(ge=0, le=40_320)]
Reminders = Annotated[list[Minutes] | None, Role.NONE, Field(max_length=5, description="Minutes before; [] for none.")]
Zone = Annotated[
    str | None,
    Role.NONE,
    Shape.ZONE,
    Wording(label="Time zone", hint="In which the times above are meant, as in Europe/Berlin."),
]
Location = Annotated[Content | None, Role.CONTENT, Field(max_length=1_000), Wording(label="Where")]
Description = Annotated[Content | None, Role.CONTENT, Shape.LONG_TEXT, Field(max_length=8_000)]
Comment = Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)]
EventId = Annotated[ObjectId, Field(min_length=1, max_length=1_200)]
Recurrence = Annotated[str | None, Role.NONE, Shape.RECURRENCE, Field(max_length=500)]
BEGINS = Wording(label="Begins")
ENDS = Wording(label="Ends", hint="Of whole days: the day after the last one.")
OTHER_RULES = "For any other rule, reply in words."
NEW_RULE = Wording(label="Repeats", choices={"": "It happens once"}, hint=OTHER_RULES)
CHANGED_RULE = Wording(label="Repeats", choices={"": "No change"}, hint=OTHER_RULES)

SCOPES = Wording(
    label="Applies to",
    choices={
        "this": "Only this occurrence",
        "following": "This and all following occurrences",
        "series": "The whole series",
    },
)
Scope = Annotated[Literal["this", "following", "series"] | None, Role.NONE, SCOPES]


class CreateArgs(ToolArgs):
    """Arguments of `calendar_event_create`."""

    title: Annotated[Content, Field(min_length=1, max_length=1_000)]
    start: Annotated[When, BEGINS]
    end: Annotated[When, Field(description="Of whole days: the day after the last."), ENDS]
    zone: Zone = None
    attendees: Annotated[Guests, Wording(label="Guests")]
    location: Location = None
    description: Description = None
    recurrence: Annotated[Recurrence, NEW_RULE] = None
    meet: Meet = False
    reminders: Reminders = None
    notify: Notify = "all"
    calendar: Annotated[
        str | None,
        Role.DESTINATION,
        Field(max_length=1_000),
        Wording(hint="The name of another calendar that you may write. Empty: your own one."),
    ] = None


class EventArgs(ToolArgs):
    """What every tool is given that writes an event which is there already."""

    event_id: EventId


class UpdateArgs(EventArgs):
    """Arguments of `calendar_event_update`."""

    scope: Scope = None
    title: Annotated[Content | None, Role.CONTENT, Field(max_length=1_000)] = None
    start: Annotated[When | None, Role.NONE, Shape.LOCAL_TIME, BEGINS] = None
    end: Annotated[When | None, Role.NONE, Shape.LOCAL_TIME, ENDS] = None
    zone: Zone = None
    add_attendees: Annotated[Guests, Wording(label="Guests to add")]
    remove_attendees: Annotated[Guests, Wording(label="Guests to remove")]
    location: Location = None
    description: Description = None
    recurrence: Annotated[Recurrence, CHANGED_RULE] = None
    meet: Meet = False
    reminders: Reminders = None
    notify: Notify = "all"


class CancelArgs(EventArgs):
    """Arguments of `calendar_event_cancel`."""

    scope: Scope = None
    notify: Notify = "all"


class AnswerArgs(EventArgs):
    """Arguments of `calendar_event_answer`."""

    answer: Annotated[
        Literal["accept", "decline", "tentative"],
        Role.NONE,
        Wording(label="Your answer", choices={"accept": "Accept", "decline": "Decline", "tentative": "Maybe"}),
    ]
    comment: Comment = None
    scope: Annotated[
        Literal["this", "series"] | None,
        Role.NONE,
        SCOPES,
    ] = None
    notify: Notify = "all"
