"""AgentDojo's workspace: mail, calendar and files of one person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from integrations.base import Content, ObjectId, ToolArgs
from policies.provenance import Attached, Impact
from policies.types import EffectClass, Label, Role
from tests.verification.redteam.declared import Address, Addresses, Dojo, Read, Text

# Mail -------------------------------------------------------------------------------------------------


class AttachedArgs(BaseModel):
    """A file of the drive."""

    model_config = ConfigDict(extra="forbid")

    type: str = "file"
    file_id: str


class SendEmailArgs(ToolArgs):
    recipients: Addresses
    subject: Content
    body: Content
    attachments: Annotated[list[AttachedArgs] | None, Role.ATTACHMENT] = None
    cc: Addresses = Field(default_factory=list[str])
    bcc: Addresses = Field(default_factory=list[str])


class SendEmail(Dojo):
    name = "send_email"
    effect = EffectClass.EXTERNAL
    args = SendEmailArgs

    async def impact(self, args: SendEmailArgs) -> Impact:
        files = [await self.touched("file", each.file_id) for each in args.attachments or ()]
        found = [await self.suites.look("file", each.id) for each in files]
        return Impact(
            destinations=[*args.recipients, *args.cc, *args.bcc],
            texts=[args.subject, args.body],
            attachments=[Attached(name=one.title, readers=[one.owner, *one.people]) for one in found if one],
        )


class EmailArgs(ToolArgs):
    email_id: ObjectId


class DeleteEmail(Dojo):
    name = "delete_email"
    effect = EffectClass.DESTRUCTIVE
    verbs = ("delete", "remove", "trash")
    args = EmailArgs

    async def impact(self, args: EmailArgs) -> Impact:
        return Impact(objects=[await self.touched("mail", args.email_id)])


class GetUnreadEmails(Read):
    name = "get_unread_emails"


class GetSentEmails(Read):
    name = "get_sent_emails"


class GetReceivedEmails(Read):
    name = "get_received_emails"


class GetDraftEmails(Read):
    name = "get_draft_emails"


class SearchEmailsArgs(ToolArgs):
    query: Text
    sender: Annotated[str | None, Role.NONE] = None


class SearchEmails(Read):
    name = "search_emails"
    args = SearchEmailsArgs


class QueryArgs(ToolArgs):
    query: Text


class SearchContactsByName(Read):
    name = "search_contacts_by_name"
    args = QueryArgs


class SearchContactsByEmail(Read):
    name = "search_contacts_by_email"
    args = QueryArgs


# Calendar ---------------------------------------------------------------------------------------------


class GetCurrentDay(Read):
    name = "get_current_day"
    label = Label.CONFIG


class SearchEventsArgs(ToolArgs):
    query: Text
    date: Annotated[str | None, Role.NONE] = None


class SearchCalendarEvents(Read):
    name = "search_calendar_events"
    args = SearchEventsArgs


class DayArgs(ToolArgs):
    day: Text


class GetDayCalendarEvents(Read):
    name = "get_day_calendar_events"
    args = DayArgs


class CreateEventArgs(ToolArgs):
    title: Content
    start_time: Text
    end_time: Text
    description: Content = ""
    participants: Addresses = Field(default_factory=list[str])
    location: Annotated[str | None, Role.CONTENT] = None


class CreateCalendarEvent(Dojo):
    name = "create_calendar_event"
    effect = EffectClass.EXTERNAL
    makes = "event"
    args = CreateEventArgs

    async def impact(self, args: CreateEventArgs) -> Impact:
        return Impact(
            destinations=self.others(args.participants), texts=[args.title, args.description, args.location or ""]
        )


class EventArgs(ToolArgs):
    event_id: ObjectId


class CancelCalendarEvent(Dojo):
    name = "cancel_calendar_event"
    effect = EffectClass.DESTRUCTIVE
    verbs = ("cancel", "delete", "remove")
    args = EventArgs

    async def impact(self, args: EventArgs) -> Impact:
        return Impact(objects=[await self.touched("event", args.event_id)])


class RescheduleArgs(EventArgs):
    new_start_time: Text
    new_end_time: Annotated[str | None, Role.NONE] = None


class RescheduleCalendarEvent(Dojo):
    """Whoever names the event means its people, as in our own calendar: they are told about it and nothing else."""

    name = "reschedule_calendar_event"
    effect = EffectClass.EXTERNAL
    args = RescheduleArgs

    async def impact(self, args: RescheduleArgs) -> Impact:
        return Impact(objects=[await self.touched("event", args.event_id)])


class ParticipantsArgs(EventArgs):
    participants: Addresses


class AddCalendarEventParticipants(Dojo):
    name = "add_calendar_event_participants"
    effect = EffectClass.EXTERNAL
    args = ParticipantsArgs

    async def impact(self, args: ParticipantsArgs) -> Impact:
        event = await self.touched("event", args.event_id)
        return Impact(destinations=self.others(args.participants), objects=[event])


# Drive ------------------------------------------------------------------------------------------------


class FileArgs(ToolArgs):
    file_id: ObjectId


class FilenameArgs(ToolArgs):
    filename: Text


class SearchFilesByFilename(Read):
    name = "search_files_by_filename"
    args = FilenameArgs


class GetFileById(Read):
    name = "get_file_by_id"
    args = FileArgs


class ListFiles(Read):
    name = "list_files"


class SearchFiles(Read):
    name = "search_files"
    args = QueryArgs


class CreateFileArgs(ToolArgs):
    filename: Content
    content: Content


class CreateFile(Dojo):
    """Only the environment's user can read a new file."""

    name = "create_file"
    effect = EffectClass.PRIVATE_WRITE
    makes = "file"
    args = CreateFileArgs

    async def impact(self, args: CreateFileArgs) -> Impact:
        return Impact(texts=[args.filename, args.content])


class AppendArgs(FileArgs):
    content: Content


class AppendToFile(Dojo):
    """Whoever may read the file reads what was added."""

    name = "append_to_file"
    effect = EffectClass.PRIVATE_WRITE
    args = AppendArgs

    async def impact(self, args: AppendArgs) -> Impact:
        file = await self.touched("file", args.file_id)
        return Impact(destinations=self.others(file.people), texts=[args.content], objects=[file])


class DeleteFile(Dojo):
    name = "delete_file"
    effect = EffectClass.DESTRUCTIVE
    verbs = ("delete", "remove")
    args = FileArgs

    async def impact(self, args: FileArgs) -> Impact:
        return Impact(objects=[await self.touched("file", args.file_id)])


class ShareArgs(FileArgs):
    email: Address
    permission: Text


class ShareFile(Dojo):
    name = "share_file"
    effect = EffectClass.EXTERNAL
    args = ShareArgs

    async def impact(self, args: ShareArgs) -> Impact:
        file = await self.touched("file", args.file_id)
        return Impact(
            destinations=[args.email], attachments=[Attached(name=file.title, readers=file.people)], objects=[file]
        )


WORKSPACE_TOOLS: Sequence[type[Dojo]] = (
    SendEmail, DeleteEmail, GetUnreadEmails, GetSentEmails, GetReceivedEmails, GetDraftEmails, SearchEmails,
    SearchContactsByName, SearchContactsByEmail, GetCurrentDay, SearchCalendarEvents, GetDayCalendarEvents,
    CreateCalendarEvent, CancelCalendarEvent, RescheduleCalendarEvent, AddCalendarEventParticipants, AppendToFile,
    SearchFilesByFilename, CreateFile, DeleteFile, GetFileById, ListFiles, ShareFile, SearchFiles,
)  # fmt: skip
