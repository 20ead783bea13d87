"""Events as frozen values. A message becomes an `Incoming`, or is ignored.

Bots, our own messages and edits start nothing; a file, a `/me` and a reply that is also sent to the channel do
(docs.slack.dev/reference/events/message, "Message subtypes").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import model_validator

from bot.domain.runs import MAX_ATTACHED
from bot.domain.threads import Workspace
from bot.runtime.runs.incoming import Incoming, SharedFile, SharedMessage
from bot.slack.connection.directory import SLACKBOT, Profile
from bot.slack.connection.rich_text import RichText, mentions, readable, typed_text, typed_words
from bot.slack.connection.schema import (
    Flag,
    Objects,
    Payload,
    SlackModel,
    SlackRequest,
    Text,
    Texts,
    at,
    text_at,
)

KEPT_SUBTYPES = frozenset({"", "file_share", "me_message", "thread_broadcast"})
_UNNAMED = {"directmessage": "a direct message", "privategroup": "a private channel"}


class HomeOpened(SlackRequest):
    """docs.slack.dev/reference/events/app_home_opened."""

    user: str = at("event", "user")
    tab: Text = text_at("event", "tab")


class SessionStopped(SlackRequest):
    """docs.slack.dev/reference/events/agent_session_stopped."""

    channel: str = at("event", "channel")
    thread_ts: str = at("event", "thread_ts")
    user: str = at("event", "user")


class PersonChanged(SlackRequest):
    """docs.slack.dev/reference/events/user_change."""

    profile: Profile = at("event", "user")


class TokensRevoked(SlackRequest):
    """docs.slack.dev/reference/events/tokens_revoked."""

    bot: Texts = at("event", "tokens", "bot", default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDeleted:
    """A message was deleted. `may_ask`: it may have been a request to the agent."""

    team: str
    channel: str
    ts: str
    may_ask: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEdited:
    """An author changed the text of a message."""

    team: str
    channel: str
    ts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageChosen:
    """A person chose our shortcut on a message. `author` is the id of who wrote the first of `messages`, if Slack says;
    the others were forwarded with it. `response_url` reaches the person where they are.
    """

    team: str
    user: str
    trigger: str
    response_url: str
    author: str
    messages: Sequence[SharedMessage]
    files: Sequence[SharedFile]


class _Block(SlackModel):
    """A block. Those of other kinds than rich text hold nothing that their author typed."""

    elements: Objects[RichText] = ()

    @model_validator(mode="before")
    @classmethod
    def _rich_text_only(cls, data: Payload) -> Payload:
        return data if data.get("type") == "rich_text" else {}


class _File(SlackModel):
    id: Text = ""
    name: Text = ""


class _Attachment(SlackModel):
    """A message that was forwarded is an attachment with `is_share`. Slack does not document it; links that unfold are
    attachments, too, and have no such mark.
    """

    is_share: Flag = False
    channel_id: Text = ""
    channel_name: Text = ""
    ts: Text = ""
    author_name: Text = ""
    author_id: Text = ""
    text: Text = ""
    fallback: Text = ""
    from_url: Text = ""
    files: Objects[_File] = ()


class _BotProfile(SlackModel):
    name: Text = ""


class _Message(SlackModel):
    """A message, as an event or a shortcut holds it."""

    type: Text = ""
    subtype: Text = ""
    user: Text = ""
    text: Text = ""
    ts: Text = ""
    thread_ts: Text = ""
    bot_id: Text = ""
    bot_profile: _BotProfile | None = None
    username: Text = ""
    hidden: bool | None = None
    blocks: Objects[_Block] = ()
    files: Objects[_File] = ()
    attachments: Objects[_Attachment] = ()

    @property
    def shared(self) -> list[_Attachment]:
        """The messages that were forwarded with it."""
        return [attachment for attachment in self.attachments if attachment.is_share]

    @property
    def rich_text(self) -> list[RichText]:
        return [element for block in self.blocks for element in block.elements]

    def mentions(self, user: str) -> bool:
        return mentions(self.rich_text, self.text, user)


class _MessageChange(_Message):
    """A message event: a message, or what became of one."""

    channel: Text = ""
    channel_type: Text = ""
    user_team: Text = ""
    source_team: Text = ""
    deleted_ts: Text = ""
    message: _Message | None = None
    previous_message: _Message | None = None

    @property
    def gone(self) -> str:
        """The timestamp of a message that was deleted; a thread's first message leaves a tombstone behind."""
        if self.type == "message" and self.subtype == "message_deleted":
            return self.deleted_ts or (self.previous_message.ts if self.previous_message else "")
        changed = self.type == "message" and self.subtype == "message_changed"
        return self.message.ts if changed and self.message and self.message.subtype == "tombstone" else ""

    @property
    def edited(self) -> str:
        """The timestamp of a message whose text changed; links that unfold fire the same event with the same text."""
        before, after = self.previous_message, self.message
        if self.type != "message" or self.subtype != "message_changed" or before is None or after is None:
            return ""
        by_a_person = bool(after.user) and not after.bot_id
        return after.ts if by_a_person and before.text != after.text else ""


