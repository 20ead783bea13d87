"""The state of the workspace: people, messages, open views."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from playground import people
from playground.slack.errors import Refused
from playground.slack.records import Channel, File, Json, ResponseUrl, Session, Stream, Trigger, User

if TYPE_CHECKING:
    from playground.clock import Clock


class World:
    """The state, which methods and acting routes change. Message timestamps are unique and increase."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, list[Json]] = {}
        self.ephemerals: list[Json] = []
        self.commands: list[Json] = []
        """The slash commands as they were typed; Slack shows them to nobody, the page to whoever typed them."""
        self.views: dict[str, list[Json]] = {}
        self.homes: dict[str, Json] = {}
        self.sessions: dict[tuple[str, str], Session] = {}
        self.statuses: dict[tuple[str, str], Json] = {}
        self.prompts: dict[str, Json] = {}
        self.streams: dict[tuple[str, str], Stream] = {}
        self.files: dict[str, File] = {}
        self.triggers: dict[str, Trigger] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self._last_ts = 0
        self._last_number = 0

    def ts(self, at: float | None = None) -> str:
        """A message timestamp: now (or `at`), one microsecond after the last one at least."""
        self._last_ts = max(int((at or self.clock.seconds()) * 1_000_000), self._last_ts + 1)
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06d}"

    def id(self, prefix: str) -> str:
        """A fresh id, opaque like Slack's."""
        self._last_number += 1
        return f"{prefix}0{self._last_number:05d}{secrets.token_hex(3).upper()}"

    def user(self, user_id: str) -> User:
        found = self.users.get(user_id)
        if found is None:
            raise Refused("user_not_found")
        return found

    def channel(self, channel_id: str) -> Channel:
        """The channel, by id, by #name, or the bot's direct conversation with a user id."""
        name = channel_id.removeprefix("#")
        for channel in self.channels.values():
            if channel_id == channel.id or (channel.name and name == channel.name) or channel_id == channel.user:
                return channel
        raise Refused("channel_not_found")

    def dm(self, user_id: str) -> Channel:
        """The person's conversation with the bot."""
        user = self.user(user_id)
        if user.is_bot or user.deleted:
            raise Refused("cannot_dm_bot" if user.is_bot else "user_disabled")
        return next(channel for channel in self.channels.values() if channel.user == user_id)

    def find(self, channel_id: str, ts: str) -> Json | None:
        return next((message for message in self.messages.get(channel_id, ()) if message["ts"] == ts), None)

    def message(self, channel_id: str, ts: str) -> Json:
        found = self.find(channel_id, ts)
        if found is None:
            raise Refused("message_not_found")
        return found

    def thread(self, channel_id: str, thread_ts: str) -> list[Json]:
        """The root and its replies, oldest first."""
        return [
            message
            for message in self.messages.get(channel_id, ())
            if message["ts"] == thread_ts or message.get("thread_ts") == thread_ts
        ]

    def add(self, channel_id: str, message: Json) -> Json:
        """Adds the message to its channel, and counts it at its thread's root."""
        self.messages.setdefault(channel_id, []).append(message)
        thread_ts = message.get("thread_ts")
        if thread_ts and thread_ts != message["ts"] and (root := self.find(channel_id, thread_ts)):
            self._count_reply(root, message)
        return message

    def remove(self, channel_id: str, ts: str) -> Json:
        """Removes a message; a root that has replies stays as a tombstone."""
        message = self.message(channel_id, ts)
        if message.get("reply_count"):
            gone = {"type": "message", "subtype": "tombstone", "text": "This message was deleted.", "hidden": True}
            kept = {key: message[key] for key in ("ts", "thread_ts", "reply_count", "reply_users", "latest_reply")}
            previous = dict(message)
            message.clear()
            message.update({**gone, **kept, "user": "USLACKBOT"})
            return previous
        self.messages[channel_id].remove(message)
        return message

    def view(self, view_id: str) -> tuple[str, Json]:
        """An open modal or a home by its id, with its person."""
        for user_id, stack in self.views.items():
            for view in stack:
                if view["id"] == view_id:
                    return user_id, view
        for user_id, home in self.homes.items():
            if home["id"] == view_id:
                return user_id, home
        raise Refused("not_found")

    def bot(self) -> User:
        return self.users[people.BOT_USER_ID]

    @staticmethod
    def _count_reply(root: Json, reply: Json) -> None:
        users: list[Any] = root.setdefault("reply_users", [])
        if reply.get("user") and reply["user"] not in users:
            users.append(reply["user"])
        root["thread_ts"] = root["ts"]
        root["reply_count"] = root.get("reply_count", 0) + 1
        root["reply_users_count"] = len(users)
        root["latest_reply"] = reply["ts"]
