"""Arguments that several mail tools share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from integrations.base import Content, ObjectId, Shape, ToolArgs, Wording
from policies.types import Role

ThreadId = Annotated[ObjectId, Field(min_length=1, description="From gmail_search.")]
DraftId = Annotated[ObjectId, Field(min_length=1, description="From gmail_draft_create or gmail_thread_read.")]
Recipients = Annotated[list[str], Role.DESTINATION]
_SAME = "Left out: stays as it is."
_FILES = 'Files: "m3.a1" of the thread that is answered, "<thread_id>/m3.a1" of another one, or a Slack file id (F…).'


class WrittenArgs(ToolArgs):
    """How a mail is written, whatever becomes of it: what is rarely given, and comes last in forms."""

    attachments: Annotated[list[str], Role.ATTACHMENT, Field(default_factory=list, description=_FILES)]
    from_address: Annotated[
        str | None, Role.OBJECT, Field(description="One of the user's own addresses, if not the usual one.")
    ] = None
    signature: Annotated[
        bool,
        Role.NONE,
        Field(description="Put the user's signature or name below."),
        Wording(yes="Put my signature, or my name, below"),
    ] = True


class MailHeads(ToolArgs):
    """Recipients, subject and text: what people look at first."""

    to: Annotated[Recipients, Field(description="One address per entry.")]
    subject: Annotated[Content, Field(description="One line.")]
    body: Annotated[Content, Shape.LONG_TEXT, Field(description="Plain text.")]
    cc: Annotated[Recipients, Field(default_factory=list)]
    bcc: Annotated[Recipients, Field(default_factory=list)]


class MailArgs(WrittenArgs, MailHeads):
    """What a new mail and a draft have in common. The fields of the last base come first."""


class UpdateHeads(ToolArgs):
    """Which draft, and what is to be different."""

    draft_id: DraftId
    to: Annotated[Recipients | None, Role.DESTINATION, Field(description=_SAME)] = None
    subject: Annotated[Content | None, Role.CONTENT, Field(description=_SAME)] = None
    body: Annotated[
        Content | None, Role.CONTENT, Shape.LONG_TEXT, Field(description="The whole new text. " + _SAME)
    ] = None
    cc: Annotated[Recipients | None, Role.DESTINATION, Field(description=_SAME)] = None
    bcc: Annotated[Recipients | None, Role.DESTINATION, Field(description=_SAME)] = None


class UpdateArgs(WrittenArgs, UpdateHeads):
    """Changes to a draft. What is left out stays as it is, an empty list empties it."""


SendAt = Annotated[
    str | None,
    Role.NONE,
    Shape.LOCAL_TIME,
    Field(max_length=40, description="Leave later: the user's local time, 2026-11-23T08:00, or with an offset."),
    Wording(label="Leaves", hint="Empty: at once, when it is approved."),
]

AsDraft = Annotated[
    SkipJsonSchema[bool],
    Role.NONE,
    Field(description="Chosen on a card only: the model has a tool of its own."),
    Wording(label="Draft", yes="Save it as a draft, do not send it"),
]


class SendingArgs(ToolArgs):
    """When a mail leaves."""

    send_at: SendAt = None


class DraftableArgs(SendingArgs):
    """When a mail leaves, or that it stays a draft."""

    as_draft: AsDraft = False
