"""Slack's files as one person may see them: their own, and those shared where they can read."""

from __future__ import annotations

from typing import Protocol, cast
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from integrations.base import Requester
from integrations.errors import ModelRetry, ToolFailed
from integrations.ports import FileTooLarge, SlackFile
from integrations.slack.web import Object, SlackReadRefused, Web, flag, number, part, sequence, text

SECONDS = 30
_HOSTED = frozenset({"hosted", "snippet"})
_UNKNOWN = frozenset({"file_not_found", "file_deleted", "file_access_denied", "access_denied"})


class Rooms(Protocol):
    """Who may read where."""

    async def may_read(self, requester: Requester, channel: str) -> bool:
        """Whether they can read this conversation."""
        ...


class _Client(Protocol):
    """What we use of an AsyncWebClient, whose types are open."""

    token: str | None
    base_url: str


class WebFiles:
    """Implements `SlackFiles` over the Web API, with the app's own token, which sees more than a person does."""

    def __init__(self, *, client: AsyncWebClient, rooms: Rooms) -> None:
        self._web = Web(client)
        self._client = cast("_Client", client)
        self._rooms = rooms

    async def file(self, requester: Requester, file_id: str) -> SlackFile:
        """What it is (docs.slack.dev/reference/objects/file-object)."""
        found = await self._found(requester, file_id)
        return SlackFile(
            id=text(found, "id"),
            name=text(found, "name") or text(found, "title") or "file",
            mime_type=text(found, "mimetype") or "application/octet-stream",
            size=number(found, "size"),
        )

    async def content(self, requester: Requester, file_id: str, *, limit: int) -> bytes:
        """What is in it; never more than the limit is read."""
        found = await self._found(requester, file_id)
        name, url = text(found, "name"), text(found, "url_private_download") or text(found, "url_private")
        if text(found, "mode") not in _HOSTED or flag(found, "is_external") or not self._is_slacks(url):
            raise ToolFailed("file_elsewhere", f"“{name}” is not kept by Slack itself, so it cannot be attached.")
        data = await self._fetched(url, limit + 1, kind=text(found, "mimetype"))
        if len(data) > limit:
            raise FileTooLarge(name, limit)
        return data

    async def _found(self, requester: Requester, file_id: str) -> Object:
        try:
            found = part(await self._web.call("files.info", file=file_id), "file")
        except SlackReadRefused as refusal:
            if refusal.error in _UNKNOWN:
                raise _not_found(file_id) from refusal
            raise
        if not await self._may_see(requester, found):
            raise _not_found(file_id)
        return found

    async def _may_see(self, requester: Requester, found: Object) -> bool:
        """Their own, or shared in a conversation that they can read. `is_public` alone says nothing about guests."""
        if text(found, "user") == requester.user:
            return True
        shared = [item for key in ("channels", "groups") for item in sequence(found, key) if isinstance(item, str)]
        for channel in shared:
            if await self._rooms.may_read(requester, channel):
                return True
        return False

    def _is_slacks(self, url: str) -> bool:
        """Whether the app's token may be shown to that address: Slack's own, or the one that the API is at."""
        wanted, api = urlsplit(url), urlsplit(self._client.base_url)
        if wanted.netloc == api.netloc:
            return wanted.scheme == api.scheme
        return wanted.scheme == "https" and (wanted.hostname or "").endswith(".slack.com")

    async def _fetched(self, url: str, most: int, *, kind: str) -> bytes:
        """Where Slack does not take the token, it answers its sign-in page and calls that a success."""
        head = {"Authorization": f"Bearer {self._client.token or ''}"}
        timeout = aiohttp.ClientTimeout(total=SECONDS, sock_connect=5)
        try:
            async with (
                aiohttp.ClientSession(headers=head, timeout=timeout) as session,
                session.get(url, allow_redirects=False) as answer,  # a redirect leads to Slack's sign-in page
            ):
                if answer.status != 200 or (answer.content_type == "text/html" and kind != "text/html"):
                    raise ToolFailed("file_not_fetched", "Slack did not hand out the file.", hint="Try again later.")
                return await _at_most(answer.content, most)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise ToolFailed("slack_unreachable", "Slack cannot be reached just now.", private=False) from error


async def _at_most(stream: aiohttp.StreamReader, most: int) -> bytes:
    """Up to so many bytes; the length that a header claims is not believed."""
    pieces, left = list[bytes](), most
    while left > 0 and (piece := await stream.read(min(left, 65_536))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _not_found(file_id: str) -> ModelRetry:
    return ModelRetry(
        "file_not_found",
        f"There is no Slack file {file_id[:40]} that this person can see.",
        hint="Take the id (F…) from slack_read, or ask for the file.",
        private=False,
    )
