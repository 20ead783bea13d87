"""Threads, messages, objects and people: what a conversation is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypedDict

from policies.provenance import GuardMode
from policies.types import Label, TrustLevel


class Audience(StrEnum):
    """Who may see something."""

    OWNER = "owner"
    CHANNEL = "channel"


class Speaker(StrEnum):
    """Who said a message."""

    PERSON = "person"
    AGENT = "agent"


NOBODY = ""
"""The author of what a client over HTTP says was said before: nobody here knows who said it."""


class Surface(StrEnum):
    """Where a conversation is held."""

    SLACK = "slack"
    HTTP = "http"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One conversation: in Slack (team, channel, root timestamp), or over HTTP, where it has one `owner`, no channel,
    and its own id as its root. `is_dm`: it is between one person and the agent. `label` is the worst that was read.
    """

    id: str
    team: str
    channel: str
    root_ts: str
    is_dm: bool
    surface: Surface = Surface.SLACK
    owner: str | None = None
    label: Label = Label.OWNER
    created_at: datetime

    def is_over_http_of(self, team: str, user: str) -> bool:
        """Whether it is this person's conversation over HTTP: those in Slack are read and written there."""
        return self.surface is Surface.HTTP and (self.team, self.owner) == (team, user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a thread. `typed` holds only the author's own typed words; `elements` the rich text as it came.

    `channel`, `ts` and `root_ts` say where in Slack it stands; one that came over HTTP has no channel, and its place
    among its author's requests as `ts`. `owner` is the person when its audience is `owner`.
    `steers` is the live run that its requester said it to, and `taken_at` when that run took it in; or the
    `held_back_mark` of what was not taken yet.
    """

    id: str
    thread_id: str
    team: str
    speaker: Speaker
    author: str
    text: str
    typed: str = ""
    elements: Sequence[Mapping[str, object]] = ()
    channel: str = ""
    ts: str = ""
    root_ts: str = ""
    audience: Audience = Audience.CHANNEL
    owner: str | None = None
    run_id: str | None = None
    steers: str | None = None
    taken_at: datetime | None = None
    label: Label = Label.OWNER
    created_at: datetime

    @property
    def is_told(self) -> bool:
        """Whether only a client says that it was said, by a person or by an assistant."""
        return self.author == NOBODY

    @property
    def is_in_slack(self) -> bool:
        """Whether it stands in Slack, or is to: what is said of it is said there."""
        return not self.ts or bool(self.channel)


def held_back_mark(team: str, user: str) -> str:
    """What stands in the `steers` of a message that came too fast, until its author takes up the offer to send it."""
    return f"held_back:{team}:{user}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRequest:
    """What was asked over HTTP under a key: the hash of its `body`, the run that it began or was said to, and its
    message, where it is one.
    """

    id: str
    body: str
    run_id: str | None
    message_id: str
    at: datetime


class MessageChanges(TypedDict, total=False):
    """The columns of a message that may change."""

    thread_id: str
    text: str
    typed: str
    elements: Sequence[Mapping[str, object]]
    channel: str
    ts: str
    root_ts: str
    steers: str | None
    taken_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenObject:
    """Something that a result of this owner's run in the thread showed; `private` when only its owner may see it,
    `is_own` when it is theirs, so that they chose the people in it.
    """

    run_id: str
    owner: str
    kind: str
    object_id: str
    title: str
    people: Sequence[str] = ()
    private: bool = True
    is_own: bool = False

    @property
    def id(self) -> str:
        """Which of its kind it is."""
        return self.object_id


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person in a workspace, as last seen."""

    team: str
    user: str
    name: str = ""
    email: str | None = None
    zone: str = "UTC"
    level: TrustLevel = TrustLevel.SUPERVISED
    is_admin: bool = False
    is_guest: bool = False
    is_bot: bool = False
    is_deleted: bool = False

    @property
    def is_member(self) -> bool:
        """Whether this is a full, active member: the agent works only for these."""
        return not (self.is_guest or self.is_bot or self.is_deleted)


def zone_of(person: User | None) -> str:
    """The IANA zone in which somebody is told the time: UTC for a person without a row."""
    return person.zone if person else "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A Slack team where the agent is installed. `cap` is the highest trust level its people may choose, `guard` what
    becomes of what the provenance guards say.
    """

    team: str
    name: str = ""
    bot_user: str = ""
    bot_id: str = ""
    cap: TrustLevel = TrustLevel.AUTONOMOUS
    guard: GuardMode = GuardMode.ENFORCE
