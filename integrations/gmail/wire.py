"""Gmail's JSON as values (Gmail API reference: users.threads, users.messages, users.drafts, settings.sendAs)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field, model_validator

from integrations.google.calls import Listed, ListPage, Resource

END_OF_TIME_MS = 253_000_000_000_000  # in the year 9987: no zone has it beyond the last day that Python knows


class Nothing(Resource):
    """The empty answer to a deletion."""

    @model_validator(mode="before")
    @classmethod
    def _anything(cls, _: object) -> dict[str, object]:
        return {}


class Header(Resource):
    """One header field of a part."""

    name: str
    value: str = ""


class PartBody(Resource):
    """The body of a part: the data itself (base64url), or the id under which it is fetched."""

    size: int = 0
    data: str = ""
    attachment_id: str | None = None


class Part(Resource):
    """A MIME part; the message's payload is the outermost."""

    part_id: str = ""
    mime_type: str = "text/plain"
    filename: str = ""
    headers: Sequence[Header] = ()
    body: PartBody = PartBody()
    parts: Sequence[Part] = ()

    def header(self, name: str) -> str:
        """The first field of this name, whatever its case; "" when there is none."""
        return next(iter(self.all_headers(name)), "")

    def all_headers(self, name: str) -> list[str]:
        """Every field of this name: To and Cc may be repeated."""
        return [header.value for header in self.headers if header.name.lower() == name.lower()]

    def walk(self) -> Iterator[Part]:
        """This part and what it holds, but not what is inside an attached message."""
        yield self
        if self.mime_type != "message/rfc822":
            for part in self.parts:
                yield from part.walk()


class GmailMessage(Resource):
    """One message of a thread. `internal_date` is milliseconds since 1970."""

    id: str
    thread_id: str = ""
    label_ids: Sequence[str] = ()
    snippet: str = ""
    internal_date: Annotated[int, Field(ge=0, le=END_OF_TIME_MS)] = 0
    payload: Part = Part()
    raw: str = ""
    unreadable: bool = False


class GmailThread(Resource):
    """A thread with its messages, oldest first."""

    id: str
    messages: Listed[GmailMessage] = ()


class ThreadPage(ListPage):
    """A page of threads.list: ids only. Its estimate of how many there are is no count, so it is not read."""

    threads: Listed[GmailThread] = ()


class Draft(Resource):
    """A draft; its message's id changes whenever it is saved."""

    id: str
    message: GmailMessage = GmailMessage(id="")


class DraftPage(ListPage):
    """A page of drafts.list: ids only."""

    drafts: Listed[Draft] = ()


class MessagePage(ListPage):
    """A page of messages.list: ids only."""

    messages: Listed[GmailMessage] = ()


class SendAs(Resource):
    """An address that the account may send from."""

    send_as_email: str
    display_name: str = ""
    is_primary: bool = False
    is_default: bool = False
    verification_status: str | None = None
    signature: str = ""
    reply_to_address: str = ""

    def is_verified(self) -> bool:
        """Whether Gmail sends from it; from another address it would silently use the default one."""
        return self.is_primary or self.verification_status == "accepted"


class MailLabel(Resource):
    """A label: Gmail's own ("system", whose id is its name) or one that the person made ("user")."""

    id: str
    name: str
    type: str = "user"


class LabelPage(Resource):
    """labels.list."""

    labels: Sequence[MailLabel] = ()


class SendAsPage(Resource):
    """settings.sendAs.list."""

    send_as: Sequence[SendAs] = ()
