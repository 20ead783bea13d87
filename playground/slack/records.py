"""The objects of a workspace beside messages, which stay the JSON that Slack sends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class User:
    """A person, a bot, or a guest."""

    id: str
    name: str
    real_name: str
    title: str = ""
    zone: str = "Europe/London"
    email: str = ""
    is_admin: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    is_bot: bool = False
    deleted: bool = False
    bot_id: str = ""
    app_id: str = ""
    team_id: str = ""


@dataclass(slots=True, kw_only=True)
class Channel:
    """A channel, or the direct conversation of one person with the bot (`user` is set then).

    `topic_by` set its topic; nobody did where that is empty.
    """

    id: str
    name: str = ""
    topic: str = ""
    topic_by: str = ""
    members: list[str] = field(default_factory=list[str])
    is_private: bool = False
    is_ext_shared: bool = False
    is_archived: bool = False
    created: int = 0
    user: str = ""

    @property
    def is_im(self) -> bool:
        return bool(self.user)

    @property
    def type(self) -> str:
        """What events call `channel_type`."""
        return "im" if self.is_im else "group" if self.is_private else "channel"


class StreamState(StrEnum):
    """Where a streamed message is."""

    STREAMING = "streaming"
    STOPPED = "stopped"
    STOPPED_BY_USER = "stopped_by_user"
    EXPIRED = "expired"


@dataclass(slots=True, kw_only=True)
class Stream:
    """A message that is still being written."""

    channel: str
    ts: str
    started: float
    mode: str = "timeline"
    state: StreamState = StreamState.STREAMING
    details: dict[str, str] = field(default_factory=dict[str, str])
    """Task id to the details appended so far, as text."""


@dataclass(slots=True, kw_only=True)
class Session:
    """An agent session: one thread's status and title, as the person sees them."""

    channel_id: str
    thread_ts: str
    status: str
    title: str = ""
    initiator: str = ""


@dataclass(slots=True, kw_only=True)
class File:
    """An uploaded file; `shared` once an upload was completed."""

    id: str
    name: str
    mimetype: str
    content: bytes
    user: str
    created: int
    title: str = ""
    length: int = 0
    shared: bool = False
    channels: list[str] = field(default_factory=list[str])


@dataclass(slots=True, kw_only=True)
class Trigger:
    """A `trigger_id`: valid for seconds, for one use."""

    id: str
    user: str
    expires: float
    view_id: str = ""
    used: bool = False


@dataclass(slots=True, kw_only=True)
class ResponseUrl:
    """A `response_url`: five uses in thirty minutes."""

    id: str
    user: str
    channel: str
    expires: float
    uses: int
    message_ts: str = ""
    ephemeral: bool = False
    thread_ts: str = ""
