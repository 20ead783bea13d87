"""The mail tools, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from integrations.base import Tool, ToolArgs
from integrations.gmail.draft_create import GmailDraftCreate
from integrations.gmail.reply import GmailReply
from integrations.gmail.search import GmailSearch
from integrations.gmail.send import GmailSend
from integrations.gmail.thread_read import GmailThreadRead
from integrations.google.client import GoogleClient


class GmailToolset:
    """Implements `Toolset` over one Google client."""

    def __init__(self, *, google: GoogleClient) -> None:
        kinds = (GmailSearch, GmailThreadRead, GmailDraftCreate, GmailReply, GmailSend)
        self._tools = tuple(cast("Tool[ToolArgs]", kind(google)) for kind in kinds)

    def tools(self) -> Sequence[Tool[ToolArgs]]:
        """Every mail tool."""
        return self._tools
