"""Slack's Web API as this program uses it: typed, and without unfurls and linked names.

Every method of the Web API that `bot` calls stands in this file; the manifest's scopes are held against it.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from contextvars import ContextVar
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.domain.states import LostRace
from bot.domain.threads import Workspace
from bot.runtime.core.lock import IsHeld
from bot.slack.connection.errors import SlackBusy, SlackError, SlackRefused, SlackUnclear, WrongToken, away
from bot.slack.connection.retries import retry_after, retry_handlers
from bot.slack.connection.schema import Payload, as_mapping, items_in, text_in
from bot.slack.connection.secret_filter import SecretFilter
from bot.slack.views.blocks import Block, Outgoing

log = structlog.get_logger()

SLACK_API_URL = "https://slack.com/api/"
TIMEOUT_SECONDS = 15
BUSY_SECONDS = 30.0  # when a 429 does not say how long
_LONGEST_STOP_SECONDS = 60.0  # then Slack may be asked again, and says it once more if it is so
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
_POST = "chat.postMessage"
_NO_UNFURLS = {"unfurl_links": False, "unfurl_media": False}
_NO_NAMES = {"link_names": False}
POST_EVENT = "countersign_post"
PAGE = "200"
"""The most messages that Slack recommends to ask for at once (docs.slack.dev/apis/web-api/pagination)."""

_is_held: ContextVar[IsHeld] = ContextVar("is_held", default=lambda: True)


@asynccontextmanager
async def slack_client(*, token: str | None, base_url: str = SLACK_API_URL) -> AsyncGenerator[AsyncWebClient]:
    """A client with one connection pool for as long as the block lasts, and with our retries.

    A session that is handed over uses its own timeout (slack_sdk's reference of `AsyncWebClient`).
    """
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS, sock_connect=5)
    tracing = aiohttp.TraceConfig()
    tracing.on_request_headers_sent.append(_about_to_send)
    async with aiohttp.ClientSession(timeout=timeout, trace_configs=[tracing]) as session:
        yield AsyncWebClient(
            token=token,
            base_url=base_url if base_url.endswith("/") else f"{base_url}/",
            session=session,
            retry_handlers=retry_handlers(),
        )


async def _about_to_send(
    session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestHeadersSentParams
) -> None:
    """aiohttp calls this right before it writes: when a connection stands, and at each repetition by our retries."""
    if not _is_held.get()():
        raise LostRace("call", params.url.name, "our hands", "Slack")


class SlackWeb:
    """The methods, each with the reference page that it follows. No secret leaves through them.

    Raises `SlackRefused` (ok: false), `SlackBusy` (429) or `SlackUnclear` (it may have happened). Slack counts calls by
    method, and posts by channel (docs.slack.dev/apis/web-api/rate-limits), so a 429 stops the method, or posts there:
    until its Retry-After is over, callers are told that Slack is busy, and Slack is not asked. A call is not sent once
    its `is_held` says no: `LostRace`.
    """

    def __init__(
        self,
        client: AsyncWebClient,
        *,
        secrets: SecretFilter | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client: Any = client  # its methods are typed in part only
        self._secrets = secrets or SecretFilter()
        self._monotonic = monotonic
        self._stopped: dict[str, float] = {}

    def cleared(self, text: str) -> str:
        """What of a text that is still arriving may be sent: no secret, and no beginning of one."""
        return self._secrets.redact.so_far(text)

    async def auth_test(self) -> Payload:
        """docs.slack.dev/reference/methods/auth.test."""
        return await self._call("auth.test")

    async def openid_token(self, code: str, *, client_id: str, client_secret: str, redirect_uri: str) -> Payload:
        """docs.slack.dev/reference/methods/openid.connect.token; the client says who it is by HTTP Basic."""
        form = {"code": code, "redirect_uri": redirect_uri, "grant_type": "authorization_code"}
        client = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        return await self._call("openid.connect.token", form=form, headers={"Authorization": f"Basic {client}"})

    async def post(
        self, channel: str, message: Outgoing, *, thread_ts: str | None, mark: str, is_held: IsHeld = lambda: True
    ) -> str:
        """docs.slack.dev/reference/methods/chat.postMessage; `mark` is the post's id, kept in its metadata."""
        body = _message(channel, message) | {
            "thread_ts": thread_ts,
            "metadata": {"event_type": POST_EVENT, "event_payload": {"post": mark}},
        }
        return text_in(await self._call("chat.postMessage", json=body, is_held=is_held), "ts")

    async def update(self, channel: str, ts: str, message: Outgoing, *, is_held: IsHeld = lambda: True) -> None:
        """docs.slack.dev/reference/methods/chat.update. It unfurls nothing; the keys are ignored where unknown."""
        await self._call("chat.update", json=_message(channel, message) | {"ts": ts}, is_held=is_held)

    async def delete(self, channel: str, ts: str) -> None:
        """docs.slack.dev/reference/methods/chat.delete."""
        await self._call("chat.delete", json={"channel": channel, "ts": ts})

    async def upload(self, name: str, content: bytes) -> str:
        """docs.slack.dev/reference/methods/files.getUploadURLExternal; the id of a file that nobody sees yet."""
        form = {"filename": self._secrets.redact(name), "length": str(len(content))}
        found = await self._call("files.getUploadURLExternal", form=form)
        await self._send(text_in(found, "upload_url"), content)
        return text_in(found, "file_id")

    async def _send(self, url: str, content: bytes) -> None:
        """docs.slack.dev/messaging/working-with-files, "Uploading files": the bytes, to a secret address."""
        client = self._client
        try:
            async with client.session.post(url, data=content, proxy=client.proxy) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SlackUnclear("upload_url") from error
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SlackUnclear("upload_url")
        if status != HTTPStatus.OK:
            raise SlackRefused("upload_url", str(status))

    async def share(
        self, file_id: str, title: str, comment: str, channel: str, *, thread_ts: str | None, is_held: IsHeld
    ) -> None:
        """docs.slack.dev/reference/methods/files.completeUploadExternal; the comment is mrkdwn. Slack shares it a
        moment later (github.com/slackapi/python-slack-sdk/issues/1277).
        """
        files = [{"id": file_id, "title": title}]
        body = {"files": files, "channel_id": channel, "thread_ts": thread_ts, "initial_comment": comment}
        await self._call("files.completeUploadExternal", json=body, is_held=is_held)

    async def sharing(
        self, channel: str, *, thread_ts: str | None, author: str, name: str, since: str
    ) -> Sequence[str]:
        """The timestamps of this author's messages with a file of this name that are newer than `since`."""
        async with aclosing(self._said(channel, thread_ts, since)) as messages:
            said = [message async for message in messages if text_in(message, "user") == author]
        return [
            text_in(one, "ts") for one in said if any(text_in(file, "name") == name for file in items_in(one, "files"))
        ]

    async def post_ephemeral(self, channel: str, user: str, text: str, *, thread_ts: str | None = None) -> None:
        """docs.slack.dev/reference/methods/chat.postEphemeral; the text is mrkdwn, escaped by its view."""
        body = {"channel": channel, "user": user, "text": text, "thread_ts": thread_ts}
        await self._call("chat.postEphemeral", json=body | _NO_UNFURLS | _NO_NAMES)

    async def start_stream(self, channel: str, thread_ts: str, text: str, *, user: str, team: str) -> str:
        """docs.slack.dev/reference/methods/chat.startStream; channels need both recipient ids."""
        body = {
            "channel": channel,
            "thread_ts": thread_ts,
            "markdown_text": text,
            "recipient_user_id": user,
            "recipient_team_id": team,
        }
        return text_in(await self._call("chat.startStream", json=body | _NO_UNFURLS), "ts")

    async def append_stream(self, channel: str, ts: str, text: str) -> None:
        """docs.slack.dev/reference/methods/chat.appendStream."""
        await self._call("chat.appendStream", json={"channel": channel, "ts": ts, "markdown_text": text})

    async def stop_stream(self, channel: str, ts: str) -> None:
        """docs.slack.dev/reference/methods/chat.stopStream."""
        await self._call("chat.stopStream", json={"channel": channel, "ts": ts})

    async def session_status(self, channel: str, thread_ts: str, status: str, *, initiator: str | None = None) -> None:
        """docs.slack.dev/reference/methods/agents.sessions.setStatus: active, processing, suspended or closed."""
        body = {"channel_id": channel, "thread_ts": thread_ts, "status": status, "initiator_user_id": initiator}
        await self._call("agents.sessions.setStatus", json=body)

    async def thread_status(self, channel: str, thread_ts: str, status: str) -> None:
        """docs.slack.dev/reference/methods/assistant.threads.setStatus; gone after two minutes, empty clears it."""
        body = {"channel_id": channel, "thread_ts": thread_ts, "status": status}
        await self._call("assistant.threads.setStatus", json=body)

    async def direct(self, user: str) -> str:
        """docs.slack.dev/reference/methods/conversations.open: the DM with this person."""
        return text_in(await self._call("conversations.open", json={"users": user}), "channel", "id")

    async def works_in(self, channel: str) -> bool:
        """docs.slack.dev/reference/methods/conversations.info: whether we are in this channel, it is only ours, and
        nobody archived it.
        """
        try:
            found = as_mapping((await self._call("conversations.info", form={"channel": channel})).get("channel"))
        except SlackRefused as refused:
            log.info("slack.not_in_channel", channel=channel, code=refused.code)
            return False
        is_closed = found.get("is_ext_shared") is True or found.get("is_archived") is True
        return found.get("is_member") is True and not is_closed

    async def permalink(self, channel: str, ts: str) -> str:
        """docs.slack.dev/reference/methods/chat.getPermalink; empty where the message is gone."""
        with suppress(SlackRefused):
            found = await self._call("chat.getPermalink", form={"channel": channel, "message_ts": ts})
            return text_in(found, "permalink")
        return ""

    async def posted(self, channel: str, *, thread_ts: str | None, mark: str, since: str) -> Sequence[str]:
        """The timestamps, newest first, of our messages with this mark that are newer than `since`."""
        async with aclosing(self._said(channel, thread_ts, since)) as messages:
            found = [text_in(message, "ts") async for message in messages if _mark(message) == mark]
        return sorted(found, reverse=True)

    async def unmarked(self, channel: str, *, thread_ts: str, author: str, since: str) -> Sequence[str]:
        """The timestamps of this author's messages in a thread that carry no mark and are newer than `since`. Messages
        with a file are left out: sharing one takes no mark either.
        """
        async with aclosing(self._said(channel, thread_ts, since)) as messages:
            said = [message async for message in messages if text_in(message, "user") == author]
        plain = [message for message in said if not _mark(message) and not items_in(message, "files")]
        return [ts for message in plain if (ts := text_in(message, "ts")) > since]

    async def _said(self, channel: str, thread_ts: str | None, since: str) -> AsyncGenerator[Payload]:
        """docs.slack.dev/reference/methods/conversations.replies and conversations.history.

        All pages are read: replies come oldest first, and a busy thread may have any number of them.
        """
        method = "conversations.replies" if thread_ts else "conversations.history"
        form = {"channel": channel, "oldest": since or "0", "limit": PAGE, "include_all_metadata": "true"}
        more = {"ts": thread_ts} if thread_ts else {}
        while True:
            page = await self._call(method, form={**form, **more})
            for message in items_in(page, "messages"):
                yield message
            cursor = text_in(page, "response_metadata", "next_cursor")
            if not cursor:
                return
            more["cursor"] = cursor

    async def profile(self, user: str) -> Payload:
        """docs.slack.dev/reference/methods/users.info: the `user` object."""
        return as_mapping((await self._call("users.info", form={"user": user})).get("user"))

    async def profile_of(self, email: str) -> Payload:
        """docs.slack.dev/reference/methods/users.lookupByEmail: the `user` object; empty where it is nobody's."""
        try:
            return as_mapping((await self._call("users.lookupByEmail", form={"email": email})).get("user"))
        except SlackRefused as error:
            if error.code != "users_not_found":
                raise
            return {}

    async def publish_home(self, user: str, view: Block) -> None:
        """docs.slack.dev/reference/methods/views.publish."""
        await self._call("views.publish", json={"user_id": user, "view": view})

    async def open_view(self, trigger_id: str, view: Block) -> str:
        """docs.slack.dev/reference/methods/views.open; a trigger is good for three seconds. The window's id."""
        return text_in(await self._call("views.open", json={"trigger_id": trigger_id, "view": view}), "view", "id")

    async def update_view(self, view: Block, *, view_id: str | None = None, external_id: str | None = None) -> bool:
        """docs.slack.dev/reference/methods/views.update: of the window with this id, ours or Slack's. False where it
        was closed.
        """
        try:
            await self._call("views.update", json={"view": view, "view_id": view_id, "external_id": external_id})
        except SlackRefused as error:
            if error.code != "not_found":
                raise
            return False
        return True

    async def respond(self, response_url: str, text: str) -> None:
        """docs.slack.dev/interactivity/handling-user-interaction, "Message responses": only the person who acted sees
        it, where they did, also where we are no member. The text is mrkdwn, escaped by its view.
        """
        client = self._client
        hook = AsyncWebhookClient(response_url, session=client.session, proxy=client.proxy, retry_handlers=[])
        body = await self._secrets.clear("response_url", {"text": text})
        try:
            answer = await hook.send(
                text=text_in(body, "text"),
                response_type="ephemeral",
                replace_original=False,
                unfurl_links=False,
                unfurl_media=False,
            )
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SlackUnclear("response_url") from error
        if answer.status_code != HTTPStatus.OK:
            raise SlackRefused("response_url", answer.body[:80])

    async def _call(
        self,
        method: str,
        *,
        json: Mapping[str, object] | None = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        is_held: IsHeld = lambda: True,
    ) -> Payload:
        """Reading methods take forms only (docs.slack.dev, "Using the Slack Web API")."""
        counted = method if method != _POST else f"{method} to {(json or {}).get('channel')}"
        if (left := self._stopped.get(counted, 0.0) - self._monotonic()) > 0:
            raise SlackBusy(method, left)
        self._stopped.pop(counted, None)
        given = {name: value for name, value in (json or {}).items() if value is not None}
        sent = await self._secrets.clear(method, given) if json is not None else None
        before = _is_held.set(is_held)
        try:
            data = dict(form) if form is not None else None
            response = await self._client.api_call(method, json=sent, data=data, headers=dict(headers or {}))
        except SlackApiError as error:
            refusal = _refusal(method, error)
            if isinstance(refusal, SlackBusy):
                self._stopped[counted] = self._monotonic() + min(refusal.seconds, _LONGEST_STOP_SECONDS)
            raise refusal from None
        except (SlackClientError, aiohttp.ClientError, TimeoutError, AttributeError) as error:
            # AttributeError: slack_sdk reads `.get` of a body that is no JSON object
            raise SlackUnclear(method) from error
        finally:
            _is_held.reset(before)
        return as_mapping(response.data)


async def installation(web: SlackWeb) -> Workspace:
    """The workspace with our ids in it (auth.test); raises `WrongToken` when Slack does not know the token."""
    try:
        found = await web.auth_test()
    except SlackRefused as error:
        if error.may_heal:
            raise
        raise WrongToken("SLACK_BOT_TOKEN", error.code) from error
    return Workspace(
        team=text_in(found, "team_id"),
        name=text_in(found, "team"),
        bot_user=text_in(found, "user_id"),
        bot_id=text_in(found, "bot_id"),
    )


async def app_of(web: SlackWeb, workspace: Workspace) -> str:
    """The id of our app as Slack tells of our bot user (users.info); empty when Slack does not say."""
    try:
        return text_in(await web.profile(workspace.bot_user), "profile", "api_app_id")
    except SlackError:
        return ""


async def awaited_installation(web: SlackWeb) -> Workspace:
    """The same, however long Slack is away; raises `WrongToken` only."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        try:
            return await installation(web)
        except (SlackBusy, SlackRefused, SlackUnclear) as error:
            log.warning("slack.away", error=away(error), again_in=pause)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


def _message(channel: str, message: Outgoing) -> dict[str, object]:
    return {"channel": channel, "text": message.text, "blocks": list(message.blocks), **_NO_UNFURLS, **_NO_NAMES}


def _mark(message: Payload) -> str:
    known = text_in(message, "metadata", "event_type") == POST_EVENT
    return text_in(message, "metadata", "event_payload", "post") if known else ""


def _refusal(method: str, error: SlackApiError) -> SlackBusy | SlackRefused | SlackUnclear:
    response: object = error.response
    status = getattr(response, "status_code", None)
    if status == 429:
        wait = retry_after(cast("Mapping[str, object]", getattr(response, "headers", None) or {}))
        return SlackBusy(method, BUSY_SECONDS if wait is None else wait)
    code = text_in(as_mapping(getattr(response, "data", None)), "error")
    if not code or (isinstance(status, int) and status >= 500):
        return SlackUnclear(method)
    return SlackBusy(method, BUSY_SECONDS) if code == "ratelimited" else SlackRefused(method, code)
