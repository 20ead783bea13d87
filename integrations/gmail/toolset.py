"""The mail tools, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.gmail.isolated.html_reader import HtmlReader
from integrations.gmail.tools.attachment_read import GmailAttachmentRead
from integrations.gmail.tools.draft_create import GmailDraftCreate
from integrations.gmail.tools.draft_send import GmailDraftSend
from integrations.gmail.tools.draft_update import GmailDraftUpdate
from integrations.gmail.tools.labels import GmailLabels
from integrations.gmail.tools.reply import GmailReply
from integrations.gmail.tools.search import GmailSearch
from integrations.gmail.tools.send import GmailSend
from integrations.gmail.tools.thread_read import GmailThreadRead
from integrations.google.client import GoogleClient
from integrations.ports import SlackFiles


class GmailToolset:
    """Implements `Toolset` over one Google client. Without `files` nothing from Slack can be attached."""

    def __init__(self, *, google: GoogleClient, html: HtmlReader, files: SlackFiles | None = None) -> None:
        reading = (
            GmailSearch(google),
            GmailThreadRead(google, html=html),
            GmailAttachmentRead(google, html=html),
            GmailLabels(google),
        )
        kinds = (GmailDraftCreate, GmailDraftUpdate, GmailDraftSend, GmailReply, GmailSend)
        writing = (kind(google, html=html, files=files) for kind in kinds)
        self._tools = tuple(cast("Tool[ToolArgs]", tool) for tool in (*reading, *writing))

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every mail tool."""
        return self._tools
