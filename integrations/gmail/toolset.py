"""The mail tools, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.gmail.attachment_read import GmailAttachmentRead
from integrations.gmail.draft_create import GmailDraftCreate
from integrations.gmail.draft_send import GmailDraftSend
from integrations.gmail.draft_update import GmailDraftUpdate
from integrations.gmail.labels import GmailLabels
from integrations.gmail.reply import GmailReply
from integrations.gmail.search import GmailSearch
from integrations.gmail.send import GmailSend
from integrations.gmail.thread_read import GmailThreadRead
from integrations.google.client import GoogleClient
from integrations.ports import SlackFiles


class GmailToolset:
    """Implements `Toolset` over one Google client. Without `files` nothing from Slack can be attached."""

    def __init__(self, *, google: GoogleClient, files: SlackFiles | None = None) -> None:
        looking = (GmailSearch(google), GmailThreadRead(google), GmailAttachmentRead(google), GmailLabels(google))
        kinds = (GmailDraftCreate, GmailDraftUpdate, GmailDraftSend, GmailReply, GmailSend)
        writing = (kind(google, files=files) for kind in kinds)
        self._tools = tuple(cast("Tool[ToolArgs]", tool) for tool in (*looking, *writing))

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every mail tool."""
        return self._tools
