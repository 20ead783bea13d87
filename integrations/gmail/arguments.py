"""Arguments that several mail tools share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from integrations.base import Content, ObjectId, Shape, ToolArgs, Wording
from policies.types import Role

ThreadId = Annotated[ObjectId, Field(min_length=1)]
DraftId = Annotated[ObjectId, Field(min_length=1)]
Recipients = Annotated[list[str], Role.DESTINATION]


class WrittenArgs(ToolArgs):
    """How a mail is written, whatever becomes of it: what is rarely given, and comes last in forms."""

    attachments: Annotated[list[str], Role.ATTACHMENT, Field(default_factory=list)]
    from_address: Annotated[str | None, Role.OBJECT] = None
    signature: Annotated[
        bool,
        Role.NONE,
        Wording(yes="Put my signature, or my name, below"),
    ] = True


class MailHeads(ToolArgs):
    """Recipients, subject and text: what people look at first."""

    to: Recipients
    subject: Content
    body: Annotated[Content, Shape.LONG_TEXT]
    cc: Annotated[Recipients, Field(default_factory=list)]
    bcc: Annotated[Recipients, Field(default_factory=list)]


class MailArgs(WrittenArgs, MailHeads):
    """What a new mail and a draft have in common. The fields of the last base come first."""


class UpdateHeads(ToolArgs):
    """Which draft, and what is to be different."""

    draft_id: DraftId
    to: Annotated[Recipients | None, Role.DESTINATION] = None
    subject: Annotated[Content | None, Role.CONTENT] = None
    body: Annotated[Content | None, Role.CONTENT, Shape.LONG_TEXT] = None
    cc: Annotated[Recipients | None, Role.DESTINATION] = None
    bcc: Annotated[Recipients | None, Role.DESTINATION] = None


class UpdateArgs(WrittenArgs, UpdateHeads):
    """Changes to a draft. What is left out stays as it is, an empty list empties it."""


SendAt = Annotated[
    str | None,
    Role.NONE,
    Shape.LOCAL_TIME,
    Field(max_length=40),
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