class _MessageEvent(SlackRequest):
    """docs.slack.dev/reference/events/message and app_mention."""

    event_id: Text = ""
    is_ext_shared_channel: bool | None = None
    event: _MessageChange

    @property
    def is_external(self) -> bool:
        """Whether the channel is shared with another organisation, or the author is from one."""
        homes = {self.event.user_team, self.event.source_team} - {"", self.team}
        return bool(self.is_ext_shared_channel or homes)


class _Shortcut(SlackRequest):
    """docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload."""

    user: str = at("user", "id")
    trigger: str = at("trigger_id")
    response_url: Text = ""
    channel: str = at("channel", "id")
    channel_name: Text = text_at("channel", "name")
    ts: str = at("message_ts")
    message: _Message

    @property
    def place(self) -> str:
        """The channel in words; Slack gives names of its own to those that have none, and to private ones."""
        if self.channel_name.startswith("mpdm-"):
            return "a group conversation"
        return _UNNAMED.get(self.channel_name, self.channel_name)


class MessageReader:
    """Reads messages for one workspace. `name_of` knows names without asking Slack."""

    def __init__(self, *, workspace: Workspace, name_of: Callable[[str, str], str | None]) -> None:
        self._workspace = workspace
        self._name_of = name_of

    def parse(self, body: Payload) -> Incoming | MessageDeleted | MessageEdited | None:
        """What a `message` or `app_mention` event means; None for what starts nothing. Raises `Malformed`."""
        told = _MessageEvent.parse(body)
        event = told.event
        if event.gone:
            return MessageDeleted(team=told.team, channel=event.channel, ts=event.gone, may_ask=self._may_ask(event))
        if event.edited:
            return MessageEdited(team=told.team, channel=event.channel, ts=event.edited)
        return self._incoming(told) if self._is_said_by_a_person(event) else None

    def chosen(self, body: Payload) -> MessageChosen:
        """The message that a shortcut was chosen on. Raises `Malformed`."""
        told = _Shortcut.parse(body)
        said, team = told.message, told.team
        written_by = said.username or (said.bot_profile.name if said.bot_profile else "")
        message = SharedMessage(
            channel=told.channel,
            ts=told.ts,
            author=written_by or self._name_of(team, said.user) or "",
            place=told.place,
            text=self.readable(said.text, team),
        )
        return MessageChosen(
            team=team,
            user=told.user,
            trigger=told.trigger,
            response_url=told.response_url,
            author=said.user,
            messages=[message, *self._forwarded(said, team)][:MAX_ATTACHED],
            files=_files(said, chosen=True),
        )

    def _may_ask(self, event: _MessageChange) -> bool:
        """Whether a deleted message may have been a request: not talk at the top of a channel, and nothing of ours."""
        before = event.previous_message
        if before is None:
            return True
        if before.bot_id or before.user == self._workspace.bot_user:
            return False
        return before.mentions(self._workspace.bot_user) or event.channel.startswith("D") or bool(before.thread_ts)

    def _is_said_by_a_person(self, event: _MessageChange) -> bool:
        ours_or_nobody = event.user in {"", SLACKBOT, self._workspace.bot_user}
        from_app = bool(event.bot_id or event.bot_profile)
        kept = event.subtype in KEPT_SUBTYPES and not event.hidden
        return kept and not ours_or_nobody and not from_app and bool(event.ts)

    def _incoming(self, told: _MessageEvent) -> Incoming:
        event, team, agent = told.event, told.team, self._workspace.bot_user
        return Incoming(
            event_id=told.event_id,
            team=team,
            channel=event.channel,
            ts=event.ts,
            thread_ts=event.thread_ts or None,
            user=event.user,
            text=self.readable(event.text, team),
            typed=typed_words(event.rich_text, agent=agent),
            elements=[element.model_dump(mode="json", exclude_unset=True) for element in event.rich_text],
            is_dm=event.channel_type == "im" or event.channel.startswith("D"),
            mentions_agent=event.type == "app_mention" or event.mentions(agent),
            files=_files(event),
            messages=self._forwarded(event, team)[:MAX_ATTACHED],
            external=told.is_external,
        )

    def readable(self, text: str, team: str) -> str:
        """What a person wrote in Slack's marks, as they see it."""
        return readable(text, agent=self._workspace.bot_user, name_of=lambda user: self._name_of(team, user))

    def typed(self, text: str) -> str:
        """What a person typed of a text in Slack's marks, with ids in the place of names."""
        return typed_text(text, agent=self._workspace.bot_user)

    def _forwarded(self, message: _Message, team: str) -> list[SharedMessage]:
        """The messages that were forwarded with it."""
        return [self._shared(attachment, team) for attachment in message.shared]

    def _shared(self, attachment: _Attachment, team: str) -> SharedMessage:
        named = self._name_of(team, attachment.author_id)
        return SharedMessage(
            channel=attachment.channel_id,
            ts=attachment.ts,
            author=attachment.author_name or named or attachment.author_id,
            place=attachment.channel_name,
            text=self.readable(attachment.text or attachment.fallback, team),
            link=attachment.from_url,
        )


def _files(message: _Message, *, chosen: bool = False) -> list[SharedFile]:
    """The files of a message, and of those that were forwarded with it. Of one that was chosen none is its sender's."""
    forwarded = [file for attachment in message.shared for file in attachment.files]
    files = [*((file, not chosen) for file in message.files), *((file, False) for file in forwarded)]
    return [SharedFile(name=file.name or "a file", id=file.id, is_own=is_own) for file, is_own in files]
