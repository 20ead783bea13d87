"""The mail tools, ready to be called."""

from __future__ import annotations

from integrations.base import Tools
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


def mail_tools(google: GoogleClient, *, html: HtmlReader, files: SlackFiles | None = None) -> Tools:
    """Every mail tool over one Google client. Without `files` nothing from Slack can be attached."""
    kinds = (GmailDraftCreate, GmailDraftUpdate, GmailDraftSend, GmailReply, GmailSend)
    return [
        GmailSearch(google),
        GmailThreadRead(google, html=html),
        GmailAttachmentRead(google, html=html),
        GmailLabels(google),
        *(kind(google, html=html, files=files) for kind in kinds),
    ]
